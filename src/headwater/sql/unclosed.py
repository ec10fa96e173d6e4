"""Scripts with a literal that is not closed, which the tokeniser does not read: they are taken apart where they may go on all the same.

That is at lines that separate batches or begin a routine; a part that is still not readable is taken apart at semicolons that end a line.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token

from headwater.model.span import Span
from headwater.model.work import check_time
from headwater.sql.dialect import Dialect
from headwater.sql.routine_lines import bounded_tokens, routine_lines
from headwater.sql.source import Source
from headwater.sql.tokens import shifted

Part = tuple[Span, list[Token]]
"""A stretch of a script, and its tokens at their places in the script; none if they cannot be made."""

_LONGEST_BODY = 200
"""Lines ended by semicolons among which the end of a body between dollar signs is looked for."""
_MOST_TRIED = 10
"""How often each character may be looked at for that, on average."""


def readable_parts(source: Source, dialect: Dialect) -> list[Part]:
    """The parts of a script, in order; neighbours that are readable are one."""
    return list(_Unclosed(source, dialect).parts())


class _Unclosed:
    """A script under way."""

    def __init__(self, source: Source, dialect: Dialect) -> None:
        self._source = source
        self._text = source.readable
        self._dialect = dialect
        self._left = _MOST_TRIED * len(self._text)
        """Characters that may still be tried."""
        self._lines = self._counted = 0
        """How many lines there are before an offset."""

    def parts(self) -> Iterator[Part]:
        for span in self._between_lines():
            tokens = self._tokens(span)
            if tokens is None:
                yield from self._between_semicolons(span)
            elif tokens:
                yield span, tokens

    def _tokens(self, span: Span) -> list[Token] | None:
        """The tokens of a stretch, at their places in the script; None if it is not readable."""
        try:
            tokens = bounded_tokens(self._source, self._dialect, span.start, span.end)
        except TokenError:
            return None
        self._lines += self._text.count("\n", self._counted, span.start)
        self._counted = max(self._counted, span.start)
        return shifted(tokens, span.start, self._lines)

    def _between_lines(self) -> Iterator[Span]:
        """Up to lines that are nothing but the word that separates batches, or before those that begin a routine."""
        routines = routine_lines(self._text, self._dialect)
        start = end = 0
        for line in self._text.splitlines(keepends=True):
            if end > start and end + len(line) - len(line.lstrip()) in routines:
                yield Span(start, end)
                start = end
            end += len(line)
            if line.strip().upper() == self._dialect.batch_separator:
                yield Span(start, end)
                start = end
        if end > start:
            yield Span(start, end)

    def _between_semicolons(self, whole: Span) -> Iterator[Part]:
        """A stretch that is not readable as a whole, taken apart at semicolons that end a line."""
        ends = [whole.start, *self._line_ends(whole)]
        together: list[Token] = []
        at = 0
        while at + 1 < len(ends):
            tokens, behind = self._readable(ends, at)
            if tokens is not None:
                together += tokens
            else:
                if together:
                    yield _span(together), together
                together = []
                bare = self._bare(Span(ends[at], ends[behind]))
                if bare.end > bare.start:
                    yield bare, []
            at = behind
        if together:
            yield _span(together), together

    def _readable(self, ends: list[int], at: int) -> tuple[list[Token] | None, int]:
        """The tokens up to the next end, or to a later one where a body between dollar signs goes on; and which end that is."""
        has_dollars = "$" in self._text[ends[at] : ends[at + 1]]
        last = min(len(ends), at + 1 + (_LONGEST_BODY if has_dollars else 1))
        for behind in range(at + 1, last):
            check_time()
            tokens = self._tokens(Span(ends[at], ends[behind]))
            if tokens is not None:
                return tokens, behind
            self._left -= ends[behind] - ends[at]
            if self._left < 0:
                break
        return None, at + 1

    def _line_ends(self, span: Span) -> Iterator[int]:
        """Behind the lines of a stretch that end with a semicolon, and behind its last."""
        end = span.start
        for line in self._text[span.start : span.end].splitlines(keepends=True):
            end += len(line)
            if line.rstrip().endswith(";") or end == span.end:
                yield end

    def _bare(self, span: Span) -> Span:
        """A stretch without what is blank around it, and its semicolon."""
        text = self._text[span.start : span.end]
        return Span(span.start + len(text) - len(text.lstrip()), span.start + len(text.rstrip(" \t\r\n;")))


def _span(tokens: list[Token]) -> Span:
    return Span(tokens[0].start, tokens[-1].end + 1)
