"""The elements of a CREATE TABLE, one by one: a type or option that the grammar does not know costs its own column's type, nothing else."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.grammar import parse_statement
from headwater.sql.reading.listed import comma_separated
from headwater.sql.reading.reading import Reading, identifier, word
from headwater.sql.reading.skipped_clause import note_skipped

_CONSTRAINTS = frozenset(
    {"CONSTRAINT", "PRIMARY", "FOREIGN", "UNIQUE", "CHECK", "KEY", "INDEX", "EXCLUDE", "PERIOD", "FULLTEXT"}
)

_CLUSTERINGS = frozenset({"CLUSTERED", "NONCLUSTERED"})
_KEYS = frozenset({"KEY", "PRIMARY KEY", "UNIQUE"})


def table_elements(tokens: Sequence[Token], reading: Reading) -> list[Any]:
    """Column definitions and constraints; of what the grammar rejects, at least the column's name."""
    return [e for part in comma_separated(_with_commas(tokens)) for e in _element(part, reading)]


def _with_commas(tokens: Sequence[Token]) -> list[Token]:
    """The tokens, with the comma before a table's FOREIGN KEY or PRIMARY KEY that people forget."""
    result: list[Token] = []
    depth = 0
    for i, token in enumerate(tokens):
        following = [word(t) for t in tokens[i : i + 3]]
        forgotten = following[:1] in (["FOREIGN"], ["PRIMARY"]) and following[1:] == ["KEY", "("]
        if depth == 0 and forgotten and result and result[-1].text != "," and not _names_constraint(result):
            result.append(Token(TokenType.COMMA, ",", token.line, token.col, token.start, token.start))
        depth += (token.text == "(") - (token.text == ")")
        result.append(token)
    return result


def _names_constraint(before: list[Token]) -> bool:
    """Whether `CONSTRAINT name` stands right before."""
    return len(before) > 1 and word(before[-2]) == "CONSTRAINT"


def _element(part: Sequence[Token], reading: Reading) -> list[Any]:
    if word(part[0]) == "WATERMARK" and len(part) > 1 and word(part[1]) == "FOR":
        return []  # how late rows may come, in Flink and RisingWave
    shown = _shown(part)
    if len(shown) < len(part):
        return [_hidden(element) for element in _element(shown, reading)]
    if word(part[0]) == "CONSTRAINT":
        try:
            expected = _expected(Reading(part, reading.sql, reading.dialect))
        except ParseError:
            note_skipped(reading, part)
            return []
        if expected is not None:
            return expected
    for spelled in (_as_written, _unclustered, _computed, _stored, _essence):
        try:
            tree = parse_statement(_as_create(spelled(part, reading)), reading.sql, reading.dialect)
        except ParseError:
            continue
        if isinstance(tree, exp.Create) and isinstance(tree.this, exp.Schema) and tree.this.expressions:
            return list(tree.this.expressions)
    if word(part[0]) in _CONSTRAINTS or part[0].token_type in (TokenType.NUMBER, TokenType.STRING):
        return []
    return [exp.ColumnDef(this=identifier(part[0]))]


def _shown(part: Sequence[Token]) -> Sequence[Token]:
    """A column without Oracle's INVISIBLE or Db2's IMPLICITLY HIDDEN."""
    for i, token in enumerate(part[2:], 2):
        if word(token) == "INVISIBLE":
            return [*part[:i], *part[i + 1 :]]
        if word(token) == "IMPLICITLY" and i + 1 < len(part) and word(part[i + 1]) == "HIDDEN":
            return [*part[:i], *part[i + 2 :]]
    return part


def _hidden(element: Any) -> Any:
    """A column that `*` and an INSERT without a column list leave out."""
    if isinstance(element, exp.ColumnDef):
        element.append("constraints", exp.ColumnConstraint(kind=exp.InvisibleColumnConstraint()))
    return element


def _expected(part: Reading) -> list[Any] | None:
    """`CONSTRAINT c EXPECT (a > 0) ON VIOLATION DROP ROW`: the condition of the rows that stay; None for other constraints.

    An expectation that drops no row says nothing about data.
    """
    if not part.skip_to("EXPECT", "("):
        return None
    part.token()
    condition = part.brackets()
    return [exp.Where(this=part.expression(condition))] if part.sees("ON", "VIOLATION", "DROP", "ROW") else []


def _as_create(part: Sequence[Token]) -> list[Token]:
    """`CREATE TABLE x (part)`."""
    at = part[0]

    def made(kind: TokenType, text: str) -> Token:
        return Token(kind, text, at.line, at.col, at.start, at.start)

    return [
        made(TokenType.CREATE, "CREATE"),
        made(TokenType.TABLE, "TABLE"),
        made(TokenType.VAR, "x"),
        made(TokenType.L_PAREN, "("),
        *part,
        made(TokenType.R_PAREN, ")"),
    ]


def _as_written(part: Sequence[Token], reading: Reading) -> Sequence[Token]:
    return part


def _unclustered(part: Sequence[Token], reading: Reading) -> Sequence[Token]:
    """T-SQL's `id int IDENTITY(1, 1) PRIMARY KEY CLUSTERED` without the kind of its index."""
    return [t for i, t in enumerate(part) if not (i and word(t) in _CLUSTERINGS and word(part[i - 1]) in _KEYS)]


def _computed(part: Sequence[Token], reading: Reading) -> Sequence[Token]:
    """Snowflake's `c date AS to_date(…)` with the brackets that the grammar wants around the expression."""
    for i, token in enumerate(part):
        if i and word(token) == "AS":
            made = [Token(k, t, token.line, token.col, token.start, token.start) for k, t in _BRACKETS]
            return [*part[: i + 1], made[0], *part[i + 1 :], made[1]]
    return list(part)


def _essence(part: Sequence[Token], reading: Reading) -> Sequence[Token]:
    """A column or key up to what it is computed of or refers to, without the vendor's words before and behind that.

    `name GENERATED ALWAYS AS (a || b) STORED OPTIONS (…)`, `FOREIGN KEY (a) REFERENCES WITH NO CHECK OPTION t (b) DISABLE NOVALIDATE`,
    `LIKE t INCLUDING …`.
    """
    inner = Reading(part, reading.sql, reading.dialect)
    if inner.take("LIKE"):
        inner.name()
        return inner.tokens[: inner.at]
    if inner.skip_to("REFERENCES"):
        head = inner.tokens[: inner.at + 1]
        inner.token()
        if inner.take("WITH"):
            inner.take("NO")
            inner.take("CHECK", "OPTION")
        start = inner.at
        inner.name()
        if inner.at_bracket():
            inner.brackets()
        return [*head, *inner.tokens[start : inner.at]]
    generated = inner.find("GENERATED")
    if generated < 1 or not inner.skip_to("AS"):
        return part
    start = inner.at
    inner.token()
    inner.brackets()
    untyped = generated == 1
    return [*inner.tokens[: 1 if untyped else start], *inner.tokens[start : inner.at]]


def _stored(part: Sequence[Token], reading: Reading) -> Sequence[Token]:
    """A computed column without the word for where it is kept."""
    kept = len(part) > 1 and word(part[-1]) in ("VIRTUAL", "STORED", "PERSISTED", "PERSISTENT")
    return _computed(part[:-1] if kept else part, reading)


_BRACKETS = ((TokenType.L_PAREN, "("), (TokenType.R_PAREN, ")"))
