"""Dremio's functions that tell about an Iceberg table: `TABLE(table_history('lake.t'))`, `TABLE(table_files('lake.t'))`.

What they show is how the rows came to be and where they lie: each column depends on the table's rows, and holds none of its values.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import AGGREGATE_ROWS, FROM_ROWS
from headwater.resolve.call_argument import named_table
from headwater.resolve.from_item import add_derived
from headwater.resolve.generator import arguments_of
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.table_function import in_from
from headwater.sql.spelled_name import split_name, unquoted

_FUNCTIONS = tuple(f"table_{what}" for what in ("history", "snapshot", "files", "manifests", "partitions"))


class _Facts(ResultSet):
    """Any column, which the rows of the table decide over."""

    __slots__ = ("told_of",)
    told_of: int

    def claim(self, name: str) -> int:
        """A column of that name."""
        found = self.columns.get(name) or self.claims.get(name)
        if found is None:
            found = self.claims[name] = self.builder.column(self.entity, name, None)
            self.builder.edges.append((found, self.told_of, AGGREGATE_ROWS, None))
        return found

    def star(self) -> list[tuple[str, int]]:
        """All of them as one."""
        return [("*", self.claim("*"))]


@in_from(*_FUNCTIONS, dialects=("dremio",))
def table_metadata(scope: Scope, node: Any, call: Any) -> bool:
    """The facts of the table that a text names."""
    name, *_ = arguments_of(call) or [None]
    if not isinstance(name, exp.Literal) or not name.is_string:
        return False
    parts = [exp.to_identifier(part, quoted=quoted) for part, quoted in map(unquoted, split_name(name.name))]
    table = scope.builder.reads(scope.builder.table(named_table(parts)))
    result = _Facts(scope.builder, "function", node)
    result.told_of = table.rows
    result.open = True
    scope.builder.edge(result.rows, table.rows, FROM_ROWS, None)
    add_derived(scope, node, result.complete())
    return True
