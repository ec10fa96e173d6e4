"""SQLMesh's text to words: strings, comments, names, `@` forms and marks, each with its place. Together they are the text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

_ESCAPING = frozenset({"bigquery", "databricks", "spark", "hive", "mysql", "snowflake", "clickhouse", "redshift"})
"""Dialects in which a backslash escapes a quote."""
_TEMPLATE = r"""
    (?P<comment>--[^\n]*|/\*.*?\*/|\{\#.*?\#\})
  | (?P<string>@?{string}|\$\$.*?\$\$)
  | (?P<quoted>"(?:[^"]|"")*"|`[^`]*`)
  | (?P<braced>@\{{\s*\w+\s*\}})
  | (?P<macro>@[A-Za-z_]\w*)
  | (?P<number>\d[\w.]*)
  | (?P<word>[^\W\d][\w$]*)
  | (?P<space>\s+)
  | (?P<mark>:=|->|=>|::|<=|>=|<>|!=|\|\||.)
"""
_PLAIN = re.compile(_TEMPLATE.replace("{string}", r"'(?:[^']|'')*'").replace("{{", "{").replace("}}", "}"), re.S | re.X)
_ESCAPED = re.compile(
    _TEMPLATE.replace("{string}", r"'(?:[^'\\]|\\.|'')*'").replace("{{", "{").replace("}}", "}"), re.S | re.X
)
OPENING = {"(": ")", "[": "]", "{": "}"}
_CLOSING = frozenset(OPENING.values())


class Word(NamedTuple):
    """A piece of text."""

    kind: str
    """`comment`, `string`, `quoted`, `braced` (`@{x}`), `macro` (`@x`), `number`, `word`, `space`, `mark`."""
    text: str
    start: int

    @property
    def end(self) -> int:
        """Where the next one begins."""
        return self.start + len(self.text)


def words(text: str, dialect: str = "") -> list[Word]:
    """The words of a text.

    >>> [word.text for word in words("@x + 'a''b' -- c")]
    ['@x', ' ', '+', ' ', "'a''b'", ' ', '-- c']
    """
    pattern = _ESCAPED if dialect in _ESCAPING else _PLAIN
    return [Word(match.lastgroup or "mark", match[0], match.start()) for match in pattern.finditer(text)]


def closing(found: Sequence[Word], opening: int) -> int | None:
    """The number of the mark that closes an opening one; None if nothing does."""
    depth = 0
    for number in range(opening, len(found)):
        word = found[number]
        if word.kind == "mark":
            depth += (word.text in OPENING) - (word.text in _CLOSING)
            if depth <= 0:
                return number
    return None


def split(found: Sequence[Word], mark: str = ",") -> Iterator[list[Word]]:
    """The pieces between marks that stand in no brackets; empty ones are left out."""
    piece: list[Word] = []
    depth = 0
    for word in found:
        if word.kind == "mark":
            depth += (word.text in OPENING) - (word.text in _CLOSING)
            if word.text == mark and depth <= 0:
                if _has_text(piece):
                    yield piece
                piece = []
                continue
        piece.append(word)
    if _has_text(piece):
        yield piece


def _has_text(piece: Sequence[Word]) -> bool:
    return any(word.kind not in ("space", "comment") for word in piece)


def joined(found: Sequence[Word]) -> str:
    """The text of words, without the space around it."""
    return "".join(word.text for word in found).strip()


def bare(found: Sequence[Word]) -> list[Word]:
    """Words that are neither space nor comments."""
    return [word for word in found if word.kind not in ("space", "comment")]


def unquoted(text: str) -> str:
    """A string or name without its quotes."""
    text = text.strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"`":
        return text[1:-1].replace(text[0] * 2, text[0])
    return text
