"""Where a way ends: RETURN, EXIT, CONTINUE, LEAVE, RAISE, GOTO."""

from __future__ import annotations

from typing import Any

from headwater.sql.form import NoLineage
from headwater.sql.procedural.body import Body, between_commas, steps
from headwater.sql.procedural.form import Dynamic, Returned
from headwater.sql.procedural.tree import Do, Leave

_QUERIES = frozenset({"SELECT", "WITH", "VALUES"})


@steps("EXIT", "CONTINUE", "LEAVE", "ITERATE", "BREAK")
def out_of_loop(body: Body) -> Any:
    """`EXIT [label] [WHEN c];`, `LEAVE label;`, `BREAK`."""
    type = body.word().title()
    tokens = body.take_statement()
    inner = body.inside(tokens)
    inner.token()
    label = inner.word() if inner.word() not in ("WHEN", "") else ""
    if label:
        inner.token()
    statement = body.made(tokens, NoLineage(type))
    condition = inner.condition(type, tokens[inner.at + 1 :]) if inner.word() == "WHEN" else None
    return Leave(statement, "round" if type in ("Continue", "Iterate") else "loop", condition, label)


@steps("GOTO")
def goto(body: Body) -> Any:
    """`GOTO label`."""
    label = body.word(1)
    return Leave(body.made(body.take_statement(), NoLineage("Goto")), "block", label=label)


@steps("RAISE", "SIGNAL", "RESIGNAL", "THROW")
def raised(body: Body) -> Any:
    """An exception: a handler may take over."""
    type = body.word().title()
    tokens = body.take_statement()
    words = [token.text.upper() for token in tokens[:2]]
    statement = body.made(tokens, NoLineage(type))
    if type == "Raise" and words[-1] in ("NOTICE", "INFO", "WARNING", "LOG", "DEBUG"):
        return Do(statement)
    return Leave(statement, "routine")


def _is_changed_row(body: Body) -> bool:
    """Whether a trigger says which row is to be written, and is no function of values."""
    return body.dialect.family in ("postgres", "redshift") and body.word() in ("NEW", "OLD") and not body.word(1)


@steps("PIPE")
def pipe_row(body: Body) -> Any:
    """PL/SQL's `PIPE ROW (r);`: one more row of what a table function gives back."""
    if body.word(1) != "ROW":
        return None
    tokens = body.take_statement()
    return Do(body.made(tokens, Returned(body.value(tokens[2:]), rows=True)))


@steps("RETURN")
def return_(body: Body) -> Any:
    """`RETURN;`, `RETURN v;`, `RETURN QUERY SELECT …;`, `RETURN TABLE(r);`."""
    tokens = body.take_statement()
    inner = body.inside(tokens)
    inner.token()
    if inner.take("NEXT"):
        value = inner.value(inner.rest()) if inner else None
        return Do(body.made(tokens, Returned(value, rows=True)))
    if inner.take("QUERY") and inner.word() != "EXECUTE":
        return Do(body.made(tokens, Returned(inner.statement(inner.rest()), rows=True)))
    if inner.take("EXECUTE"):
        text = inner.until_any("USING")
        using = [inner.value(part) for part in between_commas(inner.rest()[1:])]
        return Do(body.made(tokens, Dynamic(inner.value(text), using=tuple(using), returns=True)))
    if not inner or _is_changed_row(inner):
        return Leave(body.made(tokens, NoLineage("Return")), "routine")
    if body.dialect.family == "snowflake" and inner.word() == "TABLE" and inner.word(1) == "(":
        inner = inner.inside(inner.tokens[inner.at + 2 : -1])
        value = inner.statement(inner.rest()) if inner.word() in _QUERIES else inner.value(inner.rest())
        return Leave(body.made(tokens, Returned(value, rows=True)), "routine")
    rows = inner.word() in _QUERIES
    value = inner.statement(inner.rest()) if rows else inner.value(inner.rest())
    return Leave(body.made(tokens, Returned(value, rows)), "routine")
