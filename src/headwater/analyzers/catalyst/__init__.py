"""Spark's own analyzer as an engine: statements are parsed and analysed by a Spark, never run, and the analysed plan is read.

`session` has the Spark and makes our tables known to it, `plan` turns its JSON into trees, `select` and the modules of the operators
and expressions read them into columns and edges, the modules of the commands write what a statement writes, and `statement`
puts it all together: one statement to its resolution, as `headwater.resolve` does it without Spark. `executed` does the same with
plans that somebody's Spark has executed.
"""

from headwater.analyzers.catalyst import (  # noqa: F401 - each registers what it reads
    aggregate,
    alias,
    changing,
    conditional,
    cte,
    delta,
    executed,
    filtering,
    generate,
    join,
    merge,
    nested,
    opaque,
    ordering,
    pivot,
    project,
    relation,
    rewritten,
    set_operation,
    subquery,
    unpivot,
    update,
    variant,
    view,
    window,
    writing,
)
from headwater.analyzers.catalyst.session import Catalyst, catalyst
from headwater.analyzers.catalyst.statement import analysed

__all__ = ["Catalyst", "analysed", "catalyst"]
