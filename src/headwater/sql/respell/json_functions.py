"""The options of the SQL/JSON functions, as arguments: `JSON_VALUE(doc, '$.a' PASSING b AS x RETURNING INT DEFAULT c ON EMPTY)`.

The grammar reads some of the options in some of the dialects. The value depends on the document, the variables of the path behind PASSING
and the default, so these become the arguments of a call; formats, types, wrappers and constants change nothing that flows.
"""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Edit, Tokens, closing, following, made, respells_phrase, word

_FUNCTIONS = frozenset({"JSON_VALUE", "JSON_QUERY", "JSON_EXISTS"})
_DIALECTS = ("postgres", "oracle", "trino", "presto", "athena", "db2", "ansi", "teradata", "redshift")
_OPTIONS = frozenset(
    {"PASSING", "RETURNING", "DEFAULT", "WITH", "WITHOUT", "KEEP", "OMIT", "NULL", "ERROR", "EMPTY", "TRUE", "FALSE"}
    | {"UNKNOWN", "PRETTY", "ASCII", "ALLOW", "DISALLOW", "ORDERED", "TYPE", "ASIS", "TRUNCATE"}
)
"""Words that may follow the path."""


@respells_phrase(" ".join(sorted(_FUNCTIONS)), *_DIALECTS, sign="JSON_")
def without_options(tokens: Tokens, i: int) -> Edit | None:
    """A SQL/JSON function with options is a call of all that these name."""
    end = closing(tokens, i + 1) if word(tokens, i + 1) == "(" else 0
    if not end or tokens[end].token_type is not TokenType.R_PAREN:
        return None
    arguments = _arguments(tokens, i + 2, end)
    return Edit(i + 2, end, arguments) if arguments is not None else None


def _arguments(tokens: Tokens, start: int, end: int) -> Tokens | None:
    """The arguments between two brackets, with commas between; None where there are no options."""
    path = following(tokens, start, lambda n: n >= end or word(tokens, n) == ",") + 1
    option = following(tokens, path + 1, lambda n: n >= end or word(tokens, n) in _OPTIONS)
    document = _value(tokens, start, path - 1)
    if path >= end or (option >= end and len(document) == path - 1 - start):
        return None
    found = [document, tokens[path : min(option, end)]]
    while option < end:
        behind = option + 1
        if word(tokens, option) == "PASSING":
            behind = _add_passed(found, tokens, behind, end)
        elif word(tokens, option) == "DEFAULT":
            behind = following(tokens, behind, lambda n: n >= end or word(tokens, n) == "ON")
            found.append(tokens[option + 1 : behind])
        option = following(tokens, behind, lambda n: n >= end or word(tokens, n) in ("PASSING", "DEFAULT"))
    comma = made(",", TokenType.COMMA, tokens[path - 1])
    return [token for argument in found for token in (comma, *_plain(argument))][1:]


def _add_passed(found: list[Tokens], tokens: Tokens, start: int, end: int) -> int:
    """Add the values of `PASSING b AS x, c FORMAT JSON AS "y"`; gives where the next option begins."""
    while True:
        as_ = following(tokens, start, lambda n: n >= end or word(tokens, n) == "AS")
        found.append(_value(tokens, start, min(as_, end)))
        start = as_ + 3
        if word(tokens, as_ + 2) != ",":
            return min(as_ + 2, end)


def _value(tokens: Tokens, start: int, end: int) -> Tokens:
    """A value without `FORMAT JSON ENCODING UTF8` behind it."""
    format_ = following(tokens[:end], start, lambda n: word(tokens, n) == "FORMAT" and word(tokens, n + 1) == "JSON")
    return tokens[start : min(format_, end)] if format_ > start else tokens[start:end]


def _plain(tokens: Tokens) -> Tokens:
    """An argument, in which such functions may stand too."""
    for i in reversed(range(len(tokens))):
        edit = without_options(tokens, i) if word(tokens, i) in _FUNCTIONS else None
        if edit is not None:
            tokens = [*tokens[: edit.start], *edit.tokens, *tokens[edit.end :]]
    return tokens
