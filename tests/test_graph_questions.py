"""Paths, search, end to end, unused: against plain searches where there is one, and by example."""

from __future__ import annotations

from fnmatch import fnmatchcase
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given
from hypothesis import strategies as st

import headwater
from headwater.graph import Graph
from headwater.graph.circles import circles
from headwater.model.kind import FDR
from stores import make_store
from test_graph_trace import names


def graph_of(folder: Path, lines: str) -> Graph:
    return headwater.open(make_store(folder / "lineage", lines).path)


# Paths

ENDS = st.sampled_from("abcdef")
PAIRS = st.lists(st.tuples(ENDS, ENDS), min_size=1, max_size=14)


def simple_ways(pairs: set[tuple[str, str]], way: tuple[str, ...], target: str) -> list[tuple[str, ...]]:
    if way[-1] == target:
        return [way]
    following = [t for s, t in pairs if s == way[-1] and t not in way]
    return [found for each in following for found in simple_ways(pairs, (*way, each), target)]


@given(PAIRS)
def test_paths_are_all_ways_that_visit_nothing_twice_shortest_first(pairs: list[tuple[str, str]]) -> None:
    source, target = pairs[0][0], pairs[-1][1]
    with TemporaryDirectory() as folder:
        lines = "\n".join(f"d.{s}.x -> d.{t}.x @ s.sql:{i + 1}" for i, (s, t) in enumerate(pairs))
        found = graph_of(Path(folder), lines).paths(f"d.{source}.x", f"d.{target}.x", limit=1000)
        ways = [tuple(column.table.name[2:] for column in path.columns) for path in found.first]
        assert sorted(ways) == sorted(simple_ways(set(pairs), (source,), target))
        assert [len(way) for way in ways] == sorted(len(way) for way in ways)
        assert found.complete
        assert bool(found.columns) == bool(ways)


def test_a_path_has_the_relations_of_each_step(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, "d.a.x -> d.b.x = x + 1 @ s.sql:1\nd.a.x -> d.b.x = x @ s.sql:2\nd.b.x -> d.c.x")
    found = graph.paths("a.x", "c.x")
    assert [[hop.expression for hop in step] for step in found.first[0].steps] == [["x", "x + 1"], ["x"]]
    assert len(found.first[0]) == 2
    assert len(found.hops) == 3


def test_more_paths_than_asked_for_are_said(tmp_path: Path) -> None:
    lines = "\n".join(f"d.a.x -> d.m{i}.x\nd.m{i}.x -> d.c.x" for i in range(5))
    found = graph_of(tmp_path, lines).paths("a.x", "c.x", limit=3)
    assert (len(found.first), found.complete, len(found.columns)) == (3, False, 7)


def test_a_path_over_rows_needs_impact(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, "d.a.x -> d.b.rows FILTER\nd.a.y -> d.b.y\nd.b.y -> d.c.y")
    assert not graph.paths("a.x", "c.y").columns
    way = graph.paths("a.x", "c.y", flow="impact").first[0]
    assert [str(column) for column in way.columns] == ["d.a.x", "d.b.PseudoRows", "d.b.y", "d.c.y"]
    assert len(way) == 2


@pytest.mark.slow
@pytest.mark.no_cover
def test_many_circles_do_not_take_forever(tmp_path: Path) -> None:
    lines = [f"d.t{i}.x -> d.t{j}.x" for i in range(12) for j in range(12) if i != j]
    found = graph_of(tmp_path, "\n".join([*lines, "d.t0.x -> d.z.x"])).paths("t1.x", "z.x", limit=10**9)
    assert not found.complete


@given(st.dictionaries(st.integers(0, 8), st.lists(st.integers(0, 8), max_size=4), min_size=9, max_size=9))
def test_circles_are_what_leads_to_each_other(after: dict[int, list[int]]) -> None:
    def reach(start: int) -> set[int]:
        found, pending = {start}, [start]
        while pending:
            more = set(after[pending.pop()]) - found
            found |= more
            pending += more
        return found

    expected = {frozenset(b for b in reach(a) if a in reach(b)) for a in after}
    assert set(circles(after)) == expected


# Search

NAMES = st.lists(st.sampled_from(["ab.cd.ef", "ab.c.d", "a.bc.de", "AB.cd.fe", "x.y.z", "ab.cd.e_f"]), min_size=1)
PATTERNS = st.text("abcdefxyz.*?_", min_size=1, max_size=6)


@pytest.mark.slow
@given(NAMES, PATTERNS)
def test_search_is_matching_against_the_whole_name(names: list[str], pattern: str) -> None:
    with TemporaryDirectory() as folder:
        graph = graph_of(Path(folder), "\n".join(f"column {name}" for name in names))
        found = {str(column) for column in graph.search(pattern).columns}
        glob = pattern if set(pattern) & set("*?") else f"*{pattern}*"
        assert found == {name for name in names if fnmatchcase(name.lower(), glob.lower())}


