"""Statement to resolved relations, in one pass: one module per construct.

`resolve` is the way in. Queries come from `query`, what stands in FROM from `from_item`, expressions from `flow`, statements from
`statement`; each construct registers itself with the one that meets it, which is why they are all imported here.
"""

from headwater.resolve import (
    conditional,
    create,
    delete,
    function,
    generator,
    insert,
    lateral,
    match_recognize,
    merge,
    multi_insert,
    nested,
    no_lineage,
    parenthesis,
    pivot,
    query_statement,
    select,
    set_operation,
    subquery,
    update,
    use,
    values,
    window,
)
from headwater.resolve.session import Session
from headwater.resolve.statement import resolve

__all__ = [
    "Session",
    "conditional",
    "create",
    "delete",
    "function",
    "generator",
    "insert",
    "lateral",
    "match_recognize",
    "merge",
    "multi_insert",
    "nested",
    "no_lineage",
    "parenthesis",
    "pivot",
    "query_statement",
    "resolve",
    "select",
    "set_operation",
    "subquery",
    "update",
    "use",
    "values",
    "window",
]
