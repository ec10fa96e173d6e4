"""Which columns carry which tags, why, and what a policy says to that.

In goes a snapshot's graph and a `Governance`; out come columns with their tags, each with the column where the tag begins and the way from
there, and violations: columns that a tag has reached and must not. Ways and records are made only when somebody looks.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from headwater.graph.files import Arrays, Ints
from headwater.graph.names import UnknownName
from headwater.graph.records import Column, Hop, Records
from headwater.graph.search import named_columns, nodes_like
from headwater.graph.tag_spread import Spread, spread
from headwater.graph.tagged import Said, tagged
from headwater.store import Snapshot
from headwater.tags.governance import MASKED, Forbidden, Governance, Rule, plain


@dataclass(frozen=True, slots=True)
class TaggedColumn:
    """A column that carries a tag."""

    column: Column
    tag: str
    """`pii`, or behind masking `pii:masked`."""
    origin: Column
    """The nearest column that has the tag of its own; the column itself if it has."""
    said: tuple[Said, ...]
    """Who says so of the origin."""
    distance: int
    """How many hops it is from there; none if the tag is its own."""
    row: tuple[int, int] = field(compare=False, repr=False)
    """By which `Tags` finds the way."""

    @property
    def own(self) -> bool:
        """Whether the tag is the column's own, and not inherited."""
        return not self.distance


@dataclass(frozen=True, slots=True)
class Violation:
    """A column that a tag has reached, and what forbids that."""

    forbidden: Forbidden
    found: TaggedColumn
    path: tuple[Hop, ...]
    """The way from where the tag begins."""

    @property
    def hop(self) -> Hop | None:
        """The last hop that a statement makes: it brings the tag here."""
        made = [hop for hop in self.path if hop.process is not None]
        return made[-1] if made else None

    @property
    def message(self) -> str:
        """What is wrong, in a sentence."""
        found = self.found
        reason = f": {self.forbidden.reason}" if self.forbidden.reason else ""
        what = f"{found.column.table.kind} {found.column}"
        if found.own:
            return f"{found.tag} must not be in {what}{reason}"
        return f"{found.tag} of {found.origin} reaches {what}{reason}"


@dataclass(frozen=True, slots=True)
class _Carried:
    """Columns that carry tags, as numbers."""

    nodes: Ints
    codes: Ints
    """Twice the number of the tag, and one more if it is masked."""
    distances: Ints
    rows: Ints


