"""The second rule inside strings, quoted names and comments, which hold texts of other languages.

There it finds `password=x` of connection strings, `"token": "x"` of JSON, `--password x` of command lines, headers, and the credentials
in URLs.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from headwater.model.span import Span
from headwater.sql.secrets.commands import ESCAPES, secrets_of_commands
from headwater.sql.secrets.names import sounds_secret

_NAME_AND_SIGN = re.compile(
    r"(?<![\w.\-@])([A-Za-z_@][\w.\-]{0,199}|[?&]\w{1,40})[\"'\\\]]{0,3}\s{0,8}(?:(?:=>|:=|==|[=:])|(?<=\s)(?=[\"'\\]))\s{0,8}(?:(?:bearer|basic)\s{1,8})?",
    re.IGNORECASE,
)
_VALUE = re.compile(
    r"\{(?P<braced>[^}]{1,1024})\}|\\?\"(?P<double>(?:[^\"\\]|\\[^\"])+)|''(?P<doubled>[^']+)"
    r"|'(?P<single>[^']+)|(?P<bare>[^\s;&,'\"})\]]+)"
)
"""A value, in whatever quotes. The sign may be missing before a quote: `PASSWORD 'x'`."""
_OTHERS = re.compile(
    r"://[^\s:/@'\"]{0,256}:(?P<url>[^\s'\"]{1,1024})(?=@)"
    r"|:thin:[^\s/@'\"]{1,256}/(?P<thin>[^\s'\"@]{1,1024})(?=@)"
    r"|\bbearer\s{1,8}(?P<bearer>[^\s'\"]+)"
    r"|\bauthorization[\"']{0,2}\s{0,8}[:=]\s{0,8}[\"']?\w+\s{1,8}(?P<header>[^\s'\"]+)"
    r"|[?&](?:key|sig|code|signature|x-(?:amz|goog)-(?:signature|credential|security-token))=(?P<query>[^\s&'\"]+)"
    r"|(?<![\w.\-])(?:sig|signature)=(?P<signature>[^\s&;'\"]+)"
    r"|(?<![\w\-])--?(?:[\w\-]{1,40}-)?(?:password|passwd|pwd|token|secret|api-key|access-token)[\s=]+(?P<option>[^\s'\"]+)",
    re.IGNORECASE,
)
_ADDRESS = re.compile(r"\w://[^\s'\"`<>;]+")
_CHOICE = re.compile(
    r"\b(?:coalesce|ifnull|nvl2?|isnull|nullif|greatest|least|i?iff?)\(([^()]{1,1000})\)", re.IGNORECASE
)
_RESULTS = re.compile(r"\bCASE\b(.{1,2000}?)\bEND\b", re.IGNORECASE | re.DOTALL)
_RESULT = re.compile(r"\b(?:THEN|ELSE)\s+(.+?)(?=\s+(?:WHEN|THEN|ELSE)\b|\s*$)", re.IGNORECASE | re.DOTALL)
_ARGUMENT = re.compile(r"[^,\s][^,]*")
_LISTED = re.compile(r"(?<![\w.])([\w.]{1,200}) (?:NOT )?(?:R?LIKE |ILIKE |IN \(|WHEN )([^()\s][^()]{0,1000})")
"""In capitals, as Spark writes them: `password in` is plain English."""
_SHORTEST = 5


def secrets_inside(text: str, start: int, end: int) -> Iterator[Span]:
    """Secrets between two offsets of a text that is no SQL."""
    if end - start < _SHORTEST:
        return
    for match in _NAME_AND_SIGN.finditer(text, start, end):
        if sounds_secret(match[1].lstrip("?&")):
            value = _VALUE.match(text, match.end(), end)
            if value:
                yield Span(*value.span(value.lastgroup or 0))
    for match in _OTHERS.finditer(text, start, end):
        yield Span(*match.span(match.lastgroup or 0))
    yield from secrets_of_commands(text, start, end)


def secrets_of_names(text: str) -> Iterator[Span]:
    """Secrets in names that Spark makes of expressions, without quotes: `coalesce(password, x)`. What stands beside a secret is one."""
    for pattern, part in ((_CHOICE, _ARGUMENT), (_RESULTS, _RESULT)):
        for match in pattern.finditer(text):
            parts = [Span(*each.span(each.re.groups)) for each in part.finditer(text, *match.span(1))]
            others = [each for each in parts if not sounds_secret(text[each.start : each.end])]
            if len(others) < len(parts):
                yield from others
    for match in _LISTED.finditer(text):
        if sounds_secret(match[1]):
            yield Span(*match.span(2))


def secrets_outside(text: str) -> Iterator[Span]:
    r"""Secrets in what a script says without quotes: `ADD JAR http://u:x@h/x.jar`, and commands to the system, `\! mysql -px`."""
    for pattern in (_ADDRESS, ESCAPES):
        for match in pattern.finditer(text):
            yield from secrets_inside(text, match.start(), match.end())
