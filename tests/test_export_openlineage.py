"""OpenLineage events: valid by the official schemas and more, deterministic, and sent by its own client."""

from __future__ import annotations

import io
import json
import threading
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from openlineage.client.naming import dataset as official

import headwater
from headwater.analysis import analyze_files
from headwater.cli.demo import sample_warehouse
from headwater.export.feed import Feed, Level, Scope
from headwater.export.format import Choices, ExportError, Output
from headwater.export.openlineage import FORMAT
from headwater.export.script_feed import ScriptFeed
from headwater.model.entity import EntityKind
from headwater.openlineage.dataset_names import dataset_name, entity_name
from openlineage_schemas import NO_SCHEMAS, SCHEMAS, violations

with_schemas = pytest.mark.skipif(not SCHEMAS.is_dir(), reason=NO_SCHEMAS)

SHOP = """
CREATE TABLE shop.orders (id INT, customer_id INT, amount DECIMAL(10, 2), email STRING);
INSERT INTO shop.report
SELECT c.region, sum(o.amount) AS total, count(*) AS orders, sha2(max(o.email), 256) AS who,
       CASE WHEN c.vip THEN 1 END AS vip, row_number() OVER (ORDER BY o.id) AS place
FROM shop.orders o JOIN shop.customers c ON o.customer_id = c.id
WHERE o.amount > 10 GROUP BY c.region;
CREATE VIEW shop.regions AS SELECT DISTINCT region FROM shop.report ORDER BY region LIMIT 10;
CREATE TEMPORARY TABLE t AS SELECT id FROM shop.orders;
INSERT OVERWRITE DIRECTORY 's3a://lake/orders/' USING parquet SELECT id FROM t;
SELECT region FROM shop.regions;
ALTER TABLE shop.report RENAME TO shop.old_report;
SELEC nothing;
"""

Event = dict[str, Any]


def written(feed: Feed, choices: Choices | None = None) -> tuple[list[Event], list[str]]:
    """The events of a feed, and what they leave out."""
    stream = io.BytesIO()
    output = Output(stream)
    assert FORMAT.write is not None
    FORMAT.write(feed, output, choices or Choices())
    return [json.loads(line) for line in stream.getvalue().decode().splitlines()], list(output.left_out())


def events(sql: str, dialect: str = "spark", level: Level = "column", **choices: Any) -> list[Event]:
    feed = ScriptFeed([headwater.analyze(sql, dialect=dialect)], Scope(level))
    return written(feed, Choices(**choices))[0]


def names(event: Event, side: str) -> list[tuple[str, str]]:
    return [(each["namespace"], each["name"]) for each in event[side]]


def lineage(event: Event) -> dict[str, Any]:
    [output] = event["outputs"]
    return dict(output["facets"]["columnLineage"])


def made(fields: list[dict[str, Any]]) -> set[str]:
    return {
        " ".join([f"{f['name']}.{f['field']}", t["type"], t.get("subtype", ""), *(["masked"] if t["masking"] else [])])
        for f in fields
        for t in f["transformations"]
    }


@with_schemas
@pytest.mark.parametrize("level", FORMAT.levels)
def test_events_are_valid_by_the_official_schemas(level: Level) -> None:
    lineages = [*analyze_files(sorted(sample_warehouse().rglob("*.sql"))), headwater.analyze(SHOP)]
    found, _ = written(ScriptFeed(lineages, Scope(level)))
    assert len(found) > 50
    assert [violation for event in found for violation in violations(event)] == []
    kinds = {facet for event in found for each in event["outputs"] for facet in each["facets"]}
    always = {"dataSource", "datasetType", "schema", "lifecycleStateChange"}
    assert kinds == always | ({"columnLineage"} if level == "column" else set())
    assert len({event["run"]["runId"] for event in found}) == len(found)


@with_schemas
def test_the_check_finds_what_is_wrong() -> None:
    """Otherwise the test above could not fail."""
    event = events(SHOP)[0]
    assert violations(event) == []
    facets = event["outputs"][0]["facets"]
    facets["columnLineage"]["fields"]["total"]["inputFields"][0]["transformations"][0]["clause"] = "select"
    del facets["columnLineage"]["fields"]["orders"]
    del facets["schema"]["fields"][0]["name"]
    facets["dataSource"]["uri"] = "no uri"
    event["run"]["facets"]["engine"] = event["run"]["facets"].pop("processing_engine")
    found = "\n".join(violations(event))
    for part in ("'clause' is not in the schema", "'name' is a required property", "is no uri", "by this name"):
        assert part in found


