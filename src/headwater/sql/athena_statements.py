"""Athena's statements, each read by the engine that runs it: most DDL in Hive's words, queries in Trino's.

The two engines disagree about quotes: `"a"` is a string of Hive and a name of Trino, a backslash escapes in Hive's strings only. The
grammar's tokenizer decides by the first words of a text. So a script is cut into its statements first.

    CREATE EXTERNAL TABLE t (`a b` int) TBLPROPERTIES ("skip.header.line.count" = "1") LOCATION 's3://b/p/';   -- Hive
    SELECT "a b" FROM t                                                                                        -- Trino
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.possessive import compile_possessive
from headwater.sql.words import word

_BETWEEN = r"--[^\n]*+|/\*(?:[^*]|\*(?!/))*+(?:\*/)?"
_TRINO_QUOTES = r"""'[^']*+'?|"[^"]*+"?|`[^`]*+`?"""
_HIVE_QUOTES = r"""'(?:[^'\\]|\\.)*+'?|"(?:[^"\\]|\\.)*+"?|`[^`]*+`?"""
"""What is not closed reaches to the end, so that no character is looked at twice."""
_TRINO_PART = compile_possessive(rf"{_BETWEEN}|{_TRINO_QUOTES}|;", re.DOTALL)
_HIVE_PART = compile_possessive(rf"{_BETWEEN}|{_HIVE_QUOTES}|;", re.DOTALL)
_HIVE_STATEMENT = compile_possessive(
    rf"(?:\s|{_BETWEEN})*+(?:(?:CREATE|DROP|ALTER)\s++(?!VIEW\b|OR\b)|SHOW\b|DESCRIBE\b|DESC\b|MSCK\b)",
    re.IGNORECASE | re.DOTALL,
)
_SELECT = re.compile(r"\bSELECT\b", re.IGNORECASE)


def statement_bounds(text: str) -> Iterator[tuple[int, int]]:
    """Where each statement of a script begins and ends, its semicolon included."""
    start = 0
    while start < len(text):
        end = -1
        if _HIVE_STATEMENT.match(text, start):
            end = _end(_HIVE_PART, text, start)
        if end < 0 or _SELECT.search(text, start, end):
            end = _end(_TRINO_PART, text, start)
        yield start, end
        start = end


def is_for_hive(tokens: Sequence[Token]) -> bool:
    """Whether Hive runs a statement: DDL that holds no query and makes no view."""
    if len(tokens) < 2:
        return False
    first, second = word(tokens[0]).partition(" ")[0], word(tokens[1])
    if first in ("SHOW", "DESCRIBE", "DESC", "MSCK"):
        return True
    if first not in ("CREATE", "ALTER", "DROP") or second == "VIEW":
        return False
    return second in ("DATABASE", "SCHEMA", "EXTERNAL") or all(t.token_type is not TokenType.SELECT for t in tokens)


def _end(part: re.Pattern[str], text: str, start: int) -> int:
    """The offset behind the next semicolon that is in no quotes and no comment; that of the text's end if there is none."""
    found = (match.end() for match in part.finditer(text, start) if match.group() == ";")
    return next(found, len(text))
