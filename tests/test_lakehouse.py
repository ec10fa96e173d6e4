"""Lakehouse tables: nothing of a store is lost, every snapshot is a version, and the page's queries answer as Headwater does."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from build_process import environment
from command import Result
from headwater.export.format import ExportError
from headwater.graph import open_graph
from headwater.lakehouse import iceberg_lake, rows
from headwater.lakehouse.lake import FACT, Lake
from headwater.lakehouse.opening import open_lake
from headwater.lakehouse.tables import ALL, SNAPSHOTS, TAGS
from headwater.store import Store
from headwater.store.document import table_lines
from lakehouse_reading import PAGE, TABLES, answers_of, by_library, in_duckdb, queries, versions
from lakehouse_reading import rows as answer
from stores import make_store, rows_of, write_rows

pytestmark = pytest.mark.slow

FORMATS = ("delta", "iceberg")
BEFORE = """
    raw.customers.id -> crm.customers.id @ crm.sql:1 Insert
    raw.customers.email -> crm.customers.email @ crm.sql:1 Insert
    raw.customers.email -> crm.customers.email_hash TRANSFORMATION masked = sha2(email, 256) @ crm.sql:1 Insert
    raw.customers.country -> crm.customers.rows FILTER where @ crm.sql:1 Insert
    raw.customers.id -> raw.orders.customer foreignKey @ raw.sql:1 Create Table
    crm.customers.id -> crm.customers.id TRANSFORMATION = id + 1 @ crm.sql:9 Update
    crm.customers.rows -> marts.contacts.rows rows @ marts.sql:5 Create View
    crm.customers.email -> marts.contacts.email @ marts.sql:5 Create View
    crm.customers.email_hash -> marts.contacts.contact_key candidate @ marts.sql:5 Create View
    raw.orders.amount -> scratch.total AGGREGATION = sum(amount) @ marts.sql:9 Create Table
    scratch.total -> marts.daily_revenue.net_revenue TRANSFORMATION = total - 1 @ marts.sql:10 Create Table
    column raw.orders.note string
    view marts.contacts
    temporary scratch
    tag raw.customers.email pii @ crm.sql:1
    error broken.sql:3 syntax-error SELEC is no word of SQL
    warning marts.sql:5 unresolved-column who is that
"""
AFTER = BEFORE.replace("raw.orders.amount -> scratch.total", "raw.orders.net -> scratch.total")

Run = Callable[..., Result]


@pytest.fixture(params=FORMATS)
def format(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def store(folder: Path) -> Store:
    """A store with one snapshot, in the folder `lineage`."""
    return make_store(folder / "lineage", BEFORE)


@pytest.fixture
def exported(store: Store, run: Run, format: str) -> Store:
    """The store, exported to `lake`."""
    assert export(run, format).code == 0
    return store


@pytest.fixture
def changed(exported: Store, run: Run, format: str) -> Store:
    """The store with a second snapshot, exported too."""
    make_store(Path("lineage"), AFTER)
    assert export(run, format).code == 0
    return exported


def export(run: Run, format: str, *more: str, place: str = "lake") -> Result:
    return run("export", "lineage", "--format", format, "-o", place, *more)


def counts(store: Path, snapshot: str | None = None) -> dict[str, int]:
    """How many rows the store's own Parquet files have."""
    opened = Store(store).snapshot(snapshot)
    names = ("relations", "columns", "entities", "processes", "statements", "diagnostics")
    return {name: sum(pq.ParquetFile(path).metadata.num_rows for path in opened.paths(name)) for name in names}


_FROM_THE_STORE = """
    WITH places AS (
      SELECT process_id, arg_min({{'path': c.path, 'line': s.line}}, (c.path, s.start)) AS place
      FROM {statements} s JOIN {scripts} c USING (script_id) GROUP BY process_id
    )
    SELECT r.relation_id, st.name, s.name, tt.name, t.name, r.source_id, r.target_id, r.type, r.subtype, r.clause,
           r.masking, r.candidate, r.as_of, r.expression, r.process_id, p.type, l.place.path, l.place.line
    FROM {relations} r
    JOIN {columns} s ON s.column_id = r.source_id JOIN {entities} st ON st.entity_id = s.entity_id
    JOIN {columns} t ON t.column_id = r.target_id JOIN {entities} tt ON tt.entity_id = t.entity_id
    JOIN {processes} p ON p.process_id = r.process_id JOIN places l ON l.process_id = r.process_id
    ORDER BY r.relation_id
"""


