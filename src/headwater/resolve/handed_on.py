"""What expressions do with structs that they are given: hand one on, or several, and what decides which.

COALESCE(a, b)                        hands on a and b
CASE WHEN c THEN a ELSE b END         hands on a and b; c decides
array_agg(x ORDER BY o)[OFFSET(i)]    hands on x; o and i decide
max_by(x, y), first(x)                hand on x; y decides
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sqlglot import exp

from headwater.model.kind import AGGREGATE_FILTER, CASE_WHEN, TRANSFORMATION, WINDOW
from headwater.resolve.choices import choices
from headwater.resolve.function_facts import facts_of
from headwater.resolve.map_parts import MAPS, keys_of, values_of

Flow = tuple[Any, int]
"""An expression, and how it flows into the value."""


class Accumulator(NamedTuple):
    """What `reduce` carries from element to element: it is made of the start, and of itself by the merging lambda."""

    initial: Any
    merged: Any


Parameter = tuple[Any, "Sequence[Any] | Accumulator"]
"""The name of a lambda's parameter, and the expressions whose values or elements it stands for."""


class Handed(NamedTuple):
    """The structs that an expression hands on, and everything else that flows into its value."""

    parts: Sequence[Flow]
    others: Sequence[Flow] = ()
    windows: Sequence[Any] = ()
    """Windows around the expression."""
    aggregates: bool = False
    """Whether the groups of its SELECT decide over it."""
    compares: bool = False
    """Whether it compares the structs, field by field from the left."""
    is_call: bool = False
    """Whether the value is a node of its own, as a function's is."""
    type: Any = None
    """The type that names the fields anew, by position."""
    is_array: bool | None = None
    """Whether the value is an array, or one element of it; None if it is what the parts are."""
    parameters: Sequence[Parameter] = ()
    """The parameters of lambdas among its arguments, with what they stand for."""


_AGGREGATES = (
    *(exp.AnyValue, exp.First, exp.Last, exp.ArgMax, exp.ArgMin, exp.Max, exp.Min),
    *(exp.ArrayAgg, exp.ArrayUniqueAgg, exp.ArrayConcatAgg, exp.ArrayUnionAgg),
    *(exp.FirstValue, exp.LastValue, exp.NthValue, exp.Lag, exp.Lead),
)
"""Functions over rows that give one of the values of their first argument, or all of them."""
_ARRAYS = (
    *(exp.ArrayFilter, exp.ArraySlice, exp.ArrayDistinct, exp.ArrayReverse, exp.Reverse, exp.ArraySort),
    *(exp.ArrayFirst, exp.ArrayLast, exp.ArrayCompact, exp.Flatten, exp.ArrayRemove, exp.Try, exp.Explode),
    *(exp.ArrayExcept, exp.Shuffle, exp.ArrayMax, exp.ArrayMin),
)
"""Functions that give some elements of their first argument."""
_TOGETHER = (
    *(exp.ArrayConcat, exp.ArrayAppend, exp.ArrayPrepend, exp.Concat, exp.DPipe),
    *(exp.ArrayIntersect, exp.ArrayInsert),
)
"""Functions that put arrays and elements together."""
_NAMED_AGGREGATES = frozenset({"arbitrary", "any", "anylast", "anyheavy", "list", "grouparray", "groupuniqarray"})
_NAMED_ARRAYS = frozenset(
    {"get", "list_element", "list_extract", "array_extract", "arrayelement", "arraysort", "arrayreversesort"}
    | {"arrayfirst", "arraylast", "arrayfilter", "arraydistinct", "arrayslice", "arrayreverse", "list_slice"}
    | {"array_except", "list_reverse", "list_reverse_sort", "list_sort", "list_distinct", "shuffle", "safe_offset"}
    | {"list_first", "list_last"}
)
_NAMED_TOGETHER = frozenset({"array_union", "array_intersect", "list_concat", "list_cat", "arrayconcat"})
_NAMED_PICKING = frozenset(
    {"get", "list_element", "list_extract", "array_extract", "arrayelement", "arrayfirst", "arraylast"}
    | {"list_first", "list_last"}
)
_NAMED_COLLECTING = frozenset({"list", "grouparray", "groupuniqarray"})
_NAMED_REDUCING = frozenset({"list_reduce", "array_reduce", "arrayfold"})
_NAMED_ON_MAPS = frozenset({"transform_values", "transform_keys", "map_filter", "map_zip_with"})
_PICKING = (exp.ArrayFirst, exp.ArrayLast, exp.ArrayMax, exp.ArrayMin, exp.Explode)
_COLLECTING = (exp.ArrayAgg, exp.ArrayUniqueAgg, exp.ArrayConcatAgg, exp.ArrayUnionAgg)
_UNKNOWN = (exp.Anonymous, exp.AnonymousAggFunc, exp.ParameterizedAgg)
_CHOICES = (exp.Case, exp.If, exp.Nvl2, exp.Nullif, exp.DecodeCase)
_AROUND_ARGUMENT = (exp.Order, exp.Limit, exp.Distinct, exp.IgnoreNulls, exp.RespectNulls, exp.HavingMax)


