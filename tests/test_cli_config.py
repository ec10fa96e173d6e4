"""Settings: from the command line, from `headwater.toml` or `pyproject.toml`, from overrides; and `headwater config`."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import tomllib

from command import Run, line_with, write
from headwater.cli.path_pattern import fits
from headwater.cli.settings import NAMES, Settings, key_of

ROOT = Path(__file__).parent.parent


def settings(run: Run, *arguments: str) -> dict[str, tuple[object, str]]:
    """The effective settings and their origins."""
    found = json.loads(run("config", *arguments, "--format", "json").out)["settings"]
    return {key: (value["value"], value["origin"]) for key, value in found.items()}


def test_without_a_file_everything_is_a_default(run: Run, folder: Path) -> None:
    found = settings(run)
    assert found == {key_of(name): (json.loads(json.dumps(getattr(Settings(), name))), "default") for name in NAMES}


def test_headwater_toml(run: Run, folder: Path) -> None:
    write("headwater.toml", 'dialect = "snowflake"\n\nrows = "none"\n')
    write("s.sql", "SELECT a FROM t WHERE b > 0")
    found = settings(run)
    assert found["dialect"][0] == "snowflake"
    assert found["dialect"][1].endswith("headwater.toml:1")
    assert found["rows"][1].endswith("headwater.toml:3")
    out = run("analyze", "s.sql").out
    assert "snowflake" in out
    assert "t.a" in out
    assert "where" not in out


def test_pyproject_toml(run: Run, folder: Path) -> None:
    write("pyproject.toml", '[project]\nname = "x"\n\n[tool.headwater]\ndialect = ["hive", "spark"]\n')
    assert settings(run)["dialect"][0] == "hive,spark"
    assert settings(run)["dialect"][1].endswith("pyproject.toml:5")


def test_headwater_toml_comes_before_pyproject_toml(run: Run, folder: Path) -> None:
    write("pyproject.toml", '[tool.headwater]\ndialect = "hive"\n')
    write("headwater.toml", 'dialect = "duckdb"\n')
    assert settings(run)["dialect"][0] == "duckdb"


def test_a_pyproject_without_our_table_is_passed_by(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("headwater.toml", 'dialect = "duckdb"\n')
    write("inner/pyproject.toml", "this is not TOML, and not our business")
    monkeypatch.chdir("inner")
    assert settings(run)["dialect"][0] == "duckdb"


@pytest.mark.parametrize(
    "content",
    ['[project]\ndependencies = ["headwater"]\n', "[tool.headwater-other]\nx = 1\n", "tool = 5 # headwater\n"],
)
def test_a_pyproject_that_only_mentions_us_is_passed_by(content: str, run: Run, folder: Path) -> None:
    write("pyproject.toml", content)
    assert settings(run)["dialect"] == ("spark", "default")


def test_a_broken_pyproject_that_has_our_table_is_told(run: Run, folder: Path) -> None:
    write("pyproject.toml", '[tool.headwater]\ndialect = "spark\n')
    assert "pyproject.toml:2:17: this is not TOML" in run("config").err


def test_a_byte_order_mark(run: Run, folder: Path) -> None:
    write("headwater.toml", '\ufeffdialect = "hive"\n')
    assert settings(run)["dialect"][0] == "hive"


def test_the_search_ends_at_the_repository(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("headwater.toml", 'dialect = "duckdb"\n')
    Path("repository/.git").mkdir(parents=True)
    Path("repository/models").mkdir()
    monkeypatch.chdir("repository/models")
    assert settings(run)["dialect"] == ("spark", "default")
    write("../headwater.toml", 'dialect = "tsql"\n')
    assert settings(run)["dialect"][0] == "tsql"


def test_a_file_that_is_named(run: Run, folder: Path) -> None:
    write("headwater.toml", 'dialect = "duckdb"\n')
    write("ci/strict.toml", 'fail-on = "error"\n')
    found = settings(run, "--config", "ci/strict.toml")
    assert (found["dialect"], found["fail-on"]) == (("spark", "default"), ("error", "ci/strict.toml:1"))


def test_no_file(run: Run, folder: Path) -> None:
    write("headwater.toml", "this = is not TOML")
    assert settings(run, "--no-config")["dialect"] == ("spark", "default")
    code, _, err = run("config", "--no-config", "--config", "headwater.toml")
    assert code == 2
    assert "exclude each other" in err


def test_the_command_line_wins(run: Run, folder: Path) -> None:
    write("headwater.toml", 'dialect = "snowflake"\nliterals = true\nformat = "json"\n')
    write("s.sql", "SELECT a, 1 AS k FROM t")
    out = run("analyze", "s.sql", "-d", "duckdb", "--no-literals", "-f", "text").out
    assert "t.a" in out
    assert "literal" not in out
    assert json.loads(run("analyze", "s.sql").out)["sources"] == ["T"]


def test_every_setting_is_an_option_and_a_key(run: Run, folder: Path) -> None:
    options = run("analyze", "--help").out + run("build", "--help").out
    for name in NAMES:
        assert f"--{key_of(name)}" in options


def test_every_setting_is_documented() -> None:
    page = (ROOT / "docs" / "configuration.md").read_text("utf-8")
    assert [name for name in NAMES if f"| `{key_of(name)}` |" not in page] == []


def test_schemas_are_relative_to_the_file(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("headwater.toml", "schema = ['columns.json', '{\"u\": [\"c\"]}']\n")
    write("columns.json", '{"t": ["a", "b"]}')
    write("inner/s.sql", "SELECT t.*, u.* FROM t JOIN u")
    monkeypatch.chdir("inner")
    out = run("analyze", "s.sql", "-f", "csv").out
    assert [line.split(",")[1] for line in out.splitlines()[1:]] == ["a", "b", "c"]


@pytest.mark.parametrize(("fail_on", "code"), [("error", 0), ("warning", 1), ("never", 0)])
def test_fail_on(fail_on: str, code: int, run: Run, folder: Path) -> None:
    write("headwater.toml", f'fail-on = "{fail_on}"\n')
    write("s.sql", "SELECT x FROM t JOIN u ON t.i = u.i")
    assert run("analyze", "s.sql").code == code


def test_ignore_and_select(run: Run, folder: Path) -> None:
    write("headwater.toml", 'ignore = ["ambiguous-column"]\n')
    write("s.sql", "SELECT x FROM t JOIN u ON t.i = u.i")
    assert run("analyze", "s.sql")[0::2] == (0, "")
    assert run("analyze", "s.sql", "--ignore", "syntax-error").code == 1


# Overrides

OVERRIDES = """\
dialect = "snowflake"
schema = "common.json"

