"""Tables that only the procedure knows which makes them: while hops are joined, those of one name are told apart by their procedure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from headwater.lineage.column_level import Edge
from headwater.model.entity import ColumnRef, is_private
from headwater.model.relation import OUTSIDE
from headwater.model.resolution import Resolution


class PrivateTables:
    """The private tables of a script's procedures, each under a name of its own."""

    def __init__(self, resolutions: Sequence[Resolution]) -> None:
        self._names: dict[tuple[str, str], str] = {}
        self._shown: dict[str, str] = {}
        for resolution in resolutions:
            procedure = resolution.process.procedure
            for definition in resolution.defines if procedure != OUTSIDE else ():
                if is_private(definition.table):
                    shown = ".".join(definition.table)
                    name = self._names[procedure, shown] = f"{shown} of {procedure}"
                    self._shown[name] = shown

    def __bool__(self) -> bool:
        return bool(self._names)

    def __iter__(self) -> Iterator[str]:
        return iter(self._shown)

    def name(self, resolution: Resolution, table: str) -> str:
        """A table's name to a statement: that of its procedure's own table, if it made one."""
        return self._names.get((resolution.process.procedure, table), table)

    def apart(self, resolution: Resolution, edges: list[Edge]) -> list[Edge]:
        """A statement's edges under the names that tell tables apart."""

        def own(ref: ColumnRef) -> ColumnRef:
            return ref if ref.table is None else ColumnRef(self.name(resolution, ref.table), ref.column)

        return [edge._replace(source=own(edge.source), target=own(edge.target)) for edge in edges]

    def together(self, edges: list[Edge]) -> list[Edge]:
        """The edges under the names that are shown."""

        def shown(ref: ColumnRef) -> ColumnRef:
            return ref if ref.table is None else ColumnRef(self._shown.get(ref.table, ref.table), ref.column)

        return [edge._replace(source=shown(edge.source), target=shown(edge.target)) for edge in edges]
