"""Everything that can be reached from everything: pairs of columns, and over how many hops one gets from one to the other.

A pair stands once, with the fewest hops, circles or not. Edges that fit into one process are walked there, source by source (`walk`);
more of them are joined in rounds (`rounds`). Both give the same pairs.
"""

from __future__ import annotations

from pyspark.sql import DataFrame

from headwater.spark.whole.edges import Edges
from headwater.spark.whole.limit import LIMIT_PAIRS
from headwater.spark.whole.rounds import Rounds, Tell
from headwater.spark.whole.walk import walked

WALKED_EDGES = 10_000_000
"""Edges up to this number are walked: they pass through the driver, and every Python worker holds them."""


def closure(
    edges: Edges,
    depth: int | None = None,
    limit_pairs: int = LIMIT_PAIRS,
    walked_edges: int = WALKED_EDGES,
    tell: Tell | None = None,
) -> DataFrame:
    """All pairs of different columns with a way between them: `source_id`, `target_id`, `hops`.

    Between a row set and its columns are no hops. With *depth*, ways of so many hops at most.
    """
    if depth is not None and depth < 1:
        raise ValueError(f"depth is at least 1, not {depth}")
    if limit_pairs < 1:
        raise ValueError(f"limit_pairs is at least 1, not {limit_pairs}")
    say = tell or (lambda words: None)
    kept_edges = edges.kept()
    if kept_edges.count() <= walked_edges:
        say("counting pairs")
        return walked(kept_edges, depth, limit_pairs)
    return Rounds(kept_edges, limit_pairs, say).run(depth)
