"""What a lineage admits: which outputs may change when a source does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
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


class Judge:
    """Judges what was observed by the pairs of a lineage."""

    def __init__(self, outputs: Sequence[ColumnRef], pairs: Iterable[Pair]) -> None:
        """*outputs* are the result's columns in order."""
        self._outputs = list(outputs)
        self._rows = ColumnRef(outputs[0].table if outputs else None, PSEUDO_ROWS)
        self._admitted: dict[ColumnRef, set[ColumnRef]] = {}
        for source, target in pairs:
            self._admitted.setdefault(source, set()).add(target)

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