def test_search_finds_tables_and_counts(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, "db.orders.id -> db.sales.order_id\ndb.orders.rows -> db.sales.rows rows")
    found = graph.search("order", limit=1)
    assert names(list(found.columns)) == ["db.sales.order_id"]
    assert [table.name for table in found.tables] == ["db.orders"]
    assert found.total == 3
    assert names(list(graph.search("db.[!o]*.*").columns)) == ["db.sales.order_id"]


@pytest.mark.parametrize("pattern", ["[", "[]", "[^", "\\", "(", "a{2}", "[a-", "*[*", "."])
def test_no_pattern_is_an_error(tmp_path: Path, pattern: str) -> None:
    found = graph_of(tmp_path, "db.orders.id -> db.sales.id").search(pattern)
    assert found.total == (4 if pattern == "." else 0)


def test_columns_of_a_table_are_in_order(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, "column d.t.z\ncolumn d.t.a int\ncolumn d.t.rows")
    assert [(column.name, column.data_type) for column in graph.columns("t")] == [("z", None), ("a", "int")]


# End to end


def test_hops_are_composed_by_the_models_rules(tmp_path: Path) -> None:
    graph = graph_of(
        tmp_path,
        """
        d.a.x -> d.b.x AGGREGATION masked
        d.b.x -> d.c.x TRANSFORMATION
        d.a.y -> d.b.y
        d.b.y -> d.c.x CONDITIONAL
        """,
    )
    found = {
        str(each.source): (each.kind.subtype, each.kind.masking, each.distance) for each in graph.end_to_end("c.x")
    }
    assert found == {"d.a.x": ("AGGREGATION", True, 2), "d.a.y": ("CONDITIONAL", False, 2)}


def test_data_flow_and_influence_between_the_same_columns_are_both_kept(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, "d.a.x -> d.b.x\nd.a.x -> d.b.rows FILTER\nd.a.y -> d.b.rows FILTER\nd.b.x -> d.c.x")
    found = [(str(each.source), each.kind.type) for each in graph.end_to_end("c.x", flow="impact")]
    assert found == [("d.a.x", "fdd"), ("d.a.x", FDR), ("d.a.y", FDR)]


def test_circles_compose_too(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, "d.a.x -> d.b.x\nd.b.x -> d.b.x TRANSFORMATION\nd.b.x -> d.c.x\nd.c.x -> d.b.x")
    assert {(str(e.source), e.kind.subtype) for e in graph.end_to_end("c.x")} == {
        ("d.a.x", "IDENTITY"),
        ("d.a.x", "TRANSFORMATION"),
    }


# Unused

READ = """
d.a.used -> d.b.x TRANSFORMATION = used + 1
d.a.filtered -> d.b.rows FILTER
d.a.starred -> d.c.starred = *
d.a.handed_on -> d.c.handed_on = t.*
d.c.handed_on -> q.x = handed_on
d.c.starred -> d.c.starred TRANSFORMATION = starred || '!'
d.a.key -> d.k.a_key foreignKey
column d.a.never
result q
"""


def test_unused_tells_none_from_star_and_follows_the_star(tmp_path: Path) -> None:
    found = graph_of(tmp_path, READ).unused()
    assert [
        (str(each.column), each.use, each.copy_read) for each in found.columns if each.column.table.name == "d.a"
    ] == [
        ("d.a.never", "none", False),
        ("d.a.starred", "star", False),
        ("d.a.handed_on", "star", True),
        ("d.a.key", "none", False),
    ]
    assert [str(each.column) for each in found.columns if each.column.table.name == "d.c"] == ["d.c.starred"]
    assert [table.name for table in found.tables] == ["d.b", "d.k"]


def test_distinct_over_a_star_names_no_column(tmp_path: Path) -> None:
    lines = """
    d.a.x -> d.b.x = * @ s.sql:1
    d.a.x -> d.b.rows GROUP_BY distinct @ s.sql:1
    d.a.y -> d.c.rows GROUP_BY distinct @ s.sql:2
    """
    found = graph_of(tmp_path, lines).unused("d.a")
    assert [(str(each.column), each.use) for each in found.columns] == [("d.a.x", "star")]


def test_unused_can_be_asked_of_a_part(tmp_path: Path) -> None:
    assert [str(each.column) for each in graph_of(tmp_path, READ).unused("d.a.ne*").columns] == ["d.a.never"]


def test_a_table_of_which_only_the_rows_are_read_is_read(tmp_path: Path) -> None:
    found = graph_of(tmp_path, "column d.a.x\nd.a.rows -> d.b.n rows from = count(*)").unused()
    assert [str(each.column) for each in found.columns] == ["d.a.x"]
    assert [table.name for table in found.tables] == ["d.b"]
