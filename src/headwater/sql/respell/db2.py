"""Db2 in the words of the grammar that reads most of it."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Edit, Tokens, closing, following, made, reads, respells, respells_phrase, word

_ISOLATION = frozenset({"UR", "CS", "RS", "RR", "NC"})


@respells_phrase("WITH", "db2")
def isolation(tokens: Tokens, i: int) -> Edit | None:
    """`… WITH UR`, `WITH RS USE AND KEEP UPDATE LOCKS`: how the rows are locked."""
    if not i or word(tokens, i + 1) not in _ISOLATION:
        return None
    keeps_locks = [word(tokens, n) for n in (i + 2, i + 3, i + 4)] == ["USE", "AND", "KEEP"]
    return Edit(i, min(i + (7 if keeps_locks else 2), len(tokens)))


@respells_phrase("FOR", "db2")
def read_only(tokens: Tokens, i: int) -> Edit | None:
    """`FOR READ ONLY`, `FOR FETCH ONLY`, `OPTIMIZE FOR n ROWS`: advice to the engine."""
    if word(tokens, i + 1) in ("READ", "FETCH") and word(tokens, i + 2) == "ONLY":
        return Edit(i, i + 3)
    if word(tokens, i - 1) == "OPTIMIZE" and word(tokens, i + 2) in ("ROW", "ROWS"):
        return Edit(i - 1, i + 3)
    return None


_REGISTERS = frozenset(
    {"DATE", "TIME", "TIMESTAMP", "TIMEZONE", "USER", "SCHEMA", "SERVER", "SQLID", "PATH", "DEGREE", "ISOLATION"}
)


@respells_phrase("CURRENT", "db2")
def special_register(tokens: Tokens, i: int) -> Edit | None:
    """`CURRENT DATE` is one name, `CURRENT_DATE`."""
    register = word(tokens, i + 1)
    if register not in _REGISTERS or (i and word(tokens, i - 1) == "SET"):
        return None
    return Edit(i, i + 2, [made(f"CURRENT_{register}", TokenType.VAR, tokens[i])])


@respells_phrase("STRIP", "db2")
def stripped_end(tokens: Tokens, i: int) -> Edit | None:
    """`STRIP(a, LEADING, '0')`: at which end is a word, or its first letter."""
    if word(tokens, i + 1) != "(":
        return None
    comma = following(tokens, i + 2, lambda n: word(tokens, n) in (",", ")"))
    is_end = word(tokens, comma + 1) in _ENDS and word(tokens, comma + 2) in (",", ")")
    return Edit(comma, comma + 2) if word(tokens, comma) == "," and is_end else None


_ENDS = frozenset({"B", "BOTH", "L", "LEADING", "T", "TRAILING"})


@respells_phrase("CONCAT", "db2")
def concatenation(tokens: Tokens, i: int) -> Edit | None:
    """`a CONCAT b` is `a || b`."""
    if not i or i + 1 >= len(tokens) or word(tokens, i + 1) in ("(", ".", ","):
        return None
    return Edit(i, i + 1, [made("||", TokenType.DPIPE, tokens[i])])


@respells_phrase(
    "YEAR YEARS MONTH MONTHS DAY DAYS HOUR HOURS MINUTE MINUTES SECOND SECONDS MICROSECOND MICROSECONDS", "db2"
)
def labelled_duration(tokens: Tokens, i: int) -> Edit | None:
    """`d + 1 MONTH`: the unit says what the number counts."""
    if i > 2 and word(tokens, i - 2) in ("+", "-") and tokens[i - 1].token_type in (TokenType.NUMBER, TokenType.VAR):
        return Edit(i, i + 1)
    return None


@respells_phrase("ISO USA EUR JIS", "db2")
def date_format(tokens: Tokens, i: int) -> Edit | None:
    """`CHAR(d, ISO)`: a word for a format, not a column."""
    if word(tokens, i - 1) == "," and word(tokens, i + 1) == ")":
        return Edit(i, i + 1, [made(tokens[i].text, TokenType.STRING, tokens[i])])
    return None


@respells_phrase("¬", "db2")
def not_equal(tokens: Tokens, i: int) -> Edit | None:
    """`¬=` is `<>`."""
    return Edit(i, i + 2, [made("<>", TokenType.NEQ, tokens[i])]) if word(tokens, i + 1) == "=" else None


@respells("TABLE", "db2", "ansi", first="SELECT WITH INSERT CREATE (")
def data_change_table(tokens: Tokens, i: int) -> Tokens:
    """`FROM FINAL TABLE (INSERT …)`: the changed rows, as a WITH whose body returns them."""
    if word(tokens, i - 1) not in ("FINAL", "NEW", "OLD") or word(tokens, i + 1) != "(" or i < 3:
        return tokens
    end = closing(tokens, i + 1)
    at = tokens[i]
    name = made("changed_rows", TokenType.VAR, at)
    returned = [made("RETURNING", TokenType.RETURNING, at), made("*", TokenType.STAR, at)]
    cte = [name, made("AS", TokenType.ALIAS, at), *tokens[i + 1 : end], *returned, tokens[end]]
    rest = [*tokens[: i - 1], name, *tokens[end + 1 :]]
    if word(rest, 0) == "WITH":
        body = following(rest, 1, lambda n: word(rest, n) == "SELECT")
        return [*rest[:body], made(",", TokenType.COMMA, at), *cte, *rest[body:]]
    return [made("WITH", TokenType.WITH, at), *cte, *rest]


@respells("DECLARE", "db2", first="DECLARE")
def declared_table(tokens: Tokens, i: int) -> Tokens:
    """`DECLARE GLOBAL TEMPORARY TABLE SESSION.t …`: a temporary table; what follows its columns or query is storage."""
    if i or [word(tokens, n) for n in (1, 2, 3)] != ["GLOBAL", "TEMPORARY", "TABLE"]:
        return tokens
    opening = following(tokens, 4, lambda n: word(tokens, n) in ("(", "LIKE"))
    end = closing(tokens, opening) + 1 if word(tokens, opening) == "(" else len(tokens)
    return [made("CREATE", TokenType.CREATE, tokens[0]), *tokens[2:end]]


@respells("DEFINITION", "db2", first="CREATE")
@respells("DATA", "db2", first="CREATE")
def table_options(tokens: Tokens, i: int) -> Tokens:
    """`CREATE TABLE t AS (SELECT …) DEFINITION ONLY`, `… DATA INITIALLY DEFERRED REFRESH DEFERRED`."""
    if word(tokens, i - 1) == ")" and word(tokens, i + 1) in ("ONLY", "INITIALLY"):
        return tokens[:i]
    return tokens


@respells("ELSE", "db2", first="MERGE")
def else_ignore(tokens: Tokens, i: int) -> Tokens:
    """MERGE's `ELSE IGNORE` does nothing."""
    return tokens[:i] + tokens[i + 2 :] if word(tokens, i + 1) == "IGNORE" else tokens


@respells("IMMEDIATE", "db2", first="TRUNCATE")
def truncate_immediate(tokens: Tokens, i: int) -> Tokens:
    """`TRUNCATE TABLE t IMMEDIATE`."""
    return tokens[:i]


@respells_phrase("QUERYNO SKIP", "db2")
def advice(tokens: Tokens, i: int) -> Edit | None:
    """`QUERYNO 3` names a statement for EXPLAIN; `SKIP LOCKED DATA` does not wait for rows that others change."""
    if word(tokens, i) == "QUERYNO":
        return Edit(i, i + 2) if i and i + 2 == len(tokens) else None
    return Edit(i, i + 3) if reads(tokens, i + 1, "LOCKED", "DATA") else None
