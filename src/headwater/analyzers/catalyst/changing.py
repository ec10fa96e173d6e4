"""UPDATE, DELETE and MERGE: Spark analyses them as a whole, and what it makes of them depends on the table (see `changes`)."""

from __future__ import annotations

from typing import Any

from headwater.analyzers.catalyst.changes import changes, written_in
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.rewritten import insert_of_merge
from headwater.analyzers.catalyst.work import Work, commands
from headwater.analyzers.select import Unread
from headwater.resolve.statement import Outcome

CHANGES = ("UpdateTable", "DeleteFromTable", "MergeIntoTable")
"""The commands as Spark's parser gives them."""


@commands(*CHANGES)
def change_rows(work: Work, plan: Any, node: Node) -> Outcome:
    """A parsed command; *plan* is the statement with the WITH that may stand around it."""
    work.assigned = written_in(node)
    analysed, read = work.analysed(plan)
    reader = changes.handlers.get(read.name)
    target = read.tree("table")
    if read.name == "AppendData" and target is not None:
        outcome = insert_of_merge(work, target, read.children[0])
    else:
        outcome = reader(work, analysed, read) if reader is not None else None
    if outcome is None:
        raise Unread(f"the command {read.name}")
    return outcome
