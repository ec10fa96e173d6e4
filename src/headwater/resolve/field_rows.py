"""Unnested structs whose fields nobody declared: `u.x` is the field x of an element.

A name without `u` before it is not taken for such a field: then every column of the other tables would be in doubt.
"""

from __future__ import annotations

from typing import Any

from headwater.resolve.builder import Builder
from headwater.resolve.scope import ResultSet


class FieldRows(ResultSet):
    """The rows of UNNEST or inline; *element* is the column that stands for a struct, where its fields are not declared."""

    __slots__ = ("element",)

    def __init__(self, builder: Builder, type: str, place: Any) -> None:
        super().__init__(builder, type, place)
        self.element: int | None = None
