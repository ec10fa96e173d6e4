"""All secrets of a text: what the rules find, in order, without overlaps."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from sqlglot.errors import TokenError

from headwater.model.span import Span
from headwater.sql.dialect import dialect
from headwater.sql.secrets.assignment import assigned_secrets, secret_variables
from headwater.sql.secrets.bound import bound_secrets
from headwater.sql.secrets.inside import secrets_inside, secrets_of_names, secrets_outside
from headwater.sql.secrets.place import secret_places, secret_sessions
from headwater.sql.secrets.shape import shaped_secrets
from headwater.sql.secrets.suspicion import has_words
from headwater.sql.secrets.tokens import is_string
from headwater.sql.string_offsets import string_offsets
from headwater.sql.tokens import is_swallowed, plain_tokens, shifted

_DEEPEST = 3
"""Strings in strings that are read as SQL."""


def secrets_of(raw: str, tokens: Sequence[Any]) -> list[Span]:
    """The secrets of a script; *tokens* are all of its tokens, or those of a part that can be read."""
    return merged(
        [*_of_tokens(raw, tokens, 0, len(raw)), *secret_sessions(raw), *secrets_outside(raw), *shaped_secrets(raw)]
    )


def secrets_of_tokens(raw: str, tokens: Sequence[Any]) -> list[Span]:
    """The secrets among the tokens of a part of a script."""
    if not tokens:
        return []
    return merged(_of_tokens(raw, tokens, tokens[0].start, tokens[-1].end + 1))


def secrets_in_text(text: str) -> list[Span]:
    """The secrets of a text that is no SQL: a message, a location."""
    return merged([*secrets_inside(text, 0, len(text)), *secrets_of_names(text), *shaped_secrets(text)])


def merged(found: Iterable[Span]) -> list[Span]:
    """Spans in order, without overlaps and empty ones."""
    made: list[Span] = []
    for span in sorted(s for s in found if s.end > s.start):
        if made and span.start < made[-1].end:
            made[-1] = Span(made[-1].start, max(made[-1].end, span.end))
        else:
            made.append(span)
    return made


def _of_tokens(raw: str, tokens: Sequence[Any], start: int, end: int) -> Iterator[Span]:
    tokens = _spelled_out(raw, tokens)
    yield from _by_grammar(raw, tokens)
    yield from _inside(raw, tokens, start, end)


def _by_grammar(raw: str, tokens: Sequence[Any]) -> Iterator[Span]:
    """What the first two rules find, also in SQL that strings hold, at their places in the script."""
    texts = list(_with_strings(_Text(raw, tokens)))
    variables = frozenset(name for text in texts for name in secret_variables(text.tokens))
    for text in texts:
        spans = [*secret_places(text.raw, text.tokens), *assigned_secrets(text.raw, text.tokens, variables)]
        if variables:
            spans += bound_secrets(text.raw, text.tokens, variables)
        yield from (text.in_script(span) for span in spans)


class _Text(NamedTuple):
    """A script or SQL in one of its strings; of the latter, where each letter stands in the script."""

    raw: str
    tokens: Sequence[Any]
    offsets: Sequence[int] = ()

    def in_script(self, span: Span) -> Span:
        """A place of this text in the script."""
        return Span(self.offsets[span.start], self.offsets[span.end - 1] + 1) if self.offsets else span


def _with_strings(script: _Text) -> Iterator[_Text]:
    """A script, then the SQL in its strings, and in theirs."""
    texts = [script]
    for _ in range(_DEEPEST + 1):
        yield from texts
        texts = [_in_string(text, token) for text in texts for token in text.tokens if _may_be_sql(token)]


def _may_be_sql(token: Any) -> bool:
    return is_string(token) and " " in token.text and has_words(token.text)


def _in_string(text: _Text, string: Any) -> _Text:
    """The SQL that a string holds."""
    inner: str = string.text
    offsets = [string.start + each for each in string_offsets(inner, text.raw[string.start : string.end + 1])]
    if text.offsets:
        offsets = [text.offsets[each] for each in offsets]
    return _Text(inner, _spelled_out(inner, _tokens(inner)), offsets)


def _tokens(text: str) -> list[Any]:
    """The tokens of a text in an unknown dialect: MySQL's tokeniser takes both kinds of quotes for strings."""
    try:
        return plain_tokens(text, dialect("mysql"))
    except TokenError:
        return []


def _spelled_out(raw: str, tokens: Sequence[Any]) -> list[Any]:
    """The tokens, also where the tokeniser took all that stands behind a word for its argument; there may be such a word again."""
    tokens = list(tokens)
    for _ in range(_DEEPEST):
        if not any(map(is_swallowed, tokens)):
            break
        tokens = list(_with_arguments(raw, tokens))
    return tokens


def _with_arguments(raw: str, tokens: Sequence[Any]) -> Iterator[Any]:
    end = 0
    for token in tokens:
        if is_swallowed(token):
            yield from shifted(_tokens(raw[end : token.end + 1]), end, 0) or [token]
        else:
            yield token
        end = token.end + 1


def _inside(raw: str, tokens: Sequence[Any], start: int, end: int) -> Iterator[Span]:
    """Secrets inside strings, quoted names, and the comments between tokens."""
    for token in tokens:
        yield from secrets_inside(raw, start, token.start)
        start = token.end + 1
        if is_string(token) or raw[token.start : token.start + 1] in '`"[':
            yield from secrets_inside(raw, token.start, start)
    yield from secrets_inside(raw, start, end)
