"""`headwater upstream` and `downstream`: trees, tables, JSON, CSV, and how they end."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from command import Run, line_with
from stores import make_store
from test_graph_trace import LINES


@pytest.fixture
def store(folder: Path) -> Path:
    """A store in the usual place."""
    return make_store(folder / "lineage", LINES).path


def test_upstream_is_a_tree_with_expressions_and_places(run: Run, store: Path) -> None:
    code, out, err = run("upstream", "c.addr")
    assert (code, err) == (0, "")
    assert out.splitlines()[0] == "db.c.addr"
    assert line_with(out, "db.b.full").startswith("└── db.b.full  identity  full  Create View  etl.sql:9")
    assert "    ├── db.a.x  transformation  concat(x, y)  Insert  etl.sql:3" in out


def test_impact_shows_what_decides_over_rows(run: Run, store: Path) -> None:
    out = run("upstream", "c.addr", "--impact").out
    assert "where" in line_with(out, "db.a.z")
    assert "db.a.z" not in run("upstream", "c.addr").out


def test_what_was_told_is_not_told_again(run: Run, folder: Path) -> None:
    make_store(folder / "lineage", "d.a.x -> d.b.x\nd.b.x -> d.c.x\nd.b.x -> d.c.y\nd.c.x -> d.e.x\nd.c.y -> d.e.x")
    out = run("upstream", "d.e.x").out
    assert out.count("d.a.x") == 1
    assert out.count("(see above)") == 1


def test_circles_end(run: Run, folder: Path) -> None:
    make_store(folder / "lineage", "d.a.x -> d.b.x\nd.b.x -> d.a.x\nd.a.x -> d.a.x")
    assert run("upstream", "d.a.x").code == 0
    assert run("downstream", "d.a.x", "--impact").code == 0


def test_a_long_chain_is_no_problem(run: Run, folder: Path) -> None:
    make_store(folder / "lineage", "\n".join(f"d.t{i}.x -> d.t{i + 1}.x" for i in range(1200)))
    assert len(run("downstream", "d.t0.x").out.splitlines()) == 1201


def test_depth_stops(run: Run, store: Path) -> None:
    assert "db.a.x" not in run("upstream", "c.addr", "--depth", "1").out


def test_nothing_is_said(run: Run, store: Path) -> None:
    assert "nothing makes it" in run("upstream", "db.a.x").out
    assert "nothing reads it" in run("downstream", "db.c.addr").out


def test_tables(run: Run, store: Path) -> None:
    assert run("upstream", "c.addr", "--table").out == (
        "db.c\n└── db.b  Create View  etl.sql:9\n    └── db.a  Insert  etl.sql:3\n"
    )


def test_json_has_ids_as_strings(run: Run, store: Path) -> None:
    found = json.loads(run("downstream", "db.a.x", "--format", "json").out)
    assert [column["distance"] for column in found["columns"]] == [0, 1, 2]
    assert all(isinstance(column["id"], str) for column in found["columns"])
    assert found["hops"][0]["place"] == {"path": "etl.sql", "line": 3, "column": 1}
    assert found["hops"][0]["subtype"] == "TRANSFORMATION"


def test_json_of_tables(run: Run, store: Path) -> None:
    found = json.loads(run("downstream", "db.a", "--table", "--format", "json").out)
    assert [table["name"] for table in found["tables"]] == ["db.b", "db.c"]


def test_csv_and_table_have_a_hop_a_row(run: Run, store: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(run("upstream", "c.addr", "--format", "csv").out)))
    assert [row["source"] for row in rows] == ["db.b.full", "db.a.x", "db.a.y"]
    assert line_with(run("upstream", "c.addr", "--format", "table").out, "db.a.x", "concat(x, y)").startswith("2")


def test_no_store_is_one_line_and_2(run: Run, folder: Path) -> None:
    code, out, err = run("upstream", "a.b")
    assert (code, out) == (2, "")
    assert "headwater build" in err
    assert "Traceback" not in err


def test_an_unknown_column_is_one_line_and_2(run: Run, store: Path) -> None:
    code, _, err = run("upstream", "c.adr")
    assert code == 2
    assert "did you mean addr?" in err


def test_control_characters_do_not_reach_the_terminal(run: Run, folder: Path) -> None:
    make_store(folder / "lineage", "d.a.x -> d.b.x TRANSFORMATION = f('\x1b[31m')")
    assert "\x1b" not in run("upstream", "d.b.x").out
