"""Comparisons in WHERE, ON, HAVING and QUALIFY: a literal that is a whole operand becomes a placeholder."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.fingerprint.walk import DUE, GIVEN, ON, UNCLEAR, Walk, means
from headwater.sql.fingerprint.words import COMPARISONS, ENDS, kinds

_T = TokenType


@means(kinds("AND OR"))
def connective(walk: Walk, i: int) -> None:
    """AND, OR; the AND of a BETWEEN has the second bound behind it."""
    if walk.clause < ON:
        return
    walk.write(i)
    if walk.between and walk.kinds[i] is _T.AND:
        if walk.between == GIVEN:
            _right(walk, i)
        walk.between = DUE
        walk.operand = UNCLEAR
    else:
        walk.fresh = walk.checked = i + 1
        walk.operand = DUE


@means(COMPARISONS)
def comparison(walk: Walk, i: int) -> None:
    """A comparison, with a literal on its left or right."""
    if walk.clause < ON:
        return
    fresh = walk.checked == walk.fresh
    if fresh and i > walk.fresh and walk.operand == DUE and walk.literal(walk.fresh) == i:
        walk.replace(walk.fresh, i)
    clear = walk.check(i) == GIVEN
    walk.write(i)
    if clear:
        _right(walk, i)
    walk.operand = UNCLEAR
    walk.checked = i + 1


def _right(walk: Walk, i: int) -> None:
    """Replace the literal that is all there is behind an operator."""
    end = walk.literal(i + 1)
    if end and walk.kinds[end] in ENDS:
        walk.replace(i + 1, end)


@means(kinds("BETWEEN"))
def between(walk: Walk, i: int) -> None:
    """BETWEEN, with its first bound."""
    if walk.clause < ON:
        return
    walk.between = GIVEN if walk.check(i) == GIVEN else UNCLEAR
    walk.write(i)
    end = walk.literal(i + 1)
    if end and walk.between == GIVEN and walk.kinds[end] is _T.AND:
        walk.replace(i + 1, end)
    walk.operand = UNCLEAR
    walk.checked = i + 1


@means(kinds("IN"))
def in_(walk: Walk, i: int) -> None:
    """IN, with a list of literals or something else."""
    if walk.clause < ON:
        return
    clear = walk.check(i) == GIVEN
    walk.write(i)
    end = _list_end(walk, i + 1) if clear else 0
    if end:
        walk.write(i + 1)
        walk.replace(i + 2, end)
        walk.write(end)
        walk.go_behind(end)
    walk.operand = UNCLEAR
    walk.checked = end + 1 if end else i + 1


def _list_end(walk: Walk, i: int) -> int:
    """The bracket that closes a list of literals; 0 if there is something else."""
    if walk.kinds[i] is not _T.L_PAREN:
        return 0
    while True:
        i = walk.literal(i + 1)
        if not i or walk.kinds[i] is not _T.COMMA:
            return i if i and walk.kinds[i] is _T.R_PAREN else 0
