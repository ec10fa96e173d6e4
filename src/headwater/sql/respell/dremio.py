"""Dremio's phrases: branches and tags of tables, the old word for views, types in conversions."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Edit, Tokens, closing, following, made, respells, respells_phrase, word

BRANCH_MARK = "| branch"
"""The version that a branch becomes; no script can have it."""
_STATES = frozenset({"BRANCH", "TAG", "COMMIT", "REF", "REFERENCE"})
_BEFORE_READ = frozenset({"FROM", "JOIN", "USING", ","})


@respells("VDS", "dremio", first="CREATE ALTER DROP")
def virtual_dataset(tokens: Tokens, i: int) -> Tokens:
    """`CREATE OR REPLACE VDS v AS …`: a view."""
    return [*tokens[:i], made("VIEW", TokenType.VIEW, tokens[i]), *tokens[i + 1 :]] if i < 4 else tokens


@respells_phrase("AT", "dremio")
def state_of_table(tokens: Tokens, i: int) -> Edit | None:
    """`FROM t AT BRANCH dev`, `… AT TAG v1`, `… AT COMMIT 'c'` is a version of t; behind a written table it says where, not which rows."""
    if word(tokens, i + 1) not in _STATES or i + 2 >= len(tokens):
        return None
    start = i - 1
    while start > 1 and word(tokens, start - 1) == ".":
        start -= 2
    reads = word(tokens, start - 1) in _BEFORE_READ and not (word(tokens, 0) == "DELETE" and start == 2)
    if not reads:
        return Edit(i, i + 3)
    state = BRANCH_MARK if word(tokens, i + 1) == "BRANCH" else tokens[i + 2].text
    kinds = ((tokens[i].text, tokens[i].token_type), ("SNAPSHOT", TokenType.VAR), (state, TokenType.STRING))
    return Edit(i, i + 3, [made(text, kind, tokens[i]) for text, kind in kinds])


@respells_phrase("TRY_CONVERT_FROM", "dremio")
def conversion_with_type(tokens: Tokens, i: int) -> Edit | None:
    """`TRY_CONVERT_FROM(j AS ROW(a INT))`: the type that comes out."""
    if word(tokens, i + 1) != "(":
        return None
    end = closing(tokens, i + 1)
    as_ = following(tokens, i + 2, lambda n: word(tokens, n) == "AS" or n >= end)
    return Edit(as_, end) if as_ < end else None
