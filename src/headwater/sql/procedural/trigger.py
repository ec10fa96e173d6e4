"""The head of a trigger: the table whose changes set it off, the names of the changed rows, and the condition on them."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token

from headwater.sql.procedural.body import Body
from headwater.sql.procedural.tree import Declared, Trigger
from headwater.sql.split import span_of
from headwater.sql.statement import Statement
from headwater.sql.words import word

_BODIES = frozenset({"BEGIN", "DECLARE", "AS", "IS", "COMPOUND", "SET", "INSERT", "UPDATE", "DELETE", "CALL", "IF"})
_BEFORE_EVENTS = frozenset({"BEFORE", "AFTER", "FOR", "OF", ",", "OR"})


def trigger_head(body: Body) -> tuple[Trigger | None, Statement | None]:
    """`AFTER INSERT OR UPDATE OF a ON t REFERENCING NEW AS n FOR EACH ROW WHEN (n.a > 0)`, T-SQL's `ON t AFTER INSERT`."""
    found = body.find_word("ON")
    if found < 0:
        return None, None
    body.at = found + 1
    table = body.name()
    rows = [] if body.dialect.changed_tables else ["new", "old"]
    tables = list(body.dialect.changed_tables)
    condition = calls = None
    while body:
        at = body.word()
        if at == "REFERENCING":
            _referencing(body, rows, tables)
        elif at == "WHEN":
            know_rows(body, rows)
            condition = _condition(body)
        elif at == "EXECUTE":
            body.token()
            if body.take_any("FUNCTION", "PROCEDURE"):
                calls = body.name()
                body.at = len(body.tokens)
            break
        elif at in _BODIES and word(body.tokens[body.at - 1]) not in _BEFORE_EVENTS:
            break
        elif at == "(":
            body.brackets()
        else:
            body.token()
    know_rows(body, rows)
    return Trigger(table, tuple(rows), tuple(tables), calls), condition


def know_rows(body: Body, rows: Sequence[str]) -> None:
    """Let the changed rows be known while the body is read."""
    for name in rows:
        body.known.declared[name.upper()] = Declared(name, "record", span_of(body.tokens[:1]))


def _condition(body: Body) -> Statement:
    start = body.at
    body.token()
    tokens: Sequence[Token] = body.brackets() if body.at_bracket() else body.until_any("BEGIN")
    return body.condition("If", tokens, start)


def _referencing(body: Body, rows: list[str], tables: list[str]) -> None:
    """`REFERENCING NEW AS n OLD AS o`, `NEW TABLE AS added`: other names for the changed rows, one by one or as a table."""
    body.token()
    while body.word() in ("NEW", "OLD", "NEW_TABLE", "OLD_TABLE", "PARENT"):
        is_table = body.token().text.upper().endswith("_TABLE")
        is_table = body.take_any("TABLE", "ROW") == "TABLE" or is_table
        body.take("AS")
        (tables if is_table else rows).append(body.token().text.lower())
