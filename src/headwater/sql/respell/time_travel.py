"""Other states of a table, as single vendors ask for them."""

from __future__ import annotations

import re

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.respell.rule import Edit, Tokens, made, reads, respells_phrase, word

_VERSION = re.compile(r"[vV](\d+)")
_TIME = re.compile(r"\d{17}")


@respells_phrase("@", "databricks", "spark")
def version_mark(tokens: Tokens, i: int) -> Edit | None:
    """`t@v3` is `t VERSION AS OF 3`, and `t@20260101000000000` is `t TIMESTAMP AS OF …`."""
    if not 0 < i < len(tokens) - 1 or tokens[i - 1].end + 1 != tokens[i].start:
        return None
    value = tokens[i + 1]
    version = _VERSION.fullmatch(value.text)
    if version is not None:
        return Edit(i, i + 2, _as_of("VERSION", version[1], value))
    return Edit(i, i + 2, _as_of("TIMESTAMP", value.text, value)) if _TIME.fullmatch(value.text) else None


def _as_of(word: str, number: str, at: Token) -> Tokens:
    words = [made(word, TokenType.VAR, at), made("AS", TokenType.ALIAS, at), made("OF", TokenType.VAR, at)]
    return [*words, made(number, TokenType.NUMBER, at)]


@respells_phrase("VERSIONS", "oracle")
def versions_between(tokens: Tokens, i: int) -> Edit | None:
    """`t VERSIONS BETWEEN SCN a AND b`: all states of the rows in that time."""
    if not reads(tokens, i + 1, "BETWEEN") or word(tokens, i + 2) not in ("SCN", "TIMESTAMP"):
        return None
    words = [made(each, TokenType.VAR, tokens[i]) for each in ("FOR", "SYSTEM_TIME")]
    return Edit(i, i + 3, [*words, tokens[i + 1]])


@respells_phrase("MINVALUE MAXVALUE", "oracle")
def open_end(tokens: Tokens, i: int) -> Edit | None:
    """`BETWEEN SCN MINVALUE AND MAXVALUE`: no columns, but the ends of all time."""
    if word(tokens, i - 1) not in ("SCN", "TIMESTAMP", "AND"):
        return None
    return Edit(i, i + 1, [made("0", TokenType.NUMBER, tokens[i])])
