"""The memo: what a build has computed from which inputs, kept in its snapshot for the next build.

    memo-sources      the stamps of files and logs: one with the same stamp is not read again
    memo-scripts      what is known of scripts, with their keys: one with the same key is not cut again
    cuts              what scripts were cut into, in chunks, without texts
    memo-units        what is known of units: one whose text and needs are the same is not analysed again
    records           what the analysis of units gave, in chunks
    memo-asked        what units were asked for, behind their open stars
    memo-superseded   rows of chunks that later builds have replaced
    memo-contested    the names that different texts define

Chunks are never rewritten until half of their rows are superseded.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from headwater.pipeline.exchange import Exchange, Saved
from headwater.pipeline.extract.extracted import Extracted
from headwater.pipeline.extract.records import CHUNK
from headwater.pipeline.extract.records import SCHEMAS as RECORD_TABLES
from headwater.pipeline.ids import Ids, is_among
from headwater.pipeline.incremental.script_keys import IDENTIFIED, KEYED
from headwater.pipeline.incremental.unit_memo import UNITS, UnitMemo
from headwater.pipeline.packed import FILE, Chunks, Superseded
from headwater.pipeline.read.sources import STAMPS
from headwater.pipeline.split.chunk import KEPT, NEVER
from headwater.pipeline.split.chunk import SCHEMAS as CUT_TABLES
from headwater.pipeline.stitch.star_columns import ASKED_OF
from headwater.store import Snapshot
from headwater.store.manifest import SnapshotFile

FORMAT = 6
"""The number of the memo's form: one of another form is not used."""
SOURCES, SCRIPTS, CUTS, RECORDS = "memo-sources", "memo-scripts", "cuts", "records"
_UNITS, _ASKED, _SUPERSEDED, _CONTESTED = "memo-units", "memo-asked", "memo-superseded", "memo-contested"
_SUPERSEDED_ROW = pa.schema([("chunks", pa.string()), ("made_in", pa.int64()), ("id", pa.int64())])
_NAME = pa.schema([("name_id", pa.int64())])


@dataclass(frozen=True, slots=True)
class Memo:
    """What the build before this one has left."""

    snapshot: Snapshot
    sources: pa.Table
    """The stamps of files and logs (`STAMPS`)."""
    scripts: Saved
    """What is known of scripts (`KEYED`)."""
    cuts: Chunks
    cut_keys: pa.Table
    """Which scripts were cut, with which content, in which pass, and in which file that is."""
    extracted: Extracted
    asked: pa.Table
    """What units were asked for (`ASKED_OF`)."""
    contested: Ids
    """The names that different texts define."""

    @classmethod
    def of(cls, exchange: Exchange) -> Memo | None:
        """The memo of the snapshot that a build builds on; None if it has none, or one of another form."""
        snapshot = exchange.build.previous
        if snapshot is None or snapshot.run.get("memo") != FORMAT:
            return None

        def table(name: str, schema: pa.Schema) -> pa.Table:
            return exchange.kept(snapshot, name, schema).table()

        superseded = _superseded(table(_SUPERSEDED, _SUPERSEDED_ROW))
        cuts = Chunks(exchange.kept(snapshot, CUTS, KEPT), CUT_TABLES, "script_id", superseded.get(CUTS, {}))
        records = Chunks(exchange.kept(snapshot, RECORDS, CHUNK), RECORD_TABLES, "unit_id", superseded.get(RECORDS, {}))
        return cls(
            snapshot,
            table(SOURCES, STAMPS),
            exchange.kept(snapshot, SCRIPTS, KEYED),
            cuts,
            cuts.with_files("keys"),
            Extracted(records, UnitMemo.of_build(table(_UNITS, UNITS))),
            table(_ASKED, ASKED_OF),
            table(_CONTESTED, _NAME).column(0).to_numpy(),
        )

    def cuts_of(self, scripts: Ids) -> Chunks:
        """The chunks that some scripts were cut into."""
        cut = is_among(scripts, self.cut_keys.column("script_id").to_numpy())
        return self.cuts.in_files(np.unique(self.cut_keys.column(FILE).to_numpy()[cut]))

    def same_content(self, scripts: pa.Table) -> Ids:
        """The scripts that were cut before with the same content, sorted."""
        cut = self.cut_keys
        old = cut.filter(pa.array(cut.column("content_key").to_numpy() != NEVER)).select(["script_id", "content_key"])
        same = scripts.select(old.column_names).join(old, old.column_names, join_type="left semi")
        return np.sort(same.column("script_id").to_numpy())

    def unread(self, stamps: pa.Table) -> UnreadSources:
        """Files and logs that have the same stamps now; what has a script that is to be cut again is read again."""
        same = self.sources.join(stamps, stamps.column_names, join_type="left semi").column("source_id").to_numpy()
        if not len(same):
            return UnreadSources.none()
        scripts = self.scripts.table(IDENTIFIED)
        scripts = scripts.filter(pa.array(is_among(np.sort(same), scripts.column("source_id").to_numpy())))
        known = is_among(self.same_content(scripts), scripts.column("script_id").to_numpy())
        sources = scripts.column("source_id").to_numpy()
        ids = np.setdiff1d(same, sources[~known])
        return UnreadSources(ids, scripts.filter(pa.array(is_among(ids, sources))))


@dataclass(frozen=True, slots=True)
class UnreadSources:
    """Files and logs that are not read, because they have not changed; and their scripts."""

    ids: Ids
    """Sorted."""
    scripts: pa.Table
    """What the driver needs of their scripts (`IDENTIFIED`)."""

    @classmethod
    def none(cls) -> UnreadSources:
        """Everything is read."""
        empty = pa.schema([KEYED.field(name) for name in IDENTIFIED]).empty_table()
        return cls(np.zeros(0, np.int64), empty)


def memo_files(
    exchange: Exchange,
    stamps: pa.Table,
    extracted: Extracted,
    asked: pa.Table,
    contested: Ids,
    superseded: Mapping[str, Superseded],
) -> dict[str, list[SnapshotFile]]:
    """Write what the driver knows, for the next build; cuts, records and scripts are kept as they were written."""
    tables = {
        SOURCES: stamps,
        _UNITS: extracted.memo.table,
        _ASKED: asked,
        _CONTESTED: pa.table([pa.array(contested, pa.int64())], schema=_NAME),
        _SUPERSEDED: pa.concat_tables([_SUPERSEDED_ROW.empty_table(), *_superseded_rows(superseded)]),
    }
    return {name: exchange.add(table, name) for name, table in tables.items()}


def _superseded(table: pa.Table) -> dict[str, Superseded]:
    groups = table.group_by(["chunks", "made_in"], use_threads=False).aggregate([("id", "list")])
    found: dict[str, dict[int, Ids]] = {}
    for row in groups.to_pylist():
        found.setdefault(row["chunks"], {})[row["made_in"]] = np.sort(np.array(row["id_list"], np.int64))
    return dict(found)


def _superseded_rows(superseded: Mapping[str, Superseded]) -> Iterator[pa.Table]:
    for name, by_pass in superseded.items():
        for made_in, ids in by_pass.items():
            columns = ([name] * len(ids), np.full(len(ids), made_in), ids)
            arrays = [pa.array(c, f.type) for c, f in zip(columns, _SUPERSEDED_ROW, strict=True)]
            yield pa.Table.from_arrays(arrays, schema=_SUPERSEDED_ROW)
