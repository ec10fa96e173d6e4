"""Snowflake's procedures in JavaScript: the texts that `snowflake.execute` and `createStatement` are given, as steps of a program.

Variables hold texts; strings, templates and `+` put them together. `if`, loops, `try` and functions are blocks: what is assigned in them
is one of several texts. Everything else of the language is stepped over: a text that depends on it is not known.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from sqlglot import exp

from headwater.model.span import Span
from headwater.sql.procedural.form import Assign, Condition, Dynamic, Fetch, Target
from headwater.sql.procedural.tree import Branch, Choice, Declared, Do, Group, Let, Repeat, Step
from headwater.sql.split import Piece
from headwater.sql.statement import Statement

_TOKEN = re.compile(
    r"""(?P<skip>\s+|//[^\n]*|/\*.*?\*/)"""
    r"""|(?P<string>"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`(?:[^`\\]|\\.)*`)"""
    r"""|(?P<name>[A-Za-z_$][\w$]*)|(?P<number>\d[\w.]*)|(?P<sign>\+=|=>|[=!<>]==?|&&|\|\||.)""",
    re.DOTALL,
)
_HOLE = re.compile(r"\$\{([^{}]*)\}")
_DECLARING = frozenset({"var", "let", "const"})
_EXECUTING = frozenset({"execute", "createStatement", "executeAsync"})
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "\n": ""}
_RESULT = frozenset({"getColumnValue", "getColumnValueAsString"})


class _Token(NamedTuple):
    kind: str
    text: str
    start: int
    end: int


def javascript_steps(source: str, at: int, whole: Span | None, piece: Piece, dialect: Any) -> tuple[Step, ...]:
    """The steps of a body that begins at an offset of the script; *whole* is its place where it is not written there as it is."""
    tokens = [token for token in _tokens(source) if token.kind != "skip"]
    return tuple(_Script(tokens, at, whole, piece, dialect).steps())


def _tokens(source: str) -> Iterator[_Token]:
    for found in _TOKEN.finditer(source):
        yield _Token(found.lastgroup or "", found.group(), *found.span())


