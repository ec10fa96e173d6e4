"""Procedures, variables and conditions in exports: a variable is one thing in all statements of its program, in every format."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from sqlalchemy import create_engine, text

import headwater
from headwater.export import BINARY, MODULES, format_named
from headwater.export.feed import LEVELS, Feed, Level, Scope
from headwater.export.focus import Focus, FocusFeed
from headwater.export.format import Choices, Output
from headwater.export.picture.looks import word
from headwater.export.records import Entity
from headwater.export.script_feed import ScriptFeed
from headwater.feeds import StoreFeed
from headwater.graph import open_graph

XSD = etree.XMLSchema(etree.parse(str(Path(headwater.__file__).parent / "export" / "sqlflow" / "dlineage.xsd")))

TSQL = """\
CREATE TABLE dbo.src (a int, b int, c int);
GO
CREATE PROCEDURE dbo.Load_Dst @from int, @n int OUTPUT AS
BEGIN
  DECLARE @v int;
  SELECT @v = max(a) FROM dbo.src WHERE b > @from;
  SET @v = @v + 1;
  IF @v > 0
    INSERT INTO dbo.dst (x, y) SELECT @v, c FROM dbo.src;
  SET @n = @v;
END
GO
CREATE PROCEDURE dbo.log_it AS
BEGIN
  DECLARE @v int;
  SELECT @v = b FROM dbo.src;
  INSERT INTO dbo.log (n) VALUES (@v);
END
GO
CREATE PROCEDURE dbo.log_again AS
BEGIN
  DECLARE @v int;
  SELECT @v = c FROM dbo.src;
  INSERT INTO dbo.log (n) VALUES (@v);
END
GO
DECLARE @r int;
SELECT @r = a FROM dbo.src;
UPDATE dbo.dst SET x = @r;
GO
DECLARE @r int;
SELECT @r = b FROM dbo.src;
UPDATE dbo.dst SET y = @r;
"""

ORACLE = """\
CREATE OR REPLACE PACKAGE BODY etl.pkg AS
  PROCEDURE run(p_day IN DATE, p_cnt IN OUT NUMBER) IS
    CURSOR c IS SELECT id, amount FROM stg.orders WHERE day = p_day;
    r c%ROWTYPE;
  BEGIN
    OPEN c;
    LOOP
      FETCH c INTO r;
      EXIT WHEN c%NOTFOUND;
      UPDATE dw.orders SET amount = r.amount WHERE id = r.id;
    END LOOP;
    CLOSE c;
    SELECT count(*) INTO p_cnt FROM dw.orders;
  END run;
  FUNCTION total RETURN NUMBER IS
    v NUMBER;
  BEGIN
    SELECT sum(amount) INTO v FROM dw.orders;
    RETURN v;
  END total;
END pkg;
/
"""

SHADOWED = """\
DECLARE
  v NUMBER;
BEGIN
  SELECT a INTO v FROM t;
  DECLARE
    v NUMBER;
  BEGIN
    SELECT b INTO v FROM t;
    UPDATE u SET y = v;
  END;
  UPDATE u SET x = v;
