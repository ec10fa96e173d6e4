"""SEARCH and CYCLE of a recursive CTE: columns that the clauses add to its result.

```sql
WITH RECURSIVE r AS (…) SEARCH DEPTH FIRST BY id SET ord CYCLE id SET looped USING path SELECT …
-- ord and path are made of id, looped tests it
```
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import CASE_WHEN, TRANSFORMATION, WHERE
from headwater.resolve.builder import Builder
from headwater.resolve.scope import ResultSet

Sources = list[tuple[int, Any]]
"""Columns that a clause goes by, with their places."""


def add_search_and_cycle(builder: Builder, clause: Any, result: ResultSet) -> None:
    """Add the columns of a WITH's SEARCH and CYCLE clauses to the CTE that they follow."""
    for node in (clause.args.get("search"), clause.args.get("cycle")):
        if not node:
            continue
        if not isinstance(node.args.get("expression"), exp.Identifier):
            builder.say(Code.UNSUPPORTED_CONSTRUCT, "the clause names no column that it adds", node, "cycle")
            continue
        sources, named = _sources(builder, result, node), node.args["expression"]
        # The parser files a CYCLE without a SEARCH before it under SEARCH; the kind tells.
        if str(node.args.get("kind")).upper() != "CYCLE":
            _add(builder, result, sources, named, TRANSFORMATION)
            continue
        _add(builder, result, sources, named, CASE_WHEN)
        if node.args.get("using"):
            _add(builder, result, sources, node.args["using"], TRANSFORMATION)
        builder.edges.extend((result.rows, source, WHERE, place) for source, place in sources)


def _sources(builder: Builder, result: ResultSet, node: Any) -> Sources:
    """The columns that a clause goes by; an orphan for each that the CTE lacks. Several stand behind TO (`sql.respell.refused`)."""
    listed = node.args.get("to")
    several = isinstance(listed, (exp.Tuple, exp.Paren))
    columns = listed.find_all(exp.Column) if several else [exp.Column(this=node.this)]
    found = []
    for column in columns:
        name = builder.dialect.column(column.this)
        known = result.columns.get(name)
        found.append((builder.orphan(name, column) if known is None else known, column))
    return found


def _add(builder: Builder, result: ResultSet, sources: Sources, named: Any, kind: int) -> None:
    added = result.add(builder.dialect.column(named), exp.Column(this=named))
    builder.edges.extend((added, source, kind, place) for source, place in sources)
