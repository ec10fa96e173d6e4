"""How many rows: the numbers of LIMIT, OFFSET, FETCH and TOP."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.fingerprint.walk import OTHER, WITH, Walk, means
from headwater.sql.fingerprint.words import BEHIND_COUNT, COUNTS, ENDS, kinds

_T = TokenType


@means(COUNTS)
def count(walk: Walk, i: int) -> None:
    """LIMIT 10, LIMIT 5, 10, OFFSET 5 ROWS, FETCH FIRST 10 ROWS."""
    before = walk.kinds[i - 1] if i else None
    if walk.clause <= WITH or walk.is_name(i) or before is _T.WITH:
        return
    walk.begin(i, OTHER)
    number = i + 1 + (walk.kinds[i] is _T.FETCH and walk.kinds[i + 1] in (_T.FIRST, _T.NEXT))
    if walk.kinds[number] is not _T.NUMBER or walk.kinds[number + 1] not in BEHIND_COUNT:
        return
    if walk.kinds[number + 1] is not _T.COMMA:
        walk.replace(number, number + 1)
    elif walk.kinds[number + 2] is _T.NUMBER and walk.kinds[number + 3] in ENDS:
        walk.replace(number, number + 1)
        walk.write(number + 1)
        walk.replace(number + 2, number + 3)
        walk.at += 1


@means(kinds("TOP"))
def top(walk: Walk, i: int) -> None:
    """SELECT TOP 10, TOP (10)."""
    if walk.kinds[i - 1] not in (_T.SELECT, _T.DISTINCT, _T.ALL):
        return
    bracket = int(walk.kinds[i + 1] is _T.L_PAREN and walk.kinds[i + 3] is _T.R_PAREN)
    if walk.kinds[i + 1 + bracket] is _T.NUMBER:
        walk.replace(i + 1 + bracket, i + 2 + bracket)
