"""Generators: explode and its kin, as rows and columns; in the select list too.

A generator's argument flows into its columns and decides how many rows there are. The columns' names are the alias
list's, else the function's own.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import AGGREGATE_ROWS, FROM_ROWS, IDENTITY, LATERAL, TRANSFORMATION, WINDOW
from headwater.resolve.document_path import below
from headwater.resolve.field import field_of
from headwater.resolve.field_names import struct_fields
from headwater.resolve.field_rows import FieldRows
from headwater.resolve.flow import flow
from headwater.resolve.known_function import known_columns
from headwater.resolve.position import position
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.shape import has_fields, is_struct, known_value

_FLATTEN = ["seq", "key", "path", "index", "value", "this"]

_POSITIONS = frozenset({"pos", "seq", "index", "ordinal", "tokennum", "generate_subscripts"})
"""Columns of generators that number their rows, by the names that the functions give them."""

SERIES = frozenset({"generate_series", "generateseries", "range", "sequence", "exploding_generate_series"})


def default_columns(scope: Scope, call: Any) -> list[str]:
    """The names that a generator gives its columns when nobody else does."""
    name = name_of(call)
    grammar = scope.dialect.family
    if grammar == "snowflake" and name in ("explode", "flatten"):
        return [c.upper() for c in _FLATTEN]
    known = known_columns(scope.dialect, name)
    if known is not None:
        return known
    if name == "inline":
        return []
    if name == "stack":
        return [f"col{i}" for i in range(_stack_width(call))]
    if name == "json_tuple":
        return [f"c{i}" for i in range(len(arguments_of(call)) - 1)]
    if name in SERIES:
        return [_series_column(call, grammar)]
    return {"spark": ["col"], "databricks": ["col"], "hive": ["col"]}.get(grammar, ["unnest"])


def _series_column(call: Any, grammar: str) -> str:
    """What a series of numbers is called: after the function, except where the engine has a word for it."""
    if grammar == "duckdb" and call.args.get("is_end_exclusive"):
        return "range"
    return {"spark": "id", "databricks": "id", "sqlite": "value", "tsql": "value"}.get(grammar, "generate_series")


def name_of(call: Any) -> str:
    """What a call is called, in lower case; `inline_outer` is `inline` as far as columns go."""
    if type(call) is exp.Anonymous:
        return str(call.this).lower().replace("inline_outer", "inline")
    return _CLASS_NAMES[type(call)]


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
    (exp.MLForecast, "ml.forecast"),
    (exp.AIForecast, "ai.forecast"),
)


_CLASS_NAMES = _ClassNames()


def arguments_of(call: Any) -> list[Any]:
    """The arguments of a call, in order."""
    found: list[Any] = []
    for value in call.args.values() if isinstance(call, exp.Expr) else ():
        found.extend(v for v in (value if isinstance(value, list) else [value]) if isinstance(v, exp.Expr))
    return found


def _stack_width(call: Any) -> int:
    arguments = arguments_of(call)
    count = position(arguments[0]) or 1 if arguments else 1
    return -(-(len(arguments) - 1) // max(count, 1))


_EXPLODING = (
    *("split", "map", "bitmap", "numbers", "json_object", "json_array_int", "json_array_double", "json_array_string"),
    *("json_array_json", "variant_array"),
)
"""What Doris explodes by functions of their own: `explode_split`, `explode_map_outer`."""

GENERATORS = frozenset(
    {"explode", "posexplode", "inline", "stack", "json_tuple", "unnest", "flatten", "explode_outer"}
    | {"generate_subscripts", "unnest_bitmap", "subdivide_bitmap"}
    | {f"explode_{kind}{outer}" for kind in _EXPLODING for outer in ("", "_outer")}
)


def is_generator(call: Any) -> bool:
    """Whether a call makes rows where it stands in a select list."""
    return name_of(call) in GENERATORS


def generate(scope: Scope, call: Any, names: list[str], place: Any, numbered: bool = False) -> ResultSet:
    """The result set of a generator, its arguments taken from *scope*; the last column numbers its rows if it is *numbered*."""
    given = bool(names)
    names = names or default_columns(scope, call)
    name = name_of(call)
    if not names and name != "inline":
        names = ["col"]
    numbers = [names.pop()] if numbered else []
    result = FieldRows(scope.builder, "function", place)
    arguments = _given(arguments_of(call))
    for argument in _deciding(name, arguments):
        flow(scope, argument, result.rows, LATERAL)
    _fill(scope, call, arguments, names, result, place)
    if name == "inline" and not given and len(result.outputs) == 1:
        element = result.outputs[0][1]
        result.element = element if has_fields(scope.builder, element) is None else None
    for each in numbers:
        add_position(scope, result, each, place)
    return result.complete()


def _deciding(name: str, arguments: list[Any]) -> list[Any]:
    """The arguments that decide how many rows there are: of `stack(n, …)` only n, of any other all."""
    return [each for each in arguments[:1] if not isinstance(each, exp.Literal)] if name == "stack" else arguments


def _fill(scope: Scope, call: Any, arguments: list[Any], names: list[str], result: ResultSet, place: Any) -> None:
    """Add the columns of a generator."""
    name = name_of(call)
    if name == "stack":
        _stack(scope, arguments, names, result, place)
    elif name == "json_tuple":
        for i, column in enumerate(names):
            add_column(scope, result, column, [*arguments[:1], *arguments[i + 1 : i + 2]], place)
    elif name == "inline":
        _inline(scope, arguments, names, result, place)
    else:
        positions = [own.lower() in _POSITIONS for own in default_columns(scope, call)]
        if scope.dialect.numbers_elements and len(names) == 2 and name in ("explode", "unnest"):
            positions = [True]
        for i, column in enumerate(names):
            if positions[i : i + 1] == [True]:
                add_position(scope, result, column, place)
            elif len(arguments) == 1:
                add_element(scope, result, column, arguments[0], place)
            else:
                add_column(scope, result, column, arguments, place)


def _given(arguments: list[Any]) -> list[Any]:
    """The arguments, of FLATTEN only its input, below its `path`: `outer => true`, `mode => 'ARRAY'` hold no data."""
    named = {a.this.name.lower(): a.expression for a in arguments if isinstance(a, exp.Kwarg)}
    if "input" not in named:
        return arguments
    path = named.get("path")
    return [below(named["input"], path.name) if isinstance(path, exp.Literal) and path.name else named["input"]]


def add_column(scope: Scope, result: ResultSet, name: str, arguments: list[Any], place: Any) -> int:
    """An output that is made of arguments."""
    column = result.add(name, place)
    for argument in arguments:
        flow(scope, argument, column, TRANSFORMATION)
    return column


def add_position(scope: Scope, result: ResultSet, name: str, place: Any) -> int:
    """A column that numbers the rows: it holds no data, only the rows decide over it."""
    column = result.add(name, place)
    scope.edges.append((column, result.rows, AGGREGATE_ROWS, place))
    return column


def add_element(scope: Scope, result: ResultSet, name: str, argument: Any, place: Any) -> int:
    """A column that holds the elements of an array; their fields are the fields that the array has."""
    column = add_column(scope, result, name, [argument], place)
    array = known_value(scope, argument)
    if array is not None:
        scope.builder.elements[column] = array
    return column


def _stack(scope: Scope, arguments: list[Any], names: list[str], result: ResultSet, place: Any) -> None:
    """`stack(n, …)`: the cells fill n rows, column by column of the width."""
    cells = arguments[1:]
    for i, name in enumerate(names):
        add_column(scope, result, name, cells[i :: len(names)], place)


def _inline(scope: Scope, arguments: list[Any], names: list[str], result: ResultSet, place: Any) -> None:
    """`inline(arr)`: one column per field of the array's structs."""
    array = known_value(scope, arguments[0]) if arguments else None
    fields = struct_fields(scope.builder, array) if array is not None else []
    for i, name in enumerate(names or fields or ["col"]):
        if array is not None and i < len(fields):
            column = result.add(name, place)
            source = scope.builder.elements[column] = field_of(scope.builder, array, fields[i])
            scope.edges.append((column, source, TRANSFORMATION, place))
        elif len(arguments) == 1 and not fields and not names:
            add_element(scope, result, name, arguments[0], place)
        else:
            add_column(scope, result, name, arguments, place)


