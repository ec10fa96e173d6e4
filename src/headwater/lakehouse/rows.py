"""The rows of the lakehouse tables, in batches: a snapshot's tables are read in parts, and names are put in the place of ids."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.graph.fields import field_relations
from headwater.lakehouse import tables
from headwater.lakehouse.names import Names, without
from headwater.store import Snapshot
from headwater.store.schema import Table

ROWS_PER_BATCH = 65_536
_NO_PROCEDURE = "batchQueries"
"""What the store calls the procedure of a statement that is in none."""

Values = Sequence[pa.Array]


class SnapshotRows:
    """The rows of a snapshot, as the lakehouse tables have them."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self._names = Names(snapshot)

    def batches(self, table: Table) -> Iterator[pa.RecordBatch]:
        """The rows of a table."""
        source, make = self._makers[table.name]
        for part in self._parts(source):
            if part.num_rows:
                values = [_cast(*each) for each in zip(make(part), table.schema, strict=True)]
                yield pa.RecordBatch.from_arrays(values, schema=table.schema)

    def _parts(self, source: str) -> Iterator[pa.RecordBatch]:
        """A table of the store in parts; relations with those between structs and their fields, which no process makes."""
        dataset = self._snapshot.dataset(source)
        yield from dataset.to_batches(batch_size=ROWS_PER_BATCH, batch_readahead=1, fragment_readahead=1)
        if source == "relations":
            yield field_relations(self._snapshot)

    @property
    def _makers(self) -> dict[str, tuple[str, Callable[[pa.RecordBatch], Values]]]:
        """For each table, the store's table that it is made of, and how."""
        return {
            tables.RELATIONS.name: ("relations", self._relations),
            tables.COLUMNS.name: ("columns", self._columns),
            tables.TABLES.name: ("entities", self._tables),
            tables.PROCESSES.name: ("processes", self._processes),
            tables.STATEMENTS.name: ("statements", self._statements),
            tables.DIAGNOSTICS.name: ("diagnostics", self._diagnostics),
            tables.TAGS.name: ("tags", self._tags),
        }

    def _relations(self, part: pa.RecordBatch) -> Values:
        source, target, process = part["source_id"], part["target_id"], without(part["process_id"], [0])
        kinds = self._names.processes.take("type", self._names.processes.find(process))
        plain = ("type", "subtype", "clause", "masking", "candidate", "as_of", "expression")
        return [
            part["relation_id"],
            *self._names.of_column(source),
            *self._names.of_column(target),
            source,
            target,
            *(part[name] for name in plain),
            process,
            kinds,
            *self._names.first_place(process),
        ]

    def _columns(self, part: pa.RecordBatch) -> Values:
        plain = ("name", "ordinal", "data_type", "inferred", "row_set")
        owner = part["entity_id"]
        return [part["column_id"], owner, self._names.of_table(owner), *(part[name] for name in plain)]

    def _tables(self, part: pa.RecordBatch) -> Values:
        process = without(part["defined_by"], [0])
        return [
            part["entity_id"],
            part["name"],
            _schema_names(part["parts"]),
            part["kind"],
            part["temporary"],
            part["complete"],
            without(part["file_format"], [""]),
            process,
            *self._names.first_place(process),
        ]

    def _processes(self, part: pa.RecordBatch) -> Values:
        process = part["process_id"]
        return [
            process,
            part["type"],
            without(part["procedure"], [_NO_PROCEDURE, ""]),
            *(part[name] for name in ("dialect", "query_hash", "text")),
            *self._names.first_place(process),
            *(part[name] for name in ("seen", "first_seen", "last_seen", "users")),
        ]

    def _statements(self, part: pa.RecordBatch) -> Values:
        plain = ("ordinal", "line", "column", "seen")
        place = self._names.of_script(part["script_id"])
        return [part["statement_id"], part["process_id"], *place, *(part[name] for name in plain)]

    def _diagnostics(self, part: pa.RecordBatch) -> Values:
        script, _ = self._names.of_script(part["script_id"])
        return [
            script,
            *(part[name] for name in ("line", "column", "severity", "code", "message")),
            *(without(part[name], [""]) for name in ("subject", "hint")),
            *(without(part[name], [0]) for name in ("statement_id", "process_id")),
        ]

    def _tags(self, part: pa.RecordBatch) -> Values:
        """The tags as they are, and those of tables once more for each of their columns."""
        rows, columns = self._tagged_columns(part)
        part = part.take(rows)
        _, names = self._names.of_column(columns)
        return [
            self._names.of_table(part["entity_id"]),
            names,
            part["entity_id"],
            columns,
            part["tag"],
            part["origin"],
            without(part["place"], [""]),
        ]

    def _tagged_columns(self, part: pa.RecordBatch) -> tuple[pa.Array, pa.Array]:
        """Rows of tags, each with a column or null."""
        whole = np.flatnonzero(part["column_id"].is_null().to_numpy(zero_copy_only=False))
        owners = part["entity_id"].take(pa.array(whole))
        wanted = pc.is_in(pc.field("entity_id"), owners) & ~pc.field("row_set")
        members = self._snapshot.dataset("columns").to_table(columns=["entity_id", "column_id"], filter=wanted)
        by_owner: dict[int, list[int]] = {}
        for owner, column in zip(*(each.to_pylist() for each in members.columns), strict=True):
            by_owner.setdefault(owner, []).append(column)
        more = [
            (row, c)
            for row, owner in zip(whole.tolist(), owners.to_pylist(), strict=True)
            for c in by_owner.get(owner, ())
        ]
        rows = [*range(len(part)), *(row for row, _ in more)]
        return pa.array(rows, pa.int64()), pa.array([*part["column_id"].to_pylist(), *(c for _, c in more)], pa.int64())


def _schema_names(parts: pa.ListArray) -> pa.Array:
    """Names without their last part: `db.s` for `db.s.t`; null where there is only one part."""
    return pa.array([".".join(each[:-1]) or None if each else None for each in parts.to_pylist()], pa.string())


def _cast(values: pa.Array, field: pa.Field) -> pa.Array:
    return values if values.type == field.type else values.cast(field.type)
