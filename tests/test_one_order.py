"""Several scripts: definitions are known in any order of files, by the rule that `build` has."""

from __future__ import annotations

import json
from itertools import permutations
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from command import Run
from headwater.analysis import Script, analyze_scripts
from headwater.model.entity import ColumnRef, TableName
from headwater.order.in_force import InForce, Place
from headwater.pipeline.plan.units import contested, requirements, sorted_pieces, units_of
from headwater.sql.mentions import Mentions
from headwater.sql.text import Text

REPORT = "CREATE TABLE report AS SELECT total, k FROM v"
VIEW = "CREATE VIEW v AS SELECT sum(x) AS total, k FROM w GROUP BY k"
BASE = "CREATE VIEW w AS SELECT a AS x, b AS k FROM base"


def edges(*texts: str, dialect: str = "spark") -> list[set[tuple[str, str]]]:
    """The data flow of each script, as pairs of target and source."""
    scripts = [Script(Path(f"{number}.sql"), Text(text, "utf-8")) for number, text in enumerate(texts)]
    return [
        {(_name(e.target), _name(e.source)) for e in lineage.column_edges(rows="none") if e.type == "fdd"}
        for lineage in analyze_scripts(scripts, dialect)
    ]


def _name(end: ColumnRef) -> str:
    return f"{end.table}.{end.column}"


def stars(*texts: str) -> set[tuple[str, str]]:
    """The data flow of the first script."""
    return edges(*texts)[0]


def test_a_view_is_known_before_the_file_that_defines_it() -> None:
    assert stars("CREATE TABLE out AS SELECT * FROM v", VIEW, BASE) == {("out.total", "v.total"), ("out.k", "v.k")}


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_the_order_of_files_changes_nothing(order: tuple[int, ...]) -> None:
    texts = [REPORT.replace("total, k", "*"), VIEW, BASE]
    expected = [
        {("report.total", "v.total"), ("report.k", "v.k")},
        {("v.total", "w.x"), ("v.k", "w.k")},
        {("w.x", "base.a"), ("w.k", "base.b")},
    ]
    assert edges(*(texts[i] for i in order)) == [expected[i] for i in order]


def test_files_that_need_each_other_statement_by_statement() -> None:
    """The first statement of each file needs the second one of the other: no cycle of statements, though one of files."""
    one = "CREATE VIEW p AS SELECT * FROM q2; CREATE VIEW q1 AS SELECT a FROM t1"
    other = "CREATE VIEW r AS SELECT * FROM q1; CREATE VIEW q2 AS SELECT b FROM t2"
    assert edges(one, other) == [{("p.b", "q2.b"), ("q1.a", "t1.a")}, {("r.a", "q1.a"), ("q2.b", "t2.b")}]


def test_views_in_a_cycle_are_resolved_as_far_as_that_goes() -> None:
    first, second = edges("CREATE VIEW a AS SELECT x FROM b", "CREATE VIEW b AS SELECT x FROM a")
    assert (first, second) == ({("a.x", "b.x")}, {("b.x", "a.x")})


@pytest.mark.slow
def test_a_chain_of_many_files_in_the_wrong_order() -> None:
    texts = [f"CREATE VIEW v{i} AS SELECT * FROM v{i + 1}" for i in range(1500)]
    found = edges(*texts, "CREATE VIEW v1500 AS SELECT a FROM t")
    assert found[0] == {("v0.a", "v1.a")}
    assert found[-1] == {("v1500.a", "t.a")}


def test_a_script_sees_its_own_definition_and_others_the_last() -> None:
    own = "CREATE TABLE s AS SELECT a FROM t; INSERT INTO o1 SELECT * FROM s"
    other = "INSERT INTO o2 SELECT * FROM s"
    last = "CREATE TABLE s AS SELECT b FROM t"
    assert edges(own, other, last) == [{("s.a", "t.a"), ("o1.a", "s.a")}, {("o2.b", "s.b")}, {("s.b", "t.b")}]


def test_temporary_tables_stay_in_their_script() -> None:
    other = "CREATE TEMPORARY VIEW s AS SELECT b FROM t"
    assert edges("INSERT INTO o SELECT * FROM s", other)[0] == {("o.*", "s.*")}


def test_functions_are_known_in_any_order() -> None:
    call = "CREATE VIEW v AS SELECT f(a, b) AS x FROM t"
    function = "CREATE FUNCTION f(p INT, q INT) RETURNS INT RETURN p + 1"
    assert edges(call, function)[0] == {("v.x", "t.a")}


