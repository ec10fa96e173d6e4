"""SQL inside Python sources: string literals that begin like a statement, taken out with Python's own parser.

Holes of f-strings are filled with a name, so that the text around them can be read; what does not parse afterwards is the hole's fault as
often as the analyser's, and the tables of such corpora are to be read with that in mind.
"""

from __future__ import annotations

import ast
import re
import textwrap
import warnings
from collections.abc import Iterator
from pathlib import Path

_STATEMENT = re.compile(
    r"\s*(?:(?:--[^\n]*\n|/\*.*?\*/)\s*)*"
    r"(?:SELECT\s|WITH\s+\S+.*\bAS\b|INSERT\s+(?:INTO|OVERWRITE|ALL|FIRST)\s|UPDATE\s+\S+.*\bSET\s|DELETE\s+FROM\s|MERGE\s+INTO\s"
    r"|CREATE\s+(?:\w+\s+){0,4}(?:TABLE|VIEW)\s|FROM\s+\S+\s+(?:SELECT|INSERT|WHERE)\b)",
    re.IGNORECASE | re.DOTALL,
)


def begins_like_a_statement(text: str) -> bool:
    """Whether a string reads like a statement that could have lineage, and not like prose or a lone expression."""
    return len(text.split()) > 1 and _STATEMENT.match(text) is not None


def python_tree(path: Path) -> ast.Module | None:
    """A Python file's syntax tree; None if it is of another Python."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(path.read_text(encoding="utf-8"))
    except (SyntaxError, UnicodeDecodeError):
        return None


def literal_text(node: ast.AST) -> str | None:
    """The text of a string or f-string literal; None for any other expression."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(_piece(value) for value in node.values)
    return None


def _piece(node: ast.expr) -> str:
    if isinstance(node, ast.Constant):
        return str(node.value)
    named = isinstance(node, ast.FormattedValue) and isinstance(node.value, ast.Name)
    return node.value.id if named else "hole"  # type: ignore[union-attr]


def statements_in(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of every string literal in a file that begins like a statement."""
    tree = python_tree(path)
    if tree is None:
        return
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        text = literal_text(node)
        if text is None:
            pending.extend(child for child in ast.iter_child_nodes(node) if not _is_docstring(child))
        elif begins_like_a_statement(text):
            yield node.lineno, textwrap.dedent(text).strip()  # type: ignore[attr-defined]


def _is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
