"""OpenLineage events as jobs: what other programs write, read without Spark."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

import pytest

import headwater
from headwater.captured import read_job
from headwater.lineage.column_level import Eliminator
from headwater.model.kind import KINDS
from headwater.openlineage.dataset_names import entity_name
from headwater.openlineage.event_file import events_in, is_event_file
from headwater.openlineage.job import job_of_run
from headwater.openlineage.run import merged, moment, run_key
from test_export_openlineage import events as written_events

Event = dict[str, Any]
RUN = "3f5e83fa-3480-44ff-99c5-ff943904e5e8"


def dataset(namespace: str, name: str, **facets: Any) -> Event:
    return {"namespace": namespace, "name": name, "facets": facets}


def event(state: str = "COMPLETE", time: str = "2026-01-01T00:00:00Z", **parts: Any) -> Event:
    return {
        "eventType": state,
        "eventTime": time,
        "producer": "https://github.com/OpenLineage/OpenLineage/tree/1.30.0/integration/spark",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
        "run": {"runId": RUN, "facets": {}},
        "job": {"namespace": "etl", "name": "daily", "facets": {}},
        "inputs": [],
        "outputs": [],
        **parts,
    }


def input_field(namespace: str, name: str, field: str, *made: tuple[str, str]) -> Event:
    transformations = [{"type": type, "subtype": subtype, "masking": False} for type, subtype in made]
    return {"namespace": namespace, "name": name, "field": field, "transformations": transformations}


def columns(**fields: list[Event]) -> Event:
    return {"fields": {name: {"inputFields": sources} for name, sources in fields.items()}}


def edges(told: Event, spoken: str = "spark") -> set[str]:
    """What a job says, as a build reads it."""
    text = job_of_run(told, spoken)
    assert text is not None
    resolution = read_job(text).resolution

    def named(column: int) -> str:
        entity, name, _ = resolution.columns[column]
        return f"{'.'.join(resolution.entities[entity].table or ())}.{name}"

    found = set()
    for target, sources in Eliminator(resolution, literals=False).numbered():
        for source, code, _ in sources:
            kind = KINDS[code]
            words = (named(target), "<-", named(source), kind.type, kind.subtype or "-")
            found.add(" ".join([*words, *(["masked"] if kind.masking else [])]))
    return found


def test_columns_rows_and_kinds() -> None:
    pg = "postgres://db:5432"
    lineage = columns(
        total=[
            input_field(pg, "shop.public.orders", "amount", ("DIRECT", "AGGREGATION")),
            input_field(pg, "shop.public.orders", "day", ("INDIRECT", "GROUP_BY")),
            input_field(pg, "shop.public.orders", "id", ("INDIRECT", "WINDOW")),
            input_field(pg, "shop.public.orders", "vip", ("INDIRECT", "CONDITIONAL")),
        ],
        day=[input_field(pg, "shop.public.orders", "day", ("DIRECT", "IDENTITY"), ("DIRECT", "NEWER"))],
    )
    lineage["dataset"] = [
        input_field(pg, "shop.public.days", "id", ("INDIRECT", "JOIN"), ("INDIRECT", "CONDITIONAL")),
        input_field(pg, "shop.public.orders", "day", ("INDIRECT", "SORT"), ("INDIRECT", "FILTER"), ("INDIRECT", "")),
    ]
    told = event(
        inputs=[dataset(pg, "shop.public.orders")], outputs=[dataset(pg, "shop.public.daily", columnLineage=lineage)]
    )
    daily, orders = "shop.public.daily", "shop.public.orders"
    assert edges(told) == {
        f"{daily}.total <- {orders}.amount fdd AGGREGATION",
        f"{daily}.total <- {orders}.day fdr GROUP_BY",
        f"{daily}.total <- {orders}.id fdd WINDOW",
        f"{daily}.total <- {orders}.vip fdd CONDITIONAL",
        f"{daily}.day <- {orders}.day fdd IDENTITY",
        f"{daily}.day <- {orders}.day fdd TRANSFORMATION",
        f"{daily}.PseudoRows <- shop.public.days.id fdr JOIN",
        f"{daily}.PseudoRows <- shop.public.days.id fdr CONDITIONAL",
        f"{daily}.PseudoRows <- {orders}.day fdr SORT",
        f"{daily}.PseudoRows <- {orders}.day fdr FILTER",
        f"{daily}.PseudoRows <- {orders}.day fdr -",
        f"{daily}.PseudoRows <- {orders}.PseudoRows fdr -",
        f"{daily}.PseudoRows <- shop.public.days.PseudoRows fdr -",
    }


def test_without_a_column_facet_rows_depend_on_rows() -> None:
    told = event(inputs=[dataset("bigquery", "p.raw.a")], outputs=[dataset("gs://lake", "out/b")])
    assert edges(told) == {"gs://lake/out/b.PseudoRows <- p.raw.a.PseudoRows fdr -"}


def test_older_facets_say_it_of_the_whole_field() -> None:
    source = {"namespace": "bigquery", "name": "p.d.a", "field": "x"}
    fields = {
        "same": {"inputFields": [source], "transformationType": "IDENTITY", "transformationDescription": "x"},
        "hidden": {"inputFields": [source], "transformationType": "MASKED"},
        "made": {"inputFields": [source]},
    }
    told = event(outputs=[dataset("bigquery", "p.d.b", columnLineage={"fields": fields})])
    assert {edge for edge in edges(told) if "PseudoRows" not in edge} == {
        "p.d.b.same <- p.d.a.x fdd IDENTITY",
        "p.d.b.hidden <- p.d.a.x fdd TRANSFORMATION masked",
        "p.d.b.made <- p.d.a.x fdd TRANSFORMATION",
    }


def test_files_that_are_a_table_are_the_table() -> None:
    """As Spark's integration tells it: the data set is a folder, its link is the table."""
    links = {"identifiers": [{"namespace": "hive://meta:9083", "name": "spark_catalog.Shop.Orders", "type": "TABLE"}]}
    lineage = columns(Total=[input_field("file", "/warehouse/shop.db/orders", "Amount", ("DIRECT", "IDENTITY"))])
    told = event(
        inputs=[dataset("file", "/warehouse/shop.db/orders", symlinks=links)],
        outputs=[dataset("s3://lake", "report", columnLineage=lineage)],
    )
    assert "s3://lake/report.total <- shop.orders.amount fdd IDENTITY" in edges(told)


