"""Query logs as warehouses keep them: small logs of each preset, written as the systems document them, and what must come out."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from command import Run
from headwater.cli.main import main
from headwater.graph import open_graph
from headwater.pipeline.corpus import Corpus, build
from headwater.pipeline.read.files import Reading
from headwater.pipeline.read.inputs import InputFile, NothingToRead
from headwater.pipeline.read.log_presets import PRESETS
from headwater.pipeline.read.logs import LogColumns
from headwater.pipeline.read.sources import Sources
from headwater.report import gather, markdown_page, page_of
from headwater.runtime.build_session import build_session
from headwater.store import Snapshot
from headwater.store.schema import TABLES
from stores import make_store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]


@pytest.fixture(autouse=True)
def _one_session(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Builds take the session that is there, and work in a folder of their own."""
    monkeypatch.chdir(tmp_path)


def rows_of(spark: SparkSession, place: str, preset: str, schema: str = "", **columns: str) -> list[dict[str, Any]]:
    """The scripts of a log, by text."""
    reading = Reading(PRESETS[preset].dialect, schema)
    log = [InputFile(place, place)]
    with build_session(spark) as session:
        frame = Sources(reading, logs=log, log=LogColumns(**columns), preset=PRESETS[preset]).scripts(session)
        assert frame is not None
        found = [row.asDict(recursive=True) for row in frame.collect()]
    return sorted(found, key=lambda row: row["text"])


def texts(rows: list[dict[str, Any]]) -> list[str]:
    return [row["text"] for row in rows]


def cost(row: dict[str, Any]) -> tuple[Any, ...]:
    """Bytes, seconds and credits of a script with one statement."""
    ((each),) = row["costs"]
    return each["bytes"], each["seconds"], each["credits"]


