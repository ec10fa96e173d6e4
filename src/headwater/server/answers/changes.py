"""What a change does, what has changed, and what nobody reads."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import asdict

from headwater.graph import Graph
from headwater.graph.diff import Diff, Difference
from headwater.graph.impact import VERDICTS, Hit, Impact
from headwater.graph.impact_rules import Verdict
from headwater.graph.lost import LostStatement
from headwater.graph.unused import UnusedPage as Unused
from headwater.server.answers.things import column_thing, hop_thing, spot_of, table_thing
from headwater.server.kept import Kept
from headwater.server.shapes.answers import (
    DiffAnswer,
    DifferenceThing,
    HitThing,
    ImpactAnswer,
    LostStatementThing,
    TableHit,
    UnusedPage,
    UnusedRow,
)

_TABLES = 1000
"""Tables that an answer lists."""
_LOST_STATEMENTS = 100
"""Statements that were not understood which an answer lists."""


def impact_answer(found: Impact, verdict: Verdict | None, limit: int, offset: int) -> ImpactAnswer:
    """What a change of a column does."""
    counts = found.counts()
    tables = found.tables(_TABLES)
    return ImpactAnswer(
        column=column_thing(found.column),
        change=found.change,
        breaking=found.breaking,
        safe=found.safe,
        not_understood_total=len(found.not_understood),
        not_understood=[_lost(each) for each in found.not_understood[:_LOST_STATEMENTS]],
        verdicts={name: counts[name] for name in VERDICTS},
        tables=[TableHit(table=table_thing(table), verdict=worst) for table, worst in tables.items()],
        total=sum(counts.values()) if verdict is None else counts[verdict],
        hits=[_hit(hit) for hit in found.page(verdict, limit, offset)],
    )


def _lost(lost: LostStatement) -> LostStatementThing:
    return LostStatementThing(
        code=lost.code, message=lost.message, spot=spot_of(lost.place), whole_script=lost.whole_script
    )


def _hit(hit: Hit) -> HitThing:
    return HitThing(
        column=column_thing(hit.column),
        verdict=hit.verdict,
        severity=hit.severity,
        reason=hit.reason,
        distance=hit.distance,
        hop=hop_thing(hit.hop),
    )


def _compared(both: tuple[Graph, Graph]) -> Diff:
    return both[0].diff(both[1])


differences: Kept[tuple[Graph, Graph], Diff] = Kept(_compared)
"""What changed from one graph to another."""


def diff_answer(
    graphs: tuple[Graph, Graph], wanted: Callable[[Difference], bool], like: str | None, limit: int, offset: int
) -> DiffAnswer:
    """What changed between two snapshots; counts are of all that did."""
    found = differences(graphs)
    shown = [each for each in (found.differences if like is None else found.like(like)) if wanted(each)]
    return DiffAnswer(
        before=graphs[0].snapshot.name,
        after=graphs[1].snapshot.name,
        breaking=found.breaking,
        counts=_counts(found.differences),
        total=len(shown),
        items=[DifferenceThing(**asdict(each)) for each in shown[offset : offset + limit]],
    )


def _counts(found: Iterable[Difference]) -> dict[str, int]:
    return dict(sorted(Counter(f"{each.what} {each.how}" for each in found).items()))


def unused_page(found: Unused) -> UnusedPage:
    """Columns and tables that nobody reads."""
    return UnusedPage(
        total=found.total,
        items=[
            UnusedRow(column=column_thing(each.column), use=each.use, not_understood=each.not_understood)
            for each in found.columns
        ],
        tables=[table_thing(table) for table in found.tables],
    )
