"""A struct whose fields are not declared, as an owner of columns."""

from __future__ import annotations

from headwater.resolve.builder import Owner
from headwater.resolve.field import field_of
from headwater.resolve.scope import Scope


class OpenStruct(Owner):
    """The fields of a struct that no schema declares: any name may be one."""

    __slots__ = ("struct",)

    def __init__(self, scope: Scope, struct: int) -> None:
        self.builder, self.entity, self.rows = scope.builder, scope.builder.columns[struct][0], -1
        self.open, self.columns = True, {}
        self.listed = {}
        self.struct = struct

    def claim(self, name: str) -> int:
        """The field of that name."""
        return field_of(self.builder, self.struct, name)

    def star(self) -> list[tuple[str, int]]:
        """The struct as a whole."""
        return [("*", self.struct)]
