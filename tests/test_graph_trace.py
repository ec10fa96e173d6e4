"""Upstream and downstream: against a plain search over dictionaries, and by example."""

from __future__ import annotations

from collections import deque
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

import headwater
from headwater.graph import Graph, Trace, UnknownName
from headwater.store import StoreError
from stores import make_store

Edge = tuple[str, str, str]
"""Source, target, and `data`, `influence` or `key`."""

WORDS = {"data": "TRANSFORMATION", "influence": "FILTER", "key": "foreignKey"}
LINES = """
view db.c
db.a.x -> db.b.full TRANSFORMATION = concat(x, y) @ etl.sql:3 Insert
db.a.y -> db.b.full TRANSFORMATION = concat(x, y) @ etl.sql:3 Insert
db.a.z -> db.b.rows FILTER @ etl.sql:3 Insert
db.a.rows -> db.b.rows rows @ etl.sql:3 Insert
db.b.full -> db.c.addr = full @ etl.sql:9 Create View
db.b.rows -> db.c.rows rows @ etl.sql:9 Create View
db.k.id -> db.a.x foreignKey
"""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return headwater.open(make_store(tmp_path_factory.mktemp("stores") / "lineage", LINES).path)


def reached(trace: Trace) -> dict[str, int]:
    return {str(each.what): each.distance for each in trace.nodes}


def names(columns: list[headwater.graph.Column]) -> list[str]:
    return [str(column) for column in columns]


# Against a plain search

TABLES = ("a", "b", "c")
COLUMNS = st.sampled_from([f"d.{table}.{column}" for table in TABLES for column in ("x", "y", "z", "rows")])
EDGES = st.lists(st.tuples(COLUMNS, COLUMNS, st.sampled_from(list(WORDS))), min_size=1, max_size=25)


def store_of(folder: Path, edges: list[Edge]) -> Graph:
    """Several relations between the same columns are made by several statements."""
    lines = [f"{s} -> {t} {WORDS[kind]} @ s.sql:{i + 1}" for i, (s, t, kind) in enumerate(edges)]
    return headwater.open(make_store(folder / "lineage", "\n".join(lines)).path)


def plain_search(edges: list[Edge], start: str, upward: bool, kinds: set[str], depth: int | None) -> dict[str, int]:
    known = {end for source, target, _ in edges for end in (source, target)}
    distances = {start: 0}
    pending = deque([start])
    while pending:
        node = pending.popleft()
        free = belonging(node, upward, known) if "influence" in kinds else []
        for other in [o for o in free if distances.get(o, 99) > distances[node]]:
            distances[other] = distances[node]
            pending.appendleft(other)
        if depth is not None and distances[node] >= depth:
            continue
        for source, target, kind in edges:
            own, other = (target, source) if upward else (source, target)
            if own == node and kind in kinds and distances.get(other, 99) > distances[node] + 1:
                distances[other] = distances[node] + 1
                pending.append(other)
    return {name.replace(".rows", ".PseudoRows"): distance for name, distance in distances.items()}


def belonging(node: str, upward: bool, known: set[str]) -> list[str]:
    table, _, column = node.rpartition(".")
    if upward:
        return [f"{table}.rows"] if f"{table}.rows" in known else []
    return [other for other in known if column == "rows" and other.startswith(f"{table}.")]


@given(EDGES, st.booleans(), st.booleans(), st.booleans(), st.sampled_from([None, 1, 2]))
def test_closure_is_what_a_plain_search_finds(
    edges: list[Edge], upward: bool, impact: bool, keys: bool, depth: int | None
) -> None:
    kinds = {"data"} | ({"influence"} if impact else set()) | ({"key"} if keys else set())
    with TemporaryDirectory() as folder:
        graph = store_of(Path(folder), edges)
        for start in {edges[0][0], edges[-1][1]}:
            asked = graph.column(start.replace(".rows", ".PseudoRows"))
            ask = graph.upstream if upward else graph.downstream
            trace = ask(asked, depth=depth, flow="impact" if impact else "data", foreign_keys=keys)
            assert reached(trace) == plain_search(edges, start, upward, kinds, depth)


