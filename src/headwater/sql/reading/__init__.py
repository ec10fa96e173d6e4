"""Readers of our own, for statements that the grammar rejects or swallows whole.

A reader looks at the tokens of one statement and gives a tree: either the grammar's own, from tokens without the parts that it
does not know, or a form of ours (`form`). It returns None for a statement that is not its own. One module per family of statements; each
registers its readers with `reads` under the words that begin the statement.
"""

from headwater.sql.reading import (
    create_as,
    create_other,
    explain,
    external_table,
    rename,
    returning,
    script_control,
    table_elements,
    transfer,
)
from headwater.sql.reading.reading import Reading, read, read_first

__all__ = [
    "Reading",
    "create_as",
    "create_other",
    "explain",
    "external_table",
    "read",
    "read_first",
    "rename",
    "returning",
    "script_control",
    "table_elements",
    "transfer",
]
