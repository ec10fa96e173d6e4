"""Phrases of Hive and of those that read its dialect."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.respell.rule import Edit, Tokens, closing, following, made, opening, respells, respells_phrase, word

_HINTS = frozenset(
    {"SHUFFLE", "NOSHUFFLE", "BROADCAST", "STRAIGHT_JOIN", "CLUSTERED", "NOCLUSTERED", "BUCKET", "COLOCATE"}
)
_UNITS = "YEAR YEARS MONTH MONTHS WEEK WEEKS DAY DAYS HOUR HOURS MINUTE MINUTES SECOND SECONDS"


@respells_phrase("[", "hive", "mysql")
def hint(tokens: Tokens, i: int) -> Edit | None:
    """`JOIN [BROADCAST] t`, `INSERT INTO t [SHUFFLE] SELECT …` (Impala, StarRocks, Doris): advice to the engine."""
    if word(tokens, i + 1) == "SKEW" and word(tokens, i - 1) == "JOIN":
        return Edit(i, following(tokens, i, lambda n: word(tokens, n) == "]") + 1)
    return Edit(i, i + 3) if word(tokens, i + 1) in _HINTS and word(tokens, i + 2) == "]" else None


@respells("PARTITION", "hive", first="INSERT UPSERT")
def partition_behind_columns(tokens: Tokens, i: int) -> Tokens:
    """Impala's `INSERT INTO t (a, b) PARTITION (d = 'x') SELECT …`: Hive has the columns behind the partition."""
    start = opening(tokens, i - 1) if word(tokens, i - 1) == ")" else 0
    written = all(word(tokens, n) not in ("(", "SELECT", "FROM", "WITH") for n in range(start))
    if not start or not written or word(tokens, i + 1) != "(":
        return tokens
    end = closing(tokens, i + 1) + 1
    return [*tokens[:start], *tokens[i:end], *tokens[start:i], *tokens[end:]]


@respells_phrase("STRAIGHT_JOIN", "hive")
def join_order(tokens: Tokens, i: int) -> Edit | None:
    """Impala's `SELECT STRAIGHT_JOIN a …`: tables are joined as they are written."""
    if word(tokens, i - 1) not in ("SELECT", "DISTINCT", "ALL") or word(tokens, i + 1) in (",", "FROM", "AS", ".", ""):
        return None
    return Edit(i, i + 1)


@respells_phrase(_UNITS, "hive")
def bare_interval(tokens: Tokens, i: int) -> Edit | None:
    """`d - 2 months`, `d + (n) DAY`: the unit says what the number counts."""
    if i < 2 or word(tokens, i + 1) in ("(", "."):
        return None
    before = tokens[i - 1].token_type
    first = (
        i - 1
        if before in (TokenType.NUMBER, TokenType.STRING)
        else opening(tokens, i - 1)
        if before is TokenType.R_PAREN
        else 0
    )
    counted = first and (word(tokens, first - 1) in ("+", "-") or word(tokens, i + 1) == "AS")
    return Edit(i, i + 1) if counted else None


@respells("MAP", "hive", "spark", "databricks", sign="USING")
@respells("REDUCE", "hive", "spark", "databricks", sign="USING")
def script(tokens: Tokens, i: int) -> Tokens:
    """`FROM t MAP a, b USING 'script' AS x, y` is `FROM t SELECT TRANSFORM (a, b) USING 'script' AS x, y`."""
    end = following(tokens, i + 1, lambda n: word(tokens, n) in ("USING", "ROW", "RECORDWRITER", "FROM", "SELECT", ")"))
    using = following(tokens, end, lambda n: word(tokens, n) in ("USING", "FROM", "SELECT", ")"))
    if end == i + 1 or word(tokens, using) != "USING" or tokens[using + 1 : using + 2] == []:
        return tokens
    if tokens[using + 1].token_type is not TokenType.STRING:
        return tokens
    return [
        *tokens[:i],
        *_made(tokens[i], "SELECT", "TRANSFORM", "("),
        *tokens[i + 1 : end],
        *_made(tokens[i], ")"),
        *tokens[end:],
    ]


_PASSING = frozenset({"NOOP", "NOOPWITHMAP", "NOOPSTREAMING", "NOOPWITHMAPSTREAMING", "WINDOWINGTABLEFUNCTION"})
"""Functions of tables that hand all columns on."""


@respells("ON", "hive")
def table_function(tokens: Tokens, i: int) -> Tokens:
    """`FROM noop(ON t PARTITION BY a)` is a subquery over t; `FROM f(ON t PARTITION BY a arg1(b))` is `f(TABLE(SELECT *, b FROM t))`."""
    if word(tokens, i - 1) != "(" or i < 3 or tokens[i - 2].token_type is not TokenType.VAR:
        return tokens
    at, end = tokens[i], closing(tokens, i - 1)
    behind = _behind_table(tokens, i + 1)
    passes = word(tokens, i - 2) in _PASSING
    arguments = [] if passes else [each for a in _arguments(tokens, behind, end) for each in (*_made(at, ","), *a)]
    source = [*_made(at, "FROM"), *tokens[i + 1 : behind], *_made(at, ")")]
    rows = [*_made(at, "(", "SELECT", "*"), *arguments, *source]
    if passes:
        return [*tokens[: i - 2], *rows, *tokens[end + 1 :]]
    return [*tokens[:i], *_made(at, "TABLE"), *rows, *tokens[end:]]


def _behind_table(tokens: Tokens, i: int) -> int:
    """The token behind a table, subquery or call that begins at the i-th."""
    if word(tokens, i) == "(":
        return closing(tokens, i) + 1
    while word(tokens, i + 1) == ".":
        i += 2
    return closing(tokens, i + 1) + 1 if word(tokens, i + 1) == "(" else i + 1


def _arguments(tokens: Tokens, start: int, end: int) -> list[Tokens]:
    """What stands in the brackets of `arg1(…), arg2(…)`."""
    found: list[Tokens] = []
    i = start
    while i < end:
        if word(tokens, i) == "(" and tokens[i - 1].token_type is TokenType.VAR:
            found.append(tokens[i + 1 : closing(tokens, i)])
        i = closing(tokens, i) + 1 if word(tokens, i) == "(" else i + 1
    return found


_KINDS = {
    "SELECT": TokenType.SELECT,
    "FROM": TokenType.FROM,
    "TABLE": TokenType.TABLE,
    "*": TokenType.STAR,
    "(": TokenType.L_PAREN,
    ")": TokenType.R_PAREN,
    ",": TokenType.COMMA,
}


def _made(at: Token, *words: str) -> Tokens:
    return [made(each, _KINDS.get(each, TokenType.VAR), at) for each in words]
