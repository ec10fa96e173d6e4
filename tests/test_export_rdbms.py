"""Lineage in a database: in SQLite and in a real PostgreSQL."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Engine, create_engine, inspect, text
from sqlalchemy.pool import NullPool

from export_samples import feed_of, sample_feed, small_store_feed
from hand_made_feed import HOSTILE, HandMadeFeed
from headwater.export.feed import Feed
from headwater.export.format import Choices, ExportError
from headwater.export.rdbms import FORMAT, send, upsert
from headwater.export.records import Process, Relation

pytestmark = pytest.mark.slow  # a PostgreSQL server is started

TABLES = (
    "sqlflow_dbobjects",
    "sqlflow_columns",
    "headwater_objects",
    "headwater_columns",
    "headwater_relations",
    "headwater_table_relations",
)
_numbers = itertools.count()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """An empty database."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'lineage.db'}"
    server = request.getfixturevalue("postgres")
    name = f"lineage_{next(_numbers)}"
    server.psql(f"CREATE SCHEMA {name};")
    return f"{server.get_uri()}&options=-csearch_path%3D{name}"


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'lineage.db'}"


@pytest.fixture(scope="module")
def warehouse() -> Feed:
    return sample_feed()


def engine_of(url: str) -> Engine:
    return create_engine(url, poolclass=NullPool)


def rows(url: str, query: str) -> list[tuple[Any, ...]]:
    engine = engine_of(url)
    with engine.connect() as connection:
        return [tuple(row) for row in connection.execute(text(query))]


def run(url: str, statement: str) -> None:
    with engine_of(url).begin() as connection:
        connection.execute(text(statement))


def content(url: str) -> dict[str, list[tuple[Any, ...]]]:
    """All rows, without the number of the export."""
    found = {}
    for table in TABLES:
        columns = [c["name"] for c in inspect(engine_of(url)).get_columns(table) if c["name"] != "seen"]
        listed = ", ".join(f'"{name}"' for name in columns)
        found[table] = sorted(rows(url, f"SELECT {listed} FROM {table}"), key=repr)
    return found


def counts(url: str) -> dict[str, int]:
    return {table: rows(url, f"SELECT count(*) FROM {table}")[0][0] for table in TABLES}


SEED = {
    **{name: str(101 + n) for n, name in enumerate(["bigquery", "couchbase", "dax", "db2", "exasol", "greenplum"])},
    "hana": "107",
    "hive": "108",
    "impala": "109",
    "informix": "121",
    "mdx": "122",
    "mysql": "123",
    **{
        name: str(124 + n) for n, name in enumerate(["netezza", "odbc", "openedge", "oracle", "postgresql", "redshift"])
    },
}
"""The guids of the model reference, up to where it repeats itself."""


def test_the_model_references_own_example(url: str) -> None:
    send(feed_of("INSERT INTO sampledb.tableA SELECT columnB FROM sampledb.other"), url, Choices())
    guids = {(type_, name): (guid, parent) for guid, parent, name, type_ in objects(url)}
    assert {name: guids["sqldialect", name] for name in SEED} == {name: (guid, "1") for name, guid in SEED.items()}
    assert {"snowflake", "sparksql", "sqlserver", "sybase", "teradata", "vertica"} <= {name for _, name in guids}
    cluster, dialect = guids["cluster", "primary"]
    assert dialect == "108"
    database, above = guids["database", "sampledb@primary"]
    assert above == cluster
    table, above = guids["table", "sampledb.tableA@primary"]
    assert above == database
    assert rows(url, f"SELECT qualified_name FROM sqlflow_columns WHERE parent_id = '{table}' ORDER BY 1") == [
        ("sampledb.tableA.PseudoRows@primary",),
        ("sampledb.tableA.columnB@primary",),
    ]
    names = [c["name"] for c in inspect(engine_of(url)).get_columns("sqlflow_dbobjects")]
    assert names == ["guid", "parent_id", "qualified_name", "object_type", "ddl", "ddl_hashId", "comment"]
    names = [c["name"] for c in inspect(engine_of(url)).get_columns("sqlflow_columns")]
    assert names == ["guid", "parent_id", "qualified_name", "comment"]


