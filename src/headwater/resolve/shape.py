"""Shapes: the value of an expression may have fields, and each field has its own sources.

A struct constructor knows its members, a row its columns; a column has whatever lies below it. Everything else that yields a struct hands
on the structs that it is given: CASE one of its branches, an aggregate one of its rows or all of them, a subscript an element, a
subquery its output. So a field of such a value is made of that field of each struct, and of what decides over the value.

A shape is kept under the column that holds the value. A field flows when it is first asked for, in the scope of the expression.

```sql
SELECT CASE WHEN c THEN struct(a AS x, b AS y) ELSE s END.x FROM t   -- a and s.x; c as the test
SELECT max_by(struct(a AS x, b AS y), ts).y FROM t                   -- b, and ts
```
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from sqlglot import exp

from headwater.model.entity import PERSISTENT
from headwater.model.kind import IDENTITY, TRANSFORMATION, WHERE, WINDOW
from headwater.resolve.bind import column_of
from headwater.resolve.builder import Builder, Owner
from headwater.resolve.field import field_of, fill, passed_on, same_field
from headwater.resolve.field_names import (
    columns_behind,
    declared_type,
    field_type,
    has_own_elements,
    is_declared,
    struct_fields,
    type_fields,
)
from headwater.resolve.flow import flow
from headwater.resolve.group_by import close_aggregates
from headwater.resolve.handed_on import HANDING_ON, Accumulator, Handed, handed_on
from headwater.resolve.open_struct import OpenStruct
from headwater.resolve.position import position
from headwater.resolve.query import inner_query, is_query
from headwater.resolve.row_value import Row
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.struct_members import BUILDING, Members, struct_members
from headwater.resolve.struct_path import missing_field
from headwater.resolve.window_order import arrange

SHAPED = (
    HANDING_ON
    | BUILDING
    | {
        *(exp.Paren, exp.Subquery, exp.Select, exp.Anonymous, exp.AnonymousAggFunc, exp.Array),
        *(exp.FromJson, exp.ApproxTopK, exp.ApproxTopSum),
    }
)
"""Classes of expressions whose fields may be known."""

_PLACES = (exp.Column, exp.Dot, exp.JSONExtract)
"""Classes of expressions that may name one column, or an element of one."""
_NOWHERE = -1
"""Stands for the target of what is only looked up."""


def remember(scope: Scope, node: Any, column: int) -> bool:
    """Remember the fields of an expression under the column that holds its value; False if it can have none that are known."""
    shape = shape_of(scope, node)
    if shape is None:
        return False
    scope.builder.structs[column] = shape
    return True


def shape_of(scope: Scope, node: Any) -> Shape | None:
    """The shape of an expression's value; None where nothing is known of its fields."""
    node = _bare(node)
    if node.__class__ not in SHAPED:
        return None
    members = struct_members(scope, node) or _extended(scope, node)
    if members is not None:
        return Built(scope, node, *members)
    query = _query(node)
    if query is not None:
        return Selected(scope, node, query)
    handed = handed_on(node)
    return HandedOn(scope, node, handed) if handed is not None else _of_call(scope, node)


_OF_CALLS: list[Callable[[Scope, Any], Shape | None]] = []


def shapes_calls(finder: Callable[[Scope, Any], Shape | None]) -> Callable[[Scope, Any], Shape | None]:
    """Registers what may know the shape of a call's value."""
    _OF_CALLS.append(finder)
    return finder


def _of_call(scope: Scope, node: Any) -> Shape | None:
    found = (finder(scope, node) for finder in _OF_CALLS)
    return next((shape for shape in found if shape is not None), None)


_EXTENDING = frozenset({"struct_insert", "struct_update"})


def _extended(scope: Scope, node: Any) -> Members | None:
    """`struct_insert(s, x := a)`: the fields of s, and those that are given."""
    if not isinstance(node, exp.Anonymous) or str(node.this).lower() not in _EXTENDING or not node.expressions:
        return None
    base, *given = node.expressions
    value = value_of(scope, base)
    members: dict[str, Any] = {
        name: field_of(scope.builder, value, name) for name in struct_fields(scope.builder, value)
    }
    behind: list[Owner] = [] if members else [OpenStruct(scope, value)]
    for each in given:
        if isinstance(each, (exp.PropertyEQ, exp.Alias)):
            aliased = isinstance(each, exp.Alias)
            name = each.alias if aliased else each.this.name
            members[scope.dialect.fold_column(name, False)] = each.this if aliased else each.expression
    return members, behind


def value_of(scope: Scope, node: Any) -> int:
    """The column that an expression is, or one that stands for its value; that one is filled only where its fields are not known."""
    value = known_value(scope, node)
    if value is None:
        value = scope.builder.function(_bare(node))
        flow(scope, node, value, IDENTITY)
    return value


