"""Statement to resolved relations, in one pass: one module per construct.

`resolve` is the way in. Queries come from `query`, what stands in FROM from `from_item`, expressions from `flow`, statements from
`statement`; each construct registers itself with the one that meets it, which is why they are all imported here.
"""

from headwater.resolve import (
    collate,
    conditional,
    create,
    delete,
    function,
    generator,
    insert,
    lateral,
    merge,
    multi_insert,
    nested,
    no_lineage,
    parenthesis,
    pivot,
    query_statement,
    rows_from,
    select,
    set_operation,
    stream,
    subquery,
    table_parameter,
    update,
    use,
    values,
    window,
)
from headwater.resolve.session import Session
from headwater.resolve.statement import resolve

__all__ = [
    "Session",
    "collate",
    "conditional",
    "create",
    "delete",
    "function",
    "generator",
    "insert",
    "lateral",
    "merge",
    "multi_insert",
    "nested",
    "no_lineage",
    "parenthesis",
    "pivot",
    "query_statement",
    "resolve",
    "rows_from",
    "select",
    "set_operation",
    "stream",
    "subquery",
    "table_parameter",
    "update",
    "use",
    "values",
    "window",
]
