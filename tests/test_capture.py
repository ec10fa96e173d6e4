"""Live capture: what jobs did, what becomes of it when something fails, and that it meets SQL in one store."""

from __future__ import annotations

import json
import logging
import os
import runpy
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest

import headwater
from command import Run
from headwater.analyzers.catalyst import catalyst
from headwater.analyzers.catalyst.executed import Fetched, Known, resolution_of, unread
from headwater.captured import NotAJob, job_of, read_job
from headwater.captured.line import ENDING
from headwater.lineage.lineage import StatementLineage
from headwater.model.diagnostic import Code
from headwater.pipeline.corpus import Corpus, build
from headwater.spark import Capture, NotCapturable, capture
from headwater.spark.capturing.listener import Event, stream_listener
from headwater.spark.capturing.reading import PlanReader
from headwater.storage import open_storage

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]

EXAMPLE = Path(__file__).parent.parent / "examples" / "capture_job.py"
LOAD = Path(__file__).parent / "programs" / "load.py"
BOARD = EXAMPLE.with_name("board.sql")
CORPORA = Path(os.environ.get("HEADWATER_SHARED", Path(__file__).parent.parent.parent / "shared")) / "corpora"


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of its own to work in."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def orders(spark: SparkSession, here: Path) -> DataFrame:
    """Some files."""
    spark.range(4).selectExpr("id", "id % 2 AS kind", "id * 1.5 AS amount").write.parquet(f"{here}/orders")
    return spark.read.parquet(f"{here}/orders")


@pytest.fixture
def shop(spark: SparkSession) -> Iterator[None]:
    """A schema that is gone afterwards."""
    yield
    spark.sql("DROP DATABASE IF EXISTS shop CASCADE")


def edges(captured: Capture, here: Path) -> set[str]:
    """What flows, with paths from here on."""
    found = captured.column_edges(rows="none")
    return {f"{e.target} <- {e.source} {e.subtype}".replace(f"{here}/", "") for e in found}


def lines(folder: Path) -> list[dict[str, Any]]:
    """What was written."""
    return [json.loads(line) for file in sorted(folder.iterdir()) for line in file.read_text().splitlines()]


# A job of ten steps, and SQL after it


def test_a_job_of_ten_steps_is_captured_and_stitched_with_sql(
    spark: SparkSession, here: Path, shop: None, run: Run
) -> None:
    example = runpy.run_path(str(EXAMPLE))
    example["prepare"](spark, here)
    with capture(spark, sink=here / "captured") as captured:
        example["job"](spark, here)
    assert captured.diagnostics == []
    assert [each.statements[0].resolution.process.type for each in captured.lineages()] == [
        *("Insert", "Create Table", "Insert", "Insert")
    ]
    assert edges(captured, here) == {
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
        "shop.daily.orders <- orders.customer_id JOIN",  # rows are counted that the joins leave
        "shop.daily.orders <- customers.csv.id JOIN",
        "shop.daily.orders <- customers.csv.country JOIN",
        "shop.daily.orders <- shop.countries.code JOIN",
        "shop.items.item <- orders.items TRANSFORMATION",
        "shop.items.region <- shop.countries.region IDENTITY",
        "shop.report.region <- shop.daily.region IDENTITY",
        "shop.report.best <- shop.daily.total AGGREGATION",
        "shop.report.best <- shop.daily.region GROUP_BY",
    }
    joined = {
        f"{e.target} <- {e.source}".replace(f"{here}/", "") for e in captured.column_edges() if e.subtype == "JOIN"
    }
    assert {
        "visits.PseudoRows <- orders.customer_id",
        "visits.PseudoRows <- customers.csv.id",
        "visits.PseudoRows <- customers.csv.country",
        "visits.PseudoRows <- shop.countries.code",
    } <= joined

    built = build(Corpus((str(BOARD), str(here / "captured"))), here / "lineage")
    assert built.summary.failed == {}
    roots = {str(each).replace(f"{here}/", "") for each in headwater.open(here / "lineage").roots("shop.board.best")}
    assert roots == {"orders.amount"}
    said = run("upstream", "shop.board.best", "--store", here / "lineage")
    assert said.code == 0
    assert [name in said.out for name in ("shop.report.best", "shop.daily.total", f"{here}/orders.amount")] == [
        True
    ] * 3


