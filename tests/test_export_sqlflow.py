"""SQLFlow's formats: every listing of its model reference is in ours, XML and JSON say the same, and hostile names do no harm."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterator
from hashlib import md5
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

import headwater
from case_file import Case, read_cases
from headwater.export import format_named
from headwater.export.feed import LEVELS, Scope
from headwater.export.format import Choices, Output
from headwater.export.script_feed import ScriptFeed
from headwater.model.entity import ColumnRef
from sqlflow_readers import ENTITIES, End, Graph, read_json, read_xml

LISTINGS = list(read_cases(Path(__file__).parent / "sqlflow_listings.md"))
XSD = etree.XMLSchema(etree.parse(str(Path(headwater.__file__).parent / "export" / "sqlflow" / "dlineage.xsd")))


def written(sql: str, dialect: str, format: str, scope: Scope, choices: Choices | None = None) -> str:
    stream = io.BytesIO()
    wanted = format_named(format)
    assert wanted.write
    wanted.write(ScriptFeed([headwater.analyze(sql, dialect)], scope), Output(stream), choices or Choices())
    return stream.getvalue().decode()


def root(sql: str, dialect: str, scope: Scope) -> Any:
    found = etree.fromstring(written(sql, dialect, "sqlflow-xml", scope).encode())
    XSD.assertValid(found)
    return found


def told(document: Any) -> Iterator[str]:
    """The lines of a document, as the listings have them."""
    processes = {each.get("id"): each.get("type") for each in document.iter("process")}
    yield from (f"process {type_}" for type_ in processes.values())
    for entity in document.iter(*ENTITIES):
        words = [entity.tag, entity.get("name")]
        kind = entity.get("subType") or entity.get("fileFormat") or ""
        kind = entity.get("type") if entity.tag == "resultset" else kind
        by = ", ".join(processes[each] for each in (entity.get("processIds") or "").split())
        yield " ".join([*words, *([kind] if kind else []), *([f"by {by}"] if by else [])])
    for relation in document.iter("relation"):
        yield from _relation_lines(relation)


def _relation_lines(relation: Any) -> Iterator[str]:
    target, *sources = relation
    if target.get("target_name"):
        yield f"{target.get('target_name')} <- {sources[0].get('source_name')}"
        return
    effect = [relation.get("effectType")] if relation.get("effectType") else []
    for source in sources:
        clause = f" ({source.get('clauseType')})" if source.get("clauseType") else ""
        start = " ".join([relation.get("type"), *effect, f"{target.get('parent_name')}.{target.get('column')}"])
        yield f"{start} <- {source.get('parent_name')}.{source.get('column')}{clause}"


def columns(document: Any) -> dict[str, set[str]]:
    return {each.get("name"): {column.get("name") for column in each} for each in document.iter(*ENTITIES)}


def _cases() -> Iterator[Any]:
    for case in LISTINGS:
        gap = case.blocks.get("notimpl")
        marks = [pytest.mark.xfail(strict=True, reason=gap.text.strip())] if gap else []
        yield pytest.param(case, id=case.title, marks=marks)


@pytest.mark.parametrize("case", [*_cases()])
def test_the_listing_is_in_ours(case: Case) -> None:
    block = case.blocks["listing"]
    scope = Scope(block.attributes["level"], functions=block.attributes.get("functions") != "no")  # type: ignore[arg-type]
    document = root(case.sql, case.blocks["sql"].attributes["dialect"], scope)
    lines, owned = list(told(document)), columns(document)
    for line in block.lines:
        wanted, _, named = line.partition(": ") if " <- " not in line else (line, "", "")
        assert wanted in lines, "\n".join(lines)
        if named:
            name = re.sub(r" by .*$", "", wanted).split()[1]
            assert set(named.split(", ")) <= owned[name]


@pytest.mark.parametrize("case", [c for c in LISTINGS if "csv" in c.blocks], ids=lambda case: case.title)
def test_the_exchange_csv_is_the_reference_s(case: Case) -> None:
    block = case.blocks["csv"]
    dialect = case.blocks["sql"].attributes["dialect"]
    scope = Scope(block.attributes["level"])  # type: ignore[arg-type]
    choices = Choices(result_sets=block.attributes.get("result_sets") == "yes")
    text = written(case.sql, dialect, "sqlflow-csv", scope, choices)
    hashes = {p.type: p.query_hash for p in ScriptFeed([headwater.analyze(case.sql, dialect)]).processes()}

    def filled(found: re.Match[str]) -> str:
        return hashes.get(found[1]) or md5(found[1].replace(" ", "").encode()).hexdigest()

    for line in block.lines:
        assert re.sub(r"\{(.*?)\}", filled, line) in text.splitlines()


PROGRAM = """CREATE PROCEDURE dbo.p @from int AS
BEGIN
  DECLARE @v int;
  SELECT @v = max(a) FROM dbo.src WHERE b > @from;
  IF @v > 0 INSERT INTO dbo.dst (x) SELECT @v FROM dbo.src;
  SELEC nothing;
