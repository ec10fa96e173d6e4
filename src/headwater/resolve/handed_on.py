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

Flow = tuple[Any, int]
"""An expression, and how it flows into the value."""


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
    elements: tuple[Any, Any] | None = None
    """An array, and a lambda whose first parameter stands for its elements."""


_AGGREGATES = (
    *(exp.AnyValue, exp.First, exp.Last, exp.ArgMax, exp.ArgMin, exp.Max, exp.Min),
    *(exp.ArrayAgg, exp.ArrayUniqueAgg, exp.ArrayConcatAgg, exp.ArrayUnionAgg),
    *(exp.FirstValue, exp.LastValue, exp.NthValue, exp.Lag, exp.Lead),
)
"""Functions over rows that give one of the values of their first argument, or all of them."""
_ARRAYS = (
    *(exp.ArrayFilter, exp.ArraySlice, exp.ArrayDistinct, exp.ArrayReverse, exp.Reverse, exp.ArraySort),
    *(exp.ArrayFirst, exp.ArrayLast, exp.ArrayCompact, exp.Flatten, exp.ArrayRemove, exp.Try, exp.Explode),
)
"""Functions that give some elements of their first argument."""
_TOGETHER = (exp.ArrayConcat, exp.ArrayAppend, exp.ArrayPrepend, exp.Concat, exp.DPipe)
"""Functions that put arrays and elements together."""
_NAMED_AGGREGATES = frozenset({"arbitrary", "any", "anylast", "anyheavy", "list", "grouparray", "groupuniqarray"})
_NAMED_ARRAYS = frozenset(
    {"get", "list_element", "list_extract", "array_extract", "arrayelement", "arraysort", "arrayreversesort"}
    | {"arrayfirst", "arraylast", "arrayfilter", "arraydistinct", "arrayslice", "arrayreverse", "list_slice"}
    | {"array_union", "array_except", "array_intersect", "list_reverse", "list_reverse_sort", "safe_offset"}
)
_NAMED_PICKING = frozenset(
    {"get", "list_element", "list_extract", "array_extract", "arrayelement", "arrayfirst", "arraylast"}
)
_NAMED_COLLECTING = frozenset({"list", "grouparray", "groupuniqarray"})
_PICKING = (exp.ArrayFirst, exp.ArrayLast, exp.Explode)
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
        first = first.expressions[0] if isinstance(first, exp.Distinct) else first.this
    compares = isinstance(node, (exp.Max, exp.Min))
    collects = True if isinstance(node, _COLLECTING) or _name(node) in _NAMED_COLLECTING else None
    return Handed([(first, kind)], others, (), aggregates, compares, is_call=True, is_array=collects)


def _elements(node: Any) -> Handed | None:
    """Elements of an array: some, chosen by what else is given."""
    given = arguments(node)
    arrays = [each for each in given if not isinstance(each, exp.Lambda)]
    if not arrays:
        return None
    others = [each for each in given if each is not arrays[0] and not isinstance(each, (exp.Literal, exp.PropertyEQ))]
    functions = [(arrays[0], each) for each in given if isinstance(each, exp.Lambda)]
    handed = Handed([(arrays[0], TRANSFORMATION)], [(each, TRANSFORMATION) for each in others], is_call=True)
    picks = isinstance(node, _PICKING) or _name(node) in _NAMED_PICKING
    return handed._replace(is_array=False if picks else None, elements=functions[0] if functions else None)


def _mapped(node: Any) -> Handed | None:
    """`transform(arr, x -> …)`: an array of what the lambda makes of each element."""
    given = arguments(node)
    functions = [each for each in given if isinstance(each, exp.Lambda)]
    arrays = [each for each in given if not isinstance(each, exp.Lambda)]
    if len(functions) != 1 or not arrays:
        return None
    parts = [(functions[0].this, TRANSFORMATION)]
    return Handed(parts, is_call=True, is_array=True, elements=(arrays[0], functions[0]))


def _name(node: Any) -> str:
    """The name of a function that the grammar does not know, in lower case."""
    return str(node.this).lower() if isinstance(node, _UNKNOWN) else ""


def _together(node: Any) -> Handed | None:
    handed = _some([(each, TRANSFORMATION) for each in arguments(node)], [])
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
    if name == "arraymap":
        return _mapped(node)
    if name == "multiif":
        return _choice(node)
    return _elements(node) if name in _NAMED_ARRAYS else None


def _cast(node: Any) -> Handed | None:
    """A cast to a type with fields names them anew."""
    definitions = node.to.find(exp.ColumnDef) if isinstance(node.to, exp.DataType) else None
    return Handed([(node.this, TRANSFORMATION)], type=node.to) if definitions is not None else None


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
    exp.Transform: _mapped,
    exp.Coalesce: _coalesce,
    exp.Array: _array,
    exp.Bracket: _subscript,
}

HANDING_ON = frozenset(_HANDLERS)
"""Classes of expressions that may hand structs on."""
