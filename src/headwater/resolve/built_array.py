"""Arrays of structs that the query builds: the fields of their elements, each from its own source.

`collect_list(struct(a AS x, b AS y))` and `[STRUCT(a AS x)]` remember the members of their structs, `ARRAY(SELECT AS STRUCT …)` the
outputs of its query; one flows when its field is asked for, of an element or, as Spark has it, of the array.

```sql
SELECT e.x FROM (SELECT collect_list(struct(a AS x, b AS y)) AS l FROM t) LATERAL VIEW explode(l) AS e   -- a, not b
```
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import AGGREGATION, IDENTITY, TRANSFORMATION, WHERE, WINDOW
from headwater.resolve.bind import column_of
from headwater.resolve.flow import flow
from headwater.resolve.nested import BUILDERS, build, struct_members
from headwater.resolve.row_value import Row
from headwater.resolve.scope import ResultSet, Scope

COLLECTING = frozenset({exp.ArrayAgg, exp.ArrayUniqueAgg, exp.IgnoreNulls, exp.WithinGroup, exp.Bracket})
"""Classes of aggregates that collect, and of what may be written around them: `array_agg(x)[0]` has the fields of x."""


class Collected:
    """The structs or rows that an aggregate collects: a field takes its member, and what decides over the aggregate's groups."""

    __slots__ = ("collected", "groups", "orders", "scope")

    def __init__(self, scope: Scope, collected: dict[str, Any] | Row, orders: list[Any], groups: int) -> None:
        self.scope = scope
        self.collected = collected
        self.orders = orders
        self.groups = groups
        """An aggregate without arguments, which the keys and row sets of its SELECT reach."""

    @property
    def members(self) -> list[str]:
        """The names of the fields."""
        return self.collected.members if isinstance(self.collected, Row) else list(self.collected)

    def flow_into(self, name: str, field: int) -> bool:
        """Let the member *name* flow into the column *field*; False if there is no such member."""
        if not self._member_into(name, field):
            return False
        for order in self.orders:
            flow(self.scope, order, field, WINDOW)
        self.scope.edges.append((field, self.groups, IDENTITY, None))
        return True

    def _member_into(self, name: str, field: int) -> bool:
        if isinstance(self.collected, Row):
            column = self.collected.column(name)
            if column is not None:
                self.scope.edges.append((field, column, AGGREGATION, None))
            return column is not None
        member = self.collected.get(name)
        if member is None:
            return False
        flow(self.scope, member, field, AGGREGATION)
        build(self.scope, member, field)
        return True


def build_collected(scope: Scope, node: Any, column: int) -> bool:
    """Remember the structs that an aggregate collects into *column*; False if it collects something else."""
    orders: list[Any] = []
    while isinstance(node, (exp.IgnoreNulls, exp.WithinGroup, exp.Bracket, exp.Paren)):
        if isinstance(node, exp.WithinGroup) and isinstance(node.expression, exp.Order):
            orders += node.expression.expressions
        node = node.this
    if not isinstance(node, (exp.ArrayAgg, exp.ArrayUniqueAgg)):
        return False
    inner = node.this
    while isinstance(inner, (exp.Order, exp.Limit, exp.IgnoreNulls, exp.RespectNulls, exp.Distinct)):
        if isinstance(inner, exp.Distinct):
            return False
        orders += inner.expressions if isinstance(inner, exp.Order) else []
        inner = inner.this
    collected = struct_members(scope, inner) or _row(scope, inner)
    if collected is None:
        return False
    groups = scope.builder.function(node)
    scope.aggregates.append(groups)
    scope.builder.structs[column] = Collected(scope, collected, orders, groups)
    return True


BUILDERS.append(build_collected)


def _row(scope: Scope, node: Any) -> Row | None:
    """The row that a table's alias stands for."""
    if (
        not isinstance(node, exp.Column)
        or node.args.get("table") is not None
        or not isinstance(node.this, exp.Identifier)
    ):
        return None
    built = scope.builder.structs.get(column_of(scope, node) or -1)
    return built if isinstance(built, Row) else None


class Listed:
    """The structs of an array constructor: a field takes its member of each."""

    __slots__ = ("members", "rows", "scope")

    def __init__(self, scope: Scope, rows: list[dict[str, Any]]) -> None:
        self.scope = scope
        self.rows = rows
        self.members = rows[0]

    def flow_into(self, name: str, field: int) -> bool:
        """Let the member *name* of the first struct, and what stands in its position in the others, flow into *field*."""
        names = list(self.members)
        if name not in names:
            return False
        position = names.index(name)
        for row in self.rows:
            member = row.get(name, list(row.values())[position] if position < len(row) else None)
            if member is not None:
                flow(self.scope, member, field, TRANSFORMATION)
        return True


class Selected:
    """The rows of `ARRAY(SELECT AS STRUCT …)`: a field takes the query's output, and its rows."""

    __slots__ = ("members", "result")

    def __init__(self, result: ResultSet) -> None:
        self.result = result
        self.members = result.columns

    def flow_into(self, name: str, field: int) -> bool:
        """Let the output *name* flow into the column *field*; False if there is none."""
        source = self.result.columns.get(name)
        if source is None:
            return False
        edges = self.result.builder.edges
        edges.append((field, source, TRANSFORMATION, None))
        edges.append((field, self.result.rows, WHERE, None))
        return True


def remember_structs(scope: Scope, node: Any, value: int) -> None:
    """Remember the structs of an array constructor, if all its elements are such; a type before it names their fields."""
    names = _declared(scope, node.parent)
    rows = [_fields(scope, each) for each in node.expressions]
    known = [row for row in rows if row]
    if not known or len(known) != len(rows) or not (names or struct_members(scope, node.expressions[0])):
        return
    if names:
        known[0] = dict(zip(names, known[0].values(), strict=False))
    scope.builder.structs[value] = Listed(scope, known)


def _fields(scope: Scope, node: Any) -> dict[str, Any] | None:
    """The members of a struct, or of a tuple in its place, `[STRUCT(1 AS a), (2)]`."""
    members = struct_members(scope, node)
    if members is not None and len(members) == len(getattr(node, "expressions", members)):
        return members
    listed = node.expressions if isinstance(node, (exp.Tuple, exp.Struct)) else []
    return {f"col{position}": member for position, member in enumerate(listed, 1)} or None


def _declared(scope: Scope, around: Any) -> list[str]:
    """The field names that `ARRAY<STRUCT<a INT64, b STRING>>[…]` declares."""
    kind = around.to if isinstance(around, exp.Cast) else None
    while kind is not None and kind.expressions and isinstance(kind.expressions[0], exp.DataType):
        kind = kind.expressions[0]
    definitions = kind.expressions if kind is not None else ()
    names = [d.this for d in definitions if isinstance(d, exp.ColumnDef) and isinstance(d.this, exp.Identifier)]
    return [scope.dialect.column(name) for name in names]


def remember_rows(result: ResultSet, node: Any, value: int) -> None:
    """Remember the rows of a query in ARRAY(…), if it gives structs."""
    if str(node.args.get("kind") or "").upper() == "STRUCT":
        result.builder.structs[value] = Selected(result)
