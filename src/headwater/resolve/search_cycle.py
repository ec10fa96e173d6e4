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


def add_search_and_cycle(builder: Builder, clause: Any, result: ResultSet) -> None:
    """Add the columns of a WITH's SEARCH and CYCLE clauses to the CTE that they follow."""
    fold = builder.dialect.column
    for node in (clause.args.get("search"), clause.args.get("cycle")):
        if not node:
            continue
        if not isinstance(node.args.get("expression"), exp.Identifier):
            builder.say(Code.UNSUPPORTED_CONSTRUCT, "the clause names no column that it adds", node, "cycle")
            continue
        by, named = fold(node.this), node.args["expression"]
        # The parser files a CYCLE without a SEARCH before it under SEARCH; the kind tells.
        if str(node.args.get("kind")).upper() != "CYCLE":
            _add(builder, result, by, named, TRANSFORMATION)
            continue
        _add(builder, result, by, named, CASE_WHEN)
        if node.args.get("using"):
            _add(builder, result, by, node.args["using"], TRANSFORMATION)
        builder.edges.append((result.rows, _source(builder, result, by, node), WHERE, node))


def _add(builder: Builder, result: ResultSet, by: str, named: Any, kind: int) -> None:
    place = exp.Column(this=named)
    name = builder.dialect.column(named)
    source = _source(builder, result, by, place)
    builder.edges.append((result.add(name, place), source, kind, place))


def _source(builder: Builder, result: ResultSet, name: str, place: Any) -> int:
    """The column that a clause goes by; an orphan if the CTE has none of that name."""
    found = result.columns.get(name)
    return builder.orphan(name, place) if found is None else found
