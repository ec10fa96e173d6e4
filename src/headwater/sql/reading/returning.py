"""T-SQL's OUTPUT … INTO in the middle of a DELETE, and MySQL's REPLACE INTO: the grammar knows them otherwise."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.grammar import parse_statement
from headwater.sql.reading.reading import Reading, reads


@reads("DELETE", "UPDATE", "INSERT", "WITH")
def output_into(reading: Reading) -> Any:
    """`DELETE FROM t OUTPUT deleted.a INTO x (a) WHERE …`."""
    if not reading.skip_to("OUTPUT") or not reading.skip_to("INTO"):
        return None
    start = reading.at
    reading.take("INTO")
    target = reading.name()
    columns = reading.names() if reading.at_bracket() else []
    tokens = [*reading.tokens[:start], *reading.rest()]
    tree = parse_statement(tokens, reading.sql, reading.dialect)
    clause = tree.args.get("returning") if isinstance(tree, exp.Expr) else None
    if not isinstance(clause, exp.Returning):
        return None
    clause.set("into", exp.Schema(this=target, expressions=columns) if columns else target)
    return tree


@reads("REPLACE")
def replace_into(reading: Reading) -> Any:
    """MySQL's `REPLACE INTO t …` writes like an INSERT."""
    first = reading.token()
    if reading.word() in ("VIEW", "TABLE", "MACRO", "PROCEDURE", "FUNCTION"):
        return None
    insert = Token(TokenType.INSERT, "INSERT", first.line, first.col, first.start, first.end)
    into = (
        []
        if reading.word() == "INTO"
        else [Token(TokenType.INTO, "INTO", first.line, first.col, first.start, first.end)]
    )
    return parse_statement([insert, *into, *reading.rest()], reading.sql, reading.dialect)
