"""What stands in a rendered text where an unknown macro wrote: an expression, a table, a query, a name, or nothing that can be read.

    select ⟦a⟧ as x from ⟦b⟧    ⟦a⟧ is an expression, ⟦b⟧ a table

The text is no SQL yet, so it is read word by word, with the clause that each pair of brackets is in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple

from headwater.source.jinja_unknown import MARKS, has_mark


class Role(Enum):
    """What a mark stands for; the value says it of the macro."""

    EXPRESSION = "it is an unknown function"
    COLUMNS = "it stands for unknown columns"
    TABLE = "it is an unknown table"
    QUERY = "it is an unknown query"
    TABLES = "it makes unknown common tables"
    TYPE = "it is an unknown type"
    PART = "it is an unknown part of a name or text"
    NOTHING = "it is left out, for where it stands there can be no value"


class Position(NamedTuple):
    """A stretch of the text with a mark, and what it stands for."""

    start: int
    end: int
    role: Role


_TOKEN = re.compile(
    r"(?P<comment>--[^\n]*|/\*.*?(?:\*/|\Z))|(?P<quoted>'(?:[^'\\]|\\.|'')*'?|\"(?:[^\"]|\"\")*\"?|`[^`]*`?)"
    rf"|(?P<word>[\w${MARKS}]+)|(?P<blank>\s+)|(?P<sign>.)",
    re.DOTALL,
)
_CLAUSES = {
    **dict.fromkeys(("from", "join", "into", "lateral", "update"), "from"),
    **dict.fromkeys(("where", "on", "group", "having", "qualify", "order", "window", "limit", "using", "set"), "where"),
    **dict.fromkeys(("union", "except", "intersect", "minus"), "set operation"),
    "select": "select",
    "with": "with",
}
_BEFORE_VALUES = frozenset(
    {
        *(
            "select",
            "distinct",
            "all",
            "where",
            "and",
            "or",
            "not",
            "on",
            "having",
            "by",
            "when",
            "then",
            "else",
            "case",
        ),
        *(
            "in",
            "like",
            "ilike",
            "rlike",
            "regexp",
            "similar",
            "to",
            "escape",
            "between",
            "is",
            "set",
            "values",
            "qualify",
        ),
        *("limit", "offset", "top", "over", "return", "interval", "filter", "if", "any", "some", "using"),
    }
)
_SET_OPERATIONS = frozenset({"union", "except", "intersect", "minus", "all", "distinct"})
_CASTS = frozenset({"cast", "try_cast", "safe_cast"})
_BEHIND_COLUMNS = frozenset({"", ",", "from", "into", "where", ")", ";", "union", "except", "intersect", "minus"})
_BEHIND_QUERIES = frozenset({"", ")", ";", "union", "except", "intersect", "minus"})


@dataclass(slots=True)
class _Frame:
    """What is known inside a pair of brackets, or outside of all."""

    opener: str = ""
    """What the brackets are for: `query`, `table`, `cast`; nothing for all others."""
    clause: str = ""
    empty: bool = True


def positions(text: str) -> Iterator[Position]:
    """The marks of a text in order, each with the word that it is a part of."""
    found = [match for match in _TOKEN.finditer(text) if match.lastgroup != "blank"]
    solid = [match for match in found if match.lastgroup != "comment"]
    yield from sorted((*_hidden(found), *_Reader(solid).positions()))


def _hidden(tokens: list[re.Match[str]]) -> Iterator[Position]:
    """Marks in comments, strings and quoted names."""
    for token in tokens:
        if token.lastgroup in ("comment", "quoted") and has_mark(token[0]):
            for mark in re.finditer(f"[{MARKS}]", token[0]):
                yield Position(token.start() + mark.start(), token.start() + mark.end(), Role.PART)


class _Reader:
    def __init__(self, tokens: list[re.Match[str]]) -> None:
        self._tokens = tokens
        self._frames = [_Frame("query")]
        self._before = ["", ""]
        """The last two words or signs, those that are left out not counted."""

    def positions(self) -> Iterator[Position]:
        """The words with marks."""
        for at, token in enumerate(self._tokens):
            word = token[0].lower()
            if token.lastgroup == "word" and has_mark(word):
                role = self._role(self._next(at))
                yield Position(token.start(), token.end(), role)
                if role is Role.NOTHING:
                    continue
                word = "?"
            self._read("'" if token.lastgroup == "quoted" else word)

    def _next(self, at: int) -> str:
        """The word behind one, but no word that is left out."""
        return next((token[0].lower() for token in self._tokens[at + 1 : at + 2]), "")

    def _read(self, word: str) -> None:
        frame = self._frames[-1]
        if word == "(":
            frame.empty = False
            self._frames.append(_Frame(self._opener(frame)))
        elif word == ")" and len(self._frames) > 1:
            self._frames.pop()
        elif word == ";":
            self._frames = [_Frame("query")]
        else:
            frame.clause = _CLAUSES.get(word, frame.clause)
            frame.empty = False
        self._before = [self._before[-1], word]

    def _opener(self, frame: _Frame) -> str:
        before = self._before[-1]
        if before in _CASTS:
            return "cast"
        if before == "using" and frame.clause == "where":
            return "names"
        if before in ("as", "materialized", "exists", "in", *_SET_OPERATIONS) or (
            frame.empty and frame.opener == "query"
        ):
            return "" if before == "in" or (before in ("all", "distinct") and frame.clause == "select") else "query"
        return "table" if frame.clause == "from" and before in ("from", "join", ",", "lateral") else ""

    def _role(self, behind: str) -> Role:
        frame, before = self._frames[-1], self._before[-1]
        if before == "." or behind in (".", "(") or frame.opener == "names":
            return Role.PART
        if frame.empty and frame.opener == "query":
            return Role.QUERY if behind in _BEHIND_QUERIES else Role.NOTHING
        if frame.empty and frame.opener == "table":
            return Role.QUERY if behind == ")" else Role.TABLE
        if frame.clause == "set operation" and before in _SET_OPERATIONS:
            return Role.QUERY
        if frame.clause == "with":
            return self._in_with(before, behind)
        if before == "as":
            return Role.TYPE if frame.opener == "cast" else Role.PART
        if before == ":" and self._before[-2] == ":":
            return Role.TYPE
        if frame.clause == "from" and before in ("from", "join", ",", "into", "lateral", "update"):
            return Role.TABLE
        if frame.clause == "select" and before in ("select", "distinct", "all", ",") and behind in _BEHIND_COLUMNS:
            return Role.COLUMNS
        return Role.EXPRESSION if self._takes_value(before) else Role.NOTHING

    def _in_with(self, before: str, behind: str) -> Role:
        if before in ("with", "recursive", ","):
            return Role.PART if behind in ("as", "(") else Role.TABLES
        return Role.QUERY if before == ")" and behind in _BEHIND_QUERIES else Role.NOTHING

    def _takes_value(self, before: str) -> bool:
        """Whether a value may stand behind a word or sign."""
        if before == "*":
            return self._before[-2] not in ("select", ",", ".", "distinct", "(")
        is_sign = not (before[:1].isalnum() or before[:1] in "_$?'\"`)].;")
        return is_sign or before in _BEFORE_VALUES
