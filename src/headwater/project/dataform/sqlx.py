"""A `.sqlx` file: blocks of JavaScript and SQL, and the SQL between them.

    config { type: "table" }
    js { const limit = 3 }
    SELECT a FROM ${ref("t")} LIMIT ${limit}
    pre_operations { DELETE FROM ${self()} WHERE TRUE }

`config`, `js`, `pre_operations`, `post_operations`, `incremental_where` and `input "x"` begin a block where they stand outside of strings,
comments and other blocks. A block of JavaScript ends at the brace that closes it, one of SQL at the first brace outside of strings,
comments and placeholders.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import NamedTuple

from headwater.project.dataform.js_parser import Parser
from headwater.project.dataform.js_tokens import JsProblem, Lexer, Token
from headwater.project.dataform.js_tree import Node

_SQL_BLOCKS = frozenset({"pre_operations", "post_operations", "incremental_where", "input"})
_PIECE = re.compile(
    r"(?P<dashes>(?m:^)[ \t]*---[ \t]*(?m:$))|--[^\n]*|#(?!\{)[^\n]*|/\*.*?\*/"
    r"|(?P<block>\b(?:config|js|pre_operations|post_operations|incremental_where|input)\b(?:\s*[\"'][^\"'\n]*[\"'](?:\s*,\s*[\"'][^\"'\n]*[\"'])*)?\s*\{)"
    r"|(?P<placeholder>\$\{)|(?P<quote>'''|\"\"\"|['\"`])|(?P<close>\})",
    re.DOTALL,
)
_STRING = {quote: re.compile(rf"\\.|\$\{{|{quote}", re.DOTALL) for quote in ("'''", '"""', "'", '"', "`")}


class Placeholder(NamedTuple):
    """`${expression}` in SQL."""

    expression: Node
    offset: int


@dataclass(slots=True)
class SqlText:
    """SQL with placeholders in it; *offset* is where its first character stands that is no space."""

    parts: list[str | Placeholder] = field(default_factory=list)
    offset: int = -1

    def add(self, part: str | Placeholder, offset: int) -> None:
        """Put something behind it."""
        if self.offset < 0 and (not isinstance(part, str) or part.strip()):
            self.offset = offset + (len(part) - len(part.lstrip()) if isinstance(part, str) else 0)
        self.parts.append(part)

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing in it."""
        return self.offset < 0


@dataclass(slots=True)
class SqlxFile:
    """A `.sqlx` file, cut into its blocks."""

    statements: list[SqlText]
    """The SQL outside of blocks, cut at lines of `---`."""
    config: tuple[tuple[Token, ...], int] | None = None
    """The tokens of the object in `config`, and where they begin."""
    programs: list[tuple[Token, ...]] = field(default_factory=list)
    """The tokens of `js` blocks."""
    before: list[SqlText] = field(default_factory=list)
    after: list[SqlText] = field(default_factory=list)
    incremental_where: SqlText | None = None
    is_test: bool = False
    """Whether it gives inputs to a test."""


def read_sqlx(text: str) -> SqlxFile:
    """The blocks of a file; raises `JsProblem`.

    >>> [len(each.parts) for each in read_sqlx('config { type: "view" } SELECT ${x} AS a').statements]
    [4]
    """
    return _Reader(text).file()


class _Reader:
    def __init__(self, text: str) -> None:
        self._text = text
        self._lexer = Lexer(text)

    def file(self) -> SqlxFile:
        found = SqlxFile([SqlText()])
        at = 0
        while True:
            at, block = self._sql(at, found.statements, inside=False)
            if block is None:
                found.statements = [each for each in found.statements if not each.is_empty]
                return found
            at = self._block(block, at, found)

    def _block(self, word: str, at: int, found: SqlxFile) -> int:
        """Read a block whose opening brace stands before an offset; gives the offset behind it."""
        if word not in _SQL_BLOCKS:
            tokens, end = self._lexer.placeholder(at)
            if word == "config":
                brace = Token("mark", "{", at - 1)
                found.config = ((brace, *tokens[:-1], Token("mark", "}", end - 1), Token("end", "", end)), at - 1)
            else:
                found.programs.append(tokens)
            return end
        texts = [SqlText()]
        end, _ = self._sql(at, texts, inside=True)
        texts = [each for each in texts if not each.is_empty]
        if word == "input":
            found.is_test = True
        elif word == "incremental_where":
            found.incremental_where = texts[0] if texts else None
        else:
            (found.before if word == "pre_operations" else found.after).extend(texts)
        return end

    def _sql(self, start: int, into: list[SqlText], inside: bool) -> tuple[int, str | None]:
        """Read SQL up to a block, the end of the text, or, *inside* of a block, its brace.

        Gives the offset behind it, and the word of the block that begins there.
        """
        at = start
        while True:
            match = _PIECE.search(self._text, at)
            if match is None:
                if inside:
                    raise JsProblem("a block is not closed", start)
                into[-1].add(self._text[at:], at)
                return len(self._text), None
            kind = match.lastgroup
            if kind == "quote":
                into[-1].add(self._text[at : match.start()], at)
                at = self._string(match.start(), match["quote"], into[-1])
                continue
            if kind in (None, "close"):
                into[-1].add(self._text[at : match.start()] if kind and inside else self._text[at : match.end()], at)
                at = match.end()
                if kind == "close" and inside:
                    return at, None
                continue
            if kind == "block" and inside:
                into[-1].add(self._text[at : match.start() + 1], at)
                at = match.start() + 1
                continue
            into[-1].add(self._text[at : match.start()], at)
            at = match.end()
            if kind == "dashes":
                into.append(SqlText())
            elif kind == "block":
                return at, re.match(r"\w+", match["block"])[0]  # type: ignore[index]
            else:
                at = self._placeholder(match.start(), into[-1])

    def _placeholder(self, start: int, into: SqlText) -> int:
        tokens, end = self._lexer.placeholder(start + 2)
        into.add(Placeholder(Parser(tokens).whole_expression(), start), start)
        return end

    def _string(self, start: int, quote: str, into: SqlText) -> int:
        """Read a string with its placeholders; one that is not closed ends with the line."""
        at = begin = start + len(quote)
        into.add(quote, start)
        while True:
            match = _STRING[quote].search(self._text, at)
            if match is None:
                end = self._text.find("\n", begin)
                end = len(self._text) if end < 0 else end
                into.add(self._text[begin:end], begin)
                return max(end, begin)
            at = match.end()
            if match[0] == "${":
                into.add(self._text[begin : match.start()], begin)
                at = begin = self._placeholder(match.start(), into)
            elif match[0] == quote:
                into.add(self._text[begin:at], begin)
                return at
