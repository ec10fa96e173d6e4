"""What changed between two snapshots: tables, columns and relations that came, went or are made otherwise; and what of it breaks.

Things are matched by name, relations by their ends, so that a statement that was moved, or spelled in another file, is no change. Ids come
from content: what has the same id in both is the same, and only the rest is looked at by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.graph.adjacency import LAYERS
from headwater.graph.files import Arrays, Ints
from headwater.graph.records import Column, Hop, Records, Table
from headwater.graph.search import matching
from headwater.model.entity import EntityKind
from headwater.model.kind import FDD, Kind

What = Literal["table", "column", "relation"]
How = Literal["added", "removed", "changed"]
Making = frozenset[tuple[Kind, str]]
"""How a column is made of another: the kinds and expressions of all relations between them."""
Key = tuple[str, str]
Ends = tuple[Key, Key]


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that changed."""

    what: What
    how: How
    name: str
    breaking: bool
    reason: str
    before: str = ""
    after: str = ""
    place: str = ""


@dataclass(frozen=True, slots=True)
class Side:
    """One of the two snapshots that are compared."""

    arrays: Arrays
    records: Records


@dataclass(frozen=True, slots=True)
class Diff:
    """What changed from one snapshot to another."""

    differences: tuple[Difference, ...]

    @property
    def breaking(self) -> bool:
        """Whether anything breaks."""
        return any(each.breaking for each in self.differences)

    def of(self, what: What, how: How) -> list[Difference]:
        """The differences of a kind."""
        return [each for each in self.differences if (each.what, each.how) == (what, how)]

    def like(self, pattern: str) -> list[Difference]:
        """The differences with a name like that."""
        names = pa.array([each.name for each in self.differences], pa.string())
        return [each for each, fits in zip(self.differences, matching(names, pattern), strict=True) if fits]


def diff(old: Side, new: Side) -> Diff:
    """What changed from *old* to *new*."""
    found = [*_tables(old, new), *_columns(old, new), *_relations(old, new)]
    order = {"table": 0, "column": 1, "relation": 2}
    found.sort(key=lambda d: (not d.breaking, order[d.what], d.name, d.how))
    return Diff(tuple(found))


def _compared(table: Table) -> bool:
    return table.kind != EntityKind.RESULT_SET


def _only(own: Ints, other: Ints) -> list[int]:
    """Where the ids stand that only one side has."""
    return np.flatnonzero(~np.isin(own, other)).tolist()


def _table_ids(side: Side) -> Ints:
    ids: Ints = side.arrays.entities.column(0).to_numpy()
    return ids


def _only_tables(own: Side, other: Side) -> dict[str, Table]:
    tables = (own.records.table(number) for number in _only(_table_ids(own), _table_ids(other)))
    return {table.name: table for table in tables if _compared(table)}


def _tables(old: Side, new: Side) -> Iterator[Difference]:
    gone, come = _only_tables(old, new), _only_tables(new, old)
    for name, table in gone.items():
        if name not in come:
            yield Difference("table", "removed", name, table.persistent, f"the {table.kind} is gone")
    for name, table in come.items():
        if name not in gone:
            yield Difference("table", "added", name, False, f"the {table.kind} is new")


def _only_columns(own: Side, other: Side) -> dict[Key, Column]:
    columns = (own.records.column(node) for node in _only(own.arrays.node_id, other.arrays.node_id))
    return {key(column): column for column in columns if _compared(column.table) and not column.row_set}


def key(column: Column) -> Key:
    """What a column is matched by: the names of its table and itself."""
    return (column.table.name, column.name)


def _columns(old: Side, new: Side) -> Iterator[Difference]:
    gone, come = _only_columns(old, new), _only_columns(new, old)
    for name, column in gone.items():
        if name not in come:
            breaks = column.table.persistent
            yield Difference("column", "removed", str(column), breaks, "the column is gone", column.data_type or "")
    for name, column in come.items():
        if name not in gone:
            yield Difference("column", "added", str(column), False, "the column is new", "", column.data_type or "")
    yield from _retyped(old, new)


