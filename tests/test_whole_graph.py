"""The whole graph on Spark: the same as the graph in process, column by column, on random stores; and limits, and examples."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import pytest

import headwater
from headwater.graph import Graph
from headwater.graph.adjacency import LAYERS
from headwater.store import Store, StoreError
from random_stores import random_store
from stores import make_store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from headwater.spark import WholeGraph

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]

FlowName = Literal["data", "impact"]
LINES = """
db.a.x -> db.b.full TRANSFORMATION @ etl.sql:3 Insert
db.a.y -> db.b.full TRANSFORMATION @ etl.sql:3 Insert
db.a.z -> db.b.rows FILTER @ etl.sql:3 Insert
db.b.full -> dm.c.addr @ etl.sql:9 Create View
db.b.rows -> dm.c.rows rows @ etl.sql:9 Create View
dm.c.addr -> dm.c.addr @ again.sql:1 Update
column dm.c.constant
e.p.x -> e.q.x
"""


@pytest.fixture(scope="module", params=[1, 2])
def store(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Store:
    return random_store(tmp_path_factory.mktemp("random") / "lineage", request.param)


@pytest.fixture
def example(spark: SparkSession, tmp_path: Path) -> WholeGraph:
    from headwater.spark import WholeGraph

    return WholeGraph(spark, make_store(tmp_path / "lineage", LINES).path)


def ids(store: Store) -> list[int]:
    found: list[int] = store.snapshot().table("columns", ["column_id"]).column(0).to_pylist()
    return found


def reached(graph: Graph, column: int, **how: Any) -> dict[int, int]:
    """What is downstream of a column, in process."""
    trace = graph.downstream(graph.column(f"id:{column}"), **how)
    return {each.what.id: each.distance for each in trace.nodes if each.what.id != column}


def pairs_in_process(store: Store, **how: Any) -> dict[tuple[int, int], int]:
    graph = headwater.open(store.path)
    return {(column, other): hops for column in ids(store) for other, hops in reached(graph, column, **how).items()}


# Against the graph in process


@pytest.mark.parametrize(
    ("flow", "keys", "depth"),
    [("data", False, None), ("impact", False, None), ("data", True, 2), ("impact", True, 1), ("impact", True, None)],
)
def test_the_closure_is_that_of_every_column(
    spark: SparkSession, store: Store, flow: FlowName, keys: bool, depth: int | None
) -> None:
    from headwater.spark import WholeGraph

    rows = WholeGraph(spark, store.path).closure(flow, depth, foreign_keys=keys).collect()
    found = {(row.source_id, row.target_id): row.hops for row in rows}
    assert len(found) == len(rows)
    assert found == pairs_in_process(store, flow=flow, depth=depth, foreign_keys=keys)


@pytest.mark.parametrize(("flow", "depth"), [("data", None), ("impact", None), ("impact", 2)])
def test_rounds_of_joins_give_the_same_closure(
    spark: SparkSession, tmp_path: Path, flow: FlowName, depth: int | None
) -> None:
    from headwater.spark.whole.closure import closure
    from headwater.spark.whole.edges import edges
    from headwater.spark.whole.tables import tables_of

    store = random_store(tmp_path / "lineage", 3)
    tables = tables_of(spark, store.snapshot())
    said: list[str] = []
    rows = closure(
        edges(tables.columns, tables.relations, flow == "impact"), depth, walked_edges=0, tell=said.append
    ).collect()
    found = {(row.source_id, row.target_id): row.hops for row in rows}
    assert len(found) == len(rows)
    assert found == pairs_in_process(store, flow=flow, depth=depth)
    assert said[-1].endswith(f"{len(rows):,} pairs")


def groups(pairs: Iterable[tuple[int, int]]) -> set[frozenset[int]]:
    """What hangs together, found by putting sets together."""
    group: dict[int, set[int]] = {}
    for one, other in pairs:
        both = group.get(one, {one}) | group.get(other, {other})
        group.update(dict.fromkeys(both, both))
    return {frozenset(members) for members in group.values()}


@pytest.mark.parametrize("flow", ["data", "impact"])
def test_components_are_what_hangs_together(spark: SparkSession, store: Store, flow: FlowName) -> None:
    from headwater.spark import WholeGraph

    pairs = list(pairs_in_process(store, flow=flow, depth=1))
    plain = [(id, id) for id in ids(store) if not headwater.open(store.path).column(f"id:{id}").row_set]
    members = defaultdict(set)
    for row in WholeGraph(spark, store.path).components(flow).collect():
        members[row.component_id].add(row.column_id)
    assert all(component == min(group) for component, group in members.items())
    assert set(map(frozenset, members.values())) == groups(plain + pairs)


def test_components_of_tables(spark: SparkSession, store: Store) -> None:
    from headwater.spark import WholeGraph

    owner = dict(zip(*store.snapshot().table("columns", ["column_id", "entity_id"]).to_pydict().values(), strict=True))
    entities = store.snapshot().table("entities", ["entity_id"]).column(0).to_pylist()
    hanging = groups([(e, e) for e in entities] + [(owner[a], owner[b]) for a, b in pairs_in_process(store, depth=1)])
    sizes = WholeGraph(spark, store.path).component_sizes(level="table").collect()
    assert [row.size for row in sizes] == sorted(map(len, hanging), reverse=True)


def test_degrees_are_those_of_the_arrays(spark: SparkSession, store: Store) -> None:
    from headwater.spark import WholeGraph
    from headwater.spark.whole.degree import COUNTS

    arrays = headwater.open(store.path)._arrays
    found = {row.column_id: row for row in WholeGraph(spark, store.path).degree().collect()}
    assert set(found) == set(ids(store))
    for node, id in enumerate(arrays.node_id.tolist()):
        layers = [
            {int(n) for n in side.neighbours[side.bounds[at] : side.bounds[at + 1]]} - {node}
            for side in (arrays.incoming, arrays.outgoing)
            for at in range(node * LAYERS, (node + 1) * LAYERS)
        ]
        assert [found[id][name] for name in COUNTS] == [len(layer) for layer in layers]
        assert found[id].neighbours == len(set().union(*layers))


# By example


def test_pairs_with_names(example: WholeGraph) -> None:
    rows = example.closure(names=True).where("source_table = 'db.a'").collect()
    assert {(r.source_column, r.target_table, r.target_column, r.hops) for r in rows} == {
        ("x", "db.b", "full", 1),
        ("y", "db.b", "full", 1),
        ("x", "dm.c", "addr", 2),
        ("y", "dm.c", "addr", 2),
    }


def test_a_closure_of_tables_has_the_fewest_hops(example: WholeGraph) -> None:
    rows = example.closure("impact", level="table", names=True).collect()
    assert {(r.source_table, r.target_table, r.hops) for r in rows} == {
        ("db.a", "db.b", 1),
        ("db.a", "dm.c", 2),
        ("db.b", "dm.c", 1),
        ("e.p", "e.q", 1),
    }


def test_hubs_come_first_and_neighbours_count_once(example: WholeGraph) -> None:
    (hub,) = example.degree(hubs=1).collect()
    assert (hub.table_name, hub.column_name) == ("db.b", "full")
    assert (hub.in_data, hub.out_data, hub.in_influence, hub.neighbours) == (2, 1, 0, 3)
    tables = {r.table_name: r.neighbours for r in example.degree(level="table").collect()}
    assert tables == {"db.a": 1, "db.b": 2, "dm.c": 1, "e.p": 1, "e.q": 1}


@pytest.mark.parametrize("walked_edges", [0, 1000])
def test_more_pairs_than_the_limit_are_refused_with_their_number(
    spark: SparkSession, tmp_path: Path, walked_edges: int
) -> None:
    """A hub with 40 columns on each side makes 80 pairs in a hop, and 1,600 in the second."""
    from headwater.spark import TooManyPairs
    from headwater.spark.whole.closure import closure
    from headwater.spark.whole.edges import edges
    from headwater.spark.whole.tables import tables_of

    lines = [f"d.a.c{i} -> d.hub.x" for i in range(40)] + [f"d.hub.x -> d.b.c{i}" for i in range(40)]
    tables = tables_of(spark, make_store(tmp_path / "lineage", "\n".join(lines)).snapshot())
    followed = edges(tables.columns, tables.relations)
    assert closure(followed, 1, 80, walked_edges).count() == 80
    with pytest.raises(TooManyPairs, match=r"1,\d\d\d pairs or more.*the limit is 1,000"):
        closure(followed, None, 1000, walked_edges)
    with pytest.raises(TooManyPairs, match="the limit is 79"):
        closure(followed, 1, 79, walked_edges)


def test_what_cannot_be_asked_is_refused(spark: SparkSession, tmp_path: Path, example: WholeGraph) -> None:
    from headwater.spark import WholeGraph

    with pytest.raises(ValueError, match="'data' or 'impact'"):
        example.closure("everything")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="'column' or 'table'"):
        example.components(level="schema")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="depth is at least 1"):
        example.closure(depth=0)
    with pytest.raises(ValueError, match="limit_pairs is at least 1"):
        example.closure(limit_pairs=0)
    with pytest.raises(StoreError, match="there is no store"):
        WholeGraph(spark, tmp_path / "nowhere")


def test_an_empty_store_has_nothing(spark: SparkSession, tmp_path: Path) -> None:
    from headwater.spark import WholeGraph

    graph = WholeGraph(spark, make_store(tmp_path / "empty", "").path)
    assert graph.closure("impact").collect() == []
    assert graph.components().collect() == []
    assert graph.degree().collect() == []


def test_an_earlier_snapshot(spark: SparkSession, tmp_path: Path) -> None:
    from headwater.spark import WholeGraph

    first = make_store(tmp_path / "lineage", "d.a.x -> d.b.x").snapshot().name
    make_store(tmp_path / "lineage", "d.a.x -> d.b.x\nd.b.x -> d.c.x")
    assert WholeGraph(spark, tmp_path / "lineage", as_of=first).closure().count() == 1
    assert WholeGraph(spark, tmp_path / "lineage").closure().count() == 3
