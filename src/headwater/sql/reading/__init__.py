"""Readers of our own, for statements that the grammar rejects or swallows whole.

A reader looks at the tokens of one statement and gives a tree: either the grammar's own, from tokens without the parts that it
does not know, or a form of ours (`form`). It returns None for a statement that is not its own. One module per family of statements; each
registers its readers with `reads` under the words that begin the statement.
"""

from headwater.sql.reading import (
    alter_columns,
    apply_changes,
    create_as,
    create_function,
    create_model,
    create_stage,
    create_stream,
    create_table,
    explain,
    external_table,
    merge,
    metric_view,
    no_data,
    no_lineage,
    rename,
    returning,
    scheduled,
    script_control,
    semantic_view,
    sp_rename,
    statement_chain,
    table_source,
    transfer,
    truncate,
    unknown_object,
    with_functions,
)
from headwater.sql.reading.reading import Reading, read, read_first

__all__ = [
    "Reading",
    "alter_columns",
    "apply_changes",
    "create_as",
    "create_function",
    "create_model",
    "create_stage",
    "create_stream",
    "create_table",
    "explain",
    "external_table",
    "merge",
    "metric_view",
    "no_data",
    "no_lineage",
    "read",
    "read_first",
    "rename",
    "returning",
    "scheduled",
    "script_control",
    "semantic_view",
    "sp_rename",
    "statement_chain",
    "table_source",
    "transfer",
    "truncate",
    "unknown_object",
    "with_functions",
]
