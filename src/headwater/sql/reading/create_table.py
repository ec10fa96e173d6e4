"""CREATE TABLE whose elements or options the grammar does not take whole: its columns are known all the same."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.sql.form import NoLineage, TableElements
from headwater.sql.reading.reading import Reading, reads
from headwater.sql.reading.table_elements import table_elements

_TEMPORARY = frozenset({"TEMP", "TEMPORARY", "VOLATILE"})
_MODIFIERS = _TEMPORARY | {
    "OR",
    "REPLACE",
    "GLOBAL",
    "LOCAL",
    "TRANSIENT",
    "MULTISET",
    "SET",
    "UNLOGGED",
    "ICEBERG",
    "HYBRID",
}
_MODIFIERS |= {
    "PRIVATE",
    "SHARDED",
    "DUPLICATED",
    "IMMUTABLE",
    "BLOCKCHAIN",
    "COLUMN",
    "ROW",
    "EVENT",
    "INTERACTIVE",
    "LIVE",
    "REFRESH",
    "STREAMING",
}


@reads("CREATE")
def flex_table(reading: Reading) -> Any:
    """Vertica's `CREATE FLEX TABLE t (a INT)`: it has any column that its rows have, so nothing is known of it."""
    reading.take("CREATE")
    while reading.word() in _MODIFIERS:
        reading.token()
    flexible = reading.take_any("FLEX", "FLEXIBLE")
    return NoLineage("Create Table") if flexible and reading.sees("TABLE") and reading.find("AS") < 0 else None


@reads("CREATE")
def create_table(reading: Reading) -> Any:
    """`CREATE TABLE t (…) …`; the rest of the statement is passed over, unless it is a query, which other readers take."""
    reading.take("CREATE")
    temporary = False
    while reading.word() in _MODIFIERS:
        temporary = reading.token().text.upper() in _TEMPORARY or temporary
    if not reading.take("TABLE"):
        return None
    exists = reading.take("IF", "NOT", "EXISTS")
    name = reading.name()
    if not reading:
        return NoLineage("Create Table")
    if reading.take("OF") and reading:
        return TableElements(name, (), temporary, exists, reading.spelled_name())
    while reading and not reading.at_bracket():
        if reading.token().text.upper() in ("AS", "CLONE", "LIKE", "COPY"):
            return None
    if not reading or reading.word(1) in ("SELECT", "WITH"):
        return None
    inside = reading.brackets()
    if reading.sees("ORGANIZATION", "EXTERNAL") or reading.find("SELECT") >= 0:
        return None
    elements = table_elements(inside, reading)
    if reading.skip_to("LIKE") and reading.take("LIKE"):
        elements.insert(0, exp.LikeProperty(this=reading.name()))
    return TableElements(name, tuple(elements), temporary, exists) if name and elements else None
