"""Secrets in SQL text: found by their tokens, never shown.

`Redacted` wraps the text of a script. Whoever shows, stores or hashes a piece of it asks for `slice`, which replaces every
secret by `***`. A secret is the string after a telling word (`PASSWORD 'x'`, `aws_secret_key = 'x'`, `IDENTIFIED BY 'x'`), or
the credentials inside a url or connection string.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from headwater.model.span import Span

MASK = "***"

_TELLING = re.compile(
    r"pass(word|wd|phrase)?$|pwd$|secret|token$|credential|api_?key|access_?key|private_?key|key_id$|account_?key|sas|"
    r"master_?key|encryption_?key|identified|auth",
    re.IGNORECASE,
)
_SUSPICIOUS = ("pass", "pwd", "secret", "token", "credential", "key", "sas", "identified", "auth", "://")
"""Text without any of these words holds no secret that we could find; looking for them is all that most scripts cost."""

_IN_TEXT = re.compile(
    r"(?P<url>://[^\s:/@'\"]*:)(?P<a>[^\s@/'\"]+)(?=@)"
    r"|(?P<key>(?:pass(?:word|wd)?|pwd|secret\w*|token|api_?key|access_?key\w*|account_?key|sig)\s*[=:]\s*)(?P<b>[^\s;&,'\"})]+)",
    re.IGNORECASE,
)
_GLUE = frozenset({"=", ":", "=>", "BY", "IS", "TO", "(", ":="})


class Redacted:
    """A script's text with the places of its secrets."""

    __slots__ = ("_secrets", "raw")

    def __init__(self, raw: str, tokens: Sequence[Any]) -> None:
        self.raw = raw
        self._secrets: list[Span] = _secrets(tokens) if _is_suspicious(raw) else []

    @classmethod
    def everything(cls, raw: str, span: Span) -> Redacted:
        """Text that could not be tokenised: what looks like a string in *span* may be a secret, so all of it is."""
        text = cls(raw, ())
        if _is_suspicious(raw[span.start : span.end]):
            text._secrets = [span]
        return text

    def slice(self, start: int, end: int) -> str:
        """The text between two offsets, without its secrets."""
        if not self._secrets:
            return self.raw[start:end]
        parts = []
        for secret in self._secrets:
            if secret.end > start and secret.start < end:
                parts.append(self.raw[start : max(start, secret.start)])
                parts.append(MASK)
                start = secret.end
        parts.append(self.raw[start:end])
        return "".join(parts)


def _is_suspicious(text: str) -> bool:
    lowered = text.lower()
    return any(word in lowered for word in _SUSPICIOUS)


def _secrets(tokens: Sequence[Any]) -> list[Span]:
    spans: list[Span] = []
    for i, token in enumerate(tokens):
        if not _is_string(token):
            continue
        if _told_secret(tokens, i):
            spans.append(Span(token.start + 1, token.end))
        else:
            spans.extend(_inside(token))
    return [s for s in spans if s.end > s.start]


def _is_string(token: Any) -> bool:
    return "STRING" in token.token_type.name


def _told_secret(tokens: Sequence[Any], i: int) -> bool:
    """Whether the words just before a string say that it is a secret."""
    steps = 0
    for j in range(i - 1, max(i - 5, -1), -1):
        text = tokens[j].text
        if text.upper() in _GLUE:
            steps += 1
            if text.upper() == "BY" and j and tokens[j - 1].text.upper() == "IDENTIFIED":
                return True
            continue
        return bool(_TELLING.search(text)) and (steps > 0 or text.upper() in {"PASSWORD", "IDENTIFIED", "SECRET"})
    return False


def _inside(token: Any) -> list[Span]:
    """Secrets inside a string: a url's password, `password=…` in a connection string."""
    offset = token.end - len(token.text)
    found = []
    for match in _IN_TEXT.finditer(token.text):
        group = "a" if match.group("a") else "b"
        found.append(Span(offset + match.start(group), offset + match.end(group)))
    return found
