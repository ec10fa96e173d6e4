"""Names that variables hold: `INSERT INTO IDENTIFIER($t) …`, `FROM TABLE($t)`. The statement is a text that is known once they are.

A name whose variable is not known stays as it is written; where none is known, so does the statement.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.identifier_clause import clauses, may_have_clauses
from headwater.sql.procedural.body import Body, steps
from headwater.sql.procedural.form import Dynamic
from headwater.sql.procedural.text import WITH_NAMES
from headwater.sql.procedural.tree import Do
from headwater.sql.split import span_of
from headwater.sql.words import word

_MARKS = frozenset({TokenType.PARAMETER, TokenType.COLON})

Name = tuple[int, int, Any]
"""Where a name begins and ends in the script, and the expression that gives its text."""


@steps()
def named_by_variables(body: Body) -> Any:
    """A statement with names that are not written in it."""
    if not body.dialect.identifier_clause:
        return None
    tokens = body.tokens[body.at : body.end_of_statement(body.at)]
    names = sorted([*_in_clauses(body, tokens), *_in_table(body, tokens)], key=lambda name: name[0])
    if not names:
        return None
    body.take_statement()
    return Do(body.made(tokens, Dynamic(_text(body, tokens, names), otherwise=body.ordinary(tokens))))


def _in_clauses(body: Body, tokens: Sequence[Token]) -> Iterator[Name]:
    if not tokens or not may_have_clauses(body.sql, span_of(tokens), body.dialect):
        return
    for clause in clauses(tokens, body.dialect):
        if clause.text is None:
            yield tokens[clause.start].start, tokens[clause.end - 1].end + 1, clause.value


def _in_table(body: Body, tokens: Sequence[Token]) -> Iterator[Name]:
    """`TABLE($t)`, `TABLE(:t)`."""
    for i, (token, behind) in enumerate(pairwise(tokens)):
        if token.token_type is not TokenType.TABLE or behind.token_type is not TokenType.L_PAREN:
            continue
        inside = tokens[i + 2 : i + 5]
        if len(inside) == 3 and inside[0].token_type in _MARKS and word(inside[2]) == ")":
            try:
                yield token.start, inside[2].end + 1, body.value(inside[:2])
            except (ParseError, TokenError):
                continue


def _text(body: Body, tokens: Sequence[Token], names: Sequence[Name]) -> Any:
    """The statement's text as an expression: what is written, and the names between."""
    parts: list[Any] = []
    at = tokens[0].start
    for start, end, value in names:
        written = (exp.Literal.string(body.sql[at:start]), exp.Literal.string(body.sql[start:end]))
        parts += [written[0], exp.Tuple(expressions=[value, written[1]])]
        at = end
    parts.append(exp.Literal.string(body.sql[at : tokens[-1].end + 1]))
    return exp.Anonymous(this=WITH_NAMES, expressions=parts)
