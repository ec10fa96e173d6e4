"""Places: an edge's expression is the text as it stands in the script, and its span says where that is."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import pytest

import headwater
from case_file import Case, case_files
from case_runner import analyse
from headwater import ColumnEdge, Lineage
from headwater.lineage.complete import CompleteModel
from headwater.model.entity import EntityKind
from headwater.model.span import LineIndex, Span

pytestmark = pytest.mark.no_cover  # counting takes as long as running, and the cases have counted it

SCHEMA = {
    "t": dict.fromkeys("abcdefg", "int"),
    "u": dict.fromkeys(["id", "v", "w"], "int"),
    "o": dict.fromkeys(["x", "y", "z"], "int"),
}

SPARK = [
    "extract(year FROM a)",
    "trim(BOTH 'x' FROM a)",
    "INTERVAL 1 DAY + a",
    "EXISTS (SELECT 1 FROM u WHERE u.id = a)",
    "(a, b)",
    # plain and bracketed
    "a",
    "t.a",
    "`a` + `b`",
    "(a)",
    "((a + b))",
    "(a + b) * (c + d)",
    "((a) + (b))",
    "2 * (a + b)",
    # operators before, between and after
    "-a",
    "~a",
    "NOT a",
    "NOT (a = b)",
    "a + b * c - d",
    "a % 2",
    "a & b",
    "a DIV b",
    "a || '-' || b",
    "'(' || a || ')'",
    "a <=> b",
    "a IS NULL",
    "a IS NOT NULL",
    "a IS DISTINCT FROM b",
    "a BETWEEN b AND c",
    "a IN (1, 2)",
    "a NOT IN (1, 2)",
    "a LIKE 'x%' ESCAPE '!'",
    "a RLIKE 'x'",
    "a AND b OR c",
    "a + INTERVAL '1' DAY",
    # CASE
    "CASE WHEN a > 0 THEN b ELSE c END",
    "CASE a WHEN 1 THEN b END",
    "CASE WHEN a THEN CASE WHEN b THEN c END END",
    "(CASE WHEN a THEN b END)",
    "1 + CASE WHEN a > 0 THEN b END",
    "CASE WHEN a > 0 THEN b END + 1",
    # casts
    "CAST(a AS int)",
    "CAST(a AS decimal(10, 2))",
    "TRY_CAST(a AS int)",
    "CAST(a AS string) || 'x'",
    # functions
    "upper(a)",
    "UPPER( a )",
    "f ( a )",
    "f(g(h(a)))",
    "db.my_udf(a, b)",
    "coalesce(a, b, 0)",
    "nullif(a, 0)",
    "if(a > 0, b, c)",
    "concat(a, ')', b)",
    "substr(a, 1, 3)",
    "trim(a)",
    "position('x' IN a)",
    "decode(a, 1, 'x', b)",
    "date_trunc('month', a)",
    "transform(a, y -> y + b)",
    "struct(a AS p, b AS q)",
    "array(a, b)[0]",
    "a[0]",
    # aggregates and windows
    "count(*)",
    "count(DISTINCT a)",
    "sum(a) / count(*)",
    "round(sum(a), 2)",
    "sum(CASE WHEN a > 0 THEN b ELSE 0 END)",
    "sum(a) FILTER (WHERE b > 0)",
    "sum(a) OVER (PARTITION BY b ORDER BY c)",
    "sum(a) OVER (ORDER BY c ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW)",
    "sum(a) OVER (PARTITION BY b) / 2",
    "sum(a) OVER ()",
    "row_number() OVER (PARTITION BY b ORDER BY c DESC)",
    "lag(a, 1) OVER (ORDER BY b)",
    # subqueries
    "(SELECT v FROM u LIMIT 1) + 1",
    "coalesce((SELECT max(v) FROM u WHERE u.id = t.a), 0)",
    "a IN (SELECT id FROM u)",
    # comments and lines
    "a /* why, (oh) why */ + b",
    "a -- a note, 'quoted\n + b",
    "a\n  + b\n\t* c",
    "CASE\n  WHEN a > 0\n  THEN b\nEND",
    # constants
    "1",
    "'x'",
    "1 + 2",
    "upper('x')",
    "DATE '2020-01-01'",
]

SPARK_WRONG = {
    "+a": "unary plus is lost",
    "true": "an aliased constant without offsets has no expression, and others are respelled",
}

FORMS = [
    ("SELECT ", " AS x FROM t"),
    ("SELECT d, ", " x, c FROM t"),
    ("SELECT\n  d AS d\n, ", "\nAS `x`\nFROM t"),
    ("INSERT INTO o (x) SELECT ", " FROM t"),
    ("CREATE VIEW v (x) AS SELECT ", " FROM t WHERE a > 0 ORDER BY b"),
    ("SELECT 'é 漢 😀' AS s; -- one\nSELECT d AS d, ", " AS x FROM t"),
]


def edges_into(lineage: Lineage, column: str) -> list[ColumnEdge]:
    return [e for e in lineage.column_edges(literals=True) if e.target.column == column]


def slice_of(sql: str, span: Span | None) -> str | None:
    return None if span is None else sql[span.start : span.end]


def marked(texts: list[str], wrong: dict[str, str]) -> list[Any]:
    known = [pytest.param(text, marks=pytest.mark.xfail(strict=True, reason=reason)) for text, reason in wrong.items()]
    return [*texts, *known]


def check(prefix: str, expression: str, suffix: str, dialect: str, target: str = "x") -> None:
    """Every edge into the target has exactly the expression between prefix and suffix, at its place."""
    sql = f"{prefix}{expression}{suffix}"
    lineage = headwater.analyze(sql, dialect=dialect, schema=SCHEMA)
    assert lineage.diagnostics == []
    edges = edges_into(lineage, target)
    assert edges
    assert {e.expression for e in edges} == {expression}
    assert {e.span for e in edges} == {Span(len(prefix), len(prefix) + len(expression))}


@pytest.mark.parametrize("expression", marked(SPARK, SPARK_WRONG))
@pytest.mark.parametrize(("prefix", "suffix"), FORMS, ids=["as", "bare", "lines", "insert", "view", "second"])
def test_an_edges_expression_is_the_select_item(prefix: str, suffix: str, expression: str) -> None:
    check(prefix, expression, suffix, "spark")


@pytest.mark.parametrize(
    ("prefix", "suffix"),
    [
        FORMS[0],
        FORMS[3],
    ],
    ids=["select", "insert"],
)
def test_a_scalar_subquery_is_the_expression_itself(prefix: str, suffix: str) -> None:
    check(prefix, "(SELECT max(v) FROM u WHERE u.id = t.a)", suffix, "spark")


POSTGRES = [
    "ARRAY[a, b]",
    "extract(epoch FROM a)::int",
    "interval '1 day' * a",
    "a::int",
    "a::int + b",
    "(a + b)::numeric(10,2)",
    "a::text || 'x'",
    "CAST(a AS varchar(3))::int",
    "a->>'k'",
    "a->'k'->>'l'",
    "array_agg(a ORDER BY b)",
    "percentile_cont(0.5) WITHIN GROUP (ORDER BY a)",
    "count(*) FILTER (WHERE a > 0)",
    "a AT TIME ZONE 'UTC'",
    "a = ANY(ARRAY[b])",
    "- (a)",
    "-(-a)",
    "substring(a FROM 1 FOR 2)",
    "sum(a) OVER (PARTITION BY b)::int",
    "E'x' || a",
]


@pytest.mark.parametrize("expression", POSTGRES)
def test_postgres_expressions(expression: str) -> None:
    check("SELECT b, ", expression, " AS x FROM t", "postgres")


SNOWFLAKE = [
    "a:b.c::string",
    "a[0]:b",
    "IFF(a > 0, b, c)",
    "LISTAGG(a, ',') WITHIN GROUP (ORDER BY b)",
    "DATEADD(day, 1, a)",
    "PARSE_JSON(a):k::int",
    # sizes that the parser adds, and sizes that are written
    "a::number",
    "coalesce(a, 0)::decimal",
    "cast(a AS numeric)",
    "(a / 100)::number(10, 2)",
]


@pytest.mark.parametrize("expression", SNOWFLAKE)
def test_snowflake_expressions(expression: str) -> None:
    check("SELECT b, ", expression, " AS x FROM t", "snowflake", "X")


BIGQUERY = [
    "[a, b]",
    "[a, b][OFFSET(0)]",
    "ARRAY(SELECT v FROM u)",
    "SAFE_CAST(a AS INT64)",
    "STRUCT(a AS p, b AS q)",
    "DATE_SUB(a, INTERVAL 1 DAY)",
    "ARRAY_AGG(a IGNORE NULLS ORDER BY b LIMIT 1)",
    "COUNTIF(a > 0)",
]


@pytest.mark.parametrize("expression", BIGQUERY)
def test_bigquery_expressions(expression: str) -> None:
    check("SELECT b, ", expression, " AS x FROM t", "bigquery")


TSQL = [
    "TRY_CONVERT(int, a)",
    "a + b",
    "[a] + [b]",
    "CONVERT(varchar(10), a)",
    "CAST(a AS int)",
    "ISNULL(a, 0)",
    "IIF(a > 0, b, c)",
    "DATEADD(day, 1, a)",
    "STUFF(a, 1, 2, b)",
]


@pytest.mark.parametrize("expression", TSQL)
def test_tsql_expressions(expression: str) -> None:
    check("SELECT b, ", expression, " AS [x] FROM t", "tsql")


@pytest.mark.parametrize("expression", TSQL)
def test_tsql_names_in_front(expression: str) -> None:
    check("SELECT b, x = ", expression, " FROM t", "tsql")


def made(sql: str, dialect: str) -> set[tuple[str, str, str | None]]:
    """Target, expression, and the text at the expression's span, of every edge."""
    lineage = headwater.analyze(sql, dialect=dialect, schema=SCHEMA)
    assert lineage.diagnostics == []
    return {
        (e.target.column, e.expression, slice_of(sql, e.span))
        for e in lineage.column_edges(rows="none", literals=True)
        if e.type == "fdd"
    }


