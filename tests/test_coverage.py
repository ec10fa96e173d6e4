"""One figure for how much is explained, counted by hand and the same wherever it is shown; and answers that depend on what was lost."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from fastapi.testclient import TestClient

from command import Run
from headwater.cli.build import summary_lines
from headwater.graph import Graph, open_graph
from headwater.graph.coverage import State, column_states
from headwater.graph.open_store import OpenStore
from headwater.mcp.store_tools import StoreTools
from headwater.pipeline.corpus import Corpus, build
from headwater.report import gather, markdown_page, page_of
from headwater.server.app import application
from stores import make_store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from headwater.pipeline.build import Built

SCRIPTS = {
    # Explained: id (a column), n (counted rows), kind (a literal), at (a function without columns).
    "a_fill.sql": """
        CREATE TABLE raw.orders (id INT, amount INT, note STRING);
        CREATE TABLE raw.items (id INT, price INT);
        CREATE TABLE mart.daily (id BIGINT, n BIGINT, kind STRING, at TIMESTAMP, left_out STRING);
        INSERT INTO mart.daily (id, n, kind, at)
        SELECT id, count(*), 'web', current_timestamp() FROM raw.orders GROUP BY id;
    """,
    # Not explained: total comes from a name that no table has; either comes from one of two unknown tables; * is open; nobody
    # described the function f.
    "b_unclear.sql": """
        CREATE VIEW mart.v AS SELECT amount AS good, no_such_column AS total FROM raw.orders;
        CREATE VIEW mart.w AS SELECT either FROM unknown_one, unknown_two;
        CREATE TABLE mart.x AS SELECT * FROM unknown_three;
        CREATE TABLE mart.y AS SELECT g.made FROM ext.f(1) AS g;
    """,
    # Lost: a statement, in a script that has another one. It names raw.items, and so does a string that is executed.
    "c_lost.sql": """
        SELECT price FROM FROM raw.items WHERE;
        UPDATE mart.daily SET kind = note FROM raw.orders WHERE raw.orders.id = mart.daily.id;
    """,
}
WRITTEN, EXPLAINED = 4 + 2 + 1 + 1 + 1, 4 + 1
"""Columns of mart.daily without left_out, of mart.v, mart.w, mart.x and mart.y; raw tables are only declared."""
HEADLINE = f"55.5% of the {WRITTEN} written columns are explained; 1 of 10 statements and 1 of 4 scripts were lost"


@pytest.fixture(scope="module")
def built(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Built:
    folder = tmp_path_factory.mktemp("coverage")
    for name, text in SCRIPTS.items():
        (folder / name).write_text(text, encoding="utf-8")
    (folder / "d_unreadable.sql").write_bytes(b"PK\x03\x04\x00\x00\x08\x00\xff\xfe\x00\x00")
    return build(Corpus([str(folder / "*.sql")]), str(folder / "lineage"))


@pytest.fixture(scope="module")
def store(built: Built, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.getbasetemp() / "coverage0" / "lineage"


@pytest.fixture(scope="module")
def graph(store: Path) -> Graph:
    return open_graph(store)


pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]


def test_the_figure_is_the_one_counted_by_hand(graph: Graph) -> None:
    found = graph.coverage
    assert (found.written, found.explained, found.headline) == (WRITTEN, EXPLAINED, HEADLINE)


def test_every_column_has_its_state(graph: Graph) -> None:
    states = column_states(graph.arrays, graph.snapshot)
    found = {
        str(column): State(states[column.node]).name
        for table in ("mart.daily", "mart.v", "mart.w", "mart.x", "mart.y", "raw.orders")
        for column in graph.columns(table)
    }
    assert found == {
        "mart.daily.id": "SOURCED",
        "mart.daily.n": "CONSTANT",
        "mart.daily.kind": "SOURCED",
        "mart.daily.at": "CONSTANT",
        "mart.daily.left_out": "NOT_WRITTEN",
        "mart.v.good": "SOURCED",
        "mart.v.total": "UNRESOLVED",
        "mart.w.either": "AMBIGUOUS",
        "mart.x.*": "OPEN_STAR",
        "mart.y.made": "UNTRACED",
        "raw.orders.id": "NOT_WRITTEN",
        "raw.orders.amount": "NOT_WRITTEN",
        "raw.orders.note": "NOT_WRITTEN",
    }


def test_every_face_shows_the_same_figure(built: Built, graph: Graph, store: Path, run: Run) -> None:
    assert HEADLINE in list(summary_lines(built, "lineage"))
    assert (built.summary.written, built.summary.explained) == (WRITTEN, EXPLAINED)
    assert built.snapshot.run["headline"] == HEADLINE
    page = markdown_page(page_of(gather(graph)))
    assert f"{HEADLINE}." in page
    assert "| of written columns explained | 55.5 % | 5 of 9 |" in page
    assert run("coverage", "--store", store).out.splitlines()[0] == HEADLINE
    assert json.loads(run("coverage", "--store", store, "--format", "json").out)["headline"] == HEADLINE
    assert HEADLINE in run("check", "--store", store).err
    assert StoreTools(OpenStore(store)).diagnostics().coverage == HEADLINE
    answer = TestClient(application(store), base_url="http://127.0.0.1").get("/api/v1/coverage").json()
    assert (answer["headline"], answer["columns"], answer["explained"]) == (HEADLINE, WRITTEN, EXPLAINED)
    assert (answer["statements"] - answer["understood"], answer["lost_scripts"]) == (1, 1)


def test_a_change_is_not_called_safe_while_a_statement_that_names_the_table_was_not_understood(
    store: Path, run: Run
) -> None:
    found = run("impact", "raw.items.price", "--store", store)
    assert found.code == 1
    assert "no statement that was understood uses it" in found.out
    assert "c_lost.sql:2  syntax-error" in found.out
    assert "d_unreadable.sql:1  unreadable-file" in found.out


def test_the_answer_as_json_lists_what_was_not_understood(store: Path, run: Run) -> None:
    found = json.loads(run("impact", "raw.items.price", "--store", store, "--format", "json").out)
    assert (found["safe"], found["breaking"]) == (False, False)
    places = [(Path(each["place"]["path"]).name, each["place"]["line"]) for each in found["not_understood"]]
    assert places == [("c_lost.sql", 2), ("d_unreadable.sql", 1)]


LINES = """
    column raw.items.price int
    column raw.orders.note string
    raw.items.id -> mart.daily.id @ fill.sql:1 Insert
    raw.orders.id -> mart.weekly.id @ fill.sql:3 Insert
    error fill.sql:5 syntax-error it cannot be read
