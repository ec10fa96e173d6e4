"""One statement of a program: its resolution, what it does to variables, and what these held whenever it ran."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from headwater.lineage.column_level import Eliminator
from headwater.model.entity import PERSISTENT, PSEUDO_ROWS, EntityKind
from headwater.model.kind import AGGREGATE_ROWS, compose
from headwater.model.resolution import LITERALS, Edge, EntityRow, Resolution, Variable
from headwater.model.span import Span
from headwater.procedural.control import ROWS_OF_TRIGGER, controlled, decided_rows, deciding
from headwater.procedural.origin import NOTHING, Held, Key, Origin, State, joined, through
from headwater.sql.statement import Statement

_CHANGES = ("Update", "Delete")
_WHOLE = (PSEUDO_ROWS, "*")
"""Columns that stand for all of a record, cursor or collection: who assigns to one replaces the others."""
_MOST_HELD = 5_000
"""Origins that one variable may hold: beyond, more would not tell anybody more."""


class StepResolution:
    """A statement under way."""

    def __init__(self, statement: Statement, resolution: Resolution, place: Span) -> None:
        self.statement = statement
        self.place = place
        """Where it stands; or, of a statement that stands in an executed text, where that is executed."""
        self.resolution = resolution
        self._reads: dict[int, Key] = {}
        """The columns of variables that it reads."""
        self._held: dict[Key, Held] = {}
        self._controls: dict[Key, Variable] = {}
        self._all_reads = self._reads
        entities = resolution.entities
        assigned = {resolution.columns[column][0] for column in resolution.assigned}
        for number, (entity, name, _) in enumerate(resolution.columns):
            variable = entities[entity].variable
            if variable is not None and entity not in assigned:
                self._reads[number] = (variable.number, name)
        variables = (row.variable for row in entities)
        self._kinds = {each.number: each.kind for each in variables if each is not None}
        self._makes = self._transfer() if resolution.assigned else {}
        self._added_to = {
            key[0]
            for key, sources in self._makes.items()
            if key[1] in _WHOLE and any(self._reads.get(source) == key for source, _ in sources)
        }
        """Collections that keep the elements that they had."""
        self._fields = [key for key in self._makes if self._is_field(key) and key[0] not in self._added_to]
        self._is_condition = any(variable.kind == "condition" for variable in self.decides.values())

    def _is_field(self, key: Key) -> bool:
        """Whether a column is a field of a record, which may have fields itself."""
        return key[1] not in _WHOLE and self._kinds.get(key[0]) == "record"

    def _transfer(self) -> dict[Key, list[tuple[int, int]]]:
        """For each column of a variable that is assigned: the columns that flow into it, with their kinds."""
        resolution = self.resolution
        eliminator = Eliminator(resolution, variables=True)
        made = {}
        for column in resolution.assigned:
            entity, name, _ = resolution.columns[column]
            variable = resolution.entities[entity].variable
            assert variable is not None
            made[variable.number, name] = list(eliminator.sources_of(column))
        return made

    @property
    def changes(self) -> Iterable[Key]:
        """The columns of variables that it assigns to."""
        return self._makes

    @property
    def assigns(self) -> set[int]:
        """The variables that it assigns to."""
        return {number for number, _ in self._makes}

    @property
    def decides(self) -> dict[Key, Variable]:
        """What decides over the steps that this one guards: its condition, the rows it goes through, or what it counts."""
        found: dict[Key, Variable] = {}
        resolution = self.resolution
        for column in resolution.assigned:
            entity, name, _ = resolution.columns[column]
            variable = resolution.entities[entity].variable
            assert variable is not None
            if variable.kind in ("condition", "scalar") or name == PSEUDO_ROWS:
                found[variable.number, name] = variable
        return found

    def run(self, state: State, controls: dict[Key, Variable]) -> State:
        """The state behind this statement. What decides over a condition decides over what that guards, and need not be told here."""
        if self._is_condition:
            controls = {}
        for key in {*self._reads.values(), *controls}:
            held = state.get(key)
            if held:
                before = self._held.get(key, NOTHING)
                self._held[key] = held if held is before else {**before, **held}
        self._controls.update(controls)
        if not self._makes:
            return state
        after = state.copy()
        decided = {
            of_rows: [
                (key[0], through(state.get(key), deciding(variable, of_rows)))
                for key, variable in controls.items()
                if variable.name != ROWS_OF_TRIGGER
            ]
            for of_rows in {name == PSEUDO_ROWS for _, name in self._makes}
        }
        values = {}
        for key, sources in self._makes.items():
            deciders = (held for number, held in decided[key[1] == PSEUDO_ROWS] if number != key[0])
            values[key] = joined([*deciders, *self._values(sources, state)])
        for number in {number for number, name in values if name in _WHOLE} - self._added_to:
            after.forget(number)
        for number, name in self._fields:
            after.forget(number, f"{name}.")
        for key, value in values.items():
            after.set(key, value if len(value) <= _MOST_HELD else dict(list(value.items())[:_MOST_HELD]))
        return after

    def counted(self, state: State) -> Held:
        """What decides how many rows the statement changes."""
        resolution = self.resolution
        eliminator = Eliminator(resolution, variables=True)
        found: list[Held] = []
        for rows in decided_rows(resolution):
            sources = [(source, compose(kind, AGGREGATE_ROWS)) for source, kind in eliminator.sources_of(rows)]
            found += self._values(sources, state)
        if resolution.process.type in _CHANGES:
            found += [{(origin, AGGREGATE_ROWS): None} for origin in self._changed_rows()]
        return joined(found)

    def _changed_rows(self) -> Iterator[Origin]:
        """The row sets of the tables whose rows are changed."""
        for entity in self.resolution.written:
            row = self.resolution.entities[entity]
            yield Origin(row.kind, row.table, PSEUDO_ROWS, row.temporary, row.spelled)

    def _values(self, sources: list[tuple[int, int]], state: State) -> list[Held]:
        found: list[Held] = []
        for source, kind in sources:
            key = self._reads.get(source)
            if key is not None:
                found.append(through(state.get(key), kind))
            else:
                origin = self._origin(source)
                if origin is not None:
                    span = self.resolution.locate(self.resolution.columns[source][2])
                    found.append({(origin, kind): span})
        return found

    def _origin(self, column: int) -> Origin | None:
        entity, name, place = self.resolution.columns[column]
        row = self.resolution.entities[entity]
        if entity == LITERALS:
            return Origin(EntityKind.LITERAL, None, name or self.resolution.expression(place)[0])
        if row.kind not in PERSISTENT:
            return None
        return Origin(row.kind, row.table, name, row.temporary, row.spelled)

    def origins(self, column: int, kind: int) -> Iterator[tuple[Origin, int]]:
        """Where a column of the finished resolution is from: of a variable's, all that it held."""
        key = self._all_reads.get(column)
        if key is not None:
            yield from through(self._held.get(key, NOTHING), kind)
        else:
            origin = self._origin(column)
            if origin is not None:
                yield origin, kind

    def finished(self, procedure: str) -> Resolution:
        """The resolution, with what decides over the statement and what its variables held."""
        resolution = self.resolution
        process = resolution.process
        if process.procedure != procedure:
            process = replace(process, procedure=procedure)
        edges = list(resolution.edges)
        reads = dict(self._reads)
        for key, variable in self._controls.items():
            row = EntityRow(EntityKind.VARIABLE, variable.kind, variable.place, spelled=variable.name)
            row.variable = variable
            resolution.entities.append(row)
            resolution.columns.append((len(resolution.entities) - 1, key[1], variable.place))
            column = len(resolution.columns) - 1
            reads[column] = key
            edges += controlled(resolution, column)
        self._all_reads = reads
        return resolution._replace(process=process, edges=edges, values=tuple(self._held_by(reads)))

    def _held_by(self, reads: dict[int, Key]) -> list[Edge]:
        found: list[Edge] = []
        columns = _Columns(self.resolution)
        for column, key in reads.items():
            for (origin, kind), place in self._held.get(key, NOTHING).items():
                if origin.kind is not EntityKind.VARIABLE:
                    found.append((column, columns.of(origin, place), kind, place))
        return found


