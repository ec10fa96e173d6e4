"""The keys and the values of a map: those that a constructor lists, else the map itself stands for both."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

MAPS = (exp.Map, exp.VarMap, exp.ToMap)
"""Classes of expressions that construct a map."""


def keys_of(node: Any) -> list[Any]:
    """The expressions that a map has as keys."""
    return _parts(node)[0]


def values_of(node: Any) -> list[Any]:
    """The expressions that a map has as values."""
    return _parts(node)[1]


def _parts(node: Any) -> tuple[list[Any], list[Any]]:
    node = node.unnest() if isinstance(node, exp.Paren) else node
    if isinstance(node, exp.ToMap):
        written = node.this.this if isinstance(node.this, exp.Bracket) else node.this  # `MAP {k: v}[i]`
        pairs = [pair for pair in written.expressions if isinstance(pair, (exp.PropertyEQ, exp.Slice))]
        if isinstance(written, exp.Struct) and len(pairs) == len(written.expressions):
            return [pair.this for pair in pairs], [pair.expression for pair in pairs]
    if isinstance(node, (exp.Map, exp.VarMap)) and node.args.get("keys") is not None:
        return _listed(node.args["keys"]), _listed(node.args.get("values"))
    return [node], [node]


def _listed(array: Any) -> list[Any]:
    """The elements of an array that is written out; else the array, whose elements are no further known."""
    if isinstance(array, exp.Array):
        return list(array.expressions)
    return [array] if isinstance(array, exp.Expr) else []
