"""What stands behind a table's name and leaves the table what it is: FINAL, TABLESAMPLE; a version of it in time needs nothing at all.

A sample by a column, Hive's `TABLESAMPLE (BUCKET 1 OUT OF 8 ON id)`, has lineage of its own: the column chooses the rows.
So does a size that is computed, `TABLESAMPLE bernoulli ((SELECT max(x) FROM u))`.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import SAMPLE
from headwater.resolve.flow import flow
from headwater.resolve.from_item import from_item, hangs_on_item, stands_in_from
from headwater.resolve.scope import Scope


@stands_in_from(exp.Final)
def final(scope: Scope, node: Any) -> None:
    """ClickHouse's `t FINAL`: t, its rows merged."""
    from_item(scope, node.this)


@hangs_on_item("sample")
def sample(scope: Scope, node: Any, first: int) -> None:
    """A column that says which bucket a row falls into decides over the rows, and so does a size that is no number."""
    arguments = node.args["sample"].args
    field = arguments.get("bucket_field")
    if field is not None:
        flow(scope, exp.Column(this=field) if isinstance(field, exp.Identifier) else field, scope.rows, SAMPLE)
    for size in (arguments.get("percent"), arguments.get("size"), *(arguments.get("expressions") or ())):
        if isinstance(size, exp.Expr) and not isinstance(size, (exp.Literal, exp.Var)):
            flow(scope, size, scope.rows, SAMPLE)
