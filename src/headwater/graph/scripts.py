"""The scripts of a snapshot, as it keeps them: without their secrets.

What is small about them is read once; a text only when somebody asks, and then only the part of the table in which it lies.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate

import numpy as np
import pyarrow as pa
import pyarrow.dataset as ds

from headwater.graph.files import STATEMENT_FIELDS, Arrays, Ints
from headwater.graph.names import UnknownName
from headwater.graph.records import Process, Records
from headwater.graph.search import matching
from headwater.model.span import LineIndex, Position
from headwater.store import Snapshot

_BETWEEN = ";\n"
_FIELDS = ["script_id", "path", "kind", "dialect", "statements"]


@dataclass(frozen=True, slots=True)
class Script:
    """A script, or a distinct statement of a log."""

    id: int
    path: str
    kind: str
    dialect: str
    statements: int


@dataclass(frozen=True, slots=True)
class Standing:
    """A statement where it stands in a script."""

    process: Process | None
    start: Position
    end: Position


@dataclass(frozen=True, slots=True)
class Text:
    """Some lines of a script, from a line on, and the statements that stand there."""

    script: Script
    text: str
    first_line: int
    total_lines: int
    statements: tuple[Standing, ...]


class Scripts:
    """The scripts of a snapshot, by path."""

    def __init__(self, snapshot: Snapshot, arrays: Arrays, records: Records) -> None:
        self._snapshot = snapshot
        self._arrays = arrays
        self._records = records

    @cached_property
    def _table(self) -> pa.Table:
        """All scripts in order of their paths, each with the number of its row."""
        table = self._snapshot.table("scripts", _FIELDS)
        table = table.append_column("row", pa.array(np.arange(table.num_rows)))
        return table.sort_by([("path", "ascending"), ("script_id", "ascending")]).combine_chunks()

    @cached_property
    def _places(self) -> dict[int, int]:
        """Where each script stands in the table, by its id."""
        return {id: at for at, id in enumerate(self._table.column("script_id").to_pylist())}

    def path(self, id: int) -> str | None:
        """The path of a script, if there is one of that id."""
        at = self._places.get(id)
        return None if at is None else self._table.column("path")[at].as_py() or ""

    def page(self, like: str | None, limit: int, offset: int) -> tuple[int, list[Script]]:
        """Scripts by path, those like a part of a path or a pattern; and how many there are."""
        table = self._table
        if like is not None:
            table = table.filter(pa.array(matching(table.column("path").combine_chunks(), like)))
        return table.num_rows, [self._script(row) for row in table.slice(offset, limit).to_pylist()]

    def _script(self, row: dict[str, object]) -> Script:
        path, kind, dialect = (str(row[name] or "") for name in ("path", "kind", "dialect"))
        return Script(int(str(row["script_id"])), path, kind, dialect, int(str(row["statements"] or 0)))

    def text(self, id: int, line: int, most: int) -> Text:
        """A script's text; of one with more lines, so many around a line."""
        at = self._places.get(id)
        if at is None:
            raise UnknownName(f"there is no script {id}")
        row = self._table.slice(at, 1).to_pylist()[0]
        standing = self._standing(id)
        text = self._read(int(row["row"]))
        if text is None:
            text, statements = self._put_together(standing)
        else:
            lines = LineIndex(text)
            statements = [self._stands(each, lines, len(text)) for each in standing]
        return _part(self._script(row), text, statements, line, most)

    def _put_together(self, standing: list[dict[str, int]]) -> tuple[str, list[Standing]]:
        """A text for what the store has none of, a log's entry or a project's file: its statements, one after the other.

        They stand there in other lines than in the file.
        """
        ids = list(dict.fromkeys(each["process_id"] for each in standing))
        texts = [self._records.process_text(id) for id in ids]
        starts = [0, *accumulate(len(each) + len(_BETWEEN) for each in texts)]
        text = _BETWEEN.join(texts)
        lines = LineIndex(text)
        stretches = zip(ids, texts, starts, strict=False)
        return text, [
            Standing(self._records.process_of(id), lines.position(start), lines.position(start + len(own)))
            for id, own, start in stretches
        ]

    def _read(self, row: int) -> str | None:
        """The text in a row of the table, from the one row group that has it."""
        fragments, first = self._fragments, self._row_groups
        at = int(np.searchsorted(first, row, "right")) - 1
        part = fragments[at].to_table(columns=["text"])
        found: str | None = part.column("text")[row - int(first[at])].as_py()
        return found

    @cached_property
    def _fragments(self) -> list[ds.ParquetFileFragment]:
        return self._snapshot.dataset("scripts").row_groups()

    @cached_property
    def _row_groups(self) -> Ints:
        """The first row of each row group."""
        return np.cumsum([0, *(fragment.count_rows() for fragment in self._fragments)])[:-1]

    def _standing(self, id: int) -> list[dict[str, int]]:
        """A script's statements, in order."""
        of = self._arrays.statement_script
        own = slice(*(int(np.searchsorted(of, id, side)) for side in ("left", "right")))
        return [dict(zip(STATEMENT_FIELDS, row, strict=True)) for row in self._arrays.statement_fields[own].tolist()]

    def _stands(self, row: dict[str, int], lines: LineIndex, size: int) -> Standing:
        start = Position(row["line"] or 1, row["column"] or 1)
        end = lines.position(min(max(row["end"], 0), size))
        return Standing(self._records.process_of(row["process_id"]), start, max(start, end))


def _part(script: Script, text: str, statements: list[Standing], line: int, most: int) -> Text:
    """So many lines of a text around a line, and the statements that stand there."""
    lines, total = LineIndex(text), text.count("\n") + 1
    first = max(1, min(line - most // 2, total - most + 1))
    last = min(total, first + most - 1)
    shown = tuple(each for each in statements if each.end.line >= first and each.start.line <= last)
    return Text(script, text[lines.line(first).start : lines.line(last).end], first, total, shown)
