"""The dbt project of the examples, built by dbt in an environment of its own: dbt wants older versions of libraries that we use."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Callable, Sequence
from pathlib import Path

EXAMPLE = Path(__file__).parent.parent / "examples" / "dbt"
REQUIREMENTS = ("dbt-core==1.11.16", "dbt-duckdb==1.11.1", "duckdb==1.5.5")
ADAPTERS = (
    *("dbt-adapters==1.24.5", "dbt-bigquery==1.12.1", "dbt-databricks==1.12.8", "dbt-duckdb==1.11.1"),
    *("dbt-postgres==1.11.0", "dbt-redshift==1.11.1", "dbt-snowflake==1.12.4", "dbt-spark==1.11.0"),
)
"""Packages of macros."""
QUIET = {"DO_NOT_TRACK": "1", "DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "BEAN_SHOP_DATABASE": "shop.duckdb"}
COMMANDS = ("build", "docs generate")


def environment(cache: Path) -> Path:
    """The Python of an environment with dbt, which is made first if it is missing or was made for other versions."""

    def make(folder: Path) -> None:
        venv.create(folder, with_pip=True)
        _install(folder / "bin" / "python", *REQUIREMENTS)

    return _made_once(cache / "environment", REQUIREMENTS, make) / "bin" / "python"


def adapters(cache: Path) -> Path:
    """A folder of dbt's adapters without what they need to run: their macros can be read, and nothing else."""
    python = environment(cache)

    def make(folder: Path) -> None:
        _install(python, "--no-deps", "--target", str(folder), *ADAPTERS)

    return _made_once(cache / "adapters", ADAPTERS, make)


def _made_once(folder: Path, requirements: Sequence[str], make: Callable[[Path], None]) -> Path:
    """A folder that is made by the first run of the tests that needs it, and made again for other versions."""
    pins = "\n".join((sys.version, *requirements))
    with (folder.parent / f"{folder.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = folder / "requirements.txt"
        if not stamp.is_file() or stamp.read_text(encoding="utf-8") != pins:
            shutil.rmtree(folder, ignore_errors=True)
            make(folder)
            stamp.write_text(pins, encoding="utf-8")
    return folder


def _install(python: Path, *arguments: str) -> None:
    command = [str(python), "-m", "pip", "install", "-qq", *arguments]
    subprocess.run(command, check=True, capture_output=True, text=True)


def built_project(python: Path, folder: Path, source: Path = EXAMPLE, commands: Sequence[str] = COMMANDS) -> Path:
    """A copy of a project, the example unless another is named, with all tables made, and dbt's files about them."""
    project = folder / "shop"
    shutil.copytree(source, project, ignore=shutil.ignore_patterns("target", "logs", "*.duckdb"))
    for command in map(str.split, commands):
        run = subprocess.run(
            [str(python), "-m", "dbt.cli.main", "--no-use-colors", *command, "--profiles-dir", "."],
            cwd=project,
            env={**os.environ, **QUIET},
            capture_output=True,
            text=True,
            check=False,
        )
        assert run.returncode == 0, run.stdout + run.stderr
    return project
