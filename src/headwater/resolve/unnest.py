"""UNNEST: one row per element of an array, with its position; BigQuery's arrays in FROM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlglot import exp

from headwater.model.kind import AGGREGATE_ROWS, LATERAL, TRANSFORMATION
from headwater.resolve.bind import find_item
from headwater.resolve.builder import Builder
from headwater.resolve.field import field_of
from headwater.resolve.field_names import columns_behind, declared_type, is_declared, struct_fields
from headwater.resolve.field_rows import FieldRows
from headwater.resolve.flow import flow
from headwater.resolve.from_item import alias_columns, alias_name, stands_in_from, table_form
from headwater.resolve.generator import add_column, add_element, add_position
from headwater.resolve.scalar_use import is_used_as_scalar
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.shape import has_fields, known_value, value_of


@stands_in_from(exp.Unnest)
def unnest(scope: Scope, node: Any) -> None:
    """`UNNEST(arr) [WITH OFFSET | ORDINALITY]`: one row per element; Redshift's `FROM t, t.arr AS x` comes here too."""
    alias = alias_name(scope, node)
    names = alias_columns(scope, node)
    arguments = node.expressions
    if scope.dialect.element_name is not None:
        for i, argument in enumerate(arguments):
            _nested_rows(scope, node, argument, names[i] if i < len(names) else None)
        return
    if scope.dialect.family == "bigquery" or (alias is None and scope.dialect.family == "redshift"):
        element = names[0] if names else alias or _implied_name(scope, node)
        _unnest_elements(scope, node, arguments, element, alias or element)
        return
    result = FieldRows(scope.builder, "function", node)
    for argument in arguments:
        flow(scope, argument, result.rows, LATERAL)
    for column in _columns(scope, arguments, names, alias):
        _add(scope, result, column, node)
    if not names and len(result.outputs) == 1 and _may_spread(scope):
        only = result.outputs[0][1]
        result.element = only if has_fields(scope.builder, only) is None else None
    offset = node.args.get("offset")
    if offset:
        name = scope.dialect.column(offset) if isinstance(offset, exp.Identifier) else "ordinality"
        add_position(scope, result, name, node)
    result.row.alias = alias
    scope.add(alias, result.complete())


def _may_spread(scope: Scope) -> bool:
    """Whether the fields of elements are columns, or are written as if they were."""
    return scope.dialect.unnest_gives_fields or scope.dialect.family == "redshift"


def _implied_name(scope: Scope, node: Any) -> str | None:
    """The name of the elements of `FROM t, t.arr`, which the grammar makes an UNNEST of; a written UNNEST implies none."""
    if "offset" in node.args:
        return None
    column = node.expressions[0]
    return scope.dialect.column(column.expression if isinstance(column, exp.Dot) else column.this)


class _Unnested(NamedTuple):
    """A column of UNNEST: the elements of an array, or a field of them."""

    name: str
    array: Any
    field: str | None = None


def _columns(scope: Scope, arrays: list[Any], names: list[str], alias: str | None) -> list[_Unnested]:
    """The columns of arrays side by side; where the dialect has it so, a row's fields are columns. A list of names goes by position."""
    found: list[_Unnested] = []
    spare = len(names) - len(arrays)
    for array in arrays:
        fields = _fields(scope, array)
        spare -= len(fields) - 1
        found += [_Unnested(name, array, field) for name, field in fields]
    if spare > 0:
        # The names tell how wide a row or a map is whose type is not declared.
        unknown = [i for i, each in enumerate(found) if each.field is None]
        at = unknown[-1] if unknown else len(found) - 1
        found[at + 1 : at + 1] = [found[at]._replace(field=None)] * spare
    if not names and len(found) == 1 and found[0].field is None and alias and scope.dialect.family == "postgres":
        names = [alias]
    return [each._replace(name=name) for each, name in zip(found, names, strict=False)] + found[len(names) :]


def _fields(scope: Scope, array: Any) -> list[tuple[str, str | None]]:
    """The columns of one array: their names, and the field that each is of its elements, unless it is the element."""
    if scope.dialect.unnest_gives_fields:
        value = known_value(scope, array)
        fields = struct_fields(scope.builder, value) if value is not None else []
        if fields:
            return [(name, name) for name in fields]
        declared = declared_type(scope.builder, value) if value is not None else None
        if isinstance(declared, exp.DataType) and declared.is_type(exp.DType.MAP):
            return [("key", None), ("value", None)]
    return [("col" if scope.dialect.family in ("spark", "databricks") else "unnest", None)]


