"""The tables that a statement needs in order to run, and the types of their columns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlglot import exp
from sqlglot.errors import SqlglotError

from headwater.model.entity import PSEUDO_ROWS, EntityKind, TableName
from headwater.model.resolution import Resolution
from headwater.resolve import Session
from headwater.sql.dialect import Dialect

_RUNNABLE = (EntityKind.TABLE, EntityKind.VIEW)
_FRACTIONS = exp.DataType.build("decimal(18, 4)")
"""For all decimals: without digits behind the point, too few values would be told apart."""
_MAX_TYPE_DEPTH = 16
"""Types inside of each other that data is made for; there is more of it with each level of arrays."""
_FILLED = ("Update", "Merge", "Delete")
"""Statements that change what their target holds already."""


class UnmadeTable(Exception):
    """A table that cannot be made, and why."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table to make before the statement runs: its columns with their types, `None` where nothing tells the type."""

    name: TableName
    columns: Mapping[str, exp.DataType | None]
    filled: bool = True
    """Whether it has rows."""


def needed_tables(resolution: Resolution, session: Session, dialect: Dialect) -> list[Table]:
    """The tables that a statement reads or writes and does not make itself."""
    made = {d.table for d in resolution.defines if not d.dropped}
    asked = _asked(resolution)
    found = []
    for number in dict.fromkeys([*resolution.read, *resolution.written]):
        row = resolution.entities[number]
        if row.kind not in _RUNNABLE or row.table is None:
            continue
        written_only = number not in resolution.read
        if written_only and row.table in made:
            continue
        known = session.columns(row.table, dialect)
        columns = {name: _type(kind, dialect) for name, kind in known.items()} if known else asked.get(number, {})
        if "*" in columns:
            raise UnmadeTable(f"nothing tells the columns of {'.'.join(row.table)}")
        filled = not written_only or resolution.process.type in _FILLED
        found.append(Table(row.table, columns or {"other": None}, filled))
    return found


def _asked(resolution: Resolution) -> dict[int, dict[str, exp.DataType | None]]:
    """For each entity the columns that the statement names; those whose fields it names are structures of whole numbers."""
    fields: dict[int, dict[str, list[str]]] = {}
    for entity, name, _ in resolution.columns:
        if name != PSEUDO_ROWS:
            head, _, field = name.partition(".")
            fields.setdefault(entity, {}).setdefault(head, []).extend([field] if field else [])
    return {
        entity: {name: _structure(inner) if inner else None for name, inner in columns.items()}
        for entity, columns in fields.items()
    }


def _structure(fields: list[str]) -> exp.DataType | None:
    if any("." in field for field in fields):
        return None
    listed = [exp.ColumnDef(this=exp.to_identifier(field), kind=exp.DataType.build("int")) for field in fields]
    return exp.DataType(this=exp.DataType.Type.STRUCT, expressions=listed, nested=True)


def _type(kind: str, dialect: Dialect) -> exp.DataType | None:
    if not kind:
        return None
    try:
        found = exp.DataType.build(kind, dialect=dialect.grammar_name)
    except SqlglotError:
        return None
    except RecursionError:
        raise _too_deep() from None
    if _is_deep(found):
        raise _too_deep()
    return _FRACTIONS if found.this is exp.DataType.Type.DECIMAL else found


def _is_deep(kind: exp.DataType) -> bool:
    """Whether a type has more levels than data is made for."""
    level = [kind]
    for _ in range(_MAX_TYPE_DEPTH):
        parts = [part.kind if isinstance(part, exp.ColumnDef) else part for each in level for part in each.expressions]
        level = [part for part in parts if isinstance(part, exp.DataType)]
    return bool(level)


def _too_deep() -> UnmadeTable:
    return UnmadeTable(f"there is no data for a type that is nested more than {_MAX_TYPE_DEPTH} deep")


def unlisted(resolution: Resolution) -> Iterator[str]:
    """The sources of a statement that are no tables: files, stages, functions."""
    for number in resolution.read:
        row = resolution.entities[number]
        if row.kind not in _RUNNABLE or row.table is None:
            yield row.spelled or row.kind.value
