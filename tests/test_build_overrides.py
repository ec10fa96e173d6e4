"""`[[overrides]]` and manifests give a build's scripts a dialect, default schema and schemas of their own, as `analyze` has them."""

from __future__ import annotations

from pathlib import Path

import pytest

from command import Run, write

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark"), pytest.mark.usefixtures("spark")]

OVERRIDES = """\
dialect = "snowflake"
schema = "common.json"

[[overrides]]
path = "sql/legacy/**"
dialect = "tsql"
default-schema = "dbo"

[[overrides]]
path = ["*_hive.sql", "sql/hive/"]
dialect = "hive"
schema = "hive.json"
"""
SCRIPTS = {"a.sql": "w", "legacy/b.sql": "x", "legacy/deep/c_hive.sql": "y", "hive/deep/d.sql": "z"}


@pytest.fixture
def overridden(folder: Path) -> Path:
    write("headwater.toml", OVERRIDES)
    write("common.json", '{"t": ["common"]}')
    write("hive.json", '{"t": ["own"]}')
    for name, table in SCRIPTS.items():
        write(f"sql/{name}", f"CREATE VIEW {table} AS SELECT * FROM t")
    return folder


def test_a_build_uses_overrides(run: Run, overridden: Path) -> None:
    assert run("build", "sql").code == 0
    assert "T.COMMON" in run("upstream", "W.COMMON").out
    assert "dbo.t.common" in run("upstream", "dbo.x.common").out
    assert "dbo.t.own" in run("upstream", "dbo.y.own").out
    assert "t.own" in run("upstream", "z.own").out


def test_the_command_line_wins_over_overrides(run: Run, overridden: Path) -> None:
    assert run("build", "sql", "-d", "duckdb").code == 0
    assert "dbo.t.common" in run("upstream", "dbo.x.common").out
    assert "t.own" in run("upstream", "z.own").out
    assert "t.common" in run("upstream", "w.common").out


def test_a_manifest_wins_over_overrides_where_it_says_something(run: Run, overridden: Path) -> None:
    write("scripts.csv", "path,dialect,default_schema\nsql/hive/deep/d.sql,spark,gold\n")
    assert run("build", "--manifest", "scripts.csv").code == 0
    assert "gold.t.own" in run("upstream", "gold.z.own").out


def test_another_override_is_seen_by_the_next_build(run: Run, overridden: Path) -> None:
    assert run("build", "sql").code == 0
    write("headwater.toml", OVERRIDES.replace('default-schema = "dbo"', 'default-schema = "old"'))
    assert run("build", "sql").code == 0
    assert "old.t.common" in run("upstream", "old.x.common").out
