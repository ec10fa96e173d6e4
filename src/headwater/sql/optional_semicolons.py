"""T-SQL needs no semicolons: a piece that does not parse whole is cut at lines that begin a statement, if that helps."""

from __future__ import annotations

from headwater.sql.dialect import Dialect
from headwater.sql.parse import parse, understood
from headwater.sql.split import Piece

_STARTERS = frozenset(
    {"INSERT", "UPDATE", "DELETE", "MERGE", "CREATE", "DROP", "TRUNCATE", "ALTER", "USE", "EXEC", "SELECT", "WITH"}
)
"""Words that begin a T-SQL statement where they stand first on a line."""


def readable(pieces: list[Piece], dialect: Dialect) -> list[Piece]:
    """T-SQL needs no semicolons: a piece that does not parse whole is cut at lines that begin a statement, if that helps."""
    if not dialect.optional_semicolons:
        return pieces
    return [part for piece in pieces for part in _cut_at_lines(piece, dialect)]


def _cut_at_lines(piece: Piece, dialect: Dialect) -> list[Piece]:
    """A piece that does not parse whole, as the statements that its lines begin; one that fails stays a piece of its own."""
    starts = _line_starts(piece)
    if len(starts) < 2 or understood(parse(piece, dialect)):
        return [piece]
    ends = [*starts[1:], len(piece.tokens)]
    parts: list[Piece] = []
    first = 0
    while first < len(starts):
        last = _statement_end(piece, starts, ends, first, dialect)
        parts.append(piece.part(starts[first], ends[last]))
        first = last + 1
    return parts if any(understood(parse(part, dialect)) for part in parts) else [piece]


_LONGEST = 40
"""Lines that begin like a statement but may belong to the one before: WHEN branches of a MERGE, branches of a UNION."""


def _statement_end(piece: Piece, starts: list[int], ends: list[int], first: int, dialect: Dialect) -> int:
    """Number of the last line group of the statement that begins with group *first*.

    It is the first that completes the statement; a query on the next lines belongs to it if it fits (`INSERT INTO t` ⏎ `SELECT …`).
    """
    for last in range(first, min(first + _LONGEST, len(starts))):
        if understood(parse(piece.part(starts[first], ends[last]), dialect)):
            while last + 1 < len(starts) and _continues(piece, starts, ends, first, last + 1, dialect):
                last += 1
            return last
    return first


def _continues(piece: Piece, starts: list[int], ends: list[int], first: int, last: int, dialect: Dialect) -> bool:
    query = piece.tokens[starts[last]].text.upper() in ("SELECT", "WITH")
    return query and understood(parse(piece.part(starts[first], ends[last]), dialect))


def _line_starts(piece: Piece) -> list[int]:
    """Tokens outside of brackets that stand first on a line and may begin a statement."""
    starts, depth = [], 0
    for i, token in enumerate(piece.tokens):
        depth += (token.text == "(") - (token.text == ")")
        first_on_line = i == 0 or piece.tokens[i - 1].line < token.line
        if depth == 0 and first_on_line and token.text.upper() in _STARTERS:
            starts.append(i)
    return starts if starts and starts[0] == 0 else [0, *starts]