def objects(url: str) -> list[tuple[Any, ...]]:
    return rows(url, "SELECT guid, parent_id, qualified_name, object_type FROM sqlflow_dbobjects")


def test_the_warehouse_written_twice_counts_once(url: str, warehouse: Feed) -> None:
    said = send(warehouse, url, Choices())
    first, how_many = content(url), counts(url)
    assert send(warehouse, url, Choices()) == said
    assert counts(url) == how_many
    assert content(url) == first
    assert rows(url, "SELECT cluster, number, format_version FROM headwater_exports") == [("sparksql", 2, "1")]
    assert "earlier" not in said
    pairs = {
        (process.id, relation.target.column, relation.type, relation.expression, source.end.column, source.kind)
        for process, relations in warehouse.statements()
        for relation in relations
        for source in relation.sources
    }
    assert how_many["headwater_relations"] == len(pairs)
    assert how_many["headwater_table_relations"] == sum(1 for _ in warehouse.table_relations())
    assert len({guid for guid, *_ in objects(url)}) == how_many["sqlflow_dbobjects"]


def test_everything_hangs_together(url: str, warehouse: Feed) -> None:
    send(warehouse, url, Choices())
    types = {guid: type_ for guid, _, _, type_ in objects(url)}
    above = {"cluster": {"sqldialect"}, "database": {"cluster"}, "process": {"database"}, "path": {"cluster"}}
    for _, parent, _, type_ in objects(url):
        if type_ == "sqldialect":
            assert parent == "1"
        else:
            assert types[parent] in above.get(type_, {"database", "process"}), type_
    columns = {guid for (guid,) in rows(url, "SELECT guid FROM sqlflow_columns")}
    for source, target, process in rows(url, "SELECT source_guid, target_guid, process_guid FROM headwater_relations"):
        assert {source, target} <= columns
        assert types[process] == "process"
    ends = rows(url, "SELECT source_guid, target_guid, process_guid FROM headwater_table_relations")
    assert ends
    assert {guid for row in ends for guid in row} <= types.keys()
    assert {parent for (parent,) in rows(url, "SELECT parent_id FROM sqlflow_columns")} <= types.keys()


def test_a_relation_and_its_statement_can_be_asked_for(url: str) -> None:
    sql = "CREATE VIEW db.v AS SELECT md5(a) AS b FROM db.t WHERE c > 1"
    send(feed_of(sql), url, Choices(cluster="east"))
    found = rows(
        url,
        """SELECT s.qualified_name, t.qualified_name, r.type, r.subtype, r.clause, r.effect, r.masking, r.candidate, r.expression
           FROM headwater_relations r
           JOIN sqlflow_columns s ON s.guid = r.source_guid JOIN sqlflow_columns t ON t.guid = r.target_guid""",
    )
    masked = ("db.t.a@east", "db.v.b@east", "fdd", "TRANSFORMATION", "select", "create_view", True, False, "md5(a)")
    assert masked in found
    assert ("db.t.c@east", "db.v.PseudoRows@east", "fdr", "FILTER", "where") in [row[:5] for row in found]
    ((ddl, hash_),) = rows(url, "SELECT ddl, \"ddl_hashId\" FROM sqlflow_dbobjects WHERE object_type = 'view'")
    assert ddl == sql
    assert rows(url, "SELECT qualified_name, ddl FROM sqlflow_dbobjects WHERE object_type = 'process'") == [
        (f"default.batchQueries.{hash_}@east", sql)
    ]