def _add(scope: Scope, result: ResultSet, column: _Unnested, place: Any) -> None:
    if column.field is None:
        add_element(scope, result, column.name, column.array, place)
        return
    output = result.add(column.name, place)
    source = field_of(scope.builder, value_of(scope, column.array), column.field)
    scope.edges.append((output, source, TRANSFORMATION, place))
    scope.builder.elements[output] = source


@stands_in_from(exp.AtIndex)
def unnest_at(scope: Scope, node: Any) -> None:
    """Redshift's `FROM t, t.arr AS x AT i`: the elements, and where they stand."""
    column, alias = node.this, None
    if isinstance(column, exp.Alias):
        column, alias = column.this, scope.dialect.column(column.args["alias"])
    made = exp.Unnest(expressions=[column.copy()], offset=node.expression.copy())
    _unnest_elements(scope, made, made.expressions, alias, alias)


@stands_in_from(exp.Pivot)
def object_rows(scope: Scope, node: Any) -> None:
    """Redshift's `FROM t, UNPIVOT t.obj AS v AT k`: one row per attribute of an object, its value and its name."""
    value, position, alias = node.this, None, None
    if isinstance(value, exp.AtIndex):
        value, position = value.this, value.expression
    if isinstance(value, exp.Alias):
        value, alias = value.this, scope.dialect.column(value.args["alias"])
    result = ResultSet(scope.builder, "function", node)
    flow(scope, value, result.rows, LATERAL)
    add_element(scope, result, alias or "value", value, node)
    if isinstance(position, exp.Identifier):
        add_column(scope, result, scope.dialect.column(position), [value], node)
    scope.add(alias, result.complete())


@table_form
def array_of_earlier_item(scope: Scope, node: Any) -> bool:
    """BigQuery's `FROM t, t.arr`: the second is an array of the first, unnested; so is one of a query around this one.

    In Redshift the grammar knows that behind a comma, but not behind JOIN.
    """
    if not scope.dialect.arrays_in_from or node.args.get("db") is None:
        return False
    parts = node.parts
    if find_item(scope, (scope.dialect.column(parts[0]),)) is None:
        return scope.dialect.element_name is not None and _column_of_table(scope, node)
    keys = ("this", "table", "db", "catalog")
    column: Any = exp.Column(**dict(zip(keys, reversed([p.copy() for p in parts[:4]]), strict=False)))
    for part in parts[4:]:
        column = exp.Dot(this=column, expression=part.copy())
    if scope.dialect.element_name is not None:
        _nested_rows(scope, node, column, alias_name(scope, node))
    else:
        unnest_column(scope, node, column)
    return True


def _column_of_table(scope: Scope, node: Any) -> bool:
    """Impala's `FROM db.t.arr` without t: the elements of all its rows, where t is known to have such a column."""
    builder = scope.builder
    table = exp.Table(**dict(zip(("this", "db", "catalog"), reversed(node.parts[:-1]), strict=False)))
    known = builder.session.columns(builder.table_name(table), scope.dialect)
    last = node.parts[-1]
    if scope.dialect.column(last) not in (known or {}):
        return False
    inner = Scope(builder, None, scope.environment)
    inner.add(None, builder.reads(builder.table(table)))
    result = _nested_result(inner, node, exp.Column(this=last.copy()))
    result.row.alias = alias_name(scope, node) or scope.dialect.column(last)
    scope.add(result.row.alias, result.complete())
    return True


def _nested_rows(scope: Scope, node: Any, column: Any, alias: str | None) -> None:
    """Put an array or map of an earlier item into FROM, as Impala does."""
    result = _nested_result(scope, node, column)
    last = column.args.get("expression") if isinstance(column, exp.Dot) else column.this
    result.row.alias = alias or (scope.dialect.column(last) if isinstance(last, exp.Identifier) else None)
    scope.add(result.row.alias, result.complete())