def test_what_was_captured_is_what_the_build_reads(spark: SparkSession, here: Path, orders: DataFrame) -> None:
    with capture(spark, sink=here / "captured") as captured:
        orders.createOrReplaceTempView("some_orders")
        for limit in (1, 2, 3):
            orders.where(f"amount > {limit}").write.mode("overwrite").json(f"{here}/big")
        spark.sql("SELECT kind, max(amount) AS best FROM some_orders GROUP BY kind").collect()
    [big, best] = captured.lineages()
    written = lines(here / "captured")
    assert [(each["seen"], "job" in each) for each in written] == [(1, True), (1, True), (2, False)]
    for lineage, line in zip((big, best), written, strict=False):
        job = read_job(json.dumps(line["job"]))
        assert job.text == lineage.statements[0].sql
        assert job_of(job.resolution, job.text) == json.dumps(line["job"], separators=(",", ":"), ensure_ascii=False)
    assert [line for line in written if "1.5" in json.dumps(line.get("job"))] == []  # no value of a row

    sql = "SELECT kind, max(amount) AS best FROM some_orders GROUP BY kind;\n"
    (here / "same.sql").write_text(sql)
    built = build(Corpus((str(here),)), here / "lineage")
    processes = {row["query_hash"]: row for row in built.snapshot.table("processes").to_pylist()}
    assert len(processes) == 2  # the same text is the same process, in a script or captured
    assert processes[best.statements[0].resolution.process.query_hash]["seen"] == 2
    one = processes[big.statements[0].resolution.process.query_hash]
    assert (one["seen"], one["type"], one["users"]) == (3, "Insert", [spark.sparkContext.sparkUser()])
    assert one["first_seen"] < one["last_seen"]
    again = build(Corpus((str(here),)), here / "lineage")
    assert again.summary.reused == again.summary.distinct == 3


def test_the_same_query_to_another_place_is_another_job(
    spark: SparkSession, here: Path, orders: DataFrame, shop: None
) -> None:
    spark.sql(f"CREATE DATABASE shop LOCATION '{here}/tables'")
    with capture(spark) as captured:
        for name in ("one", "two"):
            orders.write.json(f"{here}/{name}")
            orders.write.saveAsTable(f"shop.{name}")
            orders.write.insertInto(f"shop.{name}")
    found = [target.removeprefix(f"{here}/") for lineage in captured.lineages() for target in lineage.targets]
    assert found == ["one", "shop.one", "shop.one", "two", "shop.two", "shop.two"]


def test_damaged_lines_and_jobs_are_said(spark: SparkSession, here: Path, orders: DataFrame) -> None:
    with capture(spark, sink=here / "captured"):
        orders.write.json(f"{here}/all")
    [file] = (here / "captured").iterdir()
    line = file.read_text()
    lost = job_of(unread("3 jobs were not captured", Code.NOT_CAPTURED))
    others = [
        {"hash": n, "app": "x", "user": "u", "seen": 1, "job": job} for n, job in (("1", {}), ("2", json.loads(lost)))
    ]
    file.write_text("".join([line, *(json.dumps(other) + "\n" for other in others), line[:200]]))
    built = build(Corpus((str(here / "captured"),)), here / "lineage")
    assert built.summary.failed == {"not-captured": 1, "unreadable-file": 2}
    assert built.summary.statements == 2


def test_tables_of_the_default_schema_are_named_as_scripts_name_them() -> None:
    [statement] = headwater.analyze("INSERT INTO default.t SELECT a FROM default.u").statements
    content = job_of(statement.resolution)
    assert [".".join(e.table or ()) for e in read_job(content).resolution.entities if e.table][1:] == ["t", "u"]
    kept = read_job(content, ("default",)).resolution.entities
    assert [".".join(e.table or ()) for e in kept if e.table][1:] == ["default.t", "default.u"]


