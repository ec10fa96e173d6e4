"""The part of YAML that metric views are written in: mappings, lists and scalars by indentation.

Scalars are slices of the text, with their offset, so that SQL in them has its place. Mappings and lists may also be written with braces
and brackets, `{name: d, expr: a}`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

_KEY = re.compile(r"""(?P<quote>["']?)(?P<key>[\w .-]+?)(?P=quote)\s*:(?:\s+|$)""")
_COMMENT = re.compile(r"\s#.*$")
_BLOCKS = frozenset({"|", "|-", "|+", ">", ">-", ">+"})


class Scalar(NamedTuple):
    """A value and its offset in the text."""

    text: str
    start: int


class _Line(NamedTuple):
    indent: int
    start: int
    """Of what is written, behind the indentation."""
    text: str


def outline(text: str) -> Any:
    """The mapping, list or scalar that a text is; None for nothing."""
    lines: list[_Line] = []
    start = 0
    for raw in text.split("\n"):
        content = raw.strip()
        indent = len(raw) - len(raw.lstrip())
        lines.append(_Line(indent, start + indent, content))
        start += len(raw) + 1
    return _Reader(lines, text).block()


class _Reader:
    """Goes over the lines, one block after the other."""

    def __init__(self, lines: list[_Line], text: str) -> None:
        self.lines = lines
        self.text = text
        self.at = 0

    def _line(self) -> _Line | None:
        """The next line that says something; moves there."""
        while self.at < len(self.lines) and (not self.lines[self.at].text or self.lines[self.at].text.startswith("#")):
            self.at += 1
        return self.lines[self.at] if self.at < len(self.lines) else None

    def block(self) -> Any:
        """What begins with the next line."""
        line = self._line()
        if line is None:
            return None
        if line.text == "-" or line.text.startswith("- "):
            return self._list(line.indent)
        if _KEY.match(line.text):
            return self._mapping(line.indent)
        self.at += 1
        return _flow(self._scalar(line.start, line.text, line.indent - 1))

    def _list(self, indent: int) -> list[Any]:
        found = []
        while (line := self._line()) is not None and line.indent == indent and line.text.startswith("-"):
            content = line.text[1:].lstrip()
            if content:
                shift = len(line.text) - len(content)
                self.lines[self.at] = _Line(indent + shift, line.start + shift, content)
            else:
                self.at += 1
            found.append(self.block())
        return found

    def _mapping(self, indent: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        while (line := self._line()) is not None and line.indent == indent:
            key = _KEY.match(line.text)
            if key is None:
                break
            self.at += 1
            found[key["key"]] = self._value(line, key.end())
        return found

    def _value(self, line: _Line, at: int) -> Any:
        rest = line.text[at:]
        if _COMMENT.sub("", " " + rest).strip() in _BLOCKS:
            return self._scalar(self.lines[self.at].start if self.at < len(self.lines) else 0, "", line.indent)
        if rest and not rest.startswith("#"):
            return _flow(self._scalar(line.start + at, rest, line.indent))
        following = self._line()
        if following is None or following.indent < line.indent:
            return Scalar("", line.start)
        if following.indent == line.indent and not following.text.startswith("- "):
            return Scalar("", line.start)
        return self.block()

    def _scalar(self, start: int, first: str, indent: int) -> Scalar:
        """A scalar that begins with *first* and goes on over all lines that are indented more than its key."""
        if first[:1] in ("'", '"') and len(first) > 1 and first.find(first[0], 1) > 0:
            return Scalar(first[1 : first.index(first[0], 1)], start + 1)
        first = _COMMENT.sub("", first).rstrip()
        end = start + len(first)
        while self.at < len(self.lines) and (not self.lines[self.at].text or self.lines[self.at].indent > indent):
            line = self.lines[self.at]
            end = line.start + len(line.text) if line.text else end
            self.at += 1
        return Scalar(self.text[start:end], start)


def _flow(scalar: Scalar) -> Any:
    """The mapping or list that braces or brackets enclose; any other scalar as it is."""
    if scalar.text[:1] not in _CLOSING or scalar.text[-1:] != _CLOSING[scalar.text[:1]]:
        return scalar
    parts = [_trimmed(part) for part in _parts(Scalar(scalar.text[1:-1], scalar.start + 1))]
    if scalar.text.startswith("["):
        return [_flow(_unquoted(part)) for part in parts if part.text]
    found: dict[str, Any] = {}
    for part in parts:
        key = _KEY.match(part.text)
        if key is not None:
            value = _trimmed(Scalar(part.text[key.end() :], part.start + key.end()))
            found[key["key"]] = _flow(_unquoted(value))
    return found


_CLOSING = {"{": "}", "[": "]"}


def _parts(scalar: Scalar) -> Iterator[Scalar]:
    """What stands between the commas outside of brackets and quotes."""
    begin, depth, quote = 0, 0, ""
    for i, letter in enumerate(scalar.text):
        if quote or letter in "\"'":
            quote = ("" if letter == quote else quote) if quote else letter
        elif letter in "{[(":
            depth += 1
        elif letter in "}])":
            depth -= 1
        elif letter == "," and depth == 0:
            yield Scalar(scalar.text[begin:i], scalar.start + begin)
            begin = i + 1
    yield Scalar(scalar.text[begin:], scalar.start + begin)


def _trimmed(scalar: Scalar) -> Scalar:
    text = scalar.text.lstrip()
    return Scalar(text.rstrip(), scalar.start + len(scalar.text) - len(text))


def _unquoted(scalar: Scalar) -> Scalar:
    text = scalar.text
    is_quoted = len(text) > 1 and text[0] in "\"'" and text[-1] == text[0]
    return Scalar(text[1:-1], scalar.start + 1) if is_quoted else scalar