@given(EDGES, st.booleans())
def test_hops_are_the_relations_between_what_was_reached(edges: list[Edge], upward: bool) -> None:
    with TemporaryDirectory() as folder:
        graph = store_of(Path(folder), edges)
        start = graph.column(edges[0][1].replace(".rows", ".PseudoRows"))
        trace = (graph.upstream if upward else graph.downstream)(start)
        found = sorted((str(h.source), str(h.target)) for h in trace.hops)
        near = {str(each.what) for each in trace.nodes}
        data = [
            (s.replace(".rows", ".PseudoRows"), t.replace(".rows", ".PseudoRows")) for s, t, k in edges if k == "data"
        ]
        assert found == sorted(pair for pair in data if pair[1 if upward else 0] in near)


@pytest.mark.slow
@given(EDGES)
def test_every_way_ends_somewhere(edges: list[Edge]) -> None:
    """From each column that has sources there is a way to one of its roots, circles included."""
    with TemporaryDirectory() as folder:
        graph = store_of(
            Path(folder), [(s, t, k) for s, t, k in edges if ".rows" not in s + t] or [("d.a.x", "d.a.y", "data")]
        )
        for each in (
            graph.columns("d.a")
            if any("d.a." in end for s, t, _ in edges for end in (s, t) if ".rows" not in s + t)
            else []
        ):
            trace = graph.upstream(each)
            roots = {str(root) for root in trace.ends()}
            assert roots
            assert roots <= set(reached(trace))
            for node in trace.nodes:
                assert roots & set(reached(graph.upstream(node.what)))


# By example


def test_data_flow_is_followed_with_hops_expressions_and_places(graph: Graph) -> None:
    trace = graph.upstream("db.c.addr")
    assert reached(trace) == {"db.c.addr": 0, "db.b.full": 1, "db.a.x": 2, "db.a.y": 2}
    assert [(str(h.source), h.how, h.expression, str(h.place)) for h in trace.hops] == [
        ("db.b.full", "identity", "full", "etl.sql:9"),
        ("db.a.x", "transformation", "concat(x, y)", "etl.sql:3"),
        ("db.a.y", "transformation", "concat(x, y)", "etl.sql:3"),
    ]


def test_impact_finds_what_decides_over_the_rows_as_near_as_the_values(graph: Graph) -> None:
    assert reached(graph.upstream("db.c.addr", flow="impact"))["db.a.z"] == 2
    assert "db.a.z" not in reached(graph.upstream("db.c.addr"))


def test_a_filter_influences_all_columns_of_what_it_filters(graph: Graph) -> None:
    assert reached(graph.downstream("db.a.z", flow="impact"))["db.b.full"] == 1


def test_a_key_is_followed_only_if_asked(graph: Graph) -> None:
    assert "db.k.id" not in reached(graph.upstream("db.a.x"))
    assert "db.k.id" in reached(graph.upstream("db.a.x", foreign_keys=True))


def test_a_table_is_all_of_its_columns(graph: Graph) -> None:
    trace = graph.upstream("db.b", level="table", flow="impact")
    assert [(str(each.what), each.distance) for each in trace.tables()] == [("db.a", 1)]
    assert {(str(hop.source), str(hop.target)) for hop in trace.table_hops()} == {("db.a", "db.b")}


def test_roots_and_leaves(graph: Graph) -> None:
    assert names(graph.roots("db.c.addr")) == ["db.a.x", "db.a.y"]
    assert names(graph.roots("db.c.addr", flow="impact")) == ["db.a.x", "db.a.y", "db.a.z"]
    assert names(graph.leaves("db.a.x")) == ["db.c.addr"]


def test_of_a_circle_that_nothing_feeds_all_columns_are_roots(tmp_path: Path) -> None:
    lines = "d.a.x -> d.b.x\nd.b.x -> d.a.x\nd.b.x -> d.c.x\nd.c.x -> d.c.x"
    graph = headwater.open(make_store(tmp_path / "lineage", lines).path)
    assert names(graph.roots("d.c.x")) == ["d.a.x", "d.b.x"]
    assert names(graph.leaves("d.a.x")) == ["d.c.x"]