def same(*pairs: tuple[str, str]) -> set[tuple[str, str, str | None]]:
    return {(column, text, text) for column, text in pairs}


def test_update_assignments() -> None:
    sql = (
        "SELECT 1;\nUPDATE o SET x = (u.v + 1) * 2,\n  y = CASE WHEN u.w > 0 THEN 1 END,\n"
        "  z = coalesce(u.v, o.z)\nFROM u WHERE u.id = o.z"
    )
    assert {each for each in made(sql, "postgres") if each[0] in "xyz"} == same(
        ("x", "(u.v + 1) * 2"), ("y", "CASE WHEN u.w > 0 THEN 1 END"), ("z", "coalesce(u.v, o.z)")
    )


def test_update_from_a_scalar_subquery() -> None:
    assert made("UPDATE o SET x = (SELECT max(v) FROM u WHERE u.id = o.z) WHERE y > 0", "spark") == same(
        ("x", "(SELECT max(v) FROM u WHERE u.id = o.z)")
    )


def test_update_of_a_tuple() -> None:
    assert made("UPDATE o SET (x, y) = (u.v + 1, upper(u.w)) FROM u", "postgres") == same(
        ("x", "u.v + 1"), ("y", "upper(u.w)")
    )


def test_update_of_a_tuple_from_a_subquery() -> None:
    found = made("UPDATE o SET (x, y) = (SELECT v + 1, w FROM u WHERE id = o.z)", "postgres")
    assert all("SELECT" in text or text in ("v + 1", "w") for _, text, _ in found)


