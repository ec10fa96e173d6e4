"""The scripts of a build, and what they are cut into: read and cut now, or in the build before, where nothing has changed since."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.pipeline.exchange import Exchange, Saved
from headwater.pipeline.ids import Ids, Only, is_among
from headwater.pipeline.incremental.carry_over import CarryOver
from headwater.pipeline.incremental.memo import CUTS, SCRIPTS, Memo, UnreadSources
from headwater.pipeline.incremental.script_keys import IDENTIFIED, KEYED, READ, keyed
from headwater.pipeline.options import Options
from headwater.pipeline.packed import Chunks, Superseded
from headwater.pipeline.plan.units import Pieces, sorted_pieces
from headwater.pipeline.read.inputs import NothingToRead
from headwater.pipeline.read.sources import Sources
from headwater.pipeline.split.chunk import CUT, KEPT, SCHEMAS
from headwater.pipeline.split.split import split
from headwater.store.identity import identify
from headwater.store.manifest import SnapshotFile

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

_MAX_CHARACTERS_IN_ONE_TASK = 200_000
"""Characters of scripts that one task cuts before others would have begun."""


class ChangedMeanwhile(Exception):
    """A file that had not changed when the build began has changed since."""


class ScriptCuts:
    """The scripts of one build."""

    def __init__(self, exchange: Exchange, sources: Sources, options: Options, memo: Memo | None) -> None:
        self._exchange = exchange
        self._sources = sources
        self._options = options
        self._memo = memo
        self._unread = UnreadSources.none()
        self._texts_read = 0
        self.stamps = sources.stamps(options.key)
        self.scripts = self._unread.scripts
        """What the driver needs of all scripts (`IDENTIFIED`)."""
        self.new: Ids = np.zeros(0, np.int64)
        """The scripts that are cut in this build, sorted."""

    def read(self, trusting: bool) -> None:
        """Read what may have changed since the build before; *trusting* leaves out files whose stamp is the same."""
        if trusting and self._memo is not None:
            self._unread = self._memo.unread(self.stamps)
        found = self._sources.but(set(self._unread.ids.tolist())).scripts(self._exchange.spark)
        self._read = Saved(self._exchange, (), READ)
        if found is not None:
            self._read = self._exchange.save(keyed(found, self._options), "scripts", READ)
        self.scripts = pa.concat_tables([self._unread.scripts, self._read.table(IDENTIFIED)])
        if len(self.scripts) and pc.all(self.scripts.column("unreadable")).as_py():
            raise self._nothing_readable()

    def _nothing_readable(self) -> NothingToRead:
        """The error for inputs of which nothing can be read: they must not replace what the store has."""
        first = self._read.frame("path", "problem").where("unreadable").orderBy("path").first()
        why = f": {first['path']}: {first['problem']}" if first is not None else ""
        return NothingToRead(f"none of the {len(self.scripts):,} scripts can be read, nothing was built{why}")

    def cut(self) -> None:
        """Cut the scripts that the build before has not cut."""
        ids = self.scripts.column("script_id").to_numpy()
        cut_before = self._memo.cut_keys if self._memo is not None else SCHEMAS["keys"].empty_table()
        same = self._memo.same_content(self.scripts) if self._memo is not None else self.new
        self.new = np.setdiff1d(ids, same)
        self._superseded = self._cut_again_or_gone(cut_before, same)
        self._cut_now = Saved(self._exchange, (), CUT)
        self._kept_now = Saved(self._exchange, (), KEPT)
        if len(self.new):
            rows = (
                self._exchange.with_ids(self._read.frame(), "script_id", self.new) if len(same) else self._read.frame()
            )
            self._cut_now = self._exchange.save(self._split(rows, self.new), "split", CUT)
            self._kept_now = self._exchange.keep(self._cut_now.frame(*KEPT.names), CUTS, KEPT)

    def _split(self, rows: DataFrame, scripts: Ids) -> DataFrame:
        """Cut scripts, on all cores unless there is next to nothing."""
        meant = is_among(scripts, self.scripts.column("script_id").to_numpy())
        size = int(self.scripts.column("characters").to_numpy()[meant].sum())
        many = size > _MAX_CHARACTERS_IN_ONE_TASK
        spread = rows.repartition(self._exchange.parallelism * 4) if many else rows.coalesce(1)
        return split(spread, self._options, identify("cut", self._exchange.build.id))

    def _cut_again_or_gone(self, cut_before: pa.Table, same: Ids) -> Superseded:
        """The rows of earlier chunks that this build supersedes, and those that were superseded before."""
        found: dict[int, Ids] = dict(self._memo.cuts.superseded) if self._memo is not None else {}
        script, made_in = (cut_before.column(name).to_numpy() for name in ("script_id", "made_in"))
        dead = ~is_among(same, script)
        for number in np.unique(made_in[dead]).tolist():
            gone = script[dead & (made_in == number)]
            found[number] = np.union1d(found.get(number, gone[:0]), gone)
        return found

    def chunks(self, scripts: Ids | None = None) -> Chunks:
        """What all scripts, or some, are cut into, but the texts."""
        saved = self._kept_now
        if self._memo is not None:
            saved = (self._memo.cuts if scripts is None else self._memo.cuts_of(scripts)).saved.also(saved)
        return Chunks(saved, SCHEMAS, "script_id", self._superseded)

    def files(self) -> list[SnapshotFile]:
        """The files of these chunks."""
        earlier = self._memo.snapshot.files(CUTS) if self._memo is not None else ()
        return [*earlier, *(self._exchange.build.listed(CUTS) if self._kept_now.uris else ())]

    def pieces(self) -> Pieces:
        """The pieces of all scripts, in order, as far as the driver needs them."""
        chunks = self.chunks()
        return sorted_pieces(self.scripts, chunks.table("pieces"), chunks.table("names"))

    def described(self, exchange: Exchange, scripts: Ids | None) -> DataFrame:
        """What is known of scripts, but their texts (`KEYED`): of all, or at least of some."""
        if exchange.little:
            return exchange.send(self._described(scripts))
        found = Saved(exchange, self._read.uris, READ).frame(*KEYED.names)
        if self._memo is None or not len(self._unread.ids):
            return found
        kept = Saved(exchange, self._memo.scripts.uris, KEYED).frame()
        return found.unionByName(exchange.with_ids(kept, "source_id", self._unread.ids))

    def _described(self, scripts: Ids | None) -> pa.Table:
        only = None if scripts is None else Only.of("script_id", scripts)
        found = [self._read.table(KEYED.names, only)] if self._read.uris else [KEYED.empty_table()]
        if self._memo is not None and len(self._unread.ids):
            ids = self._unread.scripts.column("script_id").to_numpy()
            unread = ids if scripts is None else np.intersect1d(ids, scripts)
            found.append(self._memo.scripts.table(only=Only.of("script_id", unread)))
        return pa.concat_tables(found)

    def memo_files(self) -> list[SnapshotFile]:
        """The files with what is known of all scripts, for the next build."""
        carried: list[SnapshotFile] = []
        if self._memo is not None:
            read_again = np.setdiff1d(self._memo.scripts.table(["source_id"]).column(0).to_numpy(), self._unread.ids)
            carried = CarryOver(self._exchange, self._memo.snapshot, SCRIPTS, KEYED, "source_id").but(read_again)
        if not self._read.uris:
            return carried
        self._exchange.keep(self._read.frame(*KEYED.names).coalesce(self._exchange.parallelism), SCRIPTS, KEYED)
        return list(dict.fromkeys([*carried, *self._exchange.build.listed(SCRIPTS)]))

    def texts(self, scripts: Ids, pieces: Ids) -> DataFrame:
        """The texts of some pieces (`split.chunk`), which are those of some scripts."""
        only = Only.of("piece_id", pieces)
        cut = self._cut_now
        unchanged = np.setdiff1d(scripts, self.new)
        if len(unchanged):
            self._texts_read += 1
            again = self._split(self._with_texts(unchanged), unchanged)
            cut = cut.also(self._exchange.save(again, f"split-again-{self._texts_read}", CUT))
        return Chunks(cut, SCHEMAS, "piece_id", {}).rows("texts", only)

    def _with_texts(self, scripts: Ids) -> DataFrame:
        """Some scripts, with their texts."""
        unread = np.intersect1d(scripts, self._unread.scripts.column("script_id").to_numpy())
        here = np.setdiff1d(scripts, unread)
        if not len(unread):
            return self._exchange.with_ids(self._read.frame(), "script_id", here)
        again = self._exchange.with_ids(self._read_again(unread).frame(), "script_id", unread)
        if not len(here):
            return again
        return again.unionByName(self._exchange.with_ids(self._read.frame(), "script_id", here))

    def _read_again(self, scripts: Ids) -> Saved:
        """The scripts of files that were not read, because they had not changed: they must not have changed since."""
        known = self._unread.scripts
        known = known.filter(pa.array(is_among(scripts, known.column("script_id").to_numpy())))
        found = self._sources.only(set(known.column("source_id").to_pylist())).scripts(self._exchange.spark)
        if found is None:
            raise ChangedMeanwhile
        saved = self._exchange.save(keyed(found, self._options), f"scripts-again-{self._texts_read}", READ)
        keys = ["script_id", "content_key"]
        same = known.select(keys).join(saved.table(keys), keys, join_type="left semi")
        if len(same) < len(known):
            raise ChangedMeanwhile
        return saved
