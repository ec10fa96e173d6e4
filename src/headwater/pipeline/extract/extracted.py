"""What extraction gives: records in chunks, and the memo that knows in which file the records of a unit are."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.pipeline.ids import Only
from headwater.pipeline.incremental.unit_memo import UnitMemo
from headwater.pipeline.packed import Chunks


@dataclass(frozen=True, slots=True)
class Extracted:
    """The records of all units, and the memo of these."""

    records: Chunks
    memo: UnitMemo

    def chunks_with(self, only: Only) -> Chunks:
        """The chunks that have such records; of a unit's records the memo knows the file."""
        return self.records.in_files(self.memo.files_with(only))
