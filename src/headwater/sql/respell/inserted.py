"""Words between INSERT's target and its rows that say when or how rows are written, not which."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Tokens, closing, following, made, reads, respells, word

REPLACE_ON = "| replace on"
"""The call that the condition of REPLACE ON becomes; no script can have it."""
_NAMES = (TokenType.VAR, TokenType.IDENTIFIER)
_QUERY = frozenset({"SELECT", "WITH", "FROM", "TABLE", "VALUES"})
_WANT_OPERAND = frozenset({"IN", "EXISTS", "AND", "OR", "NOT", "ANY", "SOME", "ALL", "LIKE", "ON"})


@respells("IF", "hive", "spark", "databricks", first="INSERT FROM WITH", sign="OVERWRITE")
def if_not_exists(tokens: Tokens, i: int) -> Tokens:
    """`INSERT OVERWRITE TABLE t PARTITION (d = 1) IF NOT EXISTS SELECT …`: only where the partition is not there yet."""
    return tokens[:i] + tokens[i + 3 :] if i > 2 and reads(tokens, i, "IF", "NOT", "EXISTS") else tokens


@respells("OVERRIDING", "postgres", "redshift", "db2", "ansi", first="INSERT WITH")
def overriding(tokens: Tokens, i: int) -> Tokens:
    """`INSERT INTO t (a) OVERRIDING SYSTEM VALUE SELECT …`: which value an identity column takes."""
    if word(tokens, i + 1) in ("SYSTEM", "USER") and word(tokens, i + 2) == "VALUE":
        return tokens[:i] + tokens[i + 3 :]
    return tokens


@respells("ONCE", "spark", "databricks", first="INSERT")
def once(tokens: Tokens, i: int) -> Tokens:
    """`INSERT INTO ONCE t BY NAME SELECT …`: a flow that runs a single time."""
    return (
        tokens[:i] + tokens[i + 1 :]
        if i == 2 and word(tokens, 3) not in ("SELECT", "BY", "(", "VALUES", ".")
        else tokens
    )


@respells("UPSERT", "hive", "ansi", "postgres", first="UPSERT")
def upsert(tokens: Tokens, i: int) -> Tokens:
    """`UPSERT INTO t (a, b) SELECT …` (Impala, Phoenix, CockroachDB): an INSERT that takes the place of rows with the same key."""
    return (
        [made("INSERT", TokenType.INSERT, tokens[0]), *tokens[1:]] if i == 0 and word(tokens, 1) == "INTO" else tokens
    )


@respells("INTO", "oracle", "db2", first="INSERT")
def into_view(tokens: Tokens, i: int) -> Tokens:
    """`INSERT INTO (SELECT a, b FROM t WHERE c = 1) …` writes the columns a and b of t; the condition only checks the rows."""
    if i != 1 or not reads(tokens, 2, "(", "SELECT"):
        return tokens
    end = closing(tokens, 2)
    from_ = following(tokens[:end], 4, lambda n: word(tokens, n) == "FROM")
    name = from_ + 2
    while word(tokens, name) == ".":
        name += 2
    names = tokens[4:from_]
    if from_ >= end or (name < end and word(tokens, name) not in ("WHERE", "WITH")) or not _are_columns(names):
        return tokens
    listed = [made("(", TokenType.L_PAREN, tokens[2]), *names, made(")", TokenType.R_PAREN, tokens[2])]
    is_star = len(names) == 1 and names[0].token_type is TokenType.STAR
    has_list = word(tokens, end + 1) == "(" and word(tokens, end + 2) not in ("SELECT", "WITH", "(")
    return [*tokens[:2], *tokens[from_ + 1 : name], *([] if is_star or has_list else listed), *tokens[end + 1 :]]


def _are_columns(tokens: Tokens) -> bool:
    """Whether a select list is a star, or nothing but names."""
    return all((i % 2 == 1) is (token.token_type is TokenType.COMMA) for i, token in enumerate(tokens)) and not any(
        token.token_type in (TokenType.L_PAREN, TokenType.NUMBER, TokenType.STRING) for token in tokens
    )


@respells("REPLACE", "spark", "databricks", first="INSERT WITH", sign="REPLACE ON")
def replace_on(tokens: Tokens, i: int) -> Tokens:
    """`INSERT INTO t REPLACE ON c SELECT …`: a condition about both sides, in the place of REPLACE WHERE's about the target."""
    if i < 2 or word(tokens, i + 1) != "ON":
        return tokens
    end = following(tokens, i + 2, lambda n: word(tokens, n) in _QUERY or _is_query(tokens, n))
    at = tokens[i + 1]
    query, alias = _apart(tokens[end:])
    call = [made(REPLACE_ON, TokenType.IDENTIFIER, at), made("(", TokenType.L_PAREN, at), *tokens[i + 2 : end]]
    call += [made(",", TokenType.COMMA, at), made(alias, TokenType.STRING, at)] if alias else []
    where = [made("WHERE", TokenType.WHERE, at), *call, made(")", TokenType.R_PAREN, at)]
    return [*_with_as(tokens[:i]), tokens[i], *where, *query]


def _with_as(target: Tokens) -> Tokens:
    """`INSERT INTO t x` with the AS that the grammar wants before an alias."""
    last, name = target[-1], target[-2]
    if last.token_type not in _NAMES or name.token_type not in _NAMES or last.text.upper() == "NAME":
        return target
    return [*target[:-1], made("AS", TokenType.ALIAS, last), last]


def _apart(query: Tokens) -> tuple[Tokens, str]:
    """A query and its alias, which the grammar does not take here: `(SELECT …) AS s`."""
    end = closing(query, 0) if word(query, 0) == "(" else len(query)
    alias = query[end + 1 + (word(query, end + 1) == "AS") :]
    return (query[1:end], alias[0].text) if len(alias) == 1 else (query, "")


def _is_query(tokens: Tokens, n: int) -> bool:
    """Whether a bracket opens the query behind a condition, and no subquery inside it: then an operand stands before it."""
    before = word(tokens, n - 1)
    is_operand = not before or before[-1].isalnum() or before in (")", "]", "_")
    return (
        tokens[n].token_type is TokenType.L_PAREN
        and word(tokens, n + 1) in _QUERY
        and is_operand
        and before not in _WANT_OPERAND
    )