def test_the_table_level_has_no_column_relations(sqlite: str) -> None:
    send(feed_of("INSERT INTO db.u SELECT a FROM db.t; SELECT b FROM db.t", level="table"), sqlite, Choices())
    assert counts(sqlite)["headwater_relations"] == 0
    assert rows(
        sqlite,
        """SELECT s.qualified_name, t.object_type FROM headwater_table_relations r
           JOIN sqlflow_dbobjects s ON s.guid = r.source_guid JOIN sqlflow_dbobjects t ON t.guid = r.target_guid ORDER BY 2""",
    ) == [("db.t@primary", "resultset"), ("db.t@primary", "table")]
    assert FORMAT.write is None


def test_what_is_gone_is_kept_and_said_until_it_is_pruned(url: str) -> None:
    send(feed_of("INSERT INTO db.u SELECT a FROM db.t; INSERT INTO db.w SELECT a FROM db.u"), url, Choices())
    elsewhere = feed_of("INSERT INTO db.u SELECT a FROM db.gone")
    send(elsewhere, url, Choices(cluster="west"))
    run(url, "UPDATE sqlflow_dbobjects SET comment = 'by hand' WHERE qualified_name = 'db.u@primary'")
    now = feed_of("INSERT INTO db.u SELECT a FROM db.t")
    before = counts(url)
    said = send(now, url, Choices())
    assert "kept, of earlier exports: 2 objects, 2 columns, 2 column relations, 1 table relations" in said
    assert counts(url) == before
    said = send(now, url, Choices(prune=True))
    assert "deleted, of earlier exports: 2 objects" in said
    left = {name for _, _, name, type_ in objects(url) if type_ == "table"}
    assert left == {"db.t@primary", "db.u@primary", "db.gone@west", "db.u@west"}
    assert rows(url, "SELECT comment FROM sqlflow_dbobjects WHERE qualified_name = 'db.u@primary'") == [("by hand",)]
    assert "earlier" not in send(elsewhere, url, Choices(cluster="west"))


def test_a_cluster_that_is_there_keeps_its_guid(url: str) -> None:
    send(feed_of("SELECT 1"), url, Choices(cluster="other"))
    values = "('1001', '108', 'cluster', 'primary')"
    run(url, f"INSERT INTO sqlflow_dbobjects (guid, parent_id, object_type, qualified_name) VALUES {values}")
    send(feed_of("INSERT INTO db.u SELECT a FROM db.t"), url, Choices())
    found = {name: (guid, parent) for guid, parent, name, _ in objects(url)}
    assert found["primary"] == ("1001", "108")
    assert found["db@primary"][1] == "1001"


def test_hostile_names_are_stored_as_they_are(url: str) -> None:
    feed = HandMadeFeed(HOSTILE)
    send(feed, url, Choices())
    send(feed, url, Choices())
    found = {name for (name,) in rows(url, "SELECT name FROM headwater_objects WHERE kind = 'table'")}
    assert found == {name.replace("\0", "\ufffd").replace("\udcff", "\ufffd") for name in HOSTILE}
    assert counts(url)["headwater_relations"] == len(HOSTILE) - 1
    assert counts(url)["sqlflow_columns"] == len(HOSTILE)


THREE = feed_of("INSERT INTO db.u SELECT a, b FROM db.t; INSERT INTO db.w SELECT a FROM db.u; SELECT * FROM db.w")


@pytest.mark.parametrize("batch", [1, 7])
def test_batches_make_no_difference(sqlite: str, monkeypatch: pytest.MonkeyPatch, batch: int) -> None:
    send(THREE, sqlite, Choices())
    whole = content(sqlite)
    monkeypatch.setattr(upsert, "BATCH", batch)
    send(THREE, f"{sqlite}.parts", Choices())
    assert content(f"{sqlite}.parts") == whole


