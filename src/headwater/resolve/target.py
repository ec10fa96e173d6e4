"""What a statement changes: the table node behind whatever stands in its place.

The parser accepts more than tables there: parentheses, queries, function calls. What names no table becomes a table called
`?`, and is said, so that the rest of the statement keeps its lineage.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.resolve.builder import Builder, Table
from headwater.resolve.location import files, path_of_table

_NAMED = (exp.Table, exp.Directory)


def changed(builder: Builder, node: Any) -> Any:
    """The table node that an INSERT, UPDATE, DELETE or MERGE names: `t` of `t (a, b)`, of `(t)`, of `t` itself."""
    named = node
    while isinstance(named, (exp.Schema, exp.Subquery, exp.Paren)):
        named = named.this
    if isinstance(named, _NAMED) and isinstance(named.this, exp.Expr) and not isinstance(named.this, exp.Func):
        return named
    what = _described(named)
    builder.say(Code.UNSUPPORTED_CONSTRUCT, f"{what} is not understood as the table to change", node or None, what)
    return exp.Table(this=exp.Identifier(this="?", quoted=True))


def owner_of(builder: Builder, node: Any) -> Table:
    """The table that a table node names, or the files of ``delta.`/p` ``."""
    path = path_of_table(builder, node) if isinstance(node, exp.Table) else None
    return files(builder, path, named=True) if path is not None else builder.table(node)


def _described(node: Any) -> str:
    if isinstance(node, exp.Table):
        node = node.this
    if isinstance(node, exp.Func):
        return "a function"
    if isinstance(node, exp.Query):
        return "a query"
    return str(node.key) if isinstance(node, exp.Expr) else "nothing"
