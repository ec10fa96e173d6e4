"""Impact of a change, and differences between snapshots: what breaks, what may, what does not."""

from __future__ import annotations

from pathlib import Path

import pytest

import headwater
from headwater.graph import Graph
from headwater.graph.diff import Diff
from headwater.graph.impact import Impact
from headwater.graph.impact_rules import Change
from stores import make_store

LINES = """
view d.v
result q
d.a.x -> d.v.x = x @ v.sql:1 Create View
d.a.y -> d.v.y = y @ v.sql:1 Create View
d.a.rows -> d.v.rows rows @ v.sql:1 Create View
d.v.y -> d.t.y = y @ t.sql:1 Insert
d.v.rows -> d.t.rows rows @ t.sql:1 Insert
d.t.y -> d.u.y = y @ u.sql:1 Insert
d.t.rows -> d.u.rows rows @ u.sql:1 Insert
d.a.x -> d.s.x = * @ s.sql:1 Create Table
d.s.x -> q.x = x @ q.sql:1 Select
d.a.x -> d.f.rows FILTER @ f.sql:1 Insert
d.a.z -> d.f.z = z @ f.sql:1 Insert
d.a.x -> d.k.a foreignKey @ k.sql:1 Create Table
d.a.x -> d.m.n AGGREGATION masked = count(x) @ m.sql:1 Insert
d.a.x -> d.c.x candidate @ c.sql:1 Insert
"""


@pytest.fixture(scope="module")
def graph(tmp_path_factory: pytest.TempPathFactory) -> Graph:
    return headwater.open(make_store(tmp_path_factory.mktemp("stores") / "lineage", LINES).path)


def verdicts(found: Impact) -> dict[str, str]:
    return {str(hit.column): hit.verdict for hit in found.hits}


# Drop and rename


@pytest.mark.parametrize("change", ["drop", "rename"])
def test_a_view_that_names_the_column_fails_as_a_whole_and_so_do_its_readers(graph: Graph, change: str) -> None:
    found = verdicts(graph.impact("d.a.x", change))  # type: ignore[arg-type]
    assert {name: found[name] for name in ("d.v.x", "d.v.y", "d.t.y", "d.t.PseudoRows")} == {
        "d.v.x": "breaking",
        "d.v.y": "breaking",
        "d.t.y": "breaking",
        "d.t.PseudoRows": "breaking",
    }


def test_what_reads_a_table_that_is_not_filled_is_outdated_only(graph: Graph) -> None:
    found = graph.impact("d.a.x")
    assert verdicts(found)["d.u.y"] == "maybe"
    assert "not filled any more" in next(hit.reason for hit in found.hits if str(hit.column) == "d.u.y")


@pytest.mark.parametrize(("change", "what"), [("drop", "vanishes"), ("rename", "changes its name")])
def test_a_column_behind_a_star_shares_the_change(graph: Graph, change: Change, what: str) -> None:
    found = graph.impact("d.a.x", change)
    assert (verdicts(found)["d.s.x"], verdicts(found)["q.x"]) == ("breaking", "breaking")
    assert f"through *: {what} with it" in next(hit.reason for hit in found.hits if str(hit.column) == "d.s.x")


BEHIND_STARS = """
view d.s
d.a.x -> d.s.x = * @ s.sql:1 Create View
d.a.y -> d.s.y = * @ s.sql:1 Create View
d.s.x -> d.m.x @ m.sql:1 Create Table
d.s.y -> d.m.y @ m.sql:1 Create Table
d.o.z -> d.i.z @ j.sql:1 Insert
d.a.y -> d.i.y = * @ i.sql:1 Insert
d.a.x -> d.i.x = * @ i.sql:1 Insert
d.a.rows -> d.i.rows rows @ i.sql:1 Insert
constant d.i.k
"""


def test_a_statement_that_names_a_column_behind_a_star_fails_as_a_whole(tmp_path: Path) -> None:
    graph = headwater.open(make_store(tmp_path / "lineage", BEHIND_STARS).path)
    found = verdicts(graph.impact("d.a.y"))
    assert {name: found.get(name) for name in ("d.s.y", "d.s.x", "d.m.y", "d.m.x")} == {
        "d.s.y": "breaking",
        "d.s.x": None,
        "d.m.y": "breaking",
        "d.m.x": "breaking",
    }


def test_what_other_statements_fill_may_only_lack_rows(tmp_path: Path) -> None:
    graph = headwater.open(make_store(tmp_path / "lineage", BEHIND_STARS).path)
    dropped, renamed = verdicts(graph.impact("d.a.y")), verdicts(graph.impact("d.a.y", "rename"))
    assert {name: dropped.get(name) for name in ("d.i.y", "d.i.x", "d.i.z", "d.i.k")} == {
        "d.i.y": "breaking",
        "d.i.x": "breaking",
        "d.i.z": "maybe",
        "d.i.k": "maybe",
    }
    assert (renamed.get("d.i.y"), renamed.get("d.i.x")) == ("maybe", None)


def test_a_filter_takes_its_statement_along(graph: Graph) -> None:
    found = graph.impact("d.a.x")
    assert verdicts(found)["d.f.z"] == "breaking"
    assert "d.a.x (where)" in next(hit.reason for hit in found.hits if str(hit.column) == "d.f.z")


def test_a_referenced_key_is_lost(graph: Graph) -> None:
    assert verdicts(graph.impact("d.a.x"))["d.k.a"] == "breaking"


def test_a_candidate_is_unsure(graph: Graph) -> None:
    assert verdicts(graph.impact("d.a.x"))["d.c.x"] == "maybe"


