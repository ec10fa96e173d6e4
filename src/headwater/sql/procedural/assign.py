"""Assignments: `v := e`, `SET v = e`, `LET v := e`, `SELECT @v = e FROM t`; and what a statement gives back INTO variables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.form import NoLineage
from headwater.sql.procedural.body import Body, between_commas, steps
from headwater.sql.procedural.declare import declared_names, given, is_empty_collection
from headwater.sql.procedural.form import Assign, IntoVariables, Target
from headwater.sql.procedural.session_variable import set_session_variables
from headwater.sql.procedural.substituted import SUBSTITUTES, set_text
from headwater.sql.procedural.tree import Do
from headwater.sql.reading.reading import identifier
from headwater.sql.respell import respelled
from headwater.sql.split import span_of
from headwater.sql.words import word

_OPENS = frozenset({TokenType.L_PAREN, TokenType.CASE})
_CLOSES = frozenset({TokenType.R_PAREN, TokenType.END})
_BEHIND_LIST = frozenset({TokenType.FROM, TokenType.WHERE, TokenType.INTO, TokenType.UNION})
_BULK = "BULK COLLECT INTO"
"""One word to the tokeniser."""
_GIVING = (
    "SELECT",
    "WITH",
    "INSERT",
    "UPDATE",
    "DELETE",
    "MERGE",
    "VALUES",
    "SEL",
    "INS",
    "UPD",
    "DEL",
    "LOCKING",
    "LOCK",
    "(",
)


@steps("NULL", "COMMIT", "ROLLBACK", "SAVEPOINT", "PRINT", "CLOSE", "DEALLOCATE", "MOVE", "ASSERT")
def nothing(body: Body) -> Any:
    """Steps that move no data and change no variable."""
    type = body.word().title()
    if body.dialect.marks_variables:
        return None
    return Do(body.made(body.take_statement(), NoLineage(type)))


@steps("DO")
def do_nothing(body: Body) -> Any:
    """MySQL's `DO SLEEP(1);`: a value that nobody takes."""
    if body.dialect.family != "mysql":
        return None
    return Do(body.made(body.take_statement(), NoLineage("Do")))


@steps("LET")
def let(body: Body) -> Any:
    """Snowflake's `LET v [type] := e;`, `LET c CURSOR FOR …;`."""
    body.token()
    return declared_names(body, body.take_statement())


@steps("SET")
def set_(body: Body) -> Any:
    """`SET v = e, w = f;`, `SET (a, b) = (SELECT …);`, `SET @v += 1`; a setting of the session is none."""
    if body.dialect.family == "snowflake":
        return set_session_variables(body)
    if body.word(3) == "=" and body.word(4) == "CURSOR":
        return None
    if body.word(1) == "@" and body.word(3) == "." and body.word(5) == "(":
        return Do(body.made(body.take_statement(), NoLineage("Set")))
    start = body.at
    tokens = body.take_statement()
    if body.dialect.marks_variables:
        tokens = respelled(list(tokens), body.dialect)
    inner = body.inside(tokens)
    inner.token()
    marked = bool(inner.take_any("VAR", "VARIABLE"))
    if body.dialect.family in SUBSTITUTES and not marked and _is_unknown(inner):
        body.at = start
        return set_text(body)
    if inner.at_bracket():
        names = inner.inside(inner.brackets())
        targets = names.targets()
        if not inner.take("="):
            return None
        return Do(body.made(tokens, Assign(targets, _values(inner, inner.rest()))))
    if not (marked or _is_variable(inner)):
        return None
    found = [_assignment(body, part) for part in between_commas(tokens[inner.at :])]
    return [Do(body.made(part if len(found) > 1 else tokens, each)) for part, each in found]


def _is_unknown(body: Body) -> bool:
    """Whether what is set here was never declared."""
    return bool(body) and not body.at_bracket() and body.known.find(body.tokens[body.at].text) is None


def _is_variable(body: Body) -> bool:
    if body.word() == "@":
        return body.word(1) != "@"
    name = body.tokens[body.at].text if body else ""
    if body.word() in ("NEW", "OLD") and body.word(1) == ".":
        return True
    if body.dialect.family == "bigquery":
        return body.word(1) == "=" or (body.word(1) == "." and body.known.find(name) is not None)
    return body.known.find(name) is not None or body.word(1) == "."


def _assignment(body: Body, tokens: Sequence[Token]) -> tuple[Sequence[Token], Assign]:
    inner = body.inside(tokens)
    target = inner.target()
    if not (inner.take("=") or inner.take(":=")):
        raise ParseError("= is missing")
    rest = inner.rest()
    is_default = len(rest) == 1 and word(rest[0]) == "DEFAULT"
    return tokens, Assign((target,), exp.Null() if is_default else inner.value(rest))


