"""The public face: what `import headwater` gives, and what each option of it means."""

from __future__ import annotations

import hashlib
import inspect
import json
from pathlib import Path
from typing import Any

import pytest

import headwater
from headwater import Catalog, ColumnEdge, ColumnRef, Lineage, TableEdge, analyze
from headwater.model.entity import PSEUDO_ROWS


def arrows(edges: list[ColumnEdge]) -> set[str]:
    """Edges as the literate cases write them: `<-` data flow, `<~` influence."""
    return {f"{e.target} {'<-' if e.type == 'fdd' else '<~'} {e.source}" for e in edges}


def lines(sql: str, dialect: str = "spark", schema: Any = None, **options: Any) -> set[str]:
    return arrows(analyze(sql, dialect, schema).column_edges(**options))


# Names and records


def test_the_public_names() -> None:
    assert set(headwater.__all__) == {
        "Catalog",
        "ColumnEdge",
        "ColumnRef",
        "Diagnostic",
        "Lineage",
        "TableEdge",
        "__version__",
        "analyze",
        "open",
    }
    assert all(hasattr(headwater, name) for name in headwater.__all__)


def test_analyze_takes_what_the_design_says() -> None:
    parameters = inspect.signature(analyze).parameters
    assert list(parameters)[:5] == ["sql", "dialect", "schema", "default_schema", "engine"]
    assert parameters["schema"].default is None
    assert parameters["default_schema"].default is None
    assert parameters["engine"].default == "static"


def test_column_edges_options() -> None:
    parameters = inspect.signature(Lineage.column_edges).parameters
    defaults = {name: p.default for name, p in parameters.items() if name != "self"}
    assert defaults == {"rows": "node", "literals": False, "collapse_temp": False, "end_to_end": False}


def test_records_have_the_fields_of_the_design() -> None:
    edge = {"source", "target", "type", "subtype", "masking", "clause", "expression", "process", "candidate"}
    assert edge <= set(ColumnEdge._fields)
    assert {"source", "target", "process"} <= set(TableEdge._fields)
    assert ColumnRef._fields == ("table", "column")


@pytest.mark.parametrize(
    ("ref", "text"),
    [
        (ColumnRef("db.t", "a"), "db.t.a"),
        (ColumnRef(None, "x"), "x"),
        (ColumnRef("db.t", PSEUDO_ROWS), "db.t.PseudoRows"),
    ],
)
def test_a_column_ref_prints_as_people_write_it(ref: ColumnRef, text: str) -> None:
    assert str(ref) == text


def test_an_edge_says_everything_about_itself() -> None:
    sql = "CREATE TABLE db.o AS SELECT md5(Name) AS h FROM Db.T"
    (edge,) = analyze(sql).column_edges(rows="none")
    assert (edge.source, edge.target) == (ColumnRef("db.t", "name"), ColumnRef("db.o", "h"))
    assert (edge.type, edge.subtype, edge.clause) == ("fdd", "TRANSFORMATION", "select")
    assert (edge.masking, edge.candidate, edge.expression) == (True, False, "md5(Name)")
    assert (edge.process.type, edge.process.name) == ("Create Table", "Query Create Table")
    assert edge.process.procedure == "batchQueries"


@pytest.mark.parametrize(
    ("dialect", "sql", "source"),
    [
        ("spark", "SELECT `A` FROM `Db`.T", "db.t.a"),
        ("postgres", 'SELECT "A" FROM Db."T"', "db.T.A"),
        ("snowflake", 'SELECT a FROM Db."t"', "DB.t.A"),
        ("bigquery", "SELECT A FROM Db.T", "Db.T.a"),
        ("tsql", "SELECT [A] FROM [Db].T", "db.t.a"),
        ("duckdb", 'SELECT "A" FROM Db.T', "db.t.a"),
    ],
)
def test_names_are_folded_as_the_dialect_does(dialect: str, sql: str, source: str) -> None:
    assert [str(e.source) for e in analyze(sql, dialect).column_edges(rows="none")] == [source]


