"""Live capture under Spark Connect, against a real server: the same as in Spark's own driver, program by program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import connect_programs
import headwater
from headwater.pipeline.corpus import Corpus, build
from headwater.spark.capturing.connect.client import ClientListener
from headwater.spark.capturing.connect.expression import without_alias
from headwater.spark.capturing.connect.naming import Column, Item, Result, found, named, parts_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]

Answers = dict[str, Any]
BOARD = connect_programs.EXAMPLE.with_name("board.sql")
DIFFERENT = {
    "joined_groups": (
        "each operation of a client's plan is a step of its own, so that what decides over rows decides over what is counted",
        {"n <- lake.kinds.kind JOIN", "n <- orders.kind JOIN"},
    ),
}
"""Edges that only Connect has, and why."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("connect")


@pytest.fixture(scope="module")
def remote(folder: Path) -> Answers:
    """What is captured under Connect; a session of that kind cannot live beside the other tests' session."""
    own = ("SPARK_REMOTE", "SPARK_CONNECT_MODE_ENABLED", "SPARK_LOCAL_REMOTE", "SPARK_API_MODE", "PYSPARK_GATEWAY_PORT")
    environment = {name: value for name, value in os.environ.items() if name not in own}
    environment |= {"PYSPARK_PYTHON": sys.executable, "PYTHONPATH": os.pathsep.join(sys.path)}
    program = [sys.executable, connect_programs.__file__, str(folder)]
    ran = subprocess.run(program, env=environment, capture_output=True, text=True, timeout=600, check=False)
    assert ran.returncode == 0, ran.stderr[-5000:]
    answers: Answers = json.loads(ran.stdout)
    return answers


