"""Qualified names: as the model reference writes them, and never the same for two things."""

from __future__ import annotations

import pytest

import headwater
from hand_made_feed import HOSTILE, HandMadeFeed
from headwater.export.feed import Feed
from headwater.export.format import ExportError
from headwater.export.qualified_names import LONGEST, QualifiedNames
from headwater.export.script_feed import ScriptFeed


def names_of(feed: Feed, cluster: str | None = None) -> list[str]:
    names = QualifiedNames(feed, cluster)
    process = next(feed.processes())
    found = [names.entity(entity, process) for entity in feed.entities()]
    return [name for named in found for name in (named.name, *named.columns.values())]


def of(dialect: str, *scripts: str) -> list[str]:
    return names_of(ScriptFeed([headwater.analyze(sql, dialect=dialect) for sql in scripts]))


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("hive", "INSERT INTO t SELECT columnB FROM sampledb.tableA", "sampledb.tableA.columnB@primary"),
        ("hive", "INSERT INTO t SELECT a FROM u", "default.t.a@primary"),
        ("hive", "INSERT INTO t SELECT a FROM SampleDb.u", "sampledb.u@primary"),
        ("tsql", "SELECT e.Id FROM HumanResources.Employee e", "default.HumanResources.Employee.Id@sqlserver"),
        ("tsql", "SELECT Id FROM Employee", "default.dbo.Employee@sqlserver"),
        ("tsql", "SELECT Id FROM [we.ird]", 'default.dbo."we.ird".Id@sqlserver'),
        ("tsql", "SELECT Id FROM server.Sales.dbo.T", "server.sales.dbo.T.Id@sqlserver"),
        ("oracle", "SELECT sal FROM scott.emp", "default.scott.emp.sal@oracle"),
        ("oracle", 'SELECT sal FROM "scott".emp', 'default."scott".emp.sal@oracle'),
        ("bigquery", "SELECT a FROM `my-project.ds.T`", "my-project.ds.T.a@bigquery"),
        ("spark", "SELECT a FROM cat.db.t", "cat.db.t.a@sparksql"),
        ("snowflake", "COPY INTO t FROM @db.s.stage", 'DB.s."@stage"@snowflake'),
        (
            "hive",
            "INSERT OVERWRITE LOCAL DIRECTORY '/data/x.d' SELECT a FROM t",
            "/data/x.d.a@primary",
        ),
    ],
)
def test_a_name_is_written_as_the_model_reference_does(dialect: str, sql: str, expected: str) -> None:
    assert expected in of(dialect, sql)


def test_a_cluster_is_chosen() -> None:
    feed = HandMadeFeed(["a", "b"])
    assert "default.default.a.a@east" in names_of(feed, "east")


@pytest.mark.parametrize("cluster", ["a@b", "x" * 101])
def test_a_cluster_that_names_cannot_end_in_is_refused(cluster: str) -> None:
    with pytest.raises(ExportError, match="cluster"):
        QualifiedNames(HandMadeFeed(["a", "b"]), cluster)


def test_quotes_tell_two_tables_of_one_spelling_apart() -> None:
    found = of("snowflake", 'INSERT INTO Emp SELECT a FROM "Emp"')
    assert {"default.default.Emp@snowflake", 'default.default."Emp"@snowflake'} <= set(found)


def test_columns_of_one_name_are_numbered() -> None:
    found = of("tsql", "SELECT a, a FROM t")
    assert [name.partition(".result")[2] for name in found if ".result." in name][-2:] == [
        ".a@sqlserver",
        ".a#2@sqlserver",
    ]


def test_a_temporary_table_belongs_to_its_script() -> None:
    scripts = [
        headwater.analyze(f"CREATE TEMP TABLE x AS SELECT a FROM t{i}", dialect="postgres", path=f"{i}.sql")
        for i in (1, 2)
    ]
    found = names_of(ScriptFeed(scripts))
    assert {'default."1.sql".x@postgresql', 'default."2.sql".x@postgresql'} <= set(found)


def test_a_temporary_table_that_a_procedure_keeps_to_itself_belongs_to_that() -> None:
    procedures = [f"CREATE PROCEDURE p{i} AS SELECT a INTO #x FROM t{i}\nGO\n" for i in (1, 2)]
    script = headwater.analyze("".join(procedures), dialect="tsql", path="x.sql")
    found = [
        name for name in names_of(ScriptFeed([script])) if "#x" in name and not name.partition("#x")[2].startswith(".")
    ]
    assert sorted(found) == ['default."x.sql p1".#x@sqlserver', 'default."x.sql p2".#x@sqlserver']


PACKAGE = """CREATE PACKAGE BODY {name} AS
  PROCEDURE run IS
    PROCEDURE inner_step IS BEGIN DELETE FROM dw.old; END inner_step;
  BEGIN
    UPDATE dw.orders SET amount = 0;
  END run;
END pkg;
/
"""


@pytest.mark.parametrize(
    ("dialect", "sql", "expected"),
    [
        ("oracle", PACKAGE.format(name="etl.pkg"), {"UPDATE": "etl.pkg.run", "DELETE": "etl.pkg.run.inner_step"}),
        ("oracle", PACKAGE.format(name="pkg"), {"UPDATE": "default.pkg.run", "DELETE": "default.pkg.run.inner_step"}),
        ("oracle", "CREATE PROCEDURE etl.p IS BEGIN DELETE FROM t; END;", {"DELETE": "etl.p"}),
        ("tsql", "CREATE PROCEDURE p AS DELETE FROM t", {"DELETE": "dbo.p"}),
    ],
)
def test_a_routine_in_a_package_is_below_the_packages_schema(dialect: str, sql: str, expected: dict[str, str]) -> None:
    feed = ScriptFeed([headwater.analyze(sql, dialect=dialect)])
    names = QualifiedNames(feed, "east")
    found = {each.text.split()[0]: each for each in feed.processes() if names.procedure(each.procedure)}
    assert {word: (names.procedure(each.procedure) or "").lower() for word, each in found.items()} == {
        word: f"default.{name}@east" for word, name in expected.items()
    }
    assert {names.procedure_database(each.procedure) for each in found.values()} == {"default"}


def test_a_database_that_a_procedures_name_says_is_its_database() -> None:
    feed = ScriptFeed([headwater.analyze("CREATE PROCEDURE Sales.dbo.p AS DELETE FROM t", dialect="tsql")])
    names = QualifiedNames(feed, "east")
    assert {
        names.procedure_database(each.procedure).lower() for each in feed.processes() if names.procedure(each.procedure)
    } == {"sales"}


def test_hostile_names_stay_different_writable_and_short() -> None:
    found = names_of(HandMadeFeed(HOSTILE))
    assert len(set(found)) == len(found) == 2 * len(HOSTILE)
    for name in found:
        assert len(name) <= LONGEST
        assert "\0" not in name
        assert name.encode("utf-8")
        assert name.endswith("@postgresql")
