"""Fields of what a function gives back, where the script defines the function or the call names the type.

`f(x).a` is made of the field a in the body of f. Where only the engine can look inside, `RETURNS STRUCT<a STRING, b INT64>` tells the
fields, and so does the type in `from_json(j, 'a int, b string')`: each of them is made of all arguments.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from headwater.model.kind import IDENTITY, WHERE
from headwater.model.resolution import SqlFunction
from headwater.resolve.field import field_of
from headwater.resolve.field_names import parsed_type, struct_fields, type_fields
from headwater.resolve.query import is_query
from headwater.resolve.row_value import Row
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.shape import Shape, Typed, shapes_calls, value_of
from headwater.resolve.sql_function import (
    bind_parameters,
    body_rows,
    declared_columns,
    declared_rows,
    function_of,
    inside_body,
)

_TYPED_BY_TEXT = frozenset({"from_csv", "from_xml"})
"""Functions whose second argument is a type, or a list of columns, as text."""


@shapes_calls
def value_of_script_function(scope: Scope, node: Any) -> Shape | None:
    """`f(x)` of a function that the script defines."""
    if not scope.builder.session.functions or not isinstance(node, exp.Func):
        return None
    function = function_of(scope, [], node)
    if function is not None and function.effects is None:
        return FunctionValue(scope, node, function)
    names = list(function.columns) if function is not None else declared_columns(scope, [], node)
    return Typed(scope, node, names) if names else None


@shapes_calls
def value_of_typed_call(scope: Scope, node: Any) -> Shape | None:
    """`from_json(j, 'a int, b string')`, BigQuery's `APPROX_TOP_COUNT(x, 3)`."""
    if isinstance(node, (exp.ApproxTopK, exp.ApproxTopSum)):
        counted = "count" if isinstance(node, exp.ApproxTopK) else "sum"
        return Typed(scope, node, ["value", counted]) if scope.dialect.family == "bigquery" else None
    text = node.args.get("expression") if isinstance(node, exp.FromJson) else None
    if isinstance(node, exp.Anonymous) and str(node.this).lower() in _TYPED_BY_TEXT and len(node.expressions) > 1:
        text = node.expressions[1]
    if not isinstance(text, exp.Literal) or not text.is_string:
        return None
    names = _fields_of_text(scope, text.name)
    return Typed(scope, node, names) if names else None


def _fields_of_text(scope: Scope, text: str) -> list[str]:
    """The fields of a type, or of the columns that a text lists."""
    names = type_fields(scope.builder, parsed_type(scope.builder, text))
    return names or type_fields(scope.builder, parsed_type(scope.builder, f"struct<{text}>"))


class FunctionValue(Shape):
    """The value of a function that is looked into: a field is that of its body."""

    __slots__ = ("_column", "_result", "function", "inner")

    def __init__(self, scope: Scope, node: Any, function: SqlFunction) -> None:
        super().__init__(scope, node)
        self.function = function
        self.inner: Scope | None = None
        self._column: int | None = None
        self._result: ResultSet | None = None

    def _resolve(self) -> None:
        """Resolve the body, once."""
        if self.inner is not None:
            return
        function, builder = self.function, self.scope.builder
        self.inner = bind_parameters(self.scope, function, self.node)
        with inside_body(builder, function, self.inner, self.node):
            if not is_query(function.body):
                self._column = value_of(self.inner, function.body)
                return
            result = body_rows(self.inner, function, self.node)
        if function.columns and (result.open or len(function.columns) == len(result.outputs)):
            result = declared_rows(result, list(function.columns), self.node)
        self._result = result
        if not result.is_struct and not function.columns and len(result.outputs) == 1:
            self._column = result.outputs[0][1]

    @property
    def members(self) -> list[str]:
        """The fields that it declares, or the outputs of its body."""
        with self._in_place():
            self._resolve()
            if self.function.columns or self._column is not None:
                return list(self.function.columns)
            return Row(self._result).members if self._result is not None else []

    @property
    def values(self) -> Sequence[int]:
        """The value of its body, where it declares no fields."""
        with self._in_place():
            self._resolve()
            return () if self._column is None or self.function.columns else (self._column,)

    def _flow(self, name: str, field: int) -> bool:
        self._resolve()
        source = self._field(name)
        if source is None:
            return False
        builder = self.scope.builder
        builder.edges.append((field, source, IDENTITY, self.node))
        builder.origins[field] = source
        if self._result is not None:
            builder.edges.append((field, self._result.rows, WHERE, None))
        return True

    def _field(self, name: str) -> int | None:
        """The column of the body that a field is: of that name, else in its position among the declared ones."""
        builder, declared = self.scope.builder, self.function.columns
        if self._column is None:
            return Row(self._result).column(name) if self._result is not None else None
        own = struct_fields(builder, self._column)
        if own and name not in own:
            position = declared.index(name) if name in declared else len(own)
            return field_of(builder, self._column, own[position]) if position < len(own) else None
        return field_of(builder, self._column, name)