@pytest.mark.parametrize(
    ("namespace", "name", "expected"),
    [
        ("snowflake://org-acc", "shop.public.orders", "SHOP.PUBLIC.ORDERS"),
        ("snowflake://org-acc", "SHOP.PUBLIC.Orders", "SHOP.PUBLIC.Orders"),
        ("postgres://h:1", "shop.public.Orders", "shop.public.Orders"),
        ("hive://h:1", "Shop.Orders", "shop.orders"),
        ("mssql://h:1", "Shop.dbo.Orders", "shop.dbo.orders"),
        ("bigquery", "p.Data.Orders", "p.Data.Orders"),
        ("arn:aws:glue:eu:1", "table/shop/orders", "shop.orders"),
        ("kafka://h:9092", "orders.v1", "orders.v1"),
        ("custom", "Shop.Orders", "shop.orders"),
    ],
)
def test_names_are_folded_as_their_catalog_folds_them(namespace: str, name: str, expected: str) -> None:
    told = event(inputs=[dataset(namespace, name)], outputs=[dataset("file", "/x")])
    assert edges(told) == {f"/x.PseudoRows <- {expected}.PseudoRows fdr -"}


@pytest.mark.parametrize(
    ("dataset_name", "expected"),
    [
        (("abfss://c@a.dfs.core.windows.net", "/x"), "abfss://c@a.dfs.core.windows.net/x"),
        (("hdfs://n:8020", "/x"), "hdfs://n:8020/x"),
        (("s3://b", "x/y"), "s3://b/x/y"),
        (("dbfs", "/mnt/x"), "dbfs:/mnt/x"),
        (("file", "/x"), "/x"),
        (("file://host", "/x"), "file://host/x"),
    ],
)
def test_paths_are_uris(dataset_name: tuple[str, str], expected: str) -> None:
    assert entity_name(*dataset_name)[1] == (expected,)


def test_what_a_table_is_and_what_was_run() -> None:
    schema = {"fields": [{"name": "Id", "type": "int"}, {"name": "x", "type": "string"}]}
    sql = {"query": "INSERT INTO t SELECT id, x FROM u OPTIONS (password = 'hidden')", "dialect": "spark"}
    job = {"namespace": "etl", "name": "daily", "facets": {"sql": sql}}
    told = event(job=job, inputs=[dataset("hive", "d.u")], outputs=[dataset("hive", "d.t", schema=schema)])
    read = read_job(job_of_run(told, "postgres") or "")
    [definition] = read.resolution.defines
    assert (definition.table, definition.columns) == (("d", "t"), {"id": "int", "x": "string"})
    assert (read.dialect, read.resolution.process.type) == ("spark", "Insert")
    assert read.text == "INSERT INTO t SELECT id, x FROM u OPTIONS (password = '***')"
    untyped = {"fields": [{"name": "id"}]}
    told = event(inputs=[dataset("hive", "d.u")], outputs=[dataset("hive", "d.t", schema=untyped)])
    read = read_job(job_of_run(told, "postgres") or "")
    assert read.resolution.defines == ()
    assert read.text.startswith("-- captured Insert into d.t from d.u [")
    assert read.text.endswith("] by etl/daily")


def test_what_could_not_be_read_is_a_diagnostic() -> None:
    errors = {"totalTasks": 1, "failedTasks": 1, "errors": [{"errorMessage": "no such column"}]}
    told = event(run={"runId": RUN, "facets": {"extractionError": errors}})
    [said] = read_job(job_of_run(told, "spark") or "").resolution.diagnostics
    assert said.code == "not-captured"
    assert "no such column" in said.message


def test_halves_of_characters_do_no_harm() -> None:
    told = event(inputs=[dataset("hive", "d.\ud800")], outputs=[dataset("file", "/x")])
    whole = merged([moment(told)])
    assert whole is not None
    assert edges(whole) == {"/x.PseudoRows <- d.?.PseudoRows fdr -"}