def test_columns_and_rows_are_told_apart() -> None:
    found = lineage(events(SHOP)[0])
    assert found["_schemaURL"].startswith("https://openlineage.io/spec/facets/1-2-0/ColumnLineageDatasetFacet.json")
    fields = {name: made(field["inputFields"]) for name, field in found["fields"].items()}
    assert fields["region"] == {"shop.customers.region DIRECT IDENTITY"}
    assert {"shop.orders.amount DIRECT AGGREGATION", "shop.customers.region INDIRECT GROUP_BY"} <= fields["total"]
    assert "shop.orders.email DIRECT AGGREGATION masked" in fields["who"]
    assert "shop.customers.vip INDIRECT CONDITIONAL" in fields["vip"]
    assert "shop.orders.id INDIRECT WINDOW" in fields["place"]
    assert made(found["dataset"]) == {
        "shop.orders.customer_id INDIRECT JOIN",
        "shop.customers.id INDIRECT JOIN",
        "shop.orders.amount INDIRECT FILTER",
        "shop.customers.region INDIRECT GROUP_BY",
    }
    [total] = [f for f in found["fields"]["total"]["inputFields"] if f["field"] == "amount"]
    assert {"sum(o.amount)"} <= {t["description"] for t in total["transformations"]}
    assert made(lineage(events(SHOP)[1])["dataset"]) >= {"shop.report.region INDIRECT SORT"}


def test_events_say_what_a_statement_is_and_where() -> None:
    insert, view, temporary, path, query, rename, broken = events(SHOP)
    orders = next(each for each in insert["inputs"] if each["name"] == "shop.orders")
    schema = orders["facets"]["schema"]["fields"]
    assert {"name": "customer_id", "type": "INT"} in schema
    assert view["outputs"][0]["facets"]["lifecycleStateChange"]["lifecycleStateChange"] == "CREATE"
    assert (insert["eventType"], insert["eventTime"]) == ("COMPLETE", "1970-01-01T00:00:00.000Z")
    assert uuid.UUID(insert["run"]["runId"]).version == 5
    job = insert["job"]["facets"]
    assert job["sql"]["dialect"] == "spark"
    assert job["sql"]["query"].startswith("INSERT INTO shop.report")
    assert (job["jobType"]["jobType"], view["job"]["facets"]["jobType"]["jobType"]) == ("INSERT", "CREATE_VIEW")
    assert view["outputs"][0]["facets"]["datasetType"]["datasetType"] == "VIEW"
    assert temporary["outputs"][0]["facets"]["datasetType"]["subType"] == "TEMPORARY"
    assert names(path, "outputs") == [("s3://lake", "orders/")]
    assert names(query, "inputs") == [("spark", "shop.regions")]
    assert query["outputs"] == []
    change = rename["outputs"][0]["facets"]["lifecycleStateChange"]
    assert change["lifecycleStateChange"] == "RENAME"
    assert change["previousIdentifier"] == {"namespace": "spark", "name": "shop.report"}
    [error] = broken["run"]["facets"]["extractionError"]["errors"]
    assert error["errorMessage"].startswith("syntax-error: ")
    assert error["task"] == "SELEC nothing"


def test_scripts_are_named_with_the_line(tmp_path: Path) -> None:
    file = tmp_path / "a b#ü.sql"
    file.write_text("\n\nCREATE VIEW v AS SELECT a FROM t;")
    [event], _ = written(ScriptFeed(analyze_files([file])))
    place = event["job"]["facets"]["sourceCodeLocation"]
    assert place["url"].endswith("/a%20b%23%C3%BC.sql#L3")
    assert place["path"].endswith("a b#ü.sql")
    assert event["job"]["name"].rpartition(".sql#")[2].startswith("Create View.")


def test_what_cannot_be_told_is_counted() -> None:
    sql = """
    CREATE TABLE o (id INT REFERENCES p (id));
    INSERT INTO n SELECT count(*) FROM o;
    INSERT INTO e SELECT x FROM (SELECT a AS x FROM l EXCEPT SELECT b FROM r), q;
    INSERT INTO c SELECT z FROM l, r;
    SELECT id FROM o;
    """
    _, left_out = written(ScriptFeed([headwater.analyze(sql, dialect="postgres")]))
    words = {words.partition(" ")[2]: int(words.partition(" ")[0]) for words in left_out}
    assert words["foreign keys"] == 1
    assert words["sources of columns that are the rows of a table"] == 1
    assert words["sources of results that are not written anywhere"] >= 1
    assert words["marks of sources that are only possible ones"] >= 2
    assert words["warnings and notes"] >= 1


PROCEDURE = """CREATE PROCEDURE dbo.load_it @from int AS
BEGIN
  DECLARE @v int;
  SET @v = @from + 1;
  SELECT @v = max(a) FROM dbo.src;
  IF @v > 0
    INSERT INTO dbo.dst (x) SELECT @v FROM dbo.other;
  SELEC nothing;
END
"""


