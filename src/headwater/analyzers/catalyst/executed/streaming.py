"""A stream that was started, to its resolution: what its batches will do, as its plan says."""

from __future__ import annotations

import re
from typing import Any

from headwater.analyzers.catalyst.executed.commands import Executed, Known
from headwater.analyzers.catalyst.executed.resolution import Fetched, NoJob, completed, new_builder
from headwater.analyzers.catalyst.jvm import Jvm, refusals
from headwater.analyzers.catalyst.places import Place, local, place_of, table_at
from headwater.model.resolution import Resolution
from headwater.resolve.builder import Table
from headwater.resolve.statement import Outcome

_FILES = re.compile(r"File(?:Stream)?Sink\[(.*)\]")
_BEGUN = 10_000
"""Milliseconds until a stream that was started has begun."""
_PROGRAMS = ("ForeachBatchSink", "ForeachWriterTable", "PythonForeach", "ForeachSink")
"""Sinks that hand rows to a program: what that does with them are jobs of their own, or nobody's business."""


def resolution_of_stream(jvm: Jvm, execution: Any, fetched: Fetched, known: Known) -> Resolution:
    """What a stream does; `NoJob` if its batches go to a program."""
    sink = execution.sink()
    if str(sink.getClass().getSimpleName()).startswith(_PROGRAMS):
        raise NoJob
    builder = new_builder()
    work = Executed(jvm, builder, fetched.places, known)
    result = work.query(fetched.node(jvm), "insert-select")
    table = _written(jvm, work, execution)
    if table is None:
        return completed(builder, Outcome("Select", result))
    work.write(table, [name for name, _ in result.outputs], result)
    return completed(builder, Outcome("Insert"))


def _written(jvm: Jvm, work: Executed, execution: Any) -> Table | None:
    """The table or the files that a stream writes; None if it only shows its rows."""
    place = _table(jvm, execution)
    if place is not None:
        return work.owners.at(place)[0]
    files = _FILES.fullmatch(str(execution.sink().toString()))
    return work.owners.path(local(files[1]), "") if files is not None else None


def _table(jvm: Jvm, execution: Any) -> Place | None:
    """The table of a stream that has one, which is in the plan that Spark makes of it once it has begun."""
    with refusals():
        execution.awaitInitialization(_BEGUN)
        plan = execution.logicalPlan()
    kind = str(plan.getClass().getSimpleName())
    if kind == "WriteToMicroBatchDataSourceV1" and plan.catalogTable().isDefined():
        return table_at(plan.catalogTable().get().identifier())
    if kind == "WriteToMicroBatchDataSource" and plan.relation().isDefined():
        return place_of(jvm, plan.relation().get())
    return None
