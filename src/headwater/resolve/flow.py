"""Expressions: what flows from the columns below a syntax node into a target column.

`flow` walks an expression with a stack of its own (left spines of thousands of operators are flat), binds columns and hands
every other construct to the handler that registered for it. Operators pass their operands on; an identity under an
operator is a transformation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import (
    AGGREGATION,
    CASE_WHEN,
    IDENTITY,
    TRANSFORMATION,
    masked,
)
from headwater.resolve.bind import bind, lookup
from headwater.resolve.position import position
from headwater.resolve.registry import Registry
from headwater.resolve.scope import ALIASES_FIRST, Scope
from headwater.resolve.variable import named
from headwater.sql.folding import insensitive_identifier

Handler = Callable[[Scope, Any, int, int], None]
"""Lets a node flow into a target: scope, node, target column, kind."""

handles = Registry[Handler]()
"""Registers a handler for exact node classes."""

_FALLBACKS: list[tuple[type, Handler]] = []

_LITERALS = (
    exp.Literal,
    exp.Boolean,
    exp.Null,
    exp.National,
    exp.HexString,
    exp.BitString,
    exp.ByteString,
    exp.RawString,
    exp.UnicodeString,
)
_VARIABLES = (exp.Parameter, exp.SessionParameter, exp.Placeholder)
_MARKS = {exp.Placeholder: "", exp.SessionParameter: "@@"}
_SNOWFLAKE = {exp.Parameter: "$"}
"""What stands before the name of a variable."""
_LEAVES = (exp.Identifier, exp.Var, exp.DataType, exp.JSONPath, exp.IntervalSpan, exp.WindowSpec, exp.Hint)
_JSON_OPERATORS = (exp.JSONExtract, exp.JSONExtractScalar, exp.JSONBExtract, exp.JSONBExtractScalar)
_OPERATORS = (exp.Cast, exp.TryCast, exp.And, exp.Or, exp.Xor, *_JSON_OPERATORS)
"""Operators that the parser derives from its function class: they have no node of their own between operands and result."""
_TWO_OPERANDS = frozenset({"this", "expression"})
_TRANSPARENT = (exp.Paren, exp.Alias, exp.Distinct, exp.Kwarg, exp.PropertyEQ, exp.IgnoreNulls, exp.RespectNulls)

LITERAL_KINDS = frozenset(
    {IDENTITY, TRANSFORMATION, AGGREGATION, CASE_WHEN, masked(TRANSFORMATION), masked(AGGREGATION)}
)
"""Kinds for which a literal is a source: it makes a value, it does not merely decide over rows."""

LEAF, OPERATOR, BINARY, TRANSPARENT, LITERAL, VARIABLE = range(6)


def handles_below(cls: type) -> Callable[[Handler], Handler]:
    """Register a handler for a class and everything derived from it that has no handler of its own."""

    def register(handler: Handler) -> Handler:
        _FALLBACKS.append((cls, handler))
        return handler

    return register


class _Actions(dict[type, Any]):
    """What to do with a node, by its class; worked out when a class is first met."""

    def __missing__(self, cls: type) -> Any:
        action = self[cls] = _action(cls)
        return action


def _action(cls: type) -> Any:
    if cls in handles.handlers:
        return handles.handlers[cls]
    if not issubclass(cls, exp.Expr):
        return LEAF  # a part that the parser left out, as in `CASE WHEN END`
    for classes, action in (
        (_LITERALS, LITERAL),
        (_VARIABLES, VARIABLE),
        (_LEAVES, LEAF),
        (_TRANSPARENT, TRANSPARENT),
    ):
        if issubclass(cls, classes):
            return action
    if not issubclass(cls, _OPERATORS):
        for base, handler in _FALLBACKS:
            if issubclass(cls, base):
                return handler
    return BINARY if issubclass(cls, exp.Binary) and set(cls.arg_types) <= _TWO_OPERANDS else OPERATOR


_ACTIONS = _Actions()
_Column = exp.Column
_Identifier = exp.Identifier
_Expr = exp.Expr


def flow(scope: Scope, node: Any, target: int, kind: int) -> None:
    """Let everything below *node* flow into *target*."""
    edges = scope.edges
    names = scope.names
    fold = scope.fold_column
    is_lower = fold is insensitive_identifier  # so that a name which was looked up before need not be folded again
    stack = [node]
    while stack:
        node = stack.pop()
        cls = type(node)  # cheaper than `node.__class__`, which is looked up
        if cls is _Column:
            args = node.args
            identifier = args["this"]
            if type(identifier) is _Identifier:
                if len(args) == 1 or args.get("table") is None:
                    name = identifier.args.get("this")
                    if name not in names or not is_lower:
                        name = fold(identifier)
                    found = names.get(name)
                    if type(found) is not int or scope.alias_rule >= ALIASES_FIRST:
                        found = lookup(scope, name, node)
                    if type(found) is int:
                        edges.append((target, found, kind, node))
                        continue
            elif isinstance(identifier, exp.Func):
                stack.append(_qualified_call(node))
                continue
            bind(scope, node, target, kind)
            continue
        action = _ACTIONS[cls]
        if type(action) is int:
            if action == BINARY:
                if kind == IDENTITY:
                    kind = TRANSFORMATION
                args = node.args
                stack.append(args["expression"])
                stack.append(args["this"])
            elif action == OPERATOR:
                if kind == IDENTITY:
                    kind = TRANSFORMATION
                push_children(stack, node)
            elif action == TRANSPARENT:
                push_children(stack, node)
            elif action == LITERAL:
                if kind in LITERAL_KINDS and not (cls is exp.Null and node.parent.__class__ is exp.Is):
                    edges.append((target, scope.builder.literal(node), kind, node))
            elif action == VARIABLE:
                positional = parameter_of(scope, node)
                source = scope.builder.variable(node, _property(node)) if positional is None else positional
                edges.append((target, source, kind, node))
        else:
            action(scope, node, target, kind)


def _property(variable: Any) -> str:
    """What is taken out of the document in a variable: `a.b` of `JSON_VALUE(@j, '$.a.b')`."""
    taken = variable.parent
    path = taken.expression if isinstance(taken, _JSON_OPERATORS) and taken.this is variable else None
    keys = path.expressions if isinstance(path, exp.JSONPath) else []
    return ".".join(str(key.this) for key in keys if isinstance(key, exp.JSONPathKey))


def _qualified_call(node: Any) -> Any:
    """The call `p.d.f(x)`, which the grammar takes for a column called `f(x)` where it reads arguments of an aggregate."""
    qualifier = [node.args[key].copy() for key in ("catalog", "db", "table") if node.args.get(key) is not None]
    call = exp.Dot.build([*qualifier, node.this]) if qualifier else node.this
    call.parent = node.parent
    return call


def make(scope: Scope, node: Any, target: int) -> None:
    """Let an expression make a column's value; one that nothing flows from is a constant, such as `()`."""
    before = len(scope.edges)
    flow(scope, node, target, IDENTITY)
    if len(scope.edges) == before:
        constant(scope, node, target)


