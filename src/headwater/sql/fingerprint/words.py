"""The tokens that mean something to a fingerprint, by what they mean: clauses, brackets, operators, literals."""

from __future__ import annotations

from sqlglot.tokenizer_core import TokenType


def kinds(names: str) -> frozenset[TokenType]:
    """The kinds of tokens that a string names."""
    return frozenset(TokenType[name] for name in names.split())


CHANGES = kinds("UPDATE DELETE MERGE")
HEADS = CHANGES | kinds("INSERT REPLACE CREATE")
"""First words that begin no query."""
QUERIES = kinds("SELECT WITH FROM VALUES")
"""What a query begins with."""
SET_OPERATIONS = kinds("UNION EXCEPT INTERSECT")
CONDITIONS = kinds("WHERE HAVING QUALIFY")
COUNTS = kinds("LIMIT OFFSET FETCH")
REST = kinds(
    "GROUP_BY ORDER_BY ORDER_SIBLINGS_BY CLUSTER_BY DISTRIBUTE_BY SORT_BY CONNECT_BY "
    "WINDOW RETURNING SET WHEN FOR SETTINGS PIPE_GT SEMICOLON"
)
"""Clauses in which no literal is touched; names that are spelled like them only cost the statement its placeholders."""
JOINS = kinds("JOIN LEFT RIGHT FULL INNER CROSS NATURAL SEMI ANTI ASOF")

COMPARISONS = kinds("EQ NEQ LT LTE GT GTE NULLSAFE_EQ LIKE ILIKE RLIKE IRLIKE GLOB SIMILAR_TO")
OPERATORS = kinds(
    "PLUS DASH STAR SLASH MOD DIV DPIPE AMP PIPE CARET TILDE DOT COLON DCOLON "
    "ARROW DARROW HASH_ARROW DHASH_ARROW PARAMETER SESSION_PARAMETER"
)
"""What makes one operand of two."""
BLANKS = kinds("NOT JOIN_MARKER OVER FILTER")
"""Neither operands nor operators; brackets behind a call belong to it."""
SIGNS = kinds("DASH PLUS")
LITERALS = kinds("NUMBER STRING NATIONAL_STRING RAW_STRING HEX_STRING BIT_STRING BYTE_STRING NULL TRUE FALSE")

ENDS = REST | CONDITIONS | JOINS | COUNTS | SET_OPERATIONS | kinds("AND OR R_PAREN ON ESCAPE")
"""What may stand behind a comparison."""
BEHIND_COUNT = (ENDS - kinds("AND OR")) | kinds("COMMA ROW ROWS")

OPENING = kinds("L_PAREN L_BRACKET L_BRACE CASE")
CLOSING = kinds("R_PAREN R_BRACKET R_BRACE END")
BEFORE_ITEM = kinds("FROM JOIN COMMA L_PAREN LATERAL APPLY USING")
"""What stands before a derived table's bracket, or one around joins."""
BEGINS_ITEM = QUERIES | kinds("L_PAREN VAR IDENTIFIER")
"""What such a bracket begins with."""
BEFORE_OPERAND = kinds("AND OR NOT ON L_PAREN BETWEEN") | CONDITIONS | COMPARISONS
"""What stands before a bracket around a condition."""
BEFORE_SUBQUERY = BEFORE_OPERAND | kinds("IN EXISTS ANY ALL SOME")

BEFORE_MADE = frozenset(
    {"OR", "REPLACE", "ALTER", "TEMP", "TEMPORARY", "GLOBAL", "LOCAL", "MATERIALIZED", "TRANSIENT", "SECURE", "FORCE"}
    | {"RECURSIVE", "UNLOGGED", "VOLATILE", "MULTISET", "SET", "EXTERNAL", "DYNAMIC", "LIVE", "STREAMING"}
)
"""Words between CREATE and TABLE or VIEW."""
