"""Builds from OpenLineage events: of the events that we write, and of other programs', stitched with SQL."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import headwater
from command import folder, write
from headwater.export.feed import Scope
from headwater.export.format import Choices, Output
from headwater.export.openlineage import FORMAT
from headwater.feeds import StoreFeed
from headwater.pipeline.build import Built
from headwater.pipeline.corpus import Corpus, build
from headwater.store import Snapshot
from test_openlineage_read import RUN, columns, dataset, event, input_field

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

__all__ = ["folder"]
pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]

ROWS = "PseudoRows"


@pytest.fixture(autouse=True)
def _one_session(spark: SparkSession) -> None:
    """Builds take the session that is there."""


def built(*paths: str, output: str = "lineage", **options: Any) -> Built:
    return build(Corpus(paths, **options), output)


def exported(store: str, path: str) -> list[str]:
    """Write a store's events; gives what they leave out."""
    Path(path).parent.mkdir(exist_ok=True)
    with open(path, "wb") as stream:
        output = Output(stream)
        assert FORMAT.write is not None
        FORMAT.write(StoreFeed(headwater.open(store), Scope()), output, Choices())
    return list(output.left_out())


Edge = tuple[str, str, str, str | None, bool, str]


def edges(snapshot: Snapshot) -> set[Edge]:
    """Target, source, type, subtype, masking and process of every relation that is no foreign key and feeds no unwritten result."""
    entities = {r["entity_id"]: r for r in snapshot.table("entities").to_pylist()}
    hashes = {r["process_id"]: r["query_hash"] for r in snapshot.table("processes").to_pylist()}
    owners = {r["column_id"]: (entities[r["entity_id"]], r["name"]) for r in snapshot.table("columns").to_pylist()}
    names = {id: f"{entity['name']}.{name}" for id, (entity, name) in owners.items()}
    return {
        (names[r["target_id"]], names[r["source_id"]], r["type"], r["subtype"], r["masking"], hashes[r["process_id"]])
        for r in snapshot.table("relations").to_pylist()
        if r["clause"] != "foreignKey"
        and owners[r["target_id"]][0]["kind"] != "resultset"
        and "pseudoTable" not in (owners[r["target_id"]][0]["kind"], owners[r["source_id"]][0]["kind"])
    }


def _without_script(edge: Edge) -> Edge:
    """A temporary table is named with its script before it."""
    return (*(name.rpartition("#")[2] for name in edge[:2]), *edge[2:])  # type: ignore[return-value]


def test_the_sample_warehouse_comes_back_from_its_events(folder: Path, sample_store: Path) -> None:
    left_out = exported(str(sample_store), "events/warehouse.ndjson")
    after = built("events", output="after")
    assert after.summary.failed == {}
    told, said = edges(headwater.open(sample_store).snapshot), set(map(_without_script, edges(after.snapshot)))

    between_columns = {e for e in told if not e[0].endswith(ROWS) and not e[1].endswith(ROWS)}
    assert {e for e in said if not e[0].endswith(ROWS)} == between_columns
    assert {e for e in said if e[0].endswith(ROWS) and not e[1].endswith(ROWS)} == {
        e for e in told if e[0].endswith(ROWS) and not e[1].endswith(ROWS)
    }
    rows = {e[:2] for e in told if e[0].endswith(ROWS) and e[1].endswith(ROWS) and e[0] != e[1]}
    assert rows <= {e[:2] for e in said}
    counted = [words for words in left_out if "sources of columns that are the rows of a table" in words]
    assert [int(words.split()[0]) for words in counted] == [
        len([e for e in told if not e[0].endswith(ROWS) and e[1].endswith(ROWS)])
    ]


def test_events_and_sql_are_one_graph(folder: Path) -> None:
    """A Spark job in events, between SQL before and behind it; SQL's star is known by the events' schema."""
    write("sql/before.sql", "CREATE TABLE raw.orders AS SELECT amount, day FROM landing.orders;")
    write("sql/behind.sql", "CREATE VIEW mart.board AS SELECT * FROM mart.daily;")
    lineage = columns(
        total=[input_field("hive://m:9083", "raw.orders", "amount", ("DIRECT", "AGGREGATION"))],
        day=[input_field("hive://m:9083", "raw.orders", "day", ("DIRECT", "IDENTITY"))],
    )
    schema = {"fields": [{"name": "total", "type": "decimal"}, {"name": "day", "type": "date"}]}
    inputs = [dataset("hive://m:9083", "raw.orders")]
    output = dataset("hive://m:9083", "mart.daily", columnLineage=lineage, schema=schema)
    runs = []
    for day in (1, 2, 3):
        run = {"runId": RUN.replace("3f", f"0{day}")}
        runs.append(event("START", f"2026-01-0{day}T00:00:00Z", inputs=inputs, run=run))
        runs.append(event("COMPLETE", f"2026-01-0{day}T01:00:00Z", outputs=[output], run=run))
    failed = event("FAIL", outputs=[dataset("hive", "mart.never")], inputs=inputs)
    write("events/1.json", json.dumps(runs[:3], indent=2))
    write("events/2.ndjson", "".join(json.dumps(each) + "\n" for each in [*runs[3:], failed]))
    write("events/settings.json", '{"nothing": "of ours"}')
    made = built("sql", "events")
    assert made.summary.failed == {}
    assert made.summary.distinct == 3
    graph = headwater.open("lineage")
    assert {str(each) for each in graph.roots("mart.board.total")} == {"landing.orders.amount"}
    [job] = [r for r in made.snapshot.table("processes").to_pylist() if r["text"].startswith("-- captured")]
    assert (job["seen"], str(job["first_seen"])[:19], str(job["last_seen"])[:19]) == (
        *(3, "2026-01-01 01:00:00", "2026-01-03 01:00:00"),
    )
    assert not [r for r in made.snapshot.table("entities").to_pylist() if r["name"] == "mart.never"]

    exported("lineage", "all.ndjson")
    again = built("sql", "events/1.json", "events/2.ndjson", "all.ndjson", output="again")
    assert edges(again.snapshot) == edges(made.snapshot)  # the same text is the same process, in a script or an event


def test_lines_that_are_no_events_are_diagnostics_with_file_and_line(folder: Path) -> None:
    good = json.dumps(event(inputs=[dataset("hive", "a.b")], outputs=[dataset("hive", "c.d")]))
    write("events.ndjson", f'{good}\n{good[:100]}\n{{"eventTime": "2026-01-01T00:00:00Z"}}\n')
    made = built("events.ndjson")
    assert made.summary.failed == {"unreadable-file": 2}
    paths = {r["script_id"]: r["path"] for r in made.snapshot.table("scripts").to_pylist()}
    said = {(paths[r["script_id"]], r["message"]) for r in made.snapshot.table("diagnostics").to_pylist()}
    assert said == {
        ("events.ndjson", "line 2 is no OpenLineage event: it is not JSON"),
        ("events.ndjson", "line 3 is no OpenLineage event: its job has no namespace and name"),
    }
    assert {e[:2] for e in edges(made.snapshot)} == {("c.d.PseudoRows", "a.b.PseudoRows")}
