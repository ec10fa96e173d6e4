"""Commands that changed rows: UPDATE, DELETE, MERGE; and commands that are only the outside of another one."""

from __future__ import annotations

from typing import Any

from headwater.analyzers.catalyst.executed.commands import Executed, executes
from headwater.analyzers.catalyst.merge import merge_into
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.update import delete_rows, update_table
from headwater.resolve.statement import Outcome


@executes("UpdateTable")
def update(work: Executed, plan: Any, node: Node) -> Outcome:
    """UPDATE."""
    return update_table(work, node)


@executes("DeleteFromTable")
def delete(work: Executed, plan: Any, node: Node) -> Outcome:
    """DELETE."""
    return delete_rows(work, node)


@executes("MergeIntoTable")
def merge(work: Executed, plan: Any, node: Node) -> Outcome:
    """MERGE."""
    return merge_into(work, node)


WRAPPERS = frozenset(
    {
        *("SaveAsV1TableCommand", "InsertIntoDataSourceDirCommand", "CreateHiveTableAsSelectCommand"),
        *("OptimizedCreateHiveTableAsSelectCommand", "CacheTableAsSelect"),
    }
)
"""Commands that let another one do their work. That one has an execution of its own, which tells more."""


@executes(
    *sorted(WRAPPERS),
    *("CacheTable", "UncacheTable"),
    *("DeserializeToObject", "CommandResult", "ExplainCommand", "DescribeQueryCommand"),
    *("WriteToMicroBatchDataSource", "WriteToMicroBatchDataSourceV1", "WriteToContinuousDataSource"),
)
def outside(work: Executed, plan: Any, node: Node) -> None:
    """No jobs of their own.

    These are wrappers, commands that only ask, and batches of a stream, which is read as a whole.
    """
