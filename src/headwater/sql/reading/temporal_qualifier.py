"""Teradata's `SEQUENCED VALIDTIME SELECT …`: a statement with a word before it about the times that its rows hold for.

The time decides which versions of rows are read or changed, by a column that the statement does not name. AS OF is not read: it would
be another state of the tables.
"""

from __future__ import annotations

from typing import Any

from headwater.sql.reading.reading import Reading, reads

_STATEMENTS = ("SELECT", "WITH", "INSERT", "INS", "UPDATE", "UPD", "DELETE", "DEL", "MERGE", "CREATE")
_TIMES = frozenset({"VALIDTIME", "TRANSACTIONTIME"})


@reads("SEQUENCED", "NONSEQUENCED", "CURRENT", "VALIDTIME", "TRANSACTIONTIME")
def temporal_qualifier(reading: Reading) -> Any:
    """The statement behind the qualifiers."""
    qualifiers = [token.text.upper() for token in reading.until(*_STATEMENTS)]
    if reading.dialect.family != "teradata" or _TIMES.isdisjoint(qualifiers) or "OF" in qualifiers:
        return None
    return reading.statement(reading.rest()) if reading else None
