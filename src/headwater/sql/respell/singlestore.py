"""Phrases of SingleStore that MySQL does not have."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Edit, Tokens, closing, made, opening, reads, respells, respells_phrase, word

_NAMES = (TokenType.VAR, TokenType.IDENTIFIER, TokenType.R_PAREN)
_RUN = frozenset({"SELECT", "WITH", "INSERT", "REPLACE", "UPDATE", "DELETE", "("})


@respells("ROWSTORE", "singlestore", first="CREATE")
@respells("COLUMNSTORE", "singlestore", first="CREATE")
@respells("REFERENCE", "singlestore", first="CREATE")
@respells("SHARDED", "singlestore", first="CREATE")
def kind_of_storage(tokens: Tokens, i: int) -> Tokens:
    """`CREATE ROWSTORE REFERENCE TABLE`: where the rows are kept."""
    is_kind = i < 5 and word(tokens, i + 1) in ("TABLE", "REFERENCE", "TEMPORARY", "GLOBAL", "SHARDED")
    return tokens[:i] + tokens[i + 1 :] if is_kind else tokens


@respells("ONLINE", "singlestore", first="ALTER")
def online(tokens: Tokens, i: int) -> Tokens:
    """`ALTER ONLINE TABLE t`: others may read it meanwhile."""
    return [tokens[0], *tokens[2:]] if i == 1 and word(tokens, 2) == "TABLE" else tokens


@respells("PROJECTION", "singlestore", first="CREATE")
def projection(tokens: Tokens, i: int) -> Tokens:
    """`CREATE PROJECTION p (SORT KEY (a)) AS SELECT …`: a copy of a table in another order."""
    return [*tokens[:i], made("TABLE", TokenType.TABLE, tokens[i]), *tokens[i + 1 :]] if i < 4 else tokens


@respells("SHARD", "singlestore", first="CREATE")
@respells("SORT", "singlestore", first="CREATE")
def keys_of_storage(tokens: Tokens, i: int) -> Tokens:
    """`(a INT, SHARD KEY (a), SORT KEY (a DESC))`: keys are no columns; a list of nothing else is none."""
    start, opened = i, i + 1 + (word(tokens, i + 1) == "KEY")
    while opened < len(tokens) and tokens[opened].token_type in _NAMES[:2]:
        opened += 1  # a name, METADATA_ONLY
    if word(tokens, i - 1) not in ("(", ",") or word(tokens, opened) != "(" or opened == i + 1:
        return tokens
    end = closing(tokens, opened) + 1
    if word(tokens, i - 1) == ",":
        start -= 1
    elif word(tokens, end) == ",":
        end += 1
    elif word(tokens, end) == ")":
        start, end = i - 1, end + 1
    return tokens[:start] + tokens[end:]


@respells("SERIES", "singlestore", first="CREATE ALTER")
def series_timestamp(tokens: Tokens, i: int) -> Tokens:
    """`ts DATETIME SERIES TIMESTAMP`: which column functions over time mean."""
    return tokens[:i] + tokens[i + 2 :] if word(tokens, i + 1) == "TIMESTAMP" else tokens


@respells("PROFILE", "singlestore", first="PROFILE")
def profiled(tokens: Tokens, i: int) -> Tokens:
    """`PROFILE SELECT …` runs the query."""
    return tokens[1:] if i == 0 and word(tokens, 1) in _RUN else tokens


@respells("ECHO", "singlestore", first="ECHO")
def shown(tokens: Tokens, i: int) -> Tokens:
    """`ECHO SELECT …` in a procedure: the rows go to the client."""
    return tokens[1:] if i == 0 and word(tokens, 1) in ("SELECT", "WITH", "(", "CALL") else tokens


@respells_phrase("WITH", "singlestore", sign="WITH (")
def table_options(tokens: Tokens, i: int) -> Edit | None:
    """`FROM t WITH (SAMPLE_RATIO = 0.4)`: how the table is read."""
    if word(tokens, i + 1) != "(" or word(tokens, i + 3) != "=" or tokens[i - 1].token_type not in _NAMES:
        return None
    return Edit(i, closing(tokens, i + 1) + 1) if word(tokens, 0) != "CREATE" or _in_from(tokens, i) else None


def _in_from(tokens: Tokens, i: int) -> bool:
    """Whether the item before a token stands in FROM, not behind the name of what is created."""
    n = i - 1
    while n > 0 and word(tokens, n) not in ("FROM", "JOIN", "TABLE", "VIEW"):
        n = (opening(tokens, n) if word(tokens, n) == ")" else n) - 1
    return word(tokens, n) in ("FROM", "JOIN")


@respells_phrase("MINUS", "singlestore")
def minus(tokens: Tokens, i: int) -> Edit | None:
    """`SELECT … MINUS SELECT …` is EXCEPT."""
    if word(tokens, i + 1) != "SELECT" and not reads(tokens, i + 1, "(", "SELECT"):
        return None
    return Edit(i, i + 1, [made("EXCEPT", TokenType.EXCEPT, tokens[i])])


@respells_phrase("<", "singlestore", sign="<")
def vector_operator(tokens: Tokens, i: int) -> Edit | None:
    """`v <*> w`, `v <-> w`: a product and a distance of vectors."""
    if (
        word(tokens, i + 1) not in ("*", "-")
        or word(tokens, i + 2) != ">"
        or tokens[i].start + 2 != tokens[i + 2].start
    ):
        return None
    return Edit(i, i + 3, [made("*", TokenType.STAR, tokens[i])])
