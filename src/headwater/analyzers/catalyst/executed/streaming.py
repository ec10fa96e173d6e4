"""A stream that was started, to its resolution: what its batches will do, as its plan says."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from headwater.analyzers.catalyst.executed.commands import Executed
from headwater.analyzers.catalyst.executed.places import local
from headwater.analyzers.catalyst.executed.resolution import Fetched, NoJob, completed, new_builder
from headwater.analyzers.catalyst.jvm import Jvm
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.select import Ids
from headwater.model.resolution import Resolution
from headwater.resolve.statement import Outcome

_FILES = re.compile(r"File(?:Stream)?Sink\[(.*)\]")
_PROGRAMS = ("ForeachBatchSink", "ForeachWriterTable", "PythonForeach", "ForeachSink")
"""Sinks that hand rows to a program: what that does with them are jobs of their own, or nobody's business."""


def resolution_of_stream(jvm: Jvm, execution: Any, fetched: Fetched, origins: Mapping[Ids, Node]) -> Resolution:
    """What a stream does; `NoJob` if its batches go to a program."""
    sink = execution.sink()
    if str(sink.getClass().getSimpleName()).startswith(_PROGRAMS):
        raise NoJob
    builder = new_builder()
    work = Executed(jvm, builder, fetched.places, origins)
    result = work.query(fetched.node(jvm), "insert-select")
    written = _FILES.fullmatch(str(sink.toString()))
    if written is None:
        return completed(builder, Outcome("Select", result))
    work.write(work.owners.path(local(written[1]), ""), [name for name, _ in result.outputs], result)
    return completed(builder, Outcome("Insert"))
