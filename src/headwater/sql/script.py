"""A script to its statements: split, then parse each piece by the first dialect that understands it.

In comes the text of a script, out comes one `Statement` per non-empty piece, in order. What happens to one piece does not affect its
neighbours. All offsets are offsets into the script.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from headwater.model.diagnostic import Diagnostic
from headwater.model.work import OutOfTime, check_time, current_work
from headwater.sql.dialect import Dialect
from headwater.sql.parse import first_way, other_ways, parse, understood
from headwater.sql.source import Source, source
from headwater.sql.split import Piece, pieces
from headwater.sql.statement import Statement
from headwater.sql.weight import is_heavy

Parse = Callable[[Piece, Dialect], Statement]


class Script:
    """A script, made readable for each of its dialects.

    With *postpone*, heavy statements are left unparsed: whoever asks for that takes them to a process of their own; with *all_heavy*, all.
    """

    def __init__(
        self, sql: str | Source, dialects: Sequence[Dialect], postpone: bool = False, all_heavy: bool = False
    ) -> None:
        """*sql* is a text, or one that was made readable before."""
        self._dialects = dialects
        self._sources = [sql if isinstance(sql, Source) else source(sql, d) for d in dialects]
        self._parse: Parse = _postponed if all_heavy else _unless_heavy if postpone else parse

    @property
    def remarks(self) -> tuple[Diagnostic, ...]:
        """What is to be said about the script as a whole."""
        return self._sources[0].remarks if self._sources else ()

    def statements(self) -> Iterator[Statement]:
        """The statements, each parsed by the first of the dialects that understands it."""
        cuts = [pieces(s, d)[::-1] for s, d in zip(self._sources, self._dialects, strict=True)]
        if len({len(cut) for cut in cuts}) > 1:
            yield from _fewest_failures([cut[::-1] for cut in cuts], self._dialects, self._parse)
            return
        while cuts and cuts[0]:
            # A piece is given up as soon as its statement is made: its tokens are many, and would only slow the collector down.
            alternatives = [cut.pop() for cut in cuts]
            statement = _first_that_parses(alternatives, self._dialects, self._parse)
            others = alternatives if alternatives[0].source.tags else []
            del alternatives
            yield statement
            if others:
                piece = others[self._dialects.index(statement.dialect)]
                yield from other_ways(piece, statement.dialect, statement)


def statements(sql: str, dialects: Sequence[Dialect]) -> Iterator[Statement]:
    """The statements of a script, each parsed by the first of *dialects* that understands it."""
    return Script(sql, dialects).statements()


def _unless_heavy(piece: Piece, dialect: Dialect) -> Statement:
    """The statement of a piece, parsed unless it is heavy by its tokens, or takes longer than a turn."""
    if is_heavy(piece):
        return _postponed(piece, dialect)
    work = current_work()
    work.light_text = piece.text.raw
    work.begin_turn()
    try:
        check_time()
        return parse(piece, dialect)
    except OutOfTime:
        if work.left <= 0:
            raise
        return _postponed(piece, dialect)
    finally:
        work.end_turn()


def _postponed(piece: Piece, dialect: Dialect) -> Statement:
    source, conditions = first_way(piece)
    return Statement(
        *(piece.text, dialect, piece.span, None),
        source=source,
        postponed=True,
        conditions=conditions,
        target=piece.target,
    )


def _fewest_failures(cuts: Sequence[list[Piece]], dialects: Sequence[Dialect], parse_one: Parse) -> list[Statement]:
    """Where dialects do not even agree on the statements' boundaries: the whole script by the one that understands most."""
    results = [[s for p in cut for s in _all_ways(p, d, parse_one)] for cut, d in zip(cuts, dialects, strict=True)]
    return min(results, key=lambda parsed: sum(not understood(s) for s in parsed))


def _all_ways(piece: Piece, dialect: Dialect, parse_one: Parse) -> Iterator[Statement]:
    statement = parse_one(piece, dialect)
    yield statement
    if piece.source.tags:
        yield from other_ways(piece, dialect, statement)


def _first_that_parses(alternatives: Sequence[Piece], dialects: Sequence[Dialect], parse_one: Parse) -> Statement:
    results = []
    for piece, dialect in zip(alternatives, dialects, strict=False):
        results.append(parse_one(piece, dialect))
        if results[-1].postponed:
            return results[-1]
        if understood(results[-1]):
            return results[-1]
    return results[0]
