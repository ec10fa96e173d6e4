"""The rows of a query log in one form, whatever the log looks like: what `logs` makes scripts of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headwater.runtime.arrow_ddl import type_of

if TYPE_CHECKING:
    from pyspark.sql import Column, DataFrame

_TIME = pa.timestamp("us", tz="UTC")
LOG_ROW = pa.schema(
    [
        *((name, pa.string()) for name in ("text", "dialect", "default_schema")),
        *((name, _TIME) for name in ("first", "last")),
        ("users", pa.list_(pa.string())),
        ("session", pa.string()),
        ("position", pa.int64()),
        ("seen", pa.int64()),
        ("bytes", pa.int64()),
        *((name, pa.float64()) for name in ("seconds", "credits")),
        *((name, pa.string()) for name in ("id", "cut")),
    ]
)
"""Such a row: `cut` says why a text is not whole, `seen` how often it ran, `position` where it stands among others of the same time."""


def log_row(**known: Column) -> list[Column]:
    """The columns of a row, of which only some are known."""
    from pyspark.sql import functions as f

    given: dict[str, Any] = {"seen": f.lit(1), "cut": f.lit(""), "users": f.array(), "position": f.lit(0), **known}
    return [given.get(each.name, f.lit(None)).cast(type_of(each.type)).alias(each.name) for each in LOG_ROW]


def users_of(user: Column) -> Column:
    """The users of a row: one, or none."""
    from pyspark.sql import functions as f

    return f.array_compact(f.array(f.nullif(f.trim(user.cast("string")), f.lit(""))))


def path_of(frame: DataFrame, path: str) -> str | None:
    """How a column, or a field of one, is spelled in a frame, in any case of letters; None if it is not there."""
    from pyspark.sql.types import StructType

    found: list[str] = []
    inside: Any = frame.schema
    for part in path.split("."):
        if not isinstance(inside, StructType):
            return None
        name = next((each for each in inside.fieldNames() if each.lower() == part.lower()), None)
        if name is None:
            return None
        found.append(f"`{name}`")
        inside = inside[name].dataType
    return ".".join(found)