def test_a_database_without_on_conflict_gets_the_same(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    send(THREE, sqlite, Choices())
    monkeypatch.setattr(upsert, "_WITH_CONFLICTS", {})
    for _ in range(2):
        send(THREE, f"{sqlite}.plain", Choices())
        assert content(f"{sqlite}.plain") == content(sqlite)


def test_a_store_is_written_as_its_scripts_are(tmp_path: Path, sqlite: str) -> None:
    feed = small_store_feed(tmp_path / "store")
    said = send(feed, sqlite, Choices(cluster="east"))
    assert send(feed, sqlite, Choices(cluster="east")) == said
    found = rows(
        sqlite,
        """SELECT s.qualified_name, t.qualified_name, r.subtype FROM headwater_relations r
           JOIN sqlflow_columns s ON s.guid = r.source_guid JOIN sqlflow_columns t ON t.guid = r.target_guid""",
    )
    assert ("db.t.a@east", "db.u.b@east", "TRANSFORMATION") in [
        tuple(part.replace("default.", "") for part in r) for r in found
    ]
    assert len(found) == 4


class Breaking(HandMadeFeed):
    """Fails when half of it is told."""

    def statements(self) -> Iterator[tuple[Process, list[Relation]]]:
        yield next(super().statements())
        raise RuntimeError("the store is gone")


def test_all_or_nothing(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    send(HandMadeFeed(["a", "b"]), url, Choices())
    before = content(url)
    monkeypatch.setattr(upsert, "BATCH", 1)
    with pytest.raises(RuntimeError):
        send(Breaking(["c", "d", "e"]), url, Choices())
    assert content(url) == before
    assert rows(url, "SELECT number FROM headwater_exports") == [(1,)]


SECRET = "s3cr3t%2Fpw"


@pytest.mark.parametrize(
    ("url", "words"),
    [
        ("no url", "not a database URL"),
        (f"postgresql://u:{SECRET}@h:port/db", "not a database URL"),
        (f"nothing://u:{SECRET}@h/db", "dialect"),
        (f"mysql+asyncmy://u:{SECRET}@h/db", "pip install asyncmy"),
        (f"postgresql://u:{SECRET}@127.0.0.1:1/db", "127.0.0.1"),
        ("sqlite:////nowhere/at/all.db", "unable to open"),
    ],
)
def test_what_cannot_be_reached_is_said_in_one_line(url: str, words: str) -> None:
    with pytest.raises(ExportError, match=words) as caught:
        send(HandMadeFeed(["a", "b"]), url, Choices())
    said = str(caught.value)
    assert "\n" not in said
    assert "s3cr3t" not in said
    assert caught.value.__cause__ is None


def test_a_database_that_may_not_be_written_is_said(sqlite: str, postgres: Any) -> None:
    send(HandMadeFeed(["a", "b"]), sqlite, Choices())
    path = sqlite.removeprefix("sqlite:///")
    with pytest.raises(ExportError, match="readonly"):
        send(HandMadeFeed(["a", "b"]), f"sqlite:///file:{path}?mode=ro&uri=true", Choices())
    postgres.psql("CREATE ROLE reader LOGIN PASSWORD 's3cr3t'; REVOKE CREATE ON SCHEMA public FROM PUBLIC;")
    uri = postgres.get_uri().replace("postgres:@", "reader:s3cr3t@")
    assert "reader" in uri
    with pytest.raises(ExportError, match="permission denied") as caught:
        send(HandMadeFeed(["a", "b"]), uri, Choices())
    assert "s3cr3t" not in str(caught.value)


def test_a_full_disk_is_said(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from sqlalchemy import event

    def limit(connection: Any, record: Any) -> None:
        connection.execute("PRAGMA max_page_count = 40")

    event.listen(Engine, "connect", limit)
    try:
        with pytest.raises(ExportError, match="full"):
            send(HandMadeFeed([f"table {n} {'x' * 300}" for n in range(500)]), sqlite, Choices())
    finally:
        event.remove(Engine, "connect", limit)


DECLARED = """
CREATE TABLE s.t (a int COMMENT 'the key', b int) COMMENT 'all of them';
CREATE VIEW s.v COMMENT 'some' AS SELECT a FROM s.t;
COMMENT ON TABLE s.v IS 'a few';
INSERT INTO s.t SELECT 1, 2;
INSERT INTO s.unknown SELECT a FROM s.t;
"""


def test_a_declared_table_has_its_statement_and_comments(sqlite: str) -> None:
    """Nothing flows in a CREATE TABLE, and still it is what defines the table."""
    send(feed_of(DECLARED, "spark"), sqlite, Choices())
    found = {
        name: (ddl, comment)
        for name, ddl, comment in rows(
            sqlite, "SELECT qualified_name, ddl, comment FROM sqlflow_dbobjects WHERE object_type IN ('table', 'view')"
        )
    }
    statements = [each.strip() for each in DECLARED.split(";")]
    assert found == {
        "s.t@sparksql": (statements[0], "all of them"),
        "s.v@sparksql": (statements[1], "a few"),
        "s.unknown@sparksql": (None, None),
    }
    hashes = rows(sqlite, 'SELECT ddl, "ddl_hashId" FROM sqlflow_dbobjects WHERE ddl IS NOT NULL')
    assert all(hash for _, hash in hashes)
    assert rows(sqlite, "SELECT qualified_name, comment FROM sqlflow_columns WHERE comment IS NOT NULL") == [
        ("s.t.a@sparksql", "the key")
    ]


def test_a_comment_that_people_have_written_stays(sqlite: str) -> None:
    send(feed_of(DECLARED, "spark"), sqlite, Choices())
    with engine_of(sqlite).begin() as connection:
        connection.exec_driver_sql("UPDATE sqlflow_dbobjects SET comment = 'mine' WHERE object_type = 'view'")
    send(feed_of(DECLARED, "spark"), sqlite, Choices())
    assert rows(sqlite, "SELECT comment FROM sqlflow_dbobjects WHERE object_type = 'view'") == [("mine",)]


def test_routines_have_their_types_and_statements(sqlite: str) -> None:
    sql = """CREATE PROCEDURE dbo.p @a int AS INSERT INTO dbo.o SELECT @a;
GO
CREATE FUNCTION dbo.f (@a int) RETURNS int AS BEGIN DECLARE @b int; SELECT @b = max(x) FROM dbo.t; RETURN @b; END;
GO
CREATE FUNCTION dbo.g (@a int) RETURNS TABLE AS RETURN (SELECT x FROM dbo.t WHERE x > @a);
GO
CREATE TRIGGER dbo.tr ON dbo.t AFTER INSERT AS INSERT INTO dbo.log SELECT x FROM inserted;
"""
    send(feed_of(sql, "tsql"), sqlite, Choices())
    query = "SELECT object_type, qualified_name, ddl FROM sqlflow_dbobjects WHERE object_type IN ('procedure', 'function', 'trigger')"
    found = {(type, name): ddl for type, name, ddl in rows(sqlite, query)}
    assert found.keys() == {
        ("procedure", "default.dbo.p@sqlserver"),
        ("function", "default.dbo.f@sqlserver"),
        ("function", "default.dbo.g@sqlserver"),
        ("trigger", "default.dbo.tr@sqlserver"),
    }
    assert all(ddl.startswith(f"CREATE {type.upper()} dbo.") for (type, _), ddl in found.items())
    pairs = "SELECT p.object_type FROM sqlflow_dbobjects o JOIN sqlflow_dbobjects p ON p.guid = o.parent_id"
    assert {type for (type,) in rows(sqlite, f"{pairs} WHERE o.object_type = 'process'")} == {
        "database",
        "procedure",
        "function",
        "trigger",
    }


def test_a_secret_in_a_comment_is_hidden(sqlite: str) -> None:
    sql = "CREATE TABLE t (a int COMMENT 'password=hunter2') COMMENT 'plain'"
    send(feed_of(sql, "spark"), sqlite, Choices())
    said = repr(rows(sqlite, "SELECT comment FROM sqlflow_columns")) + repr(
        rows(sqlite, "SELECT ddl FROM sqlflow_dbobjects")
    )
    assert "hunter2" not in said
