"""The walk over a script that finds commands to the client.

A command is looked for at the beginning of lines; most only where a statement could begin, and none inside a string or a comment.
A script in which no line begins like a command is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache

from headwater.model.span import Span
from headwater.sql.dialect import Dialect
from headwater.sql.redact import without_secrets
from headwater.sql.template import blank

_BACKSLASH_ESCAPES = frozenset(
    {"mysql", "spark", "databricks", "hive", "bigquery", "snowflake", "clickhouse", "redshift"}
)
_PLAIN = r"'(?:[^']|'')*(?:'|\Z)"
_ESCAPED = r"'(?:[^'\\]|\\.|'')*(?:'|\Z)"
_SKIPPED = (r"--[^\n]*", r"/\*.*?(?:\*/|\Z)", r'"(?:[^"]|"")*(?:"|\Z)', r"`[^`]*(?:`|\Z)")
"""Literals and comments, in which nothing is looked for; what is not closed goes on to the end."""
_DOLLAR_QUOTES = r"\$(?P<tag>[^\W\d]?\w*)\$.*?(?:\$(?P=tag)\$|\Z)"
_SKIPPED_IN = {
    "postgres": (_DOLLAR_QUOTES, rf"\be{_ESCAPED}"),
    "redshift": (_DOLLAR_QUOTES, rf"\be{_ESCAPED}"),
    "snowflake": (_DOLLAR_QUOTES,),
    "databricks": (_DOLLAR_QUOTES,),
    "duckdb": (_DOLLAR_QUOTES,),
    "mysql": (r"#[^\n]*",),
    "oracle": (r"\bq'(?:\[.*?\]|\{.*?\}|\(.*?\)|<.*?>|(?P<q>[^\s\w]).*?(?P=q))'",),
}


_BLANK = r"(?:\s|--[^\n]*\n|/\*.*?\*/)*"
_PROGRAM = {
    "oracle": re.compile(
        rf"{_BLANK}(?:declare\b|begin\b|<<|create\s(?:\s*or\s+replace\s)?(?:\s*(?:non)?editionable\s)?"
        r"\s*(?:procedure|function|package|trigger|type\s+body)\b)",
        re.IGNORECASE | re.DOTALL,
    )
}
"""How programs begin, to clients that send them whole: semicolons inside of one end nothing, and `EXIT` in it is no command."""


@dataclass(slots=True)
class Walk:
    """A script under way: where we are, and what was found so far."""

    text: str
    """The readable text: its placeholders are names already."""
    raw: str
    at: int = 0
    statement: int = 0
    """Where the statement under way begins."""
    under_way: bool = False
    """Whether anything but blanks and comments was met since the last statement's end."""
    blanks: list[Span] = field(default_factory=list)
    cuts: list[int] = field(default_factory=list)
    uncut: list[Span] = field(default_factory=list)
    included: list[tuple[str, Span]] = field(default_factory=list)

    def line_end(self, at: int) -> int:
        """The end of the line at an offset."""
        end = self.text.find("\n", at)
        return len(self.text) if end < 0 else end

    def skip(self, end: int) -> None:
        """Blank out everything from here to an offset."""
        self.blanks.append(Span(self.at, end))
        self.at = end

    def skip_line(self) -> None:
        """Blank out the rest of the line."""
        self.skip(self.line_end(self.at))

    def cut(self, at: int) -> None:
        """End the statement under way."""
        self.cuts.append(at)
        self.ended(at)

    def ended(self, at: int) -> None:
        """Note that a statement ends."""
        self.statement = at
        self.under_way = False

    def include(self, pattern: re.Pattern[str]) -> None:
        """Note the file that the line here includes, if it does: the pattern's group `file`."""
        match = pattern.match(self.raw, self.at, self.line_end(self.at))
        if match is not None:
            file = without_secrets(match["file"].strip("'\""))
            self.included.append((file, Span(*match.span("file"))))


@dataclass(frozen=True, slots=True)
class Found:
    """A script without the commands to its client."""

    text: str
    cuts: list[int]
    uncut: list[Span]
    included: list[tuple[str, Span]]


Take = Callable[[Walk], bool]
"""Takes the command that begins here: True, with the walk behind it; or leaves it alone: False."""


