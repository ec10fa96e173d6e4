"""TRUNCATE with options that the grammar does not take: storage, triggers, logs. They change nothing for the table's readers."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.sql.form import NoLineage
from headwater.sql.reading.reading import Reading, reads


@reads("TRUNCATE")
def truncate(reading: Reading) -> Any:
    """`TRUNCATE TABLE t PRESERVE MATERIALIZED VIEW LOG DROP STORAGE` (Oracle), `… IGNORE DELETE TRIGGERS` (Db2).

    What empties a partition, a cluster or a whole database is not told apart and leaves every table as it is.
    """
    reading.take("TRUNCATE")
    if not reading.take("TABLE") or reading.find("PARTITION") >= 0 or reading.find("SUBPARTITION") >= 0:
        return NoLineage("Truncate")
    reading.take("IF", "EXISTS")
    return exp.TruncateTable(expressions=[reading.name()])
