"""Cursors: OPEN, OPEN … FOR, FETCH … INTO."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.form import NoLineage
from headwater.sql.procedural.body import Body, between_commas, steps
from headwater.sql.procedural.form import Assign, Dynamic, Fetch, Query, Target
from headwater.sql.procedural.tree import Declared, Do, Group, Let, Step
from headwater.sql.reading.reading import identifier
from headwater.sql.split import span_of
from headwater.sql.statement import Statement
from headwater.sql.words import word

_QUERY_WORDS = frozenset({"SELECT", "WITH", "VALUES", "("})
_DIRECTIONS = frozenset(
    {"NEXT", "PRIOR", "FIRST", "LAST", "ABSOLUTE", "RELATIVE", "FROM", "IN", "FORWARD", "BACKWARD", "ALL"}
)


@steps("OPEN")
def open_(body: Body) -> Any:
    """`OPEN c;`, `OPEN c(1);`, `OPEN c FOR SELECT …;`, `OPEN c FOR v_sql USING x;`."""
    tokens = body.take_statement()
    inner = body.inside(tokens)
    inner.token()
    if inner.word() == "GLOBAL":
        inner.token()
    cursor = inner.target()
    if inner.take("FOR"):
        if inner.word() in _QUERY_WORDS:
            return Do(body.made(tokens, Query(cursor, inner.statement(inner.rest()))))
        inner.take("EXECUTE")
        text = inner.up_to("USING") if inner.find_word("USING") >= 0 else inner.rest()
        return Do(body.made(tokens, Dynamic(inner.value(text), cursor=cursor)))
    name = cursor.parts[-1].name
    if body.known.prepared_of(name):
        text = body.prepared.get(body.known.prepared_of(name), exp.Null()).copy()
        using = [inner.value(part) for part in between_commas(inner.rest())] if inner.take("USING") else []
        return Do(body.made(tokens, Dynamic(text, using=tuple(using), cursor=cursor)))
    if inner.take("USING") and inner.at_bracket():
        return [Do(body.made(tokens, NoLineage("Open"))), *_bound_query(body, name, between_commas(inner.brackets()))]
    return [Do(body.made(tokens, NoLineage("Open"))), *opened(body, name, _arguments(body, tokens))]


def _bound_query(body: Body, cursor: str, given: Sequence[Sequence[Token]]) -> list[Step]:
    """Snowflake's `OPEN c USING (a, b)`: the question marks of the cursor's query take the values in order."""
    statement = body.known.query_of(cursor)
    if statement is None or not isinstance(statement.tree, Query):
        return []
    tree = statement.tree.query.copy()
    for node, value in zip(list(tree.find_all(exp.Placeholder, bfs=False)), given, strict=False):
        node.replace(body.value(value))
    return [Do(replace(statement, tree=replace(statement.tree, query=tree)))]


def _arguments(body: Body, tokens: Sequence[Token]) -> Sequence[Token]:
    """What stands in the brackets behind a cursor's name."""
    at = next((i for i, token in enumerate(tokens) if token.token_type is TokenType.L_PAREN), len(tokens))
    return body.inside(tokens[at:]).brackets() if at < len(tokens) else ()


def opened(body: Body, cursor: str, arguments: Sequence[Token]) -> list[Step]:
    """A declared cursor gets its rows: first its parameters take the arguments, which nobody else sees."""
    query = body.known.query_of(cursor)
    if query is None:
        return []
    parameters = body.known.parameters_of(cursor)
    if not parameters:
        return [Do(query), *_given_back(body, cursor, query)]
    given = between_commas(arguments)
    named = {word(part[0]): part[2:] for part in given if len(part) > 2 and part[1].text in ("=>", ":=")}
    found: list[Step] = []
    for i, parameter in enumerate(parameters):
        value = named.get(word(parameter[0])) or (given[i] if i < len(given) and not named else _default(parameter))
        found += _bound(body, parameter, value)
    return [Group((*found, Do(replace(query))))]


def _given_back(body: Body, cursor: str, query: Statement) -> list[Step]:
    """The rows of a cursor WITH RETURN are those that the procedure shows, as a query would."""
    if not body.known.is_returned(cursor) or not isinstance(query.tree, Query):
        return []
    return [Do(replace(query, tree=query.tree.query.copy()))]


def _default(parameter: Sequence[Token]) -> Sequence[Token]:
    at = next((i for i, token in enumerate(parameter) if word(token) in ("DEFAULT", ":=")), len(parameter))
    return parameter[at + 1 :]


def _bound(body: Body, parameter: Sequence[Token], value: Sequence[Token]) -> list[Step]:
    """A parameter takes its argument; one that is called like its argument is that."""
    name = parameter[0]
    if [word(token) for token in value] == [word(name)]:
        return []
    declared = Let(Declared(name.text, "scalar", span_of([name])))
    if not value:
        return [declared]
    target = Target((identifier(name),), span_of([name]))
    return [declared, Do(body.made(value, Assign((target,), body.value(value), type="Open")))]


@steps("FETCH")
def fetch(body: Body) -> Any:
    """`FETCH c INTO a, b;`, `FETCH NEXT FROM c INTO @a`, `FETCH c BULK COLLECT INTO v LIMIT 100;`."""
    tokens = body.take_statement()
    inner = body.inside(tokens)
    inner.token()
    while inner.word() in _DIRECTIONS:
        number = inner.word() in ("ABSOLUTE", "RELATIVE")
        inner.token()
        if number:
            inner.target()
    inner.take("GLOBAL")
    cursor = inner.target()
    bulk = bool(inner.take("BULK COLLECT INTO"))
    if not (bulk or inner.take("INTO")):
        return Do(body.made(tokens, Fetch(cursor, ())))
    return Do(body.made(tokens, Fetch(cursor, inner.targets(), bulk=bulk)))
