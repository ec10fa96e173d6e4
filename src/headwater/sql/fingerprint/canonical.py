"""A statement's fingerprint: whether there is one walk over it at all, and in which clause it begins."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.fingerprint.walk import FROM, LITERAL, START, Walk, spaced
from headwater.sql.fingerprint.words import BEFORE_MADE, CHANGES
from headwater.sql.tokens import is_swallowed

_T = TokenType


def fingerprint(tokens: Sequence[Token], raw: str) -> str:
    """The canonical text of a statement: two statements of one dialect with the same text have the same lineage.

    *raw* is the script that the tokens' offsets count in. What may differ: places, the text's hash, the constants of inserted rows, and
    the words in which the complete model shows a function or variable of a condition. Literals that stay are those of the script,
    secrets too: the text is to be compared, not to be kept or shown.
    """
    if not tokens:
        return ""
    written = raw[tokens[0].start : tokens[-1].end + 1]
    if LITERAL in written:
        return LITERAL + written
    if "{" in written and ("{%" in written or "{{" in written or "{#" in written):
        return written
    clause = _first_clause(tokens)
    walked = Walk(tokens, raw, clause, "{" in written).canonical() if clause is not None else ""
    if walked:
        return walked
    return written if any(map(is_swallowed, tokens)) else spaced(raw, tokens, 0, len(tokens))


def _first_clause(tokens: Sequence[Token]) -> int | None:
    """The clause that a statement begins in; None for statements of which everything is kept."""
    kind = tokens[0].token_type
    following = tokens[1].token_type if len(tokens) > 1 else None
    if kind in CHANGES:
        return FROM
    if kind in (_T.SELECT, _T.WITH, _T.FROM, _T.INSERT, _T.L_PAREN):
        return START
    if kind is _T.REPLACE:
        return START if following in (_T.INTO, _T.VIEW) else None
    return START if kind is _T.CREATE and _makes_rows(tokens) else None


def _makes_rows(tokens: Sequence[Token]) -> bool:
    """Whether a CREATE makes a table or a view: a function's body is for others to look into, with all its literals."""
    for i in range(1, len(tokens) - 1):
        if tokens[i].token_type in (_T.TABLE, _T.VIEW):
            return tokens[i + 1].token_type is not _T.FUNCTION
        if tokens[i].text.upper() not in BEFORE_MADE:
            return False
    return False