def test_the_same_is_captured_in_the_driver(
    spark: SparkSession, remote: Answers, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    partitions = spark.conf.get("spark.sql.shuffle.partitions") or "200"
    lake = connect_programs.Lake(spark, tmp_path / "programs")
    lake.prepare()
    try:
        local = connect_programs.run(lake, connect_programs.PROGRAMS)
    finally:
        spark.sql("DROP DATABASE IF EXISTS lake CASCADE")
        spark.conf.set("spark.sql.shuffle.partitions", partitions)
    for name, answer in local.items():
        _, more = DIFFERENT.get(name, ("", set()))
        assert set(remote[name]["edges"]) - more == set(answer["edges"]), name
        assert (remote[name]["types"], remote[name]["diagnostics"]) == (answer["types"], answer["diagnostics"]), name


def test_a_job_of_ten_steps_is_captured_and_stitched_with_sql(remote: Answers, folder: Path, tmp_path: Path) -> None:
    example = remote["example"]
    assert example["diagnostics"] == []
    assert example["types"] == ["Insert", "Create Table", "Insert", "Insert"]
    columns = {each for each in example["edges"] if "PseudoRows" not in each}
    assert columns == {
        "visits.order_id <- orders.order_id IDENTITY",
        "visits.who <- customers.csv.name TRANSFORMATION",
        "visits.net <- orders.amount TRANSFORMATION",
        "visits.visit <- orders.customer_id WINDOW",
        "visits.visit <- orders.day WINDOW",
        "shop.daily.region <- shop.countries.region IDENTITY",
        "shop.daily.day <- orders.day IDENTITY",
        "shop.daily.total <- orders.amount AGGREGATION",
        "shop.daily.total <- shop.countries.region GROUP_BY",
        "shop.daily.total <- orders.day GROUP_BY",
        "shop.daily.orders <- shop.countries.region GROUP_BY",
        "shop.daily.orders <- orders.day GROUP_BY",
        "shop.daily.orders <- orders.customer_id JOIN",
        "shop.daily.orders <- customers.csv.id JOIN",
        "shop.daily.orders <- customers.csv.country JOIN",
        "shop.daily.orders <- shop.countries.code JOIN",
        "shop.items.item <- orders.items TRANSFORMATION",
        "shop.items.region <- shop.countries.region IDENTITY",
        "shop.report.region <- shop.daily.region IDENTITY",
        "shop.report.best <- shop.daily.total AGGREGATION",
        "shop.report.best <- shop.daily.region GROUP_BY",
    }
    [file] = (folder / "captured").iterdir()
    jobs = [json.loads(line)["job"] for line in file.read_text().splitlines()]
    assert "0.8" not in json.dumps(jobs)
    defined = {".".join(d["table"]): dict(d["columns"]) for job in jobs for d in job["defines"]}
    assert defined["shop.daily"] == {"region": "string", "day": "string", "total": "double", "orders": "bigint"}

    built = build(Corpus((str(BOARD), str(folder / "captured"))), tmp_path / "lineage")
    assert built.summary.failed == {}
    roots = {str(each) for each in headwater.open(tmp_path / "lineage").roots("shop.board.best")}
    assert roots == {f"{folder}/shop/orders.amount"}


def test_what_cannot_be_read_is_said(remote: Answers) -> None:
    before = remote["view_from_before"]
    said = "the temporary view before is from before the capture: what it is made of is not known"
    assert (before["types"], before["diagnostics"]) == (["Select", "Select"], [said, said])
    assert remote["pivot_without_values"]["diagnostics"] == [
        "a pivot without its values is not read from the client's plan"
    ]
    assert remote["broken"]["rows"] == 4
    assert "ZeroDivisionError" in remote["broken"]["diagnostics"][0]


def test_other_jobs(remote: Answers) -> None:
    assert remote["failing"]["types"] == []
    assert remote["again"]["types"] == ["Insert"]  # with other constants it is the same job
    assert (remote["own_data"]["types"], remote["own_data"]["edges"]) == (["Insert"], [])
    assert ["the program made the rows of" in each for each in remote["own_data"]["diagnostics"]] == [True]
    assert remote["stream"]["edges"] == [
        *("streamed.PseudoRows <- orders.PseudoRows None", "streamed.id <- orders.id IDENTITY")
    ]
    assert {"most <- lake.kinds.kind AGGREGATION", "PseudoRows <- lake.kinds.kind FILTER"} <= set(
        remote["subqueries"]["edges"]
    )
    assert {
        "lake.sums.kind <- orders.kind IDENTITY",
        "lake.sums.total <- orders.amount IDENTITY",
        "lake.sums.total <- orders.id FILTER",
        "lake.sums.PseudoRows <- lake.sums.kind JOIN",
    } <= set(remote["merged"]["edges"])


def test_the_client_is_as_it_was(remote: Answers) -> None:
    assert remote["put_back"] == []


class Client:
    """Something with the method that is wrapped."""

    def _execute_and_fetch_as_iterator(self, request: Any, observations: Any) -> Any:
        yield {"answer": 1}
        if request.plan == "bad":
            raise ValueError("bad")
        yield request.plan


class Request:
    """Something with a plan."""

    def __init__(self, plan: str) -> None:
        self.plan = plan


def test_jobs_are_heard_of_when_they_have_succeeded() -> None:
    client: Any = Client()
    heard: list[Any] = []
    listener = ClientListener(client, lambda event: heard.append(event.execution))
    assert list(client._execute_and_fetch_as_iterator(Request("good"), {})) == [{"answer": 1}, "good"]
    with pytest.raises(ValueError, match="bad") as caught:
        list(client._execute_and_fetch_as_iterator(Request("bad"), {}))
    assert len(caught.traceback) == 2  # this test and the client: nothing of ours lies between
    assert heard == [("good", {"answer": 1})]
    listener.stop()
    assert list(client._execute_and_fetch_as_iterator(Request("good"), {})) == [{"answer": 1}, "good"]
    assert (len(heard), vars(client)) == (1, {})


def test_names() -> None:
    assert parts_of("a.`b.c`.d") == ("a", "b.c", "d")
    assert [each.sql for each in named(["id", "x", "ID"])] == ["id", "x", "ID#2"]
    left = Column("id", "id", frozenset({1}), ("lake", "orders"))
    right = Column("id", "id#2", frozenset({2}), ("k",))
    items = [Item(Result("_1", (left, right)))]
    for name, plan, expected in (
        ("id", 2, right),
        ("k.id", None, right),
        ("orders.id", None, left),
        ("ID", None, left),
    ):
        place = found(items, parts_of(name), plan)
        assert place is not None
        assert place[1] == expected
    place = found(items, ("id", "field"), None)
    assert place is not None
    assert place[2] == ("field",)
    assert found(items, ("nothing",), None) is None


def test_an_alias_at_the_end_of_sql_is_no_part_of_it() -> None:
    assert without_alias("id % 2 AS kind") == "id % 2"
    assert without_alias("cast(id AS int)") == "cast(id AS int)"
    assert without_alias("f(id) as `a b`") == "f(id)"