def test_temporary_functions_of_one_file_are_not_those_of_another() -> None:
    """The second file is resolved while the first one waits; each calls its own `f`."""
    one = "CREATE TEMP FUNCTION f(p INT64, q INT64) AS (p); CREATE VIEW d.a AS SELECT f(x, y) AS z, k FROM d.b"
    other = "CREATE TEMP FUNCTION f(p INT64, q INT64) AS (q); CREATE VIEW d.b AS SELECT f(m, n) AS x, y, k FROM d.t"
    first, second = edges(one, other, dialect="bigquery")
    assert first == {("d.a.z", "d.b.x"), ("d.a.k", "d.b.k")}
    assert second == {("d.b.x", "d.t.n"), ("d.b.y", "d.t.y"), ("d.b.k", "d.t.k")}


def test_an_altered_table_is_the_one_before_it() -> None:
    create, alter = "CREATE TABLE t (a INT)", "ALTER TABLE t ADD COLUMNS (b INT)"
    assert edges("INSERT INTO o SELECT * FROM t", create, alter)[0] == {("o.a", "t.a"), ("o.b", "t.b")}


def write(folder: Path, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name.replace("__", ".")).write_text(text)
    return folder


def test_the_commands_read_folders_in_one_order(tmp_path: Path, run: Run) -> None:
    folder = write(
        tmp_path / "sql", a__sql="CREATE TABLE out AS SELECT * FROM v", b__sql="CREATE VIEW v AS SELECT x FROM t"
    )
    found = run("analyze", str(folder), "--format", "csv", "--no-config")
    assert "v,x,*,x,out," in found.out
    checked = run("check", str(folder), "--no-config", "--format", "json", "--select", "unknown-star")
    assert json.loads(checked.out)["findings"] == []
    exported = run("export", str(folder), "--format", "sqlflow-json", "--no-config")
    assert '"x"' in exported.out


def test_programs_and_notebooks_are_read_as_by_build(tmp_path: Path, run: Run) -> None:
    cell = {
        "cell_type": "code",
        "source": ["%%sql\n", "CREATE VIEW nb AS SELECT a FROM t"],
        "metadata": {},
        "outputs": [],
    }
    notebook = {"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    folder = write(
        tmp_path / "jobs",
        a_job__py="def run(spark, day):\n    spark.sql(f'INSERT INTO out SELECT * FROM nb WHERE d = {day}')\n",
        b_note__ipynb=json.dumps(notebook),
        c_old__hql="INSERT OVERWRITE TABLE o3 SELECT a FROM out",
        nothing__py="x = 1\n",
    )
    found = json.loads(run("analyze", str(folder), "--format", "json", "--level", "table", "--no-config").out)
    assert [Path(each["file"]).name for each in found] == ["a_job.py", "b_note.ipynb", "c_old.hql"]
    text = run("analyze", str(folder), "--rows", "none", "--no-config").out
    assert "out.a = *" in text
    assert "c_old.hql:1:1  hive" in text


NAMES = [("a",), ("b",), ("c",), ("d",)]
STATEMENT = st.tuples(st.sets(st.sampled_from(NAMES)), st.sets(st.sampled_from(NAMES), max_size=1))
CORPUS = st.lists(st.lists(STATEMENT, min_size=1, max_size=4), min_size=1, max_size=5)


@pytest.mark.slow
@given(CORPUS)
@settings(max_examples=200, deadline=None)
def test_the_rule_is_that_of_the_build(corpus: list[list[tuple[set[TableName], set[TableName]]]]) -> None:
    """Each statement has a text of its own here, so that units are statements."""
    scripts = [[Mentions(tuple(n | d), tuple(d), (), False) for n, d in each] for each in corpus]
    in_force = InForce(scripts)
    places = [Place(s, o) for s, statements in enumerate(scripts) for o in range(len(statements))]
    ours = {(at, needed) for at in places for needed in in_force.needs(at)}
    numbers = {name: number for number, name in enumerate(NAMES)}
    listed = [
        [numbers[name] for name in getattr(scripts[s][o], kind)] for kind in ("named", "defined") for s, o in places
    ]
    count = len(places)
    table = pa.table({"script_id": [p.script for p in places], "ordinal": [p.ordinal for p in places], "text_key": range(count),
                      "exact": range(count), "scoped": [False] * count})  # fmt: skip
    names = pa.table({"text_key": range(count), "temporary": [False] * count,
                      "mentions": pa.array(listed[:count], pa.list_(pa.int64())),
                      "defines": pa.array(listed[count:], pa.list_(pa.int64()))})  # fmt: skip
    paths = pa.table({"script_id": range(len(scripts)), "path": [f"{n}" for n in range(len(scripts))],
                      "last_seen": pa.nulls(len(scripts), pa.timestamp("us"))})  # fmt: skip
    pieces = sorted_pieces(paths, table, names)
    units = units_of(pieces, contested(pieces.texts))
    user, definer = requirements(pieces, units)
    first = np.array(units.first)
    theirs = {(places[first[u]], places[first[d]]) for u, d in zip(user, definer, strict=True)}
    assert ours == theirs