def relations_of(store: Path) -> list[tuple[Any, ...]]:
    """The rows of `relations`, as DuckDB joins them from the store's Parquet files."""
    snapshot = Store(store).snapshot()
    names = ("relations", "columns", "entities", "processes", "statements", "scripts")
    parquet = {name: f"read_parquet({list(map(str, snapshot.paths(name)))})" for name in names}
    return duckdb.connect().execute(_FROM_THE_STORE.format(**parquet)).fetchall()


def check_whole(format: str, place: Path, store: Path, fields: int = 0) -> None:
    """Compare the tables with the store's files; *fields* is the number of relations of structs and their fields."""
    connection, expected = in_duckdb(format, place), counts(store)
    found = {table: answer(connection, f"SELECT count(*) FROM {table}")[0][0] for table in TABLES}
    assert found["relations"] == expected["relations"] + fields
    assert (found["columns"], found["tables"]) == (expected["columns"], expected["entities"])
    assert (found["processes"], found["statements"]) == (expected["processes"], expected["statements"])
    assert found["diagnostics"] == expected["diagnostics"]
    made = "SELECT * FROM relations WHERE process_id IS NOT NULL ORDER BY relation_id"
    assert answer(connection, made) == relations_of(store) != []
    assert {table: by_library(format, str(place), table).num_rows for table in TABLES} == found


def test_nothing_of_a_store_is_lost(exported: Store, format: str) -> None:
    check_whole(format, Path("lake"), Path("lineage"))


@pytest.mark.slow
def test_nothing_of_a_built_store_is_lost(sample_store: Path, run: Run, folder: Path, format: str) -> None:
    assert run("export", sample_store, "--format", format, "-o", "lake").code == 0
    graph = open_graph(sample_store)
    fields = int((graph.arrays.relation_process < 0).sum())
    assert fields > 0
    check_whole(format, Path("lake"), sample_store, fields)
    ask = in_duckdb(format, Path("lake"))
    for query, expected in answers_of(graph).items():
        assert answer(ask, queries()[query]) == expected, query
    assert ("raw.shop_orders", "items") in {row[:2] for row in answers_of(graph)["All sources of a column"]}


def test_other_tables_have_names_in_the_place_of_ids(exported: Store, format: str) -> None:
    ask = in_duckdb(format, Path("lake"))
    tables = "SELECT table_name, schema_name, kind, temporary, process_id FROM tables WHERE table_name IN ('scratch', 'marts.contacts')"
    assert sorted(answer(ask, tables)) == [
        ("marts.contacts", "marts", "view", False, None),
        ("scratch", None, "table", True, None),
    ]
    assert answer(ask, "SELECT table_name, data_type FROM columns WHERE column_name = 'note'") == [
        ("raw.orders", "string")
    ]
    assert answer(ask, "SELECT type, procedure, script, line FROM processes WHERE type = 'Update'") == [
        ("Update", None, "crm.sql", 9)
    ]
    assert answer(ask, "SELECT script, line, script_kind FROM statements WHERE script = 'crm.sql' ORDER BY line") == [
        ("crm.sql", 1, "sql"),
        ("crm.sql", 9, "sql"),
    ]
    told = "SELECT script, line, severity, code, subject, process_id IS NULL FROM diagnostics ORDER BY script"
    assert answer(ask, told) == [
        ("broken.sql", 3, "error", "syntax-error", None, False),
        ("marts.sql", 5, "warning", "unresolved-column", None, True),
    ]


def test_a_tag_of_a_table_is_one_of_its_columns(folder: Path, run: Run, format: str) -> None:
    content = rows_of(BEFORE, {})
    (tag,) = content["tags"].values()
    content["tags"]["whole"] = {**tag, "column_id": None, "tag": "secret"}
    write_rows(folder / "lineage", content)
    assert export(run, format).code == 0
    found = answer(in_duckdb(format, Path("lake")), "SELECT table_name, column_name, tag FROM tags")
    whole = [("raw.customers", name, "secret") for name in (None, "country", "email", "id")]
    assert sorted(found, key=str) == sorted([("raw.customers", "email", "pii"), *whole], key=str)