def test_steps_that_move_no_data_have_no_event_unless_there_is_an_error_to_say() -> None:
    lineage = headwater.analyze(PROCEDURE, dialect="tsql")
    found, left_out = written(ScriptFeed([lineage]))
    insert, broken = found
    assert names(insert, "inputs") == [("mssql", "dbo.other"), ("mssql", "dbo.src")]
    assert names(insert, "outputs") == [("mssql", "dbo.dst")]
    assert (broken["inputs"], broken["outputs"]) == ([], [])
    [error] = broken["run"]["facets"]["extractionError"]["errors"]
    assert error["task"].strip(" ;") == "SELEC nothing"
    # The procedure's own statement, SET, the assignment of @v, which the INSERT hands on, and IF.
    assert "4 statements without inputs and outputs" in left_out


def test_the_same_feed_is_the_same_bytes() -> None:
    assert events(SHOP) == events(SHOP)


def test_a_time_is_what_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    [event] = events("INSERT INTO a SELECT b FROM c", time="2026-02-03T04:05:06+02:00")
    assert event["eventTime"] == "2026-02-03T02:05:06.000Z"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "86400")
    assert events("INSERT INTO a SELECT b FROM c")[0]["eventTime"] == "1970-01-02T00:00:00.000Z"
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "soon")
    with pytest.raises(ExportError, match="SOURCE_DATE_EPOCH"):
        events("SELECT 1")
    with pytest.raises(ExportError, match="no time"):
        events("SELECT 1", time="yesterday")


def test_the_table_level_has_data_sets_only() -> None:
    for event in events(SHOP, level="table"):
        assert all("columnLineage" not in each["facets"] for each in event["outputs"])
    assert names(events(SHOP, level="table")[0], "inputs") == [("spark", "shop.customers"), ("spark", "shop.orders")]


def test_secrets_are_not_told() -> None:
    sql = "COPY t FROM 's3://b/k' CREDENTIALS 'aws_access_key_id=AKIA;aws_secret_access_key=hidden'"
    assert "hidden" not in json.dumps(events(sql, "redshift"))


HOSTILE = [
    'quote"s',
    "new\nline",
    "nul\0l",
    "<script>alert(1)</script>",
    "🦆",
    "dots.in.it",
    "x" * 10_000,
    "]]>&amp;",
    "null",
    "back\\slash",
    "tick`ed",
]


@with_schemas
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_come_through(name: str) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    [event] = events(f"INSERT INTO s.{quoted} ({quoted}) SELECT {quoted} FROM {quoted}.t", "postgres")
    assert violations(event) == []
    name = name.replace("\0", " ")  # as everywhere
    assert [entity_name(*each)[1] for each in names(event, "outputs")] == [("s", name)]
    assert [entity_name(*each)[1] for each in names(event, "inputs")] == [(name, "t")]
    assert [f["field"] for f in lineage(event)["fields"][name]["inputFields"]] == [name]


def test_halves_of_characters_are_replaced() -> None:
    [event] = events('INSERT INTO a SELECT "\ud800" AS x FROM c', "postgres")
    assert [f["field"] for f in lineage(event)["fields"]["x"]["inputFields"]] == ["?"]


# Names


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("s3://lake/orders/day=1", official.S3("lake", "orders/day=1")),
        ("s3a://lake/orders", official.S3("lake", "orders")),
        ("gs://lake/orders", official.GCS("lake", "orders")),
        ("hdfs://node:8020/orders", official.HDFS("node", "8020", "/orders")),
        ("abfss://box@acc.dfs.core.windows.net/orders", official.ABFSS("box", "acc", "/orders")),
        ("wasbs://box@acc.dfs.core.windows.net/orders", official.WASBS("box", "acc", "orders")),
        ("dbfs://space/orders", official.DBFS("space", "/orders")),
        ("/lake/orders", official.LocalFileSystem("/lake/orders")),
        ("file:///lake/orders", official.LocalFileSystem("/lake/orders")),
        ("file://host/lake/orders", official.RemoteFileSystem("host", "/lake/orders")),
    ],
)
def test_paths_are_named_as_the_client_names_them(path: str, expected: Any) -> None:
    found = dataset_name(EntityKind.PATH, (path,), "spark")
    assert found == (expected.get_namespace(), expected.get_name())


@pytest.mark.parametrize(
    ("namespace", "expected"),
    [
        ("postgres://db:5432", official.Postgres("db", "5432", "shop", "public", "orders")),
        ("snowflake://org-acc", official.Snowflake("org", "acc", "shop", "public", "orders")),
        ("bigquery", official.BigQuery("shop", "public", "orders")),
        ("trino://t:8080", official.Trino("t", "8080", "shop", "public", "orders")),
        ("redshift://c.eu:5439", official.Redshift("c", "eu", "5439", "shop", "public", "orders")),
        ("oracle://o:1521", official.Oracle("o", "1521", "shop", "public", "orders")),
    ],
)
def test_tables_are_named_as_the_client_names_them(namespace: str, expected: Any) -> None:
    [event] = events("INSERT INTO shop.public.orders SELECT a FROM shop.public.b", "bigquery", namespace=namespace)
    assert names(event, "outputs") == [(expected.get_namespace(), expected.get_name())]
    assert lineage(event)["fields"]["a"]["inputFields"][0]["namespace"] == namespace


