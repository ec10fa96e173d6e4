"""A script to its statements: split, then parse each piece by the first dialect that understands it.

In comes the text of a script, out comes one `Statement` per non-empty piece, in order. What happens to one piece does not affect its
neighbours. All offsets are offsets into the script.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence

from headwater.sql.dialect import Dialect
from headwater.sql.optional_semicolons import readable
from headwater.sql.parse import parse, understood
from headwater.sql.split import Piece, pieces
from headwater.sql.statement import Statement
from headwater.sql.weight import is_heavy

Parse = Callable[[Piece, Dialect], Statement]


def statements(sql: str, dialects: Sequence[Dialect], postpone: bool = False) -> Iterator[Statement]:
    """The statements of a script, each parsed by the first of *dialects* that understands it.

    With *postpone*, heavy ones are left unparsed: whoever asks for that takes them to a process of their own.
    """
    parse_one = _unless_heavy if postpone else parse
    cuts = [deque(_cut(sql, d, postpone)) for d in dialects]
    if len({len(cut) for cut in cuts}) == 1:
        while cuts[0]:
            yield _first_that_parses([cut.popleft() for cut in cuts], dialects, parse_one)
    else:
        yield from _fewest_failures(cuts, dialects, parse_one)


def _cut(sql: str, dialect: Dialect, postpone: bool) -> list[Piece]:
    """A script's pieces; heavy ones as they are, for cutting T-SQL at its lines takes parsing."""
    found = pieces(sql, dialect)
    if not dialect.optional_semicolons:
        return found
    return [part for p in found for part in ([p] if postpone and is_heavy(p) else readable([p], dialect))]


def _unless_heavy(piece: Piece, dialect: Dialect) -> Statement:
    if is_heavy(piece):
        return Statement(piece.text, dialect, piece.span, None, postponed=True)
    return parse(piece, dialect)


def _fewest_failures(cuts: Sequence[deque[Piece]], dialects: Sequence[Dialect], parse_one: Parse) -> list[Statement]:
    """Where dialects do not even agree on the statements' boundaries: the whole script by the one that understands most."""
    results = [[parse_one(piece, d) for piece in cut] for cut, d in zip(cuts, dialects, strict=True)]
    return min(results, key=lambda parsed: sum(not understood(s) for s in parsed))


def _first_that_parses(alternatives: Sequence[Piece], dialects: Sequence[Dialect], parse_one: Parse) -> Statement:
    results = []
    for piece, dialect in zip(alternatives, dialects, strict=False):
        results.append(parse_one(piece, dialect))
        if results[-1].postponed:
            return results[-1]
        if understood(results[-1]):
            return results[-1]
    return results[0]