def test_merge_assignments() -> None:
    sql = (
        "MERGE INTO o USING u ON o.z = u.id\n"
        "WHEN MATCHED AND u.w > 0 THEN UPDATE SET x = u.v + 1, o.y = coalesce(u.w, o.y)\n"
        "WHEN NOT MATCHED THEN INSERT (x, y, z) VALUES ((u.v * 2), 'new', CAST(u.id AS int))"
    )
    assert made(sql, "spark") == same(
        ("x", "u.v + 1"),
        ("y", "coalesce(u.w, o.y)"),
        ("x", "(u.v * 2)"),
        ("y", "'new'"),
        ("z", "CAST(u.id AS int)"),
    )


def test_insert_values() -> None:
    assert made("INSERT INTO o VALUES (1, 'a', 2+3)", "spark") == same(("x", "1"), ("y", "'a'"), ("z", "2+3"))


def test_each_branch_of_a_union_has_its_own_expression() -> None:
    sql = "INSERT INTO o (x) SELECT a + 1 AS x FROM t UNION ALL SELECT v FROM u UNION ALL SELECT -w FROM u"
    assert made(sql, "spark") == same(("x", "a + 1"), ("x", "v"), ("x", "-w"))


def test_a_star_is_its_own_expression() -> None:
    assert made("INSERT INTO o SELECT u.* FROM u", "spark") == same(("x", "u.*"), ("y", "u.*"), ("z", "u.*"))


# Over everything that the literate cases hold.

