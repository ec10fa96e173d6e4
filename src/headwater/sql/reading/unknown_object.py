"""CREATE of an object that no other reader knows, filled by a query: it is read like a table, with a diagnostic.

A streaming database's `CREATE SINK s AS SELECT …` where the dialect has no sinks. Vertica's projections are read the same way, and are
known. A misspelt kind (`CREATE TABEL`) is left to the parser, which refuses it.
"""

from __future__ import annotations

from typing import Any

from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.suggestion import nearest
from headwater.sql.reading.create_as import filled_by_query
from headwater.sql.reading.created import skip_modifiers
from headwater.sql.reading.reading import Reading, reads, span_of, word
from headwater.sql.reading.skipped_clause import begins_known_clause

_PROGRAMS = frozenset({"FUNCTION", "MACRO", "PROCEDURE", "PROC", "TRIGGER", "PACKAGE", "TABLE", "VIEW", "RULE", "FLOW"})
_KNOWN = (("postgres", "PROJECTION"),)
"""Kinds that are indeed like a table, by dialect: Vertica's projections."""
_MISSPELT = ("TABLE", "VIEW")
"""Kinds that a word of the statement may be meant to be."""


@reads("CREATE")
def unknown_object(reading: Reading) -> Any:
    """`CREATE kind name … AS query`: the name is the last one before the clauses, the list of columns and AS."""
    create = reading.token()
    skip_modifiers(reading)
    start = name = reading.at
    while reading and word(reading.here) not in ("AS", "(") and not begins_known_clause(reading):
        if word(reading.here) in _PROGRAMS:
            return None
        reading.take("IF", "NOT", "EXISTS")
        name = reading.at
        reading.name()
    kind = reading.tokens[start:name]
    if not kind or any(nearest(word(token), _MISSPELT) for token in kind):
        return None
    first = kind[0]
    table = Token(TokenType.TABLE, "TABLE", first.line, first.col, first.start, first.end)
    head = [create, table, *reading.tokens[name : reading.at]]
    columns = reading.brackets() if reading.at_bracket() and reading.word(1) not in ("SELECT", "WITH") else ()
    tree = filled_by_query(reading, head, columns)
    if tree is not None and (reading.dialect.family, *map(word, kind)) not in _KNOWN:
        words = " ".join(word(token) for token in kind)
        message = f"CREATE {words} is not known; it is read like CREATE TABLE"
        reading.notes.append(Diagnostic(Code.SKIPPED_CLAUSE, message, span_of(kind), words))
    return tree
