"""Numbers of what statements name, as a store has them; what the store does not keep gets numbers behind all of them."""

from __future__ import annotations

import numpy as np

from headwater.export.numbers import Numbers, name_of
from headwater.feeds.store_records import StoreRecords
from headwater.graph.files import Arrays, Ints
from headwater.model.entity import ORPHAN_TABLE, EntityKind, TableName
from headwater.model.relation import Process
from headwater.model.resolution import Variable
from headwater.store.identity import NOWHERE, column_id, entity_id, owned


class StoreNumbers(Numbers):
    """The numbers of a store's things, found by their ids."""

    def __init__(self, arrays: Arrays, records: StoreRecords, first: int) -> None:
        """*first* is the first number that nothing has yet."""
        super().__init__()
        self._records = records
        self._entities = _Index(arrays.entities.column(0).to_numpy())
        self._nodes = _Index(arrays.node_id)
        self._entity_ids: Ints = arrays.entities.column(0).to_numpy()
        self._next = first
        self._inside: dict[tuple[object, ...], int] = {}
        self._process = self._script = 0

    def begin_program(self) -> None:
        """From here on it is about another program, or another statement: what was inside of others is forgotten."""
        self._inside.clear()
        self._declared.clear()

    def begin(self, process: int, script: int) -> None:
        """From here on it is about that process, in that script."""
        self._process, self._script = process, script

    def process(self, process: Process) -> int:
        """Of the statement that it is about."""
        return self._process

    def table(self, kind: EntityKind, table: TableName, script: int | None, owner: str = "") -> int:
        """Of a table, view, path or stage."""
        scope = NOWHERE if script is None else owned(int(self._records.script_ids[script]), owner)
        return self._entity(entity_id(kind, table, scope), kind, table, script, owner)

    def result(self, process: int) -> int:
        """Of what a query gives that writes nothing."""
        hash = self._records.process(process).query_hash
        identity = entity_id(EntityKind.RESULT_SET, (f"query_{hash[:12]}",), self._process_id(process))
        return self._entity(identity, "result", process)

    def orphans(self, process: int) -> int:
        """Of the pseudo table of columns that nobody can own."""
        return self._entity(
            entity_id(EntityKind.ORPHAN, (ORPHAN_TABLE,), self._process_id(process)), "orphans", process
        )

    def inner(self, process: int, entity: int) -> int:
        """Of an entity inside of a statement."""
        return self._new("inner", process, entity)

    def procedure(self, process: int, nth: int) -> int:
        """Of a procedure."""
        return self._new("procedure", process, nth)

    def variable(self, script: int, variable: Variable) -> int:
        """Of a variable of the program that it is about."""
        return self._new("variable", *name_of(variable), self.nth(script, variable))

    def column(self, entity: int, name: str, ordinal: int | None = None) -> int:
        """Of a column."""
        at = entity - self._records.first_entity
        if 0 <= at < len(self._entity_ids):
            owner = int(self._entity_ids[at])
            for identity in (column_id(owner, name), *(() if ordinal is None else (column_id(owner, name, ordinal),))):
                node = self._nodes.find(identity)
                if node >= 0:
                    return self._records.first_column + node
        return self._new("column", entity, name, ordinal)

    def _entity(self, identity: int, *key: object) -> int:
        found = self._entities.find(identity)
        return self._records.first_entity + found if found >= 0 else self._new(*key)

    def _process_id(self, process: int) -> int:
        return self._records.process_id(process)

    def _new(self, *key: object) -> int:
        if key not in self._inside:
            self._inside[key] = self._next
            self._next += 1
        return self._inside[key]


class _Index:
    """Where ids stand in an array."""

    def __init__(self, ids: Ints) -> None:
        self._ids = ids
        self._order = np.argsort(ids, kind="stable").astype(np.int32)

    def find(self, id: int) -> int:
        """The row of an id; -1 if it is not there."""
        at = int(np.searchsorted(self._ids, id, sorter=self._order))
        return int(self._order[at]) if at < len(self._order) and self._ids[self._order[at]] == id else -1
