"""The texts of scripts: as they were read just now, or read again, where a file has not changed since the build before."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import numpy as np

from headwater.pipeline.chosen import chosen
from headwater.pipeline.options import Options
from headwater.pipeline.script_keys import keyed, read_scripts
from headwater.pipeline.sources import Sources
from headwater.pipeline.standing_sources import StandingSources
from headwater.pipeline.units import Ids

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


class ChangedMeanwhile(Exception):
    """A file that had not changed when the build began has changed since."""


@dataclass(frozen=True, slots=True)
class ScriptTexts:
    """Where the texts of scripts are found."""

    read: DataFrame
    """The scripts that were read."""
    sources: Sources
    unread: StandingSources
    options: Options
    work: Path

    def of(self, scripts: Ids) -> DataFrame:
        """Some scripts, with their texts."""
        unread = np.intersect1d(scripts, self.unread.scripts.column("script_id").to_numpy())
        if not len(unread):
            return chosen(self.read, "script_id", scripts)
        again = chosen(self._read_again(unread), "script_id", unread)
        here = np.setdiff1d(scripts, unread)
        return chosen(self.read, "script_id", here).unionByName(again) if len(here) else again

    def _read_again(self, scripts: Ids) -> DataFrame:
        spark = self.read.sparkSession
        known = self.unread.scripts
        known = known.filter(np.isin(known.column("script_id").to_numpy(), scripts))
        found = self.sources.only(set(known.column("source_id").to_pylist())).scripts(spark)
        folder = self.work / f"again-{uuid4().hex[:8]}"
        if found is None:
            raise ChangedMeanwhile
        keyed(found, self.options).write.parquet(str(folder))
        keys = ["script_id", "content_key"]
        same = known.select(keys).join(read_scripts(folder).select(keys), keys, join_type="left semi")
        if len(same) < len(known):
            raise ChangedMeanwhile
        return spark.read.schema(self.read.schema).parquet(str(folder))
