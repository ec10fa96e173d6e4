"""Brackets and commas: which of them belong to the query, and which are lumps that are kept as they are."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.fingerprint.walk import (
    DUE,
    FROM,
    GIVEN,
    JOIN,
    LIST,
    ON,
    OTHER,
    START,
    UNCLEAR,
    WHERE,
    WITH,
    Walk,
    means,
)
from headwater.sql.fingerprint.words import (
    BEFORE_ITEM,
    BEFORE_OPERAND,
    BEFORE_SUBQUERY,
    BEGINS_ITEM,
    CLOSING,
    OPENING,
    QUERIES,
    kinds,
)

_T = TokenType


@means(kinds("COMMA"))
def comma(walk: Walk, i: int) -> None:
    """A comma of the query itself."""
    walk.write(i)
    if walk.clause == ON or walk.clause == JOIN:
        walk.clause = FROM
    elif walk.clause == WHERE:
        walk.operand = UNCLEAR
        walk.checked = i + 1


@means(OPENING - kinds("L_PAREN"))
def lump(walk: Walk, i: int) -> None:
    """A bracket whose inside is kept as it is: square and curly ones, CASE."""
    if walk.kinds[i] is not _T.CASE or not walk.is_name(i):
        _skip(walk, i)


@means(kinds("L_PAREN"))
def bracket(walk: Walk, i: int) -> None:
    """A round bracket: part of the query, or a lump of arguments and the like."""
    clause = _clause_inside(walk, i)
    if clause is None:
        _skip(walk, i)
        return
    if walk.clause >= ON:
        walk.check(i)
    walk.stack.append((walk.clause, walk.fresh, walk.checked, walk.operand, walk.between))
    walk.begin(i, clause)


def _clause_inside(walk: Walk, i: int) -> int | None:
    """The clause that a bracket of the query begins with; None for any other bracket."""
    clause, behind = walk.clause, walk.kinds[i + 1]
    before = walk.kinds[i - 1] if i else _T.L_PAREN
    if clause in (LIST, OTHER):
        return None
    if clause == START:
        return START if behind in (_T.SELECT, _T.WITH) or before in (_T.L_PAREN, _T.ALIAS) else None
    if clause == WITH:
        return START if _is_cte(walk, i) else None
    if clause <= JOIN:
        inside = START if behind in QUERIES else FROM
        return inside if before in BEFORE_ITEM and behind in BEGINS_ITEM else None
    if behind in QUERIES:
        return START if before in BEFORE_SUBQUERY else None
    return WHERE if before in BEFORE_OPERAND else None


def _is_cte(walk: Walk, i: int) -> bool:
    """Whether a bracket holds a query of a WITH list, or the query behind it."""
    if walk.kinds[i + 1] not in QUERIES and walk.kinds[i + 1] is not _T.L_PAREN:
        return False
    before = walk.tokens[i - 1]
    return before.token_type in (_T.ALIAS, _T.R_PAREN) or before.text.upper() == "MATERIALIZED"


@means(CLOSING)
def close(walk: Walk, i: int) -> None:
    """The end of a bracket of the query."""
    if walk.kinds[i] is not _T.R_PAREN:
        walk.broken = walk.broken or walk.kinds[i] is not _T.END
        return
    if not walk.stack:
        walk.broken = True
        walk.at = len(walk.marks)
        return
    walk.write(i)
    walk.clause, walk.fresh, walk.checked, walk.operand, walk.between = walk.stack.pop()
    if walk.clause == START:
        walk.clause = OTHER
    _pass(walk, i)


def _skip(walk: Walk, i: int) -> None:
    """Pass by a lump, whatever is in it."""
    if walk.clause >= ON:
        walk.check(i)
    marks, kinds, at, count = walk.marks, walk.kinds, walk.at, len(walk.marks)
    depth = 1
    while depth and at < count:
        i = marks[at]
        kind = kinds[i]
        if kind in OPENING:
            depth += kind is not _T.CASE or kinds[i - 1] is not _T.DOT
        elif kind in CLOSING:
            depth -= kind is not _T.END or kinds[i - 1] is not _T.DOT
        at += 1
    walk.at = at
    walk.broken = walk.broken or depth > 0
    _pass(walk, i)


def _pass(walk: Walk, i: int) -> None:
    """A bracket that ends at a token is an operand, or the end of one."""
    walk.checked = i + 1
    if walk.operand == DUE:
        walk.operand = GIVEN
