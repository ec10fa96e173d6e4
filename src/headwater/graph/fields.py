"""Fields of struct columns: `orders.items.quantity` is a part of `orders.items`, and what makes the whole makes the part.

Where a snapshot has both as columns, the graph has a relation between them that no statement made: from the whole to a part that is read,
and from a part that is written to the whole.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.graph.files import Ints
from headwater.store import Snapshot
from headwater.store.identity import NOWHERE, identify
from headwater.store.schema import RELATIONS

FIELD = "field"
"""The clause of these relations."""


def field_relations(snapshot: Snapshot) -> pa.RecordBatch:
    """The relations between columns and their fields, as rows of the table `relations`."""
    columns = snapshot.table("columns", ["column_id", "entity_id", "name"])
    owners = pc.unique(columns.filter(pc.match_substring(columns.column("name"), ".")).column("entity_id"))
    near = columns.filter(pc.is_in(columns.column("entity_id"), value_set=owners)).to_pylist()
    known = {(row["entity_id"], row["name"]): row["column_id"] for row in near}
    pairs = list(_pairs(known))
    written = _written(snapshot, [part for _, part, _ in pairs])
    rows = [_relation(whole, part, name) for whole, part, name in pairs]
    rows += [_relation(part, whole, name) for whole, part, name in pairs if part in written]
    return pa.RecordBatch.from_pylist(rows, schema=RELATIONS.schema)


def _pairs(known: dict[tuple[int, str], int]) -> Iterator[tuple[int, int, str]]:
    """Each field with the nearest column that it is a part of."""
    for (entity, name), column in known.items():
        outer = name.rpartition(".")[0]
        while outer:
            whole = known.get((entity, outer))
            if whole is not None:
                yield whole, column, name
                break
            outer = outer.rpartition(".")[0]


def _written(snapshot: Snapshot, parts: list[int]) -> set[int]:
    """Those of the fields that a statement writes by themselves."""
    if not parts:
        return set()
    wanted = pa.array(parts, pa.int64())
    found: list[Ints] = []
    for batch in snapshot.dataset("relations").to_batches(columns=["target_id"]):
        targets = batch.column(0)
        found.append(targets.filter(pc.is_in(targets, value_set=wanted)).to_numpy())
    return set(np.concatenate(found).tolist()) if found else set()


def _relation(source: int, target: int, name: str) -> dict[str, object]:
    return {
        "relation_id": identify(FIELD, str(source), str(target)),
        "source_id": source,
        "target_id": target,
        "process_id": NOWHERE,
        "type": "fdd",
        "subtype": "IDENTITY",
        "clause": FIELD,
        "masking": False,
        "candidate": False,
        "expression": name,
    }