@pytest.mark.parametrize(("argument", "value"), [("engine", "magic"), ("ambiguous", "guess"), ("dialect", "klingon")])
def test_an_unknown_choice_is_an_error_that_names_it(argument: str, value: str) -> None:
    with pytest.raises(ValueError, match=value):
        analyze("SELECT 1", **{argument: value})


def test_an_unknown_row_mode_is_an_error() -> None:
    with pytest.raises(ValueError, match="some"):
        analyze("SELECT 1").column_edges(rows="some")


def test_an_unknown_format_is_an_error() -> None:
    with pytest.raises(ValueError, match="yaml"):
        analyze("SELECT 1").to("yaml")


@pytest.mark.parametrize("sql", ["", " \n\t", "-- nothing\n", ";;", "/* a */;"])
def test_nothing_gives_nothing(sql: str) -> None:
    lineage = analyze(sql)
    assert (lineage.column_edges(), lineage.diagnostics, lineage.sources) == ([], [], [])


# Dialects

TWO_DIALECTS = "SELECT a FROM t;\nSELECT [b] AS x FROM [dbo].[u]"


@pytest.mark.parametrize("dialect", ["spark,tsql", "spark, tsql", ["spark", "tsql"]])
def test_of_several_dialects_the_first_that_parses_wins(dialect: Any) -> None:
    lineage = analyze(TWO_DIALECTS, dialect)
    assert [s.dialect for s in lineage.statements] == ["spark", "tsql"]
    assert lineage.diagnostics == []
    assert lineage.sources == ["dbo.u", "t"]


def test_several_dialects_that_split_differently() -> None:
    lineage = analyze("SELECT a FROM t\nGO\nSELECT [b] AS x FROM [dbo].[u]\nGO\n", "spark,tsql")
    assert lineage.sources == ["dbo.u", "t"]


def test_where_no_dialect_parses_the_first_one_says_so() -> None:
    lineage = analyze("SELECT FROM WHERE (", "spark,hive")
    assert [d.code.value for d in lineage.diagnostics] == ["syntax-error"]


# Schemas


@pytest.mark.parametrize("form", ["mapping", "nested", "catalog", "path", "string"])
def test_a_schema_may_be_anything(form: str, tmp_path: Path) -> None:
    path = tmp_path / "schema.json"
    path.write_text('{"db.t": {"a": "int", "b": "int"}}', encoding="utf-8")
    forms: dict[str, Any] = {
        "mapping": {"db.t": ["a", "b"]},
        "nested": {"db": {"t": {"a": "int", "b": "int"}}},
        "catalog": Catalog({"db.t": ["a", "b"]}),
        "path": path,
        "string": str(path),
    }
    assert lines("SELECT * FROM db.t", schema=forms[form], rows="none") == {"a <- db.t.a", "b <- db.t.b"}


@pytest.mark.parametrize(
    ("default", "table", "qualified"),
    [
        ("db", "t", "db.t"),
        ("Db", "t", "db.t"),
        ("db", "other.t", "other.t"),
        ("cat.db", "t", "cat.db.t"),
        ("cat.db", "other.t", "cat.other.t"),
        ("cat.db", "c.d.t", "c.d.t"),
    ],
)
def test_the_default_schema_qualifies(default: str, table: str, qualified: str) -> None:
    lineage = analyze(f"INSERT INTO {table} SELECT a FROM {table}", default_schema=default)
    assert lineage.sources == lineage.targets == [qualified]


def test_the_default_schema_finds_the_tables_columns() -> None:
    lineage = analyze("SELECT * FROM t", schema={"x.t": ["a"], "y.t": ["b"]}, default_schema="y")
    assert arrows(lineage.column_edges(rows="none")) == {"b <- y.t.b"}


def test_a_ctes_name_is_not_qualified() -> None:
    lineage = analyze("WITH c AS (SELECT a FROM t) SELECT a FROM c", default_schema="db")
    assert lineage.sources == ["db.t"]


def test_use_changes_the_default_schema() -> None:
    lineage = analyze("SELECT a FROM t; USE other; SELECT a FROM t", default_schema="db")
    assert lineage.sources == ["db.t", "other.t"]


