"""Scripts as a project: what `analyze_scripts` gives of each, without a store and without Spark."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass

from headwater.check.finding import Where
from headwater.check.project import Said, ScriptText, Stored, UnknownStar
from headwater.lineage.lineage import Lineage, StatementLineage
from headwater.model.diagnostic import Diagnostic
from headwater.model.span import Span

STAR = "*"
_STANDARD_INPUT = "<stdin>"


@dataclass(frozen=True, slots=True)
class Analysed:
    """A script that was analysed, with the text that it was read from."""

    lineage: Lineage
    text: str
    dialect: str


class ScriptProject:
    """Scripts, analysed one after the other; only what rules ask for is kept of each."""

    def __init__(self, scripts: Iterable[Analysed]) -> None:
        self._said: list[Said] = []
        self._stars: list[UnknownStar] = []
        self._texts: dict[int, ScriptText] = {}
        for key, script in enumerate(scripts):
            reading = _Reading(key, script)
            with script.lineage.within_time():
                self._stars += reading.stars()
            self._said += reading.said()
            self._texts[key] = reading.text()

    @property
    def stored(self) -> Stored | None:
        """Scripts alone know nothing of the kind."""
        return None

    def paths(self) -> frozenset[str]:
        """The paths of all scripts."""
        return frozenset(text.path for text in self._texts.values())

    def diagnostics(self) -> Iterator[Said]:
        """What was said of the scripts."""
        return iter(self._said)

    def stars(self) -> Iterator[UnknownStar]:
        """The `*` over tables whose columns nobody knows."""
        return iter(self._stars)

    def texts(self, wanted: Collection[int], word: str) -> Mapping[int, ScriptText]:
        """The scripts of these keys, and those in which a word occurs."""
        return {key: text for key, text in self._texts.items() if key in wanted or word in text.text}


class _Reading:
    """One script under way."""

    def __init__(self, key: int, script: Analysed) -> None:
        self._key = key
        self._script = script
        self._lineage = script.lineage
        self._path = script.lineage.path or _STANDARD_INPUT
        self._spans = [statement.resolution.process.span for statement in script.lineage.statements]
        self._order = sorted(range(len(self._spans)), key=lambda number: self._spans[number])

    def said(self) -> Iterator[Said]:
        """Its diagnostics."""
        for each in self._lineage.diagnostics:
            yield self._one(each)

    def _one(self, each: Diagnostic) -> Said:
        number = self._statement_at(each.span)
        where = self._where(each.span, number)
        return Said(each.code, each.message, each.subject, each.hint, where, self._hash(number))

    def stars(self) -> Iterator[UnknownStar]:
        """Its `*` over unknown tables, each statement's tables once."""
        for number, statement in enumerate(self._lineage.statements):
            for table, span in _stars(statement).items():
                yield UnknownStar(table, self._where(span or self._spans[number], number), self._hash(number))

    def text(self) -> ScriptText:
        """Its text; what was worked out about it is let go."""
        starts = {self._lineage.positions(span)[0]: number for number, span in enumerate(self._spans)}
        self._lineage.statements.clear()
        return ScriptText(self._path, self._script.text, self._script.dialect, self._lineage, starts)

    def _statement_at(self, span: Span | None) -> int | None:
        """The number of the statement that a place is in."""
        if span is None:
            return None
        at = bisect_right([self._spans[number].start for number in self._order], span.start)
        number = self._order[at - 1] if at else None
        return number if number is not None and span.start < self._spans[number].end else None

    def _hash(self, number: int | None) -> str:
        return "" if number is None else self._lineage.statements[number].resolution.process.query_hash

    def _where(self, span: Span | None, number: int | None) -> Where:
        if span is None:
            return Where(self._key, self._path, None)
        start, end = self._lineage.positions(span)
        return Where(self._key, self._path, start, end, span, number)


def _stars(statement: StatementLineage) -> dict[str, Span | None]:
    found: dict[str, Span | None] = {}
    for edge in statement.plain_edges:
        if edge.source.column == STAR and edge.source.table is not None:
            found.setdefault(edge.source.table, edge.span)
    return found