def constant(scope: Scope, node: Any, target: int) -> None:
    """An expression that nothing flowed from makes a column: it is a constant; a star over nothing is a mistake."""
    if node.find(exp.Star):
        scope.builder.say(Code.UNSUPPORTED_CONSTRUCT, "there is nothing that * could stand for", node, "*")
    scope.edges.append((target, scope.builder.literal(node), IDENTITY, node))


def parameter_of(scope: Scope, node: Any) -> int | None:
    """The column behind a parameter: the argument of the function whose body this is, else a column by its position."""
    parameters = scope.builder.parameters
    if parameters:
        mark = "$" if isinstance(node.args.get("this"), exp.Literal) else "@"
        found = parameters.get(scope.dialect.fold_column(f"{mark}{node.name}", False))
        if found is not None:
            return found
    if scope.builder.session.variables is not None:
        mark = (
            _MARKS.get(node.__class__, "@")
            if scope.dialect.family != "snowflake"
            else _SNOWFLAKE.get(node.__class__, "")
        )
        if isinstance(node.this, exp.Parameter):
            mark = "@@"
        name = node.this.name if mark == "@@" else node.name
        variable = named(scope.builder, scope.dialect.fold_column(f"{mark}{name}", False), node)
        if variable is not None:
            return variable
    return position_of(scope, node)


def position_of(scope: Scope, node: Any) -> int | None:
    """The column that Snowflake's `$2` means: the second of the only FROM item, or of a stage whatever it holds.

    Elsewhere `$2` is a parameter that the program around the statement fills.
    """
    if scope.dialect.family != "snowflake" or len(scope.items) != 1:
        return None
    found = column_at(scope, position(node.args.get("this")))
    return None if found is None else found[1]


def column_at(scope: Scope, number: int | None) -> tuple[str, int] | None:
    """The column of that number, counted over all FROM items; from an open item on it may be any, `*`."""
    left = number or 0
    for item in scope.items if left > 0 else ():
        owner = item.owner
        if owner.open:
            return "*", owner.claim("*")
        columns = owner.star()
        if left <= len(columns):
            return columns[left - 1]
        left -= len(columns)
    return None


def push_children(stack: list[Any], node: Any) -> None:
    """Push a node's children so that the first is popped first."""
    for value in reversed(node.args.values()):
        if type(value) is list:
            stack.extend([v for v in reversed(value) if isinstance(v, _Expr)])
        elif isinstance(value, _Expr):
            stack.append(value)


def flow_all(scope: Scope, nodes: list[Any], target: int, kind: int) -> None:
    """Let several expressions flow into one target."""
    for node in nodes:
        flow(scope, node, target, kind)
