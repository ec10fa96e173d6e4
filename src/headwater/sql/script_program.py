"""Scripts that are programs: from the first statement that declares or sets a variable, or steers what follows, to the end of the batch.

What a variable holds, and what a condition decides, reaches over statements; so these are read together, as the body of a routine is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.blocks import Block, begins_transaction
from headwater.sql.dialect import Dialect
from headwater.sql.routine_lines import is_boundary
from headwater.sql.words import word

_EXECUTES = frozenset({"EXEC", "EXECUTE"})
_OPERATORS = frozenset("+-*/%&|^")
_OF_LIST = frozenset({TokenType.PARAMETER, TokenType.COMMA})
"""What a list of variables is made of, besides their names."""
_LONGEST_NAME = 10
"""Tokens of the longest name of a table, with INTO before it."""
_WITH_RESULT = frozenset({"SELECT", "WITH", "CALL", "EXECUTE"})
_CONTROL = frozenset({"IF", "WHILE", "LOOP", "REPEAT", "FOR"})


def program_at(tokens: Sequence[Token], start: int, end: int, stop: int, dialect: Dialect) -> Block | None:
    """The program that begins with the statement between two tokens, if it does: the rest of the batch, or just a call."""
    begins = _BEGINS.get(dialect.family)
    if begins is not None and begins(tokens, start, end, stop):
        return Block("script", None, _end(tokens, end, stop, dialect))
    if _is_call(tokens, start, end, dialect):
        return Block("script", None, end)
    return None


def _end(tokens: Sequence[Token], end: int, stop: int, dialect: Dialect) -> int:
    """Behind the program's last token: a batch that goes on with a routine has lost its separator."""
    if dialect.batch_separator is None:
        return stop
    return next((i for i in range(end, stop) if is_boundary(tokens[i])), stop)


def _word(tokens: Sequence[Token], i: int, end: int) -> str:
    return word(tokens[i]) if i < end else ""


def _is_call(tokens: Sequence[Token], start: int, end: int, dialect: Dialect) -> bool:
    first = word(tokens[start])
    if first == "CALL":
        return start + 1 < end
    if first == "INSERT":
        return dialect.marks_variables and inserts_executed(tokens, start, end)
    if first in _EXECUTES and start + 1 < end:
        immediate = tokens[start + 1].text.upper().lstrip().startswith("IMMEDIATE")
        return immediate or dialect.marks_variables or dialect.family in ("oracle", "teradata")
    return False


def inserts_executed(tokens: Sequence[Token], start: int, end: int) -> bool:
    """Whether a statement writes the rows of a text that is executed into a table."""
    i = start + 1
    while i < end and tokens[i].text != "(" and word(tokens[i]) not in _EXECUTES and i - start < _LONGEST_NAME:
        i += 1
    if word(tokens[i - 1]) == "WITH":  # how the table is locked
        i = next((n for n in range(i, end) if tokens[n].text == ")"), end) + 1
    if i < end and tokens[i].text == "(":
        i = next((n for n in range(i, end) if tokens[n].text == ")"), end) + 1
    if i + 1 >= end or word(tokens[i]) not in _EXECUTES:
        return False
    return tokens[i + 1].text == "(" or any(token.text.lower() == "sp_executesql" for token in tokens[i + 1 : i + 6])


def _tsql(tokens: Sequence[Token], start: int, end: int, stop: int) -> bool:
    """A variable that is no table, an assignment, a cursor, IF, WHILE, TRY or a block."""
    first, second = word(tokens[start]), _word(tokens, start + 1, end)
    if first == "DECLARE":
        kinds = {_word(tokens, start + 3, end), _word(tokens, start + 4, end)}
        return second != "@" or "TABLE" not in kinds
    if first in ("IF", "WHILE"):
        return True
    if first == "SET":
        return second == "@" and _word(tokens, start + 2, end) != "@"
    if first == "BEGIN":
        return not begins_transaction(tokens, start, end) or start + 1 >= end
    if first != "SELECT" or second != "@":
        return False
    operator = _word(tokens, start + 3, end)
    return operator == "=" or (operator in _OPERATORS and _word(tokens, start + 4, end) == "=")


