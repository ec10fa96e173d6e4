"""Promises of SQLFlow's model reference that none of its listings shows: attributes, types, levels. docs/compatibility.md names them."""

from __future__ import annotations

import io
import json
from collections.abc import Iterator
from hashlib import md5
from pathlib import Path
from typing import Any

import pytest
from lxml import etree
from sqlalchemy import create_engine, text
from sqlalchemy.exc import IntegrityError

import headwater
from headwater.export import format_named
from headwater.export.feed import Scope
from headwater.export.format import Choices, Output
from headwater.export.rdbms import send
from headwater.export.script_feed import ScriptFeed

SNOWFLAKE = """CREATE VIEW db.sales.v AS
SELECT x.a, round(x.b) AS b FROM db.sales.t AS x LEFT JOIN u ON x.k = u.k WHERE x.c > 1;
INSERT INTO out SELECT a FROM (SELECT w.a FROM db.sales.v AS w) AS r;
COPY INTO loaded FROM 's3://bucket/x.csv';
"""
TSQL = """CREATE PROCEDURE dbo.p @low int, @total int OUTPUT AS
BEGIN
  SELECT @total = sum(x.a) FROM dbo.src AS x WHERE x.b > @low;
  INSERT INTO dbo.dst (a) SELECT y.entry FROM dbo.fnListToTable(@low) AS y;
END
"""
ORPHAN = "CREATE TABLE t (a int); CREATE VIEW v AS SELECT b FROM t;"


def written(sql: str, dialect: str, format: str, scope: Scope | None = None) -> str:
    stream = io.BytesIO()
    wanted = format_named(format)
    assert wanted.write
    wanted.write(ScriptFeed([headwater.analyze(sql, dialect)], scope or Scope("complete")), Output(stream), Choices())
    return stream.getvalue().decode()


def document(sql: str, dialect: str, scope: Scope | None = None) -> Any:
    return etree.fromstring(written(sql, dialect, "sqlflow-xml", scope).encode())


def elements(name: str) -> Iterator[Any]:
    for sql, dialect in ((SNOWFLAKE, "snowflake"), (TSQL, "tsql"), (ORPHAN, "spark")):
        yield from document(sql, dialect).iter(name)


ALWAYS = {
    "table": {"id", "name", "type", "coordinate"},
    "view": {"id", "name", "type", "coordinate"},
    "resultset": {"id", "name", "type", "hashId", "coordinate"},
    "relation": {"id", "type", "processId"},
    "target": {"id", "column", "parent_id", "parent_name", "coordinate"},
    "source": {"id", "column", "parent_id", "parent_name", "coordinate"},
    "process": {"id", "name", "type", "queryHashId", "procedureName", "coordinate"},
    "column": {"id", "name", "coordinate"},
    "variable": {"id", "name", "type", "subType", "coordinate"},
    "procedure": {"id", "name", "type", "coordinate"},
    "argument": {"id", "name", "datatype", "inout", "coordinate"},
    "path": {"id", "name", "type", "uri", "coordinate"},
}
WHERE_THERE_IS_ONE = {
    "table": {"alias", "subType", "database", "schema", "processIds"},
    "view": {"alias", "database", "schema", "processIds"},
    "resultset": {"alias"},
    "relation": {"effectType"},
    "source": {"source", "clauseType"},
    "target": {"source"},
}


@pytest.mark.parametrize("name", ALWAYS)
def test_an_element_has_the_attributes_of_its_definition(name: str) -> None:
    found = [set(each.attrib) for each in elements(name)]
    assert found
    assert all(ALWAYS[name] <= each for each in found)
    assert WHERE_THERE_IS_ONE.get(name, set()) <= set().union(*found)


@pytest.mark.parametrize("name", ["table", "view", "resultset", "variable", "path"])
def test_an_entity_has_its_columns(name: str) -> None:
    assert all(list(each.iter("column")) for each in elements(name))


def test_a_relation_has_one_target_and_sources() -> None:
    for relation in elements("relation"):
        assert len(relation.findall("target")) == 1
        assert len(relation.findall("source")) >= 1


def test_ids_are_unique() -> None:
    for sql, dialect in ((SNOWFLAKE, "snowflake"), (TSQL, "tsql")):
        tree = document(sql, dialect)
        entities = [each.get("id") for name in ALWAYS for each in tree.iter(name) if name not in ("relation", *_ENDS)]
        assert len(entities) == len(set(entities))
        relations = [each.get("id") for each in tree.iter("relation")]
        assert len(relations) == len(set(relations))


_ENDS = ("target", "source")

