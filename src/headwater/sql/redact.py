"""SQL text without its secrets.

`Redacted` wraps the text of a script. Whoever shows, stores or hashes a piece of it asks for `slice`, which replaces every
secret by `***`. What a secret is, `headwater.sql.secrets` says.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot.tokenizer_core import TokenType

from headwater.model.span import Span
from headwater.sql.secrets import is_suspicious, secrets_in_text, secrets_of, secrets_of_tokens
from headwater.sql.secrets.found import merged

__all__ = ["MASK", "Redacted", "is_suspicious", "without_secrets"]

MASK = "***"


class Redacted:
    """A script's text with the places of its secrets."""

    __slots__ = ("_is_suspicious", "_secrets", "raw")

    def __init__(self, raw: str, tokens: Sequence[Any], unreadable: Sequence[Span] = ()) -> None:
        """*unreadable* stretches could not be tokenised: if anything there looks like a secret, all of it is one."""
        self.raw = raw
        self._is_suspicious = is_suspicious(raw)
        self._secrets: list[Span] = secrets_of(raw, tokens) if self._is_suspicious else []
        if unreadable:
            hidden = [span for span in unreadable if is_suspicious(raw[span.start : span.end])]
            self._secrets = merged([*self._secrets, *hidden])
        if self._secrets:
            self._mask_names(tokens)

    def _mask_names(self, tokens: Sequence[Any]) -> None:
        """Take secrets out of names, which are shown wherever the column or table is."""
        for token in tokens:
            if token.token_type in _NAMES:
                shown = self.slice(token.start, token.end + 1)
                if shown != self.raw[token.start : token.end + 1]:
                    token.text = shown.strip('"`[]')

    def also(self, other: Redacted) -> Redacted:
        """The same text without the secrets that either reading of it found."""
        return self.hiding(other._secrets)

    def hiding(self, spans: Sequence[Span]) -> Redacted:
        """The same text without some stretches, too."""
        more = Redacted.__new__(Redacted)
        more.raw = self.raw
        more._is_suspicious = self._is_suspicious
        more._secrets = merged([*self._secrets, *spans])
        return more

    def note(self, tokens: Sequence[Any]) -> None:
        """Look for secrets among the tokens of a body that is a string to the script, at their places in it."""
        if self._is_suspicious:
            found = secrets_of_tokens(self.raw, tokens)
            self._secrets = merged([*self._secrets, *found]) if found else self._secrets

    def slice(self, start: int, end: int) -> str:
        """The text between two offsets, without its secrets."""
        if not self._secrets:
            return self.raw[start:end]
        parts = []
        for secret in self._secrets_from(start):
            if secret.start >= end:
                break
            parts.append(self.raw[start : max(start, secret.start)])
            parts.append(MASK)
            start = secret.end
        parts.append(self.raw[start:end])
        return "".join(parts)

    def _secrets_from(self, offset: int) -> Iterator[Span]:
        """The secrets that end behind an offset."""
        for i in range(bisect_right(self._secrets, offset, key=_end), len(self._secrets)):
            yield self._secrets[i]

    def blanked(self) -> str:
        """All of the text, with blanks and newlines behind `***` where secrets are longer: all offsets stay what they are."""
        parts, end = [], 0
        for secret in self._secrets:
            parts += [self.raw[end : secret.start], _as_long(self.raw[secret.start : secret.end])]
            end = secret.end
        return "".join((*parts, self.raw[end:]))

    def hide(self, text: str) -> str:
        """A text of somebody else's about this one, such as an error message, without the secrets of either."""
        hidden_texts = {self.raw[secret.start : secret.end] for secret in self._secrets}
        for hidden in sorted(hidden_texts, key=len, reverse=True):
            text = text.replace(hidden, MASK)
        return without_secrets(text)


def _as_long(secret: str) -> str:
    """`***` and blanks in the place of a secret, with its lines."""
    lines = secret.split("\n")
    first = next((number for number, line in enumerate(lines) if line), 0)
    masked = [
        MASK[: len(line)].ljust(len(line)) if number == first else " " * len(line) for number, line in enumerate(lines)
    ]
    return "\n".join(masked)


_NAMES = frozenset({TokenType.IDENTIFIER, TokenType.VAR})


def _end(span: Span) -> int:
    return span.end


def without_secrets(text: str) -> str:
    """A text that is no SQL, such as a message, a location or a name, without its secrets."""
    if text.isidentifier() or not is_suspicious(text):  # names are masked among the tokens
        return text
    parts, start = [], 0
    for span in secrets_in_text(text):
        parts += [text[start : span.start], MASK]
        start = span.end
    return "".join((*parts, text[start:]))
