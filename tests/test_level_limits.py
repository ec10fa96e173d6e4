"""The levels are held to the limits of a statement: what is left out of them is said, and the rest of the script stays."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import headwater
from command import Run, line_with, write
from headwater.budget import Budget
from headwater.budget.budget import seconds_in_words
from headwater.lineage.lineage import Lineage
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.work import Work, WorkLimits

NEIGHBOUR = ";\nINSERT INTO p SELECT b AS y FROM u"


def sums_by_keys(count: int, table: str = "t") -> str:
    """Each key decides over each sum: the square of *count*, and one more for each sum."""
    listed = ", ".join(f"sum(a{i}) AS s{i}" for i in range(count))
    return f"INSERT INTO o SELECT {listed} FROM {table} GROUP BY {', '.join(f'k{i}' for i in range(count))}"


def through_a_sum(count: int, target: str = "o") -> str:
    """*count* columns from one that has *count* sources: few hops, and the square of *count* between the ends."""
    total = " + ".join(f"a{i}" for i in range(count))
    listed = ", ".join(f"abs(s) AS x{i}" for i in range(count))
    return f"INSERT INTO {target} WITH c AS (SELECT {total} AS s FROM t) SELECT {listed} FROM c"


def all_of_all(count: int, source: str, target: str) -> str:
    """*count* columns, each of *count* columns."""
    total = " + ".join(f"x{i}" for i in range(count))
    listed = ", ".join(f"{total} AS x{i}" for i in range(count))
    return f"INSERT INTO {target} SELECT {listed} FROM {source}"


def too_large(lineage: Lineage) -> list[Diagnostic]:
    return [each for each in lineage.diagnostics if each.code is Code.TOO_LARGE]


def ends(lineage: Lineage, **options: bool) -> set[tuple[str, str]]:
    return {(str(e.source), str(e.target)) for e in lineage.column_edges(rows="none", **options)}


def test_relations_between_columns_are_counted_before_they_are_made() -> None:
    """20 columns of 20: some 60 hops, and 400 relations."""
    lineage = headwater.analyze(through_a_sum(20) + NEIGHBOUR, max_relations=300)
    (problem,) = too_large(lineage)
    assert "relations between columns: the limit is 300 (--max-relations)" in problem.message
    assert "--max-relations" in problem.hint
    assert ends(lineage) == {("u.b", "p.y")}
    assert (lineage.sources, lineage.targets) == (["t", "u"], ["o", "p"])
    assert "too-large" in lineage.to("json")
    assert "too-large" in lineage.to("sqlflow-xml", "complete")


def test_a_limit_that_suffices_changes_nothing() -> None:
    lineage = headwater.analyze(through_a_sum(20), max_relations=1_000)
    assert lineage.diagnostics == []
    assert len(ends(lineage)) == 400


def test_the_statements_of_a_script_are_counted_together() -> None:
    """Two times 400 relations fit into 1,000, and three times do not."""
    script = ";\n".join(through_a_sum(20, f"o{i}") for i in range(3)) + NEIGHBOUR
    lineage = headwater.analyze(script, max_relations=1_000)
    (problem,) = too_large(lineage)
    assert "relations in the script so far" in problem.message
    assert {target.split(".")[0] for _, target in ends(lineage)} == {"o0", "o1", "p"}


def test_a_short_time_allows_fewer_relations() -> None:
    """Four seconds suffice for 136,000 relations, and 400 sums by 400 keys are 160,400."""
    (problem,) = headwater.analyze(sums_by_keys(400), timeout=4).diagnostics
    assert problem.code is Code.TOO_LARGE
    assert problem.message.endswith("the limit is 136,000 in 4 seconds (--timeout)")


def test_little_memory_allows_fewer_relations() -> None:
    assert Budget(memory=200).limits.relations == 200_000
    assert Budget().limits.relations == 2_000_000


def test_names_that_relations_repeat_are_counted() -> None:
    """900 relations that each name a table of 30,000 characters: 27 million, and memory for 25 million."""
    (problem,) = too_large(headwater.analyze(sums_by_keys(30, "t" * 30_000), memory=100))
    assert "characters in the names and expressions" in problem.message
    assert headwater.analyze(sums_by_keys(30, "t" * 3_000), memory=100).diagnostics == []


def test_hops_that_are_too_many_to_be_joined() -> None:
    """Each of 900 pairs of columns would become 30."""
    script = f"{all_of_all(30, 't', 'm')};\n{all_of_all(30, 'm', 'o')}"
    lineage = headwater.analyze(script, max_relations=5_000)
    assert lineage.diagnostics == []
    assert ("m.x0", "o.x0") in ends(lineage, end_to_end=True)
    (problem,) = too_large(lineage)
    assert "not joined" in problem.message
    assert ("t.x0", "o.x0") in ends(headwater.analyze(script), end_to_end=True)


def test_row_sets_on_every_column_that_are_too_many() -> None:
    """30 columns decide over the rows of 40: 1,200 relations more."""
    listed = ", ".join(f"a{i}" for i in range(40))
    sql = f"INSERT INTO o SELECT {listed} FROM t WHERE {' AND '.join(f'k{i} > b' for i in range(30))}"
    lineage = headwater.analyze(sql, max_relations=500)
    assert len(lineage.column_edges(rows="expanded")) == 40
    (problem,) = too_large(lineage)
    assert problem.message.startswith("row sets are left out")


def test_a_level_that_is_not_made_in_time_says_so() -> None:
    lineage = headwater.analyze("INSERT INTO o SELECT a FROM t")
    with Work(WorkLimits(), seconds=-1):
        assert lineage.column_edges() == []
    (problem,) = lineage.diagnostics
    assert (problem.code, "--timeout" in problem.message) == (Code.TIMEOUT, True)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(60, "60 seconds"), (1.6996, "1.7 seconds"), (1, "1 second"), (0.05, "0.05 seconds"), (90.5, "90.5 seconds")],
)
def test_a_time_is_said_in_few_digits(seconds: float, words: str) -> None:
    assert seconds_in_words(seconds) == words


def test_a_timeout_names_its_option() -> None:
    (problem,) = headwater.analyze("SELECT " + "struct(" * 40 + "a" + ")" * 40, timeout=0.5).diagnostics
    assert problem.code is Code.TIMEOUT
    assert "0.5 seconds (--timeout)" in problem.message
    assert "--timeout" in problem.hint


@pytest.mark.parametrize("command", [("analyze",), ("check",), ("export", "-f", "sqlflow-csv")])
def test_commands_take_the_limits(command: tuple[str, ...], run: Run, folder: Path) -> None:
    write("s.sql", through_a_sum(20) + NEIGHBOUR)
    done = run(*command, "s.sql", "--max-relations", "300")
    told = done.out + done.err
    assert "o" in told
    if command[0] != "export":
        assert (done.code, "the limit is 300 (--max-relations)" in told) == (1, True)
    else:
        assert "abs" not in told


@pytest.mark.parametrize(
    "command", ["analyze", "check", "export", "project check", "project resolve", "project show", "build"]
)
def test_commands_that_render_templates_take_their_limits(command: str, run: Run, folder: Path) -> None:
    told = run(*command.split(), "--help").out
    assert "--template-timeout" in told
    assert "--template-size" in told


def test_the_limit_of_a_template_is_that_of_the_command(run: Run, folder: Path) -> None:
    write("d/dbt_project.yml", "name: d\nversion: '1.0'\nprofile: d\n")
    write("d/models/m.sql", "SELECT {{ 'a' * 200 }} FROM t")
    assert "100 characters (--template-size)" in run("analyze", "d", "--template-size", "100").err
    assert "--template-size" not in run("analyze", "d").err
    assert "100 characters (--template-size)" in run("project", "check", "d", "--template-size", "100").out


def test_the_place_of_a_model_that_is_not_there(run: Run, folder: Path) -> None:
    write("d/dbt_project.yml", "name: d\nversion: '1.0'\nprofile: d\n")
    write("d/models/m.sql", "SELECT a\nFROM {{ ref('q') }}")
    line = line_with(run("project", "check", "d").out, "ref names q")
    assert line.startswith("d/models/m.sql:2:13: info[template]")


def test_what_is_said_of_a_file_has_no_place(run: Run, folder: Path) -> None:
    """A name that leads nowhere cannot be read."""
    write("sql/a.sql", "SELECT 1")
    (folder / "sql" / "b.sql").write_bytes(b"\x00\x01\x02" * 100)
    assert line_with(run("check", "sql").out, "error[").startswith("sql/b.sql: error[unreadable-file]")
    assert line_with(run("analyze", "sql").err, "error[").endswith(
        line_with(run("check", "sql").out, "error[").split(": ", 1)[1]
    )
    (found,) = json.loads(run("check", "sql", "-f", "json").out)["findings"]
    assert (found["path"], found["line"], found["column"]) == ("sql/b.sql", None, None)
    assert "line=" not in run("check", "sql", "-f", "github").out


def test_literals_that_are_too_many_are_left_out_and_said() -> None:
    """Each column is made of those before it, and so of all their constants."""
    columns = "".join(f", x{i} + {i} AS x{i + 1}" for i in range(300))
    lineage = headwater.analyze(f"SELECT a AS x0{columns} FROM t", max_relations=10_000)
    assert lineage.diagnostics == []
    assert len(lineage.column_edges(rows="none")) == 301
    assert len(lineage.column_edges(rows="none", literals=True)) == 301
    assert ["literals are left out" in each.message for each in lineage.diagnostics] == [True]
