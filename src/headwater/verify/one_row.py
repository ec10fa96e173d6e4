"""Queries whose result has one row whatever the data: rows neither come nor go there, so no source can be shown to decide over them.

```sql
SELECT count(*), max(a) FROM t WHERE b > 0
SELECT x.n / y.n FROM (SELECT count(*) AS n FROM t) AS x, (SELECT count(*) AS n FROM u) AS y
```
"""

from __future__ import annotations

from sqlglot import exp

_CHOOSING = ("group", "having", "qualify", "offset", "laterals")


def has_one_row(query: exp.Expr) -> bool:
    """Whether a query aggregates all rows into one, or puts such rows side by side."""
    if isinstance(query, exp.Subquery):
        return not query.args.get("joins") and has_one_row(query.this)
    if not isinstance(query, exp.Select) or any(query.args.get(part) for part in _CHOOSING) or _is_cut(query):
        return False
    if any(each.find(exp.UDTF) for each in query.selects):
        return False
    return _aggregates(query) or _is_of_single_rows(query)


def _is_cut(query: exp.Select) -> bool:
    """Whether a limit leaves nothing, or might."""
    limit = query.args.get("limit")
    count = limit.expression if isinstance(limit, exp.Limit) else None
    return limit is not None and not (isinstance(count, exp.Literal) and count.is_int and int(count.this) > 0)


def _aggregates(query: exp.Select) -> bool:
    aggregates = (each for output in query.selects for each in output.find_all(exp.AggFunc))
    return any(not isinstance(each.parent, exp.Window) and each.parent_select is query for each in aggregates)


def _is_of_single_rows(query: exp.Select) -> bool:
    first = query.args.get("from_")
    joins = query.args.get("joins") or []
    if first is None or query.args.get("where") or any(set(join.args) & {"on", "using"} for join in joins):
        return False
    return all(isinstance(each.this, exp.Subquery) and has_one_row(each.this) for each in [first, *joins])
