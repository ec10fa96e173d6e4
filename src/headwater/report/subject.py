"""What a report is about: a snapshot, its arrays, and which of its tables are asked for."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.graph import Graph, UnknownName
from headwater.graph.fields import FIELD
from headwater.graph.files import ROW_SET, Arrays, Ints
from headwater.graph.records import Records
from headwater.graph.relation_arrays import layer
from headwater.graph.search import matching_tables
from headwater.model.entity import EntityKind
from headwater.store import Snapshot

STAR = "*"
_PART = 1_000_000
"""Relations that are looked at together."""
RESULTS, TEMPORARY, FILES, NO_SCHEMA = "(query results)", "(temporary)", "(files)", "(no schema)"
"""Where what has no schema is counted; no schema has such a name, they are all folded."""


@dataclass(frozen=True, slots=True)
class Subject:
    """A snapshot and what of it is reported."""

    snapshot: Snapshot
    arrays: Arrays
    records: Records
    scope: str | None
    tables: Ints
    """Of each entity, whether it is asked for; what stands for names that nobody owns never is."""
    kinds: Ints
    """Of each entity its kind."""
    schemas: tuple[str, ...]
    schema_of: Ints
    """Of each entity its schema, as a number among `schemas`."""
    real: Ints
    """Of each node, whether it is a column and no row set."""
    layers: Ints
    """Of each kind of relation its layer."""
    fields: Ints
    """Of each kind of relation, whether it only says that a column has fields."""

    @property
    def nodes(self) -> Ints:
        """Of each node, whether it is a column of a table that is asked for."""
        found: Ints = self.real & self.tables[self.arrays.node_entity]
        return found

    def parts(self) -> Iterator[slice]:
        """The relations, some at a time: what is worked out on the way stays small."""
        return (slice(start, start + _PART) for start in range(0, self.arrays.relations, _PART))

    def names_of(self, nodes: Ints) -> tuple[str, ...]:
        """The names of some columns."""
        return tuple(str(self.records.column(node)) for node in nodes.tolist())


def subject_of(graph: Graph, scope: str | None = None) -> Subject:
    """All of a graph's snapshot, or its tables with a name like that."""
    arrays = graph.arrays
    kinds = np.array(_field(arrays, "kind").to_pylist(), dtype=object)
    tables = np.asarray(kinds != EntityKind.ORPHAN.value, dtype=bool)
    if scope:
        matching = np.zeros(len(kinds), dtype=bool)
        matching[matching_tables(arrays, scope)] = True
        tables &= matching
        if not tables.any():
            raise UnknownName(f"no table has a name like {scope}")
    schemas, schema_of = _schemas(graph.snapshot, arrays, kinds)
    meanings = arrays.meanings
    return Subject(
        snapshot=graph.snapshot,
        arrays=arrays,
        records=Records(arrays),
        scope=scope,
        tables=tables,
        kinds=kinds,
        schemas=schemas,
        schema_of=schema_of,
        real=arrays.node_flags & ROW_SET == 0,
        layers=np.array([layer(m.kind) for m in meanings], dtype=np.int8),
        fields=np.array([m.kind.clause == FIELD for m in meanings], dtype=bool),
    )


def _field(arrays: Arrays, name: str) -> pa.Array:
    return arrays.entities.column(arrays.entities.schema.names.index(name))


def _schemas(snapshot: Snapshot, arrays: Arrays, kinds: Ints) -> tuple[tuple[str, ...], Ints]:
    """The schemas, by name, and of each entity which it stands in."""
    table = snapshot.table("entities", ["entity_id", "parts"])
    order = pc.index_in(_field(arrays, "entity_id"), value_set=table.column("entity_id").combine_chunks())
    parts = table.column("parts").combine_chunks().take(order).to_pylist()
    flags = _field(arrays, "temporary").to_pylist()
    found = [_schema(*each) for each in zip(kinds.tolist(), parts, flags, strict=True)]
    names = tuple(sorted(set(found)))
    numbers = {name: number for number, name in enumerate(names)}
    return names, np.array([numbers[name] for name in found], dtype=np.int32)


def _schema(kind: str, parts: list[str] | None, temporary: bool | None) -> str:
    if kind == EntityKind.RESULT_SET:
        return RESULTS
    if kind in (EntityKind.PATH, EntityKind.STAGE):
        return FILES
    if temporary:
        return TEMPORARY
    return ".".join((parts or [])[:-1]) or NO_SCHEMA
