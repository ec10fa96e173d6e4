"""How much of what is written can be traced: a number for the end of a build."""

from __future__ import annotations

import numpy as np

from headwater.store import Snapshot


def coverage(snapshot: Snapshot) -> tuple[int, int]:
    """How many columns the entities have that something is written into, and how many of these no column flows into."""
    targets = np.unique(snapshot.table("relations", ["target_id"]).column(0).to_numpy())
    columns = snapshot.table("columns", ["column_id", "entity_id", "row_set"])
    ids, owners = columns.column("column_id").to_numpy(), columns.column("entity_id").to_numpy()
    real = ~columns.column("row_set").to_numpy(zero_copy_only=False)
    reached = np.isin(ids, targets)
    written = real & np.isin(owners, np.unique(owners[reached]))
    return int(written.sum()), int((written & ~reached).sum())
