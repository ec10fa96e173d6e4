"""CREATE MODEL: what a model is trained on. BigQuery has queries behind AS, Redshift a query or a table behind FROM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.form import CreateModel, NoLineage
from headwater.sql.reading.created import creates
from headwater.sql.reading.listed import comma_separated
from headwater.sql.reading.reading import Reading, reads, word
from headwater.sql.reading.table_elements import table_elements


@reads("CREATE", first=True)
def create_model(reading: Reading) -> Any:
    """`CREATE MODEL d.m TRANSFORM (a + b AS c, y) OPTIONS (…) AS SELECT …`, `CREATE MODEL m FROM (SELECT …) TARGET y FUNCTION f`."""
    if not creates(reading, "MODEL"):
        return None
    name = reading.name()
    if reading.take("FROM"):
        if reading.at_string():  # a job or a file that holds the model
            return NoLineage("Create Model")
        source = reading.statement(reading.brackets()) if reading.at_bracket() else reading.name()
        return CreateModel(name, (source,))
    if reading.skip_to("OUTPUT", "(") and reading.take("OUTPUT"):
        return CreateModel(name, (), tuple(table_elements(reading.brackets(), reading)))
    shaped: Sequence[Token] = ()
    if reading.skip_to("TRANSFORM", "(") and reading.take("TRANSFORM"):
        shaped = reading.brackets()
    if not reading.skip_to("AS"):
        return NoLineage("Create Model")
    reading.take("AS")
    queries = [reading.rest()]
    if reading.at_bracket() and reading.word(1) not in ("SELECT", "WITH", "("):
        queries = [part[2:] for part in comma_separated(reading.brackets()) if len(part) > 2 and word(part[1]) == "AS"]
    return CreateModel(name, tuple(reading.statement(_transformed(query, shaped)) for query in queries))


def _transformed(query: Sequence[Token], shaped: Sequence[Token]) -> Sequence[Token]:
    """What the model sees: the query's rows by way of TRANSFORM, `SELECT a + b AS c, y FROM (query)`."""
    if not shaped:
        return query
    at = shaped[0]
    select, from_, opening, closing = (
        Token(kind, text, at.line, at.col, at.start, at.start)
        for kind, text in (
            (TokenType.SELECT, "SELECT"),
            (TokenType.FROM, "FROM"),
            (TokenType.L_PAREN, "("),
            (TokenType.R_PAREN, ")"),
        )
    )
    return [select, *shaped, from_, opening, *query, closing]