def known_value(scope: Scope, node: Any) -> int | None:
    """The column that an expression is, or one that stands for a value with fields; None where nothing is known of its fields."""
    node = _bare(node)
    builder = scope.builder
    if node.__class__ is exp.Column and node.this.__class__ is exp.Identifier:
        return column_of(scope, node)
    if node.__class__ is exp.Identifier and builder.lambdas:
        return builder.lambdas.get(scope.dialect.column(node))
    shape = shape_of(scope, node)
    if shape is not None:
        value = builder.function(node)
        builder.structs[value] = builder.unfilled[value] = shape
        return value
    return _place(scope, node) if node.__class__ in _PLACES else None


def _place(scope: Scope, node: Any) -> int | None:
    """The column that a path names; where it picks an element on the way, a column that stands for the element."""
    builder = scope.builder
    before = len(builder.edges)
    flow(scope, node, _NOWHERE, IDENTITY)
    edge = passed_on(builder, _NOWHERE, before)
    builder.edges[before:] = [each for each in builder.edges[before:] if each[0] != _NOWHERE]
    if edge is None or edge[2] == IDENTITY:
        return edge[1] if edge is not None else None
    value = builder.function(node)
    builder.elements[value] = edge[1]
    return value


def has_fields(builder: Builder, column: int) -> bool | None:
    """Whether a value is a struct, or an array of structs; None if that is not known, because a column's type is not declared."""
    if struct_fields(builder, column):
        return True
    found: bool | None = False
    for each in columns_behind(builder, column):
        shape = builder.structs.get(each)
        if shape is not None and not shape.values:
            return True
        persistent = builder.entities[builder.columns[each][0]].kind in PERSISTENT
        if persistent and (not is_declared(builder, each) or has_own_elements(builder, each)):
            found = None
    return found


def key_field(scope: Scope, node: Any, key: Any, before: int = 0) -> int | None:
    """The field that a key names, `s['x']`, Trino's `r[1]`; None unless the value is known to have such a field.

    *before* is how far from one the count of fields is: the grammar counts from zero in brackets.
    """
    builder = scope.builder
    number = position(key)
    by_number = number is not None and scope.dialect.numbered_fields
    if not (isinstance(key, exp.Literal) and (key.is_string or by_number)):
        return None
    value = known_value(scope, node)
    if value is None:
        return None
    names = struct_fields(builder, value)
    if number is not None and by_number and not key.is_string:
        if not names or not is_struct(builder, value):
            return None
        number += before
        within = 0 < number <= len(names)
        return field_of(builder, value, names[number - 1]) if within else missing_field(scope, value, str(number), key)
    documents = scope.dialect.family == "snowflake"  # an object may lack any key
    name = scope.dialect.fold_column(key.name, documents)
    if name in names:
        return field_of(builder, value, name)
    lacks = names and not documents and is_struct(builder, value)
    return missing_field(scope, value, name, key) if lacks else None


def is_struct(builder: Builder, column: int) -> bool:
    """Whether a value that has fields is a struct, not an array of structs: by what builds it, or by its declared type."""
    for each in columns_behind(builder, column):
        shape = builder.structs.get(each)
        if shape is not None and shape.is_array is not None:
            return not shape.is_array
        if each in builder.elements:
            return True
        if shape is None and each not in builder.origins:
            declared = declared_type(builder, each)
            return isinstance(declared, exp.DataType) and declared.is_type(exp.DType.STRUCT)
    return False


def _bare(node: Any) -> Any:
    while isinstance(node, (exp.Paren, exp.Alias)) and node.this is not None:
        node = node.this
    return _without_schema(node) if node.__class__ is exp.Dot else node


def _without_schema(node: Any) -> Any:
    """The call in `schema.f(x)`; any other path as it is."""
    before = node.this
    while before.__class__ is exp.Dot:
        before = before.this
    return node.expression if node.expression.__class__ is exp.Anonymous and _is_name(before) else node


def _is_name(node: Any) -> bool:
    return node.__class__ is exp.Identifier


def _query(node: Any) -> Any:
    """The query that an expression takes its value from: `(SELECT …)`, `ARRAY(SELECT …)`."""
    if node.__class__ is exp.Array and len(node.expressions) == 1:
        node = node.expressions[0]
    return node if is_query(node) else None


