"""What a lineage admits: which outputs may change when a source does."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from headwater.model.entity import PSEUDO_ROWS, ColumnRef
from headwater.verify.database import Data, Row, bag

Pair = tuple[ColumnRef, ColumnRef]
"""A source and a target."""


@dataclass(frozen=True, slots=True)
class Observation:
    """A source was changed; the outputs before and after."""

    source: ColumnRef
    before: list[Row]
    after: list[Row]
    data: Data
    """All tables, before."""
    changed: Data
    """The table that was changed, after."""
    sql: str
    """What was run."""


class Judge:
    """Judges what was observed by the pairs of a lineage."""

    def __init__(
        self,
        outputs: Sequence[ColumnRef],
        pairs: Iterable[Pair],
        sources: Iterable[ColumnRef],
        one_row: bool = False,
    ) -> None:
        """*outputs* are the result's columns in order, *sources* what can be changed.

        Where the result always has *one row*, as that of an aggregation without groups, rows neither come nor go.
        """
        self._outputs = list(outputs)
        self.width = len(self._outputs)
        self._rows = ColumnRef(outputs[0].table if outputs else None, PSEUDO_ROWS)
        self._one_row = one_row
        self._admitted: dict[ColumnRef, set[ColumnRef]] = {}
        for source, target in pairs:
            self._admitted.setdefault(source, set()).add(target)
        self.idle = frozenset(sources) - self._admitted.keys()
        """Sources from which nothing is said to flow."""
        self.needed = frozenset(self._needed(frozenset(sources)))
        """The pairs that nothing else admits: without one of them, its source should not be able to change its target."""

    def _needed(self, sources: frozenset[ColumnRef]) -> Iterator[Pair]:
        shown = {*self._outputs, self._rows}
        for source in sources - {self._rows}:
            admitted = self._admitted.get(source, set())
            if self._rows not in admitted:
                yield from ((source, target) for target in admitted & shown if target != source)
            elif not (self._one_row and admitted.issuperset(self._outputs)):
                yield source, self._rows

    def proved(self, observations: Iterable[Observation]) -> frozenset[Pair]:
        """Those of the needed pairs whose absence the data would have shown."""
        by_source: dict[ColumnRef, list[Observation]] = {}
        for seen in observations:
            by_source.setdefault(seen.source, []).append(seen)
        return frozenset(
            (source, target)
            for source, target in self.needed
            if any(self.unadmitted(seen, without=target) for seen in by_source.get(source, ()))
        )

    def unadmitted(self, seen: Observation, without: ColumnRef | None = None) -> list[ColumnRef]:
        """The outputs that changed although nothing flows to them from the source; the row set, if rows came or went.

        *without* is a target whose pair with the source is left out.
        """
        admitted = self._admitted.get(seen.source, set()) - {without}
        if seen.source == self._rows or self._rows in admitted:
            return []  # the source decides over the rows, or is the target's own rows
        fixed = [n for n, out in enumerate(self._outputs) if out not in admitted and out != seen.source]
        if bag(seen.before, fixed) == bag(seen.after, fixed):
            return []
        if len(seen.before) != len(seen.after):
            return [self._rows]
        alone = [self._outputs[n] for n in fixed if bag(seen.before, [n]) != bag(seen.after, [n])]
        return alone or [self._outputs[n] for n in fixed]
