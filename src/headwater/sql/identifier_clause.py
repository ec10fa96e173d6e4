"""IDENTIFIER(…): a text in the place of a name, as Spark, Databricks and Snowflake take it wherever a name may stand.

`names_spelled` puts the tokens in its place that a constant text spells: `FROM IDENTIFIER('d.t')` is `FROM d.t`, and
`IDENTIFIER('f')(x)` is a call of f. `parameters_named` does so with what is not constant: its own text becomes the name, and a
diagnostic says that. Made-up tokens stand where the clause stood.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, NamedTuple

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.span import Span
from headwater.sql.dialect import Dialect
from headwater.sql.grammar import parse_as
from headwater.sql.procedural.text import texts_of
from headwater.sql.respell.rule import closing
from headwater.sql.split import Piece, span_of
from headwater.sql.tokens import plain_tokens
from headwater.sql.words import word

WORD = "IDENTIFIER"
_SIDE_BY_SIDE = frozenset({TokenType.STRING, TokenType.COLON})
_PARAMETER = re.compile(r"[:$]?\w+|\?")


class Clause(NamedTuple):
    """An IDENTIFIER(…) among tokens."""

    start: int
    end: int
    """Behind its closing bracket."""
    value: Any
    """What stands in the brackets, an expression."""
    text: str | None
    """The text that it always is; None if that is not constant."""


def may_have_clauses(text: str, span: Span, dialect: Dialect) -> bool:
    """Whether it is worth while to look for clauses in a part of a text."""
    return dialect.identifier_clause and WORD in text[span.start : span.end].upper()


def clauses(tokens: Sequence[Token], dialect: Dialect) -> Iterator[Clause]:
    """The clauses among the tokens of a statement, from left to right."""
    end = 0
    for i, (token, behind) in enumerate(pairwise(tokens)):
        if i < end or word(token) != WORD or word(behind) != "(":
            continue
        close = closing(tokens, i + 1)
        value = _value(tokens[i + 2 : close], dialect)
        if value is not None:
            end = close + 1
            yield Clause(i, end, value, constant_text(value))


def _value(tokens: Sequence[Token], dialect: Dialect) -> Any:
    """The expression that the tokens spell; None if they spell none: `CREATE TABLE identifier (a INT)`."""
    try:
        found = parse_as(exp.Condition, _joined(tokens), "", dialect)
    except (ParseError, TokenError):
        return None
    return None if isinstance(found, (exp.Alias, exp.Star)) else found


def _joined(tokens: Sequence[Token]) -> list[Token]:
    """Tokens with `||` between strings and parameters side by side: Spark puts `:schema '.' :table` together."""
    found: list[Token] = []
    for token in tokens:
        begins = token.token_type in _SIDE_BY_SIDE
        if found and begins and (found[-1].token_type is TokenType.STRING or _is_parameter(found)):
            found.append(Token(TokenType.DPIPE, "||", token.line, token.col, token.start, token.end, []))
        found.append(token)
    return found


def _is_parameter(tokens: list[Token]) -> bool:
    return len(tokens) > 1 and tokens[-2].token_type is TokenType.COLON


def constant_text(value: Any) -> str | None:
    """The text that an expression always is; None if it depends on something."""
    texts = list(texts_of(value, lambda _: None))
    return texts[0][0] if len(texts) == 1 and len(texts[0]) == 1 else None


def all_named(piece: Piece, dialect: Dialect) -> tuple[Piece, tuple[Diagnostic, ...]]:
    """The piece with a name in the place of each clause, and what is to be said of those that are not constant."""
    if not dialect.identifier_clause or WORD not in piece.upper:
        return piece, ()
    return parameters_named(names_spelled(piece, dialect), dialect)


def names_spelled(piece: Piece, dialect: Dialect) -> Piece:
    """The piece with the names that its clauses spell as constants."""
    if not dialect.identifier_clause or WORD not in piece.upper:
        return piece
    return replace(piece, tokens=with_spelled_names(piece.tokens, dialect))


def with_spelled_names(tokens: list[Token], dialect: Dialect) -> list[Token]:
    """The tokens of a statement with the names that its clauses spell as constants."""

    def spelled(clause: Clause) -> list[tuple[str, TokenType]] | None:
        return None if clause.text is None else _tokens_of(clause.text, dialect)

    return _replaced(tokens, dialect, spelled)


def parameters_named(piece: Piece, dialect: Dialect) -> tuple[Piece, tuple[Diagnostic, ...]]:
    """The piece with names in the places of all its clauses, and what is to be said of these."""
    said: list[Diagnostic] = []

    def named(clause: Clause) -> list[tuple[str, TokenType]]:
        inner = span_of(piece.tokens[clause.start + 2 : clause.end - 1])
        name = piece.text.slice(inner.start, inner.end)
        message = f"which name {name} stands for is not known; it is taken for the name"
        said.append(Diagnostic(Code.UNSUPPORTED_CONSTRUCT, message, inner, "parameter"))
        return [(name, TokenType.VAR if _PARAMETER.fullmatch(name) else TokenType.IDENTIFIER)]

    return replace(piece, tokens=_replaced(piece.tokens, dialect, named)), tuple(said[:1])


def _replaced(
    tokens: list[Token], dialect: Dialect, name: Callable[[Clause], list[tuple[str, TokenType]] | None]
) -> list[Token]:
    """The tokens with others in the places of the clauses, at their places."""
    found: list[Token] = []
    at = 0
    for clause in clauses(tokens, dialect):
        made = name(clause)
        if made is not None:
            first, last = tokens[clause.start], tokens[clause.end - 1]
            found += tokens[at : clause.start]
            found += [Token(kind, text, first.line, first.col, first.start, last.end, []) for text, kind in made]
            at = clause.end
    return found + tokens[at:] if at else tokens


def _tokens_of(text: str, dialect: Dialect) -> list[tuple[str, TokenType]]:
    """The tokens that a constant text spells; one quoted name where it spells none."""
    try:
        spelled = [(each.text, each.token_type) for each in plain_tokens(text, dialect)]
    except TokenError:
        spelled = []
    return spelled or [(text, TokenType.IDENTIFIER)]