@pytest.mark.parametrize(
    ("dialect", "namespace"),
    [("bigquery", "bigquery"), ("snowflake", "snowflake"), ("tsql", "mssql"), ("databricks", "unitycatalog")],
)
def test_without_a_namespace_the_scheme_stands_for_it(dialect: str, namespace: str) -> None:
    [event] = events("INSERT INTO t SELECT a FROM u", dialect)
    assert event["outputs"][0]["namespace"] == namespace


# Sending


class Server:
    """Takes events as Marquez would, and is strict about them."""

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.paths: set[str] = set()
        self.keys: set[str | None] = set()
        self.answers: list[int] = []

    def answer(self, request: BaseHTTPRequestHandler) -> int:
        event = json.loads(request.rfile.read(int(request.headers["Content-Length"])))
        self.paths.add(request.path)
        self.keys.add(request.headers["Authorization"])
        if self.answers:
            return self.answers.pop(0)
        if request.headers["Content-Type"] != "application/json" or (SCHEMAS.is_dir() and violations(event)):
            return 422
        self.events.append(event)
        return 201


@contextmanager
def server() -> Iterator[tuple[Server, str]]:
    state = Server()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            status = state.answer(self)
            self.send_response(status)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, *arguments: Any) -> None:
            pass

    with HTTPServer(("127.0.0.1", 0), Handler) as http:
        thread = threading.Thread(target=http.serve_forever, args=(0.02,))
        thread.start()
        try:
            yield state, f"http://127.0.0.1:{http.server_port}"
        finally:
            http.shutdown()
            thread.join()


def sent(url: str, sql: str = SHOP, **choices: Any) -> str:
    assert FORMAT.send is not None
    return FORMAT.send(ScriptFeed([headwater.analyze(sql)]), url, Choices(**choices))


def test_events_are_sent_as_they_are_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENLINEAGE_API_KEY", "hidden-key")
    with server() as (state, url):
        said = sent(url, time="2026-01-01T00:00:00Z")
    assert state.events == events(SHOP, time="2026-01-01T00:00:00Z")
    assert (state.paths, state.keys) == ({"/api/v1/lineage"}, {"Bearer hidden-key"})
    assert said.startswith(f"7 events sent to {url}")
    assert "2 sources of results that are not written anywhere" in said
    assert "hidden" not in said


def test_what_is_sent_without_a_time_is_sent_now(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENLINEAGE_API_KEY", raising=False)
    with server() as (state, url):
        sent(f"{url}/openapi/openlineage/api/v1/lineage")
        sent(f"{url}/openapi/openlineage/api/v1/lineage")
    assert state.paths == {"/openapi/openlineage/api/v1/lineage"}
    assert state.keys == {None}
    assert min(event["eventTime"] for event in state.events) > "2026"
    assert len({event["run"]["runId"] for event in state.events}) == len(state.events) / 2


def test_a_server_that_is_busy_is_asked_again() -> None:
    with server() as (state, url):
        state.answers = [503, 429]
        sent(url, "INSERT INTO a SELECT b FROM c")
    assert len(state.events) == 1


def test_a_server_that_refuses_is_said_without_secrets() -> None:
    with server() as (state, url):
        state.answers = [401]
        with pytest.raises(ExportError, match=r"does not take event 1: it answers 401.*OPENLINEAGE_API_KEY") as refused:
            sent(url.replace("//", "//user:hidden@"))
    assert "hidden" not in str(refused.value)


def test_nobody_there_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("requests")
    monkeypatch.setattr("headwater.export.openlineage.sending._RETRY", {"total": 0})
    with pytest.raises(ExportError, match="cannot be reached"):
        sent("http://127.0.0.1:9")


@pytest.mark.parametrize("url", ["ftp://x/y", "events.json", "http://", "http://[", "file:"])
def test_other_places_are_refused(url: str) -> None:
    with pytest.raises(ExportError, match="http://"):
        sent(url)


def test_a_file_gets_events_at_its_end(tmp_path: Path) -> None:
    for _ in range(2):
        sent(f"file:{tmp_path}/events.ndjson", time="2026-01-01T00:00:00Z")
    lines = (tmp_path / "events.ndjson").read_text().splitlines()
    assert [json.loads(line) for line in lines] == 2 * events(SHOP, time="2026-01-01T00:00:00Z")
