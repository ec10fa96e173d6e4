"""GoogleSQL's own analyzer as an engine: BigQuery's statements are analysed in a process of its own, and the resolved tree is read.

In the analyzer's process, `wasm` holds the analyzer, `service` has it analyse, `type_text` and `message` speak its language. In this one,
`engine` asks, `scan` and the modules of scans and expressions read trees (`tree`) into columns and edges, the modules of statements
write what a statement writes, and `statement` puts it all together: one statement to its resolution, as `headwater.resolve` does it.
"""

from headwater.analyzers.zetasql import (  # noqa: F401 - each registers what it reads
    aggregate,
    conditional,
    cte,
    filtering,
    join,
    nested,
    ordering,
    pivot,
    project,
    relation,
    set_operation,
    subquery,
    unnest,
    update,
    window,
    with_expression,
    writing,
)
from headwater.analyzers.zetasql.engine import GoogleSql, GoogleSqlUnavailable, google_sql
from headwater.analyzers.zetasql.statement import analysed

__all__ = ["GoogleSql", "GoogleSqlUnavailable", "analysed", "google_sql"]
