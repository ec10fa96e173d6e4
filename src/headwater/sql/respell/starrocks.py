"""Phrases of StarRocks and Doris, which share their origin."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import (
    Edit,
    Tokens,
    closing,
    following,
    made,
    opening,
    reads,
    respells,
    respells_phrase,
    word,
)

_BOTH = ("starrocks", "doris")
_QUERIES = "SELECT WITH INSERT CREATE ("
_NAMES = (TokenType.VAR, TokenType.IDENTIFIER)


@respells("TABLET", *_BOTH, first=_QUERIES)
def chosen_tablets(tokens: Tokens, i: int) -> Tokens:
    """`FROM t TABLET (10001)`: a part of the storage."""
    named = i > 1 and word(tokens, i + 1) == "(" and (word(tokens, i - 1) == ")" or _is_name(tokens, i - 1))
    return tokens[:i] + tokens[closing(tokens, i + 1) + 1 :] if named else tokens


@respells("TEMPORARY", *_BOTH, first="SELECT WITH INSERT DELETE (")
def temporary_partition(tokens: Tokens, i: int) -> Tokens:
    """`FROM t TEMPORARY PARTITION (p)`: a partition like others."""
    return tokens[:i] + tokens[i + 1 :] if word(tokens, i + 1) in ("PARTITION", "PARTITIONS") else tokens


@respells("PARTITION", *_BOTH, first="DELETE")
@respells("PARTITIONS", *_BOTH, first="DELETE")
def deleted_partition(tokens: Tokens, i: int) -> Tokens:
    """`DELETE FROM t PARTITION p WHERE …`: where the rows are."""
    where = following(tokens, i, lambda n: word(tokens, n) in ("WHERE", "USING"))
    return tokens[:i] + tokens[where:] if where < len(tokens) else tokens


@respells("REPEATABLE", *_BOTH, first=_QUERIES)
def repeatable_sample(tokens: Tokens, i: int) -> Tokens:
    """`TABLESAMPLE (10 ROWS) REPEATABLE 2`: the seed of chance."""
    is_seed = i + 1 < len(tokens) and tokens[i + 1].token_type is TokenType.NUMBER and word(tokens, i - 1) == ")"
    return tokens[:i] + tokens[i + 2 :] if is_seed else tokens


@respells("PROPERTIES", *_BOTH, first="INSERT")
def insert_properties(tokens: Tokens, i: int) -> Tokens:
    """`INSERT INTO t PROPERTIES ("strict_mode" = "true") SELECT …`: what errors do."""
    before = all(word(tokens, n) not in ("SELECT", "VALUES", "WITH") for n in range(i))
    return tokens[:i] + tokens[closing(tokens, i + 1) + 1 :] if before and word(tokens, i + 1) == "(" else tokens


@respells("FILES", "starrocks", first="INSERT")
def written_files(tokens: Tokens, i: int) -> Tokens:
    """`INSERT INTO FILES (…) SELECT …` writes files, by a function."""
    if not reads(tokens, i - 1, "INTO") or word(tokens, i + 1) != "(" or i != 2:
        return tokens
    return [*tokens[:i], made("FUNCTION", TokenType.FUNCTION, tokens[i]), *tokens[i:]]


@respells("*", *_BOTH, first="INSERT")
def all_partitions(tokens: Tokens, i: int) -> Tokens:
    """`INSERT OVERWRITE TABLE t PARTITION (*) SELECT …`: those that the rows fall into."""
    named = reads(tokens, i - 2, "PARTITION", "(") and word(tokens, i + 1) == ")"
    return tokens[: i - 2] + tokens[i + 2 :] if named else tokens


@respells_phrase("TIME", *_BOTH, sign="TIME AS OF")
def as_of_time(tokens: Tokens, i: int) -> Edit | None:
    """`FOR TIME AS OF x` is FOR TIMESTAMP AS OF."""
    if not reads(tokens, i - 1, "FOR", "TIME", "AS", "OF"):
        return None
    return Edit(i, i + 1, [made("TIMESTAMP", TokenType.TIMESTAMP, tokens[i])])


@respells_phrase("@", *_BOTH)
def state_of_table(tokens: Tokens, i: int) -> Edit | None:
    """`t@branch('x')`, `t@tag(y)`, `t@incr('beginTime' = 'z')`: another state of the table, which the call names."""
    if (
        word(tokens, i + 1) not in ("BRANCH", "TAG", "INCR")
        or word(tokens, i + 2) != "("
        or not _is_name(tokens, i - 1)
    ):
        return None
    words = (("FOR", TokenType.FOR), ("VERSION", TokenType.VAR), ("AS", TokenType.ALIAS), ("OF", TokenType.VAR))
    call = made(tokens[i + 1].text, TokenType.VAR, tokens[i + 1])
    end = closing(tokens, i + 2)
    name = made("state", TokenType.STRING, tokens[i + 2])
    return Edit(i, end, [*(made(text, kind, tokens[i]) for text, kind in words), call, tokens[i + 2], name])


@respells_phrase("ASOF", *_BOTH)
def asof_join(tokens: Tokens, i: int) -> Edit | None:
    """`t ASOF LEFT JOIN q MATCH_CONDITION (…) ON …`, `t ASOF JOIN q ON …`: a kind of join, no alias."""
    side = word(tokens, i + 1) in ("LEFT", "INNER")
    if word(tokens, i + 1 + side) not in ("JOIN", "OUTER"):
        return None
    return Edit(i, i + 1 + side, [made("ASOF", TokenType.ASOF, tokens[i])])


@respells_phrase("MATCH_CONDITION", *_BOTH)
def match_condition(tokens: Tokens, i: int) -> Edit | None:
    """What an ASOF join compares: no alias of the table before it."""
    return Edit(i, i + 1, [made("MATCH_CONDITION", TokenType.MATCH_CONDITION, tokens[i])])


@respells_phrase("FLOOR CEIL", *_BOTH, sign="TIME_SLICE")
def border_of_slice(tokens: Tokens, i: int) -> Edit | None:
    """`TIME_SLICE(ts, INTERVAL 5 MINUTE, FLOOR)`: a word, no column."""
    if word(tokens, i - 1) != "," or word(tokens, i + 1) != ")":
        return None
    return Edit(i - 1, i + 1) if word(tokens, opening(tokens, i + 1) - 1) == "TIME_SLICE" else None


@respells("COLUMN", *_BOTH, first="ALTER")
def renamed_column(tokens: Tokens, i: int) -> Tokens:
    """`ALTER TABLE t RENAME COLUMN a b`: TO may be left out."""
    if word(tokens, i - 1) != "RENAME" or i + 2 >= len(tokens) or word(tokens, i + 2) in ("TO", "AS"):
        return tokens
    return [*tokens[: i + 2], made("TO", TokenType.VAR, tokens[i + 2]), *tokens[i + 2 :]]


@respells("ROLLUP", *_BOTH, first="ALTER CREATE")
def rollup(tokens: Tokens, i: int) -> Tokens:
    """`ALTER TABLE t ADD ROLLUP r (a) FROM s`, `CREATE TABLE t LIKE s WITH ROLLUP (r)`: sorted copies that the engine keeps by itself."""
    if word(tokens, i - 1) == "ADD" and word(tokens, 0) == "ALTER":
        at = tokens[i]
        return [*tokens[: i - 1], *(made(text, TokenType.VAR, at) for text in ("SET", "ROLLUP"))]
    return tokens[: i - 1] if word(tokens, i - 1) == "WITH" and word(tokens, i + 1) in ("(", "") else tokens


@respells("CATALOG", "starrocks", first="SET")
@respells("SWITCH", "doris", first="SWITCH")
def used_catalog(tokens: Tokens, i: int) -> Tokens:
    """`SET CATALOG c`, `SWITCH c`: USE by another name."""
    if i != len(tokens) - 2:
        return tokens
    return [
        made("USE", TokenType.USE, tokens[0]),
        made("CATALOG", TokenType.VAR, tokens[0]),
        tokens[-1],
    ]


def _is_name(tokens: Tokens, i: int) -> bool:
    return i >= 0 and tokens[i].token_type in _NAMES