def _nested_result(scope: Scope, node: Any, column: Any) -> ElementRows:
    """Elements under the name that the dialect has for them, their fields, the keys and values of a map, and positions."""
    builder = scope.builder
    result = ElementRows(builder, "function", node)
    flow(scope, column, result.rows, LATERAL)
    result.element = add_element(scope, result, scope.dialect.element_name or "item", column, node)
    result.named = True
    result.fields = []
    result.open = True
    declared = struct_fields(builder, result.element)
    for name in ("key", "value"):
        if name not in declared:
            part = result.columns[name] = builder.column(result.entity, name, node)
            flow(scope, column, part, TRANSFORMATION)
            builder.elements[part] = builder.elements.get(result.element, result.element)
    if "pos" not in declared:
        position = result.columns["pos"] = builder.column(result.entity, "pos", node)
        scope.edges.append((position, result.rows, AGGREGATE_ROWS, node))
    return result


def unnest_column(scope: Scope, node: Any, column: Any, element: str | None = None) -> None:
    """An array column that stands where a table would, unnested; *element* is what the dialect calls its elements."""
    last = column.expression if isinstance(column, exp.Dot) else column.this
    alias = alias_name(scope, node) or scope.dialect.column(last)
    named = alias if element is None else scope.dialect.fold_column(element, False)
    _unnest_elements(scope, node, [column], named, alias)


def _unnest_elements(scope: Scope, node: Any, arguments: list[Any], element: str | None, alias: str | None) -> None:
    """BigQuery: the alias is the element itself; where elements are structs, their fields are columns as well."""
    builder = scope.builder
    result = ElementRows(builder, "function", node)
    for argument in arguments:
        flow(scope, argument, result.rows, LATERAL)
    result.element = add_element(scope, result, element or "f0_", arguments[0], node)
    result.named = element is not None
    result.fields = struct_fields(builder, result.element)
    # In Redshift a field needs the element's name before it.
    result.open = scope.dialect.family != "redshift" and _may_have_fields(builder, arguments[0], result.element)
    if result.open and element and not result.fields and is_used_as_scalar(builder, node, element):
        result.open = False
    result.untyped = not result.open and not result.fields and _is_untyped(builder, arguments[0], result.element)
    offset = node.args.get("offset")
    if offset:
        name = scope.dialect.column(offset) if isinstance(offset, exp.Identifier) else "offset"
        add_position(scope, result, name, node)
    if result.open and result.fields:
        result.listed = dict.fromkeys((*result.fields, *result.columns))
    result.row.alias = alias
    scope.add(alias, result.complete())


def _may_have_fields(builder: Builder, argument: Any, element: int) -> bool:
    """Whether an array's elements could be structs: those of a column may be, unless its type says otherwise, listed ones if they are."""
    found = has_fields(builder, element)
    listed = isinstance(argument.this if isinstance(argument, exp.Cast) else argument, exp.Array)
    return bool(found) if listed else found is not False


_OF_SCALARS = (exp.GenerateSeries, exp.GenerateDateArray, exp.GenerateTimestampArray, exp.Split, exp.RegexpExtractAll)
"""Functions that give arrays of plain values."""


def _is_untyped(builder: Builder, argument: Any, element: int) -> bool:
    """Whether nothing tells what an array's elements are: what an unknown function gives, a parameter of any type."""
    if isinstance(argument, (exp.Array, *_OF_SCALARS)):
        return False
    return not any(is_declared(builder, each) for each in columns_behind(builder, element))


class ElementRows(ResultSet):
    """Unnested elements: beside its own columns it has the fields of its element."""

    __slots__ = ("element", "fields", "named")
    element: int
    fields: list[str]
    named: bool

    def star(self) -> list[tuple[str, int]]:
        """Its columns; an element whose fields are known is these fields, one without a name of its own is `*`."""
        if not self.fields:
            star = self.open and not self.named
            return [("*" if star and column == self.element else name, column) for name, column in self.outputs]
        fields = [(name, field_of(self.builder, self.element, name)) for name in self.fields]
        return fields + [output for output in self.outputs if output[1] != self.element]

    def may_own(self, name: str) -> bool:
        """Any name may be a field of the element; where the type is declared, only its fields."""
        return not self.fields or name in self.fields

    def having(self, name: str) -> Sequence[int]:
        """The columns of a listed name; a field is one."""
        return super().having(name) if name in self.columns else (self.claim(name),)

    def claim(self, name: str) -> int:
        """A field of the element."""
        if name in self.columns:
            return self.columns[name]
        return field_of(self.builder, self.element, name)