def _values(body: Body, tokens: Sequence[Token]) -> Any:
    """The value of several variables: a query, or as many expressions in brackets."""
    inner = body.inside(tokens)
    if inner.at_bracket():
        inside = inner.brackets()
        parts = between_commas(inside)
        if (
            not inner
            and inside
            and word(inside[0]) not in ("SELECT", "WITH", "VALUES", "FROM", "TABLE")
            and (len(parts) > 1 or inside[0].text != "(")
        ):
            return exp.Tuple(expressions=[body.value(part) for part in parts])
        if not inner:
            return body.statement(inside)
    return body.value(tokens)


@steps()
def assignment(body: Body) -> Any:
    """`v := e;`, `r.a := e;`, `v(i) := e;`; PL/pgSQL also takes `v = e;`."""
    at = body.find_word(":=", "=")
    if at < 0 or at - body.at > 40:
        return None
    if word(body.tokens[at]) == "=" and body.known.find(body.tokens[body.at].text) is None:
        return None
    start = body.at
    try:
        target = body.target()
    except ParseError:
        return None
    if body.at != at:
        return None
    body.at = start
    tokens = body.take_statement()
    value = tokens[at + 1 - start :]
    if is_empty_collection(body, value):
        return Do(body.made(tokens, NoLineage("Set")))
    return Do(body.made(tokens, given(body, target, value, "Set")))


@steps(*_GIVING)
def into(body: Body) -> Any:
    """`SELECT a, b INTO v, w FROM t`, `INSERT … RETURNING a INTO v`, `… BULK COLLECT INTO v`."""
    tokens = body.take_statement()
    if body.dialect.marks_variables:
        return _selected(body, tokens)
    at = _into(tokens)
    if at is None:
        return None
    bulk = word(tokens[at]) == _BULK
    inner = body.inside(tokens)
    inner.at = at + 1
    inner.take("STRICT")
    if inner.word() in ("OUTFILE", "DUMPFILE", "TABLE", "TEMP", "TEMPORARY", "UNLOGGED"):
        return None
    targets = inner.targets()
    left = [*tokens[:at], *inner.rest()]
    statement = body.ordinary(left)
    if statement.tree is None:
        return Do(statement)
    return Do(body.made(tokens, IntoVariables(statement.tree, targets, bulk)))


def _into(tokens: Sequence[Token]) -> int | None:
    """The INTO outside of brackets that is not the one of INSERT INTO or MERGE INTO."""
    depth = 0
    if [word(token) for token in tokens[:2]] in (["INSERT", "ALL"], ["INSERT", "FIRST"]):
        return None
    for i, token in enumerate(tokens):
        kind = token.token_type
        depth += (kind is TokenType.L_PAREN) - (kind is TokenType.R_PAREN)
        if depth == 0 and word(token) in ("INTO", _BULK) and i:
            before = word(tokens[i - 1])
            if before not in ("INSERT", "INS", "MERGE", "IGNORE", "OVERWRITE", "APPEND"):
                return i
    return None


def _selected(body: Body, tokens: Sequence[Token]) -> Any:
    """T-SQL's `SELECT @a = x, @b = y FROM t`."""
    if not any(word(t) == "@" for t in tokens) or word(tokens[0]) not in ("SELECT", "WITH"):
        return None
    statement = body.ordinary(tokens)
    select = statement.tree
    if not isinstance(select, exp.Select) or not select.expressions:
        return None
    pairs = [_assigned(item) for item in select.expressions]
    if any(pair is None for pair in pairs):
        return None
    targets = tuple(_marked(tokens))
    if len(targets) != len(pairs):
        return None
    select.set("expressions", [right for _, right in pairs])  # type: ignore[misc]
    return Do(body.made(tokens, IntoVariables(select, targets)))


def _marked(tokens: Sequence[Token]) -> Iterator[Target]:
    """The variables that stand before an equals sign in a select list: `@a = x`, `@b += y`."""
    depth = 0
    for i, token in enumerate(tokens):
        kind = token.token_type
        depth += (kind in _OPENS) - (kind in _CLOSES)
        if depth == 0 and kind in _BEHIND_LIST:
            return
        if depth == 0 and kind is TokenType.PARAMETER and _is_assigned(tokens, i):
            part = identifier(tokens[i + 1])
            part.set("this", f"@{tokens[i + 1].text}")
            yield Target((part,), span_of(tokens[i : i + 2]))


def _is_assigned(tokens: Sequence[Token], i: int) -> bool:
    """Whether an equals sign follows the variable at a token, with or without an operator before it."""
    behind = [token.text for token in tokens[i + 2 : i + 4]]
    return behind[:1] == ["="] or (behind[1:] == ["="] and behind[0] in "+-*/%&|^")


def _assigned(item: Any) -> tuple[Any, Any] | None:
    if isinstance(item, (exp.EQ, exp.PropertyEQ)) and isinstance(item.this, exp.Parameter):
        return item.this, item.expression
    return None
