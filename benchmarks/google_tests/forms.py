"""Forms that GoogleSQL's parser takes and BigQuery has not, by what is written: a syntax error is the answer to these."""

from __future__ import annotations

import re

FORMS: tuple[tuple[str, str], ...] = (
    ("graph queries (GQL)", r"\bGRAPH\b|\bGRAPH_TABLE\b|\bMATCH\s*\("),
    ("protocol buffers: NEW, AS a message, extensions, braces", r"\bNEW\s+\w|\.\(|\bAS\s+`|\{|googlesql_test"),
    (
        "pipes that branch or write: FORK, TEE, IF, INSERT, CREATE, EXPORT",
        r"\|>\s*(FORK|TEE|IF|INSERT|CREATE|EXPORT)\b",
    ),
    ("pipes: RECURSIVE UNION, subpipelines", r"\|>\s*RECURSIVE\b|\(\s*\|>"),
    ("changes inside arrays", r"\(\s*(INSERT|UPDATE|DELETE)\b"),
    ("aggregates with WHERE or GROUP BY inside", r"\([^()]*(\([^()]*\)[^()]*)*\b(WHERE|GROUP\s+(@\S+\s+)?BY)\b"),
    ("CLAMPED, WITH REPORT, WITH ANONYMIZATION", r"\bCLAMPED\b|\bWITH\s+REPORT\b|\bWITH\s+ANONYMIZATION\b"),
    ("hints", r"@\s*\{|@\s*\d|\b(HASH|LOOKUP)\s+JOIN\b"),
    ("samples by rows, weight or partition", r"\bTABLESAMPLE\b"),
    ("INSERT IGNORE, REPLACE, UPDATE; ON CONFLICT", r"\bINSERT\s+(OR\s+)?(IGNORE|REPLACE|UPDATE)\b|\bON\s+CONFLICT\b"),
    ("THEN RETURN WITH ACTION", r"\bTHEN\s+RETURN\b"),
    ("recursion WITH DEPTH", r"\bDEPTH\b"),
    ("UNNEST of several arrays", r"\bUNNEST\s*\(.*=>"),
    (
        "modules, batches, DEFINE TABLE, CLONE DATA",
        r"^(IMPORT|MODULE|RUN|START|ABORT|DEFINE|CLONE|SHOW|DESCRIBE|DESC)\b",
    ),
    ("arguments that are tables, models, connections", r"\b(TABLE|MODEL|CONNECTION|DESCRIPTOR|INPUT)\s*[\w(`]"),
    (
        "functions of the sample catalog: named and aliased arguments",
        r"=>|\bNameConflictType\b|\bsort_count\b|\blambda",
    ),
    ("DDL that BigQuery lacks", r"^(CREATE|ALTER|DROP|EXPORT|EXECUTE)\b"),
    ("a query in brackets with an alias, piped", r"^\(.*\)\s+AS\s+\w+\s*\|>"),
)
"""Names and patterns, the first that fits counts."""

_PATTERNS = [(name, re.compile(pattern, re.IGNORECASE | re.DOTALL)) for name, pattern in FORMS]


def form(sql: str) -> str:
    """What a statement has that is not BigQuery's; empty if nothing is known."""
    return next((name for name, pattern in _PATTERNS if pattern.search(sql)), "")
