"""Proof by data: what is right holds, what is missing from a lineage is found, and what cannot run says why."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from click.testing import CliRunner

from case_file import Case, all_cases
from headwater.cli.main import cli
from headwater.lineage.lineage import StatementLineage
from headwater.model.entity import ColumnRef
from headwater.verify import Verdict, Verification, verify
from headwater.verify.database import CannotRun
from headwater.verify.in_duckdb import DuckDB

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.slow

SCHEMA = {
    "t": {"a": "int", "b": "int", "c": "text", "d": "date", "k": "int"},
    "u": {"k": "int", "x": "int", "y": "decimal(10,2)"},
    "o": {"p": "int", "q": "int"},
}


def one(sql: str, **options: object) -> Verification:
    (found,) = verify(sql, **{"schema": SCHEMA, "dialect": "duckdb", **options})  # type: ignore[arg-type]
    return found


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT a + b AS s, c FROM t WHERE d > DATE '2020-01-01'",
        "SELECT t.c, sum(u.x) AS total, count(*) AS n FROM t JOIN u ON t.k = u.k GROUP BY t.c HAVING count(*) > 1",
        "WITH w AS (SELECT k, max(x) AS m FROM u GROUP BY k) SELECT t.a, w.m FROM t LEFT JOIN w ON t.k = w.k",
        "SELECT a, (SELECT max(y) FROM u WHERE u.k = t.k) AS best FROM t",
        "SELECT a, rank() OVER (PARTITION BY c ORDER BY b) AS n FROM t",
        "SELECT CASE WHEN c = 'x' THEN a ELSE b END AS v FROM t",
        "SELECT a FROM t UNION SELECT x FROM u",
        "INSERT INTO o (p, q) SELECT a, b FROM t WHERE c LIKE 'ab%'",
        "CREATE TABLE n AS SELECT a AS z FROM t WHERE k IN (SELECT k FROM u WHERE x > 2)",
        "CREATE VIEW v AS SELECT c, a FROM t",
        "UPDATE t SET a = u.x FROM u WHERE t.k = u.k AND u.x > 1",
        "DELETE FROM t WHERE a > 1",
        "MERGE INTO o USING t ON o.p = t.k WHEN MATCHED THEN UPDATE SET q = t.a WHEN NOT MATCHED THEN INSERT VALUES (t.k, t.b)",
    ],
)
def test_a_right_lineage_holds_and_a_missing_pair_is_found(sql: str) -> None:
    found = one(sql)
    assert found.verdict is Verdict.HOLDS, (found.findings.refused, found.counter_examples)
    assert found.needed
    assert len(found.proved) >= 0.8 * len(found.needed), found.needed - found.proved
    missing = min(found.proved, key=repr)
    wrong = found.without(missing)
    assert wrong.verdict is Verdict.REFUTED
    assert missing[0] in {example.source for example in wrong.counter_examples}


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT sum(a) AS s, c FROM t GROUP BY c HAVING count(*) > 1",
        "SELECT t.a, u.x FROM t LEFT JOIN u ON t.k = u.k",
        "SELECT a FROM t WHERE EXISTS (SELECT 1 FROM u WHERE u.k = t.k AND u.x = 5)",
        "UPDATE t SET a = b WHERE c = 'x'",
        "INSERT INTO o SELECT a, b FROM t",
    ],
)
def test_a_lineage_that_is_wrong_from_the_start_is_refuted(sql: str) -> None:
    """What is tried hangs on what the lineage says: so the runs themselves are made with a pair too few."""
    found = one(sql)
    missed = [pair for pair in found.needed if found.again_without(pair).verdict is not Verdict.REFUTED]
    assert len(missed) <= 0.15 * len(found.needed), missed


def test_a_column_that_is_said_to_be_idle_is_looked_at() -> None:
    found = one("SELECT a + b AS s FROM t")
    wrong = found.again_without((ColumnRef("t", "b"), ColumnRef(None, "s")))
    assert [(str(e.source), [str(t) for t in e.targets]) for e in wrong.counter_examples] == [("t.b", ["s"])]


def test_the_same_seed_gives_the_same_data() -> None:
    sql = "SELECT c, sum(a) AS s FROM t GROUP BY c"
    first, again, other = one(sql, seed=3), one(sql, seed=3), one(sql, seed=4)
    assert first.findings.observations == again.findings.observations
    assert first.findings.observations != other.findings.observations


@pytest.mark.parametrize(
    ("sql", "reason"),
    [
        ("SELECT * FROM unknown_table", "nothing tells the columns of unknown_table"),
        ("SELECT no_such_function(a) FROM t", "no_such_function"),
        ("SELECT a FROM read_csv('x.csv')", "x.csv"),
        ("SELECT a FROM t USING SAMPLE 2", "its result is a matter of chance"),
        ("DROP TABLE t", "it neither shows nor writes columns"),
        ("SELECT a FROM", "its lineage is not known"),
    ],
)
def test_what_cannot_run_says_why(sql: str, reason: str) -> None:
    found = one(sql)
    assert found.verdict is Verdict.NOT_RUN
    assert reason in found.findings.refused


def test_what_cannot_be_written_for_duckdb_says_why() -> None:
    [found] = verify("SELECT xor(a, b, c) AS x FROM t", "mysql", {"t": dict.fromkeys("abc", "int")})
    assert found.verdict is Verdict.NOT_RUN


def test_an_empty_result_proves_nothing() -> None:
    assert one("SELECT a FROM t WHERE 1 = 0").verdict is Verdict.EMPTY


def test_a_dot_in_the_name_of_a_column_is_no_field() -> None:
    found = one('SELECT "a.b" AS x FROM t', schema={"t": {"a.b": "int", "a": "int"}})
    assert found.verdict is Verdict.HOLDS, found.counter_examples


def test_what_takes_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("headwater.verify.in_duckdb.SECONDS", 0.2)
    endless = "WITH RECURSIVE r AS (SELECT 1 AS n UNION ALL SELECT n + 1 FROM r) SELECT n FROM r"
    found = one(endless)
    assert (found.verdict, found.findings.refused) == (Verdict.NOT_RUN, "it takes more than 0.2 seconds")
    assert found.findings.runs == 3


def test_a_lack_of_memory_counts_as_a_lack_of_time() -> None:
    database = DuckDB()
    database.run("SET memory_limit = '20MB'")
    with pytest.raises(CannotRun) as caught:
        database.run("SELECT list(i) AS l FROM range(100000000) r(i)")
    assert caught.value.slow


def test_a_result_that_is_too_large_is_not_cut_but_refused() -> None:
    found = one("SELECT t.a FROM t, range(300000)")
    assert (found.verdict, found.findings.refused) == (Verdict.NOT_RUN, "its result has more than 20,000 rows")


def test_a_result_that_hangs_on_the_order_of_rows_is_not_compared() -> None:
    assert one("SELECT a, b, row_number() OVER () AS n FROM t").verdict is Verdict.UNSTABLE


@pytest.mark.parametrize(
    "lag", ["lag(b) OVER (ORDER BY c)", "lag(b) OVER w", "sum(b) OVER (ORDER BY c ROWS 1 PRECEDING)"]
)
def test_ties_are_chance_though_another_window_sorts_the_rows_first(lag: str) -> None:
    """DuckDB sorts by a hash of `k` before it looks at `c`, so that ties fall by `k`, in whatever order the rows came."""
    sql = f"SELECT a, row_number() OVER (PARTITION BY k ORDER BY b) AS n, {lag} AS p FROM t WINDOW w AS (ORDER BY c)"
    found = [one(sql, schema={"t": dict.fromkeys("abck", "int")}, seed=seed) for seed in range(4)]
    assert not [each.counter_examples for each in found if each.counter_examples]
    assert any(each.findings.unstable for each in found)


@pytest.mark.parametrize("peers", ["sum(b) OVER (ORDER BY c)", "rank() OVER (ORDER BY c)"])
def test_ties_do_not_matter_to_functions_that_see_all_peers(peers: str) -> None:
    found = one(f"SELECT a, {peers} AS p FROM t")
    assert (found.verdict, found.findings.unstable) == (Verdict.HOLDS, 0)


def test_nothing_outside_is_touched(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    for sql in (f"COPY (SELECT a FROM t) TO '{target}'", f"COPY t FROM '{target}'", f"ATTACH '{target}' AS other"):
        for found in verify(sql, "duckdb", SCHEMA):
            assert found.verdict is Verdict.NOT_RUN
    assert list(tmp_path.iterdir()) == []


def test_tables_in_schemas_and_catalogs() -> None:
    schema = {"p.d.t": {"a": "int"}, "d.u": {"a": "int"}}
    found = list(verify("SELECT a FROM p.d.t; SELECT a FROM d.u; SELECT a FROM u", "duckdb", schema, "d"))
    assert [each.verdict for each in found] == [Verdict.HOLDS] * 3


def test_another_dialect_is_written_for_duckdb() -> None:
    found = one("SELECT TOP 3 [a] FROM [t] ORDER BY a DESC, b, c, d, k", dialect="tsql")
    assert found.verdict is Verdict.HOLDS
    assert "LIMIT 3" in found.sql


def test_what_duckdb_would_do_otherwise_is_not_run() -> None:
    found = one("SELECT * FROM t JOIN u USING (k)", dialect="postgres")
    assert found.findings.refused == "DuckDB has the columns of * over USING in another order"


SPARK_SCHEMA = {
    "t": {"a": "int", "l": "array<int>", "m": "map<string,int>", "s": "struct<x:int,y:string>"},
    "o": {"p": "int", "q": "int"},
}


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
@pytest.mark.parametrize(
    ("sql", "runs"),
    [
        ("SELECT e + a AS x, m['a'] AS y FROM t LATERAL VIEW explode(l) z AS e WHERE s.x > 1", True),
        ("SELECT transform(l, v -> v + a) AS x, s.y FROM t", True),
        ("INSERT INTO o SELECT a, s.x FROM t", True),
        ("CREATE TABLE n USING csv LOCATION '{folder}/n' AS SELECT a FROM t", True),
        ("UPDATE t SET a = 1", False),
        ("SELECT TRANSFORM(a) USING 'touch {folder}/script' AS (z) FROM t", False),
        ("SELECT reflect('java.lang.System', 'exit', 0) AS x FROM t", False),
        ("SELECT a FROM csv.`{folder}/in.csv`", False),
        ("INSERT OVERWRITE DIRECTORY '{folder}/out' USING csv SELECT a FROM t", False),
    ],
)
def test_spark_runs_its_own_dialect_and_touches_nothing(
    sql: str, runs: bool, spark: SparkSession, tmp_path: Path
) -> None:
    before = spark.catalog.listTables(), spark.catalog.listDatabases()
    (found,) = verify(sql.format(folder=tmp_path), "spark", SPARK_SCHEMA, on="spark")
    assert found.verdict is (Verdict.HOLDS if runs else Verdict.NOT_RUN), found.findings.refused
    assert (spark.catalog.listTables(), spark.catalog.listDatabases()) == before
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
def test_spark_refutes_as_well(spark: SparkSession) -> None:
    (found,) = verify("SELECT transform(l, v -> v + a) AS x FROM t", "spark", SPARK_SCHEMA, on="either")
    wrong = found.without((ColumnRef("t", "a"), ColumnRef(None, "x")))
    assert [str(example.source) for example in wrong.counter_examples] == ["t.a"]


def test_statements_run_somewhere() -> None:
    with pytest.raises(ValueError, match="duckdb, spark, either"):
        one("SELECT a FROM t", on="sqlite")


def test_the_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    script = tmp_path / "s.sql"
    script.write_text("SELECT a FROM t;\nDROP TABLE t;\n")
    given = ["verify", str(script), "--dialect", "duckdb", "--no-config", "--schema", json.dumps({"t": {"a": "int"}})]
    good = CliRunner().invoke(cli, given, standalone_mode=False)
    assert good.return_value == 0
    assert f"{script}:1:1: holds" in good.output
    assert f"{script}:2:1: not-run: it neither shows nor writes columns" in good.output
    monkeypatch.setattr(StatementLineage, "plain_edges", [])
    bad = CliRunner().invoke(cli, given, standalone_mode=False)
    assert bad.return_value == 1
    assert "t.a changes a, which the lineage does not relate to it" in bad.output
    as_json = CliRunner().invoke(cli, [*given, "--format", "json"], standalone_mode=False)
    first, second = json.loads(as_json.output)
    assert (first["verdict"], second["verdict"]) == ("refuted", "not-run")
    assert {"source", "targets", "data", "changed", "before", "after"} <= first["counterExamples"][0].keys()


def _sample() -> list[Case]:
    """Some of the cases that can run; `benchmarks/verify.py cases` takes all of them."""
    clean = [case for case in all_cases() if not {"notimpl", "diagnostics"} & case.blocks.keys()]
    return clean[::23]


@pytest.mark.slow
@pytest.mark.parametrize("case", _sample(), ids=lambda case: case.id)
def test_cases_are_not_refuted(case: Case) -> None:
    attributes = case.blocks["sql"].attributes
    for found in verify(case.sql, attributes["dialect"], case.schema, attributes.get("default_schema")):
        examples = [(str(e.source), [str(t) for t in e.targets]) for e in found.counter_examples]
        assert examples == []


def test_merge_with_all_columns_is_written_or_refused() -> None:
    schema = {"t": {"a": "int", "b": "int"}, "s": {"a": "int", "b": "int"}}
    sql = "MERGE INTO t USING s ON t.a = s.a WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"
    (found,) = verify(sql, "spark", schema)
    assert found.verdict in (Verdict.HOLDS, Verdict.NOT_RUN)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT t.a, u.x FROM t JOIN u ON t.k = u.k WHERE t.c = 'north' AND t.d = DATE '2011-03-09' AND u.y BETWEEN 70 AND 80 AND t.b = -5",
        "SELECT n.c, n.s, l.s FROM (SELECT c, sum(a) AS s FROM t WHERE b = 2001 GROUP BY c) AS n "
        "JOIN (SELECT c, sum(a) AS s FROM t WHERE b = 2001 + 1 GROUP BY c) AS l ON n.c = l.c",
        "SELECT c, count(*) AS n FROM t GROUP BY c HAVING count(*) BETWEEN 12 AND 15",
        "SELECT a FROM t WHERE upper(c) = 'N' AND NOT EXISTS (SELECT 1 FROM u WHERE u.k = t.k)",
    ],
)
def test_rows_pass_conditions_that_chance_would_hardly_meet(sql: str) -> None:
    found = one(sql)
    assert found.verdict is Verdict.HOLDS
    assert len(found.proved) >= 0.85 * len(found.needed), found.needed - found.proved


def test_a_result_of_one_row_has_no_rows_to_prove() -> None:
    found = one("SELECT count(*) AS n FROM (SELECT a FROM t WHERE b > 1) AS w")
    assert found.verdict is Verdict.HOLDS
    assert found.needed == frozenset()


def test_a_limit_that_small_data_do_not_reach_is_made_smaller() -> None:
    found = one("SELECT k, x FROM u ORDER BY y DESC, k, x LIMIT 100")
    assert "u.y" in {str(source) for source, _ in found.proved}
    assert {seen.sql.partition("LIMIT ")[2] for seen in found.findings.observations} == {"100", "1"}
