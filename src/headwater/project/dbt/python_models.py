"""Models in Python: the tables that they ask for, `dbt.ref("orders")` and `dbt.source("raw", "customers")`. Nothing is run.

What they give to `session.sql("…")`, `spark.sql("…")` and `session.table("…")` counts as well, where it is a constant text.
"""

from __future__ import annotations

import ast
import warnings
from typing import NamedTuple

_SESSIONS = frozenset({"session", "spark", "con", "conn"})
_QUERIES = frozenset({"sql", "execute", "query"})


class Asked(NamedTuple):
    """A call of `dbt.ref` or `dbt.source`: the texts that it is given, and a version."""

    function: str
    names: tuple[str, ...]
    version: str = ""


class Program(NamedTuple):
    """What a model asks for."""

    asked: tuple[Asked, ...] = ()
    tables: tuple[str, ...] = ()
    """Tables that it names itself."""
    queries: tuple[str, ...] = ()
    """Queries that it runs."""


def read_program(program: str) -> Program:
    """What a model asks for; nothing of a text that is no program."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(program)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return Program()
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    asked = (found for call in calls if (found := asked_in(call)) is not None)
    given = [each for call in calls if (each := _given(call)) is not None]
    tables = (text for method, text in given if method == "table")
    queries = (text.strip().rstrip(";") for method, text in given if method != "table" and _is_query(text))
    return Program(*(tuple(dict.fromkeys(each)) for each in (asked, tables, queries)))  # type: ignore[arg-type]


def asked_in(call: ast.Call) -> Asked | None:
    """What a call of `dbt.ref` or `dbt.source` asks for; None for any other."""
    called = call.func
    if not isinstance(called, ast.Attribute) or called.attr not in ("ref", "source"):
        return None
    if not isinstance(called.value, ast.Name) or called.value.id != "dbt":
        return None
    names = tuple(text for arg in call.args if (text := constant_text(arg)))
    given = [w.value for w in call.keywords if w.arg in ("v", "version") and isinstance(w.value, ast.Constant)]
    return Asked(called.attr, names, str(given[0].value) if given else "") if names else None


def constant_text(node: ast.expr) -> str:
    """A text that is written out; empty for anything else."""
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def is_session(node: ast.expr) -> bool:
    """Whether an expression is the session that a model is given: `session`, `spark`, `dbt.session`, `spark.read`."""
    while isinstance(node, ast.Attribute) and node.attr in ("read", "session", "spark"):
        if node.attr != "read":
            return True
        node = node.value
    return isinstance(node, ast.Name) and node.id in _SESSIONS


def _given(call: ast.Call) -> tuple[str, str] | None:
    """A method of the session, and the text that it is given."""
    called = call.func
    if not isinstance(called, ast.Attribute) or not call.args or not is_session(called.value):
        return None
    text = constant_text(call.args[0])
    return (called.attr, text) if text and (called.attr == "table" or called.attr in _QUERIES) else None


def _is_query(text: str) -> bool:
    words = text.lstrip(" (\n\t").lower()
    return words.startswith(("select", "with", "from"))
