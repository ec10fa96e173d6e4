"""Fields of struct columns: which column `s.x` is, wherever `s` came from.

A table's field is a column of the table, under its path. A result set's field is followed to where the struct was built, or
passed through; only a field of something opaque is the whole of it.
"""

from __future__ import annotations

from collections.abc import Sequence

from headwater.model.entity import FILES, PERSISTENT
from headwater.model.kind import IDENTITY, TRANSFORMATION
from headwater.model.resolution import Edge
from headwater.resolve.builder import Builder
from headwater.resolve.field_names import struct_fields


def path_of(builder: Builder, column: int, fields: Sequence[str]) -> int:
    """The column that a field path below *column* names."""
    for name in fields:
        column = field_of(builder, column, name)
    return column


def field_of(builder: Builder, column: int, name: str) -> int:
    """The column that the field *name* of *column* is; made when first asked for."""
    found = builder.fields.get((column, name))
    if found is None:
        found = builder.fields[column, name] = _made(builder, column, name)
    return found


def _made(builder: Builder, column: int, name: str) -> int:
    entity, parent, _ = builder.columns[column]
    if parent == "*" and builder.entities[entity].kind in FILES:
        return column
    field = builder.column(entity, f"{parent}.{name}" if parent else name, None)
    builder.fields[column, name] = field
    edges = builder.edges
    if builder.entities[entity].kind in PERSISTENT:
        return field
    built = builder.structs.get(column)
    if built is not None and built.flow_into(name, field):
        return field
    if column in builder.unions:
        names = struct_fields(builder, column)
        builder.unions[field] = [same_field(builder, branch, name, names) for branch in builder.unions[column]]
        edges.extend((field, branch, IDENTITY, None) for branch in builder.unions[field])
    elif column in builder.elements:
        builder.elements[field] = source = field_of(builder, builder.elements[column], name)
        edges.append((field, source, TRANSFORMATION, None))
    elif column in builder.origins:
        builder.origins[field] = source = field_of(builder, builder.origins[column], name)
        edges.append((field, source, IDENTITY, None))
    else:
        fill(builder, column)
        edges.append((field, column, TRANSFORMATION, None))
    return field


def same_field(builder: Builder, value: int, name: str, names: Sequence[str], by_position: bool = False) -> int:
    """The field of a struct that stands for the field *name* of the first one, whose are *names*: of that name, else in its position."""
    own = struct_fields(builder, value) if name in names else []
    if own and (by_position or name not in own):
        position = names.index(name)
        name = own[position] if position < len(own) else name
    return field_of(builder, value, name)


def passed_on(builder: Builder, column: int, before: int) -> Edge | None:
    """The edge into a column, if it is the only one since there were *before* edges."""
    edges = builder.edges
    only = len(edges) > before and edges[-1][0] == column and (len(edges) == before + 1 or edges[-2][0] != column)
    return edges[-1] if only else None


def fill(builder: Builder, column: int) -> None:
    """Let a value flow into the column that stands for it, unless it did before."""
    shape = builder.unfilled.pop(column, None)
    if shape is not None:
        shape.fill(column)
