"""Structs without some of their fields: what `* EXCEPT (s.x)` leaves of s.

```sql
SELECT * EXCEPT (s.x) FROM t   -- s is a struct of its other fields; each is as it was
```
"""

from __future__ import annotations

from typing import Any

from headwater.model.kind import IDENTITY, TRANSFORMATION
from headwater.resolve.field import field_of
from headwater.resolve.field_names import struct_fields
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.shape import Built

Paths = list[tuple[str, ...]]


def add_trimmed(scope: Scope, column: int, name: str, gone: Paths, result: ResultSet, place: Any) -> None:
    """Add a struct without the fields at the paths *gone* as an output; all of it where its fields are unknown."""
    _trim(scope, result.add(name, place), column, gone, place)


def _trim(scope: Scope, target: int, column: int, gone: Paths, place: Any) -> None:
    """Let what is left of a struct flow into a column."""
    builder = scope.builder
    members: dict[str, Any] = {}
    fields = struct_fields(builder, column)
    for field in fields:
        below = [path[1:] for path in gone if path[0] == field]
        if () not in below:
            members[field] = _member(scope, field_of(builder, column, field), below, place)
    for source in members.values() if fields else (column,):
        builder.edge(target, source, TRANSFORMATION, place)
    if fields and not members:
        builder.edge(target, builder.literal(place), IDENTITY, place)
    if fields:
        builder.structs[target] = Built(scope, place, members, [])


def _member(scope: Scope, field: int, gone: Paths, place: Any) -> int:
    """A field of the struct, or what is left of it."""
    if not gone:
        return field
    made = scope.builder.function(place)
    _trim(scope, made, field, gone, place)
    return made