# Row sets

FILTERED = "INSERT INTO o SELECT a, b + 1 AS x FROM t WHERE c > 0"


def test_rows_as_a_node() -> None:
    assert lines(FILTERED, rows="node") == {
        "o.a <- t.a",
        "o.x <- t.b",
        "o.PseudoRows <~ t.c",
        "o.PseudoRows <~ t.PseudoRows",
    }


def test_rows_are_a_node_by_default() -> None:
    assert lines(FILTERED) == lines(FILTERED, rows="node")


def test_rows_left_out() -> None:
    assert lines(FILTERED, rows="none") == {"o.a <- t.a", "o.x <- t.b"}


def test_rows_expanded_reach_every_column() -> None:
    found = {line for line in lines(FILTERED, rows="expanded") if PSEUDO_ROWS not in line}
    assert found == {"o.a <- t.a", "o.x <- t.b", "o.a <~ t.c", "o.x <~ t.c"}


def test_rows_expanded_has_no_row_set_as_a_target() -> None:
    edges = analyze(FILTERED).column_edges(rows="expanded")
    assert [e for e in edges if e.target.column == PSEUDO_ROWS] == []


def test_rows_expanded_does_not_weaken_data_flow() -> None:
    found = lines("INSERT INTO o SELECT c, a FROM t WHERE c > 0", rows="expanded")
    assert {line for line in found if PSEUDO_ROWS not in line} == {"o.c <- t.c", "o.a <- t.a", "o.a <~ t.c"}


def test_rows_expanded_reach_constants_too() -> None:
    assert "o.k <~ t.c" in lines("INSERT INTO o SELECT 'k' AS k FROM t WHERE c > 0", rows="expanded")


def test_a_bare_selects_row_set_has_no_table() -> None:
    assert "PseudoRows <~ t.c" in lines("SELECT a FROM t WHERE c > 0")


def test_two_hundred_columns_under_distinct_are_a_handful_of_row_edges() -> None:
    names = [f"c{i}" for i in range(200)]
    edges = analyze(f"SELECT DISTINCT {', '.join(names)} FROM t").column_edges()
    assert len([e for e in edges if e.type == "fdd" and e.target.column != PSEUDO_ROWS]) == 200
    assert len(edges) <= 402


# Literals


def test_literals_are_left_out_unless_asked_for() -> None:
    sql = "INSERT INTO o SELECT a, 'crm' AS origin, b + 1 AS n FROM t"
    assert lines(sql, rows="none") == {"o.a <- t.a", "o.n <- t.b"}
    assert lines(sql, rows="none", literals=True) == {
        "o.a <- t.a",
        "o.n <- t.b",
        "o.n <- literal(1)",
        "o.origin <- literal('crm')",
    }


def test_equal_literals_are_separate_in_the_complete_model() -> None:
    (statement,) = analyze("SELECT 1 AS a, 1 AS b").statements
    model = statement.model
    literals = [s.column for r in model.relations for s in r.sources if model.name(s.column) == "literal(1)"]
    assert len(literals) == len(set(literals)) == 2


# Scripts

TEMPORARY = """
CREATE TEMPORARY VIEW recent AS SELECT id, upper(name) AS name FROM raw.people WHERE day > 3;
INSERT INTO mart.people SELECT id, name FROM recent;
"""


def test_temporary_tables_are_kept_by_default() -> None:
    assert lines(TEMPORARY, rows="none") == {
        "recent.id <- raw.people.id",
        "recent.name <- raw.people.name",
        "mart.people.id <- recent.id",
        "mart.people.name <- recent.name",
    }


def test_temporary_tables_are_collapsed_on_request() -> None:
    edges = analyze(TEMPORARY).column_edges(collapse_temp=True)
    assert arrows(edges) == {
        "mart.people.id <- raw.people.id",
        "mart.people.name <- raw.people.name",
        "mart.people.PseudoRows <~ raw.people.day",
        "mart.people.PseudoRows <~ raw.people.PseudoRows",
    }
    (name,) = (e for e in edges if e.target.column == "name")
    assert name.subtype == "TRANSFORMATION"


