"""T-SQL's own control: IF, WHILE and TRY over single statements or BEGIN … END; DECLARE of several variables at once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.blocks import begins_transaction
from headwater.sql.procedural.body import Body, between_commas, steps
from headwater.sql.procedural.declare import named_type, updatable
from headwater.sql.procedural.form import Assign, Query, Target
from headwater.sql.procedural.tree import Branch, Choice, Declared, Do, Group, Label, Let, Repeat, Step
from headwater.sql.reading.reading import identifier
from headwater.sql.respell.rule import made
from headwater.sql.split import span_of
from headwater.sql.words import word


@steps("IF")
def if_(body: Body) -> Any:
    """`IF c statement [ELSE statement]`."""
    start = body.at
    condition = _condition(body, "If", start)
    branches = [Branch(condition, tuple(body.step()) if body else ())]
    _semicolon_before(body, "ELSE")
    if body.take("ELSE"):
        branches.append(Branch(None, tuple(body.step()) if body else ()))
    return Choice(tuple(branches))


@steps("WHILE")
def while_(body: Body) -> Any:
    """`WHILE c statement`."""
    condition = _condition(body, "While", body.at)
    return Repeat(condition, tuple(body.step()) if body else ())


def _condition(body: Body, type: str, start: int) -> Any:
    """From IF or WHILE to where the statement under it begins."""
    end = body.end_of_statement(start)
    tokens = _columns_updated(body.tokens[start + 1 : end])
    body.at = end
    return body.condition(type, tokens, start)


def _columns_updated(tokens: Sequence[Token]) -> list[Token]:
    """`UPDATE(a)` asks whether a is among the columns that set the trigger off: spelled as a function of the changed row's column."""
    found: list[Token] = []
    for i, token in enumerate(tokens):
        if token.token_type is TokenType.UPDATE and i + 1 < len(tokens) and word(tokens[i + 1]) == "(":
            found.append(made("UPDATE", TokenType.VAR, token))
        elif i > 1 and tokens[i - 2].token_type is TokenType.UPDATE and word(tokens[i - 1]) == "(":
            found += [made("inserted", TokenType.VAR, token), made(".", TokenType.DOT, token), token]
        else:
            found.append(token)
    return found


def _semicolon_before(body: Body, following: str) -> None:
    if body.word() == ";" and body.word(1) == following:
        body.at += 1


@steps("BEGIN")
def begin(body: Body) -> Any:
    """`BEGIN … END`, `BEGIN TRY … END TRY BEGIN CATCH … END CATCH`."""
    if not body.dialect.guards_one_statement or begins_transaction(body.tokens, body.at, len(body.tokens), "tsql"):
        return None
    body.token()
    if body.take("ATOMIC", "WITH") and body.at_bracket():
        body.brackets()
    guarded = body.take("TRY")
    inside = body.steps("END")
    body.take("END")
    body.take_any("TRY", "CATCH")
    _semicolon_before(body, "BEGIN")
    if not guarded or not (body.word() == "BEGIN" and body.word(1) == "CATCH"):
        return Group(inside)
    body.at += 2
    handler = body.steps("END")
    body.take("END")
    body.take("CATCH")
    return Group(inside, (handler,))


@steps("DECLARE")
def declare(body: Body) -> Any:
    """`DECLARE @a int = 1, @b date`, `DECLARE c CURSOR FOR SELECT …`; a table variable is a table."""
    if not body.dialect.guards_one_statement:
        return None
    tokens = body.take_statement()
    if word(tokens[1]) != "@":
        return _cursor(body, tokens)
    found: list[Step] = []
    for part in between_commas(tokens[1:]):
        if len(part) > 2 and "TABLE" in (word(part[2]), word(part[3]) if len(part) > 3 else ""):
            return None
        found += _variable(body, part, tokens)
    return found


def _variable(body: Body, part: Sequence[Token], tokens: Sequence[Token]) -> Sequence[Step]:
    name = f"@{part[1].text}"
    place = span_of(part[:2])
    at = next((i for i, token in enumerate(part) if token.token_type is TokenType.EQ), len(part))
    spelled = body.piece.text.slice(part[2].start, part[at - 1].end + 1) if at > 2 else ""
    kind = "cursor" if spelled.upper() == "CURSOR" else "scalar"
    like = named_type(body, part[2:at]) if kind == "scalar" else None
    declared = Declared(name, kind, place, spelled, like=like)
    body.known.declared[name.upper()] = declared
    if at + 1 >= len(part):
        return [Let(declared)]
    target = body.inside(part).target()
    value = Assign((target,), body.value(part[at + 1 :]), type="Declare")
    return [Let(declared), Do(body.made(part, value))]


def _cursor(body: Body, tokens: Sequence[Token]) -> Any:
    """`DECLARE c CURSOR LOCAL FAST_FORWARD FOR SELECT …`: the query takes its variables as they are now, not when it is opened."""
    name = tokens[1]
    declared = Declared(name.text, "cursor", span_of([name]))
    body.known.declared[name.text.upper()] = declared
    target = Target((identifier(name),), span_of([name]))
    asked = _asked(body, target, tokens)
    return [Let(declared)] if asked is None else [Let(declared), Do(body.made(tokens, asked))]


def _asked(body: Body, cursor: Target, tokens: Sequence[Token]) -> Query | None:
    """What a cursor asks behind its FOR."""
    at = next((i for i, token in enumerate(tokens) if token.token_type is TokenType.FOR), len(tokens))
    query = updatable(tokens[at + 1 :])
    return Query(cursor, body.statement(query), type="Declare") if query else None


@steps("SET")
def set_cursor(body: Body) -> Any:
    """`SET @c = CURSOR LOCAL FOR SELECT …`."""
    if body.word(1) != "@" or body.word(3) != "=" or body.word(4) != "CURSOR":
        return None
    tokens = body.take_statement()
    inner = body.inside(tokens)
    inner.token()
    asked = _asked(body, inner.target(), tokens)
    return None if asked is None else Do(body.made(tokens, asked))


@steps()
def label(body: Body) -> Any:
    """`done:` alone is a place to go to."""
    if body.dialect.guards_one_statement and body.word(1) == ":" and body.tokens[body.at].token_type is TokenType.VAR:
        name = body.word()
        body.at += 2
        return Label(name)
    return None
