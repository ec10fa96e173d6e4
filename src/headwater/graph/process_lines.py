"""The lines that places in a process count in: those of its text; of a process that a template makes those of the template."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from headwater.model.span import LineIndex
from headwater.store import Snapshot

_OF_PROJECTS = "project"
"""The kind of scripts that are files of projects."""

LINES = pa.list_(pa.int32())


def lines_of(process: Mapping[str, Any]) -> tuple[LineIndex, int]:
    """The lines of a process, by its row, and how many characters it has."""
    text, lines = process["text"] or "", process["lines"]
    if lines is None:
        return LineIndex(text), len(text)
    size = process["size"] or 0
    return LineIndex.of_starts([0, *lines], size), size


class TemplateLines:
    """The lines of templates, of which a snapshot has the text."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._texts: dict[int, str] = {}
        self._starts: dict[int, list[int]] = {}
        if _OF_PROJECTS in snapshot.table("scripts", ["kind"]).column("kind").unique().to_pylist():
            templates = (ds.field("kind") == _OF_PROJECTS) & ds.field("text").is_valid()
            table = snapshot.dataset("scripts").to_table(columns=["script_id", "text"], filter=templates)
            self._texts.update(zip(table.column(0).to_pylist(), table.column(1).to_pylist(), strict=True))

    def columns(self, places: pa.Table) -> dict[str, pa.Array]:
        """For places of processes, `lines`: the offsets of their lines but the first, and `size`; null where no template makes them."""
        lines: list[list[int] | None] = [None] * places.num_rows
        sizes: list[int | None] = [None] * places.num_rows
        own = pc.is_in(places.column("script_id"), value_set=pa.array(list(self._texts), pa.int64()))
        rows = pc.indices_nonzero(own)
        stretches = (places.column(name).take(rows).to_pylist() for name in ("script_id", "start", "end"))
        for row, script, start, end in zip(rows.to_pylist(), *stretches, strict=True):
            lines[row], sizes[row] = self._of(script, start or 0, end or 0), (end or 0) - (start or 0)
        return {"lines": pa.array(lines, LINES), "size": pa.array(sizes, pa.int32())}

    def _of(self, script: int, start: int, end: int) -> list[int]:
        if script not in self._starts:
            self._starts[script] = list(LineIndex(self._texts[script]).starts)
        return [line - start for line in self._starts[script] if start < line < end]