def test_persistent_tables_stay_when_temporary_ones_are_collapsed() -> None:
    sql = "CREATE TABLE s AS SELECT a FROM t; INSERT INTO o SELECT a FROM s"
    assert lines(sql, collapse_temp=True) == lines(sql)


CHAIN = """
CREATE TABLE s1 AS SELECT a, b, c AS unused FROM raw WHERE d > 0;
CREATE TABLE s2 AS SELECT a + b AS ab FROM s1;
SELECT ab FROM s2;
"""


def test_end_to_end_joins_the_scripts_own_hops() -> None:
    found = lines(CHAIN, end_to_end=True)
    assert {"ab <- raw.a", "ab <- raw.b", "PseudoRows <~ raw.d"} <= found
    assert not {line for line in found if "s2." in line}


def test_end_to_end_keeps_columns_that_nobody_reads() -> None:
    assert "s1.unused <- raw.c" in lines(CHAIN, end_to_end=True)


def test_end_to_end_composes_the_kinds() -> None:
    sql = "CREATE TABLE s AS SELECT max(a) AS m FROM t GROUP BY g; INSERT INTO o SELECT m FROM s"
    subtypes = {str(e.source): e.subtype for e in analyze(sql).column_edges(end_to_end=True) if e.target.column == "m"}
    assert subtypes == {"t.a": "AGGREGATION", "t.g": "GROUP_BY"}


def test_a_redefined_table_hands_on_what_it_held_when_it_was_read() -> None:
    sql = """CREATE OR REPLACE TEMPORARY VIEW v AS SELECT a AS x FROM t; INSERT INTO first SELECT x FROM v;
             CREATE OR REPLACE TEMPORARY VIEW v AS SELECT b AS x FROM t; INSERT INTO second SELECT x FROM v"""
    assert lines(sql, rows="none", collapse_temp=True) == {"first.x <- t.a", "second.x <- t.b"}


def test_end_to_end_an_overwritten_table_holds_the_new_rows_only() -> None:
    sql = """INSERT OVERWRITE TABLE s SELECT a AS x FROM t; INSERT OVERWRITE TABLE s SELECT b AS x FROM t;
             INSERT INTO o SELECT x FROM s"""
    assert lines(sql, rows="none", end_to_end=True) == {"o.x <- t.b"}


def test_end_to_end_a_changed_table_keeps_what_it_held_before() -> None:
    """Rows that the UPDATE does not meet still have the old value."""
    sql = "UPDATE s SET x = u.v FROM u WHERE u.id = s.id; INSERT INTO o SELECT x FROM s"
    assert {"o.x <- u.v", "o.x <- s.x"} <= lines(sql, "postgres", rows="none", end_to_end=True)


def test_a_dropped_table_is_unknown_again() -> None:
    sql = "CREATE TABLE t (a int); DROP TABLE t; SELECT * FROM t"
    assert lines(sql, rows="none") == {"* <- t.*"}


def test_one_bad_statement_does_not_take_the_script_with_it() -> None:
    lineage = analyze("SELECT a FROM t; SELECT (b FROM u WHERE; SELECT c FROM v")
    assert [d.code.value for d in lineage.diagnostics] == ["syntax-error"]
    assert arrows(lineage.column_edges(rows="none")) == {"a <- t.a", "c <- v.c"}


@pytest.mark.parametrize(
    "sql",
    [
        "ALTER TABLE a RENAME TO b",
        "CALL refresh('t')",
        "EXPLODE everything now",
        "CREATE TABLE x LIKE y",
        "CREATE TABLE x CLONE y",
    ],
)
def test_a_statement_is_analysed_or_said_not_to_be(sql: str) -> None:
    lineage = analyze(sql, "snowflake" if "CLONE" in sql else "spark")
    assert lineage.column_edges() or lineage.diagnostics


