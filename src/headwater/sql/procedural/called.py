"""A call as it is written: the name of a procedure, its arguments, and what takes its value or its rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.form import Argument
from headwater.sql.procedural.body import Body, between_commas
from headwater.sql.procedural.form import Call, Target
from headwater.sql.words import word


def called(body: Body) -> Call:
    """The call whose name begins here."""
    name = body.name()
    arguments: Sequence[Token] = body.brackets() if body.at_bracket() else ()
    into = body.target() if body.take("INTO") else None
    return Call(name, tuple(_argument(body, part) for part in between_commas(arguments)), into)


def _argument(body: Body, tokens: Sequence[Token]) -> Argument:
    name = ""
    signs = ("=>", ":=", "=") if body.dialect.family == "teradata" else ("=>", ":=")
    if len(tokens) > 2 and tokens[1].text in signs:
        name, tokens = tokens[0].text, tokens[2:]
    return Argument(name, body.value(tokens), variable_of(body, tokens))


def variable_of(body: Body, tokens: Sequence[Token]) -> Target | None:
    """What may take a value back: an argument that is nothing but a variable."""
    inner = body.inside(tokens)
    try:
        target = inner.target()
    except ParseError:
        return None
    return target if not inner and tokens[0].token_type is not TokenType.NUMBER and not target.partly else None


def called_rows(body: Body, value: Sequence[Token], rows: Target) -> Call | None:
    """`res := (CALL p(1))`: a result set takes the rows of a procedure; None for any other value."""
    inner = body.inside(value)
    if word(value[0]) == "(":
        inner = body.inside(inner.brackets())
    return replace(called(inner), rows=rows) if inner.take("CALL") else None
