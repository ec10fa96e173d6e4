"""The head of a trigger: the table whose changes set it off, and the names of the changed rows."""

from __future__ import annotations

from headwater.sql.procedural.body import Body
from headwater.sql.procedural.tree import Trigger
from headwater.sql.words import word

_EVENTS = frozenset({"INSERT", "UPDATE", "DELETE", "OF", "OR", ",", "TRUNCATE"})


def trigger_head(body: Body) -> Trigger | None:
    """`AFTER INSERT OR UPDATE OF a ON t REFERENCING NEW AS n FOR EACH ROW`, T-SQL's `ON t AFTER INSERT`."""
    found = body.find_word("ON")
    if found < 0:
        return None
    body.at = found + 1
    table = body.name()
    rows = ["new", "old"] if body.dialect.name != "tsql" else ["inserted", "deleted"]
    each_row = body.dialect.name != "tsql"
    while body:
        at = body.word()
        if at == "REFERENCING":
            rows += _referencing(body)
        elif at in ("BEGIN", "DECLARE", "AS", "IS", "EXECUTE", "COMPOUND", "SET", "INSERT", "CALL"):
            if at in ("INSERT", "SET") and word(body.tokens[body.at - 1]) in ("AFTER", "FOR", "OF", ",", "OR"):
                body.token()
                continue
            break
        elif at == "(":
            body.brackets()
        else:
            body.token()
    return Trigger(table, tuple(rows), each_row)


def _referencing(body: Body) -> list[str]:
    """`REFERENCING NEW AS n OLD AS o`, `NEW TABLE AS added`: other names for the changed rows."""
    body.token()
    found = []
    while body.word() in ("NEW", "OLD", "NEW_TABLE", "OLD_TABLE", "PARENT"):
        body.token()
        body.take_any("TABLE", "ROW")
        body.take("AS")
        found.append(body.token().text.lower())
    return found
