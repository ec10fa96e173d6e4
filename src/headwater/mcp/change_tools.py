"""Tools about changes: what one would do, and what has changed between two snapshots."""

from __future__ import annotations

from collections import Counter

from headwater.graph.document import diff_document
from headwater.graph.impact import Hit
from headwater.graph.open_store import OpenStore
from headwater.mcp.documents import hop_shape
from headwater.mcp.parameters import Change, ColumnName, Limit, Offset, SnapshotName
from headwater.mcp.shapes import DiffAnswer, DifferenceShape, HitShape, HitTable, ImpactAnswer
from headwater.store import StoreError

_SNAPSHOTS = 20
"""Names of snapshots that are told."""
_LOST_STATEMENTS = 20
"""Statements that were not understood which an answer lists."""


class ChangeTools:
    """Questions about changes of what a store holds."""

    def __init__(self, store: OpenStore) -> None:
        self._store = store

    def impact(
        self, column: ColumnName, change: Change = "drop", limit: Limit = 50, offset: Offset = 0
    ) -> ImpactAnswer:
        """Tell what breaks, may break or stays whole if a column is dropped, renamed or gets another type, and why.

        Use it before somebody changes a column. The worst comes first; limit and offset page the columns that are hit.
        """
        graph = self._store.graph()
        found = graph.impact(column, change)
        tables = list(found.tables().items())
        return ImpactAnswer(
            snapshot=graph.snapshot.name,
            column=str(found.column),
            change=found.change,
            breaking=found.breaking,
            safe=found.safe,
            total_not_understood=len(found.not_understood),
            not_understood=[f"{each.place}: {each.code}" for each in found.not_understood[:_LOST_STATEMENTS]],
            verdicts={verdict: len(found.of(verdict)) for verdict in ("breaking", "maybe", "harmless")},
            total_tables=len(tables),
            tables=[HitTable(name=str(t), kind=t.kind, verdict=verdict) for t, verdict in tables[:limit]],
            total=len(found.hits),
            hits=[_hit(hit) for hit in found.hits[offset : offset + limit]],
        )

    def diff(
        self, before: SnapshotName = None, after: SnapshotName = None, limit: Limit = 50, offset: Offset = 0
    ) -> DiffAnswer:
        """Tell what changed between two snapshots of the store: tables, columns, and what columns are made of.

        Use it for "what changed since yesterday?". Without before, the snapshot before the other one; what breaks comes first.
        """
        names = self._store.store.names()
        new = self._store.graph(after)
        old = self._store.graph(before or _before(names, new.snapshot.name))
        found = old.diff(new)
        document = diff_document(found)
        return DiffAnswer(
            before=old.snapshot.name,
            after=new.snapshot.name,
            snapshots=names[: -_SNAPSHOTS - 1 : -1],
            breaking=document["breaking"],
            counts=dict(Counter(f"{each.what} {each.how}" for each in found.differences)),
            total=len(found.differences),
            differences=[
                DifferenceShape.model_validate(each) for each in document["differences"][offset : offset + limit]
            ],
        )


def _before(names: list[str], name: str) -> str:
    earlier = [each for each in names if each < name]
    if not earlier:
        raise StoreError(f"there is no snapshot before {name}: there is nothing to compare it with")
    return earlier[-1]


def _hit(hit: Hit) -> HitShape:
    return HitShape(
        id=str(hit.column.id),
        name=str(hit.column),
        kind=hit.column.table.kind,
        verdict=hit.verdict,
        severity=hit.severity,
        reason=hit.reason,
        distance=hit.distance,
        hop=hop_shape(hit.hop),
    )