def _retyped(old: Side, new: Side) -> Iterator[Difference]:
    """Columns that are declared with another type."""
    _, left, right = np.intersect1d(old.arrays.node_id, new.arrays.node_id, return_indices=True)
    same = pc.fill_null(pc.index_in(old.arrays.types, value_set=new.arrays.types), -2).to_numpy()
    was, is_ = old.arrays.node_type[left], new.arrays.node_type[right]
    declared = (was >= 0) & (is_ >= 0)
    left, right, was, is_ = left[declared], right[declared], was[declared], is_[declared]
    other = same[was] != is_ if len(same) else np.zeros(0, dtype=bool)
    for before, after in zip(left[other].tolist(), right[other].tolist(), strict=True):
        a, b = old.records.column(before), new.records.column(after)
        types = a.data_type or "", b.data_type or ""
        yield Difference("column", "changed", str(b), b.table.persistent, "it has another type", *types)


def _relations(old: Side, new: Side) -> Iterator[Difference]:
    """Pairs of columns between which the relations are not what they were."""
    touched: dict[Ends, None] = {}
    for own, other in ((old, new), (new, old)):
        for relation in _only(own.arrays.relation_id, other.arrays.relation_id):
            touched[_ends(own, relation)] = None
    before, after = _between(old, touched), _between(new, touched)
    targets = {ends[1]: None for ends in touched}
    still = _known(new, targets)
    for ends in touched:
        was, is_ = before.get(ends, []), after.get(ends, [])
        if _making(was) != _making(is_):
            yield _relation(was, is_, ends[1] in still)


def _ends(side: Side, relation: int) -> Ends:
    arrays, column = side.arrays, side.records.column
    return key(column(int(arrays.relation_source[relation]))), key(column(int(arrays.relation_target[relation])))


def _known(side: Side, wanted: Iterable[Key]) -> dict[Key, list[int]]:
    """The nodes that have these names."""
    found: dict[Key, list[int]] = {}
    tables: dict[str, set[str]] = {}
    for table, name in wanted:
        tables.setdefault(table, set()).add(name)
    names = side.arrays.entity_field("name").to_pylist()
    for number, table in enumerate(names):
        if table in tables:
            first, last = side.arrays.entity_start[number : number + 2].tolist()
            for node in range(first, last):
                column = side.records.column(node)
                if column.name in tables[table]:
                    found.setdefault(key(column), []).append(node)
    return found


def _between(side: Side, pairs: Iterable[Ends]) -> dict[Ends, list[Hop]]:
    """All relations between these pairs of columns, whatever statement makes them."""
    wanted = set(pairs)
    found: dict[Ends, list[Hop]] = {}
    incoming = side.arrays.incoming
    for nodes in _known(side, {target for _, target in wanted}).values():
        for node in nodes:
            bounds = incoming.bounds[node * LAYERS], incoming.bounds[(node + 1) * LAYERS]
            for relation in incoming.relations[slice(*bounds)].tolist():
                ends = _ends(side, relation)
                if ends in wanted:
                    found.setdefault(ends, []).append(side.records.hop(relation))
    return found


def _making(hops: list[Hop]) -> Making:
    return frozenset((hop.kind, " ".join(hop.expression.split())) for hop in hops)


def _relation(was: list[Hop], is_: list[Hop], target_there: bool) -> Difference:
    shown = (is_ or was)[0]
    name = f"{shown.target} <- {shown.source}"
    how: How = "changed" if was and is_ else "added" if is_ else "removed"
    breaking, reason = _judged(was, is_, target_there)
    breaking = breaking and shown.target.table.persistent
    return Difference("relation", how, name, breaking, reason, _said(was), _said(is_), str(shown.place or ""))


def _judged(was: list[Hop], is_: list[Hop], target_there: bool) -> tuple[bool, str]:
    flowed, flows = _flowing(was), _flowing(is_)
    if flowed and not flows:
        return True, "no data flows any more" if target_there else "the target is gone"
    if flowed and all(k.masking for k in flows) and not all(k.masking for k in flowed):
        return True, "the value is masked now"
    if was and not is_:
        return False, "it no longer decides over the rows"
    if not was:
        return False, "data flows from there now" if flows else "it decides over the rows now"
    same_kinds = {hop.kind for hop in was} == {hop.kind for hop in is_}
    return False, "another expression" if same_kinds else "made in another way"


def _flowing(hops: list[Hop]) -> list[Kind]:
    return [hop.kind for hop in hops if hop.kind.type == FDD and hop.kind.clause != "foreignKey"]


def _said(hops: list[Hop]) -> str:
    said = {f"{hop.how}: {' '.join(hop.expression.split())}".removesuffix(": ") for hop in hops}
    return "; ".join(sorted(said))
