"""A text that is executed, to statements: holes that stand for a value are variables; a hole in a name leaves nothing to analyse."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import Any

from sqlglot import exp
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect
from headwater.sql.procedural.form import Dynamic, IntoVariables, Query
from headwater.sql.procedural.text import Text
from headwater.sql.statement import Statement
from headwater.sql.tokens import tokenise
from headwater.sql.words import is_string, word

_HOLE = "hw_hole_"
_BEFORE_VALUE = frozenset(
    {TokenType.EQ, TokenType.NEQ, TokenType.LT, TokenType.GT, TokenType.LTE, TokenType.GTE, TokenType.LIKE}
    | {TokenType.ILIKE, TokenType.BETWEEN, TokenType.LIMIT}
)
_LISTS = frozenset({"IN", "VALUES"})

Parse = Callable[[str, Dialect], Iterable[Statement]]
"""The statements of a script."""


def statements(text: Text, form: Dynamic, dialect: Dialect, parse: Parse) -> list[Statement] | None:
    """The statements that a text holds, with what is bound to it; None if what it says is not known."""
    written = _written(text, dialect)
    if written is None:
        return None
    return [_bound(statement, form) for statement in parse(written, dialect)]


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
        if token.text.startswith(_HOLE) and not is_string(token):
            yield whole[at : token.start]
            yield mark
            at = token.start
    yield whole[at:]


def _bound(statement: Statement, form: Dynamic) -> Statement:
    """A statement with its parameters replaced by what is bound to them, and with what takes its rows."""
    tree = statement.tree
    if not isinstance(tree, exp.Expr):
        return statement
    if form.using:
        tree = _with_values(tree, form)
    if form.cursor is not None:
        tree = Query(form.cursor, tree)
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
