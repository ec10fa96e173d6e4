"""Calls of procedures: CALL, EXEC, PERFORM, and PL/SQL's bare `p(x);`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.form import Argument, NoLineage
from headwater.sql.procedural.body import Body, between_commas, steps
from headwater.sql.procedural.called import called, variable_of
from headwater.sql.procedural.form import Call, Dynamic, IntoVariables
from headwater.sql.procedural.tree import Do
from headwater.sql.words import word

_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
_OF_COLLECTION = frozenset({"EXTEND", "TRIM", "DELETE"})
"""What is done to a collection: `l.EXTEND;`, `l.TRIM(2);`."""


@steps("CALL")
def call(body: Body) -> Any:
    """`CALL s.p(a, b => 1) [INTO v];`."""
    tokens = body.take_statement()
    inner = body.inside(tokens)
    inner.token()
    if body.dialect.family == "teradata" and _executes(inner):
        return Do(body.made(tokens, Dynamic(body.value(inner.brackets()))))
    return Do(body.made(tokens, called(inner)))


@steps("ASYNC")
def run_beside(body: Body) -> Any:
    """Snowflake's `ASYNC (INSERT …);`: a statement that runs beside those that follow."""
    if body.word(1) != "(":
        return None
    tokens = body.take_statement()
    inner = body.inside(tokens[1:])
    return list(body.inside(inner.brackets()).steps())


@steps("AWAIT")
def wait(body: Body) -> Any:
    """Snowflake's `AWAIT r;`, `AWAIT ALL;`."""
    if body.dialect.family != "snowflake":
        return None
    return Do(body.made(body.take_statement(), NoLineage("Await")))


def _executes(body: Body) -> bool:
    """Whether Teradata's `DBC.SysExecSQL('…')` is called, which executes a text; moves to its bracket."""
    start = body.at
    name = body.name()
    if name.name.upper() == "SYSEXECSQL" and body.at_bracket():
        return True
    body.at = start
    return False


@steps("EXEC", "EXECUTE")
def exec_(body: Body) -> Any:
    """T-SQL's `EXEC [@r =] s.p @a, @b = @c OUTPUT [WITH RECOMPILE]`; `EXECUTE AS USER = 'u'` only changes who asks."""
    if body.dialect.family == "teradata":
        return _macro(body)
    if not body.dialect.marks_variables:
        return None
    tokens = body.take_statement()
    inner = body.inside(tokens)
    inner.token()
    if inner.at_bracket():
        return None
    if inner.take("AS"):
        return Do(body.made(tokens, NoLineage("Execute As")))
    into = None
    if inner.word() == "@":
        into = inner.target()
        if not inner.take("="):
            return None
    name = inner.name()
    if name.name.lower() in ("sp_executesql", "sp_rename"):
        return None
    arguments = tuple(_marked(body, part) for part in between_commas(inner.until("WITH")))
    return Do(body.made(tokens, Call(name, arguments, into)))


def _marked(body: Body, tokens: Sequence[Token]) -> Argument:
    """`@a`, `@b = 1`, `@c = @d OUTPUT`."""
    name = ""
    if len(tokens) > 3 and word(tokens[0]) == "@" and tokens[2].text == "=":
        name, tokens = f"@{tokens[1].text}", tokens[3:]
    out = word(tokens[-1]) in ("OUTPUT", "OUT")
    tokens = tokens[:-1] if out else tokens
    value = exp.Null() if word(tokens[0]) == "DEFAULT" else body.value(tokens)
    return Argument(name, value, variable_of(body, tokens) if out else None)


def _macro(body: Body) -> Any:
    """Teradata's `EXEC m (1, b = 2);`; inside of a procedure, EXECUTE is about a text or a prepared statement."""
    tokens = body.take_statement()
    inner = body.inside(tokens)
    inner.token()
    if inner.word() == "IMMEDIATE" or inner.word() in body.prepared:
        return None
    found = called(inner)
    return Do(body.made(tokens, found)) if not inner else None


_PERFORMED = frozenset(
    {"SELECT", "WITH", "INSERT", "UPDATE", "DELETE", "MERGE", "CREATE", "DROP", "ALTER", "TRUNCATE", "COPY", "COMMIT"}
)
"""What a statement behind PERFORM begins with."""


@steps("PERFORM")
def perform(body: Body) -> Any:
    """PL/pgSQL's `PERFORM f(x);` is a SELECT whose result is thrown away; of a function alone, a call of it.

    Vertica's `PERFORM INSERT INTO …;` is the statement behind the word.
    """
    tokens = body.take_statement()
    inner = body.inside(tokens)
    inner.token()
    if inner.word() in _PERFORMED:
        return Do(body.ordinary(tokens[1:]))
    try:
        found = called(inner)
        if not inner:
            return Do(body.made(tokens, found))
    except ParseError:
        pass
    select = Token(TokenType.SELECT, "SELECT", tokens[0].line, tokens[0].col, tokens[0].start, tokens[0].end)
    statement = body.ordinary([select, *tokens[1:]])
    return Do(statement if statement.tree is None else body.made(tokens, IntoVariables(statement.tree, ())))


@steps()
def bare(body: Body) -> Any:
    """PL/SQL's `p;`, `pkg.p(x);`."""
    if body.dialect.family != "oracle" or body.tokens[body.at].token_type not in _NAMES:
        return None
    if body.word(1) not in ("(", ".", ";", ""):
        return None
    start = body.at
    tokens = body.take_statement()
    if len(tokens) > 2 and word(tokens[2]) in _OF_COLLECTION and body.known.find(tokens[0].text) is not None:
        return Do(body.made(tokens, NoLineage(word(tokens[2]).title())))
    inner = body.inside(tokens)
    try:
        found = called(inner)
    except ParseError:
        body.at = start
        return None
    return Do(body.made(tokens, found)) if not inner else None