class TestVersions:
    def test_every_snapshot_is_a_version_of_every_table(self, changed: Store, format: str) -> None:
        first, second = changed.names()
        recorded = by_library(format, "lake", "snapshots")
        known = versions(recorded)
        assert set(known) == {(name, table) for name in (first, second) for table in TABLES if table != "snapshots"}
        for name in (first, second):
            rows = by_library(format, "lake", "relations", known[name, "relations"])
            assert rows.num_rows == counts(Path("lineage"), name)["relations"]
        old, new = (by_library(format, "lake", "relations", known[name, "relations"]) for name in (first, second))
        assert "net" not in old.column("source_column").to_pylist()
        assert "net" in new.column("source_column").to_pylist()
        now = by_library(format, "lake", "relations")
        assert new.sort_by("relation_id").equals(now.sort_by("relation_id"))

    def test_the_row_counts_and_times_are_recorded(self, changed: Store, format: str) -> None:
        known = versions(by_library(format, "lake", "snapshots"))
        for row in by_library(format, "lake", "snapshots").to_pylist():
            version = known[row["snapshot"], row["table_name"]]
            assert row["row_count"] == by_library(format, "lake", row["table_name"], version).num_rows
            assert f"{row['built_at']:%Y%m%dT%H%M%S}" == row["snapshot"].partition("-")[0]
            assert row["built_at"] <= row["exported_at"]

    def test_commits_name_the_snapshot(self, changed: Store, format: str) -> None:
        assert set(commits(format, "lake", "tables")) == set(changed.names())

    def test_an_export_of_the_same_snapshot_writes_nothing(self, changed: Store, run: Run, format: str) -> None:
        before = content_of(Path("lake"))
        done = export(run, format)
        assert (done.code, "nothing was written" in done.err, changed.names()[-1] in done.err) == (0, True, True)
        older = export(run, format, "--as-of", changed.names()[0])
        assert (older.code, "nothing was written" in older.err) == (0, True)
        assert content_of(Path("lake")) == before

    def test_an_older_snapshot_is_refused(self, exported: Store, run: Run, format: str, folder: Path) -> None:
        make_store(folder / "lineage", AFTER)
        assert export(run, format, place="other").code == 0
        done = export(run, format, "--as-of", exported.names()[0], place="other")
        assert (done.code, "in order of time" in done.err) == (2, True)

    def test_an_export_that_fails_is_repaired_by_the_next(
        self, exported: Store, run: Run, format: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        make_store(Path("lineage"), AFTER)
        first, second = exported.names()
        with monkeypatch.context() as patch:
            patch.setattr(rows.SnapshotRows, "_processes", _fail)
            done = export(run, format)
        assert (done.code, "not complete there, run the export again" in done.err) == (2, True), done.err
        assert "processes cannot be read from the store: the disk is full" in done.err
        assert len(done.err.splitlines()) == 1
        assert {name for name, _ in versions(by_library(format, "lake", "snapshots"))} == {first}
        assert "net" in by_library(format, "lake", "relations").column("source_column").to_pylist()
        assert export(run, format).code == 0
        assert {name for name, _ in versions(by_library(format, "lake", "snapshots"))} == {first, second}
        check_whole(format, Path("lake"), Path("lineage"))


def _fail(self: object, part: pa.RecordBatch) -> list[pa.Array]:
    raise OSError("the disk is full")


def content_of(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def commits(format: str, place: str, table: str) -> Iterator[str]:
    """The snapshots that the commits of a table name."""
    if format == "delta":
        from deltalake import DeltaTable

        return (each[FACT] for each in DeltaTable(f"{place}/{table}").history() if FACT in each)
    from pyiceberg.table import StaticTable

    found = StaticTable.from_metadata(f"{place}/{table}").snapshots()
    return (each.summary[FACT] or "" for each in found if each.summary is not None)


class TestQueries:
    """The queries of the page, in DuckDB, give what the graph of the store gives."""

    def test_there_are_five(self, store: Store) -> None:
        assert {*queries()} == {*answers_of(open_graph("lineage")), "What changed between two versions"}
        assert len(queries()) == 5

    @pytest.mark.parametrize(
        ("query", "some"),
        [
            ("All sources of a column", {("scratch", "total", 1), ("raw.orders", "amount", 2)}),
            ("What a table feeds", {("table", "crm.customers"), ("view", "marts.contacts")}),
            (
                "Columns that personal data reaches",
                {("crm.customers", "email", False), ("marts.contacts", "contact_key", True)},
            ),
            ("Columns that nothing reads", {("crm.customers", "id"), ("raw.orders", "note")}),
        ],
    )
    def test_it_is_the_answer_of_the_graph(
        self, exported: Store, format: str, query: str, some: set[tuple[Any, ...]]
    ) -> None:
        found = answer(in_duckdb(format, Path("lake")), queries()[query])
        assert found == answers_of(open_graph("lineage"))[query]
        assert some <= {*found}

    def test_what_changed_between_two_versions(self, changed: Store, format: str) -> None:
        known = versions(by_library(format, "lake", "snapshots"))
        ask = in_duckdb(format, Path("lake"), known[changed.names()[0], "relations"])
        assert answer(ask, queries()["What changed between two versions"]) == [
            ("added", "raw.orders", "net", "scratch", "total", "fdd"),
            ("removed", "raw.orders", "amount", "scratch", "total", "fdd"),
        ]


class TestObjectStores:
    def test_tables_are_written_to_s3(self, store: Store, run: Run, format: str, bucket: str, s3_server: str) -> None:
        place = f"{bucket}/lineage"
        assert export(run, format, place=place).code == 0
        make_store(Path("lineage"), AFTER)
        assert export(run, format, place=place).code == 0
        assert "nothing was written" in export(run, format, place=place).err
        settings = (
            {"aws_endpoint": s3_server, "allow_http": "true"} if format == "delta" else {"s3.endpoint": s3_server}
        )
        known = versions(by_library(format, place, "snapshots", **settings))
        for name in store.names():
            found = by_library(format, place, "relations", known[name, "relations"], **settings)
            assert found.num_rows == counts(Path("lineage"), name)["relations"]

    def test_a_bucket_that_does_not_exist_is_one_line(self, store: Store, run: Run, format: str, bucket: str) -> None:
        done = export(run, format, place="s3://there-is-none/lineage")
        assert (done.code, len(done.err.splitlines())) == (2, 1), done.err
        assert "s3://there-is-none" in done.err
        assert "secret" not in done.err

    def test_a_password_in_a_uri_is_refused(self, store: Store, run: Run, format: str) -> None:
        done = export(run, format, place="s3://me:hidden@bucket/lineage")
        assert (done.code, "password" in done.err, "hidden" in done.err) == (2, True, False)


class TestCatalog:
    @pytest.mark.slow
    def test_tables_are_written_to_a_catalog(self, store: Store, folder: Path) -> None:
        from pyiceberg.catalog import load_catalog

        settings = {"URI": f"sqlite:///{folder}/catalog.db", "WAREHOUSE": f"file://{folder}/warehouse"}
        assert "holds the snapshot" in self._export(settings)
        make_store(Path("lineage"), AFTER)
        assert "holds the snapshot" in self._export(settings)
        assert "nothing was written" in self._export(settings)
        with load_catalog("shop", **{name.lower(): value for name, value in settings.items()}) as found:
            assert {name for _, name in found.list_tables("governance")} == set(TABLES)
            relations = found.load_table("governance.relations")
            assert len(relations.snapshots()) == 2
            assert relations.scan().to_arrow().num_rows == counts(Path("lineage"))["relations"]

    def _export(self, settings: dict[str, str]) -> str:
        """Export in a process of its own, because pyiceberg reads its settings only once; gives what was said."""
        env = environment(**{f"PYICEBERG_CATALOG__SHOP__{name}": value for name, value in settings.items()})
        command = [sys.executable, "-m", "headwater", "export", "lineage", "--format", "iceberg"]
        done = subprocess.run(
            [*command, "--to", "iceberg://shop/governance"], env=env, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stderr

    @pytest.mark.parametrize("place", ["iceberg://shop", "iceberg:///lineage", "iceberg://shop/a/b"])
    def test_a_catalog_has_a_namespace(self, store: Store, run: Run, place: str) -> None:
        done = run("export", "lineage", "--format", "iceberg", "--to", place)
        assert (done.code, "iceberg://CATALOG/NAMESPACE" in done.err) == (2, True)

    def test_a_catalog_that_is_not_configured_is_one_line(self, store: Store, run: Run) -> None:
        done = run("export", "lineage", "--format", "iceberg", "--to", "iceberg://nowhere/lineage")
        assert (done.code, "PYICEBERG_CATALOG__NOWHERE__URI" in done.err) == (2, True)


class TestRefusals:
    def test_scripts_are_refused(self, folder: Path, run: Run, format: str) -> None:
        Path("a.sql").write_text("SELECT 1")
        done = run("export", "a.sql", "--format", format, "-o", "lake")
        assert (done.code, "headwater build" in done.err, Path("lake").exists()) == (2, True, False)

    @pytest.mark.parametrize("option", [("--focus", "raw.orders"), ("--no-impact",), ("--level", "table")])
    def test_a_part_of_a_store_is_refused(self, store: Store, run: Run, format: str, option: tuple[str, ...]) -> None:
        assert (export(run, format, *option).code, Path("lake").exists()) == (2, False)

    def test_there_must_be_a_place(self, store: Store, run: Run, format: str) -> None:
        done = run("export", "lineage", "--format", format)
        assert (done.code, "-o" in done.err) == (2, True)

    @pytest.mark.parametrize("place", ["lineage", "./lineage", "file.txt"])
    def test_a_store_or_file_is_no_place(self, store: Store, run: Run, format: str, place: str) -> None:
        Path("file.txt").write_text("")
        before = content_of(Path("lineage"))
        assert export(run, format, place=place).code == 2
        assert content_of(Path("lineage")) == before

    def test_a_scheme_that_cannot_be_written_is_refused(self, store: Store, run: Run) -> None:
        done = export(run, "delta", place="ftp://host/lineage")
        assert (done.code, "s3://, gs:// or abfss://" in done.err) == (2, True)

    def test_a_foreign_table_is_refused(self, store: Store, run: Run, format: str) -> None:
        _foreign(format, Path("lake").absolute())
        before = content_of(Path("lake"))
        done = export(run, format)
        assert (done.code, "a table tags with other columns (colour, " in done.err) == (2, True), done.err
        assert content_of(Path("lake")) == before

    def test_two_exports_at_once_do_not_mix(self, exported: Store, format: str) -> None:
        """The second writer comes while the first one is writing."""
        lake, other = open_lake(format, "lake"), open_lake(format, "lake")
        kept = by_library(format, "lake", "tags")

        def interrupted() -> Iterator[pa.RecordBatch]:
            with ThreadPoolExecutor(1) as pool:
                pool.submit(_replace, other, kept).result()
            yield from kept.to_batches()

        with pytest.raises(ExportError, match="another program changed the table meanwhile"):
            lake.replace(TAGS, pa.RecordBatchReader.from_batches(TAGS.schema, interrupted()), {FACT: "mine"})
        assert by_library(format, "lake", "tags").num_rows == kept.num_rows == 1

    @pytest.mark.parametrize(("format", "library"), [("delta", "deltalake"), ("iceberg", "pyiceberg")])
    def test_the_error_names_the_extra(self, monkeypatch: pytest.MonkeyPatch, format: str, library: str) -> None:
        for name in [name for name in sys.modules if name.startswith((library, f"headwater.lakehouse.{format}_"))]:
            monkeypatch.delitem(sys.modules, name)
        monkeypatch.setitem(sys.modules, library, None)
        with pytest.raises(ExportError, match=rf"pip install 'headwater\[{format}\]'"):
            open_lake(format, "lake")


def _replace(lake: Lake, table: pa.Table) -> None:
    lake.replace(TAGS, table.cast(TAGS.schema).to_reader(), {FACT: "other"})


def _foreign(format: str, place: Path) -> None:
    """A table that somebody else made, under one of our names."""
    content = pa.table({"colour": ["red"]})
    if format == "delta":
        from deltalake import write_deltalake

        write_deltalake(str(place / "tags"), content)
        return
    from pyiceberg.schema import Schema
    from pyiceberg.types import NestedField, StringType

    from headwater.lakehouse.iceberg_folder import FolderCatalog

    FolderCatalog(str(place)).create_table("tags", Schema(NestedField(1, "colour", StringType(), required=False)))


def test_rows_are_written_in_parts(
    store: Store, run: Run, format: str, monkeypatch: pytest.MonkeyPatch, folder: Path
) -> None:
    """Small batches and files: the result is the same, and rows are not gathered before they are written."""
    monkeypatch.setattr(rows, "ROWS_PER_BATCH", 2)
    monkeypatch.setattr(iceberg_lake, "_BYTES_PER_FILE", 1)
    assert export(run, format).code == 0
    check_whole(format, Path("lake"), Path("lineage"))
    if format == "iceberg":
        assert len(list(Path("lake/relations/data").iterdir())) == -(-counts(Path("lineage"))["relations"] // 2)


def test_the_page_says_which_tables_there_are() -> None:
    page = PAGE.read_text("utf-8")
    missing = ["\n".join(lines) for table in ALL if "\n".join(lines := list(table_lines(table))) not in page]
    assert missing == []
    assert tuple(table.name for table in ALL) == TABLES
    assert SNAPSHOTS is ALL[-1]