@pytest.mark.parametrize(
    "sql", ["TRUNCATE TABLE t", "BEGIN", "SET x = 1", "CREATE INDEX i ON t (a)", "GRANT SELECT ON t TO u"]
)
def test_a_statement_that_moves_no_data_is_no_noise(sql: str) -> None:
    lineage = analyze(sql, "postgres")
    assert len(lineage.statements) == 1
    assert (lineage.column_edges(), lineage.diagnostics) == ([], [])


@pytest.mark.parametrize("sql", ["SELECT a FROM", "SELECT a FROM t WHERE", "DELETE FROM", "SELECT a FROM 12"])
def test_a_syntax_error_is_said_in_plain_words(sql: str) -> None:
    (diagnostic,) = analyze(sql).diagnostics
    assert "<" not in diagnostic.message
    assert "Token" not in diagnostic.message


def test_the_same_text_is_the_same_process() -> None:
    lineage = analyze("INSERT INTO o SELECT a FROM t; INSERT INTO o SELECT a FROM t")
    assert len({e.process for e in lineage.column_edges()}) == 1
    assert len(lineage.column_edges()) == len(set(lineage.column_edges())) == 2
    first, second = (s.resolution.process for s in lineage.statements)
    assert first.span != second.span


def test_the_hash_is_md5_of_the_text() -> None:
    (statement,) = analyze("  SELECT a FROM t ;").statements
    expected = hashlib.md5(b"SELECT a FROM t", usedforsecurity=False).hexdigest()
    assert statement.resolution.process.query_hash == expected


# Tables


def test_table_edges() -> None:
    edges = analyze("INSERT INTO o SELECT t.a FROM t JOIN u ON t.id = u.id; SELECT x FROM o").table_edges()
    assert {(e.source, e.target, e.process.type) for e in edges} == {
        ("t", "o", "Insert"),
        ("u", "o", "Insert"),
        ("o", None, "Select"),
    }


def test_table_edges_collapse_temporary_tables() -> None:
    edges = analyze(TEMPORARY).table_edges(collapse_temp=True)
    assert {(e.source, e.target) for e in edges} == {("raw.people", "mart.people")}


def test_an_orphan_is_no_table() -> None:
    lineage = analyze("SELECT nope FROM t", schema={"t": ["a"]})
    assert [e.source for e in lineage.table_edges()] == ["t"]
    assert lineage.sources == ["t"]


@pytest.mark.parametrize(
    ("sql", "sources", "targets"),
    [
        ("SELECT a FROM t", ["t"], []),
        ("INSERT INTO o SELECT a FROM z JOIN b ON z.i = b.i", ["b", "z"], ["o"]),
        ("CREATE VIEW v AS SELECT a FROM t", ["t"], ["v"]),
        ("WITH c AS (SELECT a FROM t) SELECT a FROM c", ["t"], []),
        ("SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.i = t.i)", ["t", "u"], []),
        ("INSERT INTO o VALUES (1)", [], ["o"]),
        ("DELETE FROM t WHERE a IN (SELECT a FROM u)", ["t", "u"], ["t"]),
        ("UPDATE t SET a = 1", [], ["t"]),
        ("UPDATE t SET a = b", ["t"], ["t"]),
        ("MERGE INTO t USING u ON t.i = u.i WHEN MATCHED THEN UPDATE SET a = u.a", ["t", "u"], ["t"]),
        ("SELECT 1", [], []),
    ],
)
def test_sources_and_targets(sql: str, sources: list[str], targets: list[str]) -> None:
    lineage = analyze(sql)
    assert (lineage.sources, lineage.targets) == (sources, targets)


# The complete model


def test_relations_are_single_hops() -> None:
    lineage = analyze("CREATE VIEW v AS SELECT round(sal) AS s FROM emp WHERE dept = 3")
    (statement,) = lineage.statements
    model = statement.model
    hops = {
        (model.name(r.target), model.name(s.column), r.type, s.clause)
        for r in lineage.relations
        for s in r.sources
        if not model.columns[s.column].is_row_set
    }
    assert hops == {
        ("RS-1.s", "FUNCTION-1.round", "fdd", "select"),
        ("FUNCTION-1.round", "emp.sal", "fdd", "select"),
        ("v.s", "RS-1.s", "fdd", "select"),
        ("RS-1.PseudoRows", "emp.dept", "fdr", "where"),
    }