_QUOTED = re.compile(r"'(?:[^'\\]|''|\\.)*'|\"[^\"]*\"|`[^`]*`|--[^\n]*|/\*.*?\*/", re.DOTALL)
_INNERMOST = re.compile(r"\([^()]*\)")
_CLAUSE = re.compile(r"\b(SELECT|FROM|WHERE|UNION|MINUS|INSERT)\b", re.IGNORECASE)


def outside_brackets(text: str) -> str:
    """A text without its quotes, comments and bracketed parts."""
    bare = _QUOTED.sub("''", text)
    while (shorter := _INNERMOST.sub("", bare)) != bare:
        bare = shorter
    return bare


def is_one_expression(text: str) -> bool:
    bare = re.sub(r"IS (?:NOT )?DISTINCT FROM|MULTISET UNION DISTINCT", "", outside_brackets(text))
    return not set("()") & set(bare) and not _CLAUSE.search(bare)


def bad_places(sql: str, lineage: Lineage) -> list[str]:
    """Expressions that do not stand in the text as they are shown, or are not one whole expression.

    What stands in an executed text is put together, and stands nowhere.
    """
    executed = re.search(r"\b(EXEC|EXECUTE|IDENTIFIER|SysExecSQL|sqlText)\b|\$\{", sql) is not None
    edges = [e for e in lineage.column_edges(literals=True) if e.expression and (e.span is not None or not executed)]
    found = {e.expression: e.span for e in edges}
    return sorted(x for x, span in found.items() if slice_of(sql, span) != x or not is_one_expression(x))


KNOWN = {
    "TRUE, FALSE and NULL have no place": (r"^(TRUE|FALSE|NULL)$", "spark", "UPDATE o SET x = NULL"),
    "what REDUCE makes of MAP has the text of both": (
        r"^\(FROM t MAP",
        "hive",
        "FROM (FROM t MAP a USING 'm.py' AS k CLUSTER BY k) m INSERT OVERWRITE TABLE o REDUCE m.k USING 'r.py' AS (x INT)",
    ),
}
"""What is known to be wrong: how to recognise it among the cases, and the smallest script that shows it."""


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        pytest.param(*script, id=reason, marks=pytest.mark.xfail(strict=True, reason=reason))
        for reason, (_, *script) in KNOWN.items()
    ],
)
def test_known_to_be_wrong(dialect: str, sql: str) -> None:
    assert bad_places(sql, headwater.analyze(sql, dialect, SCHEMA)) == []


def is_known(expression: str) -> bool:
    return any(re.search(pattern, expression) for pattern, *_ in KNOWN.values())


@pytest.mark.slow
@pytest.mark.parametrize("cases", case_files().values(), ids=case_files())
def test_every_cases_expressions_stand_in_its_text(cases: Sequence[Case]) -> None:
    found = {case.id: [x for x in bad_places(case.sql, analyse(case)) if not is_known(x)] for case in cases}
    assert {case: bad for case, bad in found.items() if bad} == {}


# The complete model: what each relation, column and entity points at.


def model(sql: str, dialect: str = "spark", statement: int = -1) -> CompleteModel:
    return headwater.analyze(sql, dialect=dialect, schema=SCHEMA).statements[statement].model


def source_texts(sql: str, found: CompleteModel) -> set[tuple[str, str, str | None]]:
    """Target, source and the text at the source's span, without row sets."""
    return {
        (found.name(r.target), found.name(s.column), slice_of(sql, s.span))
        for r in found.relations
        for s in r.sources
        if not found.columns[s.column].is_row_set
    }


def test_a_relations_source_points_at_the_reference() -> None:
    sql = "SELECT 1;\nSELECT q.a + b AS x, 'k' AS k\nFROM t AS q JOIN u ON q.c = u.id WHERE d > 0"
    assert source_texts(sql, model(sql)) == {
        ("RS-1.x", "t.a", "q.a"),
        ("RS-1.x", "t.b", "b"),
        ("RS-1.k", "literal('k')", "'k'"),
        ("RS-1.PseudoRows", "t.c", "q.c"),
        ("RS-1.PseudoRows", "u.id", "u.id"),
        ("RS-1.PseudoRows", "t.d", "d"),
        ("t.c", "u.id", "u.id"),
    }


def test_two_uses_of_one_column_point_at_two_places() -> None:
    sql = "SELECT a, -a AS n FROM t WHERE a > 0"
    found = model(sql)
    named = [s for r in found.relations for s in r.sources if found.columns[s.column].name == "a"]
    spans = sorted({s.span for s in named if s.span is not None})
    assert spans == [Span(7, 8), Span(11, 12), Span(sql.rindex("a"), sql.rindex("a") + 1)]


