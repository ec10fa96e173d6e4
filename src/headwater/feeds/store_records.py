"""A snapshot's records, made from the graph's arrays as they are asked for; of what was asked for a little is remembered.

Numbers are given out so that nothing has to be remembered for them: processes first, in order of their ids, which are made of their
content; then entities and columns as the graph numbers them, which is by name.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.export.records import Column, End, Entity, Place, Process, Script
from headwater.graph.adjacency import Flow
from headwater.graph.files import INFERRED, ROW_SET, Arrays, Ints
from headwater.graph.process_lines import lines_of
from headwater.model.entity import EntityKind, TableName
from headwater.model.span import LineIndex, Position
from headwater.store import Snapshot

_ENDS, _ENTITIES, _PROCESSES = 65536, 512, 512
"""Records that are remembered."""


class StoreRecords:
    """The records of a snapshot, by number."""

    def __init__(self, snapshot: Snapshot, arrays: Arrays) -> None:
        self._arrays = arrays
        self._fields = {name: arrays.entities.column(i) for i, name in enumerate(arrays.entities.schema.names)}
        self._read_processes(snapshot)
        self._read_scripts(snapshot)
        self.first_entity: int = len(self.process_ids) + 1
        self.first_column: int = self.first_entity + arrays.entities.num_rows
        self.first_inner: int = self.first_column + arrays.nodes
        self.end = lru_cache(_ENDS)(self._end)
        self.entity = lru_cache(_ENTITIES)(self._entity)
        self.process = lru_cache(_PROCESSES)(self._process)
        self._lines = lru_cache(_PROCESSES)(self._made_lines)

    def _read_processes(self, snapshot: Snapshot) -> None:
        table = snapshot.table("processes", ["process_id", "dialect"])
        self.process_ids: Ints = table.column("process_id").to_numpy()
        self._rows = np.argsort(self.process_ids, kind="stable")
        self._ranks = np.empty(len(self._rows), np.int64)
        self._ranks[self._rows] = np.arange(len(self._rows))
        self._dialects = table.column("dialect").combine_chunks().dictionary_encode()

    def _read_scripts(self, snapshot: Snapshot) -> None:
        table = snapshot.table("scripts", ["script_id", "path"])
        order = pc.sort_indices(table, sort_keys=[("path", "ascending"), ("script_id", "ascending")])
        self.script_ids: Ints = table.column("script_id").to_numpy()[order.to_numpy()]
        self._by_script_id = np.argsort(self.script_ids, kind="stable")
        paths = table.column("path").take(order).combine_chunks().dictionary_encode()
        self._paths, self._path_codes = paths.dictionary, paths.indices.to_numpy()
        first = np.unique(self._path_codes, return_index=True)
        self._first_script = dict(zip(self._paths.take(pa.array(first[0])).to_pylist(), first[1].tolist(), strict=True))

    @property
    def dialect(self) -> str:
        """The dialect of most processes."""
        if not len(self._dialects.dictionary):
            return ""
        counts = np.bincount(self._dialects.indices.drop_null().to_numpy())
        return self._dialects.dictionary[int(counts.argmax())].as_py() or ""

    def script(self, number: int) -> Script:
        """A script."""
        return Script(number, self._paths[int(self._path_codes[number])].as_py() or "")

    def script_number(self, id: int) -> int:
        """The number of a script, by the store's id; -1 for none."""
        at = int(np.searchsorted(self.script_ids, id, sorter=self._by_script_id))
        found = int(self._by_script_id[at]) if at < len(self.script_ids) else -1
        return found if found >= 0 and self.script_ids[found] == id else -1

    def process_number(self, row: int) -> int:
        """The number of the process in that row; 0 for none."""
        return 0 if row < 0 else int(self._ranks[row]) + 1

    def process_numbers(self, rows: Ints) -> Ints:
        """The numbers of the processes in those rows."""
        return np.where(rows < 0, 0, self._ranks[rows] + 1)

    def process_id(self, number: int) -> int:
        """The store's id of a process, by its number."""
        return int(self.process_ids[self._rows[number - 1]])

    def process_of(self, id: int) -> int:
        """The number of a process, by the store's id; 0 for none."""
        at = int(np.searchsorted(self.process_ids, id, sorter=self._rows))
        return at + 1 if at < len(self._rows) and self.process_ids[self._rows[at]] == id else 0

    def _process(self, number: int) -> Process:
        row = int(self._rows[number - 1])
        told = self._arrays.processes.row(row)
        path, text = told["path"] or "", told["text"] or ""
        dialect = self._dialects[row].as_py() or ""
        lines, size = lines_of(told)
        place = self._place(path, Position(told["line"] or 1, told["column"] or 1), lines, 0, size)
        places = (place,) if place else ()
        named = (told["type"] or "", told["procedure"] or "", told["query_hash"] or "")
        return Process(number, *named, dialect, text, places, path)

    def place(self, process: int, start: int | None, end: int | None) -> Place | None:
        """The place of a stretch of a process's text, where the process stands first."""
        if not process or start is None:
            return None
        told = self.process(process)
        if not told.places:
            return None
        return self._place(told.path, told.places[0].start, self._lines(process), start, start if end is None else end)

    def _made_lines(self, process: int) -> LineIndex:
        return lines_of(self._arrays.processes.row(int(self._rows[process - 1])))[0]

    def _place(self, path: str, at: Position, lines: LineIndex, start: int, end: int) -> Place | None:
        script = self._first_script.get(path)
        if script is None:
            return None
        return Place(script, lines.position(start).moved(at), lines.position(end).moved(at))

    def _end(self, node: int) -> End:
        arrays = self._arrays
        entity = int(arrays.node_entity[node])
        flags = int(arrays.node_flags[node])
        name = arrays.names[int(arrays.node_name[node])].as_py()
        owner = (self.first_entity + entity, self.entity_name(entity), bool(flags & ROW_SET))
        return End(self.first_column + node, name, *owner, *self._head(entity))

    def entity_name(self, entity: int) -> str:
        """The name of that entity of the graph, as it is spelled first."""
        return self._value("spelling", entity) or self._value("name", entity) or ""

    def _head(self, entity: int) -> tuple[EntityKind, TableName]:
        return EntityKind(self._value("kind", entity)), tuple(self._value("parts", entity) or ())

    def _value(self, field: str, entity: int) -> Any:
        return self._fields[field][entity].as_py()

    def is_orphan(self, entity: int) -> bool:
        """Whether that entity of the graph owns columns that nobody else can own."""
        return bool(self._value("kind", entity) == EntityKind.ORPHAN)

    def _entity(self, number: int) -> Entity:
        entity = number - self.first_entity
        kind, parts = self._head(entity)
        nodes = np.arange(*self._arrays.entity_start[entity : entity + 2])
        written = np.unique(self._arrays.relation_process[self._incoming(nodes)])
        processes = np.unique(self.process_numbers(written[written >= 0]))
        return Entity(
            number,
            kind,
            "select_list" if kind is EntityKind.RESULT_SET else kind.value,
            self.entity_name(entity),
            parts,
            None,
            bool(self._value("temporary", entity)),
            self._value("file_format", entity) or "",
            tuple(processes.tolist()),
            (),
            tuple(self._column(int(node)) for node in nodes),
            defined_by=self.process_of(self._value("defined_by", entity) or 0),
        )

    def _incoming(self, nodes: Ints) -> Ints:
        incoming = self._arrays.incoming
        return incoming.relations[incoming.positions(nodes, Flow(influence=True))]

    def _column(self, node: int) -> Column:
        arrays = self._arrays
        flags, type_ = int(arrays.node_flags[node]), int(arrays.node_type[node])
        name = arrays.names[int(arrays.node_name[node])].as_py()
        data_type = None if type_ < 0 else arrays.types[type_].as_py() or None
        return Column(self.first_column + node, name, data_type, bool(flags & INFERRED), bool(flags & ROW_SET), ())