@dataclass(frozen=True, slots=True)
class _Client:
    starts: str
    """How commands begin: a regular expression for what comes first on a line."""
    take: Take
    anywhere: bool
    """Whether a command may stand inside a statement."""
    in_line: str
    """What may end a statement in the middle of a line."""
    words: tuple[str, ...]
    """Words of which a script with commands has at least one, in lower case; none if nothing of the kind can be said."""


_CLIENTS: dict[str, list[_Client]] = {}


def client(
    *dialects: str, starts: str, anywhere: bool = False, in_line: str = "", words: tuple[str, ...] = ()
) -> Callable[[Take], Take]:
    """Register a client's commands for the dialects of the scripts that it runs."""

    def register(take: Take) -> Take:
        for each in dialects:
            _CLIENTS.setdefault(each, []).append(_Client(starts, take, anywhere, in_line, words))
        return take

    return register


_AFTER: dict[str, list[Callable[[Walk], None]]] = {}


def after_statement(*dialects: str) -> Callable[[Callable[[Walk], None]], Callable[[Walk], None]]:
    """Register a look at what follows a statement's semicolon."""

    def register(look: Callable[[Walk], None]) -> Callable[[Walk], None]:
        for each in dialects:
            _AFTER.setdefault(each, []).append(look)
        return look

    return register


def commands(text: str, raw: str, dialect: Dialect) -> Found | None:
    """The script without commands to its client; None if it has none."""
    clients = _CLIENTS.get(dialect.family)
    if not clients or not _may_have_commands(text, dialect.family):
        return None
    walk = Walk(text, raw)
    pattern = _walked(dialect.family)
    if not _take(walk, clients):
        walk.at = 0
    while (match := pattern.search(text, walk.at)) is not None:
        if text[walk.at : match.start()].strip():
            walk.under_way = True
        walk.at = match.end()
        kind = match.lastgroup
        if kind == "end":
            _end(walk, dialect.family)
        elif kind == "line":
            _take(walk, clients)
        elif kind == "within":
            walk.at = match.start()
            if not _take(walk, clients):
                walk.at = match.end()
                walk.under_way = True
        elif not match.group().startswith(("--", "/*")):
            walk.under_way = True
    return Found(blank(text, walk.blanks), walk.cuts, walk.uncut, walk.included)


def _end(walk: Walk, dialect: str) -> None:
    """A semicolon ends a statement; what follows may belong to the client."""
    program = _PROGRAM.get(dialect)
    if program is not None and program.match(walk.text, walk.statement):
        walk.under_way = True
        return
    for look in _AFTER.get(dialect, ()):
        look(walk)
    walk.ended(walk.at)


def _take(walk: Walk, clients: list[_Client]) -> bool:
    """Let the first client that knows the command here take it."""
    here = walk.at
    for each in clients:
        if each.anywhere or not walk.under_way:
            if each.take(walk):
                if not walk.under_way:
                    walk.statement = walk.at
                return True
            walk.at = here
    return False


@cache
def _first_on_line(dialect: str) -> str:
    return "|".join(f"(?:{each.starts})" for each in _CLIENTS[dialect])


@cache
def _sign(dialect: str) -> re.Pattern[str]:
    within = "".join(f"|{each.in_line}" for each in _CLIENTS[dialect] if each.in_line)
    return re.compile(rf"\n[ \t]*(?:{_first_on_line(dialect)}){within}", re.IGNORECASE)


@cache
def _words(dialect: str) -> tuple[str, ...]:
    words = [each.words for each in _CLIENTS[dialect]]
    return tuple(word for each in words for word in each) if all(words) else ()


def _may_have_commands(text: str, dialect: str) -> bool:
    words = _words(dialect)
    if words and not any(map(text.lower().__contains__, words)):
        return False
    sign = _sign(dialect)
    return sign.search(text) is not None or sign.match(f"\n{text[:200]}") is not None


@cache
def _walked(dialect: str) -> re.Pattern[str]:
    """What the walk stops at: literals and comments, statement ends, and lines that begin like a command."""
    literal = _ESCAPED if dialect in _BACKSLASH_ESCAPES else _PLAIN
    within = "|".join(each.in_line for each in _CLIENTS[dialect] if each.in_line) or r"(?!)"
    line = rf"(?P<line>\n[ \t]*(?={_first_on_line(dialect)}))"
    skipped = (*_SKIPPED_IN.get(dialect, ()), *_SKIPPED)
    parts = [*skipped, literal, line, rf"(?P<within>{within})", r"(?P<end>;)"]
    return re.compile("|".join(parts), re.IGNORECASE | re.DOTALL)
