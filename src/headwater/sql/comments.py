"""Where the code of a script stands, so that what stands between it is known to be comment or blank.

In comes a script's text; out come the stretches of its tokens, in order. Where a stretch could not be tokenised there is no code: what
looks like a comment there is taken for one.
"""

from __future__ import annotations

from typing import NamedTuple

from headwater.sql.dialect import dialect
from headwater.sql.source import source
from headwater.sql.split import pieces
from headwater.sql.tokens import is_swallowed


class CodeSpan(NamedTuple):
    """A token's place; *literal* if nothing inside of it can be a comment: a string, or a quoted name."""

    start: int
    end: int
    literal: bool


def code_spans(text: str, spoken: str) -> list[CodeSpan]:
    """The places of all tokens of a script in a dialect, or the first of several with commas between.

    >>> code_spans("SELECT '--' -- x", "spark")
    [CodeSpan(start=0, end=6, literal=False), CodeSpan(start=7, end=11, literal=True)]
    """
    by = dialect(spoken.partition(",")[0])
    made = source(text, by)
    found = [
        CodeSpan(token.start, token.end + 1, token.end > token.start and not is_swallowed(token))
        for piece in pieces(made, by)
        for token in piece.tokens
    ]
    return sorted(span._replace(literal=span.literal and _is_quoted(text, span)) for span in found)


def _is_quoted(text: str, span: CodeSpan) -> bool:
    """Whether a token ends with a quote: names and strings do, words and numbers do not."""
    return text[span.end - 1 : span.end] in ("'", '"', "`", "]", "$")