def write_csv(path: str, *rows: dict[str, Any]) -> str:
    with open(path, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    return path


def write_lines(path: str, *rows: dict[str, Any]) -> str:
    Path(path).write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def pairs(snapshot: Snapshot) -> set[str]:
    """`source -> target` of everything that is no row set."""
    names = {r["entity_id"]: r["name"] for r in snapshot.table("entities").to_pylist()}
    columns = {r["column_id"]: f"{names[r['entity_id']]}.{r['name']}" for r in snapshot.table("columns").to_pylist()}
    found = [(columns[r["source_id"]], columns[r["target_id"]]) for r in snapshot.table("relations").to_pylist()]
    return {f"{source} -> {target}" for source, target in found if "PseudoRows" not in source + target}


# Snowflake


def snowflake(**row: Any) -> dict[str, Any]:
    usual = {
        "QUERY_ID": "01",
        "QUERY_TEXT": "SELECT 1",
        "DATABASE_NAME": "SHOP",
        "SCHEMA_NAME": "PUBLIC",
        "SESSION_ID": 7,
        "USER_NAME": "ANN",
        "EXECUTION_STATUS": "SUCCESS",
        "ERROR_MESSAGE": None,
        "START_TIME": "2026-01-02 10:00:00.000 -0800",
        "END_TIME": "2026-01-02 10:00:02.500 -0800",
        "TOTAL_ELAPSED_TIME": 2500,
        "BYTES_SCANNED": 1000,
        "CREDITS_ATTRIBUTED_COMPUTE": 0.25,
    }
    return {**usual, **{key.upper(): value for key, value in row.items()}}


def test_snowflake_query_history(spark: SparkSession) -> None:
    query = "SELECT ID FROM ORDERS"
    place = write_csv(
        "history.csv",
        snowflake(query_text=query),
        snowflake(query_text=query, user_name="BOB", start_time="2026-01-03 00:00:00.000 +0000", bytes_scanned=24),
        snowflake(query_text="SELECT BAD", execution_status="FAIL", error_message="invalid identifier"),
        snowflake(query_text="SELECT X FROM T", schema_name="staging", database_name="My Db"),
    )
    one, other = rows_of(spark, place, "snowflake-query-history")
    assert one["text"] == query
    assert (one["dialect"], one["default_schema"], one["seen"]) == ("snowflake", "SHOP.PUBLIC", 2)
    assert one["users"] == ["ANN", "BOB"]
    assert (one["first_seen"], one["last_seen"]) == (datetime(2026, 1, 2, 18), datetime(2026, 1, 3))
    assert cost(one) == (1024, 5.0, 0.5)
    assert other["default_schema"] == '"My Db"."staging"'


def test_parquet_in_any_case_of_letters_and_with_a_column_of_another_name(spark: SparkSession) -> None:
    row = {key.lower(): value for key, value in snowflake(query_text="SELECT A FROM T").items()}
    row["statement"] = row.pop("query_text")
    pq.write_table(pa.Table.from_pylist([row]), "history.parquet")
    (found,) = rows_of(spark, "history.parquet", "snowflake-query-history", sql="statement")
    assert (found["text"], cost(found)) == ("SELECT A FROM T", (1000, 2.5, 0.25))


def test_statements_of_a_session_keep_their_own_cost(spark: SparkSession) -> None:
    place = write_csv(
        "history.csv",
        snowflake(query_text="CREATE TEMPORARY TABLE TMP AS SELECT A FROM BIG;", bytes_scanned=1_000_000),
        snowflake(
            query_text="INSERT INTO MART SELECT A FROM TMP", start_time="2026-01-02 10:01:00 -0800", bytes_scanned=5
        ),
    )
    snapshot = build(Corpus([place], "snowflake", preset=PRESETS["snowflake-query-history"]), "lineage").snapshot
    assert "SHOP.PUBLIC.BIG.A -> SHOP.PUBLIC.TMP.A" in pairs(snapshot)
    processes = {row["type"]: row for row in snapshot.table("processes").to_pylist()}
    assert {name: row["bytes"] for name, row in processes.items()} == {"Create Table": 1_000_000, "Insert": 5}
    assert {row["credits"] for row in processes.values()} == {0.25}
    (script,) = snapshot.table("scripts").to_pylist()
    assert (script["bytes"], script["seconds"], script["seen"]) == (1_000_005, 5.0, 1)


def access(**row: Any) -> dict[str, Any]:
    usual = {"QUERY_ID": "01", "QUERY_START_TIME": "2026-01-02 10:00:00", "USER_NAME": "ANN", "QUERY_TEXT": None}
    lists = {key: [] for key in ("DIRECT_OBJECTS_ACCESSED", "BASE_OBJECTS_ACCESSED", "OBJECTS_MODIFIED")}
    return {**usual, **lists, **{key.upper(): value for key, value in row.items()}}


def accessed(name: str, *columns: str, domain: str = "Table") -> dict[str, Any]:
    return {"objectName": name, "objectDomain": domain, "objectId": 1, "columns": [{"columnName": c} for c in columns]}


def test_snowflake_access_history_is_lineage_of_columns() -> None:
    source = {"objectName": "SHOP.PUBLIC.V", "objectDomain": "View", "columnName": "TOTAL"}
    base = {"objectName": "SHOP.PUBLIC.ORDERS", "objectDomain": "Table", "columnName": "AMOUNT"}
    made = {"columnName": "SUM_TOTAL", "directSources": [source], "baseSources": [base]}
    written = {"objectName": "SHOP.MART.DAILY", "objectDomain": "Table", "columns": [made]}
    place = write_lines(
        "access.jsonl",
        access(
            query_text="CALL fill_daily('secret')",
            direct_objects_accessed=[accessed("SHOP.PUBLIC.V", "TOTAL", domain="View")],
            base_objects_accessed=[accessed("SHOP.PUBLIC.ORDERS", "AMOUNT")],
            objects_modified=[written],
        ),
        access(
            query_text="SELECT NAME FROM SHOP.PUBLIC.USERS",
            base_objects_accessed=[accessed("SHOP.PUBLIC.USERS", "NAME")],
        ),
        access(
            query_id="03",
            base_objects_accessed=[accessed("SHOP.PUBLIC.SEEN", "A", "b"), accessed("F", domain="Function")],
        ),
    )
    snapshot = build(Corpus([place], preset=PRESETS["snowflake-access-history"]), "lineage").snapshot
    found = {pair.partition(" -> query_")[0] for pair in pairs(snapshot)}
    assert found == {
        "SHOP.PUBLIC.V.TOTAL -> SHOP.MART.DAILY.SUM_TOTAL",
        "SHOP.PUBLIC.USERS.NAME",
        "SHOP.PUBLIC.SEEN.A",
        "SHOP.PUBLIC.SEEN.b",
    }
    assert {row["users"][0] for row in snapshot.table("processes").to_pylist()} == {"ANN"}


# BigQuery, Databricks, Trino


def test_bigquery_jobs(spark: SparkSession) -> None:
    usual = {
        "job_type": "QUERY",
        "state": "DONE",
        "user_email": "ann@example.com",
        "parent_job_id": None,
        "start_time": "2026-01-02 10:00:00.000 UTC",
        "end_time": "2026-01-02 10:00:04.000 UTC",
        "total_bytes_processed": 900,
        "total_bytes_billed": 1000,
        "error_result": None,
        "session_info": None,
    }
    script = "DECLARE d DATE; INSERT INTO ds.t SELECT a FROM ds.s; EXECUTE IMMEDIATE 'SELECT ' || 'b FROM ds.u'"
    place = write_lines(
        "jobs.jsonl",
        {**usual, "job_id": "1", "query": "SELECT x FROM ds.y"},
        {**usual, "job_id": "2", "query": "SELECT bad", "error_result": {"reason": "invalidQuery", "message": "no"}},
        {**usual, "job_id": "3", "query": None, "job_type": "LOAD"},
        {**usual, "job_id": "4", "query": script, "session_info": {"session_id": "s"}},
        {**usual, "job_id": "5", "query": "INSERT INTO ds.t SELECT a FROM ds.s", "parent_job_id": "4"},
        {**usual, "job_id": "6", "query": "SELECT b FROM ds.u", "parent_job_id": "4"},
    )
    found = {row["text"]: row for row in rows_of(spark, place, "bigquery-jobs", schema="ds")}
    assert set(found) == {"SELECT x FROM ds.y", script, "SELECT b FROM ds.u"}
    assert cost(found["SELECT x FROM ds.y"]) == (1000, 4.0, None)
    assert cost(found["SELECT b FROM ds.u"])[0] is None  # the script's bytes are those of its statements
    assert {row["dialect"] for row in found.values()} == {"bigquery"}


def test_databricks_query_history(spark: SparkSession) -> None:
    usual = {
        "statement_id": "1",
        "session_id": "s",
        "executed_by": "ann@example.com",
        "execution_status": "FINISHED",
        "start_time": "2026-01-02T10:00:00Z",
        "end_time": "2026-01-02T10:00:01Z",
        "error_message": None,
        "total_duration_ms": 1500,
        "read_bytes": 77,
    }
    place = write_lines(
        "history.json",
        {**usual, "statement_text": "SELECT a FROM t WHERE b = :day AND c = ?"},
        {
            **usual,
            "statement_text": "SELECT nope",
            "execution_status": "FAILED",
            "error_message": "[UNRESOLVED_COLUMN]",
        },
        {**usual, "statement_text": "SELECT c", "execution_status": "CANCELED"},
        {**usual, "statement_text": "", "statement_id": "4"},
        {**usual, "statement_text": "SELECT a, b, c FROM some_table WHERE ...", "statement_id": "5"},
    )
    hidden, whole, cut = rows_of(spark, place, "databricks-query-history", schema="main.shop")
    assert (whole["text"], whole["dialect"], whole["default_schema"]) == (
        "SELECT a FROM t WHERE b = :day AND c = ?",
        "databricks",
        "main.shop",
    )
    assert cost(whole) == (77, 1.5, None)
    assert hidden["problem"] == "the log is not whole; statements have no text (1, the first is that of query 4)"
    assert cut["problem"] == "the log does not have the whole text of query 5: its text ends in dots"


@pytest.mark.parametrize("wrapped", [False, True])
def test_trino_events(spark: SparkSession, wrapped: bool) -> None:
    def event(query: str, state: str = "FINISHED", **more: Any) -> dict[str, Any]:
        metadata = {"queryId": "q1", "query": query, "queryState": state, "preparedQuery": None, **more}
        content = {
            "metadata": metadata,
            "statistics": {"wallTime": "PT1M2.5S", "physicalInputBytes": 4096},
            "context": {"user": "ann", "catalog": "hive", "schema": "sales", "source": "cli"},
            "failureInfo": {"errorCode": {"code": 1}} if state == "FAILED" else None,
            "createTime": "2026-01-02T10:00:00.000Z",
            "endTime": "2026-01-02T10:01:02.500Z",
        }
        return {"queryCompletedEvent": content} if wrapped else content

    created = {"queryCreatedEvent": {"metadata": {"query": "SELECT early"}}} if wrapped else {}
    place = write_lines(
        "events.jsonl",
        event("SELECT a FROM t"),
        event("EXECUTE p USING 3", preparedQuery="SELECT b FROM t WHERE c = ?"),
        event("SELECT bad", "FAILED"),
        *([created] if created else []),
    )
    one, other = rows_of(spark, place, "trino-events")
    assert (one["text"], one["default_schema"], one["users"]) == ("SELECT a FROM t", "hive.sales", ["ann"])
    assert cost(one) == (4096, 62.5, None)
    assert other["text"] == "SELECT b FROM t WHERE c = ?"


# Redshift


def in_pieces(text: str, **row: Any) -> Iterator[dict[str, Any]]:
    """Rows as STL_QUERYTEXT has them, without the blanks that a client trims."""
    for number, start in enumerate(range(0, len(text), 200)):
        yield {"sequence": number, "text": text[start : start + 200].rstrip(), **row}


def test_redshift_pieces_in_any_order(spark: SparkSession) -> None:
    usual = {"usename": "ann", "starttime": "2026-01-02 10:00:00", "endtime": "2026-01-02 10:00:03", "bytes": 2048}
    columns = ", ".join(f"column_{number:03}" for number in range(60))
    long = f"SELECT {columns} FROM wide"
    blank = f"SELECT a,{' ' * 191}b FROM t"  # a blank, and more of them, at the end of the first piece
    assert blank[199] == " "
    gone = f"SELECT {columns} FROM gone"
    rows = [
        *in_pieces(long, query=1, pid=10, **usual),
        *in_pieces(blank, query=2, pid=10, **usual),
        *(row for row in in_pieces(gone, query=3, pid=11, **usual) if row["sequence"] != 2),
        *in_pieces("SELECT c -- a remark\\nFROM u", query=4, pid=12, **usual),
    ]
    found = {row["text"]: row for row in rows_of(spark, write_csv("stl.csv", *reversed(rows)), "redshift-stl")}
    cut = gone[:400]
    assert set(found) == {long, blank, cut, "SELECT c -- a remark\nFROM u"}
    assert found[cut]["problem"] == "the log does not have the whole text of query 3: its piece 2 is not in the log"
    assert found[long]["problem"] == ""
    assert cost(found[long]) == (2048, 3.0, None)


def test_redshift_system_views(spark: SparkSession) -> None:
    usual = {"session_id": 5, "start_time": "2026-01-02 10:00:00", "elapsed_time": 2_000_000, "user_name": "ann"}
    place = write_lines(
        "sys.jsonl",
        {**usual, "query_id": 1, "sequence": 0, "text": "SELECT a FROM t", "status": "success"},
        {**usual, "query_id": 2, "sequence": 0, "text": "SELECT b FROM t", "status": "failed"},
    )
    (found,) = rows_of(spark, place, "redshift-stl")
    assert (found["text"], cost(found)) == ("SELECT a FROM t", (None, 2.0, None))


# SQL Server


def test_sqlserver_query_store(spark: SparkSession) -> None:
    usual = {
        "query_id": 1,
        "database_name": "Shop",
        "default_schema": "dbo",
        "execution_type_desc": "Regular",
        "count_executions": 40,
        "first_execution_time": "2026-01-01 00:00:00 +00:00",
        "last_execution_time": "2026-01-05 00:00:00 +00:00",
        "total_duration": 3_000_000,
        "total_logical_io_reads": 2,
    }
    prepared = "(@p0 nvarchar(4000),@p1 decimal(10, 2) OUTPUT)SELECT a FROM t WHERE b = @p0"
    place = write_csv(
        "store.csv",
        {**usual, "query_sql_text": prepared},
        {**usual, "query_sql_text": "SELECT x FROM y", "execution_type_desc": "Exception"},
        {**usual, "query_sql_text": "(SELECT a FROM t) UNION (SELECT b FROM u)"},
        {**usual, "query_id": 9, "query_sql_text": "SELECT 1 AS a -- ".ljust(4000, "x")},
    )
    found = {row["text"][:20]: row for row in rows_of(spark, place, "sqlserver-query-store")}
    assert set(found) == {"SELECT a FROM t WHER", "(SELECT a FROM t) UN", "SELECT 1 AS a -- xxx"}
    row = found["SELECT a FROM t WHER"]
    assert (row["default_schema"], row["seen"], cost(row)) == ("Shop.dbo", 40, (16384, 3.0, None))
    assert (row["first_seen"], row["last_seen"]) == (datetime(2026, 1, 1), datetime(2026, 1, 5))
    assert "query 9: its text ends at 4,000 characters" in found["SELECT 1 AS a -- xxx"]["problem"]


# PostgreSQL

_STDERR = """\
2026-01-02 10:00:00.000 UTC [100] ann@shop LOG:  statement: SELECT a
\tFROM t
2026-01-02 10:00:00.500 UTC [100] ann@shop LOG:  duration: 250.000 ms
2026-01-02 10:00:01.000 UTC [101] bob@shop LOG:  statement: SELECT broken FROM t
2026-01-02 10:00:01.100 UTC [101] bob@shop ERROR:  column "broken" does not exist at character 8
2026-01-02 10:00:01.100 UTC [101] bob@shop STATEMENT:  SELECT broken FROM t
2026-01-02 10:00:02.000 UTC [100] ann@shop LOG:  duration: 1500.000 ms  execute <unnamed>: SELECT b FROM t WHERE c = $1
2026-01-02 10:00:02.000 UTC [100] ann@shop DETAIL:  parameters: $1 = 'secret value'
2026-01-02 10:00:02.000 UTC [100] ann@shop LOG:  duration: 0.100 ms  parse <unnamed>: SELECT parsed FROM t
2026-01-02 10:00:03.000 UTC [1] LOG:  checkpoint starting: time
"""


def csvlog(number: int, severity: str, message: str, session: str = "s1", detail: str = "", query: str = "") -> str:
    cells = [f"2026-01-02 10:00:0{number}.000 UTC", "ann", "shop", "100", "::1:5", session, str(number), "SELECT"]
    cells += ["2026-01-02 09:00:00 UTC", "3/1", "0", severity, "00000", message, detail, "", "", "", "", query]
    cells += ["", "", "psql", "client backend", "", "0"]
    return ",".join(f'"{cell}"' if cell else "" for cell in (each.replace('"', '""') for each in cells)) + "\n"


def check_postgres(rows: list[dict[str, Any]]) -> None:
    one, other = rows
    assert one["text"] == "SELECT a\nFROM t"
    assert other["text"] == "SELECT b FROM t WHERE c = $1"
    assert (cost(one), cost(other)) == ((None, 0.25, None), (None, 1.5, None))
    assert (one["dialect"], one["default_schema"], one["users"]) == ("postgres", "public", ["ann"])
    assert "secret value" not in str(rows)


def test_postgres_log_as_text(spark: SparkSession) -> None:
    Path("postgresql.log").write_text(_STDERR, encoding="utf-8")
    check_postgres(rows_of(spark, "postgresql.log", "postgres-log", schema="public"))


def test_postgres_log_as_csv(spark: SparkSession) -> None:
    lines = [
        csvlog(1, "LOG", "statement: SELECT a\nFROM t"),
        csvlog(2, "LOG", "duration: 250.000 ms"),
        csvlog(3, "LOG", "statement: SELECT broken FROM t", "s2"),
        csvlog(4, "ERROR", 'column "broken" does not exist', "s2", query="SELECT broken FROM t"),
        csvlog(
            5,
            "LOG",
            "duration: 1500.000 ms  execute S_1: SELECT b FROM t WHERE c = $1",
            detail="parameters: $1 = 'secret value'",
        ),
    ]
    Path("postgresql.csv").write_text("".join(lines), encoding="utf-8")
    check_postgres(rows_of(spark, "postgresql.csv", "postgres-log", schema="public"))


def test_postgres_log_as_json(spark: SparkSession) -> None:
    def entry(number: int, message: str, severity: str = "LOG", session: str = "s1", **more: Any) -> dict[str, Any]:
        known = {"timestamp": f"2026-01-02 10:00:0{number}.000 UTC", "user": "ann", "dbname": "shop", "pid": 100}
        return {
            **known,
            "session_id": session,
            "line_num": number,
            "error_severity": severity,
            "message": message,
            **more,
        }

    place = write_lines(
        "postgresql.json",
        entry(1, "statement: SELECT a\nFROM t"),
        entry(2, "duration: 250.000 ms"),
        entry(3, "statement: SELECT broken FROM t", session="s2"),
        entry(4, 'column "broken" does not exist', "ERROR", "s2", statement="SELECT broken FROM t"),
        entry(
            5,
            "duration: 1500.000 ms  execute S_1: SELECT b FROM t WHERE c = $1",
            detail="parameters: $1 = 'secret value'",
        ),
    )
    check_postgres(rows_of(spark, place, "postgres-log", schema="public"))


def test_pg_stat_statements(spark: SparkSession) -> None:
    usual = {"queryid": 1, "rolname": "ann", "calls": 50, "total_exec_time": 1234.5, "bytes": 8192}
    place = write_csv(
        "statements.csv",
        {**usual, "query": "SELECT a FROM t WHERE b = $1 LIMIT $2"},
        {**usual, "query": "SELECT z FROM t WHERE b > date $1 - interval $2", "calls": 1},
        {**usual, "query": "<insufficient privilege>", "queryid": 7, "calls": 3},
        {**usual, "query": "SELECT 1 AS c FROM t WHERE d = '".ljust(1023, "x"), "queryid": 8},
    )
    hidden, cut, whole, typed = rows_of(spark, place, "pg-stat-statements", schema="public")
    assert typed["text"] == "SELECT z FROM t WHERE b > date '$1' - interval '$2'"
    assert (whole["text"], whole["seen"], cost(whole)) == (
        "SELECT a FROM t WHERE b = $1 LIMIT $2",
        50,
        (8192, 1.2345, None),
    )
    assert hidden["problem"].startswith("the log is not whole; statements have no text (3, ")
    assert "query 8: its text ends at 1,023 characters" in cut["problem"]


# MySQL

_GENERAL = """\
/usr/sbin/mysqld, Version: 8.0.36 (MySQL Community Server - GPL). started with:
Tcp port: 3306  Unix socket: /var/run/mysqld/mysqld.sock
Time                 Id Command    Argument
2026-01-02T10:00:00.000001Z\t   12 Connect\tann@localhost on shop using Socket
2026-01-02T10:00:00.000002Z\t   12 Query\tSELECT a
FROM t
2026-01-02T10:00:00.000003Z\t   13 Connect\tbob@localhost on  using TCP/IP
2026-01-02T10:00:00.000004Z\t   13 Init DB\tcrm
2026-01-02T10:00:00.000005Z\t   13 Prepare\tSELECT b FROM t WHERE c = ?
2026-01-02T10:00:00.000006Z\t   13 Execute\tSELECT b FROM t WHERE c = 3
2026-01-02T10:00:00.000007Z\t   12 Quit\t
"""


def check_mysql(rows: list[dict[str, Any]]) -> None:
    assert [(row["text"], row["default_schema"], row["users"]) for row in rows] == [
        ("SELECT a\nFROM t", "shop", ["ann"]),
        ("SELECT b FROM t WHERE c = 3", "crm", ["bob"]),
    ]
    assert {row["dialect"] for row in rows} == {"mysql"}


def test_mysql_general_log_file(spark: SparkSession) -> None:
    Path("general.log").write_text(_GENERAL, encoding="utf-8")
    check_mysql(rows_of(spark, "general.log", "mysql-general"))


def test_mysql_general_log_of_mariadb(spark: SparkSession) -> None:
    lines = [
        "260102 10:00:00\t    12 Connect\tann@localhost on shop using Socket",
        "\t\t    12 Query\tSELECT a",
        "FROM t",
    ]
    lines += [
        "\t\t    13 Connect\tbob@localhost on crm using Socket",
        "260102 10:00:01\t    13 Query\tSELECT b FROM t WHERE c = 3",
    ]
    Path("general.log").write_text("\n".join(lines) + "\n", encoding="utf-8")
    rows = rows_of(spark, "general.log", "mysql-general")
    check_mysql(rows)
    assert rows[0]["first_seen"] == datetime(2026, 1, 2, 10)


def test_mysql_general_log_table(spark: SparkSession) -> None:
    rows = [
        ("ann[ann] @ localhost []", 12, "Connect", "ann@localhost on shop using Socket"),
        ("ann[ann] @ localhost []", 12, "Query", "SELECT a\nFROM t"),
        ("[bob] @ localhost []", 13, "Connect", "bob@localhost on  using TCP/IP"),
        ("bob[bob] @ localhost []", 13, "Query", "USE `crm`"),
        ("bob[bob] @ localhost []", 13, "Execute", "SELECT b FROM t WHERE c = 3"),
    ]
    names = ("user_host", "thread_id", "command_type", "argument")
    listed = [
        {"event_time": f"2026-01-02 10:00:00.00000{number}", **dict(zip(names, row, strict=True))}
        for number, row in enumerate(rows)
    ]
    found = rows_of(spark, write_csv("general_log.csv", *listed), "mysql-general")
    assert [(row["text"], row["default_schema"]) for row in found] == [
        ("SELECT a\nFROM t", "shop"),
        ("USE `crm`\n;\nSELECT b FROM t WHERE c = 3\n;", "crm"),
    ]


def test_every_preset_is_documented_with_its_export() -> None:
    page = (Path(__file__).parent.parent / "docs" / "logs.md").read_text(encoding="utf-8")
    assert [name for name, preset in PRESETS.items() if f"### {name}\n\n{preset.notes}\n" not in page] == []
    assert [name for name, preset in PRESETS.items() if f"\n{preset.export}\n```" not in page] == []


# What is wrong


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_a_wrong_preset_is_one_error_with_columns_and_export(spark: SparkSession, preset: str) -> None:
    place = write_lines("log.jsonl", {"when": "2026-01-01", "what": "SELECT 1"})
    with pytest.raises(NothingToRead) as error:
        rows_of(spark, place, preset)
    words = str(error.value)
    assert words.startswith(f"log.jsonl is no log of the preset {preset} (")
    assert "It has what, when." in words
    assert PRESETS[preset].export in words
    for field in PRESETS[preset].needed:
        assert PRESETS[preset].columns[field][0] in words


def test_columns_that_the_user_names_must_be_there(run: Run) -> None:
    place = write_csv("log.csv", {"text": "SELECT 1"})
    done = run("build", place, "--log", "sql=query")
    assert done.code == 2
    assert (
        "the log log.csv has no column query (sql); it has text: name its columns by --log, or what it is by"
        in done.err
    )


def test_a_csv_with_broken_quotes_is_said(spark: SparkSession) -> None:
    Path("log.csv").write_text(
        "query,calls,queryid\n"
        '"SELECT a FROM t",1,1\n'
        "SELECT b, c FROM t,1,2\n"  # four values
        '"SELECT d FROM t,1,3\n'  # a quote that nobody closes
        "SELECT e FROM t,1,4\n",
        encoding="utf-8",
    )
    rows = rows_of(spark, "log.csv", "pg-stat-statements")
    problems = [row["problem"] for row in rows if row["problem"]]
    assert sorted(problems) == [
        "the log is not whole; files have a quote that is not closed: rows behind it may be missing (1)",
        "the log is not whole; rows cannot be read: they have too few or too many values (2)",
    ]
    assert "SELECT a FROM t" in texts(rows)


def test_a_cut_statement_is_a_diagnostic_and_casts_doubt(run: Run) -> None:
    Path("t.sql").write_text("CREATE TABLE t (a int, b int); INSERT INTO o SELECT a FROM t", encoding="utf-8")
    text = "SELECT x FROM u WHERE y = 1 --".ljust(1023, "x")
    write_csv("log.csv", {"query": text, "calls": 1, "queryid": 5})
    done = run("build", "t.sql", "log.csv", "--log-preset", "pg-stat-statements", "--fail-on", "error")
    assert done.code == 0, done
    assert "dialect postgres, by --log-preset pg-stat-statements" in done.err
    (said,) = open_graph("lineage").snapshot.table("diagnostics").to_pylist()
    assert (said["code"], said["severity"]) == ("incomplete-statement", "warning")
    assert "query 5" in said["message"]
    (column,) = open_graph("lineage").unused("t.b").columns
    assert column.not_understood == 1


# Use and cost

_SCRIPT = """
CREATE TABLE orders (id int, amount int, note string, old int);
CREATE VIEW v AS SELECT id, amount FROM orders WHERE note IS NOT NULL;
INSERT INTO archive SELECT old FROM orders;
"""


@pytest.fixture(scope="module")
def used_store(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with scripts and a log that reads some of their columns, built with a preset in `headwater.toml`."""
    folder = tmp_path_factory.mktemp("used")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        Path("shop.sql").write_text(_SCRIPT, encoding="utf-8")
        Path("headwater.toml").write_text(
            'log-preset = "snowflake-query-history"\ndefault-schema = "shop.public"\n', encoding="utf-8"
        )
        free = dict.fromkeys(("bytes_scanned", "total_elapsed_time", "credits_attributed_compute"), 0)
        late, early = "2026-01-10 10:00:00 +0000", "2026-01-02 10:00:00 +0000"
        write_csv(
            "history.csv",
            snowflake(query_text="SELECT amount FROM v", start_time=late),
            snowflake(query_text="SELECT amount FROM v", start_time=late, session_id=8),
            snowflake(query_text="CREATE USER bob PASSWORD = 'hunter2'", start_time=early, **free),
            snowflake(
                query_text="SELECT id FROM orders", start_time=early, bytes_scanned=10, credits_attributed_compute=0.01
            ),
        )
        patch.setattr("sys.argv", ["headwater", "build", "shop.sql", "history.csv"])
        with pytest.raises(SystemExit) as ended:
            main()
        assert not ended.value.code
    return folder / "lineage"


def test_columns_that_no_logged_query_reads(used_store: Path, run: Run) -> None:
    """NOTE and AMOUNT are read through the view; OLD by a script that is not known to have run."""
    found = run("unused", "--log", "--store", used_store)
    assert found.code == 1
    assert found.out.splitlines() == [
        "by what ran from 2026-01-02 to 2026-01-10",
        "SHOP.PUBLIC.ORDERS.OLD  nothing that ran reads it, a script does",
        "SHOP.PUBLIC.V.ID  nothing that ran reads it",
        "nothing that ran reads anything of: SHOP.PUBLIC.ARCHIVE",
    ]


def test_columns_that_no_logged_query_reads_since(used_store: Path, run: Run) -> None:
    found = json.loads(run("unused", "orders", "--since", "2026-01-05", "--format", "json", "--store", used_store).out)
    assert {(each["column"], each["last_read"]) for each in found["columns"]} == {
        ("ID", "2026-01-02T10:00:00+00:00"),
        ("OLD", None),
    }
    assert found["period"]["last"] == "2026-01-10T10:00:00+00:00"


def test_secrets_in_a_log_are_redacted(used_store: Path) -> None:
    snapshot = open_graph(used_store).snapshot
    stored = str([snapshot.table(name).to_pylist() for name in ("scripts", "processes", "diagnostics", "relations")])
    assert "CREATE USER bob" in stored
    assert "hunter2" not in stored


def test_unused_by_logs_needs_a_log(run: Run) -> None:
    make_store(Path("lineage"), "db.t.a -> db.u.b")
    found = run("unused", "--log")
    assert found.code == 2
    assert "the store lineage has no query log" in found.err


def test_the_report_tells_use_and_cost(used_store: Path) -> None:
    facts = gather(open_graph(used_store)).usage
    assert facts is not None
    assert (facts.runs, facts.units, facts.totals) == (4, ("bytes", "seconds", "credits"), (2010.0, 7.5, 0.51))
    assert [(str(each.what), each.runs, each.costs) for each in facts.dearest_tables["bytes"]] == [
        ("SHOP.PUBLIC.V", 2, (2000.0, 5.0, 0.5)),
        ("SHOP.PUBLIC.ORDERS", 1, (10.0, 2.5, 0.01)),
    ]
    assert [str(each.what) for each in facts.dearest_columns["credits"]] == [
        "SHOP.PUBLIC.V.AMOUNT",
        "SHOP.PUBLIC.ORDERS.ID",
    ]
    page = markdown_page(page_of(gather(open_graph(used_store))))
    assert "## Use and cost" in page
    assert "from 2026-01-02 to 2026-01-10; together they cost 2.0 KiB, 7.5 s, 0.51 credits." in page


def test_a_store_of_an_earlier_version_has_no_costs(used_store: Path, tmp_path: Path) -> None:
    """Snapshots that were written before there were costs are read as they are: the columns are null."""
    snapshot = open_graph(used_store).snapshot
    for name in ("scripts", "statements", "processes"):
        for path in snapshot.paths(name):
            old = pq.read_table(path).drop_columns(["bytes", "seconds", "credits"])
            pq.write_table(old, tmp_path / path.name)
            found = ds.dataset(tmp_path / path.name, schema=TABLES[name].schema).to_table()
            assert found.column("bytes").null_count == len(old)
