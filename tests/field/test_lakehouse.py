"""Lakehouse tables in Spark, with the real jars of Delta Lake and Iceberg: two builds, two versions, and the queries of the page."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from build_process import built, environment
from field import cache
from headwater.graph import open_graph
from headwater.lakehouse.tables import RELATIONS
from headwater.store import Store
from lakehouse_reading import answers_of, queries

sys.path.append(str(cache.ROOT / "tests" / "versions"))
from run_versions import made

from field.lakehouse_reader import VERSION

_READER = Path(__file__).with_name("lakehouse_reader.py")
_SCRIPTS = {
    "raw.sql": """
        CREATE TABLE raw.customers (id INT, email STRING COMMENT '#pii', country STRING);
        CREATE TABLE raw.orders (id INT, customer INT, amount DOUBLE, discount DOUBLE, note STRING);
    """,
    "crm.sql": """
        CREATE TABLE crm.customers AS
        SELECT id, email, sha2(email, 256) AS email_hash FROM raw.customers WHERE country = 'DE';
    """,
    "marts.sql": """
        CREATE VIEW marts.contacts AS SELECT email, email_hash AS contact_key FROM crm.customers;
        CREATE TEMPORARY VIEW scratch AS SELECT sum(amount) AS total FROM raw.orders;
        CREATE TABLE marts.daily_revenue AS SELECT total - 1 AS net_revenue FROM scratch;
    """,
}


@pytest.fixture(scope="module", params=["delta", "iceberg"])
def format(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, format: str, maven: None) -> Path:
    """A folder with a store of two builds, and both of them exported."""
    made_here = tmp_path_factory.mktemp(format)
    for text in (_SCRIPTS["marts.sql"], _SCRIPTS["marts.sql"].replace("sum(amount)", "sum(amount - discount)")):
        (made_here / "sql").mkdir(exist_ok=True)
        for name, content in {**_SCRIPTS, "marts.sql": text}.items():
            (made_here / "sql" / name).write_text(content)
        built(made_here, "sql", "-o", "lineage")
        command = [sys.executable, "-m", "headwater", "export", "lineage", "--format", format, "-o", "lake"]
        subprocess.run(command, cwd=made_here, env=environment(), check=True)
    return made_here


@pytest.fixture(scope="module")
def found(folder: Path, format: str) -> dict[str, list[list[Any]]]:
    """What Spark answers."""
    python = made(VERSION, cache.CACHE.parent / "versions")
    ours = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))}
    done = subprocess.run(
        [str(python), str(_READER), format, str(folder / "lake")],
        env={**ours, "PYTHONPATH": str(cache.ROOT / "src")},
        input=json.dumps(queries()),
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    answers: dict[str, list[list[Any]]] = json.loads(done.stdout.splitlines()[-1])
    return answers


def test_the_queries_of_the_page_are_answered_as_by_the_graph(folder: Path, found: dict[str, list[list[Any]]]) -> None:
    expected = answers_of(open_graph(folder / "lineage"))
    assert {name: [tuple(row) for row in found[name]] for name in expected} == expected
    assert all(expected.values())


def test_time_travel_gives_the_first_build(folder: Path, found: dict[str, list[list[Any]]]) -> None:
    assert found["What changed between two versions"] == [
        ["added", "raw.orders", "discount", "scratch", "total", "fdd"]
    ]
    store = Store(folder / "lineage")
    first = store.snapshot(store.names()[0]).dataset("relations").count_rows()
    assert dict(map(tuple, found["counts"]))["relations_before"] == first


def test_every_table_is_read_whole(folder: Path, found: dict[str, list[list[Any]]]) -> None:
    snapshot = open_graph(folder / "lineage").snapshot
    counts: dict[str, int] = dict(map(tuple, found["counts"]))
    for ours, stored in {"tables": "entities", "columns": "columns", "processes": "processes"}.items():
        assert counts[ours] == snapshot.dataset(stored).count_rows() > 0
    assert counts["relations"] == snapshot.dataset("relations").count_rows()
    assert (counts["tags"], counts["snapshots"]) == (1, 14)
    assert found["by name"] == [[counts["relations"]]]


def test_columns_have_comments(found: dict[str, list[list[Any]]]) -> None:
    comments = {row[0]: row[2] for row in found["comments"]}
    assert {name: comments.get(name) for name in RELATIONS.schema.names} == {
        field.name: field.meaning for field in RELATIONS.fields
    }