def test_relations_have_one_target_and_the_seeds_effect() -> None:
    (statement,) = analyze("CREATE VIEW v AS SELECT a, b FROM t").statements
    effects = {statement.model.name(r.target): r.effect for r in statement.model.relations if r.type == "fdd"}
    assert effects["v.a"] == effects["v.b"] == "create_view"
    assert effects["RS-1.a"] == "select"


def test_relations_of_a_script_are_those_of_its_statements() -> None:
    lineage = analyze("SELECT a FROM t; SELECT b FROM u")
    assert lineage.relations == [r for s in lineage.statements for r in s.model.relations]
    assert len(lineage.relations) >= 4


# Ambiguity

AMBIGUOUS = "SELECT x FROM a JOIN b ON a.id = b.id"


def owners(lineage: Lineage, column: str) -> list[tuple[str | None, bool]]:
    edges = lineage.column_edges(rows="none")
    return [(e.source.table, e.candidate) for e in edges if e.target.column == column]


def codes(lineage: Lineage) -> list[str]:
    return [d.code.value for d in lineage.diagnostics]


@pytest.mark.parametrize("schema", [None, {"a": ["id", "x"], "b": ["id", "x"]}])
def test_candidates_are_all_related_and_marked(schema: Any) -> None:
    lineage = analyze(AMBIGUOUS, schema=schema)
    assert owners(lineage, "x") == [("a", True), ("b", True)]
    assert codes(lineage) == ["ambiguous-column"]


def test_a_known_owner_is_not_ambiguous() -> None:
    lineage = analyze(AMBIGUOUS, schema={"a": ["id"], "b": ["id", "x"]})
    assert owners(lineage, "x") == [("b", False)]
    assert codes(lineage) == []


def test_first_takes_the_first_in_from() -> None:
    assert [table for table, _ in owners(analyze(AMBIGUOUS, ambiguous="first"), "x")] == ["a"]


PREFIXED = "SELECT ss_item_sk, c_name FROM store_sales, customer"


def test_prefix_goes_by_names_as_in_tpc_ds() -> None:
    lineage = analyze(PREFIXED, ambiguous="prefix")
    assert [table for table, _ in owners(lineage, "ss_item_sk")] == ["store_sales"]
    assert [table for table, _ in owners(lineage, "c_name")] == ["customer"]


TPC_DS = {
    "call_center": "cc",
    "catalog_page": "cp",
    "catalog_returns": "cr",
    "catalog_sales": "cs",
    "customer": "c",
    "customer_address": "ca",
    "customer_demographics": "cd",
    "date_dim": "d",
    "household_demographics": "hd",
    "income_band": "ib",
    "inventory": "inv",
    "item": "i",
    "promotion": "p",
    "reason": "r",
    "ship_mode": "sm",
    "store": "s",
    "store_returns": "sr",
    "store_sales": "ss",
    "time_dim": "t",
    "warehouse": "w",
    "web_page": "wp",
    "web_returns": "wr",
    "web_sales": "ws",
    "web_site": "web",
}


@pytest.mark.parametrize("order", [list, reversed])
def test_prefix_knows_every_table_of_tpc_ds(order: Any) -> None:
    assert len(TPC_DS) == 24
    names = ", ".join(f"{prefix}_x" for prefix in TPC_DS.values())
    lineage = analyze(f"SELECT {names} FROM {', '.join(order(list(TPC_DS)))}", ambiguous="prefix")
    assert {prefix: owners(lineage, f"{prefix}_x") for prefix in TPC_DS.values()} == {
        prefix: [(table, True)] for table, prefix in TPC_DS.items()
    }


@pytest.mark.parametrize("column", ["x", "zz_x", "c_x"])
def test_prefix_takes_the_first_where_it_does_not_decide(column: str) -> None:
    """As `first` does: the column has no prefix, that of no table, or that of two."""
    lineage = analyze(f"SELECT {column} FROM store_sales, customer, city", ambiguous="prefix")
    assert owners(lineage, column) == [("store_sales", True)]
    assert codes(lineage) == ["guessed-column"]


