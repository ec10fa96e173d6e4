"""SQL that is written as a string: the body of a function, a query for another server, a name, or all of a statement.

The tokeniser takes a few statements (REPLACE INTO, RENAME TABLE, EXPLAIN) for a command and its argument; what it has swallowed is
given back as tokens. Other strings are looked into where they may hold a statement or are the name of a table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect
from headwater.sql.identifier_clause import WORD, with_spelled_names
from headwater.sql.mentions.words import Words
from headwater.sql.moving_calls import COPY_CALL, PARTITION_CALLS, TRAINING_CALLS
from headwater.sql.possessive import compile_possessive
from headwater.sql.spelled_name import in_quotes
from headwater.sql.tokens import is_swallowed, plain_tokens
from headwater.sql.words import word

_STATEMENT = compile_possessive(
    r"(?>\s|\(|--[^\n]*\n|/\*.*?\*/)*+"
    r"(?:select|with|insert|update|delete|merge|create|replace|alter|truncate|begin|declare|from|call)\s",
    re.IGNORECASE | re.DOTALL,
)
"""How a string begins that holds a statement."""
_SELECT = re.compile(r"\bselect\s", re.IGNORECASE)
_FROM = re.compile(r"\sfrom\s", re.IGNORECASE)
_SOURCE = re.compile(r"^[ \t-]*source:[ \t]*(\S[^\n#]*)|[{,]\s*source:[ \t]*([^\n#,}]+)", re.MULTILINE)
"""What a metric view's YAML is made of."""
_NAME = re.compile(r'[\w$."`]+')
"""What a string looks like that a variable may hold as a name."""
_NAMED_BY_STRINGS = frozenset(
    {"TABLE", "IDENTIFIER", "TABLE_CHANGES", "SNAPSHOT", "ADD_FILES", "CREATE_CHANGELOG_VIEW"}
    | {"QUERY_TABLE", "GP_DIST_RANDOM"}
    | {f"TABLE_{what}" for what in ("HISTORY", "SNAPSHOT", "FILES", "MANIFESTS", "PARTITIONS")}
)
"""What has the name of a table as a string behind it, in brackets."""
_LOOKUP = re.compile(r"DICT|JOINGET")
"""How functions begin that have the name of a dictionary as a string behind them."""
_MOVING_CALLS = frozenset(name.upper() for name in (*PARTITION_CALLS, COPY_CALL, *TRAINING_CALLS))
_SETTINGS = ("HOST", "DB", "SCHEMA", "TABLE", "COLLECTION")
"""Settings of a dictionary's source that name its table, the outermost first."""
_PARAMETERS = frozenset({"TABLE", "SOURCE_TABLE"})
"""Parameters of procedures that name tables: `table => 'db.t'`."""


def unswallowed(words: Words, dialect: Dialect, depth: int = 3) -> Words:
    """The words of a statement, also where the tokeniser took it for a command: its word and, as one string, all the rest.

    A command may stand inside of another, `EXPLAIN REPLACE INTO t …`, but not at any *depth*.
    """
    tokens = words.tokens
    if not depth or not any(is_swallowed(tokens[i]) for i in words.strings):
        return words
    found: list[Token] = []
    for token in tokens:
        inner = tokens_of(token.text, dialect) if is_swallowed(token) else []
        found += unswallowed(Words(inner), dialect, depth - 1).tokens if inner else [token]
    return Words(found)


def with_spelled(words: Words, dialect: Dialect) -> Words:
    """The words of a statement with the names that IDENTIFIER(…) spells."""
    if not dialect.identifier_clause or WORD not in words.upper:
        return words
    return Words(with_spelled_names(list(words.tokens), dialect))


def inner_statements(words: Words, dialect: Dialect) -> Iterator[Words]:
    """The words of the strings of a statement that may hold SQL, each as if it were a statement; of names, as if behind TABLE."""
    tokens = words.tokens
    variable = dialect.identifier_clause and (WORD in words.upper or "$" in words.upper)
    moving = dialect.calls_move_rows and not _MOVING_CALLS.isdisjoint(words.upper)
    predicting = dialect.calls_move_rows and "PARAMETERS" in words.upper
    for i in words.strings:
        text = tokens[i].text
        named = i > 1 and _names_table(words.kinds[i - 1], word(tokens[i - 2]))
        named = named or (variable and _NAME.fullmatch(text) is not None)
        named = named or (dialect.dictionaries and i > 1 and _LOOKUP.match(words.upper[i - 2]) is not None)
        if moving or (predicting and words.upper[i - 2 : i] == ["MODEL_NAME", "="]):
            named = True
            yield Words(tokens_of(f"TABLE {in_quotes(text)}", dialect))  # a name with blanks is one name
        if dialect.lookup_schema and _NAME.fullmatch(text) is not None:  # Druid's LOOKUP(k, 'l'), APPEND('t', 'u')
            yield Words(tokens_of(f"TABLE {dialect.lookup_schema}.{text}", dialect))
            named = True
        if named or _may_be_sql(text):
            inner = tokens_of(f"TABLE {text}" if named else text, dialect)
            if inner:
                yield unswallowed(Words(inner), dialect)
        if "source:" in text:
            sources = (line or inline for line, inline in _SOURCE.findall(text))
            yield from (Words(tokens_of(f"TABLE {source}", dialect)) for source in sources)


def sources_of_tables(words: Words, dialect: Dialect) -> Iterator[Words]:
    """Names of which the parts are strings, as if behind TABLE.

    `CREATE DICTIONARY … SOURCE(CLICKHOUSE(TABLE 't' DB 'd'))`, `CREATE TABLE … ENGINE = Distributed('c', 'd', 't')`.
    """
    tokens = words.tokens
    if not dialect.dictionaries or not tokens or word(tokens[0]) not in ("CREATE", "REPLACE", "ATTACH"):
        return
    given = {word(token): behind.text for token, behind in pairwise(tokens) if word(token) in _SETTINGS}
    settings = [given[name] for name in _SETTINGS if name in given]
    engine = words.upper.index("ENGINE") if "ENGINE" in words.upper else len(tokens)
    shown = [token.text for token in tokens[engine + 2 : engine + 9] if token.text not in "(),="][1:4]
    for parts in (settings, settings[1:], shown, shown[1:]):
        inner = tokens_of("TABLE " + ".".join(map(in_quotes, parts)), dialect) if parts else []
        if inner:
            yield Words(inner)
    if len(settings) == 1:
        yield Words(tokens_of(f"TABLE {settings[0]}", dialect))


def _names_table(before: TokenType, word: str) -> bool:
    """Whether a string is a table's name, by what stands before it."""
    return (before is TokenType.L_PAREN and word in _NAMED_BY_STRINGS) or (
        before is TokenType.FARROW and word in _PARAMETERS
    )


def _may_be_sql(text: str) -> bool:
    """Whether a string looks like a statement, or an expression with a query in it."""
    if _STATEMENT.match(text):
        return True
    select = _SELECT.search(text)
    return select is not None and _FROM.search(text, select.end() - 1) is not None


def tokens_of(text: str, dialect: Dialect) -> list[Token]:
    """The tokens of a text; none if it is no SQL."""
    try:
        return plain_tokens(text, dialect)
    except TokenError:
        return []
