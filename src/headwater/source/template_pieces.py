"""A template's text in pieces, with their offsets: text that stands there, expressions, tags.

Jinja's lexer cuts the text but does not say where. Its tokens follow each other in the text; between two of them stands at most the
white space that `-` takes away.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

import jinja2

from headwater.source.template_map import Segment

_NEWLINE = re.compile(r"\r\n|\r")


class Piece(NamedTuple):
    """A piece of a template; offsets are those of the text as it was given."""

    kind: str
    """`data`, `expression` or `tag`."""
    start: int
    end: int
    text: str
    """Of data, what it is with newlines as Jinja writes them; of a tag, its first word."""
    assigns: bool = False
    """Of a tag, whether it has a `=`: `{% set x = 1 %}`, not `{% set x %}`."""


class Pieces:
    """The pieces of a template, in order. Raises `jinja2.TemplateSyntaxError` if there are none."""

    def __init__(self, text: str) -> None:
        self.text = text
        self._plain = _NEWLINE.sub("\n", text) if "\r" in text else text
        self._taken = [m.start() - at for at, m in enumerate(re.finditer("\r\n", text))] if "\r" in text else []
        self.all = tuple(self._pieces())

    def segments(self, data: Piece, rendered: int) -> Iterator[Segment]:
        """Where the text of a piece of data comes from, that is written at an offset of the rendered text."""
        if not self._taken:
            yield Segment(rendered, data.start)
            return
        first = self._plain_offset(data.start)
        yield Segment(rendered, data.start)
        for newline in re.finditer("\n", data.text):
            yield Segment(rendered + newline.start(), self._offset(first + newline.start()))

    def behind(self, data: Piece, characters: int) -> Piece:
        """A piece of data without its first characters."""
        start = self._offset(self._plain_offset(data.start) + characters)
        return data._replace(start=start, text=data.text[characters:])

    def _offset(self, plain: int) -> int:
        """The offset in the text of an offset in the text with plain newlines; of a newline that of its last character."""
        return plain + bisect_right(self._taken, plain)

    def _span(self, start: int, end: int) -> tuple[int, int]:
        return self._offset(start), self._offset(end - 1) + 1

    def _plain_offset(self, offset: int) -> int:
        """The other way round, of what is no newline's first character."""
        low, high = 0, len(self._taken)
        while low < high:
            middle = (low + high) // 2
            low, high = (middle + 1, high) if self._taken[middle] + middle < offset else (low, middle)
        return offset - low

    def _pieces(self) -> Iterator[Piece]:
        kind, start, words, assigns = "", 0, "", False
        for token, value, at in self._tokens():
            if token == "data":
                if value:
                    yield Piece("data", *self._span(at, at + len(value)), value)
            elif token in ("variable_begin", "block_begin"):
                kind, start, words, assigns = token, at, "", False
            elif token in ("variable_end", "block_end"):
                what = "expression" if kind == "variable_begin" else "tag"
                yield Piece(what, *self._span(start, at + len(value.rstrip())), words, assigns)
            elif token == "name":
                words = words or value
            elif token == "operator" and value == "=":
                assigns = True

    def _tokens(self) -> Iterator[tuple[str, str, int]]:
        at, plain = 0, self._plain
        for _, token, value in _LEXER.tokeniter(plain, None):
            while not plain.startswith(value, at):
                if at >= len(plain) or not plain[at].isspace():
                    raise jinja2.TemplateSyntaxError("the pieces of the template do not follow each other", 1)
                at += 1
            yield token, value, at
            at += len(value)


_LEXER = jinja2.Environment(keep_trailing_newline=True).lexer
