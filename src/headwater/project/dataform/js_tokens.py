"""JavaScript text to tokens, as far as Dataform's files use it. Template literals are tokens that hold tokens of their own."""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_NESTING = 60
"""How deep brackets and template literals may be nested."""

_SPACE = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)+", re.DOTALL)
_NUMBER = re.compile(r"0[xX][0-9a-fA-F]+|(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_WORD = re.compile(r"#?[A-Za-z_$][\w$]*")
_PUNCTUATION = re.compile(
    r"\.\.\.|=>|===|!==|\*\*=|\*\*|\?\?=|&&=|\|\|=|\?\?|\?\.(?!\d)|==|!=|<=|>=|&&|\|\||\+\+|--|[-+*/%]=|<<|>>|[-+*/%=<>!?:;,.(){}\[\]&|^~@#]"
)
_REGEX = re.compile(r"/((?:[^/\\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+)/([a-z]*)")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v", "0": "\0", "\n": ""}
_ENDS_OPERAND = frozenset({"word", "number", "string", "template", "regex"})
_BEFORE_OPERAND = frozenset({"return", "typeof", "case", "in", "of", "new", "delete", "void", "throw", "else", "await"})


class JsProblem(ValueError):
    """JavaScript that is not read; *offset* is where."""

    def __init__(self, message: str, offset: int) -> None:
        super().__init__(message)
        self.offset = offset


class Token(NamedTuple):
    """A token. Of a template literal, *parts* are its texts and, between them, the tokens of its placeholders."""

    kind: str
    """`word`, `number`, `string`, `template`, `regex`, `mark` or `end`."""
    text: str
    offset: int
    newline: bool = False
    """Whether a line ends before it."""
    parts: tuple[str | tuple[Token, ...], ...] = ()


class Lexer:
    """Cuts a text into tokens."""

    def __init__(self, text: str) -> None:
        self.text = text

    def tokens(self, start: int = 0, end: int | None = None) -> tuple[Token, ...]:
        """All tokens between two offsets, and one of kind `end`."""
        found, at = self._until(start, len(self.text) if end is None else end, closing="", depth=0)
        return (*found, Token("end", "", at))

    def placeholder(self, start: int) -> tuple[tuple[Token, ...], int]:
        """The tokens of a `${…}` that begins before *start*, and the offset behind its closing brace."""
        found, at = self._until(start, len(self.text), closing="}", depth=0)
        return (*found, Token("end", "", at)), at + 1

    def _until(self, at: int, end: int, closing: str, depth: int) -> tuple[list[Token], int]:
        """Tokens up to a closing brace that none of them opens, and its offset."""
        if depth > MAX_NESTING:
            raise JsProblem("template literals are nested too deeply", at)
        found: list[Token] = []
        opened = 0
        while True:
            space = _SPACE.match(self.text, at, end)
            newline = space is not None and "\n" in space[0]
            at = space.end() if space is not None else at
            if at >= end:
                if closing:
                    raise JsProblem("a brace is not closed", at)
                return found, at
            mark = self.text[at]
            if closing and mark == "}" and not opened:
                return found, at
            opened += (mark == "{") - (mark == "}")
            token, at = self._token(at, end, newline, found[-1] if found else None, depth)
            found.append(token)

    def _token(self, at: int, end: int, newline: bool, before: Token | None, depth: int) -> tuple[Token, int]:
        mark = self.text[at]
        if mark in "'\"":
            return self._string(at, end, newline)
        if mark == "`":
            return self._template(at, end, newline, depth)
        if mark == "/" and _operand_follows(before) and (regex := _REGEX.match(self.text, at, end)):
            return Token("regex", regex[0], at, newline, (regex[1], regex[2])), regex.end()
        for kind, pattern in (("word", _WORD), ("number", _NUMBER), ("mark", _PUNCTUATION)):
            match = pattern.match(self.text, at, end)
            if match is not None:
                return Token(kind, match[0], at, newline), match.end()
        raise JsProblem(f"a character that begins nothing: {mark!r}", at)

    def _string(self, start: int, end: int, newline: bool) -> tuple[Token, int]:
        quote, at, made = self.text[start], start + 1, []
        while at < end and self.text[at] != quote:
            if self.text[at] == "\n":
                break
            piece, at = self._character(at)
            made.append(piece)
        if at >= end or self.text[at] != quote:
            raise JsProblem("a string is not closed", start)
        return Token("string", "".join(made), start, newline), at + 1

    def _template(self, start: int, end: int, newline: bool, depth: int) -> tuple[Token, int]:
        parts: list[str | tuple[Token, ...]] = []
        at, made = start + 1, list[str]()
        while at < end and self.text[at] != "`":
            if self.text.startswith("${", at):
                parts.append("".join(made))
                made = []
                found, at = self._until(at + 2, end, "}", depth + 1)
                parts.append((*found, Token("end", "", at)))
                at += 1
                continue
            piece, at = self._character(at)
            made.append(piece)
        if at >= end:
            raise JsProblem("a template literal is not closed", start)
        parts.append("".join(made))
        return Token("template", "", start, newline, tuple(parts)), at + 1

    def _character(self, at: int) -> tuple[str, int]:
        if self.text[at] != "\\":
            return self.text[at], at + 1
        escaped = self.text[at + 1 : at + 2]
        if escaped in ("x", "u"):
            digits = re.compile(r"x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|u\{([0-9a-fA-F]{1,6})\}").match(self.text, at + 1)
            if digits is not None and (code := int(digits[1] or digits[2] or digits[3], 16)) < 0x110000:
                return chr(code), digits.end()
        return _ESCAPES.get(escaped, escaped), at + 2


def _operand_follows(before: Token | None) -> bool:
    """Whether a slash behind a token begins a regular expression, and is no division."""
    if before is None:
        return True
    if before.kind == "word":
        return before.text in _BEFORE_OPERAND
    return before.kind not in _ENDS_OPERAND and before.text not in (")", "]", "}")