def generated_columns(scope: Scope, node: Any, result: ResultSet) -> bool:
    """A generator in the select list (`SELECT explode(a) AS x`): its columns become outputs, its rows multiply.

    So does any function that is given several names, Vertica's `SELECT f(a) OVER (PARTITION BY b) AS (x, y)`.
    """
    call = node.args.get("this") if isinstance(node, (exp.Alias, exp.Aliases)) else node
    keys: list[Any] = []
    if isinstance(node, exp.Aliases) and isinstance(call, exp.Window):
        order = call.args.get("order")
        keys = [*(call.args.get("partition_by") or ()), *(order.expressions if order is not None else ())]
        call = call.this
    if not is_generator(call) and not (isinstance(node, exp.Aliases) and isinstance(call, exp.Func)):
        return False
    names: list[str] = []
    if isinstance(node, exp.Aliases):
        names = [scope.dialect.column(a) for a in node.args["expressions"]]
    elif isinstance(node, exp.Alias):
        names = [scope.dialect.column(node.args["alias"])]
    if scope.dialect.unnest_takes_structs and isinstance(call, exp.Explode) and _unnested_fields(scope, call, result):
        return True
    generated = generate(scope, call, names, node)
    scope.edges.append((result.rows, generated.rows, FROM_ROWS, None))
    for name, column in generated.outputs:
        for key in keys:
            flow(scope, key, column, WINDOW)
        output = result.add(name, node)
        scope.edges.append((output, column, IDENTITY, node))
        scope.builder.origins[output] = column
        scope.aliases[name] = output
    return True


def _unnested_fields(scope: Scope, call: Any, result: ResultSet) -> bool:
    """DuckDB's `unnest(struct)`: one output per field, no rows; a recursive one gives the fields of a list's structs, too."""
    value = known_value(scope, call.this)
    if value is None:
        return False
    fields = struct_fields(scope.builder, value)
    is_list = not is_struct(scope.builder, value)
    if not fields or (is_list and not _is_recursive(call)):
        return False
    if is_list:
        flow(scope, call.this, result.rows, LATERAL)
    for name in fields:
        source = field_of(scope.builder, value, name)
        output = result.add(name, call)
        scope.edges.append((output, source, TRANSFORMATION if is_list else IDENTITY, call))
        scope.builder.origins[output] = source
    return True


def _is_recursive(call: Any) -> bool:
    """`unnest(l, recursive := true)`, `unnest(l, max_depth := 2)`."""
    return any(isinstance(each, exp.PropertyEQ) for each in call.expressions)
