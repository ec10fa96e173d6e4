"""A store's snapshot as a project: its diagnostics, its texts, and what its graph and definitions say.

Places come from the snapshot's lines and columns, which are those of the files. Its texts are without secrets, so that offsets may not fit
them: a text is shown, and an end is known, only where both agree.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from headwater.check.finding import Where
from headwater.check.project import Definition, Said, ScriptText, UnknownStar
from headwater.check.scripts import STAR
from headwater.graph import Graph
from headwater.lineage.lineage import Lineage
from headwater.model.diagnostic import Code
from headwater.model.entity import EntityKind
from headwater.model.span import BEGINNING, LineIndex, Position, Span
from headwater.store import Snapshot, StoreError
from headwater.tags.governance import Governance

_NO_OWNERS = (EntityKind.RESULT_SET.value, EntityKind.ORPHAN.value)
_TEMPLATE = "project"
"""The kind of scripts that are files of a project: those with a text are templates of SQL."""
Row = dict[str, Any]


class StoredProject:
    """A snapshot, the graph of an earlier state if there is one to compare with, and the policy on tags if there is one."""

    def __init__(self, graph: Graph, earlier: Graph | None = None, governance: Governance | None = None) -> None:
        self.graph = graph
        self.earlier = earlier
        self.governance = governance
        self._scripts: dict[int, Row] = {}
        self._lines: dict[int, LineIndex] = {}

    @property
    def stored(self) -> StoredProject:
        """What only a store knows."""
        return self

    @property
    def snapshot(self) -> Snapshot:
        """The snapshot."""
        return self.graph.snapshot

    def paths(self) -> frozenset[str]:
        """The paths of all scripts."""
        return frozenset(self.snapshot.table("scripts", ["path"]).column("path").to_pylist())

    def diagnostics(self) -> Iterator[Said]:
        """What was said of the scripts."""
        rows = self.snapshot.table("diagnostics").to_pylist()
        numbers = self._statements("statement_id", {row["statement_id"] for row in rows})
        statements = {each["statement_id"]: each for each in numbers}
        self._load({row["script_id"] for row in rows})
        for row in rows:
            statement = statements.get(row["statement_id"], {})
            where = self._where(row, statement.get("ordinal"))
            words = (row["message"], row["subject"] or "", row["hint"] or "")
            yield Said(_code(row["code"]), *words, where, statement.get("query_hash") or "")

    def stars(self) -> Iterator[UnknownStar]:
        """The `*` over tables whose columns nobody knows."""
        read = self._star_relations()
        statements = self._statements("process_id", {process for process, _ in read})
        self._load({each["script_id"] for each in statements})
        hashes = self._process_hashes({process for process, _ in read})
        by_process: dict[int, list[Row]] = {}
        for each in statements:
            by_process.setdefault(each["process_id"], []).append(each)
        for (process, table), (start, end) in read.items():
            for each in by_process.get(process, ()):
                exact = start is not None and hashes.get(process) == each["query_hash"]
                where = self._inside(each, start, end) if exact else self._where(each, each["ordinal"])
                yield UnknownStar(table, where, each["query_hash"])

    def texts(self, wanted: Collection[int], word: str) -> Mapping[int, ScriptText]:
        """The scripts of these keys, and those in which a word occurs."""
        marked = self.snapshot.dataset("scripts").to_table(
            columns=["script_id"], filter=pc.match_substring(ds.field("text"), word)
        )
        keys = {*wanted, *marked.column("script_id").to_pylist()}
        self._load(keys)
        starts: dict[int, dict[Position, int]] = {key: {} for key in keys}
        for each in self._statements("script_id", keys):
            starts[each["script_id"]][Position(each["line"], each["column"])] = each["ordinal"]
        return {key: self._text(key, starts[key]) for key in keys if key in self._scripts}

    def _text(self, key: int, starts: dict[Position, int]) -> ScriptText:
        row = self._scripts[key]
        text: str = row["text"] or ""
        shown = Lineage([], text, row["path"], lambda start, end: text[start:end])
        return ScriptText(row["path"], text, self._dialect(row), shown, starts)

    def _dialect(self, row: Row) -> str:
        """The dialect of a script's text; of a template that of a statement that it makes."""
        if row["kind"] != _TEMPLATE:
            return row["dialect"] or "spark"
        statements = self._statements("script_id", [row["script_id"]])
        processes = ds.field("process_id").isin(pa.array([each["process_id"] for each in statements], pa.int64()))
        found = self.snapshot.dataset("processes").to_table(columns=["dialect"], filter=processes).column(0).to_pylist()
        return min((name for name in found if name), default="ansi")

    @cached_property
    def _makers(self) -> dict[int, int]:
        rows = self.snapshot.dataset("entities").to_table(
            columns=["entity_id", "defined_by"], filter=ds.field("defined_by") != 0
        )
        return dict(zip(rows.column(0).to_pylist(), rows.column(1).to_pylist(), strict=True))

    def makers(self) -> Mapping[int, int]:
        """The process that defines each entity, by their ids."""
        return self._makers

    def definitions(self) -> Mapping[int, Definition]:
        """The entities that the corpus defines, by id, with what their definitions read."""
        reads: dict[int, dict[int, None]] = {id: {} for id in self._makers}
        for source, target, process in self._entity_relations():
            if self._makers.get(target) == process:
                reads[target][source] = None
        rows = self.snapshot.dataset("entities").to_table(
            columns=["entity_id", "name", "kind"], filter=ds.field("defined_by") != 0
        )
        return {
            row["entity_id"]: Definition(
                row["name"], row["kind"] == EntityKind.VIEW, tuple(sorted(reads[row["entity_id"]]))
            )
            for row in rows.to_pylist()
        }

    def _entity_relations(self) -> Iterator[tuple[int, int, int]]:
        """Which entity is read for which other, by which of the processes that define something."""
        processes = pa.array(sorted(set(self._makers.values())), pa.int64())
        pairs = self.snapshot.dataset("relations").to_table(
            columns=["source_id", "target_id", "process_id"], filter=ds.field("process_id").isin(processes)
        )
        owners = self.snapshot.table("columns", ["column_id", "entity_id"])
        for end in ("source", "target"):
            named = owners.rename_columns([f"{end}_id", end])
            pairs = pairs.join(named, f"{end}_id")
        found = pairs.group_by(["source", "target", "process_id"]).aggregate([]).to_pylist()
        for row in found:
            yield row["source"], row["target"], row["process_id"]

    def places(self, processes: Collection[int]) -> Mapping[int, Where]:
        """The first place of each of these processes."""
        found = self._statements("process_id", processes)
        self._load({each["script_id"] for each in found})
        found.sort(key=lambda each: (self._scripts[each["script_id"]]["path"], each["ordinal"]), reverse=True)
        return {each["process_id"]: self._first_line(self._where(each, each["ordinal"])) for each in found}

    def _first_line(self, where: Where) -> Where:
        """A statement's first line: what is said of the whole need not show it."""
        if where.span is None or where.end is None or where.start is None or where.end.line == where.start.line:
            return where
        text = self._scripts[where.script]["text"]
        line = self._index(where.script).line(where.start.line)
        span = Span(where.span.start, line.start + len(text[line.start : line.end].rstrip()))
        return replace(where, span=span, end=self._index(where.script).position(span.end))

    def _star_relations(self) -> dict[tuple[int, str], tuple[int | None, int | None]]:
        """Processes and the unknown tables that they read through `*`, with the place of that in the process's text."""
        entities = self.snapshot.table("entities", ["entity_id", "name", "kind"]).to_pylist()
        names = {row["entity_id"]: row["name"] for row in entities if row["kind"] not in _NO_OWNERS}
        columns = self.snapshot.dataset("columns").to_table(
            columns=["column_id", "entity_id"], filter=ds.field("name") == STAR
        )
        stars = {row["column_id"]: row["entity_id"] for row in columns.to_pylist() if row["entity_id"] in names}
        relations = self.snapshot.dataset("relations").to_table(
            columns=["source_id", "process_id", "start", "end"],
            filter=ds.field("source_id").isin(pa.array(sorted(stars), pa.int64())),
        )
        found: dict[tuple[int, str], tuple[int | None, int | None]] = {}
        rows = relations.to_pylist()
        for row in sorted(rows, key=lambda row: (row["start"] is None, row["start"] or 0, row["end"] or 0)):
            found.setdefault((row["process_id"], names[stars[row["source_id"]]]), (row["start"], row["end"]))
        return found

    def _process_hashes(self, processes: Collection[int]) -> dict[int, str]:
        ids = pa.array(sorted(processes), pa.int64())
        rows = self.snapshot.dataset("processes").to_table(
            columns=["process_id", "query_hash"], filter=ds.field("process_id").isin(ids)
        )
        return dict(zip(rows.column(0).to_pylist(), rows.column(1).to_pylist(), strict=True))

    def _statements(self, key: str, wanted: Collection[int]) -> list[Row]:
        ids = pa.array(sorted(wanted), pa.int64())
        found: list[Row] = self.snapshot.dataset("statements").to_table(filter=ds.field(key).isin(ids)).to_pylist()
        return found

    def _load(self, scripts: Collection[int]) -> None:
        """Have scripts at hand."""
        missing = pa.array(sorted(set(scripts) - self._scripts.keys()), pa.int64())
        if len(missing):
            rows = self.snapshot.dataset("scripts").to_table(
                columns=["script_id", "path", "kind", "dialect", "text"], filter=ds.field("script_id").isin(missing)
            )
            self._scripts.update((row["script_id"], row) for row in rows.to_pylist())

    def _index(self, script: int) -> LineIndex:
        if script not in self._lines:
            self._lines[script] = LineIndex(self._scripts[script]["text"] or "")
        return self._lines[script]

    def _where(self, row: Row, ordinal: int | None) -> Where:
        """The place that a row tells, as far as the script's text vouches for it."""
        script, start = row["script_id"], Position(row["line"], row["column"])
        path, text = self._scripts[script]["path"], self._scripts[script]["text"] or ""
        span = Span(row["start"] or 0, row["end"] or 0)
        fits = span.end <= len(text) and self._index(script).position(span.start) == start
        if ordinal is None and span == (0, 0) and start == BEGINNING:
            return Where(script, path, None)
        if not fits or span.end <= span.start:
            return Where(script, path, start, statement=ordinal)
        return Where(script, path, start, self._index(script).position(span.end), span, ordinal)

    def _inside(self, statement: Row, start: int | None, end: int | None) -> Where:
        """A place inside of a statement; the statement's own where its script's text does not fit."""
        whole = self._where(statement, statement["ordinal"])
        if whole.span is None or start is None or end is None or whole.span.start + end > whole.span.end:
            return whole
        span = Span(whole.span.start + start, whole.span.start + end)
        index = self._index(whole.script)
        return Where(
            whole.script, whole.path, index.position(span.start), index.position(span.end), span, whole.statement
        )


def _code(name: str) -> Code:
    try:
        return Code(name)
    except ValueError as error:
        raise StoreError(f"the store speaks of {name}, which this version does not know: build it anew") from error
