"""Which tables outlast their scripts and queries, and how long their names are: by this a search puts what it found in order."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.graph.adjacency import Ints
from headwater.model.entity import EntityKind

PASSING = (EntityKind.RESULT_SET, EntityKind.ORPHAN)
"""Kinds of which nobody can read anything later."""


def lasting(entities: pa.RecordBatch) -> Ints:
    """Of each entity whether others can read it later."""
    passing = pc.is_in(entities.column("kind"), value_set=pa.array([kind.value for kind in PASSING]))
    found = pc.or_(passing, pc.fill_null(entities.column("temporary"), False))
    return ~np.asarray(found.to_numpy(zero_copy_only=False), dtype=bool)


def name_lengths(entities: pa.RecordBatch) -> Ints:
    """How many characters the name of each entity has."""
    found: Ints = pc.fill_null(pc.utf8_length(entities.column("name")), 0).to_numpy(zero_copy_only=False)
    return found.astype(np.int32)