class Shape:
    """What is known about the fields of an expression's value."""

    __slots__ = ("items", "lambdas", "node", "parameters", "rule", "scope")

    def __init__(self, scope: Scope, node: Any) -> None:
        self.scope = scope
        self.node = node
        self.rule = scope.alias_rule
        self.items = len(scope.items)
        self.parameters = scope.builder.parameters
        self.lambdas = scope.builder.lambdas

    @property
    def is_array(self) -> bool | None:
        """Whether the value is an array; None if it is what the first of its `values` is."""
        return False

    @property
    def members(self) -> list[str]:
        """The names that it gives to the fields itself, as far as they are all known."""
        return []

    @property
    def values(self) -> Sequence[int]:
        """The columns whose fields the value has, where it has none of its own."""
        return ()

    def flow_into(self, name: str, field: int) -> bool:
        """Let the field *name* flow into the column *field*; False if there is no such field."""
        with self._in_place():
            return self._flow(name, field)

    def _flow(self, name: str, field: int) -> bool:
        raise NotImplementedError

    def fill(self, column: int) -> None:
        """Let the whole value flow into a column."""
        with self._in_place():
            flow(self.scope, self.node, column, IDENTITY)

    @contextmanager
    def _in_place(self) -> Iterator[None]:
        """See what the expression sees; the groups of a SELECT that is complete decide over further aggregates as well."""
        scope, builder = self.scope, self.scope.builder
        before = scope.alias_rule, builder.parameters, builder.lambdas, scope.aggregates, scope.counts
        scope.alias_rule, builder.parameters, builder.lambdas = self.rule, self.parameters, self.lambdas
        with scope.with_items(self.items):
            if scope.groups is None:
                yield
            else:
                scope.aggregates, scope.counts = [], []
                yield
                close_aggregates(scope, *scope.groups)
                scope.aggregates, scope.counts = before[3:]
        scope.alias_rule, builder.parameters, builder.lambdas = before[:3]


class Typed(Shape):
    """A value of a type that is known, made by something that is not: each field is made of the whole value."""

    __slots__ = ("names",)

    def __init__(self, scope: Scope, node: Any, names: list[str]) -> None:
        super().__init__(scope, node)
        self.names = names

    @property
    def members(self) -> list[str]:
        """The names that the type has."""
        return self.names

    def _flow(self, name: str, field: int) -> bool:
        return False


class Built(Shape):
    """A struct under construction: its members by name, and owners of any column behind `struct(*)`."""

    __slots__ = ("behind", "by_name")

    def __init__(self, scope: Scope, node: Any, by_name: dict[str, Any], behind: list[Owner]) -> None:
        super().__init__(scope, node)
        self.by_name = by_name
        self.behind = behind

    @property
    def members(self) -> list[str]:
        """The names of the members."""
        return [] if self.behind else list(self.by_name)

    def _flow(self, name: str, field: int) -> bool:
        builder = self.scope.builder
        member = self.by_name.get(name)
        if member is None:
            owners = [owner for owner in self.behind if owner.may_own(name)]
            member = owners[0].claim(name) if len(owners) == 1 else None
        if member is None:
            return False
        if isinstance(member, int):
            builder.edges.append((field, member, IDENTITY, None))
            builder.origins[field] = member
            return True
        before = len(builder.edges)
        flow(self.scope, member, field, IDENTITY)
        edge = passed_on(builder, field, before)
        if not isinstance(_bare(member), (exp.Column, exp.Dot)):
            remember(self.scope, member, field)
        elif edge is not None:
            builder.origins[field] = edge[1]
        return True


class Selected(Shape):
    """The rows of a query in an expression: a field is an output of `SELECT AS STRUCT`, or a field of the only output."""

    __slots__ = ("kind", "query")

    def __init__(self, scope: Scope, node: Any, query: Any) -> None:
        super().__init__(scope, node)
        self.query = query
        self.kind = TRANSFORMATION if isinstance(node, exp.Array) else IDENTITY

    @property
    def result(self) -> ResultSet:
        """The result set of the query."""
        return inner_query(self.scope, self.query)

    @property
    def is_array(self) -> bool | None:
        """Whether the rows are elements of an array."""
        return None if self.kind == IDENTITY and not self.result.is_struct else self.kind != IDENTITY

    @property
    def members(self) -> list[str]:
        """The names of the outputs of `SELECT AS STRUCT`."""
        return Row(self.result).members if self.result.is_struct else []

    @property
    def values(self) -> Sequence[int]:
        """The only output of any other query."""
        result = self.result
        return () if result.is_struct else [output for _, output in result.outputs[:1]]

    def _flow(self, name: str, field: int) -> bool:
        result = self.result
        builder = result.builder
        source = Row(result).column(name) if result.is_struct else None
        if not result.is_struct and len(result.outputs) == 1:
            source = field_of(builder, result.outputs[0][1], name)
        if source is None:
            return False
        builder.edges.append((field, source, self.kind, None))
        builder.edges.append((field, result.rows, WHERE, None))
        (builder.origins if self.kind == IDENTITY else builder.elements)[field] = source
        return True