def handed_on(node: Any) -> Handed | None:
    """What an expression hands on; None if it makes something new of what it is given."""
    handler = _HANDLERS.get(node.__class__)
    return handler(node) if handler is not None else None


def _choice(node: Any) -> Handed | None:
    """CASE and its kin: one of the values, by what is tested."""
    found = choices(node)
    return _some([each for each in found if each[1] != CASE_WHEN], [each for each in found if each[1] == CASE_WHEN])


def _some(parts: list[Flow], others: list[Flow]) -> Handed | None:
    """Any of several values; NULL has no fields."""
    known = [part for part in parts if not isinstance(part[0], exp.Null)]
    return Handed(known, others, is_call=True) if known else None


def _coalesce(node: Any) -> Handed | None:
    return _some([(each, TRANSFORMATION) for each in (node.this, *node.expressions)], [])


def _aggregate(node: Any) -> Handed | None:
    """One of the values of a group, or all of them; what else it is given chooses or orders."""
    aggregates, kind = facts_of(node)
    first, *further = arguments(node) or [exp.Null()]
    others = [(each, kind) for each in further if not isinstance(each, exp.Literal)]
    while isinstance(first, _AROUND_ARGUMENT):
        if isinstance(first, exp.Order):
            others += [(ordered, WINDOW) for ordered in first.expressions]
        elif isinstance(first, exp.HavingMax):
            others.append((first.expression, AGGREGATE_FILTER))
        first = next(iter(first.expressions), exp.Null()) if isinstance(first, exp.Distinct) else first.this
    compares = isinstance(node, (exp.Max, exp.Min))
    collects = True if isinstance(node, _COLLECTING) or _name(node) in _NAMED_COLLECTING else None
    return Handed([(first, kind)], others, (), aggregates, compares, is_call=True, is_array=collects)


def _elements(node: Any) -> Handed | None:
    """Elements of an array: some, chosen by what else is given."""
    arrays, functions = _arguments_and_lambdas(node)
    if not arrays:
        return None
    others = [each for each in arguments(node) if each is not arrays[0]]
    others = [each for each in others if not isinstance(each, (exp.Literal, exp.PropertyEQ))]
    handed = Handed([(arrays[0], TRANSFORMATION)], [(each, TRANSFORMATION) for each in others], is_call=True)
    picks = isinstance(node, _PICKING) or _name(node) in _NAMED_PICKING
    compared = arrays * 2 if isinstance(node, exp.ArraySort) and len(arrays) == 1 else arrays
    parameters = [each for function in functions for each in _bound(function, compared)]
    compares = isinstance(node, (exp.ArrayMax, exp.ArrayMin))
    return handed._replace(is_array=False if picks else None, parameters=parameters, compares=compares)


def _mapped(node: Any) -> Handed | None:
    """`transform(arr, x -> …)`, `zip_with(a, b, (x, y) -> …)`: an array of what the lambda makes of the elements."""
    arrays, functions = _arguments_and_lambdas(node)
    if len(functions) != 1 or not arrays:
        return None
    parts = [(functions[0].this, TRANSFORMATION)]
    return Handed(parts, is_call=True, is_array=True, parameters=_bound(functions[0], arrays))


def _arguments_and_lambdas(node: Any) -> tuple[list[Any], list[Any]]:
    given = arguments(node)
    functions = [each for each in given if isinstance(each, exp.Lambda)]
    return [each for each in given if not isinstance(each, exp.Lambda)], functions


