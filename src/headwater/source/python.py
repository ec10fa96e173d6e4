"""Python programs: the SQL literals that they give to `spark.sql(…)`, `cursor.execute(…)`, `pd.read_sql(…)` and the like.

The program is parsed, never run. A literal may be in several parts, an f-string, or the value of a name to which only literals are ever
assigned; what is built in any other way is skipped, and counted.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from headwater.model.span import Span
from headwater.source.layout import Piece, laid_out
from headwater.source.python_literal import Literal, sql_of
from headwater.source.python_names import Names
from headwater.source.script import SourceScript

_METHODS = frozenset({"sql", "execute", "executemany", "executescript", "read_sql", "read_sql_query"})
_FUNCTIONS = frozenset({"read_sql", "read_sql_query"})
_KEYWORDS = frozenset({"sql", "query", "sqlQuery", "operation", "statement", "sql_script"})
_WRAPPERS = frozenset({"text", "SQL", "dedent", "cleandoc"})
"""Functions that take a literal and change nothing about what it means."""
_CHANGES = frozenset({"strip", "lstrip", "rstrip", "format", "format_map"})
"""Methods of a literal that leave it one."""
_PLACEHOLDER = re.compile(r"\s*(?:\$\{[^}]*\}|%s|\{[^}]*\})\s*;?\s*")
_LINE = re.compile(r"\r\n|\r|\n")


@dataclass(frozen=True, slots=True)
class Found:
    """The SQL in a program, how many calls were skipped, and why the program could not be read."""

    pieces: tuple[Piece, ...] = ()
    skipped: int = 0
    problem: str = ""


def python_script(path: str, text: str, encoding: str) -> list[SourceScript]:
    """The script of a Python file; none if it has nothing to do with SQL."""
    found = read_python(text)
    if not (found.pieces or found.skipped or found.problem):
        return []
    laid = laid_out(text, found.pieces)
    return [SourceScript(path, laid, "python", encoding=encoding, problem=found.problem, skipped=found.skipped)]


def read_python(text: str) -> Found:
    """The SQL in a program's text; a program that is not Python is a problem."""
    try:
        tree = _parsed(text)
        calls = list(_calls(tree))
        names = Names(tree if calls else ast.Module([], []))
    except SyntaxError as error:
        return Found(problem=f"line {error.lineno or 1}: this is not Python: {error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        return Found(problem=f"Python cannot read this program: {error or type(error).__name__}")
    offsets = Offsets(text)
    pieces: dict[Span, Piece] = {}
    skipped = 0
    for call, argument in calls:
        found = [_piece(text, literal, offsets) for literal in _literals(argument, call, names)]
        statements = [piece for piece in found if _is_statement(piece.sql, call)]
        skipped += not found or any(_is_nothing_else(piece.sql) for piece in found)
        pieces.update((piece.span, piece) for piece in statements)
    apart = _apart(pieces.values())
    return Found(apart, skipped + len(pieces) - len(apart))


def _apart(pieces: Iterable[Piece]) -> tuple[Piece, ...]:
    """Pieces in order, without those that stand between the parts of another."""
    kept: list[Piece] = []
    for piece in sorted(pieces):
        if not kept or piece.span.start >= kept[-1].span.end:
            kept.append(piece)
    return tuple(kept)


def _piece(text: str, literal: Literal, offsets: Offsets) -> Piece:
    span = offsets.span(literal.parts[0], literal.parts[-1])
    return Piece(span, sql_of(text, span, [offsets.span(p, p) for p in literal.parts], literal.formatted))


def _is_statement(sql: str, call: ast.Call) -> bool:
    """Whether a literal can be a statement: not a table for `read_sql`, a dialect for `sql`, or nothing but a placeholder."""
    words = len(sql.split())
    return words > 1 or (words == 1 and "execute" in _name(call.func) and not _is_nothing_else(sql))


def _is_nothing_else(sql: str) -> bool:
    """Whether a literal is nothing but a placeholder: the SQL is then somewhere else."""
    return _PLACEHOLDER.fullmatch(sql) is not None


def _parsed(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _calls(tree: ast.AST) -> Iterator[tuple[ast.Call, ast.expr]]:
    """Calls that take SQL, and what they are given; what can be no text is none."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and _takes_sql(node.func):
            given = [*node.args[:1], *(k.value for k in node.keywords if k.arg in _KEYWORDS)]
            if given and _may_be_text(given[0]):
                yield node, given[0]


def _may_be_text(node: ast.expr) -> bool:
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str)
    return not isinstance(node, (ast.Lambda, ast.List, ast.Dict, ast.Starred))


def _takes_sql(function: ast.expr) -> bool:
    if isinstance(function, ast.Name):
        return function.id in _FUNCTIONS
    return isinstance(function, ast.Attribute) and function.attr in _METHODS


def _literals(argument: ast.expr, call: ast.Call, names: Names) -> list[Literal]:
    """The literals that an argument may be; none if it is, or may be, anything else."""
    bare, formatted = unwrapped(argument)
    values = names.values(bare.id, call) if isinstance(bare, ast.Name) else [argument]
    found = [literal_of(value, formatted) for value in values]
    return [literal for literal in found if literal is not None] if None not in found else []


def unwrapped(node: ast.expr) -> tuple[ast.expr, bool]:
    """An expression without `text(…)`, `.strip()`, `.format(…)`, `% …` around it; whether its braces are for `format`."""
    formatted = False
    while True:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            node = node.left
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
            formatted |= node.func.attr.startswith("format")
            node = node.func.value
        elif isinstance(node, ast.Call) and len(node.args) == 1 and _name(node.func) in _WRAPPERS:
            node = node.args[0]
        else:
            return node, formatted


def _name(function: ast.expr) -> str:
    return getattr(function, "attr", "") or getattr(function, "id", "")


def literal_of(node: ast.expr, formatted: bool = False) -> Literal | None:
    """The literal that an expression is, as its parts in order; None if any part is something else."""
    pending, parts = [node], list[ast.expr]()
    while pending:
        part, is_format = unwrapped(pending.pop())
        formatted |= is_format
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add):
            pending += (part.right, part.left)
        elif (isinstance(part, ast.Constant) and isinstance(part.value, str)) or _is_plain(part):
            parts.append(part)
        else:
            return None
    return Literal(tuple(parts), formatted)


def _is_plain(node: ast.expr) -> bool:
    """Whether an expression is an f-string all of whose fields are names, attributes or items by constant keys."""
    if not isinstance(node, ast.JoinedStr):
        return False
    fields = (value.value for value in node.values if isinstance(value, ast.FormattedValue))
    return all(map(_is_lookup, fields))


def _is_lookup(node: ast.expr) -> bool:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        if isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Constant):
            return False
        node = node.value
    return isinstance(node, ast.Name)


class Offsets:
    """Turns the parser's lines and bytes into character offsets of a program's text."""

    __slots__ = ("_starts", "_text")

    def __init__(self, text: str) -> None:
        self._text = text
        self._starts = [0, *(match.end() for match in _LINE.finditer(text))]

    def span(self, first: ast.expr, last: ast.expr) -> Span:
        """From the beginning of an expression to the end of another."""
        end = self._offset(last.end_lineno or last.lineno, last.end_col_offset or 0)
        return Span(self._offset(first.lineno, first.col_offset), end)

    def _offset(self, line: int, column: int) -> int:
        start = self._starts[line - 1]
        end = self._starts[line] if line < len(self._starts) else len(self._text)
        content = self._text[start:end]
        if content.isascii():
            return start + column
        return start + len(content.encode("utf-8", "surrogatepass")[:column].decode("utf-8", "surrogatepass"))
