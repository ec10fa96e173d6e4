"""What a routine does on behalf of whoever calls it: from its parameters and tables to tables, out parameters and what it gives back.

What it does between tables alone needs no caller: that is told by its own statements.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from headwater.lineage.column_level import Eliminator
from headwater.model.entity import PSEUDO_ROWS, EntityKind, TableName, is_private
from headwater.model.kind import KINDS
from headwater.model.resolution import Effect, End, Resolution, Variable
from headwater.procedural.origin import Held, Origin, State
from headwater.procedural.step import StepResolution

_MOST = 20_000
"""Effects that one routine may have."""


class Summary:
    """The effects of a routine under construction. *parameters* are its variables, in order; *session* are those that its callers share."""

    def __init__(
        self,
        parameters: list[Variable],
        session: list[Variable],
        tables: Mapping[TableName, int],
        own: Callable[[TableName], bool],
    ) -> None:
        """*tables* are parameters that are tables; *own* tells whether a private table is made by the routine itself."""
        self._positions = {variable.number: i for i, variable in enumerate(parameters)}
        self._tables = tables
        self._own = own
        self._session = {variable.number for variable in session}
        self._found: dict[Effect, None] = {}
        self.columns: list[str] = []
        """The columns of the rows that it shows or gives back."""

    @property
    def effects(self) -> tuple[Effect, ...]:
        """All that was found."""
        return tuple(self._found)[:_MOST]

    def step(self, step: StepResolution, resolution: Resolution, rows_in: str) -> None:
        """What a statement does with the parameters; and what it shows, or puts into the table that is given back."""
        eliminator = Eliminator(resolution, variables=True)
        for column in eliminator.targets():
            end = self._target(resolution, column, rows_in)
            if end is None:
                continue
            for source, kind in eliminator.sources_of(column):
                for origin, whole in step.origins(source, kind):
                    of_caller = self._is_callers(origin.table) or self._is_callers(end.table)
                    if of_caller or origin.kind is EntityKind.VARIABLE or end.kind is EntityKind.RESULT_SET:
                        self._add(origin, end, whole)

    def _is_callers(self, table: TableName | None) -> bool:
        """Whether a table is known only to the routine and its caller: a temporary one that it does not make, or a parameter."""
        return table is not None and (table in self._tables or (is_private(table) and not self._own(table)))

    def _target(self, resolution: Resolution, column: int, rows_in: str) -> End | None:
        entity, name, _ = resolution.columns[column]
        row = resolution.entities[entity]
        if row.table is not None:
            if rows_in and row.table == (rows_in,):
                return self._given(name)
            return End(name, self._tables.get(row.table, -1), row.kind, row.table, row.temporary)
        if column == resolution.output_rows:
            return self._given(PSEUDO_ROWS)
        ordinal = resolution.outputs.index(column)
        if ordinal >= len(self.columns):
            self.columns += [resolution.columns[c][1] for c in resolution.outputs[len(self.columns) :]]
        return self._given(self.columns[ordinal])

    def _given(self, name: str) -> End:
        return End(name, -1, EntityKind.RESULT_SET)

    def out(self, parameter: Variable, state: State) -> None:
        """What an out parameter holds in the end: of a cursor or record, each of its columns."""
        names = [parameter.name] if parameter.kind == "scalar" else state.names(parameter.number)
        for name in names:
            self._held(state.get((parameter.number, name)), End(name, self._positions[parameter.number]))

    def of_session(self, variable: Variable, state: State) -> None:
        """What a variable of the session holds in the end."""
        self._held(state.get((variable.number, variable.name)), End(variable.name))

    def returned(
        self, names: Iterable[str], variable: Variable, state: State, declared: Mapping[str, str] | None = None
    ) -> None:
        """What a function gives back; *declared* are the names that its columns have for the caller."""
        for name in names:
            held = state.get((variable.number, name))
            given = name if declared is None else declared.get(name, name)
            if held and name != PSEUDO_ROWS and given not in self.columns:
                self.columns.append(given)
            self._held(held, self._given(given))

    def column(self, name: str, variable: Variable, state: State) -> None:
        """What a function gives back in one of its columns: what an OUT parameter holds in the end."""
        if name not in self.columns:
            self.columns.append(name)
        self._held(state.get((variable.number, variable.name)), self._given(name))

    def _held(self, held: Held, end: End) -> None:
        for origin, kind in held:
            self._add(origin, end, kind)

    def _add(self, origin: Origin, end: End, kind: int) -> None:
        source = self._source(origin)
        if source is not None and (source != end or end.kind is EntityKind.VARIABLE):
            self._found[Effect(source, end, KINDS[kind])] = None

    def _source(self, origin: Origin) -> End | None:
        if origin.kind is EntityKind.LITERAL:
            return None
        if origin.kind is EntityKind.VARIABLE:
            if origin.number in self._session:
                return End(origin.column)
            position = self._positions.get(origin.number)
            return None if position is None else End(origin.column, position)
        given = -1 if origin.table is None else self._tables.get(origin.table, -1)
        return End(origin.column, given, origin.kind, origin.table, origin.temporary)