def _bound(function: Any, arrays: Sequence[Any]) -> list[Parameter]:
    """The parameters of a lambda, each with the array whose elements it stands for; a further one is a position."""
    return [(name, [array]) for name, array in zip(function.expressions, arrays, strict=False)]


def _reduced(node: Any) -> Handed | None:
    """`reduce(arr, start, (acc, x) -> …, acc -> …)`: what the last lambda makes of the accumulator, else the accumulator.

    The accumulator is made of the elements that the first lambda looks at. If it has fields, each is made of its own: then how many
    elements there are decides over all of them. A lambda that does not look at the elements is given the array all the same.
    """
    arrays, functions = _arguments_and_lambdas(node)
    if not functions or not arrays or any(len(each.expressions) < 1 for each in functions):
        return None
    merge, *finish = functions
    accumulator = Accumulator(arrays[-1] if len(arrays) > 1 else arrays[0], merge.this)
    parameters: list[Parameter] = [(merge.expressions[0], accumulator), *_bound(_rest(merge), arrays[:1])]
    if finish:
        parameters.append((finish[0].expressions[0], accumulator))
        parts = [(finish[0].this, TRANSFORMATION)]
    else:
        parts = [(accumulator.initial, TRANSFORMATION), (merge.this, TRANSFORMATION)]
    others = []
    if not isinstance(arrays[0], exp.Array):  # that one has as many elements as are written
        if _has_fields(accumulator, functions):
            others = [(arrays[0], CASE_WHEN)]
        elif not any(each.name in _names_in(merge.this) for each in merge.expressions[1:]):
            others = [(arrays[0], TRANSFORMATION)]
    return Handed(parts, others, is_call=True, parameters=parameters)


def _names_in(body: Any) -> set[str]:
    return {each.name for each in body.find_all(exp.Identifier)}


def _has_fields(accumulator: Accumulator, functions: Sequence[Any]) -> bool:
    """Whether an accumulator is a struct: something builds one, or a lambda reads a field of its first parameter."""
    if any(_builds(each) for each in accumulator):
        return True
    paths = (path for function in functions for path in function.this.find_all(exp.Dot))
    names = {function.expressions[0].name for function in functions}
    return any(isinstance(path.this, exp.Identifier) and path.this.name in names for path in paths)


def _builds(node: Any) -> bool:
    """Whether an expression makes a value with several fields."""
    return isinstance(node, (exp.Struct, exp.Tuple)) or (isinstance(node, exp.Cast) and _cast(node) is not None)


def _rest(function: Any) -> Any:
    """A lambda without its first parameter, as far as its parameters go."""
    return exp.Lambda(this=exp.Null(), expressions=[each.copy() for each in function.expressions[1:]])


def _map(node: Any) -> Handed | None:
    """A map hands on its values; the keys decide which one."""
    values = [(each, TRANSFORMATION) for each in values_of(node) if each is not node]
    others = _deciding_keys(node)
    if isinstance(node.args.get("this"), exp.Bracket):
        others += [(each, TRANSFORMATION) for each in node.this.expressions if not isinstance(each, exp.Literal)]
    return Handed(values, others, is_call=True, is_array=True) if values else None


def _of_map(node: Any) -> Handed | None:
    """`map_values(m)`, `map_keys(m)`: all of them."""
    given = arguments(node)
    if len(given) != 1:
        return None
    parts = keys_of(given[0]) if isinstance(node, exp.MapKeys) else values_of(given[0])
    return Handed([(each, TRANSFORMATION) for each in parts], is_call=True, is_array=True) if parts else None


def _by_lambda_of_map(node: Any) -> Handed | None:
    """`transform_values(m, (k, v) -> …)`, `map_filter`, `transform_keys`, `map_zip_with(m, n, (k, v, w) -> …)`."""
    maps, functions = _arguments_and_lambdas(node)
    if len(functions) != 1 or not maps:
        return None
    stands_for = [keys_of(maps[0]), *map(values_of, maps)]
    parameters: list[Parameter] = list(zip(functions[0].expressions, stands_for, strict=False))
    body = (functions[0].this, TRANSFORMATION)
    name = _name(node)
    keys = [] if name == "transform_keys" else [key for each in maps for key in _deciding_keys(each)]
    if name in ("transform_values", "map_zip_with"):
        return Handed([body], keys, is_call=True, is_array=True, parameters=parameters)
    parts = [(each, TRANSFORMATION) for each in values_of(maps[0])]
    return Handed(parts, [body, *keys], is_call=True, is_array=True, parameters=parameters)