def test_a_run_without_data_is_no_job() -> None:
    assert job_of_run(event(), "spark") is None


def test_a_run_is_what_its_events_say_together() -> None:
    schema = {"fields": [{"name": "a", "type": "int"}]}
    start = event("START", "2026-01-01T00:00:00Z", inputs=[dataset("hive", "d.a", schema=schema)])
    old = columns(x=[input_field("hive", "d.a", "old", ("DIRECT", "IDENTITY"))])
    new = columns(x=[input_field("hive", "d.a", "new", ("DIRECT", "IDENTITY"))])
    running = event("RUNNING", "2026-01-01T00:00:01Z", outputs=[dataset("hive", "d.b", columnLineage=old)])
    complete = event("COMPLETE", "2026-01-01T01:00:02+01:00", outputs=[dataset("hive", "d.b", columnLineage=new)])
    assert run_key(start) == run_key(complete)
    for order in ([start, running, complete], [complete, running, start]):
        whole = merged(map(moment, order))
        assert whole is not None
        assert edges(whole) == {"d.b.x <- d.a.new fdd IDENTITY", "d.b.PseudoRows <- d.a.PseudoRows fdr -"}
        assert whole["inputs"][0]["facets"]["schema"] == schema
    failed = event("FAIL", "2026-01-01T00:00:03Z")
    assert merged(map(moment, [start, running, failed])) is None
    assert merged(map(moment, [start, running])) is not None


def test_jobs_and_data_sets_without_runs_are_read() -> None:
    lineage = columns(x=[input_field("hive", "d.a", "y", ("DIRECT", "IDENTITY"))])
    output = dataset("hive", "d.b", columnLineage=lineage)
    job = {"eventTime": "2026-01-01T00:00:00Z", "job": {"namespace": "n", "name": "j"}, "outputs": [output]}
    alone = {"eventTime": "2026-01-01T00:00:00Z", "dataset": output}
    assert run_key(job) != run_key(alone)
    for told in (job, alone):
        assert "d.b.x <- d.a.y fdd IDENTITY" in edges(merged([moment(told)]) or {})


# Files


def test_lines_that_are_no_events_are_said_and_the_rest_goes_on() -> None:
    good = json.dumps(event())
    lines = [good, '{"cut', "", "[1]", '{"eventTime": "x"}', json.dumps({**event(), "run": {}}), good]
    lines.append(json.dumps({**event(), "inputs": [{"name": "x"}]}))
    found = list(events_in(io.BytesIO("\n".join(lines).encode())))
    assert [each.line for each in found] == [1, 2, 4, 5, 6, 7, 8]
    assert [each.problem.partition(": ")[2] for each in found if each.problem] == [
        "it is not JSON",
        "it is not an object",
        "its job has no namespace and name",
        "its run has no runId",
        "its inputs are not data sets with namespace and name",
    ]
    many = list(events_in(io.BytesIO(b"x\n" * 100)))
    assert len(many) == 21
    assert many[-1].problem == "80 more lines are no OpenLineage events"


@pytest.mark.parametrize("indent", [None, 2])
def test_documents_over_many_lines_and_lists(indent: int | None) -> None:
    told = [event(), event("START")]
    for text in (json.dumps(told, indent=indent), "\n".join(json.dumps(each, indent=indent) for each in told)):
        assert [each.event for each in events_in(io.BytesIO(f"\ufeff\n{text}\n".encode()))] == told


def test_files_of_events_are_known_by_their_beginning(tmp_path: Path) -> None:
    def file(name: str, content: str) -> str:
        (tmp_path / name).write_text(content)
        return str(tmp_path / name)

    assert is_event_file(file("a.ndjson", json.dumps(event())))
    assert is_event_file(file("b.JSON", json.dumps([event()], indent=2)))
    assert not is_event_file(file("c.jsonl", '{"sql": "select 1", "eventTime": "now"}'))
    assert not is_event_file(file("d.txt", json.dumps(event())))
    assert not is_event_file(str(tmp_path / "missing.json"))


@pytest.mark.parametrize("dialect", ["spark", "snowflake", "postgres", "bigquery", "tsql"])
def test_what_was_written_is_read_again(dialect: str) -> None:
    """Column by column, whatever the case rule; rows as far as the facet can say it."""
    sql = """
    INSERT INTO Shop.Report (Region, Total, "Mixed Case")
    SELECT c.Region, sum(o.Amount), max(CASE WHEN c.Vip = 1 THEN o."Mixed Case" END) AS m
    FROM Shop.Orders o JOIN Shop.Customers c ON o.Customer_Id = c.Id WHERE o.Amount > 10 GROUP BY c.Region;
    """.replace('"', "`" if dialect in ("spark", "bigquery") else '"')
    lineage = headwater.analyze(sql, dialect=dialect)
    said = {
        " ".join([str(e.target), "<-", str(e.source), e.type, e.subtype or "-", *(["masked"] if e.masking else [])])
        for e in lineage.column_edges()
    }
    [told] = written_events(sql, dialect)
    assert edges(told, "spark") == said
