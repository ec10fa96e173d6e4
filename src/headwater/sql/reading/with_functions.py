"""Queries of Oracle and Trino with functions of their own: `WITH FUNCTION f (x NUMBER) RETURN NUMBER IS BEGIN … END; SELECT f(a) FROM t`.

The query may be a statement, or part of one.
The functions are left out: a call of one is a call of an unknown function, whose value is made of its arguments. A body that
has a query gets a diagnostic.
"""

from __future__ import annotations

from typing import Any

from sqlglot.tokenizer_core import TokenType

from headwater.model.diagnostic import Code, Diagnostic
from headwater.sql.blocks import behind_functions, functions_at
from headwater.sql.reading.reading import Reading, reads, span_of, word


@reads("WITH", "CREATE", "INSERT", "MERGE", first=True)
def with_functions(reading: Reading) -> Any:
    """The statement without the functions, with the CTEs of its query."""
    tokens = reading.tokens
    start = functions_at(tokens, 0, len(tokens), reading.dialect)
    if start is None:
        return None
    end = behind_functions(tokens, start, len(tokens), reading.dialect)
    functions, rest = tokens[start:end], tokens[end:]
    if any(token.token_type is TokenType.SELECT for token in functions):
        message = "what the functions of this query read is not followed"
        reading.notes.append(Diagnostic(Code.SKIPPED_CLAUSE, message, span_of(functions), "FUNCTION"))
    is_query = bool(rest) and (word(rest[0]) in ("SELECT", "(") or reading.dialect.family == "trino")
    return reading.statement([*tokens[: start - 1 if is_query else start], *rest])