class _Script:
    """The tokens of a body and a place among them."""

    def __init__(self, tokens: Sequence[_Token], at: int, whole: Span | None, piece: Piece, dialect: Any) -> None:
        self._tokens = tokens
        self._offset = at
        self._whole = whole
        self._piece = piece
        self._dialect = dialect
        self._at = 0

    # -- the cursor ---------------------------------------------------------------------------------------------------------

    def _text(self, ahead: int = 0) -> str:
        i = self._at + ahead
        return self._tokens[i].text if i < len(self._tokens) else ""

    def _kind(self) -> str:
        return self._tokens[self._at].kind if self._at < len(self._tokens) else ""

    def _skip_brackets(self) -> None:
        """Step over what is in brackets here."""
        depth = 0
        while self._at < len(self._tokens):
            depth += (self._text() in "([{") - (self._text() in ")]}")
            self._at += 1
            if depth <= 0:
                return

    def _made(self, start: int, tree: Any) -> Do:
        last = self._tokens[max(self._at - 1, start)]
        span = self._whole or Span(self._offset + self._tokens[start].start, self._offset + last.end)
        return Do(Statement(self._piece.text, self._dialect, span, tree, (), self._piece.source))

    # -- steps --------------------------------------------------------------------------------------------------------------

    def steps(self, end: str = "") -> list[Step]:
        """The steps up to a bracket that closes, or to the end; moves behind it."""
        found: list[Step] = []
        while self._at < len(self._tokens):
            if end and self._text() == end:
                self._at += 1
                break
            found += self._step()
        return found

    def _step(self) -> list[Step]:
        start, word = self._at, self._text()
        if self._kind() == "name":
            if word == "if":
                return [self._choice()]
            if word in ("for", "while", "do"):
                return [self._loop()]
            if word == "try":
                return [self._guarded()]
            if word == "function":
                while self._at < len(self._tokens) and self._text() != "{":
                    self._at += 1
                return [Group(tuple(self._block()))]
            if word in _DECLARING:
                self._at += 1
                return self._assignment(start, declares=True)
            if self._text(1) in ("=", "+=") and self._text(2) != "=":
                return self._assignment(start, declares=False)
            executed = self._executed("")
            if executed is not None:
                return [executed]
        if word == "{":
            return self._block()
        self._at = start + 1
        return []

    def _block(self) -> list[Step]:
        """The steps in braces, or the one step that stands in their place."""
        if self._text() != "{":
            return self._step()
        self._at += 1
        return self.steps("}")

    def _condition(self, start: int, type: str) -> Statement:
        if self._text() == "(":
            self._skip_brackets()
        return self._made(start, Condition(type, exp.Null())).statement

    def _choice(self) -> Step:
        start = self._at
        self._at += 1
        branches = [Branch(self._condition(start, "If"), tuple(self._block()))]
        while self._text() == ";":
            self._at += 1
        if self._text() == "else":
            self._at += 1
            branches.append(Branch(None, tuple(self._block())))
        return Choice(tuple(branches))

    def _loop(self) -> Step:
        start = self._at
        self._at += 1
        return Repeat(self._condition(start, "While"), tuple(self._block()))

    def _guarded(self) -> Step:
        self._at += 1
        inside = tuple(self._block())
        handlers = []
        while self._text() in ("catch", "finally"):
            self._at += 1
            if self._text() == "(":
                self._skip_brackets()
            handlers.append(tuple(self._block()))
        return Group(inside, tuple(handlers))

    def _assignment(self, start: int, declares: bool) -> list[Step]:
        """`var a = "x" + b`, `a += "y"`, `var rs = snowflake.execute({…})`, `var rs = stmt.execute()`."""
        name = self._text()
        self._at += 1
        adds = self._text() == "+="
        if self._text() not in ("=", "+="):
            return [Let(self._declared(name, "scalar", start))] if declares else []
        self._at += 1
        target = self._target(name, start)
        executed = self._executed(name)
        if executed is not None:
            return [Let(self._declared(name, "cursor", start)), executed] if declares else [executed]
        if self._kind() == "name" and self._text(1) == "." and self._text(2) in _EXECUTING and declares:
            source = exp.column(self._text())
            self._at += 3
            return [
                Let(self._declared(name, "cursor", start)),
                self._made(start, Assign((target,), source)),
            ]
        fetched = self._fetched(name, start)
        if fetched is not None:
            return [Let(self._declared(name, "scalar", start)), fetched] if declares else [fetched]
        value = self._value()
        if adds:
            value = exp.Concat(expressions=[exp.column(name), value])
        made = self._made(start, Assign((target,), value))
        return [Let(self._declared(name, "scalar", start)), made] if declares else [made]

    def _declared(self, name: str, kind: str, start: int) -> Declared:
        return Declared(name, kind, self._made(start, None).statement.span)

    def _target(self, name: str, start: int) -> Target:
        return Target((exp.to_identifier(name, quoted=False),), self._made(start, None).statement.span)

    def _fetched(self, name: str, start: int) -> Do | None:
        """`rs.getColumnValue(2)`: a column of the row at hand, by its position."""
        method, number = self._text(2), self._text(4)
        if self._text(1) != "." or method not in _RESULT or not number.isdigit() or int(number) not in range(1, 200):
            return None
        cursor = self._target(self._text(), start)
        self._at += 6
        others = [self._target(f"{name} {i}", start) for i in range(1, int(number))]
        return self._made(start, Fetch(cursor, (*others, self._target(name, start))))

    def _executed(self, name: str) -> Do | None:
        """`snowflake.execute({sqlText: e, binds: [a, b]})`; *name* takes its rows. Moves behind it if there is one."""
        if self._text() != "snowflake" or self._text(1) != "." or self._text(2) not in _EXECUTING:
            return None
        start = self._at
        self._at += 3
        text: Any = exp.Null()
        binds: list[Any] = []
        depth = 0
        while self._at < len(self._tokens):
            word = self._text()
            if self._text(1) == ":" and depth == 2 and word.strip("'\"") in ("sqlText", "binds"):
                self._at += 2
                if word.strip("'\"") == "sqlText":
                    text = self._value()
                else:
                    binds = self._list()
                continue
            depth += (word in "([{") - (word in ")]}")
            self._at += 1
            if depth == 0:
                break
        while self._text() == "." and self._text(1) in _EXECUTING:
            self._at += 2
            self._skip_brackets()
        cursor = self._target(name, start) if name else None
        return self._made(start, Dynamic(text, using=tuple(binds), cursor=cursor))

    # -- values -------------------------------------------------------------------------------------------------------------

    def _list(self) -> list[Any]:
        """The values in `[a, b]`."""
        found: list[Any] = []
        if self._text() != "[":
            return [self._value()]
        self._at += 1
        while self._at < len(self._tokens) and self._text() != "]":
            start = self._at
            found.append(self._value())
            if self._text() == ",":
                self._at += 1
            if self._at == start:  # the list is not closed: something around it is
                return found
        self._at += 1
        return found

    def _value(self) -> Any:
        """The text that begins here, as an expression; what is not understood is not known. Moves behind it."""
        parts = [self._term()]
        while self._text() == "+":
            self._at += 1
            parts.append(self._term())
        return exp.Concat(expressions=parts) if len(parts) > 1 else parts[0]

    def _term(self) -> Any:
        kind, text = self._kind(), self._text()
        if text == "(":
            self._at += 1
            value = self._value()
            if self._text() == ")":
                self._at += 1
                return self._behind(value)
            self._skip_rest()
            return exp.Null()
        if kind == "string":
            self._at += 1
            return self._behind(_string(text))
        if kind == "name" and text not in ("function", "new"):
            self._at += 1
            return self._behind(exp.column(text))
        if kind == "number":
            self._at += 1
            return exp.Literal.string(text)
        self._skip_rest()
        return exp.Null()

    def _behind(self, value: Any) -> Any:
        """A value with what is asked of it: a column of a row, or something that is not known."""
        if self._text() == "." and self._text(1) in _RESULT and self._text(3)[:1] in ("'", '"'):
            name = self._text(3)[1:-1]
            self._at += 5
            return exp.column(name, table=value.name) if isinstance(value, exp.Column) else exp.Null()
        known = self._text() != "." and self._text() not in ("(", "[", "?", "-", "*", "/", "&&", "||")
        if not known:
            self._skip_rest()
        return value if known else exp.Null()

    def _skip_rest(self) -> None:
        """Step over the rest of a term that is not understood."""
        while self._at < len(self._tokens) and self._text() not in (",", ";", "+", ")", "]", "}"):
            if self._text() in "([{":
                self._skip_brackets()
            else:
                following = self._at + 1
                self._at = following
                if self._kind() == "name" and self._tokens[following - 1].kind in ("name", "number", "string"):
                    return  # a new line without a semicolon


def _string(text: str) -> Any:
    """A string or template as an expression: literals, and the variables between them."""
    inside = text[1:-1]
    if text[0] != "`":
        return exp.Literal.string(_unescaped(inside))
    parts: list[Any] = []
    at = 0
    for hole in _HOLE.finditer(inside):
        parts.append(exp.Literal.string(_unescaped(inside[at : hole.start()])))
        name = hole[1].strip()
        parts.append(exp.column(name) if re.fullmatch(r"[A-Za-z_$][\w$]*", name) else exp.Null())
        at = hole.end()
    rest = exp.Literal.string(_unescaped(inside[at:]))
    return exp.Concat(expressions=[*parts, rest]) if parts else rest


def _unescaped(text: str) -> str:
    return re.sub(r"\\(.)", lambda found: _ESCAPES.get(found[1], found[1]), text, flags=re.DOTALL)
