"""Arrow schemas as Spark's DDL, so that a schema is written down once."""

from __future__ import annotations

import pyarrow as pa

_SIMPLE = {
    pa.int32(): "int",
    pa.int64(): "bigint",
    pa.float64(): "double",
    pa.string(): "string",
    pa.bool_(): "boolean",
    pa.binary(): "binary",
    pa.timestamp("us", tz="UTC"): "timestamp",
}


def ddl(schema: pa.Schema) -> str:
    """The schema for `mapInArrow` and the like."""
    return ", ".join(f"`{field.name}` {type_of(field.type)}" for field in schema)


def type_of(type: pa.DataType) -> str:
    """A type as Spark spells it."""
    if pa.types.is_list(type):
        return f"array<{type_of(type.value_type)}>"
    if pa.types.is_struct(type):
        return f"struct<{', '.join(f'`{field.name}`: {type_of(field.type)}' for field in type)}>"
    return _SIMPLE[type]
