"""Python programs: the SQL literals that they give to `spark.sql(…)`, `cursor.execute(…)`, `pd.read_sql(…)` and the like.

The program is parsed, never run. A literal may be in several parts, an f-string, or the value of a name that is only ever assigned to;
what is computed in it is a placeholder. A call whose SQL is not written in the program leaves a text of its own at its place
(`headwater.sql.given_text`), which the front end reports.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from headwater.model.span import Span
from headwater.source.layout import Piece, laid_out
from headwater.source.python_calls import SqlCall, executes, looks_like_sql, name_of, sql_calls
from headwater.source.python_literal import Part, sql_of
from headwater.source.python_names import Names, Value
from headwater.source.script import SourceScript
from headwater.sql.given_text import given_text

_WRAPPERS = frozenset({"text", "SQL", "dedent", "cleandoc"})
"""Functions that take a literal and change nothing about what it means."""
_CHANGES = frozenset({"strip", "lstrip", "rstrip", "replace", "format", "format_map"})
_CHANGES |= {"bindparams", "columns", "execution_options"}
"""Methods of a literal, or of `text(…)`, that leave it one."""
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
        calls = list(sql_calls(tree))
        names = Names(tree if calls else ast.Module([], []))
        return _Reading(text, names).found(calls)
    except SyntaxError as error:
        return Found(problem=f"line {error.lineno or 1}: this is not Python: {error.msg}")
    except (ValueError, RecursionError, MemoryError) as error:
        return Found(problem=f"Python cannot read this program: {error or type(error).__name__}")


class _Literal(NamedTuple):
    """A literal: its parts, and whether something that is added to it elsewhere is left out."""

    parts: tuple[_Written, ...]
    is_whole: bool = True


class _Written(NamedTuple):
    """A part of a literal, and how its fields are filled."""

    node: ast.expr
    computed: bool
    apart: bool
    style: str
    arguments: tuple[ast.expr, ...]


class _Reading:
    """A program under way."""

    def __init__(self, text: str, names: Names) -> None:
        self._text = text
        self._names = names
        self._offsets = Offsets(text)

    def found(self, calls: Sequence[SqlCall]) -> Found:
        """The SQL that calls are given, and a text for each call whose SQL is not all there."""
        pieces: dict[Span, Piece] = {}
        unread: list[Piece] = []
        for each in calls:
            literals = _literals(each.argument, each.call, self._names)
            found = [self._piece(literal) for literal in literals]
            pieces.update((piece.span, piece) for piece in found if _is_statement(piece.sql, each))
            is_elsewhere = not found or any(_is_nothing_else(piece.sql) for piece in found)
            if (is_elsewhere and each.sure) or not all(literal.is_whole for literal in literals):
                unread.append(self._unread(each))
        apart, hidden = _apart([*pieces.values(), *unread])
        after = [_unread_behind(piece, apart) for piece in hidden]
        return Found(tuple(sorted([*apart, *after])), len(unread) + sum(piece not in unread for piece in hidden))

    def _piece(self, literal: _Literal) -> Piece:
        span = self._offsets.span(literal.parts[0].node, literal.parts[-1].node)
        arguments: dict[int, tuple[str, ...]] = {}
        for part in literal.parts:
            if id(part.arguments) not in arguments:
                arguments[id(part.arguments)] = tuple(self._written(each) for each in part.arguments)
        parts = [
            Part(self._offsets.span(p.node, p.node), p.computed, p.apart, p.style, arguments[id(p.arguments)])
            for p in literal.parts
        ]
        return Piece(span, sql_of(self._text, span, parts))

    def _written(self, node: ast.expr) -> str:
        start, end = self._offsets.span(node, node)
        return self._text[start:end]

    def _unread(self, call: SqlCall) -> Piece:
        """What stands for the SQL of a call, at the call's name."""
        name = name_of(call.call.func)
        end = self._offsets.span(call.call.func, call.call.func).end
        return Piece(Span(end - len(name), end), given_text(name, self._written(call.argument)))