@pytest.mark.parametrize("text", ["", "{}", '{"version": 1}', '{"version": 7}', "[1]", "null"])
def test_what_is_no_job_is_said_to_be_none(text: str) -> None:
    with pytest.raises(NotAJob):
        read_job(text)


# What jobs are made of


def test_every_step_of_a_program_is_read(spark: SparkSession, here: Path, orders: DataFrame) -> None:
    from pyspark.sql import functions as f

    def same(batches: Any) -> Any:
        yield from batches

    kept = orders.select("kind").localCheckpoint()
    orders.write.parquet(f"{here}/more")
    with capture(spark) as captured:
        cut = orders.groupBy("id").agg(f.sum("amount").alias("n")).localCheckpoint()
        steps = {
            "udf": orders.select(f.udf(lambda a, b: a, "long")("id", "kind").alias("u")),
            "arrow": orders.select("id", "kind").mapInArrow(same, "id long, kind long"),
            "unpivot": orders.unpivot("id", ["amount", "kind"], "what", "much"),
            "pivot": orders.groupBy("id").pivot("kind", [0, 1]).sum("amount"),
            "distinct": orders.dropDuplicates(["kind"]).select("id"),
            "twice": orders.groupBy("kind").agg(f.max("amount").alias("m")).groupBy().agg(f.min("m").alias("x")),
            "made": spark.createDataFrame([(1,)], "a int"),
            "checkpoint": cut.select("n"),
            "unknown": kept,
            "many": spark.read.parquet(f"{here}/orders", f"{here}/more").select("id"),
            "between": orders.selectExpr("amount BETWEEN id AND kind AS b"),
            "cached": orders.select("id").cache(),
        }
        for name, frame in steps.items():
            frame.write.parquet(f"{here}/{name}")
    assert [(d.code, d.subject) for d in captured.diagnostics] == [
        (Code.PROGRAM_ROWS, "a"),
        (Code.PROGRAM_ROWS, "kind"),
    ]
    assert edges(captured, here) == {
        "udf.u <- orders.id TRANSFORMATION",
        "udf.u <- orders.kind TRANSFORMATION",
        *(f"arrow.{one} <- orders.{other} TRANSFORMATION" for one in ("id", "kind") for other in ("id", "kind")),
        "unpivot.id <- orders.id IDENTITY",
        "unpivot.much <- orders.amount IDENTITY",
        "unpivot.much <- orders.kind IDENTITY",
        "pivot.id <- orders.id IDENTITY",
        *(f"pivot.{n} <- orders.amount AGGREGATION" for n in (0, 1)),
        *(f"pivot.{n} <- orders.kind CONDITIONAL" for n in (0, 1)),
        *(f"pivot.{n} <- orders.id GROUP_BY" for n in (0, 1)),
        "distinct.id <- orders.id IDENTITY",
        "twice.x <- orders.amount AGGREGATION",
        "twice.x <- orders.kind GROUP_BY",
        "checkpoint.n <- orders.amount AGGREGATION",
        "checkpoint.n <- orders.id GROUP_BY",
        "many.id <- orders.id IDENTITY",
        "many.id <- more.id IDENTITY",
        *(f"between.b <- orders.{name} TRANSFORMATION" for name in ("amount", "id", "kind")),
        "cached.id <- orders.id IDENTITY",
    }


def test_a_plan_of_many_steps_is_read(spark: SparkSession, here: Path, orders: DataFrame) -> None:
    from pyspark.sql import functions as f

    deep = orders
    for n in range(400):
        deep = deep.withColumn(f"c{n % 5}", f.col("amount") + n) if n % 3 else deep.where(f.col("id") >= 0)
    with capture(spark) as captured:
        deep.select("kind", "c4").write.parquet(f"{here}/deep")
    assert captured.diagnostics == []
    assert edges(captured, here) == {"deep.kind <- orders.kind IDENTITY", "deep.c4 <- orders.amount TRANSFORMATION"}