def _deciding_keys(node: Any) -> list[Flow]:
    """The keys that a map is constructed with: they decide which value is found."""
    return [(each, TRANSFORMATION) for each in keys_of(node) if each is not node and not isinstance(each, exp.Literal)]


def _name(node: Any) -> str:
    """The name of a function that the grammar does not know, in lower case."""
    return str(node.this).lower() if isinstance(node, _UNKNOWN) else ""


def _together(node: Any) -> Handed | None:
    given = arguments(node)
    position = node.args.get("position")  # where array_insert puts the element
    others = [(position, TRANSFORMATION)] if position is not None and not isinstance(position, exp.Literal) else []
    handed = _some([(each, TRANSFORMATION) for each in given if each is not position], others)
    return handed._replace(is_array=True) if handed is not None else None


def _array(node: Any) -> Handed | None:
    parts = [(each, TRANSFORMATION) for each in node.expressions]
    return Handed(parts, is_array=True) if parts else None


def _subscript(node: Any) -> Handed | None:
    """`arr[i]`, `m['k']`."""
    indexes = [each for each in node.expressions if not isinstance(each, exp.Literal)]
    return Handed([(node.this, TRANSFORMATION)], [(each, TRANSFORMATION) for each in indexes], is_array=False)


def _by_name(node: Any) -> Handed | None:
    name = _name(node)
    if not node.expressions:
        return None
    if name in _NAMED_AGGREGATES:
        return _aggregate(node)
    if name in _NAMED_TOGETHER:
        return _together(node)
    if name in ("arraymap", "zip_with"):
        return _mapped(node)
    if name in _NAMED_REDUCING:
        return _reduced(node)
    if name in ("map_values", "mapvalues"):
        return _of_map(node)
    if name in _NAMED_ON_MAPS:
        return _by_lambda_of_map(node)
    if name == "multiif":
        return _choice(node)
    return _elements(node) if name in _NAMED_ARRAYS else None


def _cast(node: Any) -> Handed | None:
    """A cast to a type with fields names them anew."""
    kind = node.args.get("to")
    definitions = kind.find(exp.ColumnDef) if isinstance(kind, exp.DataType) else None
    return Handed([(node.this, TRANSFORMATION)], type=kind) if definitions is not None else None


def _wrapped(node: Any) -> Handed | None:
    """`f(…) FILTER (WHERE …)`, `f(…) WITHIN GROUP (ORDER BY …)`, `f(…) IGNORE NULLS`, `f(…) OVER (…)`."""
    handed = handed_on(node.this)
    if handed is None:
        return None
    others = list(handed.others)
    if isinstance(node, exp.Filter):
        others.append((node.expression.this, AGGREGATE_FILTER))
    elif isinstance(node, exp.WithinGroup):
        others.append((node.expression, WINDOW))
    elif isinstance(node, exp.Window):
        return handed._replace(windows=[*handed.windows, node], aggregates=False)
    return handed._replace(others=others)


def arguments(node: Any) -> list[Any]:
    """The arguments of a call, in order."""
    found: list[Any] = []
    for value in node.args.values():
        found.extend(v for v in (value if isinstance(value, list) else [value]) if isinstance(v, exp.Expr))
    return found


_HANDLERS: dict[type, Callable[[Any], Handed | None]] = {
    **dict.fromkeys(_CHOICES, _choice),
    **dict.fromkeys(_AGGREGATES, _aggregate),
    **dict.fromkeys(_ARRAYS, _elements),
    **dict.fromkeys(_TOGETHER, _together),
    **dict.fromkeys((exp.Filter, exp.WithinGroup, exp.IgnoreNulls, exp.RespectNulls, exp.Window), _wrapped),
    **dict.fromkeys((exp.Cast, exp.TryCast), _cast),
    **dict.fromkeys(_UNKNOWN, _by_name),
    **dict.fromkeys(MAPS, _map),
    exp.Transform: _mapped,
    exp.Reduce: _reduced,
    exp.MapKeys: _of_map,
    exp.Coalesce: _coalesce,
    exp.Array: _array,
    exp.Bracket: _subscript,
}

HANDING_ON = frozenset(_HANDLERS)
"""Classes of expressions that may hand structs on."""