class _Columns:
    """Columns of a resolution that stand for the origins of values, made as they are asked for."""

    def __init__(self, resolution: Resolution) -> None:
        self._resolution = resolution
        self._entities: dict[tuple[object, ...], int] = {}
        self._columns: dict[tuple[int, str], int] = {}
        for number, row in enumerate(resolution.entities):
            if row.kind in PERSISTENT and row.table is not None:
                self._entities.setdefault((row.kind, row.table, row.temporary), number)
        for number, (entity, name, _) in enumerate(resolution.columns):
            self._columns.setdefault((entity, name), number)

    def of(self, origin: Origin, place: object) -> int:
        """The column of an origin."""
        columns = self._resolution.columns
        if origin.kind is EntityKind.LITERAL:
            columns.append((LITERALS, origin.column, place))
            return len(columns) - 1
        owner = (origin.kind, origin.table, origin.temporary)
        entity = self._entities.get(owner)
        if entity is None:
            row = EntityRow(origin.kind, origin.kind.value, None, origin.table, origin.spelled)
            row.temporary = origin.temporary
            self._resolution.entities.append(row)
            entity = self._entities[owner] = len(self._resolution.entities) - 1
        found = self._columns.get((entity, origin.column))
        if found is None:
            columns.append((entity, origin.column, None))
            found = self._columns[entity, origin.column] = len(columns) - 1
        return found
