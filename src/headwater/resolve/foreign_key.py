"""Foreign keys: a column and the key that it refers to. Shown as a relation, not followed as data flow."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from headwater.model.kind import FOREIGN_KEY
from headwater.resolve.builder import Builder, Table


def foreign_keys(builder: Builder, table: Table, items: Sequence[Any]) -> None:
    """The foreign keys among a table's elements: `a int REFERENCES u (b)`, `FOREIGN KEY (a, c) REFERENCES u (b, d)`."""
    for item in items:
        if isinstance(item, exp.ColumnDef):
            for constraint in item.args.get("constraints") or ():
                kind = constraint.args.get("kind")
                if isinstance(kind, exp.ForeignKey):
                    _refer(builder, table, kind.expressions or [item.this], kind.args.get("reference"))
                else:
                    _refer(builder, table, [item.this], kind)
        elif isinstance(item, exp.ForeignKey):
            _refer(builder, table, item.expressions, item.args.get("reference"))
        elif isinstance(item, exp.Constraint):
            foreign_keys(builder, table, item.expressions)


def _refer(builder: Builder, table: Table, columns: Sequence[Any], reference: Any) -> None:
    """Each column to the key's column of the same position; to the table's `*` where the statement names none and nobody knows."""
    if not isinstance(reference, exp.Reference):
        return
    referred = reference.this
    keys = referred.expressions if isinstance(referred, exp.Schema) else []
    other = builder.reads(builder.table(referred.this if isinstance(referred, exp.Schema) else referred))
    names = [builder.dialect.column(k) for k in keys if isinstance(k, exp.Identifier)] or _primary_key(builder, other)
    for i, column in enumerate(c for c in columns if isinstance(c, exp.Identifier)):
        source = other.claim(names[i] if i < len(names) else "*")
        own = builder.writes(table).claim(builder.dialect.column(column))
        builder.written_at(own, column)
        builder.edge(own, source, FOREIGN_KEY, column)


def _primary_key(builder: Builder, table: Table) -> Sequence[str]:
    """The key that a REFERENCES without columns means."""
    known = builder.session.definition(table.name)
    return known.key if known is not None else ()


def primary_key(builder: Builder, items: Sequence[Any]) -> tuple[str, ...]:
    """The columns of a table's primary key, as its elements declare it."""
    for item in items:
        if isinstance(item, exp.PrimaryKey):
            return tuple(
                builder.dialect.column(e.find(exp.Identifier)) for e in item.expressions if e.find(exp.Identifier)
            )
        if isinstance(item, exp.Constraint):
            inner = primary_key(builder, item.expressions)
            if inner:
                return inner
        constraints = item.args.get("constraints") or () if isinstance(item, exp.ColumnDef) else ()
        if any(isinstance(c.args.get("kind"), exp.PrimaryKeyColumnConstraint) for c in constraints):
            return (builder.dialect.column(item.this),)
    return ()