"""
TEXTS = {"fill.sql": "insert 1;\n\ninsert 2;\n\nEXEC ('select price from [Items]');\n"}


def test_columns_are_not_called_unused_while_a_statement_may_read_them(tmp_path: Path, run: Run) -> None:
    store = make_store(tmp_path / "lineage", LINES, TEXTS)
    found = open_graph(store.path).unused("raw")
    assert [(str(each.column), each.not_understood) for each in found.columns] == [
        ("raw.items.price", 1),
        ("raw.orders.note", 0),
    ]
    assert [str(each.column) for each in found.certain] == ["raw.orders.note"]
    assert run("unused", "items", "--store", store.path).code == 0
    assert run("unused", "orders", "--store", store.path).code == 1


def test_all_that_names_the_table_was_understood(tmp_path: Path, run: Run) -> None:
    store = make_store(tmp_path / "lineage", LINES, TEXTS)
    found = run("impact", "raw.orders.note", "--store", store.path)
    assert (found.code, found.out.splitlines()[-1].strip()) == (0, "nothing uses it in this store")


def test_a_foreign_key_writes_nothing(tmp_path: Path) -> None:
    store = make_store(tmp_path / "lineage", "a.t.id -> a.u.t_id foreignKey @ ddl.sql:1 Create Table")
    assert open_graph(store.path).coverage.written == 0


def test_a_lost_statement_that_names_only_a_synonym_of_the_table(tmp_path: Path, run: Run) -> None:
    lines = """
        column raw.items.price int
        raw.items.price -> app.goods.price @ syn.sql:1 Create View
        raw.other.id -> app.more.id @ syn.sql:1 Create View
        error syn.sql:3 syntax-error it cannot be read
    """
    store = make_store(tmp_path / "lineage", lines, {"syn.sql": "create 1;\n\nselect price from from GOODS where;\n"})
    found = run("impact", "raw.items.price", "--store", store.path)
    assert (found.code, "syn.sql:3  syntax-error" in found.out) == (1, True)
    assert run("impact", "raw.other.id", "--store", store.path).out.count("not understood") == 0


def test_a_column_that_a_lost_statement_may_read_through_a_synonym_is_not_called_unused(
    tmp_path: Path, run: Run
) -> None:
    lines = """
        column raw.items.price int
        raw.items.price -> app.goods.price = * @ syn.sql:1 Create Synonym
        error syn.sql:3 syntax-error it cannot be read
    """
    store = make_store(tmp_path / "lineage", lines, {"syn.sql": "create 1;\n\nselect price from from GOODS where;\n"})
    found = open_graph(store.path).unused("raw.items")
    assert [(str(each.column), each.use, each.not_understood) for each in found.columns] == [
        ("raw.items.price", "star", 1)
    ]
    assert (len(found.not_understood), run("unused", "raw.items", "--store", store.path).code) == (1, 0)
