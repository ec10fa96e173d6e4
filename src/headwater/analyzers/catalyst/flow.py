"""Expressions: what flows from the columns below an analysed expression into a target column.

Operators pass their operands on, an identity below one is a transformation; constructs have handlers; anything else is a function
with a node of its own, as in `headwater.resolve.flow`.
"""

from __future__ import annotations

from collections.abc import Callable

from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.registry import Registry
from headwater.analyzers.select import Scope, Unread
from headwater.model.kind import IDENTITY, TRANSFORMATION, masked, under_operator
from headwater.resolve.flow import LITERAL_KINDS
from headwater.sql.place import Elsewhere

Handler = Callable[[Scope, Node, int, int], None]
"""Lets an expression flow into a target: scope, expression, target column, kind."""

handles = Registry[Handler]()
"""Registers the handler of an expression by its class' name."""

WRITE_CHECKS = frozenset({"CheckOverflowInTableInsert", "CheckOverflowInTableWrite", "AssertNotNull"})
"""What Spark and Delta put around values to check them before they are written."""
_TRANSPARENT = frozenset(
    {"Alias", "PromotePrecision", "KnownNotNull", "KnownNullable", "PipeExpression", "TempResolvedColumn"}
    | WRITE_CHECKS
)
_LEAVES = frozenset({"NamedLambdaVariable", "UnresolvedNamedLambdaVariable"})
_OPERATORS = frozenset(
    {"Add", "Subtract", "Multiply", "Divide", "IntegralDivide", "Remainder", "UnaryMinus", "UnaryPositive", "Cast"}
    | {
        "And",
        "Or",
        "Not",
        "EqualTo",
        "EqualNullSafe",
        "LessThan",
        "LessThanOrEqual",
        "GreaterThan",
        "GreaterThanOrEqual",
    }
    | {
        "IsNull",
        "IsNotNull",
        "In",
        "InSet",
        "Like",
        "RLike",
        "LikeAll",
        "LikeAny",
        "NotLikeAll",
        "NotLikeAny",
        "Between",
    }
    | {"BitwiseAnd", "BitwiseOr", "BitwiseXor", "BitwiseNot", "DateAddInterval", "TimestampAddInterval", "SortOrder"}
    | {"SubtractDates", "SubtractTimestamps", "LambdaFunction", "Collate", "ResolvedCollation"}
)
_MASKING = frozenset(
    {
        "Count",
        "CountIf",
        "HyperLogLogPlusPlus",
        "Md5",
        "Sha1",
        "Sha2",
        "Murmur3Hash",
        "XxHash64",
        "Crc32",
        "Mask",
        "HiveHash",
    }
)
"""Functions that hide what they are given."""


def flow(scope: Scope, node: Node, target: int, kind: int) -> None:
    """Let everything below *node* flow into *target*."""
    stack = [node]
    while stack:
        node = stack.pop()
        name = node.name
        if name == "AttributeReference":
            scope.edges.append((target, scope.find(node.id), kind, None))
        elif name in handles.handlers:
            handles.handlers[name](scope, node, target, kind)
        elif name in _OPERATORS:
            kind = under_operator(kind)
            stack.extend(reversed(node.children))
        elif name in _TRANSPARENT:
            stack.extend(reversed(node.children))
        elif name not in _LEAVES:
            function(scope, node, target, kind)


def function(scope: Scope, node: Node, target: int, kind: int) -> int:
    """A call: its arguments flow into a node of its own, that into the target."""
    value = call_node(scope, node, target, kind)
    for argument in node.children:
        flow(scope, argument, value, argument_kind(node, TRANSFORMATION))
    return value


def call_node(scope: Scope, node: Node, target: int, kind: int) -> int:
    """The column that stands for a call's value, connected with its target."""
    value = scope.builder.function(Elsewhere(node.name.lower(), None))
    scope.edges.append((target, value, kind, None))
    return value


def argument_kind(node: Node, kind: int) -> int:
    """How a call takes its arguments: hidden, where the function hides them."""
    return masked(kind) if node.name in _MASKING else kind


@handles("Literal")
def literal(scope: Scope, node: Node, target: int, kind: int) -> None:
    """A constant is a source where it makes a value."""
    if kind in LITERAL_KINDS:
        scope.edges.append(
            (target, scope.builder.literal(Elsewhere(scope.select.reader.redacted(_written(node)), None)), kind, None)
        )


def _written(node: Node) -> str:
    value = node.fields.get("value")
    if value is None:
        return "NULL"
    return f"'{value}'" if node.fields.get("dataType") == "string" else str(value)


@handles("OuterReference")
def outer_reference(scope: Scope, node: Node, target: int, kind: int) -> None:
    """A column of the query around a subquery."""
    inner = node.tree("e")
    if inner is not None:
        flow(scope, inner, target, kind)


@handles("StaticInvoke")
def invoked(scope: Scope, node: Node, target: int, kind: int) -> None:
    """A method of Java's; Spark checks the length of CHAR and VARCHAR values by one."""
    if str(node.fields.get("functionName")).endswith("TypeWriteSideCheck"):
        flow(scope, node.children[0], target, kind)
    else:
        function(scope, node, target, kind)


@handles("With", "CommonExpressionRef")
def shared(scope: Scope, node: Node, target: int, kind: int) -> None:
    """Several parts that Spark keeps apart, which the settings of `session` have it write out: JSON does not tell which is which."""
    raise Unread(f"the expression {node.name}")


def make(scope: Scope, node: Node, target: int) -> None:
    """Let an expression make a column's value; one that nothing flows from is a constant."""
    before = len(scope.edges)
    flow(scope, node, target, IDENTITY)
    if len(scope.edges) == before:
        scope.edges.append((target, scope.builder.literal(Elsewhere(node.name.lower(), None)), IDENTITY, None))


def leaves(node: Node) -> list[Node]:
    """The expressions without children below an expression."""
    found, stack = [], [node]
    while stack:
        current = stack.pop()
        stack.extend(current.children)
        if not current.children:
            found.append(current)
    return found


def is_constant(scope: Scope, node: Node) -> bool:
    """Whether an expression is the same for all rows; what Spark works out of constants before counts as one."""
    constants = scope.select.reader.constants
    return not any(
        leaf.name == "OuterReference"
        or (leaf.name == "AttributeReference" and leaf.id not in constants)
        or leaf.name.endswith("Subquery")
        or leaf.name in ("Exists", "ListQuery")
        for leaf in leaves(node)
    )
