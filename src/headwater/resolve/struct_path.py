"""Paths of fields that a script writes: `s.x.y`, `s['x']`, `(a, b).2`. A field that a known struct lacks gets a diagnostic."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from headwater.model.diagnostic import Code
from headwater.model.entity import PERSISTENT
from headwater.resolve.builder import Builder
from headwater.resolve.field import field_of
from headwater.resolve.field_names import struct_fields
from headwater.resolve.map_parts import MAPS
from headwater.resolve.scope import Scope
from headwater.resolve.suggestion import near_name

_SUBCOLUMN = re.compile(r"size\d+|null|keys|values|key|value")
"""What ClickHouse stores beside the values of an array, a map or a nullable column, under names of its own."""


def struct_path(scope: Scope, column: int, fields: Sequence[str], node: Any) -> int:
    """The column that a path below a column names; of a table's column it is that path, whether or not its type has it."""
    builder = scope.builder
    for name in fields:
        if name.isdecimal():
            name = _numbered(scope, column, int(name))
        if lacks(scope, column, name):
            say_missing(scope, column, name, node)
            if not _is_of_table(builder, column):
                return builder.orphan(name, node)
        column = field_of(builder, column, name)
    return column


def _numbered(scope: Scope, column: int, number: int) -> str:
    """The field that ClickHouse's `t.1` means, where the fields of t are known."""
    names = struct_fields(scope.builder, column) if scope.dialect.family == "clickhouse" else []
    return names[number - 1] if 0 < number <= len(names) else str(number)


def missing_field(scope: Scope, column: int, name: str, node: Any) -> int:
    """What stands for a field that a struct lacks, with the diagnostic."""
    say_missing(scope, column, name, node)
    return scope.builder.orphan(name, node)


def _is_of_table(builder: Builder, column: int) -> bool:
    """Whether a value is a table's column, an element of one, or such handed through a result set."""
    while column in builder.origins or column in builder.elements:
        column = builder.origins.get(column, builder.elements.get(column, column))
    return builder.entities[builder.columns[column][0]].kind in PERSISTENT


def lacks(scope: Scope, column: int, name: str) -> bool:
    """Whether a value is known to have fields, and none of that name."""
    names = struct_fields(scope.builder, column)
    if not names or name in names or _is_map(scope.builder, column):
        return False
    return not (scope.dialect.family == "clickhouse" and _SUBCOLUMN.fullmatch(name))


def _is_map(builder: Builder, column: int) -> bool:
    """Whether a value is a map that the statement constructs: `m.k` is the value of the key k."""
    while column in builder.origins:
        column = builder.origins[column]
    return isinstance(getattr(builder.structs.get(column), "node", None), MAPS)


def say_missing(scope: Scope, column: int, name: str, node: Any) -> None:
    """Report that a struct has no field of that name."""
    builder = scope.builder
    struct = builder.columns[column][1]
    owner = f"the struct {struct}" if struct else "the struct"
    hint = near_name(builder, name, struct_fields(builder, column))
    builder.say(Code.UNRESOLVED_COLUMN, f"{owner} has no field {name}", node, name, hint)