[[overrides]]
path = "legacy/**"
dialect = "tsql"
default-schema = "dbo"

[[overrides]]
path = ["*_hive.sql", "hive/"]
dialect = "hive"
schema = "hive.json"
"""


@pytest.fixture
def overridden(folder: Path) -> Path:
    write("headwater.toml", OVERRIDES)
    write("common.json", '{"t": ["common"]}')
    write("hive.json", '{"t": ["own"]}')
    for name in ("a.sql", "legacy/b.sql", "legacy/deep/c_hive.sql", "hive/deep/d.sql"):
        write(name, "SELECT * FROM t")
    return folder


def test_overrides(run: Run, overridden: Path) -> None:
    rows = [line.split(",") for line in run("analyze", ".", "-f", "csv").out.splitlines()[1:]]
    assert {row[-1]: tuple(row[:2]) for row in rows} == {
        "a.sql": ("T", "COMMON"),
        "legacy/b.sql": ("dbo.t", "common"),
        "legacy/deep/c_hive.sql": ("dbo.t", "own"),
        "hive/deep/d.sql": ("t", "own"),
    }


def test_the_command_line_wins_over_overrides(run: Run, overridden: Path) -> None:
    out = run("analyze", "legacy/b.sql", "hive/deep/d.sql", "-d", "duckdb", "-f", "json").out
    assert [d["statements"][0]["dialect"] for d in json.loads(out)] == ["duckdb", "duckdb"]


def test_each_dialect_wins_over_overrides(run: Run, overridden: Path) -> None:
    out = run("analyze", "legacy/b.sql", "-d", "duckdb,spark", "--each-dialect", "-f", "json").out
    assert [d["statements"][0]["dialect"] for d in json.loads(out)] == ["duckdb", "spark"]


def test_what_a_script_defines_is_known_to_one_of_other_settings(run: Run, folder: Path) -> None:
    write("headwater.toml", '[[overrides]]\npath = "2.sql"\ndialect = "hive"\n')
    write("1.sql", "CREATE TABLE t AS SELECT a, b FROM s")
    write("2.sql", "SELECT * FROM t")
    assert "t.b" in run("analyze", "1.sql", "2.sql").out


def test_the_settings_of_one_script(run: Run, overridden: Path) -> None:
    found = settings(run, "legacy/deep/c_hive.sql")
    assert (found["dialect"][0], found["default-schema"][0]) == ("hive", "dbo")
    assert found["dialect"][1].endswith("headwater.toml:9")
    assert found["default-schema"][1].endswith("headwater.toml:4")


def test_overrides_do_not_reach_outside_of_their_folder(
    run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write("inner/headwater.toml", '[[overrides]]\npath = "*.sql"\ndialect = "hive"\n')
    monkeypatch.chdir("inner")
    assert settings(run, "../s.sql")["dialect"][0] == "spark"
    assert settings(run, "s.sql")["dialect"][0] == "hive"


def test_the_settings_as_toml(run: Run, overridden: Path) -> None:
    out = run("config").out
    read = tomllib.loads(out)
    assert read["dialect"] == "snowflake"
    assert [o["path"] for o in read["overrides"]] == [["legacy/**"], ["*_hive.sql", "hive/"]]
    assert "headwater.toml:1" in line_with(out, 'dialect = "snowflake"')
    assert "default" in line_with(out, "rows =")


@pytest.mark.parametrize(
    ("pattern", "path", "expected"),
    [
        ("*.sql", "a.sql", True),
        ("*.sql", "x/y/a.sql", True),
        ("x/*.sql", "x/a.sql", True),
        ("x/*.sql", "x/y/a.sql", False),
        ("x/**/*.sql", "x/a.sql", True),
        ("x/**/*.sql", "x/y/z/a.sql", True),
        ("x/**", "x/y/a.sql", True),
        ("**/stage/*.sql", "stage/a.sql", True),
        ("**/stage/*.sql", "a/b/stage/a.sql", True),
        ("/a.sql", "a.sql", True),
        ("/a.sql", "x/a.sql", False),
        ("./x", "x/a.sql", True),
        ("x", "y/x/a.sql", True),
        ("x", "xy/a.sql", False),
        ("a?.sql", "ab.sql", True),
        ("a?.sql", "a/.sql", False),
        ("[ab].sql", "a.sql", True),
        ("[!ab].sql", "a.sql", False),
        ("[!ab].sql", "c.sql", True),
        ("a+(1).sql", "a+(1).sql", True),
        ("[z-a].sql", "z.sql", False),
        ("[", "[", True),
    ],
)
def test_patterns(pattern: str, path: str, expected: bool) -> None:
    assert fits(pattern, path) is expected


# Files that are wrong

WRONG = {
    "an unknown key": ('dialect = "spark"\nlevle = "table"\n', ":2: unknown key levle; did you mean level?"),
    "a key unlike any": (
        "bogus = 1\n",
        ":1: unknown key bogus; there are ambiguous, cache, catalog, catalog-timeout, catalogs, check, ",
    ),
    "an underscore": ('default_schema = "db"\n', ":1: unknown key default_schema; write default-schema"),
    "a number for a string": ("dialect = 5\n", ":1: dialect must be a string or a list of strings, not 5"),
    "a list of numbers": ("schema = [1]\n", ":1: schema must be a string or a list of strings, not [1]"),
    "a string for a boolean": ('\nliterals = "yes"\n', ":2: literals must be true or false, not 'yes'"),
    "an integer for a boolean": ("literals = 1\n", ":1: literals must be true or false, not 1"),
    "a value that is none": ('level = "deep"\n', ":1: level must be one of complete, column, table, not 'deep'"),
    "an unknown dialect": ('dialect = "sprak"\n', ":1: dialect names an unknown dialect 'sprak'; did you mean spark?"),
    "an unknown code": ('ignore = "nope"\n', ":1: ignore names a diagnostic that does not exist"),
    "a missing schema": ('schema = "gone.json"\n', ":1: schema names gone.json, which does not exist beside"),
    "the other file's table": ('[tool.headwater]\ndialect = "hive"\n', "tool does not belong here"),
    "an override without a path": ('[[overrides]]\ndialect = "hive"\n', ":1: an override needs a path"),
    "an override of something else": (
        '[[overrides]]\npath = "x"\n\n[[overrides]]\npath = "y"\nrows = "none"\n',
        ":6: unknown key rows; there are default-schema, dialect, path, schema",
    ),
    "a path that is a number": ("[[overrides]]\npath = 1\n", ":2: path must be a string or a list of strings"),
    "overrides that are no tables": ("overrides = 3\n", ":1: overrides must be tables: [[overrides]]"),
    "no TOML": ('dialect = "spark\n', ":1:17: this is not TOML: "),
}


@pytest.mark.parametrize(("content", "words"), WRONG.values(), ids=WRONG)
@pytest.mark.parametrize("command", [["config"], ["analyze", "s.sql"]], ids=["config", "analyze"])
def test_a_wrong_file(command: list[str], content: str, words: str, run: Run, folder: Path) -> None:
    write("headwater.toml", content)
    write("s.sql", "SELECT a FROM t")
    code, out, err = run(*command)
    assert (code, out) == (2, "")
    assert "headwater.toml" in err
    assert words in err
    assert len(err.splitlines()) == 1


def test_the_place_in_pyproject_toml(run: Run, folder: Path) -> None:
    write("pyproject.toml", "[tool.other]\nlevle = 1\n\n[tool.headwater]\nlevle = 2\n")
    assert "pyproject.toml:5: unknown key levle" in run("config").err
    write("pyproject.toml", '[tool.headwater]\n[[tool.headwater.overrides]]\npath = "x"\ndialect = 1\n')
    assert "pyproject.toml:4: dialect must be" in run("config").err


def test_a_pyproject_that_is_named_needs_our_table(run: Run, folder: Path) -> None:
    write("pyproject.toml", '[project]\nname = "x"\n')
    code, _, err = run("config", "--config", "pyproject.toml")
    assert code == 2
    assert "no table [tool.headwater]" in err