class HandedOn(Shape):
    """Structs that an expression hands on: each field of it is made of that field of each struct."""

    __slots__ = ("_accumulator", "_values", "earlier", "handed", "named")

    def __init__(self, scope: Scope, node: Any, handed: Handed) -> None:
        super().__init__(scope, node)
        self.handed = handed
        self._values: list[int] | None = None
        self._accumulator: int | None = None
        self.earlier: list[int] = []
        """Fields that order the structs before those that are asked for."""
        self.named = type_fields(scope.builder, handed.type)
        """The names that a cast gives to the fields."""

    @property
    def values(self) -> list[int]:
        """The columns of the structs."""
        if self._values is None:
            with self._in_place(), self.with_parameters():
                self._values = [value_of(self.scope, part) for part, _ in self.handed.parts]
        return self._values

    @contextmanager
    def with_parameters(self) -> Iterator[None]:
        """Let the parameters of lambdas stand for what they are given."""
        builder = self.scope.builder
        before = builder.lambdas
        if self.handed.parameters:
            builder.lambdas = dict(before)
            for name, source in self.handed.parameters:
                builder.lambdas[self.scope.dialect.column(name)] = self._parameter(source)
        yield
        builder.lambdas = before

    def _parameter(self, source: Sequence[Any] | Accumulator) -> int:
        """The column that a lambda's parameter stands for."""
        builder = self.scope.builder
        if not isinstance(source, Accumulator):
            found = [value_of(self.scope, each) for each in source]
            return found[0] if len(found) == 1 else _any_of(builder, found, self.node)
        if self._accumulator is None:
            shape = Accumulated(self.scope, self.node, source)
            self._accumulator = builder.function(self.node)
            builder.structs[self._accumulator] = builder.unfilled[self._accumulator] = shape
        builder.structs[self._accumulator].lambdas = builder.lambdas
        return self._accumulator

    @property
    def is_array(self) -> bool | None:
        """Whether the structs are collected in an array."""
        return self.handed.is_array

    @property
    def members(self) -> list[str]:
        """The names that a cast gives to the fields."""
        return self.named

    def _flow(self, name: str, field: int) -> bool:
        scope, handed = self.scope, self.handed
        builder = scope.builder
        names = self.named or struct_fields(builder, *self.values)
        if names and name not in names:
            return False
        value = builder.function(self.node) if handed.is_call else field
        if value != field:
            builder.edges.append((field, value, IDENTITY, self.node))
        if handed.aggregates:
            scope.aggregates.append(value)
        sources = [same_field(builder, each, name, names, bool(self.named)) for each in self.values]
        for source, (part, kind) in zip(sources, handed.parts, strict=True):
            builder.edges.append((value, source, kind, part))
        earlier = self.earlier + ([] if not handed.compares else self._before(name, names))
        builder.edges.extend((value, column, WINDOW, self.node) for column in earlier)
        with self.with_parameters():
            for other, kind in handed.others:
                flow(scope, other, value, kind)
        for window in handed.windows:
            arrange(scope, window, value, set())
        builder.structs[field] = self._below(sources, earlier, field_type(builder, handed.type, name))
        return True

    def _before(self, name: str, names: list[str]) -> list[int]:
        """The fields that max and min compare before the field *name*: all of a struct whose fields are not known."""
        if not names:
            for value in self.values:
                fill(self.scope.builder, value)
            return self.values
        before = names[: names.index(name)] if name in names else []
        return [field_of(self.scope.builder, value, each) for value in self.values for each in before]

    def _below(self, values: list[int], earlier: list[int], type: Any) -> HandedOn:
        """The shape of one of its fields, of the type that a cast gives it."""
        field = HandedOn(self.scope, self.node, self.handed._replace(type=type, compares=False))
        field.rule, field.items = self.rule, self.items
        field.parameters, field.lambdas = self.parameters, self.lambdas
        field._values, field.earlier = values, earlier
        return field


class Accumulated(HandedOn):
    """The accumulator of `reduce`: the start, or what the lambda makes of the accumulator itself and an element."""

    __slots__ = ()

    def __init__(self, scope: Scope, node: Any, accumulator: Accumulator) -> None:
        parts = [(accumulator.initial, TRANSFORMATION), (accumulator.merged, TRANSFORMATION)]
        super().__init__(scope, node, Handed(parts))

    def fill(self, column: int) -> None:
        """Let the whole value flow into a column."""
        with self._in_place():
            for part, kind in self.handed.parts:
                flow(self.scope, part, column, kind)


def _any_of(builder: Builder, values: list[int], node: Any) -> int:
    """A column that stands for one of several values."""
    found = builder.function(node)
    builder.unions[found] = values
    for value in values:
        fill(builder, value)
        builder.edges.append((found, value, IDENTITY, node))
    return found