def test_a_column_that_is_copied_is_read_by_its_name(
    spark: SparkSession, here: Path, orders: DataFrame, run: Run
) -> None:
    with capture(spark, sink=here / "captured"):
        orders.select("id", "kind").write.parquet(f"{here}/copied")
    build(Corpus((str(here / "captured"),)), here / "lineage")
    said = run("impact", f"{here}/orders.kind", "--change", "drop", "--store", here / "lineage", "--format", "json")
    found = json.loads(said.out)
    assert found["breaking"] is True
    assert any(hit["verdict"] == "breaking" for hit in found["hits"])


def test_tables_and_views_of_every_kind(spark: SparkSession, here: Path, orders: DataFrame, shop: None) -> None:
    spark.sql(f"CREATE DATABASE shop LOCATION '{here}/tables'")
    with capture(spark) as captured:
        orders.write.saveAsTable("shop.Raw")
        orders.write.mode("append").saveAsTable("shop.raw")
        spark.sql("CREATE VIEW shop.v (k, best) AS SELECT kind, max(amount) AS m FROM shop.raw GROUP BY kind")
        spark.sql("CREATE TABLE shop.tops USING parquet AS SELECT best FROM shop.v")
        spark.sql(f"INSERT OVERWRITE DIRECTORY '{here}/dir' USING parquet SELECT k FROM shop.v")
        spark.sql("SHOW TABLES IN shop").collect()
        spark.sql("INSERT INTO shop.tops SELECT best FROM shop.v").collect()
        spark.sql("CREATE TEMPORARY VIEW passing AS SELECT * FROM shop.raw")
        spark.sql("CREATE TABLE shop.kinds USING parquet AS SELECT kind FROM passing")
        spark.sql("DROP VIEW passing")
    assert captured.diagnostics == []
    types = [each.statements[0].resolution.process.type for each in captured.lineages()]
    assert types == ["Create Table", "Insert", "Create View", *("Create Table", "Insert", "Insert"), "Create Table"]
    assert {each for each in edges(captured, here) if "raw." not in each.partition(" <- ")[0]} >= {
        "shop.v.k <- shop.raw.kind IDENTITY",
        "shop.v.best <- shop.raw.amount AGGREGATION",
        "shop.tops.best <- shop.v.best IDENTITY",
        "dir.k <- shop.v.k IDENTITY",
        "shop.kinds.kind <- shop.raw.kind IDENTITY",
    }


def test_a_database_is_named_without_its_password(spark: SparkSession, here: Path, orders: DataFrame) -> None:
    jvm: Any = spark.sparkContext._jvm
    jvm.java.lang.System.setProperty("derby.system.home", str(here))
    options = {"url": "jdbc:derby:memory:captured;create=true", "driver": "org.apache.derby.jdbc.EmbeddedDriver"}
    options |= {"user": "app", "password": "hunter2"}
    with capture(spark, sink=here / "captured") as captured:
        orders.write.format("jdbc").options(**options).option("dbtable", "app.sales").save()
        back = spark.read.format("jdbc").options(**options).option("dbtable", "app.sales").load()
        back.write.json(f"{here}/back")
        spark.sql("SELECT id, 'password=hunter2' AS p FROM range(2)").collect()
    assert captured.diagnostics == []
    sales = "derby:memory:captured.app.sales"
    assert {f"{sales}.id <- orders.id IDENTITY", f"back.id <- {sales}.id IDENTITY"} <= edges(captured, here)
    [file] = (here / "captured").iterdir()
    assert "hunter2" not in file.read_text()


