"""Generators and table functions: explode and its kin, UNNEST, FLATTEN, LATERAL; in FROM and in the select list.

A generator's argument flows into its columns and decides how many rows there are. The columns' names are the alias list's,
else the function's own.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import FROM_ROWS, IDENTITY, LATERAL, TRANSFORMATION
from headwater.resolve.bind import column_of
from headwater.resolve.field import field_of
from headwater.resolve.flow import flow
from headwater.resolve.from_item import add_derived, alias_columns, alias_name, stands_in_from
from headwater.resolve.query import is_query, query
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.star import struct_fields

_FLATTEN = ["seq", "key", "path", "index", "value", "this"]


class FunctionResult(ResultSet):
    """The rows of a table function whose columns nobody declared: any column may exist, made of all arguments."""

    __slots__ = ("call",)

    def claim(self, name: str) -> int:
        """A column of that name, made of the call."""
        found = self.columns.get(name) or self.claims.get(name)
        if found is None:
            found = self.claims[name] = self.builder.column(self.entity, name, None)
            self.builder.edges.append((found, self.call, IDENTITY, None))
            self.builder.inferred.add(found)
        return found

    def star(self) -> list[tuple[str, int]]:
        """Its listed outputs; just `*` where there are none."""
        return self.outputs or [("*", self.claim("*"))]


_NAMED_COLUMNS = {
    "posexplode": ["pos", "col"],
    "posexplode_outer": ["pos", "col"],
    "string_split": ["value", "ordinal"],
    "openjson": ["key", "value", "type"],
    "split_to_table": ["SEQ", "INDEX", "VALUE"],
    "json_each": ["key", "value"],
    "jsonb_each": ["key", "value"],
    "json_each_text": ["key", "value"],
    "jsonb_each_text": ["key", "value"],
    "json_array_elements": ["value"],
    "jsonb_array_elements": ["value"],
    "json_array_elements_text": ["value"],
    "jsonb_array_elements_text": ["value"],
}
"""What well-known table functions call their columns."""

_SERIES = frozenset({"generate_series", "generateseries", "range", "sequence", "exploding_generate_series"})


def _default_columns(scope: Scope, call: Any) -> list[str]:
    """The names that a generator gives its columns when nobody else does."""
    name = _name(call)
    grammar = scope.dialect.grammar_name
    if grammar == "snowflake" and name in ("explode", "flatten"):
        return [c.upper() for c in _FLATTEN]
    if isinstance(call, exp.OpenJSON) and call.expressions:
        return [scope.dialect.column(d.this) for d in call.expressions]
    if name in _NAMED_COLUMNS:
        return _NAMED_COLUMNS[name]
    if name == "inline":
        return []
    if name == "stack":
        return [f"col{i}" for i in range(_stack_width(call))]
    if name == "json_tuple":
        return [f"c{i}" for i in range(len(_arguments(call)) - 1)]
    if name in _SERIES:
        return ["id"] if grammar in ("spark", "databricks") else ["generate_series"]
    return {"spark": ["col"], "databricks": ["col"], "hive": ["col"]}.get(grammar, ["unnest"])


def _name(call: Any) -> str:
    """What a call is called, in lower case."""
    if isinstance(call, exp.Anonymous):
        return str(call.this).lower()
    return _CLASS_NAMES[call.__class__]


class _ClassNames(dict[type, str]):
    """Function names by node class; several spellings that the parser folds into one class keep the class's name."""

    def __missing__(self, cls: type) -> str:
        name = cls.sql_names()[0].lower() if issubclass(cls, (exp.Func, exp.Unnest)) else ""
        for known, its_name in _KNOWN_CLASSES:
            if issubclass(cls, known):
                name = its_name
                break
        self[cls] = name
        return name


_KNOWN_CLASSES = (
    (exp.Posexplode, "posexplode"),
    (exp.Explode, "explode"),
    (exp.Inline, "inline"),
    (exp.OpenJSON, "openjson"),
)


_CLASS_NAMES = _ClassNames()


def _arguments(call: Any) -> list[Any]:
    if isinstance(call, exp.OpenJSON):
        return [call.this]
    found: list[Any] = []
    for value in call.args.values():
        found.extend(v for v in (value if isinstance(value, list) else [value]) if isinstance(v, exp.Expr))
    return found