def _unread_behind(piece: Piece, apart: Sequence[Piece]) -> Piece:
    """What stands for SQL between the parts of other SQL: it cannot stand there, so it stands behind that."""
    around = next(other for other in reversed(apart) if other.span.start <= piece.span.start)
    return Piece(Span(around.span.end, around.span.end), given_text("sql", "…"))


def _apart(pieces: Iterable[Piece]) -> tuple[tuple[Piece, ...], list[Piece]]:
    """Pieces in order, without those that stand between the parts of another; and these."""
    kept: list[Piece] = []
    hidden: list[Piece] = []
    for piece in sorted(pieces):
        if not kept or piece.span.start >= kept[-1].span.end:
            kept.append(piece)
        else:
            hidden.append(piece)
    return tuple(kept), hidden


def _is_statement(sql: str, call: SqlCall) -> bool:
    """Whether a literal can be a statement: not a table for `read_sql`, a dialect for `sql`, or nothing but a placeholder."""
    if not call.sure and not executes(call.call):
        return looks_like_sql(sql)
    if _is_nothing_else(sql):
        return False
    words = len(sql.split())
    return words > 1 or (words == 1 and executes(call.call))


def _is_nothing_else(sql: str) -> bool:
    """Whether a literal is nothing but a placeholder: the SQL is then somewhere else."""
    return _PLACEHOLDER.fullmatch(sql) is not None


def _parsed(text: str) -> ast.Module:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return ast.parse(text)


def _literals(argument: ast.expr, call: ast.Call, names: Names) -> list[_Literal]:
    """The literals that an argument may be; none if it is, or may be, anything else."""
    bare, style, arguments = _unwrapped(argument)
    if isinstance(bare, ast.Name):
        values = names.values(bare.id, call)
    elif isinstance(bare, ast.IfExp):
        values = [Value(bare.body), Value(bare.orelse)]
    else:
        values, style, arguments = [Value(argument)], "", ()
    found = [_literal_of(value, style, arguments) for value in values]
    return [literal for literal in found if literal is not None] if None not in found else []


_Filling = tuple[str, tuple[ast.expr, ...]]


def _unwrapped(
    node: ast.expr, style: str = "", arguments: tuple[ast.expr, ...] = ()
) -> tuple[ast.expr, str, tuple[ast.expr, ...]]:
    """An expression without `text(…)`, `.strip()`, `.format(…)`, `% …` around it; how its fields are filled, and with what."""
    while True:
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod):
            right = node.right
            node, style, arguments = node.left, "%", tuple(right.elts) if isinstance(right, ast.Tuple) else (right,)
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGES:
            if node.func.attr.startswith("format"):
                style, arguments = "format", tuple(node.args)
            node = node.func.value
        elif isinstance(node, ast.Call) and len(node.args) == 1 and name_of(node.func) in _WRAPPERS:
            node = node.args[0]
        else:
            return node, style, arguments


def _literal_of(value: Value, style: str, arguments: tuple[ast.expr, ...]) -> _Literal | None:
    """The literal that a value is, as its parts in order; None if no part is a string."""
    parts = list(_parts(value.assigned, style, arguments))
    if all(part.computed for part in parts):
        return None
    for added in value.added:
        first, *rest = _parts(added, style, arguments)
        parts += [first._replace(apart=True), *rest]
    return _Literal(tuple(parts), not value.left_out)


def _parts(node: ast.expr, style: str, arguments: tuple[ast.expr, ...]) -> Iterator[_Written]:
    """The parts of a sum, in order."""
    pending = [(node, style, arguments)]
    while pending:
        part, style, arguments = _unwrapped(*pending.pop())
        if isinstance(part, ast.BinOp) and isinstance(part.op, ast.Add):
            pending += ((part.right, style, arguments), (part.left, style, arguments))
            continue
        is_string = isinstance(part, ast.JoinedStr) or (isinstance(part, ast.Constant) and isinstance(part.value, str))
        yield _Written(part, not is_string, False, style, arguments)


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