def test_batches_of_a_stream_come_from_its_source(spark: SparkSession, here: Path, orders: DataFrame) -> None:
    from pyspark.sql import functions as f

    def each_batch(batch: DataFrame, number: int) -> None:
        batch.withColumn("more", f.col("twice") + 1).drop("kind").write.mode("append").json(f"{here}/batches")

    stream = spark.readStream.schema(orders.schema).parquet(f"{here}/orders")
    with capture(spark) as captured:
        doubled = stream.withColumn("twice", f.col("amount") * 2).writeStream.foreachBatch(each_batch)
        doubled.option("checkpointLocation", f"{here}/c1").trigger(availableNow=True).start().awaitTermination()
        plain = stream.writeStream.format("parquet").option("checkpointLocation", f"{here}/c2")
        plain.trigger(availableNow=True).start(f"{here}/copied").awaitTermination()
    assert captured.diagnostics == []
    assert edges(captured, here) == {
        "batches.id <- orders.id IDENTITY",
        "batches.amount <- orders.amount IDENTITY",
        "batches.twice <- orders.amount TRANSFORMATION",
        "batches.more <- orders.amount TRANSFORMATION",
        *(f"copied.{name} <- orders.{name} IDENTITY" for name in ("id", "kind", "amount")),
    }


# What must not happen


def _listeners(spark: SparkSession) -> int:
    """How many of our listeners Spark has."""
    listeners = spark.sparkContext._jsc.sc().listenerBus().listeners()
    return sum(each.getClass().getName() == "headwater.ExecutionListener" for each in listeners)


def test_after_stop_nothing_is_captured(spark: SparkSession, here: Path, orders: DataFrame) -> None:
    before = _listeners(spark)
    captured = capture(spark, sink=here / "captured")
    orders.write.json(f"{here}/one")
    captured.stop()
    captured.stop()
    orders.write.json(f"{here}/two")
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty(30_000)
    assert [lineage.targets for lineage in captured.lineages()] == [[f"{here}/one"]]
    assert len(lines(here / "captured")) == 1
    assert _listeners(spark) == before
    assert "headwater-capture" not in {thread.name for thread in threading.enumerate()}


def test_captures_side_by_side_end_each_for_itself(
    spark: SparkSession, orders: DataFrame, caplog: pytest.LogCaptureFixture
) -> None:
    before = _listeners(spark)
    with caplog.at_level(logging.WARNING), capture(spark) as outer:
        with capture(spark) as inner:
            orders.select("id").collect()
        assert _listeners(spark) == before + 1
        orders.select("kind").collect()
    assert [len(each.lineages()) for each in (outer, inner)] == [2, 1]
    assert _listeners(spark) == before
    assert caplog.messages == []