END"""
SCRIPTS = {
    **{case.title: (case.sql, case.blocks["sql"].attributes["dialect"]) for case in LISTINGS},
    "a procedure": (PROGRAM, "tsql"),
    "two columns of one name": ("SELECT a, a FROM t JOIN u ON t.k = u.k", "postgres"),
}


def both(sql: str, dialect: str, level: Any) -> tuple[Graph, Graph]:
    """What the JSON and the XML of a script tell, each read by itself."""
    texts = (written(sql, dialect, format, Scope(level)) for format in ("sqlflow-json", "sqlflow-xml"))
    return read_json(next(texts)), read_xml(next(texts))


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("script", SCRIPTS)
def test_xml_and_json_tell_the_same_graph(script: str, level: Any) -> None:
    from_json, from_xml = both(*SCRIPTS[script], level)
    for name, told in from_xml._asdict().items():
        assert getattr(from_json, name) == told, name


@pytest.mark.parametrize("level", ["complete", "column"])
@pytest.mark.parametrize("script", SCRIPTS)
def test_what_is_read_back_is_the_same_graph(script: str, level: Any) -> None:
    sql, dialect = SCRIPTS[script]
    feed = ScriptFeed([headwater.analyze(sql, dialect)], Scope(level))
    told = {
        (relation.type, relation.effect, relation.process, relation.target.column, source.end.column)
        for relation in feed.relations()
        for source in relation.sources
    }
    for graph in both(sql, dialect, level):
        read = {(e.type, e.effect, int(e.process), int(e.target.column), int(e.source.column)) for e in graph.edges}
        assert read == told
        assert {int(id) for id, *_ in graph.processes} == {process.id for process in feed.processes()}
        assert len(graph.errors) == len(list(feed.remarks()))


@pytest.mark.parametrize("script", SCRIPTS)
def test_what_is_read_back_is_the_lineage(script: str) -> None:
    """By names alone, and without the feed: `analyze` says the same of the script."""
    sql, dialect = SCRIPTS[script]
    lineage = {
        (edge.type, _shown(edge.target), _shown(edge.source))
        for edge in headwater.analyze(sql, dialect).column_edges(rows="node")
    }
    for graph in both(sql, dialect, "column"):
        results = {id for id, element, *_ in graph.entities if element == "resultset"}
        read = {(edge.type, *(_named(end, results) for end in (edge.target, edge.source))) for edge in graph.edges}
        assert read == lineage


def _shown(ref: ColumnRef) -> tuple[str, str]:
    table = (ref.table or "").removeprefix("@")
    return table.lower(), ref.column.lower()


def _named(end: End, results: set[str]) -> tuple[str, str]:
    """The names of a column and its table, which a query's own result has not; a file's column is its uri."""
    column = "*" if end.column_name == f"uri='{end.owner_name}'" else end.column_name
    return "" if end.owner in results else end.owner_name.lower(), column.lower()


def test_ids_are_the_same_at_every_level() -> None:
    (case,) = (case for case in LISTINGS if "updated and inserted" in case.title)
    found = []
    for level in LEVELS:
        document = root(case.sql, "tsql", Scope(level))
        found.append({(e.tag, e.get("id"), e.get("name")) for e in document.iter("process", "table", "view")})
    assert found[0] == found[1] == found[2]


HOSTILE = ["a<b>&\"'c", "x\ny", "tab\there", "nul\x00l", "\ud800", "]]>", "<!--", "?>", "é😀", "n" * 10_000, "=1+1"]


@pytest.mark.parametrize("name", HOSTILE, ids=range(len(HOSTILE)))
@pytest.mark.parametrize("level", LEVELS)
def test_any_name_is_well_formed(name: str, level: Any) -> None:
    quoted = '"' + name.replace('"', '""') + '"'
    sql = f"CREATE TABLE {quoted} AS SELECT {quoted} AS {quoted} FROM s.{quoted}"
    document = root(sql, "duckdb", Scope(level))
    assert len(list(document.iter("table"))) == 2
    assert json.loads(written(sql, "duckdb", "sqlflow-json", Scope(level)))
    rows = list(csv.reader(io.StringIO(written(sql, "duckdb", "sqlflow-csv", Scope("column"))), delimiter=";"))
    assert {len(row) for row in rows} == {10}


def test_cells_are_no_formulas_unless_asked() -> None:
    sql = 'CREATE TABLE "=t" AS SELECT "@a" FROM "-s"'
    plain = written(sql, "duckdb", "sqlflow-csv", Scope("column"), Choices(safe_cells=False))
    safe = written(sql, "duckdb", "sqlflow-csv", Scope("column"))
    assert ";-s;@a;" in plain
    assert ";'-s;'@a;" in safe


def test_a_missing_schema_of_sql_server_is_dbo() -> None:
    text = written("INSERT INTO o SELECT a FROM t", "tsql", "sqlflow-csv", Scope("column"))
    assert text.splitlines()[1].startswith("default;dbo;t;a;default;dbo;o;")


def test_what_is_left_out_is_said() -> None:
    output = Output(io.BytesIO())
    lineage = headwater.analyze("CREATE TABLE o AS SELECT a FROM t WHERE b > 1")
    wanted = format_named("sqlflow-csv")
    assert wanted.write
    wanted.write(ScriptFeed([lineage]), output, Choices())
    assert any("influence" in words for words in output.left_out())


def test_errors_are_elements() -> None:
    document = root("SELECT FROM WHERE; SELECT a FROM t", "spark", Scope("complete"))
    (error,) = document.iter("error")
    assert error.get("errorType") == "syntax-error"
    assert error.get("coordinate").startswith("[1,")


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("hive", "CREATE TABLE t (a int); CREATE TABLE o LIKE t"),
        ("postgres", "CREATE TABLE t (a int); CREATE TABLE o (b int, LIKE t)"),
        ("snowflake", "CREATE TABLE o LIKE t"),
    ],
)
@pytest.mark.parametrize("level", ["complete", "column"])
def test_a_table_after_a_model_has_its_effect(dialect: str, sql: str, level: Any) -> None:
    relations = [r for r in root(sql, dialect, Scope(level)).iter("relation") if r[0].get("parent_name") == "o"]
    assert relations
    assert {relation.get("effectType") for relation in relations} == {"like_table"}


def test_a_clone_has_the_rows_too() -> None:
    relations = root("CREATE TABLE o CLONE t", "snowflake", Scope("column")).iter("relation")
    assert {relation.get("effectType") for relation in relations} == {"create_table"}


def test_what_a_trigger_does_has_its_effect() -> None:
    """The changed rows set off the trigger; what it assigns to NEW is the table's own. What it inserts is an insert."""
    sql = """CREATE TRIGGER tr BEFORE INSERT ON t FOR EACH ROW BEGIN
      SET NEW.b = NEW.a;
      INSERT INTO log (n) VALUES (NEW.a);
    END"""
    document = root(sql, "mysql", Scope("complete"))
    told_by_trigger = {
        (relation[0].get("parent_name"), source.get("parent_name"))
        for relation in document.iter("relation")
        if relation.get("effectType") == "trigger"
        for source in relation.iter("source")
    }
    assert told_by_trigger == {("t", "new"), ("INSERT-SELECT-1", "TRIGGER-1")}
    assert "fdd insert log.n <- INSERT-SELECT-1.column_0" in told(document)


