"""Expressions: what flows from the columns below a resolved expression into a target column.

Operators pass their operands on, an identity below one is a transformation; constructs have handlers; any other call is a function
with a node of its own, as in `headwater.resolve.flow`.
"""

from __future__ import annotations

from collections.abc import Callable

from headwater.analyzers.registry import Registry
from headwater.analyzers.select import Scope, Unread
from headwater.analyzers.zetasql.tree import Node, everywhere
from headwater.model.kind import IDENTITY, TRANSFORMATION, masked, under_operator
from headwater.resolve.flow import LITERAL_KINDS
from headwater.sql.place import Elsewhere

Handler = Callable[[Scope, Node, int, int], None]
"""Lets an expression flow into a target: scope, expression, target column, kind."""

handles = Registry[Handler]()
"""Registers the handler of an expression by its class' name."""
calls = Registry[Handler]()
"""Registers the handler of a function by its name."""

NOTHING = -1
"""The column of a lambda's parameter: what it stands for flows by itself."""

_OPERATORS = frozenset(
    {"$add", "$subtract", "$multiply", "$divide", "$unary_minus", "$unary_plus", "$concat_op", "$and", "$or", "$not"}
    | {
        "$equal",
        "$not_equal",
        "$less",
        "$less_or_equal",
        "$greater",
        "$greater_or_equal",
        "$between",
        "$in",
        "$in_array",
    }
    | {"$is_null", "$is_true", "$is_false", "$is_distinct_from", "$is_not_distinct_from"}
    | {"$like", "$like_any", "$like_all", "$not_like_any", "$not_like_all", "$like_any_array", "$like_all_array"}
    | {"$bitwise_and", "$bitwise_or", "$bitwise_xor", "$bitwise_not", "$bitwise_left_shift", "$bitwise_right_shift"}
)
_MASKING = frozenset(
    {"count", "$count_star", "countif", "approx_count_distinct", "md5", "sha1", "sha256", "sha512", "farm_fingerprint"}
)
"""Functions that hide what they are given."""


def flow(scope: Scope, node: Node, target: int, kind: int) -> None:
    """Let everything below *node* flow into *target*."""
    stack = [node]
    while stack:
        node = stack.pop()
        if node.name == "ColumnRef":
            column = scope.find(node.column().id)
            if column != NOTHING:
                scope.edges.append((target, column, kind, None))
        elif node.name == "FunctionCall":
            name = node.function
            if name in calls.handlers:
                calls.handlers[name](scope, node, target, kind)
            elif name in _OPERATORS:
                kind = under_operator(kind)
                stack.extend(reversed(node.arguments))
            else:
                function(scope, node, target, kind)
        elif node.name in handles.handlers:
            handles.handlers[node.name](scope, node, target, kind)
        else:
            raise Unread(f"the expression {node.name}")


def function(scope: Scope, node: Node, target: int, kind: int) -> int:
    """A call: its arguments flow into a node of its own, that into the target."""
    value = call_node(scope, node.function, target, kind)
    for argument in node.arguments:
        flow(scope, argument, value, argument_kind(node, TRANSFORMATION))
    return value


def call_node(scope: Scope, name: str, target: int, kind: int) -> int:
    """The column that stands for a call's value, connected with its target."""
    value = scope.builder.function(Elsewhere(name.removeprefix("$"), None))
    scope.edges.append((target, value, kind, None))
    return value


def argument_kind(node: Node, kind: int) -> int:
    """How a call takes its arguments: hidden, where the function hides them."""
    return masked(kind) if node.function in _MASKING else kind


@handles("Literal")
def literal(scope: Scope, node: Node, target: int, kind: int) -> None:
    """A constant is a source where it makes a value."""
    if kind in LITERAL_KINDS:
        text = scope.select.reader.redacted(str(node.fields.get("value", "NULL")))
        scope.edges.append((target, scope.builder.literal(Elsewhere(text, None)), kind, None))


@handles("Parameter", "SystemVariable", "Constant")
def parameter(scope: Scope, node: Node, target: int, kind: int) -> None:
    """A query's parameter is a variable."""
    name = str(node.fields.get("name") or "?")
    scope.edges.append((target, scope.builder.variable(Elsewhere(f"@{name}", None)), kind, None))


@handles("Cast")
def cast(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`CAST(a AS STRING)`; a cast that nobody wrote only makes types fit."""
    flow(scope, node.node("expr"), target, under_operator(kind) if node.written else kind)


@handles("InlineLambda")
def inline_lambda(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`e -> e > a`: e stands for elements that flow by themselves; a is captured."""
    inner = Scope(scope.select, ())
    inner.columns = {**scope.columns, **{each.id: NOTHING for each in node.columns("argument_list")}}
    inner.outer = scope.outer
    flow(inner, node.node("body"), target, under_operator(kind))


@handles("DMLDefault")
def default(scope: Scope, node: Node, target: int, kind: int) -> None:
    """`DEFAULT`: what the table says."""


def make(scope: Scope, node: Node, target: int) -> None:
    """Let an expression make a column's value; one that nothing flows from is a constant."""
    before = len(scope.edges)
    flow(scope, node, target, IDENTITY)
    if len(scope.edges) == before and node.name != "DMLDefault":
        constant = scope.builder.literal(Elsewhere(node.function or node.name.lower(), None))
        scope.edges.append((target, constant, IDENTITY, None))


def varies(scope: Scope, node: Node) -> bool:
    """Whether an expression depends on a column, and not on constants alone, some of which the analyzer computes before."""
    constants = scope.select.reader.constants
    return any(
        each.name == "SubqueryExpr" or (each.name == "ColumnRef" and each.column().id not in constants)
        for each in everywhere(node)
    )
