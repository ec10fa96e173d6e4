"""CREATE of objects that are neither tables nor views: stages, streams, tasks, pipes, synonyms, and those that hold no data at all."""

from __future__ import annotations

from typing import Any

from headwater.sql.form import CreateStage, Location, NoLineage, Scheduled, Stream, Transfer
from headwater.sql.reading.location import located
from headwater.sql.reading.reading import Reading, reads

_MODIFIERS = frozenset(
    {"OR", "REPLACE", "TEMP", "TEMPORARY", "PUBLIC", "SHARED", "TRANSIENT", "SECURE", "IF", "NOT", "EXISTS"}
)
_STREAM_COLUMNS = ("METADATA$ACTION", "METADATA$ISUPDATE", "METADATA$ROW_ID")

_NO_DATA = (
    *(("FILE", "FORMAT"), ("EXTERNAL", "SCHEMA"), ("EXTERNAL", "DATA"), ("EXTERNAL", "FILE"), ("EXTERNAL", "VOLUME")),
    *(
        ("MASKING", "POLICY"),
        ("ROW", "ACCESS"),
        ("NETWORK", "POLICY"),
        ("STORAGE", "INTEGRATION"),
        ("RESOURCE", "MONITOR"),
    ),
    *(("API", "INTEGRATION"), ("NOTIFICATION", "INTEGRATION"), ("SECURITY", "INTEGRATION"), ("CATALOG", "INTEGRATION")),
    *(("EXTERNAL", "LOCATION"), ("EXTERNAL", "ACCESS"), ("MATERIALIZED", "VIEW", "LOG"), ("DATABASE", "LINK")),
    *(
        (w,)
        for w in (
            "INDEX",
            "UNIQUE",
            "CLUSTERED",
            "NONCLUSTERED",
            "COLUMNSTORE",
            "BITMAP",
            "SCHEMA",
            "DATABASE",
            "CATALOG",
        )
    ),
    *(
        (w,)
        for w in (
            "SEQUENCE",
            "EXTENSION",
            "ROLE",
            "USER",
            "LOGIN",
            "GROUP",
            "WAREHOUSE",
            "TYPE",
            "DOMAIN",
            "TAG",
            "SECRET",
            "WIDGET",
        )
    ),
    *(
        (w,)
        for w in (
            "STATISTICS",
            "SERVER",
            "LANGUAGE",
            "CAST",
            "OPERATOR",
            "COLLATION",
            "CONVERSION",
            "POLICY",
            "PUBLICATION",
        )
    ),
    *(
        (w,)
        for w in ("SUBSCRIPTION", "TABLESPACE", "DIRECTORY", "PROFILE", "CONNECTION", "SHARE", "ALERT", "INTEGRATION")
    ),
    *(
        (w,)
        for w in ("PARTITION", "CERTIFICATE", "CREDENTIAL", "MASTER", "SYMMETRIC", "FULLTEXT", "SPATIAL", "AGGREGATE")
    ),
    *(
        (w,)
        for w in ("MODEL", "RESERVATION", "CAPACITY", "ASSIGNMENT", "SEARCH", "VECTOR", "QUOTA", "NAMED", "WORKLOAD")
    ),
)
"""Kinds of objects that hold no rows, by their first words."""


_LATER = frozenset({"STAGE", "STREAM", "TASK", "PIPE", "FUNCTION", "PROCEDURE", "EVENT", "TRIGGER", "SYNONYM", "ALIAS"})
_LATER |= {"SESSION", "SYSTEM", "ACCOUNT", "MATERIALIZED"}
"""What may be altered or dropped without a word about columns."""


def _skip_modifiers(reading: Reading) -> None:
    while reading.word() in _MODIFIERS:
        reading.token()


@reads("CREATE", first=True)
def stage(reading: Reading) -> Any:
    """`CREATE STAGE s URL = 's3://…' FILE_FORMAT = (…)`."""
    reading.take("CREATE")
    _skip_modifiers(reading)
    if not reading.take("STAGE"):
        return None
    reading.take("IF", "NOT", "EXISTS")
    name = reading.name()
    urls = located(reading.rest(), reading, "URL")
    return CreateStage(name, urls[0] if urls else None)


@reads("CREATE")
def stream(reading: Reading) -> Any:
    """Snowflake's `CREATE STREAM s ON TABLE t`."""
    reading.take("CREATE")
    _skip_modifiers(reading)
    if not reading.take("STREAM"):
        return None
    reading.take("IF", "NOT", "EXISTS")
    name = reading.name()
    if not reading.skip_to("ON"):
        return None
    reading.take("ON")
    reading.take("EXTERNAL")
    kind = reading.token().text.upper()
    source: Any = reading.name()
    if kind == "STAGE":
        source = Location("stage", source)
    return Stream("Create Stream", name, source, _STREAM_COLUMNS)


@reads("CREATE")
def synonym(reading: Reading) -> Any:
    """`CREATE SYNONYM s FOR t`, Db2's `CREATE ALIAS`."""
    reading.take("CREATE")
    _skip_modifiers(reading)
    if not reading.take_any("SYNONYM", "ALIAS"):
        return None
    name = reading.name()
    if not reading.take("FOR"):
        return None
    reading.take("TABLE")
    return Stream("Create Synonym", name, reading.name())


@reads("CREATE")
def scheduled(reading: Reading) -> Any:
    """`CREATE TASK t … AS statement`, `CREATE PIPE p … AS COPY …`, `CREATE EVENT e … DO statement`, Hive's `CREATE SCHEDULED QUERY`."""
    reading.take("CREATE")
    _skip_modifiers(reading)
    kind = "SCHEDULED QUERY" if reading.take("SCHEDULED", "QUERY") else reading.take_any("TASK", "PIPE", "EVENT")
    if not kind:
        return None
    reading.take("IF", "NOT", "EXISTS")
    name = reading.name()
    if reading.skip_to("EXECUTED", "AS"):
        reading.take("EXECUTED", "AS")
    before = "DO" if kind == "EVENT" else "AS"
    if not reading.skip_to(before):
        return NoLineage(f"Create {kind.title()}")
    reading.take(before)
    return Scheduled(f"Create {kind.title()}", name, reading.statement(reading.rest()))


@reads("CREATE", "ALTER", "DROP")
def no_data(reading: Reading) -> Any:
    """Objects without rows: `CREATE FILE FORMAT`, `ALTER WAREHOUSE`, `DROP POLICY`."""
    verb = reading.token().text.title()
    _skip_modifiers(reading)
    if verb != "Create" and reading.word() in _LATER:
        return NoLineage(f"{verb} {reading.word().title()}")
    if reading.find("TRANSFER") >= 0:
        return None
    for words in _NO_DATA:
        if reading.sees(*words):
            return NoLineage(f"{verb} {' '.join(words).title()}")
    return None


@reads("APPLY")
def apply_changes(reading: Reading) -> Any:
    """Databricks' `APPLY CHANGES INTO t FROM STREAM(s) KEYS (…) SEQUENCE BY …`: the source's columns, by name."""
    if not reading.take("APPLY", "CHANGES", "INTO"):
        return None
    target = reading.name()
    if not reading.take("FROM"):
        return None
    if reading.take("STREAM") and reading.at_bracket():
        source = Reading(reading.brackets(), reading.sql, reading.dialect).name()
    else:
        source = reading.name()
    return Transfer("Apply Changes", target, (source,), by_name=True)
