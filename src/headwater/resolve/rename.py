"""Whole tables and partitions that move: RENAME, SWAP, EXCHANGE, SWITCH, APPEND."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from headwater.model.kind import MOVED
from headwater.model.resolution import Definition
from headwater.resolve.builder import Builder, Table
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves
from headwater.sql.form import PartitionMove, Renaming


@resolves(Renaming)
def renaming(builder: Builder, form: Renaming, environment: Environment) -> Outcome:
    """`RENAME TABLE a TO b, c TO d`, `EXCHANGE TABLES a AND b`."""
    for old, new in form.pairs:
        if form.swap:
            swap(builder, builder.table(old), builder.table(new))
        else:
            rename(builder, builder.table(old), builder.table(new))
    return Outcome(form.type, effect="swap_table" if form.swap else "rename_table")


@resolves(PartitionMove)
def partition_move(builder: Builder, form: PartitionMove, environment: Environment) -> Outcome:
    """Rows of one table become rows of another, or both change places; the tables themselves stay."""
    target, source = builder.table(form.target), builder.table(form.source)
    move(builder, source, target)
    if form.swap:
        move(builder, target, source)
    return Outcome("Alter Table", effect="swap_table")


def rename(builder: Builder, old: Table, new: Table) -> None:
    """A table gets another name: rows and columns are the same, and the old name is free."""
    move(builder, old, new)
    builder.altered[old.name] = None
    known = builder.session.definition(old.name)
    if known is not None and not known.dropped:
        builder.entities[new.entity].kind = builder.entities[old.entity].kind
        builder.entities[new.entity].type = builder.entities[old.entity].type
        builder.entities[new.entity].temporary = known.temporary
        builder.defines.append(known._replace(table=new.name, columns=old.schema))
    else:
        builder.defines.append(Definition(new.name, old.schema))
    builder.defines.append(Definition(old.name, None, dropped=True))


def swap(builder: Builder, one: Table, other: Table) -> None:
    """Two tables take each other's name."""
    columns = one.schema, other.schema
    move(builder, one, other, alike=False)
    move(builder, other, one, alike=False)
    builder.altered.pop(one.name, None)
    for table, schema in zip((other, one), columns, strict=True):
        builder.defines.append(Definition(table.name, schema, unknown=schema is None))


def move(builder: Builder, source: Table, target: Table, alike: bool = True) -> None:
    """Row set to row set, and column to column; tables that are *alike* have each other's.

    Where nobody knows the columns, those of the target that other statements ask for are the source's of the same name.
    """
    names = source.schema or (target.schema if alike else None)
    move_columns(builder, source, target, names or ())
    if names is None:
        builder.moved.append((target.entity, source.entity))


def move_columns(builder: Builder, source: Table, target: Table, names: Iterable[str]) -> None:
    """Row set to row set, and these columns."""
    builder.reads(source)
    builder.writes(target)
    for name in names:
        builder.edge(target.claim(name), source.claim(name), MOVED, None)
    builder.edge(target.rows, source.rows, MOVED, None)


def rename_column(builder: Builder, table: Table, old: Any, new: Any) -> dict[str, str] | None:
    """`RENAME COLUMN a TO b`: b is a; the table's columns afterwards, if they are known."""
    before, after = builder.dialect.column(old), builder.dialect.column(new)
    builder.writes(table)
    builder.edge(table.claim(after), table.claim(before), MOVED, None)
    builder.added.append((table.name, after))
    if table.schema is None:
        return None
    return {after if name == before else name: kind for name, kind in table.schema.items()}