EFFECTS = {
    "select": ("spark", "SELECT a FROM t"),
    "insert": ("spark", "INSERT INTO o SELECT a FROM t"),
    "update": ("postgres", "UPDATE t SET a = s.a FROM s"),
    "merge_update": ("spark", "MERGE INTO t USING s ON t.k = s.k WHEN MATCHED THEN UPDATE SET a = s.a"),
    "merge_insert": ("spark", "MERGE INTO t USING s ON t.k = s.k WHEN NOT MATCHED THEN INSERT (a) VALUES (s.a)"),
    "create_view": ("spark", "CREATE VIEW v AS SELECT a FROM t"),
    "create_table": ("spark", "CREATE TABLE o AS SELECT a FROM t"),
    "merge": ("spark", "MERGE INTO t USING s ON t.k = s.k WHEN MATCHED THEN UPDATE SET a = s.a"),
    "delete": ("spark", "DELETE FROM t WHERE a > 1"),
    "function": ("spark", "SELECT round(a) FROM t"),
    "rename_table": ("spark", "ALTER TABLE t RENAME TO u"),
    "swap_table": ("snowflake", "ALTER TABLE t SWAP WITH u"),
    "cursor": ("oracle", "DECLARE CURSOR c IS SELECT a FROM t; r c%ROWTYPE; BEGIN OPEN c; FETCH c INTO r; END;"),
}


@pytest.mark.parametrize("effect", EFFECTS)
def test_an_effect_type_is_told(effect: str) -> None:
    dialect, sql = EFFECTS[effect]
    assert effect in {each.get("effectType") for each in document(sql, dialect).iter("relation")}


PROCESSES = {
    "Create Table": ("spark", "CREATE TABLE o AS SELECT a FROM t"),
    "Create External Table": (
        "bigquery",
        "CREATE EXTERNAL TABLE d.e OPTIONS (format = 'CSV', uris = ['gs://b/x.csv'])",
    ),
    "Create View": ("spark", "CREATE VIEW v AS SELECT a FROM t"),
    "Create Stage": ("snowflake", "CREATE STAGE s URL = 's3://b/x/'"),
    "Alter Table": ("spark", "ALTER TABLE t RENAME TO u"),
    "Update": ("postgres", "UPDATE t SET a = s.a FROM s"),
    "Merge": ("spark", "MERGE INTO t USING s ON t.k = s.k WHEN MATCHED THEN UPDATE SET a = s.a"),
    "Insert": ("spark", "INSERT INTO o SELECT a FROM t"),
    "Select Into": ("tsql", "SELECT a INTO o FROM t"),
    "Hive Load": ("hive", "LOAD DATA INPATH '/tmp/x' INTO TABLE t"),
}


@pytest.mark.parametrize("type_", PROCESSES)
def test_a_process_type_is_told(type_: str) -> None:
    dialect, sql = PROCESSES[type_]
    (process,) = document(sql, dialect).iter("process")
    assert (process.get("type"), process.get("name")) == (type_, f"Query {type_}")


RESULT_SETS = {
    "select_list": ("spark", "SELECT a FROM t"),
    "merge-insert": ("spark", "MERGE INTO t USING s ON t.k = s.k WHEN NOT MATCHED THEN INSERT (a) VALUES (s.a)"),
    "merge-update": ("spark", "MERGE INTO t USING s ON t.k = s.k WHEN MATCHED THEN UPDATE SET a = s.a"),
    "update-set": ("postgres", "UPDATE t SET a = s.a FROM s"),
    "update-select": ("oracle", "UPDATE t SET (a, b) = (SELECT s.a, s.b FROM s WHERE s.k = t.k)"),
    "insert-select": ("spark", "INSERT INTO o SELECT a FROM t"),
    "function": ("spark", "SELECT round(a) FROM t"),
    "union": ("spark", "SELECT a FROM t UNION SELECT b FROM u"),
    "cte": ("spark", "WITH c AS (SELECT a FROM t) SELECT a FROM c"),
    "pivot_table": ("snowflake", "SELECT * FROM m PIVOT (SUM(amount) FOR month IN ('JAN', 'FEB'))"),
}


@pytest.mark.parametrize("type_", RESULT_SETS)
def test_a_result_sets_type_is_told(type_: str) -> None:
    dialect, sql = RESULT_SETS[type_]
    assert type_ in {each.get("type") for each in document(sql, dialect).iter("resultset")}


def test_a_result_sets_hash_is_md5_of_its_type_and_columns() -> None:
    (found,) = document("INSERT INTO o SELECT a, b FROM t", "spark").iter("resultset")
    assert found.get("hashId") == md5(b"insert-selectab").hexdigest()


def test_the_relations_types_are_three() -> None:
    assert {each.get("type") for each in elements("relation")} == {"fdd", "fdr", "join"}


def test_a_column_that_nobody_owns_is_the_pseudo_tables() -> None:
    (pseudo,) = (each for each in elements("table") if each.get("type") == "pseudoTable")
    assert pseudo.get("name") == "pseudo_table_include_orphan_column"
    assert [each.get("name") for each in pseudo.iter("column")][-1] == "b"


def test_what_the_script_does_not_have_comes_from_the_system() -> None:
    for column in elements("column"):
        assert (column.get("source") == "system") == (column.get("name") == "PseudoRows")


