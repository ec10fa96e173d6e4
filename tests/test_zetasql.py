"""The GoogleSQL engine: what it needs, how it is kept apart, what it says when GoogleSQL refuses."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import headwater
from command import Result, Run, write
from headwater.model.diagnostic import Code

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("zetasql"), pytest.mark.usefixtures("compiled_analyzer")]

SCHEMA = {
    "t": {
        "a": "INT64",
        "b": "STRING",
        "s": "STRUCT<x INT64, y STRING>",
        "l": "ARRAY<STRUCT<p INT64, q NUMERIC(9, 2)>>",
    },
    "u": {"a": "INT64", "k": "STRING"},
}
SCRIPT = """
CREATE TABLE made AS SELECT a, count(*) AS n FROM t GROUP BY a;
CREATE VIEW v AS SELECT s.x, s.y FROM t;
INSERT INTO made SELECT x, 1 FROM v;
INSERT INTO elsewhere (k, n) SELECT b, a FROM t;
MERGE INTO u USING v ON u.a = v.x WHEN MATCHED THEN UPDATE SET k = v.y WHEN NOT MATCHED THEN INSERT (a, k) VALUES (v.x, v.y);
UPDATE u SET k = upper(k) WHERE a > 0;
UPDATE t SET s.y = u.k FROM u WHERE t.a = u.a;
DELETE FROM u WHERE a IN (SELECT x FROM v);
CREATE TEMP FUNCTION plus(x INT64, y INT64) AS (x + y);
SELECT u.*, plus(made.n, 1) AS m FROM u LEFT JOIN made USING (a) WHERE u.k = @wanted;
"""


def _zetasql(sql: str, **options: object) -> headwater.Lineage:
    told = {"schema": SCHEMA, "engine": "zetasql", "dialect": "bigquery", **options}
    return headwater.analyze(sql, **told)  # type: ignore[arg-type]


def _edges(lineage: headwater.Lineage) -> set[str]:
    return {f"{e.target} <- {e.source}" for e in lineage.column_edges(rows="none")}


def _fallbacks(lineage: headwater.Lineage) -> list[str]:
    return [d.message for d in lineage.diagnostics if d.code is Code.ENGINE_FALLBACK]


def test_a_script_has_the_same_processes_tables_and_edges() -> None:
    static, zetasql = headwater.analyze(SCRIPT, "bigquery", SCHEMA), _zetasql(SCRIPT)
    assert zetasql.diagnostics == []
    for ours, theirs in zip(static.statements, zetasql.statements, strict=True):
        assert theirs.resolution.process == ours.resolution.process
        assert theirs.resolution.process.span == ours.resolution.process.span
    assert set(zetasql.column_edges()) == set(static.column_edges())
    assert zetasql.table_edges() == static.table_edges()
    assert (zetasql.sources, zetasql.targets) == (static.sources, static.targets)


def test_a_view_of_structs_has_their_fields_for_columns() -> None:
    lineage = _zetasql("CREATE VIEW w AS SELECT AS STRUCT a, s FROM t; SELECT w.a, w.s.x FROM w")
    assert lineage.diagnostics == []
    assert {"w.a <- t.a", "w.s <- t.s", "a <- w.a", "x <- w.s.x"} == _edges(lineage)


def test_what_a_statement_makes_has_its_types_in_the_next_one() -> None:
    lineage = _zetasql("CREATE TABLE m AS SELECT s, l FROM t; SELECT m.s.x, e.q FROM m, m.l AS e")
    assert lineage.diagnostics == []
    assert dict(lineage.statements[0].resolution.defines[0].columns or {}) == {
        "s": "STRUCT<x INT64, y STRING>",
        "l": "ARRAY<STRUCT<p INT64, q NUMERIC>>",
    }
    assert {"x <- m.s.x", "q <- m.l.q"} <= _edges(lineage)


@pytest.mark.parametrize("name", ["p.d.t", "`p.d.t`", "`p`.d.t", "`p.d`.t", "d.t", "t"])
def test_a_table_is_known_however_its_name_is_quoted(name: str) -> None:
    lineage = _zetasql(f"SELECT a FROM {name}", schema={"p.d.t": {"a": "INT64"}}, default_schema="p.d")
    assert lineage.diagnostics == []
    assert _edges(lineage) == {"a <- p.d.t.a"}


def test_wildcard_tables_and_pseudo_columns() -> None:
    sql = (
        "SELECT a, _TABLE_SUFFIX AS day FROM `p.d.events_*` WHERE _TABLE_SUFFIX > '2024' AND _PARTITIONTIME IS NOT NULL"
    )
    options = {"dialect": "bigquery", "schema": {"p.d.events_*": {"a": "INT64"}}}
    zetasql = headwater.analyze(sql, engine="zetasql", **options)  # type: ignore[arg-type]
    assert zetasql.diagnostics == []
    assert set(zetasql.column_edges()) == set(headwater.analyze(sql, **options).column_edges())  # type: ignore[arg-type]


def test_a_refusal_is_said_with_its_words_and_without_secrets() -> None:
    lineage = _zetasql(
        "SELECT a FROM unknown_table; EXPORT DATA OPTIONS (uri='gs://b/*', password='hush') AS SELECT nope FROM t"
    )
    first, second = _fallbacks(lineage)
    assert "GoogleSQL refuses the statement: Table not found: unknown_table" in first
    assert "Unrecognized name: nope" in second
    assert "hush" not in second
    assert "a <- unknown_table.a" in _edges(lineage)


def test_commands_without_data_are_no_fallback() -> None:
    assert _zetasql("DROP TABLE t; CREATE SCHEMA d; GRANT SELECT ON t TO x").diagnostics == []


_MANY = " UNION ALL ".join(["SELECT a FROM t"] * 200)


def test_a_statement_that_takes_too_much_memory_does_not_stop_the_next() -> None:
    lineage = _zetasql(_MANY, memory=20)
    assert "more than 20 MB" in _fallbacks(lineage)[0]
    assert "a <- t.a" in _edges(lineage)
    assert _zetasql("SELECT a FROM t").diagnostics == []


def test_a_statement_that_takes_too_long_does_not_stop_the_next() -> None:
    from headwater.analyzers.answer import Unanswered
    from headwater.analyzers.zetasql.engine import GoogleSql
    from headwater.budget import Budget

    with pytest.raises(Unanswered, match=r"not analysed within 0\.001 seconds"):
        GoogleSql(Budget(timeout=0.001)).analyse(_MANY, (), lambda *question: None)
    assert _zetasql("SELECT a FROM t").diagnostics == []


@pytest.mark.parametrize("timeout", [0.001, 0.02, 0.05, 0.2])
def test_a_short_time_is_a_diagnostic_and_never_an_exception(timeout: float) -> None:
    lineage = _zetasql(_MANY, timeout=timeout)
    assert "a <- t.a" in _edges(lineage) or lineage.diagnostics


def test_a_process_that_died_is_started_again() -> None:
    from headwater.analyzers.zetasql import engine

    assert _zetasql("SELECT a FROM t").diagnostics == []
    worker = engine._PROCESS._worker
    assert worker is not None
    worker._process.kill()
    worker._process.wait()
    assert _zetasql("SELECT a FROM t").diagnostics == []
    assert engine._PROCESS._worker is not worker


def test_threads_share_it() -> None:
    with ThreadPoolExecutor(4) as pool:
        lineages = list(pool.map(_zetasql, [f"SELECT a + {i} AS x FROM t" for i in range(12)]))
    assert all(lineage.diagnostics == [] and _edges(lineage) == {"x <- t.a"} for lineage in lineages)


def test_other_dialects_are_refused() -> None:
    with pytest.raises(ValueError, match="the zetasql engine analyses bigquery SQL, not spark"):
        _zetasql("SELECT 1", dialect="spark")


def test_the_command_takes_the_engine(run: Run, folder: Path) -> None:
    write("load.sql", "INSERT INTO d.o SELECT a FROM d.t")
    told = ("analyze", "load.sql", "--dialect", "bigquery", "--schema", '{"d.t": {"a": "int"}}')
    zetasql = run(*told, "--engine", "zetasql")
    assert zetasql == run(*told)
    assert zetasql.code == 0


def test_the_configuration_takes_the_engine(run: Run, folder: Path) -> None:
    write("headwater.toml", 'engine = "zetasql"\ndialect = "bigquery"')
    write("load.sql", "INSERT INTO o SELECT a FROM t")
    result = run("analyze", "load.sql")
    assert result.code == 1
    assert "engine-fallback" in result.err


@pytest.mark.parametrize("command", ["analyze", "check"])
def test_without_the_extra_it_cannot_run(command: str, run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from headwater.analyzers.zetasql import engine

    monkeypatch.setattr(engine, "find_spec", lambda name: None)
    write("headwater.toml", 'engine = "zetasql"\ndialect = "bigquery"')
    write("load.sql", "SELECT 1 AS a")
    result: Result = run(command, "load.sql")
    assert result.code == 2
    assert result.err.count("\n") == 1
    assert "pip install 'headwater[zetasql]'" in result.err


class Compiling:
    """A small module in the place of the analyzer, and how often it was compiled."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        import wasmtime
        import zetasql.wasi

        module = folder / "small.wasm"
        module.write_bytes(wasmtime.wat2wasm("(module)"))
        monkeypatch.setattr(zetasql.wasi, "get_wasm_path", lambda: module)
        monkeypatch.setenv("XDG_CACHE_HOME", str(folder / "cache"))
        self.times = 0
        compile_file = wasmtime.Module.from_file

        def counted(engine: object, path: str) -> object:
            self.times += 1
            return compile_file(engine, path)  # type: ignore[arg-type]

        monkeypatch.setattr(wasmtime.Module, "from_file", counted)

    def load(self) -> int:
        """Load it; how often it was compiled so far."""
        import wasmtime

        from headwater.analyzers.zetasql.wasm import _module

        _module(wasmtime.Engine())
        return self.times