def test_a_trace_that_is_cut_off_does_not_tell_ends(graph: Graph) -> None:
    with pytest.raises(ValueError, match="depth"):
        graph.upstream("db.c.addr", depth=1).ends()


def test_a_flow_that_is_none_is_refused(graph: Graph) -> None:
    with pytest.raises(ValueError, match="'data' or 'impact'"):
        graph.upstream("db.c.addr", flow="everything")  # type: ignore[arg-type]


# Names


@pytest.mark.parametrize("name", ["db.c.addr", "DB.C.Addr", "c.addr", "C.ADDR", "addr"])
def test_a_column_is_found_by_its_name_its_case_or_its_end(graph: Graph, name: str) -> None:
    assert str(graph.column(name)) == "db.c.addr"


def test_a_column_is_found_by_its_id(graph: Graph) -> None:
    column = graph.column("db.c.addr")
    assert graph.column(f"id:{column.id}") == column


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("db.c.adr", "did you mean addr?"),
        ("dd.c.addr", "did you mean db.c"),
        ("nowhere", "headwater search"),
        ("", "headwater search"),
        (".", "headwater search"),
        ("id:1", "no column"),
    ],
)
def test_an_unknown_column_is_an_error_with_a_hint(graph: Graph, name: str, hint: str) -> None:
    with pytest.raises(UnknownName, match=hint.replace("?", r"\?")):
        graph.column(name)


def test_an_end_that_several_have_lists_them(tmp_path: Path) -> None:
    graph = headwater.open(make_store(tmp_path / "lineage", "d.a.id -> d.b.id\ne.a.id -> d.b.id").path)
    with pytest.raises(UnknownName, match=r"any of 2: d\.a\.id .*e\.a\.id"):
        graph.column("a.id")


def test_dots_inside_names_do_no_harm(tmp_path: Path) -> None:
    lines = 'd."a.b".x.y -> d.c.z\nd.c.z -> d.c.s.f'
    store = make_store(tmp_path / "lineage", lines)
    assert str(headwater.open(store.path).column('d."a.b".x.y')) == 'd."a.b".x.y'


def test_exact_case_comes_before_any_case(tmp_path: Path) -> None:
    graph = headwater.open(make_store(tmp_path / "lineage", "d.T.x -> d.c.x\nd.t.x -> d.c.x").path)
    assert graph.column("d.T.x").table.name == "d.T"
    assert graph.column("d.t.x").table.name == "d.t"


def test_a_persistent_table_comes_before_a_temporary_one(tmp_path: Path) -> None:
    graph = headwater.open(make_store(tmp_path / "lineage", "temporary e.t\ne.t.x -> d.t.x").path)
    assert str(graph.column("t.x")) == "d.t.x"


# Stores


def test_arrays_are_made_when_they_are_missing_and_kept(tmp_path: Path) -> None:
    store = make_store(tmp_path / "lineage", LINES)
    marker = store.snapshot().derived() / "graph" / "graph.json"
    assert not marker.exists()
    headwater.open(store.path)
    made = marker.stat().st_mtime_ns
    headwater.open(store.path)
    assert marker.stat().st_mtime_ns == made


def test_damaged_arrays_are_said_to_be_damaged(tmp_path: Path) -> None:
    store = make_store(tmp_path / "lineage", LINES)
    headwater.open(store.path)
    (store.snapshot().derived() / "graph" / "in_bounds.npy").write_bytes(b"no array")
    with pytest.raises(StoreError, match="damaged"):
        headwater.open(store.path)


def test_an_empty_store_can_be_opened(tmp_path: Path) -> None:
    graph = headwater.open(make_store(tmp_path / "lineage", "").path)
    with pytest.raises(UnknownName):
        graph.upstream("a.b")


def test_an_earlier_snapshot_can_be_asked(tmp_path: Path) -> None:
    first = make_store(tmp_path / "lineage", "d.a.x -> d.b.x").snapshot().name
    make_store(tmp_path / "lineage", "d.c.x -> d.b.x")
    assert names(headwater.open(tmp_path / "lineage").roots("d.b.x")) == ["d.c.x"]
    assert names(headwater.open(tmp_path / "lineage", as_of=first).roots("d.b.x")) == ["d.a.x"]