def test_offsets_count_characters_not_bytes() -> None:
    sql = "SELECT '😀é漢' AS s FROM t; SELECT a AS x FROM t"
    start = sql.rindex("a AS x")
    assert [(e.expression, e.span) for e in edges_into(headwater.analyze(sql), "x")] == [("a", Span(start, start + 1))]


def test_tables_point_at_their_names() -> None:
    sql = "INSERT INTO o SELECT a, v, 1 FROM t AS q JOIN u ON q.b = u.id"
    found = model(sql)
    texts = {e.name: slice_of(sql, e.span) for e in found.entities if e.kind is EntityKind.TABLE}
    assert texts.keys() == {"o", "t", "u"}
    assert {name: (text or "").split()[0] for name, text in texts.items()} == {"o": "o", "t": "t", "u": "u"}


def test_a_statements_span_is_its_text() -> None:
    sql = "-- head\nSELECT a FROM t ;\n\n/* then */ SELECT b\nFROM t;\n"
    spans = [s.resolution.process.span for s in headwater.analyze(sql).statements]
    assert [slice_of(sql, span) for span in spans] == ["SELECT a FROM t", "SELECT b\nFROM t"]


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_lines_and_columns_count_from_one(newline: str) -> None:
    sql = newline.join(["SELECT a", "FROM t;", "SELECT\tb + 1 AS x", "FROM t"])
    (span,) = {e.span for e in edges_into(headwater.analyze(sql), "x")}
    assert span is not None
    start, end = (LineIndex(sql).position(offset) for offset in (span.start, span.end))
    assert (str(start), str(end)) == ("3:8", "3:13")


def test_a_diagnostic_points_at_the_name() -> None:
    sql = "SELECT a FROM t;\nSELECT a, nope\nFROM t"
    lineage = headwater.analyze(sql, schema=SCHEMA)
    (diagnostic,) = lineage.diagnostics
    assert slice_of(sql, diagnostic.span) == "nope"
    assert str(lineage.position(diagnostic.span)) == "2:11"


def test_a_syntax_error_points_into_its_statement() -> None:
    sql = "SELECT a FROM t;\nSELECT a FROM t WHERE (a = 1;\nSELECT b FROM t"
    lineage = headwater.analyze(sql, schema=SCHEMA)
    (diagnostic,) = lineage.diagnostics
    position = lineage.position(diagnostic.span)
    assert position is not None
    assert position.line == 2


def test_an_open_string_points_at_its_statement() -> None:
    sql = "SELECT a FROM t;\nSELECT 'open FROM t;\nSELECT b FROM t;\n"
    lineage = headwater.analyze(sql, schema=SCHEMA)
    assert [(d.code.value, str(lineage.position(d.span))) for d in lineage.diagnostics] == [("syntax-error", "2:1")]
    assert {str(e.source) for e in lineage.column_edges(rows="none")} == {"t.a", "t.b"}


COMPLETE = "SELECT upper(a) AS x, sum(b) AS y FROM t JOIN u ON t.c = u.id WHERE d > 0 GROUP BY 1"


def test_a_function_points_at_its_call() -> None:
    found = model(COMPLETE)
    texts = {slice_of(COMPLETE, e.span) for e in found.entities if e.kind is EntityKind.FUNCTION and e.span}
    assert texts == {"upper(a)", "sum(b)"}


def test_every_relation_knows_its_place() -> None:
    found = model(COMPLETE)
    missing = [found.name(r.target) for r in found.relations for s in r.sources if s.span is None]
    assert missing == []


def test_every_entity_knows_its_place() -> None:
    found = model(COMPLETE)
    used = {found.columns[r.target].entity for r in found.relations}
    assert [found.entities[e].name for e in used if found.entities[e].span is None] == []


def test_every_column_knows_its_place() -> None:
    found = model(COMPLETE)
    used = {s.column for r in found.relations for s in r.sources}
    assert [found.name(c) for c in used if found.columns[c].span is None] == []


@pytest.mark.parametrize(("target", "expression"), [("f0_", "a + 1"), ("f1_", "b * 2"), ("u", "UPPER(d)")])
def test_keys_of_a_piped_aggregate_are_their_own_expressions(target: str, expression: str) -> None:
    sql = "FROM t |> AGGREGATE COUNT(*) AS c GROUP BY a + 1, b * 2 DESC, UPPER(d) AS u"
    prefix, _, suffix = sql.partition(expression)
    check(prefix, expression, suffix, "bigquery", target)