class Tags:
    """The tags of a graph's columns."""

    def __init__(self, arrays: Arrays, records: Records, snapshot: Snapshot, governance: Governance) -> None:
        self._arrays = arrays
        self._records = records
        self._governance = governance
        self._own = tagged(arrays, snapshot, governance)
        self._said: dict[tuple[int, int], tuple[Said, ...]] = {}
        self.names: tuple[str, ...] = tuple(sorted({plain(tag)[0] for tag in self._own.nodes}))
        """The tags that columns have of their own, without the mark of downgraded ones."""

    @cached_property
    def _spreads(self) -> list[Spread]:
        """What each of the tags reaches."""
        return [self._spread(tag) for tag in self.names]

    def _spread(self, tag: str) -> Spread:
        none = np.empty(0, np.int64)
        clear, masked = self._own.nodes.get(tag, none), self._own.nodes.get(tag + MASKED, none)
        ends = [named_columns(self._arrays, rule.pattern) for rule in self._governance.cleared if rule.tag == tag]
        cleared = np.unique(np.concatenate([none, *ends])).astype(np.int64)
        return spread(self._arrays, clear, masked, cleared, self._governance.handling_of(tag))

    @property
    def unmatched(self) -> tuple[Rule, ...]:
        """Rules that name columns or tables which are not there."""
        named = (
            *self._governance.cleared,
            *(rule for each in self._governance.forbidden for rule in (*each.patterns, *each.excepted)),
        )
        missing = [rule for rule in named if not named_columns(self._arrays, rule.pattern).size]
        return (*self._own.unmatched, *missing)

    @property
    def unknown(self) -> tuple[str, ...]:
        """Tags that the policy speaks of, and that no column has of its own."""
        spoken = dict.fromkeys(tag for each in self._governance.forbidden for tag in each.tags)
        return tuple(tag for tag in spoken if plain(tag)[0] not in self.names)

    def page(
        self, like: str | None, tags: Collection[str], own: bool | None, limit: int, offset: int
    ) -> tuple[dict[str, int], list[TaggedColumn]]:
        """Some columns that carry tags, by table and column, only those *like* a part of a name; and how many carry each tag."""
        carried = self._carried
        kept = np.ones(len(carried.nodes), dtype=bool)
        if like is not None:
            kept &= np.isin(carried.nodes, nodes_like(self._arrays, np.unique(carried.nodes), like))
        if own is not None:
            kept &= (carried.distances == 0) == own
        if tags:
            wanted = [code for code, tag in enumerate(self._codes) if tag in tags or plain(tag)[0] in tags]
            kept &= np.isin(carried.codes, wanted)
        at = np.flatnonzero(kept)
        counts = np.bincount(carried.codes[at], minlength=len(self._codes)).tolist()
        found = {tag: count for tag, count in zip(self._codes, counts, strict=True) if count}
        return found, self._shown(at[offset : offset + limit])

    def of(self, node: int) -> list[TaggedColumn]:
        """The tags that one column carries."""
        return self._shown(self._rows_of(node))

    def names_of(self, node: int) -> list[str]:
        """Only the names of the tags that one column carries."""
        return [self._codes[code] for code in self._carried.codes[self._rows_of(node)].tolist()]

    def _rows_of(self, node: int) -> Ints:
        nodes = self._carried.nodes
        return np.arange(*(int(np.searchsorted(nodes, node, side)) for side in ("left", "right")))

    def _shown(self, at: Ints) -> list[TaggedColumn]:
        pairs = zip((self._carried.codes[at] // 2).tolist(), self._carried.rows[at].tolist(), strict=True)
        return [self._found(number, row) for number, row in pairs]

    @property
    def _codes(self) -> list[str]:
        """What the codes of `_carried` mean: each tag, and what is left of it behind masking."""
        return [tag + mark for tag in self.names for mark in ("", MASKED)]

    @cached_property
    def _carried(self) -> _Carried:
        """All columns that carry tags, in order of nodes and tags."""
        none = np.empty(0, np.int64)
        rows = [each.shown for each in self._spreads]
        both = list(zip(self._spreads, rows, strict=True))
        nodes = np.concatenate([none, *(each.nodes[own] for each, own in both)])
        codes = np.concatenate([none, *(2 * number + each.masked[own] for number, (each, own) in enumerate(both))])
        distances = np.concatenate([none, *(each.distances[own] for each, own in both)])
        order = np.lexsort((codes, nodes))
        return _Carried(nodes[order], codes[order], distances[order], np.concatenate([none, *rows])[order])

    def columns(self, like: str | None = None, tags: Collection[str] = ()) -> Iterator[TaggedColumn]:
        """The columns that carry tags, by table and column; only those *like* a name or pattern, only some tags.

        A tag that is asked for is also what is left of it behind masking.
        """
        for number, row in self._rows(self._asked(like)):
            if self._is_wanted(number, row, tags):
                yield self._found(number, row)

    def path(self, found: TaggedColumn) -> tuple[Hop, ...]:
        """The way that proves a tag: from its origin, the shortest there is."""
        number, row = found.row
        return tuple(map(self._records.hop, self._spreads[number].way(row)))

    def violations(self, like: str | None = None, tags: Collection[str] = ()) -> Iterator[Violation]:
        """What the policy forbids and nevertheless is so, rule by rule; of some columns and tags only, as for `columns`."""
        asked = self._asked(like)
        for forbidden in self._governance.forbidden:
            for number, row in self._rows(self._guarded(forbidden) & asked):
                if self._tag(number, row) in forbidden.tags and self._is_wanted(number, row, tags):
                    found = self._found(number, row)
                    yield Violation(forbidden, found, self.path(found))

    def _asked(self, like: str | None) -> Ints:
        """Which nodes are asked about; raises `UnknownName` where nothing is called so."""
        asked: Ints = np.ones(self._arrays.nodes, dtype=bool)
        if like is not None:
            nodes = named_columns(self._arrays, like)
            if not nodes.size:
                raise UnknownName(f"there is no column or table {like}; headwater search PATTERN finds names")
            asked[:] = False
            asked[nodes] = True
        return asked

    def _is_wanted(self, number: int, row: int, tags: Collection[str]) -> bool:
        return not tags or self.names[number] in tags or self._tag(number, row) in tags

    def _guarded(self, forbidden: Forbidden) -> Ints:
        """Which nodes must not be reached."""
        arrays = self._arrays
        kinds = arrays.entity_field("kind").to_pylist()
        fitting = np.array([kind in forbidden.kinds for kind in kinds], dtype=bool)
        found: Ints = fitting[arrays.node_entity] if len(fitting) else np.zeros(0, dtype=bool)
        found[_nodes(arrays, forbidden.patterns)] = True
        found[_nodes(arrays, forbidden.excepted)] = False
        return found

    def _rows(self, wanted: Ints) -> Iterator[tuple[int, int]]:
        """The number of a tag and its row, for each tag of each wanted node, in order of nodes and tags."""
        rows = [each.shown[wanted[each.nodes[each.shown]]] for each in self._spreads]
        if not rows:
            return
        numbers = np.repeat(np.arange(len(rows)), [len(each) for each in rows])
        nodes = np.concatenate([each.nodes[own] for each, own in zip(self._spreads, rows, strict=True)])
        order = np.lexsort((numbers, nodes))
        yield from zip(numbers[order].tolist(), np.concatenate(rows)[order].tolist(), strict=True)

    def _tag(self, number: int, row: int) -> str:
        return self.names[number] + MASKED * bool(self._spreads[number].masked[row])

    def _found(self, number: int, row: int) -> TaggedColumn:
        found = self._spreads[number]
        origin = int(found.origins[row])
        return TaggedColumn(
            column=self._records.column(int(found.nodes[row])),
            tag=self._tag(number, row),
            origin=self._records.column(origin),
            said=self._said_of(origin, number),
            distance=int(found.distances[row]),
            row=(number, row),
        )

    def _said_of(self, origin: int, number: int) -> tuple[Said, ...]:
        found = self._said.get((origin, number))
        if found is None:
            tag = self.names[number]
            found = self._said[origin, number] = self._own.said_of(origin, (tag, tag + MASKED))
        return found


def _nodes(arrays: Arrays, rules: Iterable[Rule]) -> Ints:
    found = [named_columns(arrays, rule.pattern) for rule in rules]
    return np.concatenate([np.empty(0, np.int64), *found]).astype(np.int64)
