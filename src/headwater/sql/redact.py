"""Secrets in SQL text: found by the words around them, never shown.

`Redacted` wraps the text of a script. Whoever shows, stores or hashes a piece of it asks for `slice`, which replaces every
secret by `***`. A secret is

* a string, or after IDENTIFIED BY any word, behind a telling name: `PASSWORD 'x'`, `aws_secret_key = 'x'`, `'fs.s3a.access.key' = 'x'`;
* the value of a telling column in INSERT … VALUES, and of a telling setting in SET;
* an argument that its position tells, `s3(url, key, 'x')`, `aes_encrypt(a, 'x')`;
* inside a string, quoted name or comment: a url's credentials, `password=x`, `"token": "x"`, `Bearer x`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot.tokenizer_core import TokenType

from headwater.model.span import Span
from headwater.sql.positional_secret import CALLS, positional_secrets

MASK = "***"

_KEYS = ("access", "account", "api", "private", "encryption", "master", "shared", "storage", "signing")
_SUSPICIOUS: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(
        ("pass", "pwd", "secret", "token", "credential", "sas", "identified", "auth", "bearer", "logon"), ()
    ),
    ":": ("://",),
    "conn": ("conn ", "connect "),
    "\\": ("\\c ",),
    "key": ("key_id", "keyid", *(f"{word}{glue}key" for word in _KEYS for glue in ("", "_", "."))),
    **{
        part: tuple(call for call in CALLS if part in call)
        for part in ("sql(", "remote", "redis(", "mongodb(", "crypt")
    },
}
"""Text without any of these words holds no secret that we could find; looking for them is all that most scripts cost.

Where a word is too common, or several share a part, the part comes first: only a text that has it is searched for the words.
"""

_TELLING_WORDS = (
    r"pass|password|passwd|passphrase|pwd|secret|secrets|token|credential|credentials|apikey|auth|authorization|sas|"
    rf"(?:{'|'.join(_KEYS)}|secret)_?key|(?:access_)?key_?id|identified"
)
_TELLING = re.compile(
    rf"(?:^|_)(?:{_TELLING_WORDS})(?:_(?:id|value|text|hash))?$|(?:^|_)(?:password|secret|token)(?:_|$)"
)
_IN_TEXT = re.compile(
    r"://[^\s:/@'\"]{0,256}:(?P<url>[^\s'\"]{1,1024})(?=@)"
    rf"|(?:\b|[._])(?:{_TELLING_WORDS}|sig|client_secret)[\"']*\s*[=:]\s*[\"']*(?:bearer\s+|basic\s+)?(?P<value>[^\s;&,'\"}})]+)"
    r"|\bbearer\s+(?P<bearer>[^\s'\"]+)"
    r"|[?&](?:key|sig|token|(?:x-(?:amz|goog)-)?(?:signature|credential|security-token))=(?P<query>[^\s&'\"]+)",
    re.IGNORECASE,
)
_LOGON = re.compile(
    r"^[ \t]*\.?[ \t]*logon[ \t]+[^\s,;]+,[ \t]*(?P<logon>[^\s;]+)"
    r"|^[ \t]*conn(?:ect)?[ \t]+[^\s/;]+/(?P<connect>\"[^\"\n]*\"|[^\s@;]+)"
    r"|^[ \t]*(?:\\c|\\connect|:connect)[ \t][^\n]*?(?:password=|-P[ \t]*)(?P<option>'[^'\n]*'|[^\s'\"]+)",
    re.IGNORECASE | re.MULTILINE,
)
"""Commands that open a session: `.LOGON host/user,x`, `CONNECT user/x@db`, `\\connect "… password=x"`."""
_SETTING = re.compile(rf"^password|(?:{'|'.join(_KEYS)}|secret)[._]?key|secret|password", re.IGNORECASE)
"""Settings whose value is a secret wherever in the name the word stands: `fs.azure.account.key.<account>`."""
_GLUE = frozenset({"=", ":", "=>", ":=", "IS", "TO", "("})


class Redacted:
    """A script's text with the places of its secrets."""

    __slots__ = ("_secrets", "raw")

    def __init__(self, raw: str, tokens: Sequence[Any], unreadable: Sequence[Span] = ()) -> None:
        """*unreadable* stretches could not be tokenised: if anything there looks like a secret, all of it is one."""
        self.raw = raw
        self._secrets: list[Span] = _secrets(raw, tokens) if is_suspicious(raw) else []
        if unreadable:
            hidden = [span for span in unreadable if is_suspicious(raw[span.start : span.end])]
            self._secrets = _merged([*self._secrets, *hidden])
        if self._secrets:
            self._mask_names(tokens)

    def _mask_names(self, tokens: Sequence[Any]) -> None:
        """Take secrets out of quoted names, which are shown wherever the column or table is."""
        for token in tokens:
            if token.token_type is TokenType.IDENTIFIER:
                shown = self.slice(token.start, token.end + 1)
                if shown != self.raw[token.start : token.end + 1]:
                    token.text = shown.strip('"`[]')

    def also(self, other: Redacted) -> Redacted:
        """The same text without the secrets that either reading of it found."""
        both = Redacted.__new__(Redacted)
        both.raw = self.raw
        both._secrets = _merged([*self._secrets, *other._secrets])
        return both

    def note(self, tokens: Sequence[Any]) -> None:
        """Look for secrets among the tokens of a body that is a string to the script, at their places in it."""
        if is_suspicious(self.raw):
            self._secrets = _merged([*self._secrets, *_secrets(self.raw, tokens)])

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

    def blanked(self) -> str:
        """All of the text, with blanks and newlines behind `***` where secrets are longer: all offsets stay what they are."""
        parts, end = [], 0
        for secret in self._secrets:
            blanks = "".join(char if char == "\n" else " " for char in self.raw[secret.start : secret.end])
            parts += [self.raw[end : secret.start], f"{MASK}{blanks[len(MASK) :]}"[: len(blanks)]]
            end = secret.end
        return "".join((*parts, self.raw[end:]))

    def hide(self, text: str) -> str:
        """A text of somebody else's about this one, such as an error message, without the secrets of either."""
        for secret in self._secrets:
            hidden = self.raw[secret.start : secret.end]
            text = text.replace(hidden, MASK) if hidden else text
        return "".join(_replaced(text, [Span(*m.span(m.lastgroup or 0)) for m in _IN_TEXT.finditer(text)]))