def test_the_analyzer_is_compiled_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from headwater.analyzers.zetasql.wasm import compiled_path

    compiling = Compiling(tmp_path, monkeypatch)
    assert [compiling.load(), compiling.load()] == [1, 1]
    kept = compiled_path()
    assert kept is not None
    assert list(kept.parent.iterdir()) == [kept]
    kept.write_bytes(b"broken")
    assert [compiling.load(), compiling.load()] == [2, 2]


@pytest.mark.skipif(sys.platform == "win32", reason="a file in the place of the folder is another error there")
def test_a_folder_that_cannot_be_written_is_done_without(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiling = Compiling(tmp_path, monkeypatch)
    (tmp_path / "cache").write_text("no folder")
    assert [compiling.load(), compiling.load()] == [1, 2]


def test_types_in_many_spellings() -> None:
    from headwater.analyzers.zetasql.message import Messages
    from headwater.analyzers.zetasql.type_text import type_message

    spelled = {
        "string": "STRING",
        "bigint": "INT64",
        "NUMERIC(10, 2)": "NUMERIC",
        "float": "FLOAT64",
        "struct<x:int,y:array<string>>": "STRUCT<x INT64, y ARRAY<STRING>>",
        "STRUCT<`a b` DATE, s STRUCT<p INT64, q STRUCT<z JSON>>, t TIME>": (
            "STRUCT<`a b` DATE, s STRUCT<p INT64, q STRUCT<z JSON>>, t TIME>"
        ),
        "RANGE<DATE>": "RANGE<DATE>",
        "ARRAY<STRUCT<g GEOGRAPHY, i INTERVAL>>": "ARRAY<STRUCT<g GEOGRAPHY, i INTERVAL>>",
        "VARIANT": "STRING",
        "": "STRING",
    }
    messages = Messages()
    assert {text: str(messages.type(type_message(text))) for text in spelled} == spelled


def test_the_levels_and_formats_are_the_ordinary_ones() -> None:
    lineage = _zetasql("CREATE TABLE o AS WITH c AS (SELECT a, s.x AS x FROM t) SELECT a + x AS z FROM c")
    assert {(str(e.source), str(e.target)) for e in lineage.table_edges()} == {("t", "o")}
    assert json.loads(lineage.to("json"))
    assert _edges(lineage) == {"o.z <- t.a", "o.z <- t.s.x"}