def test_a_function_is_placed_at_its_call() -> None:
    (function,) = (
        each
        for each in document("select round(salary) as sal from scott.emp", "oracle").iter("resultset")
        if each.get("type") == "function"
    )
    assert function.get("coordinate") == "[1,8,0],[1,21,0]"


def test_the_script_is_the_third_number_of_a_coordinate() -> None:
    stream = io.BytesIO()
    wanted = format_named("sqlflow-xml")
    assert wanted.write
    scripts = [headwater.analyze(f"SELECT a FROM t{n}", path=f"{n}.sql") for n in (0, 1)]
    wanted.write(ScriptFeed(scripts, Scope("complete")), Output(stream), Choices())
    found = {each.get("name"): each.get("coordinate") for each in etree.fromstring(stream.getvalue()).iter("table")}
    assert found == {"t0": "[1,15,0],[1,17,0]", "t1": "[1,15,1],[1,17,1]"}


def test_statements_in_a_procedure_name_it_and_others_are_batch_queries() -> None:
    names = {each.get("type"): each.get("procedureName") for each in document(TSQL, "tsql").iter("process")}
    assert names["Insert"] == "dbo.p"
    assert {each.get("procedureName") for each in document(SNOWFLAKE, "snowflake").iter("process")} == {"batchQueries"}


def test_a_procedures_arguments_have_type_and_direction() -> None:
    (procedure,) = document(TSQL, "tsql").iter("procedure")
    assert (procedure.get("name"), procedure.get("type")) == ("dbo.p", "createprocedure")
    assert [(each.get("name"), each.get("datatype").upper(), each.get("inout")) for each in procedure] == [
        ("@low", "INT", "in"),
        ("@total", "INT", "inout"),
    ]


def test_levels_have_fewer_kinds_of_things_the_higher_they_are() -> None:
    kinds = {
        level: {each.tag for each in document(SNOWFLAKE, "snowflake", Scope(level)) if isinstance(each.tag, str)}
        for level in ("complete", "column", "table")
    }  # type: ignore[misc]
    assert kinds["complete"] - kinds["column"] == {"resultset"}
    assert kinds["table"] == kinds["column"]
    assert not list(document(SNOWFLAKE, "snowflake", Scope("table")).iter("column"))


def test_the_table_level_puts_the_process_between_two_tables() -> None:
    tree = document("CREATE VIEW v AS SELECT a FROM t", "spark", Scope("table"))
    ids = {each.get("name"): each.get("id") for each in tree.iter("process", "table", "view")}
    pairs = [(each[0].get("target_id"), each[1].get("source_id")) for each in tree.iter("relation")]
    assert sorted(pairs) == sorted([(ids["Query Create View"], ids["t"]), (ids["v"], ids["Query Create View"])])


@pytest.mark.parametrize(
    ("scope", "gone"),
    [
        (Scope("complete", impact=False), ("relation", "type", "fdr")),
        (Scope("complete", functions=False), ("resultset", "type", "function")),
        (Scope("complete", intermediate=False), ("resultset", "type", "select_list")),
    ],
    ids=["impact", "functions", "intermediate"],
)
def test_influence_functions_and_result_sets_can_be_left_out(scope: Scope, gone: tuple[str, str, str]) -> None:
    element, attribute, value = gone
    sql = "CREATE VIEW v AS SELECT round(a) AS a FROM t WHERE b > 1"
    assert value in {each.get(attribute) for each in document(sql, "spark").iter(element)}
    assert value not in {each.get(attribute) for each in document(sql, "spark", scope).iter(element)}


def test_json_lists_objects_by_name_and_type() -> None:
    told = json.loads(written("CREATE VIEW v AS SELECT deptno FROM scott.emp", "oracle", "sqlflow-json"))
    told = told["data"]["sqlflow"]
    assert told["dbvendor"] == "dbvoracle"
    (process,) = (each for each in told["dbobjs"] if each["type"] == "process")
    assert process["name"] == "Query Create View"
    (table,) = (each for each in told["dbobjs"] if each["type"] == "table")
    assert (table["schema"], table["name"]) == ("scott", "scott.emp")
    assert "deptno" in [column["name"] for column in table["columns"]]
    assert {each["type"] for each in told["relations"]} <= {"fdd", "fdr", "join"}
    assert not {"cluster", "physicalInstance", "databases"} & told.keys()


def test_a_database_refuses_two_objects_of_one_name_and_type(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'lineage.db'}"
    send(ScriptFeed([headwater.analyze("INSERT INTO db.o SELECT a FROM db.t", "hive")]), url, Choices())
    copy = (
        "INSERT INTO sqlflow_dbobjects (guid, parent_id, qualified_name, object_type)"
        " SELECT 'x', parent_id, qualified_name, {} FROM sqlflow_dbobjects WHERE object_type = 'cluster'"
    )
    with create_engine(url).begin() as connection:
        connection.execute(text(copy.format("'another'")))
    with pytest.raises(IntegrityError), create_engine(url).begin() as connection:
        connection.execute(text(copy.format("object_type").replace("'x'", "'y'")))
