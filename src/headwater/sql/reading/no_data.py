"""CREATE, ALTER and DROP of objects that hold no rows: indexes, policies, roles, integrations."""

from __future__ import annotations

from typing import Any

from headwater.sql.form import NoLineage
from headwater.sql.reading.created import skip_modifiers
from headwater.sql.reading.reading import Reading, reads

_KINDS = """
    FILE FORMAT, EXTERNAL SCHEMA, EXTERNAL DATA, EXTERNAL FILE, EXTERNAL VOLUME, MASKING POLICY,
    ROW ACCESS, NETWORK POLICY, STORAGE INTEGRATION, RESOURCE MONITOR, API INTEGRATION,
    NOTIFICATION INTEGRATION, SECURITY INTEGRATION, CATALOG INTEGRATION, EXTERNAL LOCATION,
    EXTERNAL ACCESS, MATERIALIZED VIEW LOG, DATABASE LINK, INDEX, UNIQUE, CLUSTERED, NONCLUSTERED,
    COLUMNSTORE, BITMAP, SCHEMA, DATABASE, CATALOG, SEQUENCE, EXTENSION, ROLE, USER, LOGIN, GROUP,
    WAREHOUSE, TYPE, DOMAIN, TAG, SECRET, WIDGET, STATISTICS, SERVER, LANGUAGE, CAST, OPERATOR,
    COLLATION, CONVERSION, POLICY, PUBLICATION, SUBSCRIPTION, TABLESPACE, DIRECTORY, PROFILE,
    CONNECTION, SHARE, INTEGRATION, PARTITION, CERTIFICATE, CREDENTIAL, MASTER, SYMMETRIC,
    FULLTEXT, SPATIAL, AGGREGATE, RESERVATION, CAPACITY, ASSIGNMENT, SEARCH, VECTOR, QUOTA,
    NAMED, WORKLOAD, VARIABLE, AUTHENTICATION POLICY, PASSWORD POLICY, SECURITY POLICY, RLS POLICY,
    NETWORK RULE, DBT PROJECT, DCM PROJECT, MCP SERVER, STREAMLIT, MANAGED ACCOUNT, DATASHARE,
    LIBRARY, AUTHORIZATION, XML SCHEMA, VOLUME, CLUSTER, EXTERNAL CATALOG, STORAGE VOLUME, STORAGE VAULT,
    STORAGE POLICY, ROW POLICY, RESOURCE, REPOSITORY, SQL_BLOCK_RULE, ENCRYPTKEY, COMPUTE GROUP,
    STATS, INCREMENTAL STATS, MILESTONE, LINK,
    PROTOCOL, TRUSTED PROTOCOL, LOCATION,
    ACCESS POLICY, NOTIFIER, SCHEDULE, NETWORK ADDRESS, NETWORK INTERFACE, LOAD BALANCE, FAULT GROUP,
    XML INDEX, PRIMARY XML, SELECTIVE XML, COLUMN MASTER, COLUMN ENCRYPTION,
    NODE, SUBNET, SUBCLUSTER, DEFAULT INDEX, DEFAULT PRIVILEGES, TRANSFORM FUNCTION, ANALYTIC FUNCTION,
    FILTER, PARSER, TEXT INDEX, HCATALOG SCHEMA,
    BRANCH, FOLDER, SPACE, VIRTUAL SCHEMA, CONSUMER GROUP, GLOBAL INDEX, LOCAL INDEX, STORAGE, FUNCTION USING
"""
_NO_DATA = [kind.split() for kind in _KINDS.split(",")]
"""Kinds of objects that hold no rows, by their first words."""

_LATER = frozenset({"STAGE", "STREAM", "TASK", "PIPE", "FUNCTION", "PROCEDURE", "EVENT", "TRIGGER", "SYNONYM", "ALIAS"})
_LATER |= {"SESSION", "SYSTEM", "ACCOUNT", "MATERIALIZED", "RULE", "ALERT", "FLOW", "MODEL", "STREAMING"}
_LATER |= {"ROUTINE", "JOB", "PIPELINE"}
_LATER |= {"CORTEX", "PACKAGE", "PREPARE", "SETTINGS", "SOURCE", "SINK", "DATA LOADER"}
_LATER |= {"PDS", "VDS", "DATASET", "PROJECT", "ORGANIZATION", "BI_CAPACITY"}
"""What may be altered or dropped without a word about columns."""


@reads("ALTER")
def renamed_partition(reading: Reading) -> Any:
    """`ALTER TABLE t PARTITION (p = 1) RENAME TO PARTITION (p = 2)`: the rows stay, under another key.

    StarRocks' and Doris' `REPLACE PARTITION (p) WITH TEMPORARY PARTITION (q)` chooses between rows of the same table.
    """
    moves = (("RENAME", "TO", "PARTITION"), ("WITH", "TEMPORARY", "PARTITION"))
    return NoLineage("Alter Table") if any(reading.find(*words) >= 0 for words in moves) else None


@reads("ALTER", "TRUNCATE")
def exasol_storage(reading: Reading) -> Any:
    """Exasol's `ALTER TABLE t DISTRIBUTE BY a`, `… PARTITION BY d`, `… DROP DISTRIBUTION KEYS`, and `TRUNCATE AUDIT LOGS`."""
    if reading.dialect.family != "exasol":
        return None
    if reading.take("TRUNCATE", "AUDIT", "LOGS"):
        return NoLineage("Truncate Audit Logs")
    if not reading.take("ALTER", "TABLE"):
        return None
    reading.name()
    reading.take("DROP")
    is_storage = reading.word() in ("DISTRIBUTE", "DISTRIBUTION", "DISTRIBUTE BY", "PARTITION BY", "PARTITION")
    return NoLineage("Alter Table") if is_storage else None


@reads("ALTER")
def reflection(reading: Reading) -> Any:
    """Dremio's `ALTER TABLE t CREATE RAW REFLECTION r USING DISPLAY (a)`: rows that the optimizer keeps beside the table."""
    is_reflection = reading.dialect.family == "dremio" and reading.find("REFLECTION") >= 0
    return NoLineage("Alter Reflection") if is_reflection else None


@reads("CREATE", "ALTER", "DROP")
def no_data(reading: Reading) -> Any:
    """Objects without rows: `CREATE FILE FORMAT`, `ALTER WAREHOUSE`, `DROP POLICY`."""
    verb = reading.token().text.title()
    skip_modifiers(reading)
    if verb == "Alter" and reading.sees("MATERIALIZED", "VIEW"):
        return None
    if verb != "Create" and reading.word() in _LATER:
        return NoLineage(f"{verb} {reading.word().title()}")
    if verb == "Alter" and reading.take("EXTERNAL", "TABLE"):
        return _files_of_table(reading)
    if reading.find("TRANSFER") >= 0 or (
        verb == "Alter" and reading.sees("SCHEMA") and reading.find("SWAP", "WITH") >= 0
    ):
        return None
    for words in _NO_DATA:
        if reading.sees(*words):
            return NoLineage(f"{verb} {' '.join(words).title()}")
    return None


def _files_of_table(reading: Reading) -> Any:
    """Snowflake's `ALTER EXTERNAL TABLE t ADD FILES ('x')`, `… DROP PARTITION LOCATION 'x'`: which files the table has now."""
    reading.take("IF", "EXISTS")
    reading.name()
    changes = reading.take_any("ADD", "REMOVE", "DROP") and reading.word() in ("FILES", "PARTITION")
    return NoLineage("Alter External Table") if changes else None
