"""Models in Python: what their decorator declares, and the tables that they ask for. Nothing is run.

@model("db.orders", columns={"id": "int"}, depends_on=["raw.orders"])
def execute(context, …):
    table = context.resolve_table("raw.customers")
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Iterator
from dataclasses import dataclass, field

_ASKING = frozenset({"resolve_table", "table", "resolve_tables"})


@dataclass(frozen=True, slots=True)
class PythonModel:
    """A model that a function makes."""

    name: str
    line: int
    columns: dict[str, str] = field(default_factory=dict)
    reads: tuple[str, ...] = ()
    kind: str = "FULL"
    dialect: str = ""
    sql: str = ""
    """What it returns, if that is written out in full."""
    returns_sql: bool = False
    """Whether it gives SQL, and no rows."""


def read_python_models(text: str) -> list[PythonModel]:
    """The models of a program; raises `SyntaxError` or `ValueError` for what is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            tree = ast.parse(text)
        except (RecursionError, MemoryError) as error:
            raise ValueError("the program is nested too deeply") from error
    found = []
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for decorator in node.decorator_list:
                made = _model(decorator, node)
                if made is not None:
                    found.append(made)
    return found


def macros_in(text: str) -> set[str]:
    """The names of functions that are macros, in lower case."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    functions = (node for node in tree.body if isinstance(node, ast.FunctionDef))
    return {node.name.lower() for node in functions if any(_called(each) == "macro" for each in node.decorator_list)}


def _model(decorator: ast.expr, function: ast.FunctionDef | ast.AsyncFunctionDef) -> PythonModel | None:
    if not isinstance(decorator, ast.Call) or _called(decorator) != "model":
        return None
    named = {word.arg: word.value for word in decorator.keywords if word.arg}
    first = decorator.args[0] if decorator.args else named.get("name")
    name = _text(first)
    if not name:
        return None
    kind = named.get("kind")
    reads = (*_texts(named.get("depends_on")), *_asked(function))
    return PythonModel(
        name=name,
        line=decorator.lineno,
        columns=_columns(named.get("columns")),
        reads=tuple(dict.fromkeys(reads)),
        kind=_kind(kind),
        dialect=_text(named.get("dialect")),
        sql=_returned(function),
        returns_sql=isinstance(is_sql := named.get("is_sql"), ast.Constant) and is_sql.value is True,
    )


def _called(node: ast.expr) -> str:
    target = node.func if isinstance(node, ast.Call) else node
    return target.attr if isinstance(target, ast.Attribute) else target.id if isinstance(target, ast.Name) else ""


def _text(node: ast.expr | None) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _texts(node: ast.expr | None) -> Iterator[str]:
    items = node.elts if isinstance(node, (ast.List, ast.Tuple, ast.Set)) else ()
    yield from (found for item in items if (found := _text(item)))


def _columns(node: ast.expr | None) -> dict[str, str]:
    if not isinstance(node, ast.Dict):
        return {}
    pairs = zip(node.keys, node.values, strict=True)
    return {name: _text(value) for key, value in pairs if key is not None and (name := _text(key))}


def _kind(node: ast.expr | None) -> str:
    """`kind="full"`, `kind=dict(name=ModelKindName.FULL)`, `kind={"name": "full"}`."""
    if isinstance(node, ast.Call):
        node = next((word.value for word in node.keywords if word.arg == "name"), None)
    elif isinstance(node, ast.Dict):
        pairs = zip(node.keys, node.values, strict=True)
        node = next((value for key, value in pairs if _text(key) == "name"), None)
    if isinstance(node, ast.Attribute):
        return node.attr.upper()
    return _text(node).upper() or "FULL"


def _asked(function: ast.AST) -> Iterator[str]:
    """The tables that a program asks its context for."""
    for node in ast.walk(function):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _ASKING:
            yield from (found for argument in node.args if (found := _text(argument)))


def _returned(function: ast.AST) -> str:
    """The text that a function returns, if it returns one that is written out."""
    texts = [_text(node.value) for node in ast.walk(function) if isinstance(node, ast.Return)]
    return texts[0] if len(texts) == 1 else ""
