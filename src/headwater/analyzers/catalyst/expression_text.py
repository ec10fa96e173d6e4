"""An expression of a plan as text that people can read, for plans that were never SQL: `sum(amount * ?)`.

Constants are question marks: they may be somebody's data, and a job that differs in nothing else should be the same job. Casts are left
out, for Spark adds most of them.
"""

from __future__ import annotations

import re

from headwater.analyzers.catalyst.plan import Node

_DEEP = 12
"""Levels that are shown; what is below is left out."""
_LONG = 300
_INFIX = {
    "Add": "+",
    "Subtract": "-",
    "Multiply": "*",
    "Divide": "/",
    "Remainder": "%",
    "And": "AND",
    "Or": "OR",
    "EqualTo": "=",
    "EqualNullSafe": "<=>",
    "LessThan": "<",
    "LessThanOrEqual": "<=",
    "GreaterThan": ">",
    "GreaterThanOrEqual": ">=",
}
_TRANSPARENT = frozenset({"Alias", "Cast", "AggregateExpression", "KnownNotNull", "KnownNullable", "SortOrder"})
_QUERIES = frozenset({"ScalarSubquery", "Exists", "ListQuery"})
_FUNCTIONS_OF_USERS = frozenset({"PythonUDF", "PythonUDAF", "ScalaUDF", "ScalaAggregator", "ScalaUDAF"})
_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def expression_text(node: Node) -> str:
    """What an expression says, cut where it gets long."""
    text = _text(node, _DEEP)
    return text if len(text) <= _LONG else text[: _LONG - 1] + "…"


def _text(node: Node, depth: int) -> str:
    name = node.name
    if depth == 0:
        return "…"
    if name == "AttributeReference":
        return node.label
    if name == "Literal":
        return "?"
    if name in _QUERIES:
        return "(SELECT …)"
    inner = node.tree("e") if name == "OuterReference" else None
    if inner is not None:
        return _text(inner, depth - 1)
    inside = [_text(child, depth - 1) for child in node.children]
    if name in _TRANSPARENT:
        return inside[0]
    if name in _INFIX and len(inside) == 2:
        return f"({inside[0]} {_INFIX[name]} {inside[1]})"
    if name == "WindowExpression":
        return f"{inside[0]} OVER (…)"
    if name == "GetStructField":
        return f"{inside[0]}.{node.fields.get('name') or node.fields.get('ordinal')}"
    return f"{_called(node)}({', '.join(inside)})"


def _called(node: Node) -> str:
    """The name of a function; one of the user's may have none."""
    if node.name in _FUNCTIONS_OF_USERS:
        return str(node.fields.get("name") or node.fields.get("udfName") or "function")
    return _WORD.sub("_", node.name).lower()