def without_credentials(name: str) -> str:
    """A name that may be a url, without the password in it."""
    if "://" not in name:
        return name
    return "".join(_replaced(name, [Span(*m.span(m.lastgroup or 0)) for m in _IN_TEXT.finditer(name)]))


def _replaced(text: str, spans: list[Span]) -> Iterator[str]:
    start = 0
    for span in spans:
        yield text[start : span.start]
        yield MASK
        start = span.end
    yield text[start:]


def is_suspicious(text: str) -> bool:
    """Whether a text may hold a secret at all."""
    lowered = text.lower()
    parts = filter(lowered.__contains__, _SUSPICIOUS)
    return any(not _SUSPICIOUS[part] or any(map(lowered.__contains__, _SUSPICIOUS[part])) for part in parts)


def _secrets(raw: str, tokens: Sequence[Any]) -> list[Span]:
    """All secrets, in order, without overlaps."""
    found = [*_told(raw, tokens), *_inserted(raw, tokens), *_set(tokens), *_inside(raw, tokens)]
    found += positional_secrets(tokens)
    return _merged([*found, *(Span(*match.span(match.lastgroup or 0)) for match in _LOGON.finditer(raw))])


def _merged(found: list[Span]) -> list[Span]:
    merged: list[Span] = []
    for span in sorted(s for s in found if s.end > s.start):
        if merged and span.start < merged[-1].end:
            merged[-1] = Span(merged[-1].start, max(merged[-1].end, span.end))
        else:
            merged.append(span)
    return merged


def _is_string(token: Any) -> bool:
    return "STRING" in token.token_type.name


def _value(raw: str, token: Any) -> Span:
    """What to mask of a token: a plain string keeps its quotes, anything else goes whole."""
    quote = raw[token.start : token.start + 1]
    if (
        quote in ("'", '"')
        and raw[token.end : token.end + 1] == quote
        and raw[token.start + 1 : token.start + 3] != quote * 2
    ):
        return Span(token.start + 1, token.end)
    return Span(token.start, token.end + 1)


