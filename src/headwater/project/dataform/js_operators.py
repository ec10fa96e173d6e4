"""Operators of JavaScript, for values that are known."""

from __future__ import annotations

import math
from collections.abc import Callable

from headwater.project.dataform.js_values import Builtin, Class, Closure, Unknown, Value, as_number, text_of

EQUALITY = frozenset({"===", "==", "!==", "!="})


def arithmetic(operator: str, left: Value, right: Value) -> Value:
    """What an operator gives for values that are known."""
    if isinstance(left, str) and isinstance(right, str) and operator in COMPARED:
        return COMPARED[operator](left, right)
    if not isinstance(left, (int, float)) or not isinstance(right, (int, float)):
        return text_of(left) in right if operator == "in" and isinstance(right, dict) else None
    if operator in COMPARED:
        return COMPARED[operator](left, right)
    if operator in ("/", "%") and not right:
        return math.nan
    try:
        return as_number(_COMPUTED[operator](left, right)) if operator in _COMPUTED else None
    except (OverflowError, ZeroDivisionError):
        return math.inf
    except (ValueError, TypeError):
        return math.nan


COMPARED: dict[str, Callable[[Value, Value], bool]] = {
    "<": lambda left, right: bool(left < right),
    ">": lambda left, right: bool(left > right),
    "<=": lambda left, right: bool(left <= right),
    ">=": lambda left, right: bool(left >= right),
}
_COMPUTED: dict[str, Callable[[Value, Value], Value]] = {
    "+": lambda left, right: left + right,
    "-": lambda left, right: left - right,
    "*": lambda left, right: left * right,
    "/": lambda left, right: left / right,
    "%": lambda left, right: math.fmod(left, right),
    "**": lambda left, right: math.pow(left, right),
}


def type_of(value: Value) -> Value:
    """What `typeof` gives."""
    if isinstance(value, Unknown):
        return value
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number"
    if isinstance(value, str):
        return "string"
    if value is None:
        return "undefined"
    return "function" if isinstance(value, (Closure, Builtin, Class)) else "object"
