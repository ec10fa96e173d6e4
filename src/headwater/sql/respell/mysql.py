"""Respellings of MySQL and MariaDB."""

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


@respells("LOW_PRIORITY", "mysql", first="INSERT REPLACE UPDATE DELETE")
@respells("HIGH_PRIORITY", "mysql", first="INSERT REPLACE UPDATE DELETE")
@respells("DELAYED", "mysql", first="INSERT REPLACE UPDATE DELETE")
@respells("QUICK", "mysql", first="INSERT REPLACE UPDATE DELETE")
@respells("IGNORE", "mysql", first="UPDATE DELETE")
def priority(tokens: Tokens, i: int) -> Tokens:
    """`INSERT LOW_PRIORITY`, `UPDATE IGNORE`: when, and what errors do, not what is written."""
    first = all(word(tokens, n) in _MODIFIERS for n in range(1, i))
    return tokens[:i] + tokens[i + 1 :] if first and i > 0 else tokens


_MODIFIERS = frozenset({"LOW_PRIORITY", "HIGH_PRIORITY", "DELAYED", "QUICK", "IGNORE"})


@respells("*", "mysql", first="DELETE")
def deleted_star(tokens: Tokens, i: int) -> Tokens:
    """`DELETE t.*, u.* FROM …`: the same as their names alone."""
    named = word(tokens, i - 1) == "." and word(tokens, i + 1) in ("FROM", ",", "USING")
    return tokens[: i - 1] + tokens[i + 1 :] if named else tokens


@respells("INTO", "mysql", first="SELECT")
def into_variables(tokens: Tokens, i: int) -> Tokens:
    """`SELECT a FROM t INTO @v`: nothing reads the variable, or this would be a step of a program."""
    last = all(
        word(tokens, n) == "@" or word(tokens, n - 1) == "@" or word(tokens, n) == ","
        for n in range(i + 1, len(tokens))
    )
    return tokens[:i] if word(tokens, i + 1) == "@" and last else tokens


@respells("RENAME", "mysql", first="ALTER")
def renamed_as(tokens: Tokens, i: int) -> Tokens:
    """`ALTER TABLE t RENAME AS u` is RENAME TO."""
    as_ = tokens[i + 1] if word(tokens, i + 1) == "AS" else None
    return [*tokens[: i + 1], made("TO", TokenType.VAR, as_), *tokens[i + 2 :]] if as_ else tokens


@respells_phrase("ASC DESC", "mysql", sign="GROUP BY")
def sorted_groups(tokens: Tokens, i: int) -> Edit | None:
    """`GROUP BY a DESC`, as MariaDB has it: the order means nothing."""
    before = i
    while before >= 0 and word(tokens, before) not in ("GROUP BY", "ORDER BY"):
        before = opening(tokens, before) - 1 if tokens[before].token_type is TokenType.R_PAREN else before - 1
    return Edit(i, i + 1) if word(tokens, before) == "GROUP BY" else None


@respells("HISTORY", "mysql", first="DELETE")
def deleted_history(tokens: Tokens, i: int) -> Tokens:
    """MariaDB's `DELETE HISTORY FROM t [BEFORE SYSTEM_TIME x]`: rows of the past go."""
    if i != 1 or word(tokens, 2) != "FROM":
        return tokens
    end = following(tokens, 3, lambda n: reads(tokens, n, "BEFORE", "SYSTEM_TIME"))
    return [tokens[0], *tokens[2:end]]


@respells("PORTION", "mysql", "db2", "ansi", first="DELETE UPDATE")
def portion_of_time(tokens: Tokens, i: int) -> Tokens:
    """`UPDATE t FOR PORTION OF p FROM x TO y SET …`: two constants bound the time, and the rest of it stays as it was."""
    if word(tokens, i - 1) != "FOR" or word(tokens, i + 1) != "OF":
        return tokens
    end = following(tokens, i, lambda n: word(tokens, n) in ("SET", "WHERE", "AS", "ORDER BY", "LIMIT", "RETURNING"))
    return tokens[: i - 1] + tokens[end:]


@respells_phrase("SQL_CACHE", "mysql")
def cached_result(tokens: Tokens, i: int) -> Edit | None:
    """`SELECT SQL_CACHE a`: where the result is kept."""
    return Edit(i, i + 1) if word(tokens, i - 1) in ("SELECT", "ALL", "DISTINCT", "STRAIGHT_JOIN") else None


@respells_phrase("NEXT PREVIOUS", "mysql", sign="VALUE FOR")
def value_of_sequence(tokens: Tokens, i: int) -> Edit | None:
    """MariaDB's `NEXT VALUE FOR s`: a number, from no table."""
    if not reads(tokens, i + 1, "VALUE", "FOR"):
        return None
    end = i + 4
    while word(tokens, end) == ".":
        end += 2
    name = "".join(token.text for token in tokens[i + 3 : end])
    call = [("NEXTVAL", TokenType.VAR), ("(", TokenType.L_PAREN), (name, TokenType.STRING), (")", TokenType.R_PAREN)]
    return Edit(i, end, [made(text, kind, tokens[i]) for text, kind in call])


@respells("PROCEDURE", "mysql", first="SELECT ( WITH")
def analysed(tokens: Tokens, i: int) -> Tokens:
    """`SELECT a FROM t PROCEDURE ANALYSE(10, 2000)`: a report about each column of the result, in the place of its rows."""
    end = closing(tokens, i + 2) + 1 if reads(tokens, i + 1, "ANALYSE", "(") else 0
    return [*tokens[:i], *tokens[end:]] if end else tokens
