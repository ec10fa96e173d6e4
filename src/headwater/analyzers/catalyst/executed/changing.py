"""Commands that changed rows, which the engine reads as well; and commands that are only the outside of another one."""

from __future__ import annotations

from typing import Any

from headwater.analyzers.catalyst import delta, merge, rewritten, update  # noqa: F401 - each registers what it reads
from headwater.analyzers.catalyst.changes import changes
from headwater.analyzers.catalyst.executed.commands import Executed, executes
from headwater.analyzers.catalyst.plan import Node

executes.handlers.update(changes.handlers)


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
    *("RestoreTableCommand", "OptimizeTableCommand"),
    *("WriteToMicroBatchDataSource", "WriteToMicroBatchDataSourceV1", "WriteToContinuousDataSource"),
)
def outside(work: Executed, plan: Any, node: Node) -> None:
    """No jobs of their own.

    These are wrappers, commands that only ask, commands that leave a table its own rows, and batches of a stream, which is read as a
    whole.
    """
