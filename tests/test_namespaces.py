"""Tables of captured jobs and OpenLineage's events that scripts call otherwise: `[namespaces]` says what is one."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import headwater
from command import Run, write
from headwater.captured import job_of, read_job
from headwater.openlineage.job import job_of_run
from headwater.openlineage.namespaces import Namespaces, beginning, suggested
from headwater.openlineage.renaming import renamed

SERVER = "postgres://db.example:5432"
ORDERS = (SERVER, "shop", "public", "orders")


def captured(sql: str) -> str:
    """A job, as a capture would have written it down."""
    [statement] = headwater.analyze(sql, "spark").statements
    return job_of(statement.resolution)


JOB = captured(f"INSERT INTO mart.days SELECT day, amount FROM `{SERVER}`.shop.public.orders WHERE id > 0")


def tables(content: str) -> list[str]:
    return [".".join(e.table) for e in read_job(content).resolution.entities if e.table and e.kind.value == "table"]


@pytest.mark.parametrize(
    ("told", "name"),
    [
        ({SERVER: ""}, ("shop", "public", "orders")),
        ({f"{SERVER}/shop": ""}, ("public", "orders")),
        ({f"{SERVER}/": "lake.crm"}, ("lake", "crm", "shop", "public", "orders")),
        ({SERVER: "x", f"{SERVER}/shop": "y"}, ("y", "public", "orders")),
        ({"POSTGRES://DB.example:5432/Shop": ""}, ("public", "orders")),
        ({f"{SERVER}/shop/public/orders": ""}, None),
        ({f"{SERVER}/other": ""}, None),
        ({"postgres://db.example": ""}, None),
        ({}, None),
    ],
)
def test_the_longest_beginning_counts(told: dict[str, str], name: tuple[str, ...] | None) -> None:
    assert Namespaces.of(told).name(ORDERS) == name


def test_beginnings_are_written_with_slashes() -> None:
    assert beginning("mysql://db:3306/shop/") == ("mysql://db:3306", "shop")
    assert beginning("bigquery") == ("bigquery",)


def test_a_job_is_renamed() -> None:
    assert renamed(JOB, Namespaces()) == JOB
    assert renamed(JOB, Namespaces.of({"mysql://db:3306": ""})) == JOB
    assert tables(renamed(JOB, Namespaces.of({f"{SERVER}/shop": ""}))) == ["mart.days", "public.orders"]
    assert [renamed(text, Namespaces.of({SERVER: ""})) for text in ("", "{}", "[", "null")] == ["", "{}", "[", "null"]


def test_two_names_of_one_table_become_one() -> None:
    job = captured(f"INSERT INTO t SELECT a.x FROM `{SERVER}`.shop.public.orders a JOIN public.orders b ON a.id = b.id")
    content = json.loads(renamed(job, Namespaces.of({f"{SERVER}/shop": ""})))
    assert [each["name"] for each in content["entities"]].count(["public", "orders"]) == 1
    assert {edge[2] for edge in content["edges"]} <= set(content["read"])


def test_names_are_folded_as_their_database_does() -> None:
    job = captured("CREATE TABLE `snowflake://acme`.shop.public.totals AS SELECT day, amount FROM raw.orders")
    content = renamed(job, Namespaces.of({"snowflake://acme": "", "snowflake://acme/shop": "dwh"}))
    found = read_job(content).resolution
    assert tables(content) == ["raw.orders", "DWH.PUBLIC.TOTALS"] or tables(content) == [
        "DWH.PUBLIC.TOTALS",
        "raw.orders",
    ]
    assert [(d.table, list(d.columns or {})) for d in found.defines] == [
        (("DWH", "PUBLIC", "TOTALS"), ["DAY", "AMOUNT"])
    ]
    assert {
        name for entity, name, _ in found.columns if found.entities[entity].table == ("DWH", "PUBLIC", "TOTALS")
    } == {*("DAY", "AMOUNT", "PseudoRows")}


def event(namespace: str = SERVER) -> dict[str, Any]:
    """A run that copies a column of a table."""
    source = {"namespace": namespace, "name": "shop.public.orders"}
    fields = {"amount": {"inputFields": [{**source, "field": "amount"}]}}
    output = {"namespace": "spark", "name": "mart.days", "facets": {"columnLineage": {"fields": fields}}}
    run = {"runId": "0194f0c4-6f5a-7000-8000-000000000001"}
    told = {"eventType": "COMPLETE", "eventTime": "2026-01-31T08:00:00Z", "run": run, "producer": "urn:test"}
    told |= {"job": {"namespace": "n", "name": "j"}, "inputs": [source], "outputs": [output]}
    return told | {"schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent"}


def test_events_keep_a_namespace_that_is_told() -> None:
    assert sorted(tables(job_of_run(event(), "spark") or "")) == ["mart.days", "shop.public.orders"]
    told = Namespaces.of({f"{SERVER}/shop": ""})
    assert sorted(tables(renamed(job_of_run(event(), "spark", told) or "", told))) == ["mart.days", "public.orders"]
    other = job_of_run(event("postgres://other:5432"), "spark", told)
    assert sorted(tables(renamed(other or "", told))) == ["mart.days", "shop.public.orders"]


def test_what_may_be_one_is_suggested() -> None:
    assert suggested([ORDERS, ("shop", "public", "orders")])[0][2] == SERVER
    assert suggested([ORDERS, ("Public", "Orders")])[0][2] == f"{SERVER}/shop"
    assert suggested([ORDERS, ("orders",), ("public", "other")]) == []
    assert suggested([]) == []


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
def test_a_build_with_captured_jobs_events_and_scripts(folder: Path, run: Run) -> None:
    line = {"hash": "1", "app": "nightly", "user": "me", "seen": 1, "job": json.loads(JOB)}
    write("in/jobs.captured.jsonl", json.dumps(line) + "\n")
    write("in/events.ndjson", json.dumps(event()) + "\n")
    write("in/load.sql", "INSERT INTO public.orders SELECT id, day, cents / 100 AS amount FROM raw.placed;")
    told = ("build", "in", "-d", "postgres", "-o", "lineage")

    said = run(*told)
    suggestion = (
        f'public.orders and public.orders? if so, write under [namespaces] in headwater.toml: "{SERVER}/shop" = ""'
    )
    assert [line for line in said.out.splitlines() if "[namespaces]" in line] == [
        f"is this one table: {SERVER}.shop.{suggestion}"
    ]
    assert roots() == {f"{SERVER}.shop.public.orders.amount", "shop.public.orders.amount"}

    write("headwater.toml", f'[namespaces]\n"{SERVER}/shop" = ""\n')
    said = run(*told)
    assert "[namespaces]" not in said.out
    assert roots() == {"raw.placed.cents"}

    assert "[namespaces]" not in run(*told, "--namespace", f"{SERVER}/shop=elsewhere").out
    assert roots() == {"elsewhere.public.orders.amount"}


def roots() -> set[str]:
    return {str(each) for each in headwater.open("lineage").roots("mart.days.amount")}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("namespaces = 3", "must be a table"),
        ('[namespaces]\n"postgres://x" = 3', "headwater.toml:2: postgres://x must be"),
    ],
)
def test_what_is_no_name_is_said(folder: Path, run: Run, text: str, words: str) -> None:
    write("headwater.toml", text)
    said = run("config")
    assert said.code == 2
    assert words in said.err
