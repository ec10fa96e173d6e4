"""Databricks' change data capture: APPLY CHANGES INTO, AUTO CDC INTO, and streaming tables that are filled by such a flow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot.tokenizer_core import Token

from headwater.sql.form import ApplyChanges
from headwater.sql.reading.created import creates
from headwater.sql.reading.reading import Reading, identifier, reads

_CLAUSES = ("IGNORE NULL UPDATES", "APPLY AS", "SEQUENCE BY", "COLUMNS", "STORED AS", "TRACK HISTORY", "KEYS")


@reads("APPLY", "AUTO")
def apply_changes(reading: Reading) -> Any:
    """`APPLY CHANGES INTO t FROM STREAM(s) KEYS (id) SEQUENCE BY ts COLUMNS * EXCEPT (op)`; `AUTO CDC [ONCE] INTO t FROM …`."""
    if not (reading.take("APPLY", "CHANGES") or reading.take("AUTO", "CDC")):
        return None
    reading.take("ONCE")
    if not reading.take("INTO"):
        return None
    return _changes(reading, reading.name())


@reads("CREATE")
def streaming_table(reading: Reading) -> Any:
    """`CREATE STREAMING TABLE t … FLOW AUTO CDC FROM s KEYS …`: the table, and the flow that fills it."""
    reading.take("CREATE")
    reading.take("OR", "REFRESH")
    if not creates(reading, "STREAMING TABLE"):
        return None
    target = reading.name()
    if not reading.skip_to("FLOW", "AUTO", "CDC"):
        return None
    reading.take("FLOW", "AUTO", "CDC")
    reading.take("ONCE")
    return _changes(reading, target)


def _changes(reading: Reading, target: Any) -> Any:
    """What follows the target."""
    if not reading.take("FROM"):
        return None
    source = _source(reading)
    found: dict[str, Any] = {
        "keys": (),
        "columns": (),
        "left_out": (),
        "conditions": [],
        "sequence": None,
        "history": False,
    }
    while reading:
        _clause(reading, found)
    return ApplyChanges(target, source, **{**found, "conditions": tuple(found["conditions"])})


def _source(reading: Reading) -> Any:
    """`STREAM(s)`, `STREAM s`, `s`: the table itself."""
    if reading.take("STREAM") and reading.at_bracket():
        return Reading(reading.brackets(), reading.sql, reading.dialect).name()
    return reading.name()


def _clause(reading: Reading, found: dict[str, Any]) -> None:
    """One clause behind the source; words that say nothing of columns are stepped over."""
    if reading.take("KEYS"):
        found["keys"] = tuple(reading.names())
    elif reading.take("APPLY", "AS"):
        if reading.skip_to("WHEN") and reading.take("WHEN"):
            found["conditions"].append(reading.expression(_until_clause(reading)))
    elif reading.take("SEQUENCE", "BY"):
        found["sequence"] = reading.expression(_until_clause(reading))
    elif reading.take("TRACK", "HISTORY"):
        _until_clause(reading)
    elif reading.take("COLUMNS"):
        if reading.take("*"):
            found["left_out"] = tuple(reading.names()) if reading.take("EXCEPT") else ()
        else:
            found["columns"] = tuple(reading.names() if reading.at_bracket() else _listed(reading))
    elif reading.take("SCD", "TYPE"):
        found["history"] = reading.token().text == "2"
    else:
        reading.token()


def _listed(reading: Reading) -> list[Any]:
    """Names between commas, without brackets around them; moves behind them."""
    names = [identifier(reading.token())]
    while reading.take(","):
        names.append(identifier(reading.token()))
    return names


def _until_clause(reading: Reading) -> Sequence[Token]:
    """The tokens up to the next clause; moves there."""
    ends = [i for i in (reading.find(*clause.split()) for clause in _CLAUSES) if i >= 0]
    start, reading.at = reading.at, min(ends, default=len(reading.tokens))
    return reading.tokens[start : reading.at]