@pytest.mark.parametrize(("policy", "sql", "column"), [("first", AMBIGUOUS, "x"), ("prefix", PREFIXED, "c_name")])
def test_what_was_guessed_says_so(policy: str, sql: str, column: str) -> None:
    lineage = analyze(sql, ambiguous=policy)
    assert all(candidate for _, candidate in owners(lineage, column)) or codes(lineage)


INSERTED = {"t": ["a", "b", "c"], "s": ["a", "b", "x"]}


@pytest.mark.parametrize(
    ("select", "expected", "said"),
    [
        ("b, a FROM s", ["t.a <- s.a", "t.b <- s.b"], []),
        ("a, x + 1 AS c, b AS renamed FROM s", ["t.a <- s.a", "t.b <- s.b", "t.c <- s.x"], []),
        ("b AS renamed, b FROM s", ["t.b <- s.b"], ["schema-mismatch"]),
        ("x, a FROM s", ["t.a <- s.a"], ["schema-mismatch"]),
        ("a, a FROM s", ["t.a <- s.a"], ["schema-mismatch"]),
        ("* FROM unknown", ["t.a <- unknown.a", "t.b <- unknown.b", "t.c <- unknown.c"], []),
        ("b, a FROM s UNION ALL SELECT x, b FROM s", ["t.a <- s.a", "t.a <- s.b", "t.b <- s.b", "t.b <- s.x"], []),
    ],
)
def test_insert_by_name(select: str, expected: list[str], said: list[str]) -> None:
    """Without a column list, outputs go to the known columns of their names, or of the plain columns that they rename."""
    lineage = analyze(f"INSERT INTO t SELECT {select}", schema=INSERTED, insert_by="name")
    assert sorted(f"{e.target} <- {e.source}" for e in lineage.column_edges(rows="none")) == expected
    assert codes(lineage) == said


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("INSERT INTO t (c, a) SELECT a, b FROM s", ["t.a <- s.b", "t.c <- s.a"]),
        ("INSERT INTO u SELECT b, a FROM s", ["u.a <- s.a", "u.b <- s.b"]),
    ],
)
def test_insert_by_name_leaves_lists_and_unknown_tables_as_they_are(sql: str, expected: list[str]) -> None:
    lineage = analyze(sql, schema=INSERTED, insert_by="name")
    assert sorted(f"{e.target} <- {e.source}" for e in lineage.column_edges(rows="none")) == expected


def test_insert_by_name_reaches_heavy_statements() -> None:
    sql = "INSERT INTO t SELECT " + "(" * 400 + "b" + ")" * 400 + " AS b, a FROM s"
    lineage = analyze(sql, schema=INSERTED, insert_by="name")
    assert {(str(e.target), str(e.source)) for e in lineage.column_edges(rows="none")} == {
        ("t.a", "s.a"),
        ("t.b", "s.b"),
    }


def test_an_unknown_insert_rule_is_an_error() -> None:
    with pytest.raises(ValueError, match="insert_by must be one of position, name"):
        analyze("SELECT 1", insert_by="nam")


def test_nobodys_column_is_an_orphan_with_a_hint() -> None:
    lineage = analyze("SELECT amuont FROM t", schema={"t": ["amount"]})
    assert owners(lineage, "amuont") == [("pseudo_table_include_orphan_column", False)]
    (diagnostic,) = lineage.diagnostics
    assert (diagnostic.code.value, diagnostic.severity.value, diagnostic.subject) == (
        "unresolved-column",
        "warning",
        "amuont",
    )
    assert "amount" in diagnostic.hint


# Expressions: one for each output, the text of its own projection or assignment