END;
"""

PROGRAMS = {"tsql": TSQL, "oracle": ORACLE}


def feed(sql: str, dialect: str, level: Level = "complete", **scope: Any) -> ScriptFeed:
    return ScriptFeed([headwater.analyze(sql, dialect)], Scope(level, **scope))


def written(name: str, feed: Feed, choices: Choices | None = None) -> str:
    stream = io.BytesIO()
    write = format_named(name).write
    assert write is not None
    write(feed, Output(stream), choices or Choices())
    return stream.getvalue().decode()


def inner(feed: Feed) -> Iterator[Entity]:
    return (entity for part in feed.parts() for entity in part.entities)


def variables(feed: Feed) -> list[Entity]:
    return [entity for entity in inner(feed) if entity.kind == "variable"]


def hops(feed: Feed) -> set[str]:
    """Relations by the names of their ends."""
    return {
        f"{source.end.entity_name}.{source.end.column_name} > {relation.target.entity_name}.{relation.target.column_name}"
        for relation in feed.relations()
        for source in relation.sources
    }


class TestVariables:
    def test_a_variable_is_one_entity_of_its_procedure(self) -> None:
        found = Counter(entity.name for entity in variables(feed(TSQL, "tsql")))
        assert found == {"@v": 3, "@from": 1, "@n": 1, "@r": 2, "IF-1": 1}

    def test_what_reads_and_assigns_it_says_so_of_one_column(self) -> None:
        (variable, *_) = (entity for entity in variables(feed(TSQL, "tsql")) if entity.name == "@v")
        assert [column.name for column in variable.columns] == ["@v"]
        own = [r for r in feed(TSQL, "tsql").relations() if r.target.entity == variable.id]
        assert any(source.end.column == r.target.column for r in own for source in r.sources)
        assert len({r.process for r in own}) == 2

    def test_its_places_are_those_of_all_statements(self) -> None:
        (record,) = (entity for entity in variables(feed(ORACLE, "oracle")) if entity.name == "r")
        assert [place.start.line for place in record.places] == [8, 10, 10]
        assert {column.name for column in record.columns} == {"*", "PseudoRows", "id", "amount"}

    def test_the_way_leads_through_it(self) -> None:
        found = hops(feed(ORACLE, "oracle"))
        assert {"RS-1.amount > c.amount", "r.amount > UPDATE-SET-1.amount"} <= found
        assert "stg.orders.amount > dw.orders.amount" not in found

    def test_variables_of_one_name_are_told_apart_by_their_declarations(self) -> None:
        one, other = (entity for entity in variables(feed(SHADOWED, "oracle")) if entity.name == "v")
        assert one.id != other.id
        into = {r.target.column_name: s.end.entity for r in feed(SHADOWED, "oracle").relations() for s in r.sources}
        assert (into["x"], into["y"]) != (one.id, one.id)

    def test_every_condition_is_one_of_its_own(self) -> None:
        sql = """CREATE PROCEDURE p @a int, @b int AS
        BEGIN
          IF @a = @b INSERT INTO t (x) SELECT y FROM s;
          IF @b < @a DELETE FROM t;
          WHILE @a < @b SET @a = @a + 1;
        END"""
        found = [entity for entity in variables(feed(sql, "tsql")) if entity.type == "condition"]
        assert [entity.name for entity in found] == ["IF-1", "IF-2", "WHILE-1"]
        assert [entity.places[0].start.line for entity in found] == [3, 4, 5]

    def test_rows_that_set_off_a_trigger_decide_too(self) -> None:
        sql = """CREATE TRIGGER tr AFTER INSERT ON t FOR EACH ROW
        BEGIN
          INSERT INTO log (n) VALUES (NEW.a);
        END"""
        told = feed(sql, "mysql")
        assert [procedure.kind for procedure in told.procedures()] == ["trigger"]
        assert all(" " not in entity.name for entity in variables(told) if entity.type == "condition")
        XSD.assertValid(etree.fromstring(written("sqlflow-xml", told).encode()))

    @pytest.mark.parametrize("dialect", PROGRAMS)
    def test_column_and_table_level_have_none(self, dialect: str) -> None:
        for level in ("column", "table"):
            told = feed(PROGRAMS[dialect], dialect, level)  # type: ignore[arg-type]
            assert not variables(told)
            known = {entity.id for entity in told.entities()}
            assert {end.entity for r in told.relations() for end in (r.target, *(s.end for s in r.sources))} <= known
        assert not variables(feed(PROGRAMS[dialect], dialect, intermediate=False))

    def test_a_focus_goes_through_them(self) -> None:
        told = FocusFeed(feed(TSQL, "tsql"), Focus("dbo.log.n", "upstream"))
        assert {entity.name for entity in inner(told)} >= {"@v", "INSERT-SELECT-1"}
        assert {procedure.name for procedure in told.procedures()} == {"dbo.log_it", "dbo.log_again"}


class TestSqlFlow:
    @pytest.mark.parametrize("level", LEVELS)
    @pytest.mark.parametrize("dialect", PROGRAMS)
    def test_documents_are_valid(self, dialect: str, level: Level) -> None:
        document = etree.fromstring(written("sqlflow-xml", feed(PROGRAMS[dialect], dialect, level)).encode())
        XSD.assertValid(document)
        objects = json.loads(written("sqlflow-json", feed(PROGRAMS[dialect], dialect, level)))["data"]["sqlflow"]
        assert len(objects["dbobjs"]) == len([e for e in document if e.tag not in ("relation", "error")])

    def test_procedures_have_their_arguments(self) -> None:
        document = etree.fromstring(written("sqlflow-xml", feed(ORACLE, "oracle")).encode())
        run, total = document.iter("procedure")
        assert (run.get("name"), run.get("type")) == ("etl.pkg.run", "createprocedure")
        assert run.get("coordinate") == "[2,13,0],[2,16,0]"
        told = [tuple(a.get(name) for name in ("name", "datatype", "inout")) for a in run]
        assert told == [("p_day", "DATE", "in"), ("p_cnt", "NUMBER", "inout")]
        assert (total.get("name"), len(total)) == ("etl.pkg.total", 0)
        inside = {each.get("procedureName").lower() for each in document.iter("process")}
        assert inside == {"batchqueries", "etl.pkg.run", "etl.pkg.total"}

    def test_what_fills_a_cursor_has_its_effect(self) -> None:
        found = {(r.effect, r.target.entity_name) for r in feed(ORACLE, "oracle").relations()}
        assert {("cursor", "c"), ("cursor", "r"), ("update", "dw.orders")} <= found
        assert ("cursor", "RS-1") not in found

    def test_conditions_are_result_sets(self) -> None:
        document = etree.fromstring(written("sqlflow-xml", feed(TSQL, "tsql")).encode())
        (condition,) = (each for each in document.iter("resultset") if each.get("type") == "condition")
        assert (condition.get("name"), condition[0].get("name")) == ("IF-1", "If")
        assert {each.get("subType") for each in document.iter("variable")} == {"scalar"}

    @pytest.mark.parametrize("level", ["column", "table"])
    def test_exchange_files_name_the_procedure(self, level: Level) -> None:
        rows = list(csv.DictReader(io.StringIO(written("sqlflow-csv", feed(TSQL, "tsql", level))), delimiter=";"))
        by_procedure = {row["procedure_names"]: row["target_table"] for row in rows}
        assert by_procedure == {
            "dbo.load_dst": "dst",
            "dbo.log_it": "log",
            "dbo.log_again": "log",
            "batchQueries": "dst",
        }
        hashes = {row["query_hash_id"] for row in rows if row["target_table"] == "log"}
        assert len(hashes) == 1


class TestProcesses:
    def test_the_same_text_in_two_procedures_is_two_processes(self) -> None:
        told = [p for p in feed(TSQL, "tsql").processes() if p.text.startswith("INSERT INTO dbo.log")]
        assert [p.procedure for p in told] == ["dbo.log_it", "dbo.log_again"]
        assert len({p.query_hash for p in told}) == 1
        edges = headwater.analyze(TSQL, "tsql").column_edges(rows="none")
        found = {(str(e.source), e.process.procedure) for e in edges if str(e.target) == "dbo.log.n"}
        assert found == {("dbo.src.b", "dbo.log_it"), ("dbo.src.c", "dbo.log_again")}

    def test_a_job_is_named_by_its_procedure(self) -> None:
        events = [json.loads(line) for line in written("openlineage", feed(TSQL, "tsql", "column")).splitlines()]
        names = [event["job"]["name"] for event in events]
        assert len(names) == len(set(names))
        procedures = Counter(name.removeprefix("#").rpartition(".Insert.")[0] for name in names if ".Insert." in name)
        assert procedures == {"dbo.load_dst": 1, "dbo.log_it": 1, "dbo.log_again": 1}

    def test_a_database_has_processes_below_their_procedures(self, tmp_path: Path) -> None:
        url = f"sqlite:///{tmp_path / 'lineage.db'}"
        send = format_named("rdbms").send
        assert send is not None
        send(feed(TSQL, "tsql", "column"), url, Choices())
        with create_engine(url).connect() as connection:
            names = connection.execute(text("select qualified_name from sqlflow_dbobjects")).scalars().all()
        assert {"default.dbo.log_it@sqlserver", "default.dbo.log_again@sqlserver"} <= set(names)
        assert sum(name.startswith("default.dbo.log_it.") for name in names) >= 1

    def test_a_package_is_no_schema_and_its_schema_no_database(self, tmp_path: Path) -> None:
        url = f"sqlite:///{tmp_path / 'lineage.db'}"
        told = feed(ORACLE, "oracle", "column")
        send = format_named("rdbms").send
        assert send is not None
        send(told, url, Choices())
        query = "select o.qualified_name, p.qualified_name from sqlflow_dbobjects o join sqlflow_dbobjects p on p.guid = o.parent_id"
        with create_engine(url).connect() as connection:
            found = connection.execute(text(f"{query} where o.object_type in ('procedure', 'function')")).all()
        assert {(name.lower(), parent) for name, parent in found} == {
            ("default.etl.pkg.run@oracle", "default@oracle"),
            ("default.etl.pkg.total@oracle", "default@oracle"),
        }
        document = json.loads(written("atlas", told))["entities"]["entities"]
        assert {e["attributes"]["name"] for e in document if e["typeName"] == "sqlflow_database"} == {"default"}
        processes = [e["attributes"] for e in document if e["typeName"] == "sqlflow_process"]
        inside = {e["qualifiedName"].lower().rpartition(".")[0] for e in processes}
        assert inside == {"default.batchqueries", "default.etl.pkg.run", "default.etl.pkg.total"}

    def test_atlas_knows_them_too(self) -> None:
        document = json.loads(written("atlas", feed(TSQL, "tsql", "column")))
        names = {entity["attributes"]["qualifiedName"] for entity in document["entities"]["entities"]}
        assert len([name for name in names if name.startswith("default.dbo.log_again.") and ":" not in name]) >= 1


class TestPictures:
    def test_a_variable_says_in_which_procedure_it_stands(self) -> None:
        said = Counter(word(entity) for entity in variables(feed(TSQL, "tsql")) if entity.name in ("@v", "@r"))
        inside = {f"scalar in dbo.{name}": 1 for name in ("load_dst", "log_it", "log_again")}
        assert said == {**inside, "scalar": 2}
        assert "scalar in dbo.log_it" in written("dot", feed(TSQL, "tsql"))

    def test_a_card_does_not_say_its_name_twice(self) -> None:
        said = {entity.name: word(entity) for entity in inner(feed(TSQL, "tsql"))}
        assert (said["INSERT-SELECT-1"], said["FUNCTION-1"], said["RS-1"]) == ("", "", "select_list")


TEXTS = [name for name in MODULES if name not in BINARY and format_named(name).write is not None]


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("dialect", PROGRAMS)
def test_every_format_says_the_same_again(name: str, dialect: str) -> None:
    for level in format_named(name).levels:
        assert written(name, feed(PROGRAMS[dialect], dialect, level)) == written(
            name, feed(PROGRAMS[dialect], dialect, level)
        )


def test_what_analyze_prints_says_the_same_again() -> None:
    for level in LEVELS:
        one, other = (headwater.analyze(TSQL, "tsql").to("json", level=level) for _ in range(2))
        assert one == other


@pytest.fixture(scope="module")
def store(spark: object, tmp_path_factory: pytest.TempPathFactory) -> Path:
    from headwater.pipeline.corpus import Corpus, build

    folder = tmp_path_factory.mktemp("programs")
    (folder / "load.sql").write_text(TSQL)
    (folder / "more.sql").write_text("DECLARE @r int;\nSELECT @r = c FROM dbo.src;\nUPDATE dbo.dst SET y = @r;\n")
    build(Corpus([str(folder)], dialect="tsql"), folder / "lineage")
    return folder / "lineage"


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
class TestStore:
    def test_the_complete_level_is_that_of_the_scripts(self, store: Path) -> None:
        told = StoreFeed(open_graph(store), Scope("complete"))
        assert Counter(entity.name for entity in variables(told)) == {"@v": 3, "@from": 1, "@n": 1, "@r": 3, "IF-1": 1}
        assert hops(feed(TSQL, "tsql")) <= hops(told)
        ids = [entity.id for entity in inner(told)]
        assert len(ids) == len(set(ids))

    @pytest.mark.parametrize("level", LEVELS)
    def test_documents_are_valid(self, store: Path, level: Level) -> None:
        told = StoreFeed(open_graph(store), Scope(level))
        document = etree.fromstring(written("sqlflow-xml", told).encode())
        XSD.assertValid(document)
        procedures = {each.get("name"): [a.get("name") for a in each] for each in document.iter("procedure")}
        assert procedures == {"dbo.Load_Dst": ["@from", "@n"], "dbo.log_it": [], "dbo.log_again": []}
        lines = {each.get("coordinate").split(",")[0] for each in document.iter("procedure")}
        assert lines == {"[3", "[13", "[20"}
