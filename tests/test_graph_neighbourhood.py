"""The graph around something: by hand, and against a plain walk over random stores."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

import headwater
from headwater.graph import Graph
from headwater.graph.graph import FlowName
from headwater.graph.neighbourhood import Neighbourhood
from headwater.graph.records import Column, Table
from random_stores import random_store
from stores import make_store

CHAIN = """
    d.raw.a -> d.stage.a
    d.raw.b -> d.stage.b
    d.stage.a -> d.mart.x = upper(a) @ etl.sql:7 Insert
    d.stage.b -> d.mart.y
    d.stage.c -> d.mart.rows FILTER
    d.mart.x -> d.report.x
    d.mart.y -> d.report.y
    d.mart.x -> d.board.x
"""


def graph_of(folder: Path, lines: str) -> Graph:
    return headwater.open(make_store(folder / "lineage", lines).path)


def tables(found: Neighbourhood) -> dict[str, int]:
    return {each.table.name: each.distance for each in found.tables}


def columns(found: Neighbourhood) -> dict[str, list[str]]:
    return {each.table.name: [column.name for column in each.columns] for each in found.tables}


def hops(found: Neighbourhood) -> set[tuple[str, str]]:
    return {(str(hop.source), str(hop.target)) for hop in found.hops}


def beyond(found: Neighbourhood) -> dict[str, tuple[int, int]]:
    return {each.table.name: (each.beyond_upstream, each.beyond_downstream) for each in found.tables}


def test_around_a_table_are_its_neighbours_and_what_is_beyond_is_counted(tmp_path: Path) -> None:
    found = graph_of(tmp_path, CHAIN).neighbourhood("d.mart")
    assert tables(found) == {"d.mart": 0, "d.stage": -1, "d.board": 1, "d.report": 1}
    assert hops(found) == {
        ("d.stage.a", "d.mart.x"),
        ("d.stage.b", "d.mart.y"),
        ("d.mart.x", "d.report.x"),
        ("d.mart.y", "d.report.y"),
        ("d.mart.x", "d.board.x"),
    }
    assert beyond(found) == {"d.mart": (0, 0), "d.stage": (1, 0), "d.board": (0, 0), "d.report": (0, 0)}
    assert not found.links


def test_more_hops_reach_further_on_the_side_that_is_asked_for(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, CHAIN)
    assert tables(graph.neighbourhood("d.mart", 2, 0)) == {"d.mart": 0, "d.stage": -1, "d.raw": -2}
    assert tables(graph.neighbourhood("d.raw", 3, 2)) == {"d.raw": 0, "d.stage": 1, "d.mart": 2}
    assert tables(graph.neighbourhood("d.mart", 0, 0)) == {"d.mart": 0}
    assert beyond(graph.neighbourhood("d.mart", 0, 0)) == {"d.mart": (1, 2)}


def test_around_a_column_are_only_columns_on_ways_to_and_from_it(tmp_path: Path) -> None:
    found = graph_of(tmp_path, CHAIN).neighbourhood("d.mart.x", 2, 1)
    assert columns(found) == {"d.mart": ["x"], "d.stage": ["a"], "d.board": ["x"], "d.report": ["x"], "d.raw": ["a"]}
    assert tables(found)["d.raw"] == -2
    assert {each.table.name: each.hidden_columns for each in found.tables}["d.stage"] == 2
    assert isinstance(found.focus, Column)


def test_with_impact_the_row_set_is_followed_and_shown(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, CHAIN)
    found = graph.neighbourhood("d.mart.y", 1, 0, flow="impact")
    assert columns(found) == {"d.mart": ["y", "PseudoRows"], "d.stage": ["b", "c"]}
    assert hops(found) == {("d.stage.b", "d.mart.y"), ("d.stage.c", "d.mart.PseudoRows")}
    down = graph.neighbourhood("d.stage.c", 0, 2, flow="impact")
    assert columns(down)["d.report"] == ["x", "y"]
    assert tables(down) == {"d.stage": 0, "d.mart": 1, "d.board": 2, "d.report": 2}


def test_a_hub_shows_those_with_the_most_relations(tmp_path: Path) -> None:
    lines = [f"d.hub.k -> d.t{i}.k" for i in range(50)]
    lines += ["d.hub.a -> d.t7.a", "d.hub.b -> d.t7.b", "d.hub.a -> d.t9.a", "d.src.k -> d.hub.k"]
    graph = graph_of(tmp_path, "\n".join(lines))
    found = graph.neighbourhood("d.hub", tables=4)
    assert tables(found) == {"d.hub": 0, "d.t7": 1, "d.t9": 1, "d.src": -1}
    assert beyond(found)["d.hub"] == (0, 48)
    assert found.beyond == 48


def test_columns_of_relations_come_first_and_the_rest_is_counted(tmp_path: Path) -> None:
    lines = "\n".join([*(f"column d.wide.c{i}" for i in range(8)), "d.wide.c6 -> d.t.x", "d.wide.c7 -> d.t.x"])
    graph = graph_of(tmp_path, lines)
    found = graph.neighbourhood("d.wide", columns=3)
    assert columns(found)["d.wide"] == ["c0", "c6", "c7"]
    assert found.tables[0].hidden_columns == 5
    one = graph.neighbourhood("d.wide", columns=1)
    assert columns(one)["d.wide"] == ["c6"]
    assert hops(one) == {("d.wide.c6", "d.t.x")}
    (link,) = one.links
    assert (link.source.name, link.source_column, str(link.target_column), link.relations) == (
        "d.wide",
        None,
        "d.t.x",
        1,
    )


def test_the_focus_is_shown_however_few_columns_are(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, "d.a.x -> d.b.x\nd.b.x -> d.b.y\nd.b.y -> d.c.y\nd.b.y -> d.b.x")
    assert columns(graph.neighbourhood("d.b.y", columns=1))["d.b"] == ["y"]


def test_at_the_table_level_a_link_stands_for_all_relations_of_a_statement(tmp_path: Path) -> None:
    lines = """
        d.a.x -> d.b.x @ one.sql:1
        d.a.y -> d.b.y @ one.sql:1
        d.a.x -> d.b.x @ two.sql:1
        d.a.x -> d.c.rows FILTER @ two.sql:5
    """
    found = graph_of(tmp_path, lines).neighbourhood("d.a", level="table", flow="impact")
    assert not found.hops
    assert {len(each.columns) for each in found.tables} == {0}
    counted = [
        (link.target.name, link.process.place.path, link.flowing, link.relations)
        for link in found.links
        if link.process and link.process.place
    ]
    assert sorted(counted) == [("d.b", "one.sql", True, 2), ("d.b", "two.sql", True, 1), ("d.c", "two.sql", False, 1)]


def test_a_circle_has_one_distance(tmp_path: Path) -> None:
    graph = graph_of(tmp_path, "d.a.x -> d.b.x\nd.b.x -> d.a.x\nd.b.x -> d.b.x")
    assert tables(graph.neighbourhood("d.a", 3, 3)) == {"d.a": 0, "d.b": -1}
    assert hops(graph.neighbourhood("d.a.x", 3, 3)) == {
        ("d.a.x", "d.b.x"),
        ("d.b.x", "d.a.x"),
        ("d.b.x", "d.b.x"),
    }


def test_too_many_relations_are_told_between_tables(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwater.graph.neighbourhood._MOST", 2)
    found = graph_of(tmp_path, CHAIN).neighbourhood("d.stage")
    assert len(found.hops) == 2
    assert sum(link.relations for link in found.links) == 2
    assert all(link.source_column is None for link in found.links)


def test_a_hop_knows_where_its_expression_ends(tmp_path: Path) -> None:
    (hop,) = [h for h in graph_of(tmp_path, CHAIN).neighbourhood("d.mart").hops if str(h.target) == "d.mart.x"]
    assert (hop.expression, hop.place and (hop.place.path, hop.place.line), hop.end) == (
        "upper(a)",
        ("etl.sql", 7),
        None,
    )
    assert hop.place is not None
    assert hop.place.script != 0


# Against a plain walk


class Plain:
    """The same question, answered slowly from the records of all relations."""

    def __init__(self, graph: Graph, flow: FlowName) -> None:
        arrays = graph.arrays
        every = graph._records.hops(np.arange(arrays.relations))
        self.between = Counter((hop.source.table, hop.target.table) for hop in every)
        kept = [hop for hop in every if hop.kind.clause != "foreignKey"]
        self.hops = [hop for hop in kept if flow == "impact" or hop.kind.type == "fdd"]
        self.rows = {column.table: column for column in graph._records.columns(range(arrays.nodes)) if column.row_set}
        self.columns = graph._records.columns(range(arrays.nodes))
        self.flow = flow

    def belonging(self, column: Column, up: bool) -> list[Column]:
        if self.flow == "data":
            return []
        if up:
            return [self.rows[column.table]] if column.table in self.rows else []
        return [each for each in self.columns if each.table == column.table] if column.row_set else []

    def around_table(self, focus: Table, hops: tuple[int, int], most: int) -> dict[Table, int]:
        shown = {focus: 0}
        sides = ([focus], [focus])
        for hop in range(1, max(hops) + 1):
            counts: Counter[tuple[Table, int]] = Counter()
            for source, target in {(each.source.table, each.target.table) for each in self.hops}:
                if hop <= hops[0] and target in sides[0]:
                    counts[source, -hop] += self.between[source, target]
                if hop <= hops[1] and source in sides[1]:
                    counts[target, hop] += self.between[source, target]
            before = set(shown)
            self.admit(shown, counts, most)
            fresh = [table for table in shown if table not in before]
            sides = ([t for t in fresh if shown[t] < 0], [t for t in fresh if shown[t] > 0])
        return shown

    @staticmethod
    def admit(shown: dict[Table, int], counts: Counter[tuple[Table, int]], most: int) -> None:
        def key(each: tuple[Table, int]) -> tuple[int, int, int]:
            return (-counts[each], each[0].number, each[1])

        for table, distance in sorted(counts, key=key):
            if len(shown) < most and table not in shown:
                shown[table] = distance

    def around_column(self, focus: Column, hops: tuple[int, int], most: int) -> tuple[dict[Table, int], set[int]]:
        shown, relations = {focus.table: 0}, set()
        seen: list[set[Column]] = []
        for up in (True, False):
            seen.append({focus, *self.belonging(focus, up)})
        frontier = [set(seen[0]), set(seen[1])]
        for hop in range(1, max(hops) + 1):
            counts: Counter[tuple[Table, int]] = Counter()
            steps: list[list[tuple[Column, int]]] = [[], []]
            for each in self.hops:
                if hop <= hops[0] and each.target in frontier[0]:
                    steps[0].append((each.source, each.id))
                    counts[each.source.table, -hop] += 1
                if hop <= hops[1] and each.source in frontier[1]:
                    steps[1].append((each.target, each.id))
                    counts[each.target.table, hop] += 1
            self.admit(shown, counts, most)
            for side, up in ((0, True), (1, False)):
                kept = [(column, relation) for column, relation in steps[side] if column.table in shown]
                relations |= {relation for _, relation in kept}
                fresh = {column for column, _ in kept} - seen[side]
                fresh |= {own for column in set(fresh) for own in self.belonging(column, up)} - seen[side]
                seen[side] |= fresh
                frontier[side] = fresh
        return shown, relations

    def beyond(self, table: Table, shown: dict[Table, int]) -> tuple[int, int]:
        up = {hop.source.table for hop in self.hops if hop.target.table == table} - {table}
        down = {hop.target.table for hop in self.hops if hop.source.table == table} - {table}
        return len(up - set(shown)), len(down - set(shown))


@pytest.mark.parametrize("flow", ["data", "impact"])
@pytest.mark.parametrize(("hops", "most"), [((1, 1), 60), ((2, 3), 60), ((3, 3), 2), ((0, 2), 60)])
def test_it_is_what_a_plain_walk_finds(tmp_path: Path, flow: FlowName, hops: tuple[int, int], most: int) -> None:
    graph = headwater.open(random_store(tmp_path / "lineage", seed=3, graphs=12).path)
    plain = Plain(graph, flow)
    for column in plain.columns:
        found = graph.neighbourhood(column, *hops, flow=flow, tables=most, columns=1000)
        shown, relations = plain.around_column(column, hops, most)
        assert {each.table: each.distance for each in found.tables} == shown
        assert {hop.id for hop in found.hops} == relations
        assert not found.links
        ends = {end for hop in found.hops for end in (hop.source, hop.target)} | {column}
        assert {c for each in found.tables for c in each.columns} == ends
    for table in {column.table for column in plain.columns}:
        found = graph.neighbourhood(table, *hops, flow=flow, tables=most, columns=1000)
        shown = plain.around_table(table, hops, most)
        assert {each.table: each.distance for each in found.tables} == shown
        inside = {h.id for h in plain.hops if h.source.table in shown and h.target.table in shown}
        assert {hop.id for hop in found.hops} == inside
        for each in found.tables:
            assert (each.beyond_upstream, each.beyond_downstream) == plain.beyond(each.table, shown)
