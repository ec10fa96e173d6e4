"""Placeholders: what a client or a template engine would have replaced before the database saw the script.

`{{ … }}`, `${x}`, `{x}`, `$(x)`, `#{x}`, `%(x)s`, `&x`, `:'x'` and the like. `filled` writes over each of them a run of one character
that every dialect takes for part of a name, so that the grammar sees a name, or a part of one: `db_${env}.t_${date}`. Lengths are
kept, and so all offsets.
"""

from __future__ import annotations

import re
from functools import cache

from headwater.sql.dialect import Dialect

_FIRST, _COUNT = 0xE000, 0x1900
RUN = re.compile("([\ue000-\uf8ff])\\1*")
"""A placeholder in readable text: one character for private use, over and over, and not its neighbour's."""

_JINJA = r"\{\{[-+]?\s*[A-Za-z_(\[](?:[^}{]|\}(?!\})|\{(?![%{]))*\}\}"
_COMMON = (
    *(_JINJA, r"\$\{[^{}'\"\n]*\}", r"#\{[^{}'\"\n]*\}", r"%\([A-Za-z_]\w*\)s", r"%s\b"),
    *(r"<%=[^%]*%>", r"<\?=[^?]*\?>", r"(?<![\w$])\$\([A-Za-z_][\w.]*\)", r"\{[A-Za-z_][\w.]*\}"),
)
_COMMON_SIGNS = {"{": ("{",), "%": ("%(", "%s", "<%="), "?": ("<?=",), "$": ("$(",)}
"""How placeholders begin, by a character that they cannot do without: most scripts lack most of these."""
_PSQL = (r"(?<![:\w]):'[A-Za-z_]\w*'", r"(?<![:\w]):\"[A-Za-z_]\w*\"")
_OF_DIALECT = {
    "tsql": (r"\$\([A-Za-z_][\w.]*\)",),
    "oracle": (r"&&?[A-Za-z_]\w*\.?",),
    "snowflake": (r"&\{[A-Za-z_]\w*\}", r"&[A-Za-z_]\w*"),
    "postgres": (*_PSQL, r"@ext(?:schema(?::\w+)?|owner)@"),
    "redshift": _PSQL,
}
"""What only the clients of some dialects replace: `&` is an operator elsewhere, `:'x'` part of a slice; PostgreSQL's extensions are
installed to `@extschema@`."""
_SIGNS_OF_DIALECT = {
    "oracle": _COMMON_SIGNS | {"&": ("&",)},
    "snowflake": _COMMON_SIGNS | {"&": ("&",)},
    "postgres": _COMMON_SIGNS | {":": (":'", ':"'), "@": ("@ext",)},
    "redshift": _COMMON_SIGNS | {":": (":'", ':"')},
}

placeholders = re.compile(
    r"\{\{(?:[^}]|\}(?!\}))*\}\}|\$\{[^{}]*\}|#\{[^{}]*\}|%\(\w+\)s|%s|<%=[^%]*%>|<\?=[^?]*\?>"
    r"|\$\([\w.]+\)|&&?\w+\.?|&\{\w+\}|:'\w+'|:\"\w+\"|@ext\w+(?::\w+)?@|\{[A-Za-z_][\w.]*\}"
)
"""A placeholder as it is written."""
_JINJA_NAME = re.compile(r"\{\{[-+]?\s*(ref|source)\s*\((?P<arguments>[^()]*)\)\s*[-+]?\}\}")
_ARGUMENT = re.compile(r"""\s*(?:'([^']*)'|"([^"]*)")\s*(?:,|$)""")

_BEFORE_VALUE = frozenset({"in", "like", "limit", "and", "or", "between", "offset", "then", "else", "when", "select"})
"""Words before `%s` that leave no doubt that it is no remainder."""


def has_placeholders(sql: str, dialect: Dialect) -> bool:
    """Whether a text has the sign of a placeholder: all that a script without any has to pay."""
    signs = _SIGNS_OF_DIALECT.get(dialect.family, _COMMON_SIGNS)
    return any(sign in sql for character in signs if character in sql for sign in signs[character])


def filled(sql: str, dialect: Dialect) -> str:
    """A text with its placeholders written over."""
    parts: list[str] = []
    end = 0
    for number, match in enumerate(_pattern(dialect.family).finditer(sql)):
        if match.group() == "%s" and not _is_value(sql, match.start()):
            continue
        parts.append(sql[end : match.start()])
        end = match.end()
        parts.append(chr(_FIRST + number % _COUNT) * (end - match.start()))
    return "".join((*parts, sql[end:])) if parts else sql


@cache
def _pattern(dialect: str) -> re.Pattern[str]:
    return re.compile("|".join((*_COMMON, *_OF_DIALECT.get(dialect, ()))))


def _is_value(sql: str, at: int) -> bool:
    """Whether an operand is due at an offset: `a = %s`, `IN (%s`, `LIMIT %s`; `a %s` is a remainder."""
    before = sql[max(at - 40, 0) : at].rstrip()
    if not before or before[-1] in "=(,<>+-*/|":
        return True
    return re.split(r"\W", before)[-1].lower() in _BEFORE_VALUE


def is_placeholder(name: str) -> bool:
    """Whether a name is nothing but one placeholder."""
    return placeholders.fullmatch(name) is not None


def jinja_name(text: str) -> tuple[str, ...]:
    """The name that `{{ ref('m') }}` or `{{ source('s', 't') }}` stands for; nothing if the text is neither.

    A model may have its project before it, which is no part of its name in the database.
    """
    call = _JINJA_NAME.fullmatch(text)
    if call is None:
        return ()
    found: list[str] = []
    at = 0
    while at < len(call["arguments"]) and (match := _ARGUMENT.match(call["arguments"], at)):
        found.append(match[1] or match[2] or "")
        at = match.end()
    if not found or not all(found):
        return ()
    return tuple(found[1:2] or found) if call[1] == "ref" else tuple(found[:2])
