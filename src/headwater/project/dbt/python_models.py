"""Models in Python: the tables that they ask for, `dbt.ref("orders")` and `dbt.source("raw", "customers")`. Nothing is run."""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from typing import NamedTuple


class Asked(NamedTuple):
    """A call of `dbt.ref` or `dbt.source`: the texts that it is given, and a version."""

    function: str
    names: tuple[str, ...]
    version: str = ""


def asked_by(program: str) -> tuple[Asked, ...]:
    """What a model asks for; nothing of a text that is no program."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(program)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return ()
    return tuple(dict.fromkeys(_calls(tree)))


def _calls(tree: ast.AST) -> Iterator[Asked]:
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        called = node.func
        if called.attr in ("ref", "source") and isinstance(called.value, ast.Name) and called.value.id == "dbt":
            values = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
            names = tuple(value for value in values if isinstance(value, str))
            given = [w.value for w in node.keywords if w.arg in ("v", "version") and isinstance(w.value, ast.Constant)]
            if names:
                yield Asked(called.attr, names, str(given[0].value) if given else "")
