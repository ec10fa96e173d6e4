"""A text that is executed, to statements: holes that stand for a value are variables; a hole in a name leaves nothing to analyse."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sqlglot import exp
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect
from headwater.sql.procedural.form import Assign, Dynamic, IntoVariables, Passed, Query, Returned, Target
from headwater.sql.procedural.text import Text
from headwater.sql.procedural.tree import Declared, Do, Let, Step
from headwater.sql.statement import Statement
from headwater.sql.tokens import tokenise
from headwater.sql.words import is_string, word

_HOLE = "hw_hole_"
_BOUND = "hw_bound_"
_BEFORE_VALUE = frozenset(
    {TokenType.EQ, TokenType.NEQ, TokenType.LT, TokenType.GT, TokenType.LTE, TokenType.GTE, TokenType.LIKE}
    | {TokenType.ILIKE, TokenType.BETWEEN, TokenType.LIMIT}
)
_LISTS = frozenset({"IN", "VALUES"})
_HIDING = frozenset({"snowflake", "oracle", "postgres", "redshift", "bigquery", "teradata", "db2"})
"""Where a text that is executed cannot name the variables around it."""

Parse = Callable[[str, Dialect], Iterable[Statement]]
"""The statements of a script."""


class Executed(NamedTuple):
    """What a text does that is executed. Its parameters are variables, which take their values before it and give them back behind it."""

    before: Sequence[Step]
    inside: Sequence[Do]
    behind: Sequence[Step]


def executed(
    text: Text, statement: Statement, form: Dynamic, parse: Parse, holes: Sequence[Any] = ()
) -> Executed | None:
    """What a text does that a statement executes, with what is bound to it; None if what it says is not known.

    *holes* are the expressions whose values stand in the text's holes, as far as they are known.
    """
    dialect = statement.dialect
    written = _written(text, dialect)
    if written is None:
        return None
    if form.using and dialect.family == "oracle" and _BLOCK.match(written):
        written, form = _with_variables(written, form)
    elif form.using and sees_no_variables(form, dialect):
        form = _with_parameters(form)
    if None in text and len(holes) == text.count(None):
        mark = "@" if dialect.family in ("tsql", "mysql") else ""
        known = [Passed(f"{mark}{_HOLE}{i}", each.copy()) for i, each in enumerate(holes) if each is not None]
        form = replace(form, passed=(*form.passed, *known))
    inside = [Do(_bound(inner, form)) for inner in parse(written, dialect)]
    before = [step for each in form.passed for step in _given(statement, each)]
    given_back = [
        Do(replace(statement, tree=Assign((each.out,), _variable(each.name), "Execute")))
        for each in form.passed
        if each.out is not None
    ]
    return Executed(before, inside, given_back)


def sees_no_variables(form: Dynamic, dialect: Dialect) -> bool:
    """Whether an executed text does not see the variables around it; a statement whose names are put in does."""
    return form.otherwise is None and dialect.family in _HIDING


def _with_parameters(form: Dynamic) -> Dynamic:
    """What is bound to a text becomes variables of the text, in the place of the values."""
    names = [f"{_BOUND}{i}" for i, _ in enumerate(form.using, 1)]
    passed = tuple(Passed(name, value) for name, value in zip(names, form.using, strict=True))
    return replace(form, using=tuple(map(_variable, names)), passed=passed)


def _given(statement: Statement, passed: Passed) -> list[Step]:
    """A parameter takes its value."""
    target = Target((exp.to_identifier(passed.name),), statement.span)
    let = Let(Declared(passed.name, "scalar", statement.span))
    return [let, Do(replace(statement, tree=Assign((target,), passed.value, "Execute")))]


def _variable(name: str) -> Any:
    """A variable as an expression reads it."""
    return exp.Parameter(this=exp.var(name[1:])) if name.startswith("@") else exp.column(name)


_BLOCK = re.compile(r"\s*(?:BEGIN|DECLARE|<<)\b", re.IGNORECASE)
_BIND = re.compile(r"'(?:[^']|'')*'|:(\w+)")


def _with_variables(written: str, form: Dynamic) -> tuple[str, Dynamic]:
    """A block with variables in the place of `:1`, `:name`: each name is bound once, in the order of the first places."""
    names: dict[str, str] = {}

    def replaced(found: re.Match[str]) -> str:
        name = found[1]
        return found[0] if name is None else names.setdefault(name.upper(), f"{_BOUND}{len(names) + 1}")

    written = _BIND.sub(replaced, written)
    outs = (*form.outs, *[None] * len(form.using))
    passed = tuple(Passed(*each) for each in zip(names.values(), form.using, outs, strict=False))
    return written, replace(form, using=(), names=(), outs=(), passed=passed)


def _written(text: Text, dialect: Dialect) -> str | None:
    """The text with names for its holes, if they all stand for values."""
    if None not in text:
        return "".join(part for part in text if part is not None)
    holes = iter(range(len(text)))
    parts = [f"{_HOLE}{next(holes)}" if part is None else part for part in text]
    whole = "".join(parts)
    try:
        tokens = tokenise(whole, dialect, semicolons=False)
    except TokenError:
        return None
    if not tokens or not all(_is_value(tokens, i) for i, token in enumerate(tokens) if _HOLE in token.text):
        return None
    mark = "@" if dialect.family in ("tsql", "bigquery", "mysql") else ":"
    return "".join(_marked(whole, tokens, mark))


def _is_value(tokens: Sequence[Token], i: int) -> bool:
    """Whether a hole can only stand for a value: inside a string, behind a comparison, in the list of IN or VALUES."""
    token = tokens[i]
    if is_string(token):
        return True
    if not token.text.startswith(_HOLE) or not token.text.removeprefix(_HOLE).isdigit():
        return False
    if i + 1 < len(tokens) and tokens[i + 1].text in (".", "("):
        return False
    if i and tokens[i - 1].token_type in _BEFORE_VALUE:
        return True
    depth = 0
    for j in range(i - 1, -1, -1):
        text = tokens[j].text
        depth += (text == ")") - (text == "(")
        if depth < 0:
            return j > 0 and (word(tokens[j - 1]) in _LISTS or tokens[j - 1].text == ",")
    return False


def _marked(whole: str, tokens: Sequence[Token], mark: str) -> Iterator[str]:
    at = 0
    for token in tokens:
        if is_string(token) and token.text.startswith(_HOLE) and token.text.removeprefix(_HOLE).isdigit():
            yield f"{whole[at : token.start]}{mark}{token.text}"  # a value between quotes is that value
            at = token.end + 1
        elif token.text.startswith(_HOLE) and not is_string(token):
            yield whole[at : token.start]
            yield mark
            at = token.start
    yield whole[at:]


def _bound(statement: Statement, form: Dynamic) -> Statement:
    """A statement with its parameters replaced by what is bound to them, and with what takes its rows."""
    tree = statement.tree
    if not isinstance(tree, exp.Expr):
        return statement
    for each in form.passed:
        if each.name.startswith(_HOLE):  # to BigQuery, a parameter is no variable
            for node in [n for n in tree.find_all(exp.Parameter) if n.name == each.name]:
                node.replace(_variable(each.name))
    if form.using:
        tree = _with_values(tree, form)
    if form.cursor is not None and isinstance(tree, exp.Query):
        tree = Query(form.cursor, tree)
    elif form.returns and isinstance(tree, exp.Query):
        tree = Returned(tree, rows=True)
    elif form.table is not None and isinstance(tree, exp.Query):
        tree = exp.Insert(this=form.table.copy(), expression=tree)
    elif form.into and isinstance(tree, (exp.Query, exp.DML)):
        tree = IntoVariables(tree, form.into)
    return replace(statement, tree=tree)


def _with_values(tree: Any, form: Dynamic) -> Any:
    """The parameters of a text by name where they have one, else by their order."""
    named = {name.lstrip("@:").lower(): value for name, value in zip(form.names, form.using, strict=False) if name}
    unnamed = [
        value for name, value in zip((*form.names, *[""] * len(form.using)), form.using, strict=False) if not name
    ]
    order = iter(unnamed)
    for node in list(tree.find_all(exp.Placeholder, exp.Parameter, bfs=False)):
        key = node.name.lower()
        if key.startswith(_HOLE):
            continue
        if key in named:
            value = named[key]
        elif key.isdigit() and isinstance(node, exp.Parameter):
            value = unnamed[int(key) - 1] if 0 < int(key) <= len(unnamed) else None
        else:
            value = next(order, None)
        if value is not None and node.parent is not None:
            node.replace(value.copy())
    return tree
