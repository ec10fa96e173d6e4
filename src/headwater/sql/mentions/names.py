"""Names among tokens: runs of words with dots between, folded as the dialect folds tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.entity import TableName
from headwater.sql.dialect import Dialect
from headwater.sql.folding import Fold
from headwater.sql.mentions.words import Words
from headwater.sql.words import word

MARKED = ("#", "@")
"""How the names of temporary tables and table variables begin."""
BEFORE_TABLES = frozenset(
    {
        "FROM",
        "JOIN",
        "INTO",
        "TABLE",
        "VIEW",
        "UPDATE",
        "USING",
        "EXISTS",
        "ONLY",
        "OVERWRITE",
        "MERGE",
        "LIKE",
        "CLONE",
    }
)
_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
_MARKS = frozenset({"#", "##", "@"})
"""Before the names of temporary tables and table variables; tokens of their own."""
_PARAMETERS = frozenset({"?", ":", "$"})
"""Where the name of a table is a parameter, its mark is part of the name."""
_SIGNS = _MARKS | _PARAMETERS


def is_name(token: Token) -> bool:
    """Whether a token can be a name, or a part of one."""
    return token.token_type in _NAMES or token.text.isidentifier() or token.text in _MARKS


def chains(words: Words, dialect: Dialect) -> Iterator[TableName]:
    """Every run of names with dots between, folded; single words only where they are no keywords, or where a table is due."""
    tokens, kinds, hyphens = words.tokens, words.kinds, dialect.family == "bigquery"
    fold, end = _fold(dialect), 0
    for i in _beginnings(words, dialect):
        if i < end:
            continue
        text, kind, alone = tokens[i].text, kinds[i], kinds[i + 1] is not TokenType.DOT
        if kind in _NAMES and alone and not hyphens and text not in _SIGNS:
            yield (fold(text, kind is TokenType.IDENTIFIER),)
            continue
        due = text.isidentifier() and i > 0 and words.upper[i - 1] in BEFORE_TABLES
        if text in _PARAMETERS or (hyphens and (due or (i > 0 and words.upper[i - 1] == "OF"))):
            yield from _odd_names(tokens, i, dialect)
        if kind in _NAMES or not alone or due or (text in _MARKS and dialect.temporary_marks):
            chain, end = chain_at(tokens, i, dialect)
            if chain:
                yield chain


def names_by_parameter(words: Words) -> bool:
    """Whether a parameter stands where a table is due: `FROM $t`, `INTO :t`, `TABLE(?)`, or in IDENTIFIER(…)."""
    upper = words.upper
    if "IDENTIFIER" in upper:
        return True
    for i, text in enumerate(upper):
        if text in _PARAMETERS and i:
            before = upper[i - 2] if upper[i - 1] == "(" and i > 1 else upper[i - 1]
            if before in BEFORE_TABLES:
                return True
    return False


def _beginnings(words: Words, dialect: Dialect) -> list[int]:
    """The tokens that may begin a name: names, what is before a dot or where a table is due, and marks."""
    signs = _SIGNS if dialect.temporary_marks else _PARAMETERS
    around = zip(("", *words.upper), words.upper, words.kinds, words.kinds[1:], strict=False)
    return [
        i
        for i, (before, word, kind, behind) in enumerate(around)
        if kind in _NAMES or behind is TokenType.DOT or before in BEFORE_TABLES or word in signs
    ]


def chain_at(tokens: Sequence[Token], i: int, dialect: Dialect) -> tuple[TableName, int]:
    """The name that begins at a token, and the token behind it."""
    parts: list[str] = []
    while i < len(tokens):
        mark = ""
        while tokens[i].text in _MARKS and i + 1 < len(tokens):
            mark += tokens[i].text  # `##t` has two
            i += 1
        if tokens[i].token_type is TokenType.DOT:
            parts += [dialect.first_schema] if dialect.first_schema and len(parts) == 1 else []
            i += 1  # `db..t` leaves a part out
            continue
        parts += _folded(tokens[i], mark, dialect)
        i += 1
        if i >= len(tokens) or tokens[i].token_type is not TokenType.DOT:
            break
        i += 1
    return tuple(parts), i


def name_behind(tokens: Sequence[Token], i: int, dialect: Dialect) -> TableName:
    """The name at a token, or behind IF NOT EXISTS and the like; empty if there is none."""
    while i < len(tokens) and word(tokens[i]) in NOT_NAMES:
        i += 1
    if i >= len(tokens) or not is_name(tokens[i]):
        return ()
    return hyphenated_at(tokens, i, dialect)[0] or chain_at(tokens, i, dialect)[0]


NOT_NAMES = frozenset({"IF", "NOT", "EXISTS", "ONLY", "BODY"})


def _odd_names(tokens: Sequence[Token], i: int, dialect: Dialect) -> Iterator[TableName]:
    """Names that are no run of words: BigQuery's `my-project.d.t`, and those that are a parameter, or begin with one."""
    if tokens[i].text in _PARAMETERS:
        behind = chain_at(tokens, i + 1, dialect)[0] if tokens[i].text != "?" and i + 1 < len(tokens) else ()
        yield (tokens[i].text + behind[0], *behind[1:]) if behind else (tokens[i].text,)
        return
    name, _ = hyphenated_at(tokens, i, dialect)
    if name:
        yield name


def hyphenated_at(tokens: Sequence[Token], i: int, dialect: Dialect) -> tuple[TableName, int]:
    """BigQuery's name with hyphens that begins at a token, and the token behind it; empty if there are no hyphens in it."""
    end = i
    while end + 2 < len(tokens) and _hyphenated(tokens[end : end + 3]):
        end += 2
    if end == i or dialect.family != "bigquery":
        return (), i
    first = "-".join(token.text for token in tokens[i : end + 1 : 2])
    if first.endswith("."):  # of `p-1.d` the tokeniser makes the number `1.`
        name, behind = chain_at(tokens, end + 1, dialect)
        return (first[:-1], *name), behind
    name, behind = chain_at(tokens, end, dialect)
    return (first, *name[1:]), behind


def _hyphenated(three: Sequence[Token]) -> bool:
    """Whether tokens are two words with a hyphen and no blanks between."""
    before, hyphen, behind = three
    glued = before.end + 1 == hyphen.start and hyphen.end + 1 == behind.start
    return glued and hyphen.token_type is TokenType.DASH


def _folded(token: Token, mark: str, dialect: Dialect) -> list[str]:
    fold = _fold(dialect)
    if token.token_type is TokenType.IDENTIFIER:
        parts = token.text.split(".") if dialect.family == "bigquery" else [token.text]
        return [fold(part, True) for part in parts]
    return [fold(mark + token.text, False)]


def _fold(dialect: Dialect) -> Fold:
    return dialect.fold_table or dialect.fold_column
