"""Every command without an optional dependency: it works, or says in one line what to install; never a traceback."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from build_process import environment
from command import write
from headwater.cli.missing_extra import _EXTRAS
from stores import make_store

HIDE = """
import sys
hidden = {hidden!r}

class Hider:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in hidden:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, Hider())
from headwater.cli.main import cli, main

for command in {commands!r}:
    sys.argv = ["headwater", *command]
    try:
        main()
    except SystemExit as ended:
        print("ENDED", ended.code, *command, file=sys.stderr)
"""
COMMANDS = (
    ("analyze", "sql"),
    ("analyze", "sql", "-f", "csv"),
    ("analyze", "sql", "--engine", "zetasql", "-d", "bigquery"),
    ("check", "sql"),
    ("check", "--store", "lineage"),
    *(
        ("export", "sql", "-f", format)
        for format in ("json", "csv", "html", "svg", "png", "openlineage", "rdbms", "atlas")
    ),
    ("export", "lineage", "-f", "delta", "-o", "out_delta"),
    ("export", "lineage", "-f", "iceberg", "-o", "out_iceberg"),
    ("export", "lineage", "-f", "graphml"),
    ("project", "check", "shop"),
    ("project", "show", "shop"),
    ("project", "show", "visivo"),
    ("project", "resolve", "a.b", "-p", "shop"),
    ("upstream", "mart.o.a"),
    ("downstream", "raw.t.a"),
    ("path", "raw.t.a", "mart.o.a"),
    ("impact", "raw.t.a"),
    ("unused",),
    ("coverage",),
    ("diagnostics",),
    ("tags",),
    ("search", "a"),
    ("diff", "lineage", "lineage"),
    ("report", "-o", "report.html"),
    ("store", "files", "relations"),
    ("catalog", "pull", "sqlite:///x.db"),
    ("config",),
    ("dialects",),
    ("cache", "list"),
    ("explain", "template"),
)
NEED_SPARK = (("build", "sql", "-o", "built"), ("catalog", "pull", "spark"), ("whole", "degree"), ("spark", "pack"))
SERVE = (("serve", "lineage", "--port", "0"), ("mcp", "lineage"))
"""Commands that would begin to work if nothing were hidden."""


@pytest.mark.slow
@pytest.mark.parametrize("hidden", sorted(_EXTRAS))
def test_commands_without_a_module(tmp_path: Path, hidden: str) -> None:
    write(str(tmp_path / "sql/a.sql"), "INSERT INTO mart.o SELECT a FROM raw.t")
    write(str(tmp_path / "shop/dbt_project.yml"), "name: shop\nprofile: shop\n")
    write(str(tmp_path / "shop/models/a.sql"), "select a from {{ source('raw', 't') }}")
    write(str(tmp_path / "visivo/project.visivo.yml"), "name: shop\n")
    make_store(tmp_path / "lineage", "raw.t.a -> mart.o.a IDENTITY = a @ a.sql:1 Insert")
    commands = [*COMMANDS, *(NEED_SPARK if hidden in ("pyspark", "pyarrow", "numpy") else ())]
    commands += SERVE[:1] if hidden in ("fastapi", "uvicorn", "starlette", "prometheus_client") else ()
    commands += SERVE[1:] if hidden == "mcp" else ()
    done = subprocess.run(
        [sys.executable, "-c", HIDE.format(hidden={hidden}, commands=[list(each) for each in commands])],
        cwd=tmp_path,
        env=environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        errors="replace",
        timeout=300,
        check=False,
    )
    assert "Traceback" not in done.stderr, done.stderr[-3000:]
    assert done.stderr.count("ENDED ") == len(commands), done.stderr[-3000:]
