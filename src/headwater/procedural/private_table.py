"""Tables that only a program knows: its own temporary tables and table variables. Behind it they mean what they meant before."""

from __future__ import annotations

from collections.abc import Iterable

from headwater.model.entity import TableName, is_private
from headwater.model.relation import OUTSIDE
from headwater.model.resolution import Definition, Resolution
from headwater.resolve import Session
from headwater.resolve.named_type import fields_of_type
from headwater.sql.dialect import Dialect
from headwater.sql.procedural.tree import Declared, Program


class PrivateTables:
    """The private tables of one run through a program; a script's belong to the session."""

    def __init__(self, procedure: str) -> None:
        self._procedure = procedure
        self._before: dict[TableName, Definition | None] = {}
        """What their names meant before the program."""

    def know_returned(self, program: Program, session: Session, dialect: Dialect) -> None:
        """`RETURNS @r TABLE (a int)`: a table variable whose rows the function returns."""
        if not program.rows_in:
            return
        table = (dialect.fold_column(program.rows_in, False),)
        columns = {dialect.fold_column(column, False): "" for column in program.columns}
        self._before[table] = session.defined.get(table)
        session.defined[table] = Definition(table, columns, temporary=True)

    def know_typed(self, declared: Declared, session: Session, dialect: Dialect) -> bool:
        """`DECLARE @t dbo.list`: a table variable, if the type is that of tables."""
        if not dialect.temporary_marks or not declared.type:
            return False
        fields = fields_of_type(session, dialect, declared.type.split()[0]) if session.programs else ()
        if not fields and not declared.type.upper().endswith(" READONLY"):
            return False
        table = (dialect.fold_column(declared.name, False),)
        if self._procedure != OUTSIDE:
            self._before.setdefault(table, session.defined.get(table))
        session.defined[table] = Definition(table, dict.fromkeys(fields, "") or None, temporary=True)
        return True

    def own(self, table: TableName) -> bool:
        """Whether a table is one of the program's own."""
        return table in self._before

    def keep(self, resolution: Resolution, session: Session) -> None:
        """Remember what the tables that a statement defines meant before it."""
        for definition in resolution.defines:
            if is_private(definition.table) and self._procedure != OUTSIDE:
                self._before.setdefault(definition.table, session.defined.get(definition.table))

    def forget(self, session: Session) -> None:
        """Behind the program: let their names mean what they meant before."""
        for table, before in self._before.items():
            if before is None:
                session.defined.pop(table, None)
            else:
                session.defined[table] = before

    def mark(self, resolutions: Iterable[Resolution]) -> None:
        """Tell these tables from those of the same name elsewhere."""
        for row in (row for resolution in resolutions for row in resolution.entities):
            if row.table in self._before:
                row.owner = self._procedure