def _is_telling(name: str) -> bool:
    """Whether a name says that what follows is a secret: `sfPassword`, `fs.s3a.secret.key`, `aws_key_id`."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name.strip("'\"`"))
    return bool(_TELLING.search(re.sub(r"\W+", "_", words).lower()))


def _told(raw: str, tokens: Sequence[Any]) -> Iterator[Span]:
    """Strings behind a telling name, and whatever stands behind IDENTIFIED BY."""
    for i, token in enumerate(tokens):
        if _is_identification(tokens, i):
            yield _value(raw, token)
        elif _is_string(token):
            j = i - 1
            while j > 0 and tokens[j].text.upper() in _GLUE and i - j < 4:
                j -= 1
            if j >= 0 and _is_telling(_dotted(tokens, j)):
                yield _value(raw, token)


def _is_identification(tokens: Sequence[Any], i: int) -> bool:
    """Whether a token stands behind `IDENTIFIED [WITH plugin] BY`."""
    if i < 2 or tokens[i - 1].text.upper() not in ("BY", "AS"):
        return False
    return any(token.text.upper() == "IDENTIFIED" for token in tokens[max(i - 4, 0) : i - 1])


def _dotted(tokens: Sequence[Any], j: int) -> str:
    """The dotted name that ends at a token."""
    parts = [tokens[j].text]
    while j > 1 and tokens[j - 1].text == "." and len(parts) < 8:
        j -= 2
        parts.append(tokens[j].text)
    return ".".join(reversed(parts))


def _set(tokens: Sequence[Any]) -> Iterator[Span]:
    """`SET some.secret.key = x`, `SET PASSWORD FOR u = 'x'`: everything behind the sign, to the end of the statement."""
    starts = [0] + [i + 1 for i, t in enumerate(tokens) if t.text == ";"]
    for start, following in zip(starts, [*starts[1:], len(tokens) + 1], strict=True):
        end = following - 1
        if start < end and tokens[start].text.upper().startswith("SET"):
            signs = [i for i in range(start, end) if tokens[i].text == "="]
            name = "".join(t.text for t in tokens[start + 1 : signs[0]]) if signs else ""
            if signs and signs[0] + 1 < end and (_is_telling(name) or _SETTING.search(name)):
                yield Span(tokens[signs[0] + 1].start, tokens[end - 1].end + 1)


def _inserted(raw: str, tokens: Sequence[Any]) -> Iterator[Span]:
    """`INSERT INTO u (name, password) VALUES ('bob', 'x')`: strings below a telling column."""
    for i, token in enumerate(tokens):
        if token.text.upper() == "VALUES" and i > 1 and tokens[i - 1].text == ")":
            telling = _telling_positions(tokens, i - 1)
            if telling:
                yield from _cells(raw, tokens, i + 1, telling)


def _telling_positions(tokens: Sequence[Any], closing: int) -> set[int]:
    """Positions of telling names in the column list that ends at a bracket."""
    opening = closing
    while opening > 0 and tokens[opening].text != "(":
        opening -= 1
    names = [t.text for t in tokens[opening + 1 : closing] if t.text != ","]
    return {i for i, name in enumerate(names) if _is_telling(name)}


def _cells(raw: str, tokens: Sequence[Any], i: int, telling: set[int]) -> Iterator[Span]:
    depth = position = 0
    for token in tokens[i:]:
        if token.text == "(" and not _is_string(token):
            depth += 1
            position = 0 if depth == 1 else position
        elif token.text == ")" and not _is_string(token):
            depth -= 1
        elif depth == 0 and token.text != ",":
            return
        elif depth == 1 and token.text == "," and not _is_string(token):
            position += 1
        elif position in telling and _is_string(token):
            yield _value(raw, token)


def _inside(raw: str, tokens: Sequence[Any]) -> Iterator[Span]:
    """Secrets inside strings, quoted names, and the comments between tokens."""
    end = 0
    for token in tokens:
        yield from _matches(raw, end, token.start)
        end = token.end + 1
        if _is_string(token) or raw[token.start : token.start + 1] in '`"[' or end - token.start > len(token.text) + 1:
            yield from _matches(raw, token.start, end)
    yield from _matches(raw, end, len(raw))


def _matches(raw: str, start: int, end: int) -> Iterator[Span]:
    if end - start > 4:
        for match in _IN_TEXT.finditer(raw, start, end):
            yield Span(*match.span(match.lastgroup or 0))
