"""A query that another database runs: it is SQL of that database, resolved as such, and its outputs are the relation's columns."""

from __future__ import annotations

from collections.abc import Callable

from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.relation import attributes
from headwater.analyzers.select import Attribute, Select, Unread
from headwater.lineage.column_level import Eliminator
from headwater.model.entity import PSEUDO_ROWS
from headwater.model.resolution import Resolution
from headwater.resolve.builder import Builder, Table
from headwater.resolve.scope import ResultSet
from headwater.sql.jdbc_names import Database

Resolve = Callable[[str, str], Resolution]
"""Resolves a statement in a dialect."""


def read_foreign_query(
    select: Select, node: Node, query: str, database: Database, resolve: Resolve, table: Callable[..., Table]
) -> list[Attribute]:
    """The outputs of a relation that is a query; *table* gives the table of a whole name."""
    resolution = resolve(query, database.dialect)
    listed = attributes(node)
    if len(resolution.outputs) != len(listed):
        raise Unread("a query to another database whose columns are not known")
    builder: Builder = select.builder
    builder.diagnostics.extend(resolution.diagnostics)
    result = ResultSet(builder, "select_list", None)
    targets = {resolution.output_rows: result.rows}
    outputs = []
    for each, column in zip(listed, resolution.outputs, strict=True):
        targets[column] = result.add(select.fold(each.label), None)
        outputs.append(Attribute(each.id, each.label, targets[column]))
    for target, found in Eliminator(resolution, literals=False).numbered():
        for source, kind, _ in found if target in targets else ():
            entity, name, _ = resolution.columns[source]
            parts = resolution.entities[entity].table
            if parts is None:
                continue
            owner = builder.reads(table(database.table(parts)))
            column = owner.rows if name == PSEUDO_ROWS else owner.claim(select.fold(name))
            builder.edge(targets[target], column, kind, None)
    select.items.append(result.complete().rows)
    return outputs
