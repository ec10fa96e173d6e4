"""T-SQL's OUTPUT … INTO in the middle of a DELETE, and MySQL's REPLACE INTO: the grammar knows them otherwise."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.grammar import parse_statement
from headwater.sql.reading.reading import Reading, reads
from headwater.sql.respell import respelled


@reads("DELETE", "UPDATE", "INSERT", "MERGE", "WITH", first=True)
def output_into(reading: Reading) -> Any:
    """`DELETE FROM t OUTPUT deleted.a INTO x (a) WHERE …`: the grammar wants OUTPUT at the end, and one name behind INTO."""
    if reading.dialect.family != "tsql" or not reading.skip_to("OUTPUT"):
        return None
    before = reading.tokens[: reading.at]
    clause = reading.until("INTO", "FROM", "WHERE", "VALUES", "SELECT", "OPTION")
    target: Any = None
    if reading.take("INTO"):
        target = reading.name()
        columns = reading.names() if reading.at_bracket() else []
        target = exp.Schema(this=target, expressions=columns) if columns else target
    tree = _first_that_parses(reading, [*before, *reading.rest(), *clause], [*before, *clause, *reading.rest()])
    found = tree.args.get("returning") if isinstance(tree, exp.Expr) else None
    if not isinstance(found, exp.Returning):
        return None
    if target is not None:
        found.set("into", target)
    return tree


def _first_that_parses(reading: Reading, *orders: list[Token]) -> Any:
    for tokens in orders:
        try:
            return parse_statement(respelled(tokens, reading.dialect), reading.sql, reading.dialect)
        except ParseError:
            continue
    return None


@reads("REPLACE")
def replace_into(reading: Reading) -> Any:
    """MySQL's `REPLACE INTO t …` writes like an INSERT; Databricks' `REPLACE TABLE` is CREATE OR REPLACE."""
    first = reading.token()
    if reading.word() in ("MACRO", "PROCEDURE", "FUNCTION", "VIEW"):
        return None
    if reading.word() == "TABLE":
        kinds = [(TokenType.CREATE, "CREATE"), (TokenType.OR, "OR"), (TokenType.REPLACE, "REPLACE")]
        made = [Token(kind, text, first.line, first.col, first.start, first.end) for kind, text in kinds]
        return reading.statement([*made, *reading.rest()])
    reading.take_any("LOW_PRIORITY", "DELAYED")
    insert = Token(TokenType.INSERT, "INSERT", first.line, first.col, first.start, first.end)
    into = (
        []
        if reading.word() == "INTO"
        else [Token(TokenType.INTO, "INTO", first.line, first.col, first.start, first.end)]
    )
    return parse_statement([insert, *into, *reading.rest()], reading.sql, reading.dialect)