@pytest.mark.parametrize(
    ("sql", "expected"),
    [
        ("INSERT INTO o SELECT s.p AS q FROM (SELECT max(x) AS p FROM t) s", ["s.p"]),
        ("WITH c AS (SELECT a + b AS m FROM t) INSERT INTO o SELECT m FROM c", ["m"]),
        ("CREATE VIEW v AS SELECT upper(s.p) AS q FROM (SELECT max(x) AS p FROM t) s", ["upper(s.p)"]),
        ("INSERT INTO o SELECT * FROM (SELECT max(x) AS p FROM t) s", ["max(x)"]),
        ("INSERT INTO o SELECT a + 1 AS x FROM t UNION ALL SELECT b * 2 FROM u", ["a + 1", "b * 2"]),
        ("INSERT INTO o SELECT z FROM (SELECT a + 1 AS z FROM t UNION ALL SELECT b * 2 FROM u) k", ["z"]),
        ("UPDATE o SET x = (SELECT max(b) FROM t)", ["(SELECT max(b) FROM t)"]),
        (
            "MERGE INTO o USING (SELECT k, sum(v) AS v FROM s GROUP BY k) s ON o.k = s.k WHEN MATCHED THEN UPDATE SET v = s.v",
            ["s.v"],
        ),
        ("SELECT p FROM (SELECT max(x) AS p FROM t) s", ["p"]),
    ],
)
def test_an_output_has_the_text_of_its_own_projection(sql: str, expected: list[str]) -> None:
    """Behind a star there is none, and the nearest one inside counts; a union has one for each branch."""
    edges = analyze(sql).column_edges(rows="none")
    assert sorted({e.expression for e in edges}) == expected
    assert all(e.span is not None and sql[slice(*e.span)] == e.expression for e in edges)


def test_the_complete_level_has_the_inner_expression() -> None:
    lineage = analyze("INSERT INTO o SELECT s.p AS q FROM (SELECT max(x) AS p FROM t) s")
    found = {relation.expression for relation in lineage.statements[0].model.relations}
    assert {"s.p", "max(x)"} <= found


# JSON


def test_json_has_a_stable_shape() -> None:
    body = json.loads(analyze("INSERT INTO db.o SELECT a FROM t WHERE b > 0", path="x/job.sql").to("json"))
    assert body["format"] == "headwater"
    assert body["version"] == "1"
    assert body["level"] == "column"
    assert (body["file"], body["sources"], body["targets"]) == ("x/job.sql", ["t"], ["db.o"])
    assert {"edges", "diagnostics"} <= body.keys()
    first = body["edges"][0]
    assert first["source"] == {"table": "t", "column": "a"}
    assert first["target"] == {"table": "db.o", "column": "a"}
    assert {"type", "subtype", "clause", "masking", "candidate", "expression", "process"} <= first.keys()
    assert {"type", "name", "procedure", "queryHashId", "span"} <= first["process"].keys()


def test_json_diagnostics() -> None:
    (diagnostic,) = json.loads(analyze("SELECT\n  nope\nFROM t", schema={"t": ["a"]}).to("json"))["diagnostics"]
    assert (diagnostic["code"], diagnostic["severity"], diagnostic["subject"]) == (
        "unresolved-column",
        "warning",
        "nope",
    )
    assert diagnostic["span"] == {"start": [2, 3], "end": [2, 7]}
    assert diagnostic["message"]


def test_json_edges_have_a_place_of_their_own() -> None:
    body = json.loads(analyze("SELECT a,\n  b + 1 AS x FROM t").to("json"))
    (edge,) = (e for e in body["edges"] if e["target"]["column"] == "x")
    assert edge["span"] == {"start": [2, 3], "end": [2, 8]}


def test_json_keeps_letters_as_they_are() -> None:
    text = analyze("SELECT größe AS x FROM t").to("json")
    assert "größe" in text


def test_json_is_the_same_each_time() -> None:
    assert analyze(TEMPORARY).to("json") == analyze(TEMPORARY).to("json")


def test_csv_has_the_seeds_columns() -> None:
    rows = analyze("INSERT INTO o SELECT a, 'k' AS k FROM db.t", path="job.sql").to("csv").splitlines()
    assert rows == [
        "source_table,source_column,expression,target_column,target_table,file",
        "db.t,a,a,a,o,job.sql",
        ",,'k',k,o,job.sql",
    ]
