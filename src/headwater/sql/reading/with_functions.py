"""Oracle's queries with functions of their own: `WITH FUNCTION f (x NUMBER) RETURN NUMBER IS BEGIN … END; SELECT f(a) FROM t`.

The functions are left out: a call of one is a call of an unknown function, whose value is made of its arguments. A body that
has a query gets a diagnostic.
"""

from __future__ import annotations

from typing import Any

from sqlglot.tokenizer_core import TokenType

from headwater.model.diagnostic import Code, Diagnostic
from headwater.sql.blocks import behind_functions
from headwater.sql.reading.reading import Reading, reads, span_of, word


@reads("WITH", first=True)
def with_functions(reading: Reading) -> Any:
    """The query without the functions, with its CTEs."""
    if reading.dialect.name != "oracle" or reading.word(1) not in ("FUNCTION", "PROCEDURE"):
        return None
    end = behind_functions(reading.tokens, 1, len(reading.tokens), reading.dialect)
    functions, rest = reading.tokens[1:end], reading.tokens[end:]
    if any(token.token_type is TokenType.SELECT for token in functions):
        message = "what the functions of this query read is not followed"
        reading.notes.append(Diagnostic(Code.SKIPPED_CLAUSE, message, span_of(functions), "FUNCTION"))
    is_query = bool(rest) and word(rest[0]) in ("SELECT", "(")
    return reading.statement(rest if is_query else [reading.tokens[0], *rest])
