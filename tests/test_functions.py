"""Functions that scripts define and call: where things stand, how long definitions live, and that looking into bodies ends."""

from __future__ import annotations

import headwater
from headwater.analysis import Script, analyze_scripts
from headwater.model.diagnostic import Code
from headwater.model.entity import EntityKind
from headwater.sql.text import Text


def edges(lineage: headwater.Lineage) -> list[str]:
    return [f"{e.target} <- {e.source} {e.subtype}" for e in lineage.column_edges(rows="none")]


def scripts(*texts: str) -> list[Script]:
    return [Script(None, Text(text, "utf-8")) for text in texts]


def test_a_function_outlives_its_script() -> None:
    _, second = analyze_scripts(
        scripts("CREATE FUNCTION f(a INT, b INT) RETURNS INT RETURN a", "SELECT f(x, y) AS z FROM t"), "spark"
    )
    assert edges(second) == ["z <- t.x IDENTITY"]


def test_a_temporary_function_does_not() -> None:
    _, second = analyze_scripts(
        scripts("CREATE TEMPORARY FUNCTION f(a INT, b INT) RETURNS INT RETURN a", "SELECT f(x, y) AS z FROM t"), "spark"
    )
    assert edges(second) == ["z <- t.x TRANSFORMATION", "z <- t.y TRANSFORMATION"]


def test_what_a_body_holds_has_the_place_of_the_call() -> None:
    first = "CREATE FUNCTION f(a INT) RETURNS INT RETURN 7 + nobody + (SELECT max(v) FROM u WHERE k = a)"
    second = "SELECT f(x) AS z FROM t"
    *_, lineage = analyze_scripts(scripts(first, second), "spark")
    (statement,) = lineage.statements
    start, end = second.index("f(x)"), second.index("f(x)") + len("f(x)")
    for relation in statement.model.relations:
        for source in relation.sources:
            assert source.span is None or source.span.end <= len(second)
    literal = next(e for e in lineage.column_edges(literals=True) if str(e.source) == "literal(7)")
    assert literal.span is not None
    assert (literal.span.start, literal.span.end) == (start, end)
    (problem,) = lineage.diagnostics
    assert problem.code is Code.UNRESOLVED_COLUMN
    assert problem.span is not None
    assert (problem.span.start, problem.span.end) == (start, end)


def test_a_query_inside_a_string_has_places_inside_it() -> None:
    sql = "SELECT q.a FROM OPENQUERY(srv, 'SELECT a, ''x'' AS b FROM d.dbo.t WHERE limited > 0') q"
    lineage = headwater.analyze(sql, dialect="tsql")
    (statement,) = lineage.statements
    spans = {
        statement.model.name(s.column): s.span
        for r in statement.model.relations
        for s in r.sources
        if s.span is not None
    }
    span = spans["srv.d.dbo.t.limited"]
    assert sql[span.start : span.end] == "limited"


def test_an_unknown_function_is_a_table_of_type_function() -> None:
    lineage = headwater.analyze("SELECT a FROM dbo.f(1)", dialect="tsql")
    (entity,) = [e for e in lineage.statements[0].model.entities if e.table == ("dbo", "f")]
    assert (entity.kind, entity.type) == (EntityKind.TABLE, "function")


def test_a_known_function_is_no_entity() -> None:
    lineage = headwater.analyze("SELECT n FROM generate_series(1, 3) AS g(n)", dialect="postgres")
    assert not [e for e in lineage.statements[0].model.entities if e.table and e.table[-1] == "generate_series"]


def test_functions_that_double_end() -> None:
    definitions = ["CREATE MACRO f0(a) AS a + a"]
    definitions += [f"CREATE MACRO f{i}(a) AS f{i - 1}(a) + f{i - 1}(a)" for i in range(1, 40)]
    lineage = headwater.analyze(";".join([*definitions, "SELECT f39(x) AS y FROM t"]), dialect="duckdb")
    assert edges(lineage) == ["y <- t.x TRANSFORMATION"]
    assert [d.code for d in lineage.diagnostics] == [Code.UNSUPPORTED_CONSTRUCT]


def test_a_long_chain_of_functions_is_followed() -> None:
    definitions = ["CREATE MACRO f0(a) AS a"] + [f"CREATE MACRO f{i}(a) AS f{i - 1}(a)" for i in range(1, 300)]
    lineage = headwater.analyze(";".join([*definitions, "SELECT f299(x) AS y FROM t"]), dialect="duckdb")
    assert edges(lineage) == ["y <- t.x IDENTITY"]
    assert lineage.diagnostics == []


def test_defining_is_a_process_without_relations() -> None:
    lineage = headwater.analyze("CREATE FUNCTION f(a INT) RETURNS INT RETURN (SELECT max(b) FROM t)", dialect="spark")
    (statement,) = lineage.statements
    assert statement.resolution.process.type == "Create Function"
    assert lineage.column_edges() == []
    assert lineage.table_edges() == []