def test_a_folder_stays_where_it_is_when_the_program_moves(
    spark: SparkSession, here: Path, orders: DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    (here / "elsewhere").mkdir()
    with capture(spark, sink="captured"):
        monkeypatch.chdir(here / "elsewhere")
        orders.select("id").collect()
    assert len(lines(here / "captured")) == 1


def test_a_uri_with_a_key_is_refused(spark: SparkSession) -> None:
    with pytest.raises(ValueError, match="must not hold a password or key") as caught:
        capture(spark, sink="s3a://key:hidden@bucket/captured")
    assert "hidden" not in str(caught.value)


def test_captured_jobs_go_to_an_object_store(spark: SparkSession, orders: DataFrame, bucket: str) -> None:
    with capture(spark, sink=f"{bucket}/captured"):
        for _ in range(3):
            orders.select("id").collect()
        orders.groupBy("id").count().collect()
    storage = open_storage(f"{bucket}/captured")
    objects = storage.files("")
    assert all(file.key.endswith(ENDING) for file in objects)
    found = [json.loads(line) for file in objects for line in storage.read(file.key).splitlines()]
    assert (len([each for each in found if "job" in each]), sum(each["seen"] for each in found)) == (2, 4)


def test_a_job_succeeds_whose_plan_cannot_be_read(
    spark: SparkSession, here: Path, orders: DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(self: object, event: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(PlanReader, "_job", fail)
    with capture(spark, sink=here / "captured") as captured:
        orders.write.json(f"{here}/one")
    assert spark.read.json(f"{here}/one").count() == 4
    assert [(d.code, "ZeroDivisionError" in d.message) for d in captured.diagnostics] == [(Code.INTERNAL_ERROR, True)]
    [line] = lines(here / "captured")
    assert line["job"]["diagnostics"][0][0] == "internal-error"


def test_a_job_succeeds_whose_listener_fails(
    spark: SparkSession,
    here: Path,
    orders: DataFrame,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fail(self: object, event: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(PlanReader, "read", fail)
    with caplog.at_level(logging.WARNING), capture(spark) as captured:
        orders.write.json(f"{here}/one")
        orders.write.json(f"{here}/two")
    assert spark.read.json(f"{here}/two").count() == 4
    assert [d.message for d in captured.diagnostics] == ["a job was not captured: ZeroDivisionError"]
    assert caplog.messages == ["a job was not captured: ZeroDivisionError"]


def test_a_job_succeeds_whose_sink_cannot_be_written(
    spark: SparkSession, here: Path, orders: DataFrame, caplog: pytest.LogCaptureFixture
) -> None:
    (here / "file").write_text("no folder")
    with caplog.at_level(logging.WARNING), capture(spark, sink=here / "file") as captured:
        orders.write.json(f"{here}/one")
    assert spark.read.json(f"{here}/one").count() == 4
    assert len(captured.lineages()) == 1
    assert [d.code for d in captured.diagnostics] == [Code.NOT_CAPTURED]
    assert caplog.messages == ["captured jobs cannot be written: File exists"]


def test_a_function_gets_each_job_and_may_fail(spark: SparkSession, here: Path, orders: DataFrame) -> None:
    heard: list[headwater.Lineage] = []

    def sink(lineage: headwater.Lineage) -> None:
        heard.append(lineage)
        raise KeyError

    with capture(spark, sink=sink) as captured:
        for _ in range(2):
            orders.write.mode("overwrite").json(f"{here}/one")
    assert [lineage.targets for lineage in heard] == [[f"{here}/one"]] * 2
    assert [d.message for d in captured.diagnostics] == ["the sink failed: KeyError"]


def test_a_function_that_would_end_its_thread_misses_no_job(spark: SparkSession, orders: DataFrame) -> None:
    def sink(lineage: headwater.Lineage) -> None:
        raise SystemExit

    with capture(spark, sink=sink) as captured:
        orders.select("id").collect()
        captured.flush()
        orders.select("kind").collect()
    assert len(captured.lineages()) == 2
    assert [d.message for d in captured.diagnostics] == ["the sink failed: SystemExit"]


def test_jobs_that_come_too_fast_are_counted(
    spark: SparkSession, here: Path, orders: DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headwater.spark.capturing.live._ROOM", 2)
    gate = threading.Event()
    read = PlanReader.read

    def wait(self: PlanReader, event: Any) -> Any:
        gate.wait(60)
        return read(self, event)

    monkeypatch.setattr(PlanReader, "read", wait)
    captured = capture(spark, sink=here / "captured")
    for _ in range(8):
        orders.count()
    spark.sparkContext._jsc.sc().listenerBus().waitUntilEmpty(30_000)
    gate.set()
    captured.stop()
    [said] = [d.message for d in captured.diagnostics if "jobs ended" in d.message][:1]
    lost = int(said.split()[0])
    assert 5 <= lost <= 6
    assert any(said in json.dumps(line) for line in lines(here / "captured"))


def test_of_very_many_jobs_memory_keeps_the_last_and_says_so(
    spark: SparkSession, here: Path, orders: DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("headwater.spark.capturing.live._KEPT", 2)
    monkeypatch.setattr("headwater.spark.capturing.live._KEPT_BESIDE_SINK", 1)
    with capture(spark) as in_memory, capture(spark, sink=here / "captured") as in_files:
        for name in ("a", "b", "c", "d"):
            orders.select(orders.id.alias(name)).collect()
    assert [len(each.lineages()) for each in (in_memory, in_files)] == [2, 1]
    assert [d.message for d in in_memory.diagnostics] == [
        "only the last 2 distinct jobs are kept in memory; give `sink` a folder to keep all"
    ]
    assert in_files.diagnostics == []
    assert len(lines(here / "captured")) == 4


@pytest.mark.parametrize("room", [None, 1])
def test_no_job_is_lost_without_a_count_under_a_load_of_twenty(here: Path, room: int | None) -> None:
    """Twenty threads, ten distinct jobs each. Spark's own queue has room for all events, or for one."""
    command = [sys.executable, str(LOAD), str(here / "captured"), *([] if room is None else [str(room)])]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["failed"] == 0
    if room is None:
        assert told == {"run": 200, "failed": 0, "captured": 200, "dropped": 0}
    else:
        assert told["dropped"] > 0
        assert told["captured"] + told["dropped"] >= 200


def test_a_disk_that_is_full_for_a_while_costs_nothing(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from headwater.spark.capturing.folder import Folder

    folder = Folder(here / "captured", SimpleNamespace(app="app", user="me"))
    write = os.write
    monkeypatch.setattr(os, "write", lambda place, data: write(place, data[:20]))
    with pytest.raises(OSError, match="No space left"):
        folder.add('{"n":1}', 1.0)
    monkeypatch.undo()
    folder.add('{"n":2}', 2.0)
    folder.add('{"n":1}', 3.0)
    folder.tidy(now=True)
    torn, *whole = next((here / "captured").iterdir()).read_text().splitlines()
    assert len(torn) == 20
    assert [(line["seen"], line.get("job")) for line in map(json.loads, whole)] == [
        (1, {"n": 1}),
        (1, {"n": 2}),
        (1, None),
    ]


def test_what_is_no_session_is_refused_in_words() -> None:
    with pytest.raises(NotCapturable, match=r"sessions of PySpark 3\.5 and later"):
        capture(object())  # type: ignore[arg-type]
    session = type("Session", (), {"_jsparkSession": None})()
    with pytest.raises(TypeError, match="a folder or a function"):
        capture(session, sink=3)  # type: ignore[arg-type]


# Another judge


@pytest.mark.parametrize(("name", "every"), [("tpch", 1), ("tpcds", 4)])
def test_plans_read_step_by_step_agree_with_the_static_engine(spark: SparkSession, name: str, every: int) -> None:
    """What capture makes of the plans of queries is what the static engine makes of their texts."""
    if not (CORPORA / name).is_dir():
        pytest.skip("../shared/corpora is not there")
    engine, schema = catalyst(), json.loads((CORPORA / f"{name}.schema.json").read_text(encoding="utf-8"))
    alone = Known({}, lambda sql, dialect: pytest.fail("no query of these is of another database"))
    for table, columns in schema.items():
        engine.declare("default", table, columns)
    for path in sorted((CORPORA / name).glob("*.sql"))[::every]:
        for statement in headwater.analyze(path.read_text(encoding="utf-8"), schema=schema).statements:
            plan = engine.analyse(engine.parse(statement.sql.rstrip().rstrip(";")))
            read = StatementLineage(resolution_of(engine, Fetched.of(engine, plan), alone, False), "", "spark")
            assert _by_position(read) == _by_position(statement), path.stem


def _by_position(statement: StatementLineage) -> set[tuple[int, str]]:
    """Which output is made of which column, or decided by it; an output without a name is called differently."""
    outputs = {ref.column: number for number, ref in enumerate(statement.outputs)}
    found = headwater.Lineage([statement], "").column_edges()
    return {(outputs.get(e.target.column, -1), str(e.source).removeprefix("default.")) for e in found}


def test_a_stream_that_is_gone_when_it_is_heard_of_is_said(spark: SparkSession) -> None:
    def gone(id: str) -> Any:
        raise LookupError(id)

    heard: list[Event] = []
    streams = SimpleNamespace(get=gone)
    session = SimpleNamespace(_jsparkSession=SimpleNamespace(streams=lambda: streams))
    stream_listener(session, heard.append).onQueryStarted(SimpleNamespace(id="1", name=None))
    context: Any = spark.sparkContext
    read = PlanReader(context._gateway).read(heard[0])
    assert read is not None
    assert [d.code.value for d in read.lineage.diagnostics] == ["unsupported-construct"]
    assert "over before it was looked at" in read.lineage.diagnostics[0].message