def test_hits_come_with_the_worst_first_and_a_place(graph: Graph) -> None:
    hits = graph.impact("d.a.x").hits
    order = ["breaking", "maybe", "harmless"]
    assert [order.index(hit.verdict) for hit in hits] == sorted(order.index(hit.verdict) for hit in hits)
    assert all(hit.hop.place for hit in hits)
    assert hits[0].severity == "high"


def test_what_nobody_uses_hits_nothing(graph: Graph) -> None:
    found = graph.impact("d.u.y")
    assert (found.hits, found.breaking) == ((), False)


# Retype


def test_a_type_is_passed_on_until_something_does_not_care(graph: Graph) -> None:
    found = graph.impact("d.a.x", "retype")
    got = verdicts(found)
    assert got["d.v.x"] == got["d.s.x"] == got["q.x"] == "maybe"
    assert got["d.m.n"] == "harmless"
    assert got["d.f.PseudoRows"] == "maybe"
    assert "d.v.y" not in got
    assert not found.breaking


def test_a_change_that_is_none_is_refused(graph: Graph) -> None:
    with pytest.raises(ValueError, match="'drop', 'rename' or 'retype'"):
        graph.impact("d.a.x", "explode")  # type: ignore[arg-type]


def test_circles_end(tmp_path: Path) -> None:
    lines = "d.a.x -> d.b.x\nd.b.x -> d.a.x\nd.a.x -> d.a.x"
    graph = headwater.open(make_store(tmp_path / "lineage", lines).path)
    assert verdicts(graph.impact("a.x")) == {"d.b.x": "breaking"}


# Diff


def compared(folder: Path, old: str, new: str) -> Diff:
    before, after = make_store(folder / "old", old), make_store(folder / "new", new)
    return headwater.open(before.path).diff(headwater.open(after.path))


def said(found: Diff) -> list[tuple[str, str, str, bool]]:
    return [(each.what, each.how, each.name, each.breaking) for each in found.differences]


def test_the_same_is_no_difference(tmp_path: Path) -> None:
    assert compared(tmp_path, LINES, LINES).differences == ()


def test_a_statement_that_moved_is_no_difference(tmp_path: Path) -> None:
    assert said(compared(tmp_path, "d.a.x -> d.b.x @ one.sql:1", "d.a.x -> d.b.x @ two.sql:77")) == []


def test_a_statement_that_is_there_twice_is_no_difference(tmp_path: Path) -> None:
    both = "d.a.x -> d.b.x @ one.sql:1\nd.a.x -> d.b.x @ two.sql:1"
    assert said(compared(tmp_path, "d.a.x -> d.b.x @ one.sql:1", both)) == []
    assert said(compared(tmp_path / "back", both, "d.a.x -> d.b.x @ one.sql:1")) == []


def test_a_source_that_is_gone_breaks_its_target(tmp_path: Path) -> None:
    found = compared(tmp_path, "d.a.x -> d.b.x\nd.a.y -> d.b.x", "d.a.x -> d.b.x\ncolumn d.a.y")
    assert said(found) == [("relation", "removed", "d.b.x <- d.a.y", True)]
    assert found.breaking


def test_what_is_new_does_not_break(tmp_path: Path) -> None:
    found = compared(tmp_path, "d.a.x -> d.b.x", "d.a.x -> d.b.x\nd.a.y -> d.b.x\nd.a.y -> d.n.y")
    assert not found.breaking
    assert ("table", "added", "d.n", False) in said(found)
    assert ("column", "added", "d.a.y", False) in said(found)
    assert ("relation", "added", "d.b.x <- d.a.y", False) in said(found)


def test_a_column_and_a_table_that_are_gone_break(tmp_path: Path) -> None:
    found = compared(tmp_path, "column d.a.x\ncolumn d.a.y\ncolumn d.b.x", "column d.a.x")
    assert said(found) == [
        ("table", "removed", "d.b", True),
        ("column", "removed", "d.a.y", True),
        ("column", "removed", "d.b.x", True),
    ]


def test_temporary_tables_and_results_do_not_break(tmp_path: Path) -> None:
    old = "temporary d.tmp\nresult q\nd.a.x -> d.tmp.x\nd.a.x -> q.x"
    assert not compared(tmp_path, old, "column d.a.x").breaking


def test_another_expression_is_a_change(tmp_path: Path) -> None:
    found = compared(tmp_path, "d.a.x -> d.b.x TRANSFORMATION = x + 1", "d.a.x -> d.b.x TRANSFORMATION = x + 2")
    (one,) = found.differences
    assert (one.how, one.breaking, one.before, one.after) == (
        "changed",
        False,
        "transformation: x + 1",
        "transformation: x + 2",
    )


def test_masking_and_the_loss_of_data_flow_break(tmp_path: Path) -> None:
    masked = compared(tmp_path / "m", "d.a.x -> d.b.x", "d.a.x -> d.b.x TRANSFORMATION masked = md5(x)")
    assert [(each.how, each.reason) for each in masked.differences] == [("changed", "the value is masked now")]
    assert masked.breaking
    lost = compared(tmp_path / "l", "d.a.x -> d.b.x", "d.a.x -> d.b.x fdr FILTER = 1")
    assert lost.breaking


def test_another_type_is_a_change(tmp_path: Path) -> None:
    found = compared(tmp_path, "column d.a.x int\ncolumn d.a.y int", "column d.a.x text\ncolumn d.a.y int")
    assert said(found) == [("column", "changed", "d.a.x", True)]
    assert (found.differences[0].before, found.differences[0].after) == ("int", "text")
