"""Names that somebody types as SQL quotes them: `"My Table"."Col A"`, `[My Table].[Col A]`, `` `p.d.t`.c ``."""

from __future__ import annotations

import re

_QUOTED = r'"(?:[^"]|"")+"|`(?:[^`]|``)+`|\[(?:[^\[\]]|\]\])+\]'
_PART = re.compile(rf'{_QUOTED}|[^."`\[\]]+')
_WHOLE = re.compile(rf'(?:{_QUOTED}|[^."`\[\]]+)(?:\.(?:{_QUOTED}|[^."`\[\]]+))*')
_QUOTES = '"`['


def without_quotes(name: str) -> str:
    """A name as the store shows it: its parts without their quotes, and dots between them. Any other text stays as it is.

    >>> without_quotes('sales."My Table".[Col A]')
    'sales.My Table.Col A'
    >>> without_quotes("[a]]b].c"), without_quotes("orders.[ab]*")
    ('a]b.c', 'orders.[ab]*')
    """
    text = name.strip()
    if not any(quote in text for quote in _QUOTES) or not _WHOLE.fullmatch(text):
        return name
    return ".".join(_unquoted(part) for part in _PART.findall(text))


def _unquoted(part: str) -> str:
    if part[0] not in _QUOTES:
        return part
    end = part[-1]
    return part[1:-1].replace(end * 2, end)