def _bigquery(tokens: Sequence[Token], start: int, end: int, stop: int) -> bool:
    first = word(tokens[start])
    if first == "SET":
        return _word(tokens, start + 1, end) != "@"
    return first == "DECLARE" or (first in _CONTROL and _word(tokens, start + 1, end) != "")


def _snowflake(tokens: Sequence[Token], start: int, end: int, stop: int) -> bool:
    first = word(tokens[start])
    if first == "SET":
        return _word(tokens, start + 2, end) == "=" or _word(tokens, start + 1, end) == "("
    if first in _WITH_RESULT:
        return _asks_for_result(tokens, end, stop)
    return first in _CONTROL and _word(tokens, start + 1, end) != ""


def _asks_for_result(tokens: Sequence[Token], end: int, stop: int) -> bool:
    """Whether the statement behind a query asks for its result: `RESULT_SCAN(LAST_QUERY_ID())`, `SET q = LAST_QUERY_ID()`."""
    for i in range(end + 1, stop):
        if tokens[i].token_type is TokenType.SEMICOLON:
            return False
        if word(tokens[i]) == "LAST_QUERY_ID":
            return True
    return False


def _spark(tokens: Sequence[Token], start: int, end: int, stop: int) -> bool:
    first, second = word(tokens[start]), _word(tokens, start + 1, end)
    if first == "SET" and second not in ("VAR", "VARIABLE"):
        return _sets_text(tokens, start, end, stop)
    return first in ("SET", "DECLARE") or (first in _CONTROL and second != "")


def _hive(tokens: Sequence[Token], start: int, end: int, stop: int) -> bool:
    return word(tokens[start]) == "SET" and _sets_text(tokens, start, end, stop)


def _sets_text(tokens: Sequence[Token], start: int, end: int, stop: int) -> bool:
    """`SET x = text`, where some statement behind it says `${x}`."""
    assigns = any(token.text == "=" for token in tokens[start : start + 12])
    return assigns and any("${" in token.text for token in tokens[end:stop])


def _mysql(tokens: Sequence[Token], start: int, end: int, stop: int) -> bool:
    first = word(tokens[start])
    if first == "SELECT":
        return any(_uses(tokens, i, end, stop) for i in _filled(tokens, start, end))
    if first == "CALL":  # the procedure may set any of them
        return any(token.token_type is TokenType.PARAMETER for token in tokens[end:stop])
    return first == "SET" and _word(tokens, start + 1, end) == "@" != _word(tokens, start + 2, end)


def _filled(tokens: Sequence[Token], start: int, end: int) -> Iterator[int]:
    """Where a SELECT names the variables that it fills: `INTO @a, @b`, `@c := x`."""
    into = False
    for i in range(start, end - 1):
        kind, before = tokens[i].token_type, tokens[i - 1].token_type if i else None
        listed = into and (kind in _OF_LIST or before is TokenType.PARAMETER)
        into = kind is TokenType.INTO or listed
        marked = kind is TokenType.PARAMETER
        if marked and (into or (i + 2 < end and tokens[i + 2].text == ":=")):
            yield i


def may_fill_variable(tokens: Sequence[Token], dialect: Dialect) -> bool:
    """Whether a statement is MySQL's `SELECT … INTO @v` or a call, which begins a program if a later one says `@v`."""
    if dialect.family != "mysql":
        return False
    first = word(tokens[0])
    return first == "CALL" or (first == "SELECT" and any(True for _ in _filled(tokens, 0, len(tokens))))


def _uses(tokens: Sequence[Token], variable: int, end: int, stop: int) -> bool:
    """Whether some statement behind a `SELECT … INTO @v` says `@v`; else its rows are all that there is to tell."""
    if tokens[variable].token_type is not TokenType.PARAMETER:
        return False
    name = tokens[variable + 1].text
    later = (i for i in range(end, stop - 1) if tokens[i].token_type is TokenType.PARAMETER)
    return any(tokens[i + 1].text == name for i in later)


_BEGINS: dict[str, Callable[[Sequence[Token], int, int, int], bool]] = {
    "tsql": _tsql,
    "bigquery": _bigquery,
    "snowflake": _snowflake,
    "hive": _hive,
    "spark": _spark,
    "databricks": _spark,
    "mysql": _mysql,
}
