"""Words between INSERT's target and its rows that say when or how rows are written, not which."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Tokens, made, reads, respells, word


@respells("IF", "hive", "spark", "databricks", first="INSERT FROM WITH")
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