@pytest.mark.parametrize(
    ("sql", "column", "at"),
    [
        ("create view v1 as select f1 from t2", "v1.f1", "f1"),
        ("create view v1 as select a + 1 as f1 from t2", "v1.f1", "a + 1 as f1"),
        ("create view v1 (x) as select f1 from t2", "v1.x", "x"),
        ("insert into v1 (x) select f1 from t2", "v1.x", "x"),
        ("insert into v1 select f1 from t2", "v1.f1", "f1"),
        ("create table v1 as with c as (select f1 from t2) select f1 from c where 1 > 0", "v1.f1", "f1 from c"),
        ("update v1 set x = y + 1", "v1.x", "x"),
        ("merge into v1 using t2 on v1.k = t2.k when matched then update set x = t2.y", "v1.x", "x"),
        ("create table v1 (a int, x int generated always as (a + 1) stored)", "v1.x", "x"),
        ("create table v1 (a int, p int references t2 (k))", "v1.p", "p"),
    ],
)
def test_a_written_column_stands_where_it_is_named(sql: str, column: str, at: str) -> None:
    """In a list, left of an assignment, or as the projection that it takes: the reference has `v1.f1` there."""
    table, _, name = column.partition(".")
    (found,) = (
        each
        for entity in root(sql, "postgres", Scope("complete")).iter("table", "view")
        if entity.get("name") == table
        for each in entity.iter("column")
        if each.get("name") == name
    )
    whole = at.partition(" from ")[0]
    start = re.search(rf"\b{re.escape(at)}", sql).start() + 1  # type: ignore[union-attr]
    assert found.get("coordinate") == f"[1,{start},0],[1,{start + len(whole)},0]"
