"""The scripts of files that have not changed since the build before: known without reading them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from headwater.pipeline.cuts import standing_scripts
from headwater.pipeline.renewal import CUTS, KEYS, STAMPED
from headwater.pipeline.script_keys import KEYED
from headwater.pipeline.units import Ids


@dataclass(frozen=True, slots=True)
class StandingSources:
    """Files and logs that are not read, by id, and what is known of their scripts."""

    ids: Ids
    scripts: pa.Table
    """Without texts (`KEYED`)."""

    @classmethod
    def none(cls) -> StandingSources:
        """Everything is read."""
        return cls(np.zeros(0, np.int64), KEYED.empty_table())

    @classmethod
    def of(cls, snapshot: Path, stamps: pa.Table) -> StandingSources:
        """Those of a snapshot that have the same stamps now; a script that is to be cut anew is read anew."""
        if not (snapshot / STAMPED).is_file():
            return cls.none()
        same = pq.read_table(snapshot / STAMPED).join(stamps, stamps.column_names, join_type="left semi")
        scripts = pq.read_table(snapshot / KEYS, filters=pc.field("source_id").isin(same.column("source_id")))
        cut = np.isin(scripts.column("script_id").to_numpy(), standing_scripts(scripts, snapshot / CUTS))
        sources = scripts.column("source_id").to_numpy()
        ids = np.setdiff1d(same.column("source_id").to_numpy(), sources[~cut])
        return cls(ids, scripts.filter(pa.array(np.isin(sources, ids))))