def _stack_width(call: Any) -> int:
    rows = _arguments(call)[0]
    count = int(rows.name) if isinstance(rows, exp.Literal) else 1
    return -(-(len(_arguments(call)) - 1) // max(count, 1))


_GENERATORS = frozenset(
    {"explode", "posexplode", "inline", "stack", "json_tuple", "unnest", "flatten", "explode_outer", "inline_outer"}
)


def is_generator(call: Any) -> bool:
    """Whether a call makes rows where it stands in a select list."""
    return _name(call) in _GENERATORS


def generate(scope: Scope, call: Any, names: list[str], place: Any) -> ResultSet:
    """The result set of a generator, its arguments taken from *scope*."""
    builder = scope.builder
    names = names or _default_columns(scope, call)
    if not names and _name(call) != "inline":
        names = ["col"]
    result = ResultSet(builder, "function", place)
    arguments = _arguments(call)
    name = _name(call)
    for argument in arguments:
        flow(scope, argument, result.rows, LATERAL)
    if name == "stack":
        _stack(scope, arguments, names, result, place)
    elif name == "json_tuple":
        for i, column in enumerate(names):
            _column(scope, result, column, [arguments[0], *arguments[i + 1 : i + 2]], place)
    elif name == "inline":
        _inline(scope, arguments, names, result, place)
    elif len(arguments) > 1 and isinstance(call, exp.Unnest):
        for column, argument in zip(names, arguments, strict=False):
            _element(scope, result, column, argument, place)
        for column in names[len(arguments) :]:
            _column(scope, result, column, arguments, place)
    else:
        for column in names:
            if len(arguments) == 1:
                _element(scope, result, column, arguments[0], place)
            else:
                _column(scope, result, column, arguments, place)
    return result.complete()


def _column(scope: Scope, result: ResultSet, name: str, arguments: list[Any], place: Any) -> int:
    column = result.add(name, place)
    for argument in arguments:
        flow(scope, argument, column, TRANSFORMATION)
    return column


def _element(scope: Scope, result: ResultSet, name: str, argument: Any, place: Any) -> int:
    """A column that holds the elements of an array; where that is a column, its fields are that column's fields."""
    column = _column(scope, result, name, [argument], place)
    while isinstance(argument, exp.Paren):
        argument = argument.this
    if isinstance(argument, exp.Column):
        array = column_of(scope, argument)
        if array is not None:
            scope.builder.elements[column] = array
    return column


def _stack(scope: Scope, arguments: list[Any], names: list[str], result: ResultSet, place: Any) -> None:
    """`stack(n, …)`: the cells fill n rows, column by column of the width."""
    cells = arguments[1:]
    for i, name in enumerate(names):
        _column(scope, result, name, cells[i :: len(names)], place)


def _inline(scope: Scope, arguments: list[Any], names: list[str], result: ResultSet, place: Any) -> None:
    """`inline(arr)`: one column per field of the array's structs."""
    array = column_of(scope, arguments[0]) if isinstance(arguments[0], exp.Column) else None
    fields = struct_fields(scope, array) if array is not None else []
    for i, name in enumerate(names or fields or ["col"]):
        if array is not None and i < len(fields):
            column = result.add(name, place)
            scope.edges.append((column, field_of(scope.builder, array, fields[i]), TRANSFORMATION, place))
        else:
            _column(scope, result, name, arguments, place)


def _strip(node: Any) -> Any:
    """The call inside TABLE(…) and parentheses."""
    while isinstance(node, (exp.TableFromRows, exp.Paren)):
        node = node.this
    return node


@stands_in_from(exp.Lateral)
def lateral(scope: Scope, node: Any) -> None:
    """LATERAL VIEW explode(…), LATERAL (SELECT …), LATERAL f(…)."""
    inner = node.this
    if isinstance(inner, exp.Subquery) and is_query(inner.this):
        inner = inner.this
    if is_query(inner):
        result = query(scope.builder, inner, scope, scope.environment)
        add_derived(scope, node, result)
        return
    _call_in_from(scope, node, _strip(inner))


@stands_in_from(exp.TableFromRows)
def table_from_rows(scope: Scope, node: Any) -> None:
    """`TABLE(f(…)) AS g`."""
    _call_in_from(scope, node, _strip(node.this))


def _call_in_from(scope: Scope, node: Any, call: Any) -> None:
    if isinstance(call, exp.Unnest):
        unnest(scope, node if isinstance(node, exp.Unnest) else _with_alias(call, node))
        return
    if is_generator(call):
        names = alias_columns(scope, node)
        if scope.dialect.grammar_name == "snowflake":
            names = []
        result = generate(scope, call, names, node)
        if not names:
            _map_columns(scope, call, result, node)
        result.row.alias = alias_name(scope, node)
        scope.add(result.row.alias, result)
        return
    table_function(scope, node, call)


def _map_columns(scope: Scope, call: Any, result: ResultSet, place: Any) -> None:
    """An exploded map has key and value; whether it is a map, only its type tells."""
    arguments = _arguments(call)
    if _name(call) not in ("explode", "posexplode") or "value" in result.columns or "VALUE" in result.columns:
        return
    for name in ("key", "value"):
        if name not in result.columns:
            column = result.columns[name] = scope.builder.column(result.entity, name, place)
            for argument in arguments:
                flow(scope, argument, column, TRANSFORMATION)


def _with_alias(call: Any, node: Any) -> Any:
    copy = call.copy()
    copy.set("alias", node.args.get("alias"))
    return copy


def table_function(scope: Scope, node: Any, call: Any) -> None:
    """A function in FROM: known generators by their rule, any other as rows made of all its arguments."""
    name = _name(call)
    if name in _GENERATORS or name in _SERIES or name in _NAMED_COLUMNS:
        names = alias_columns(scope, node)
        alias = alias_name(scope, node)
        if not names and alias is not None and scope.dialect.grammar_name == "postgres":
            names = [alias]
        result = generate(scope, call, names, node)
        result.row.alias = alias
        scope.add(alias or name, result)
        return
    builder = scope.builder
    result = FunctionResult(builder, "function", node)
    result.open = True
    result.call = builder.function(call)
    for argument in _arguments(call):
        if isinstance(argument, exp.Subquery) or not is_query(argument):
            flow(scope, argument, result.call, TRANSFORMATION)
        flow(scope, argument, result.rows, LATERAL)
    for listed in alias_columns(scope, node):
        column = result.add(listed, node)
        builder.edges.append((column, result.call, IDENTITY, node))
        result.open = False
    builder.say(
        Code.UNKNOWN_TABLE_FUNCTION,
        f"the columns of the table function {name} are not known; each is taken to depend on all its arguments",
        node,
        name,
    )
    result.row.alias = alias_name(scope, node)
    scope.add(result.row.alias or name, result.complete())


@stands_in_from(exp.Unnest)
def unnest(scope: Scope, node: Any) -> None:
    """`UNNEST(arr) [WITH OFFSET | ORDINALITY]`: one row per element."""
    alias = alias_name(scope, node)
    names = alias_columns(scope, node)
    arguments = node.expressions
    if scope.dialect.grammar_name == "bigquery":
        element = names[0] if names else alias
        _unnest_elements(scope, node, arguments, element, alias or element)
        return
    default = ["col"] if scope.dialect.grammar_name in ("spark", "databricks") else ["unnest"]
    if not names:
        names = [alias] if alias and scope.dialect.grammar_name == "postgres" else default
    offset = node.args.get("offset")
    result = generate(scope, exp.Unnest(expressions=arguments), names, node)
    if offset:
        name = scope.dialect.column(offset) if isinstance(offset, exp.Identifier) else "ordinality"
        if name not in result.columns and len(names) <= len(arguments):
            _column(scope, result, name, arguments, node)
    result.row.alias = alias
    scope.add(alias, result)


def unnest_column(scope: Scope, node: Any, column: Any) -> None:
    """An array column named as a table, unnested."""
    alias = alias_name(scope, node) or scope.dialect.column(column.this)
    _unnest_elements(scope, node, [column], alias, alias)


def _unnest_elements(scope: Scope, node: Any, arguments: list[Any], element: str | None, alias: str | None) -> None:
    """BigQuery: the alias is the element itself; where elements are structs, their fields are columns as well."""
    builder = scope.builder
    result = ElementRows(builder, "function", node)
    for argument in arguments:
        flow(scope, argument, result.rows, LATERAL)
    result.element = _element(scope, result, element or "f0_", arguments[0], node)
    result.open = True
    offset = node.args.get("offset")
    if offset:
        name = scope.dialect.column(offset) if isinstance(offset, exp.Identifier) else "offset"
        _column(scope, result, name, arguments, node)
    result.row.alias = alias
    scope.add(alias, result.complete())


class ElementRows(ResultSet):
    """Unnested elements: beside its own columns it has the fields of its element."""

    __slots__ = ("element",)

    def claim(self, name: str) -> int:
        """A field of the element."""
        if name in self.columns:
            return self.columns[name]
        return field_of(self.builder, self.element, name)


def generated_columns(scope: Scope, node: Any, result: ResultSet) -> bool:
    """A generator in the select list (`SELECT explode(a) AS x`): its columns become outputs, its rows multiply."""
    names: list[str] = []
    call = node
    if isinstance(node, exp.Aliases):
        names = [scope.dialect.column(a) for a in node.args["expressions"]]
        call = node.this
    elif isinstance(node, exp.Alias):
        names = [scope.dialect.column(node.args["alias"])]
        call = node.this
    if not is_generator(call):
        return False
    generated = generate(scope, call, names, node)
    scope.edges.append((result.rows, generated.rows, FROM_ROWS, None))
    for name, column in generated.outputs:
        output = result.add(name, node)
        scope.edges.append((output, column, IDENTITY, node))
        scope.builder.origins[output] = column
        scope.aliases[name] = output
    return True
