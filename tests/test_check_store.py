"""`headwater check` over a store: rules that ask the graph, places in scripts, comparison with an earlier state, the baseline."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from check_stores import Said, checked_store
from command import Run, line_with, write
from headwater.store import Store
from headwater.store.identity import script_id
from headwater.store.schema import TABLES
from stores import make_store, write_tables

ETL = """\
-- headwater: ignore[unused-column]
CREATE TABLE d.quiet AS SELECT never FROM d.a;
CREATE TABLE d.t AS
SELECT used, never FROM d.a;
INSERT INTO d.u SELECT used, custmer FROM d.t;
SELECT * FROM d.unknown;
SELECT used FROM d.quiet;
"""
LINES = """
d.a.never -> d.quiet.never @ etl.sql:2
d.a.used -> d.quiet.used @ etl.sql:2
d.a.used -> d.t.used @ etl.sql:3
d.a.never -> d.t.never @ etl.sql:3
d.t.used -> d.u.used @ etl.sql:5 Insert
d.unknown.* -> q.* = * @ etl.sql:6 Select
d.quiet.used -> r.used @ etl.sql:7 Select
column d.a.unread
result q
result r
"""
SAID = [Said("etl.sql", "custmer", "unresolved-column", "custmer")]


@pytest.fixture
def store(folder: Path) -> Store:
    """A store in the usual place."""
    return checked_store(folder / "lineage", LINES, {"etl.sql": ETL}, SAID, ["d.t", "d.quiet"])


def found(run: Run, *arguments: str) -> list[dict[str, Any]]:
    findings: list[dict[str, Any]] = json.loads(run("check", *arguments, "--format", "json").out)["findings"]
    return findings


def brief(run: Run, *arguments: str) -> list[tuple[str, str, int | None]]:
    return [(each["rule"], each["subject"], each["line"]) for each in found(run, *arguments)]


# Rules


def test_what_a_store_tells(run: Run, store: Store) -> None:
    assert brief(run) == [
        ("unused-column", "d.t.never", 3),
        ("unresolved-column", "custmer", 5),
        ("unknown-star", "d.unknown", 6),
    ]
    code, out, err = run("check")
    assert code == 1
    assert "5 | INSERT INTO d.u SELECT used, custmer FROM d.t;" in out
    assert "^^^^^^^\n" in out
    assert "2 warnings, 1 info (1 suppressed)" in err
    assert "not checked: breaking-change" in err


def test_a_finding_about_a_table_shows_the_first_line_of_its_definition(run: Run, store: Store) -> None:
    out = run("check", "--select", "unused-column").out
    assert "3 | CREATE TABLE d.t AS\n  | ^^^^^^^^^^^^^^^^^^^\n" in out
    assert "SELECT used, never" not in out


def test_columns_of_tables_that_are_only_read_are_no_findings(run: Run, store: Store) -> None:
    assert "d.a.unread" in run("unused").out
    assert "d.a.unread" not in run("check").out


def test_a_table_without_definition_is_where_it_is_written(run: Run, folder: Path) -> None:
    lines = "d.a.x -> d.w.x @ w.sql:1 Insert\nd.a.y -> d.w.y @ w.sql:1 Insert\nd.w.x -> q.x\nresult q"
    checked_store(folder / "lineage", lines, {"w.sql": "INSERT INTO d.w SELECT x, y FROM d.a"})
    assert brief(run) == [("unused-column", "d.w.y", 1)]


def test_lost_statements_and_remarks_of_whole_scripts(run: Run, folder: Path) -> None:
    said = [Said("s.sql", "", "encoding"), Said("s.sql", "SELEC", "syntax-error", "SELEC")]
    checked_store(folder / "lineage", "a.x -> b.x @ s.sql:1", {"s.sql": "SELEC 1"}, said)
    assert brief(run) == [("encoding", "", None), ("lost-statement", "SELEC", 1)]
    assert run("check", "--select", "encoding").code == 0


def test_circles_of_definitions(run: Run, folder: Path) -> None:
    lines = """
    view d.x
    view d.y
    view d.self
    d.x.a -> d.y.a @ s.sql:1
    d.y.a -> d.x.a @ s.sql:2
    d.self.a -> d.self.a @ s.sql:3
    d.again.a -> d.again.a @ s.sql:4
    d.p.a -> d.q.a @ s.sql:5
    d.q.a -> d.p.a @ s.sql:6 Insert
    """
    text = "\n".join(f"CREATE {n};" for n in range(6))
    checked_store(folder / "lineage", lines, {"s.sql": text}, (), ["d.x", "d.y", "d.self", "d.again", "d.q"])
    assert brief(run, "--select", "cyclic-definition") == [
        ("cyclic-definition", "d.x, d.y", 2),
        ("cyclic-definition", "d.self", 3),
    ]


def test_a_statement_in_two_scripts_is_found_in_both(run: Run, folder: Path) -> None:
    text = "SELECT * FROM d.n"
    store = checked_store(folder / "lineage", "d.n.* -> q.* = * @ a.sql:1\nresult q", {"a.sql": text, "b.sql": text})
    tables = {name: store.snapshot().table(name) for name in TABLES}
    (row,) = tables["statements"].to_pylist()
    other = row | {"statement_id": 1, "script_id": script_id("b.sql")}
    tables["statements"] = pa.Table.from_pylist([row, other], TABLES["statements"].schema)
    write_tables(store, tables)
    assert [each["path"] for each in found(run)] == ["a.sql", "b.sql"]


def test_a_star_is_pointed_at_unless_only_its_like_was_analysed(run: Run, folder: Path) -> None:
    text = "SELECT x,\n  * FROM d.n WHERE y = 1;\nSELECT x,\n  * FROM d.n WHERE y = 2;"
    store = checked_store(folder / "lineage", "d.n.* -> q.* = * @ a.sql:1\nresult q", {"a.sql": text})
    tables = {name: store.snapshot().table(name).to_pylist() for name in TABLES}
    tables["relations"][0].update(start=12, end=13)
    (first,) = tables["statements"]
    place = {"ordinal": 2, "start": text.rindex("SELECT"), "end": text.rindex(";"), "line": 3}
    tables["statements"].append(first | place | {"statement_id": 1, "query_hash": "of other literals"})
    write_tables(store, {name: pa.Table.from_pylist(rows, TABLES[name].schema) for name, rows in tables.items()})
    keys = ("line", "column", "end_line", "end_column")
    assert [tuple(each[key] for key in keys) for each in found(run)] == [(2, 3, 2, 4), (3, 1, 4, 25)]


def test_a_column_that_only_a_star_reads(run: Run, folder: Path) -> None:
    lines = """
    d.a.x -> d.t.x @ s.sql:1
    d.t.x -> q.x = * @ s.sql:2
    result q
    """
    checked_store(folder / "lineage", lines, {"s.sql": "CREATE TABLE d.t;\nSELECT * FROM d.t"}, (), ["d.t"])
    assert "d.t.x is read through * only" in run("check").out


# Suppressions


@pytest.mark.parametrize(
    ("comment", "left"),
    [
        ("-- headwater: ignore[breaking-change]", True),
        ("-- headwater: ignore", False),
        ("-- headwater: ignore[unused-column]", True),
        ("-- headwater: ignore-file[unresolved-column]", False),
    ],
)
def test_suppressions_in_a_store(comment: str, left: bool, run: Run, folder: Path) -> None:
    text = f"{comment}\nINSERT INTO d.u SELECT custmer FROM d.t;"
    said = [Said("s.sql", "custmer", "unresolved-column", "custmer")]
    checked_store(folder / "lineage", "d.t.x -> d.u.x @ s.sql:2 Insert", {"s.sql": text}, said)
    rules = [each["rule"] for each in found(run)]
    assert ("unresolved-column" in rules) is left
    assert ("unused-suppression" in rules) is (comment == "-- headwater: ignore[unused-column]")


def test_a_comment_without_use_in_a_script_without_findings(run: Run, folder: Path) -> None:
    text = "SELECT x FROM d.t -- headwater: ignore\n"
    checked_store(folder / "lineage", "d.t.x -> q.x @ s.sql:1\nresult q", {"s.sql": text})
    assert brief(run) == [("unused-suppression", "-- headwater: ignore", 1)]


def test_no_excerpt_where_the_text_does_not_fit(run: Run, folder: Path) -> None:
    checked_store(folder / "lineage", LINES, {"etl.sql": ETL}, SAID, shift=5)
    out = run("check", "--select", "unresolved-column").out
    assert out.splitlines() == ["etl.sql:5:30: warning[unresolved-column] about custmer"]
    (each,) = found(run, "--select", "unresolved-column")
    assert (each["line"], each["end_line"]) == (5, None)


# Paths


def test_paths_with_a_store_choose_scripts(run: Run, folder: Path) -> None:
    said = [Said(path, "custmer", "unresolved-column", "custmer") for path in ("sql/a/s.sql", "sql/b/s.sql")]
    texts = {each.path: "SELECT custmer" for each in said}
    checked_store(folder / "lineage", "d.t.x -> d.u.x @ sql/a/s.sql:1", texts, said)
    assert [each["path"] for each in found(run, "sql/a", "--store", "lineage")] == ["sql/a/s.sql"]
    assert [each["path"] for each in found(run, "./sql/b/s.sql", "--store", "lineage")] == ["sql/b/s.sql"]
    assert len(found(run, str(folder), "--store", "lineage")) == 2
    code, out, err = run("check", "README.md", "sql/ab", "--store", "lineage")
    assert (code, out) == (0, "")
    assert "not in the store: README.md, sql/ab" in err


# Breaking changes


def test_breaking_changes(run: Run, folder: Path) -> None:
    make_store(folder / "old", "d.a.x -> d.t.x\nd.a.y -> d.t.y\nd.a.x -> d.gone.x")
    lines = "d.a.x -> d.t.x @ s.sql:1\nd.t.x -> q.x\nresult q"
    checked_store(folder / "lineage", lines, {"s.sql": "CREATE TABLE d.t AS SELECT x FROM d.a"}, (), ["d.t"])
    broken = found(run, "--against", "old", "--select", "breaking-change")
    assert {(each["subject"], each["path"], each["severity"]) for each in broken} == {
        ("removed table d.gone", None, "error"),
        ("removed column d.gone.x", None, "error"),
        ("removed column d.a.y", None, "error"),
        ("removed column d.t.y", "s.sql", "error"),
        ("removed relation d.gone.x <- d.a.x", None, "error"),
        ("removed relation d.t.y <- d.a.y", "s.sql", "error"),
    }
    code, out, _ = run("check", "--against", "old")
    assert code == 1
    assert out.startswith("error[breaking-change] column d.a.y: the column is gone")
    assert "s.sql:1:1: error[breaking-change] column d.t.y" in out


def test_a_snapshot_to_compare_with(run: Run, folder: Path) -> None:
    first = make_store(folder / "lineage", "d.a.x -> d.t.x\nd.a.y -> d.t.x").snapshot().name
    make_store(folder / "lineage", "d.a.x -> d.t.x")
    assert run("check", "--against", first).code == 1
    assert run("check", "--against", "current").code == 0
    code, _, err = run("check", "--against", "nowhere")
    assert code == 2
    assert "nowhere is neither a store" in err


# Baseline


def test_a_baseline_knows_what_was_there(run: Run, store: Store) -> None:
    code, out, err = run("check", "--write-baseline", "known.json")
    assert (code, out) == (0, "")
    assert "3 known findings written to known.json" in err
    code, out, err = run("check", "--baseline", "known.json")
    assert (code, out) == (0, "")
    assert "no findings (3 known, 1 suppressed)" in err


def test_moved_code_stays_known_and_new_findings_count(run: Run, folder: Path, store: Store) -> None:
    run("check", "--write-baseline", "known.json")
    moved = f"\n\n{ETL}"
    lines = LINES
    for number in (7, 6, 5, 3, 2):
        lines = lines.replace(f"etl.sql:{number}", f"etl.sql:{number + 2}")
    said = [*SAID, Said("etl.sql", "quiet", "ambiguous-column", "quiet")]
    checked_store(folder / "lineage", lines, {"etl.sql": moved}, said, ["d.t", "d.quiet"])
    rules = {each["rule"] for each in found(run, "--baseline", "known.json")}
    assert "unused-column" not in rules
    assert "ambiguous-column" in rules


def test_a_baseline_is_pruned_and_takes_nothing_new(run: Run, folder: Path, store: Store) -> None:
    run("check", "--write-baseline", "known.json", "--select", "unused-column,unknown-star")
    lines = LINES.replace("d.a.never -> d.t.never @ etl.sql:3", "")
    checked_store(folder / "lineage", lines, {"etl.sql": ETL}, SAID, ["d.t", "d.quiet"])
    code, out, err = run("check", "--baseline", "known.json", "--write-baseline", "known.json")
    assert code == 1
    assert "unresolved-column" in out
    assert "1 known" in err
    assert "1 of the baseline fixed" in err
    left = json.loads((folder / "known.json").read_text())["findings"]
    assert [each["rule"] for each in left] == ["unknown-star"]


def test_what_was_not_looked_for_stays_in_the_baseline(run: Run, folder: Path, store: Store) -> None:
    run("check", "--write-baseline", "known.json")
    make_store(folder / "lineage", "d.a.x -> d.b.x")
    arguments = ("--baseline", "known.json", "--write-baseline", "known.json")
    run("check", *arguments, "--select", "unknown-star")
    run("check", *arguments, "elsewhere", "--store", "lineage")
    left = json.loads((folder / "known.json").read_text())["findings"]
    assert {each["rule"] for each in left} == {"unused-column", "unresolved-column"}


def test_the_same_finding_again_is_new(run: Run, folder: Path) -> None:
    text = "SELECT custmer, custmer FROM d.a"
    once = Said("s.sql", "custmer", "unresolved-column", "custmer")
    again = Said("s.sql", "custmer FROM", "unresolved-column", "custmer")
    lines = "d.a.x -> q.x @ s.sql:1\nresult q"
    checked_store(folder / "lineage", lines, {"s.sql": text}, [once])
    run("check", "--write-baseline", "known.json")
    checked_store(folder / "lineage", lines, {"s.sql": text}, [once, again])
    assert [each["column"] for each in found(run, "--baseline", "known.json")] == [17]


def test_a_store_as_baseline(run: Run, folder: Path, store: Store) -> None:
    first = store.snapshot().name
    said = [*SAID, Said("etl.sql", "quiet", "ambiguous-column", "quiet")]
    lines = LINES.replace("d.t.used -> d.u.used @ etl.sql:5 Insert", "d.t.never -> d.u.used @ etl.sql:5 Insert")
    checked_store(folder / "lineage", lines, {"etl.sql": ETL}, said, ["d.t", "d.quiet"])
    rules = {each["rule"] for each in found(run, "--baseline", first)}
    assert rules == {"ambiguous-column", "breaking-change", "unused-column"}
    assert found(run, "--baseline", "current") == []


def test_a_baseline_in_the_settings(run: Run, folder: Path, store: Store) -> None:
    write("headwater.toml", '[check]\nbaseline = "known.json"\nstore = "lineage"\n')
    assert run("check", "--write-baseline", "known.json").code == 0
    assert run("check").code == 0


@pytest.mark.parametrize(
    "content", ["", "[]", "{}", '{"version": 2, "findings": []}', '{"version": 1, "findings": [1]}']
)
def test_a_damaged_baseline_is_2(content: str, run: Run, store: Store) -> None:
    write("known.json", content)
    code, out, err = run("check", "--baseline", "known.json")
    assert (code, out) == (2, "")
    assert "known.json" in err


def test_a_missing_baseline_is_2(run: Run, store: Store) -> None:
    code, _, err = run("check", "--baseline", "no.json")
    assert code == 2
    assert "no.json is neither" in line_with(err, "Error")


def test_a_store_of_another_version_is_told(run: Run, folder: Path) -> None:
    store = checked_store(folder / "lineage", LINES, {"etl.sql": ETL}, SAID)
    snapshot = store.snapshot()
    table = snapshot.table("diagnostics").to_pylist()
    table[0]["code"] = "from-the-future"
    tables = {name: snapshot.table(name) for name in TABLES}
    write_tables(store, {**tables, "diagnostics": pa.Table.from_pylist(table, TABLES["diagnostics"].schema)})
    code, _, err = run("check")
    assert code == 2
    assert "from-the-future" in err
