"""From a name, as somebody types it, to the column or table that is meant.

Who wins:

1. the name exactly as the store has it: `db.t.c`; the longest known table's name first, so that dots in names do no harm
2. the same without regard to case
3. a name that the one given is the end of, at a dot: `t.c`, or only `c`, if there is one such
4. of several with the same name, the persistent one
5. the one column of a table of that name, if it has only one: a metric's value
6. `id:123…` is the column or table of that id, whatever its name
7. a name in quotes that nothing is called like, `"My Table"."Col A"`, `[My Table].[Col A]`: the same without its quotes

    `db.t.c`, where the store has `db.t` with a column `c` and a temporary `db.t` of some script: the first is meant
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from itertools import islice
from typing import TypeVar

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.graph.files import ROW_SET, Arrays, Ints
from headwater.graph.records import Column, Records, Table
from headwater.model.quoted_name import without_quotes
from headwater.model.suggestion import did_you_mean

Record = TypeVar("Record", Column, Table)

_ID = re.compile(r"-?[0-9]{1,19}")
_NO_HINT = "; headwater search PATTERN finds names"
_SHOWN = 5
"""Names that a message lists."""
_COMPARED = 5000
"""Names that are compared for a suggestion."""


class UnknownName(Exception):
    """A name that no column or table has, or that several have; the message says which were perhaps meant."""

    def __init__(self, message: str, suggests: bool = False) -> None:
        super().__init__(message)
        self.suggests = suggests
        """Whether it names something that was perhaps meant."""


class Names:
    """The names of a graph's columns and tables."""

    def __init__(self, arrays: Arrays, records: Records) -> None:
        self._arrays = arrays
        self._records = records
        self._tables: pa.Array = arrays.entity_field("name")

    def column(self, name: str) -> Column:
        """The column of that name."""
        found = self._by_id(name, self._arrays.node_id, self._arrays.node_order)
        if found is None:
            found = self._first(name, (self._exact, self._without_case, self._by_end, self._alone))
        if not found.size:
            hint = self._hint(without_quotes(name))
            raise UnknownName(f"there is no column {name}{hint}", suggests=hint != _NO_HINT)
        return self._only(name, [self._records.column(int(node)) for node in found])

    def table(self, name: str) -> Table:
        """The table of that name."""
        found = self._by_id(name, self._arrays.entity_field("entity_id").to_numpy())
        if found is None:
            found = self._first(name, (self._tables_exactly, self._tables_without_case, self._tables_by_end))
        if not found.size:
            near = did_you_mean(name, self._near_tables(without_quotes(name)))
            raise UnknownName(f"there is no table {name}" + (f"; {near}" if near else ""), suggests=bool(near))
        return self._only(name, [self._records.table(int(number)) for number in found])

    def is_table(self, name: str) -> bool:
        """Whether a table of exactly that name is there, whatever its case; or one of that id."""
        by_id = self._by_id(name, self._arrays.entity_field("entity_id").to_numpy())
        if by_id is not None:
            return bool(by_id.size)
        return bool(self._first(name, (self._tables_exactly, self._tables_without_case)).size)

    def _first(self, name: str, ways: Sequence[Callable[[str], Ints]]) -> Ints:
        for spelled in dict.fromkeys((name, without_quotes(name))):
            for way in ways:
                found = way(spelled)
                if found.size:
                    return found
        return np.empty(0, np.int64)

    def _by_id(self, name: str, ids: Ints, order: Ints | None = None) -> Ints | None:
        """Where an id stands among others, whose order may be known; None if the name is no id."""
        word, _, number = name.partition(":")
        if word != "id" or not _ID.fullmatch(number) or abs(int(number)) >= 2**63:
            return None
        if order is None:
            return np.flatnonzero(ids == int(number))
        at = np.arange(*(int(np.searchsorted(ids, int(number), side, sorter=order)) for side in ("left", "right")))
        return order[at]

    def _exact(self, name: str) -> Ints:
        return self._joined(name, self._tables_exactly, pc.equal, self._arrays.names)

    def _without_case(self, name: str) -> Ints:
        return self._joined(name.lower(), self._tables_without_case, pc.equal, self._lowered_names)

    def _by_end(self, name: str) -> Ints:
        found = self._joined(name.lower(), self._tables_by_end, pc.equal, self._lowered_names)
        if found.size or not name:
            return found
        codes = np.flatnonzero(pc.equal(self._lowered_names, name.lower()).to_numpy(zero_copy_only=False))
        return np.flatnonzero(np.isin(self._arrays.node_name, codes))

    def _alone(self, name: str) -> Ints:
        """The columns that are the only ones of tables of that name."""
        entities = self._first(name, (self._tables_exactly, self._tables_without_case, self._tables_by_end))
        own = (self._nodes_of(entities[i : i + 1]) for i in range(len(entities)))
        plain = [nodes[self._arrays.node_flags[nodes] & ROW_SET == 0] for nodes in own]
        return np.concatenate([np.empty(0, np.int64), *(nodes for nodes in plain if nodes.size == 1)]).astype(np.int64)

    def _joined(
        self, name: str, tables: Callable[[str], Ints], equal: Callable[[pa.Array, str], pa.Array], names: pa.Array
    ) -> Ints:
        """The columns that a name means if it is cut at some dot into a table's and a column's; the last dot that works."""
        for table, column in self._cuts(name):
            entities = tables(table)
            if not entities.size:
                continue
            codes = np.flatnonzero(equal(names, column).to_numpy(zero_copy_only=False))
            nodes = self._nodes_of(entities)
            found = nodes[np.isin(self._arrays.node_name[nodes], codes)]
            if found.size:
                return found
        return np.empty(0, np.int64)

    def _cuts(self, name: str) -> Iterator[tuple[str, str]]:
        """A name cut at its dots, the longest first part first; no first part has more dots than any table's name."""
        at = [match.start() for match in islice(re.finditer(r"\.", name), self._most_dots + 1)]
        return ((name[:dot], name[dot + 1 :]) for dot in reversed(at) if dot)

    @cached_property
    def _most_dots(self) -> int:
        return pc.max(pc.count_substring(self._tables, ".")).as_py() or 0

    def _nodes_of(self, entities: Ints) -> Ints:
        start = self._arrays.entity_start
        return np.concatenate([np.arange(start[e], start[e + 1]) for e in entities])

    def _tables_exactly(self, name: str) -> Ints:
        low, high = _bisect(self._tables, name), _bisect(self._tables, name, behind=True)
        return np.arange(low, high)

    def _tables_without_case(self, name: str) -> Ints:
        return np.flatnonzero(pc.equal(self._lowered_tables, name.lower()).to_numpy(zero_copy_only=False))

    def _tables_by_end(self, name: str) -> Ints:
        return np.flatnonzero(pc.ends_with(self._lowered_tables, "." + name.lower()).to_numpy(zero_copy_only=False))

    @cached_property
    def _lowered_tables(self) -> pa.Array:
        return pc.utf8_lower(self._tables)

    @cached_property
    def _lowered_names(self) -> pa.Array:
        return pc.utf8_lower(self._arrays.names)

    def _only(self, name: str, found: list[Record]) -> Record:
        """The one that is meant by a name that some have."""
        best = [each for each in found if _table_of(each).persistent] or found
        if len(best) == 1:
            return best[0]
        listed = ", ".join(f"{each} (id:{each.id})" for each in best[:_SHOWN])
        more = f" and {len(best) - _SHOWN} more" if len(best) > _SHOWN else ""
        raise UnknownName(f"{name} may be any of {len(best)}: {listed}{more}; name one in full, or by its id")

    def _hint(self, name: str) -> str:
        """What was perhaps meant: another column of the table, or a column of another table."""
        for table, column in self._cuts(name):
            entities = self._first(table, (self._tables_exactly, self._tables_without_case, self._tables_by_end))
            if entities.size:
                known = [str(self._records.column(int(node)).name) for node in self._nodes_of(entities[:1])[:_COMPARED]]
                near = did_you_mean(column.lower(), dict.fromkeys(k for k in known))
                return f"; {self._tables[int(entities[0])]} has {_listed(known)}" + (f"; {near}" if near else "")
        for table, column in self._cuts(name):
            near = did_you_mean(table.lower(), self._near_tables(table))
            if near:
                return f"; {near.removesuffix('?')} (with {column})?"
        return _NO_HINT

    def _near_tables(self, name: str) -> list[str]:
        """Names of tables that are about as long as this one, and begin or end like it."""
        lower = self._lowered_tables
        length = pc.utf8_length(lower)
        alike = pc.and_(pc.greater_equal(length, len(name) - 2), pc.less_equal(length, len(name) + 2))
        ends = pc.or_(pc.starts_with(lower, name[:1].lower()), pc.ends_with(lower, name[-1:].lower()))
        near: list[str] = self._tables.filter(pc.and_(alike, ends))[:_COMPARED].to_pylist()
        return list(dict.fromkeys(near))


def _table_of(record: Column | Table) -> Table:
    return record.table if isinstance(record, Column) else record


def _listed(names: list[str]) -> str:
    return ", ".join(names[:_SHOWN]) + (", …" if len(names) > _SHOWN else "")


def _bisect(values: pa.Array, wanted: str, behind: bool = False) -> int:
    low, high = 0, len(values)
    while low < high:
        middle = (low + high) // 2
        value = values[middle].as_py()
        if value < wanted or (behind and value == wanted):
            low = middle + 1
        else:
            high = middle
    return low
