"""The dbt project of the examples, built by dbt in an environment of its own: dbt wants older versions of libraries that we use."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import venv
from collections.abc import Sequence
from pathlib import Path

EXAMPLE = Path(__file__).parent.parent / "examples" / "dbt"
REQUIREMENTS = ("dbt-core==1.11.16", "dbt-duckdb==1.11.1", "duckdb==1.5.5")
QUIET = {"DO_NOT_TRACK": "1", "DBT_SEND_ANONYMOUS_USAGE_STATS": "false", "BEAN_SHOP_DATABASE": "shop.duckdb"}
COMMANDS = ("build", "docs generate")


def environment(cache: Path) -> Path:
    """The Python of an environment with dbt, which is made first if it is missing or was made for other versions."""
    folder = cache / "environment"
    pins = "\n".join((sys.version, *REQUIREMENTS))
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = folder / "requirements.txt"
        if not stamp.is_file() or stamp.read_text(encoding="utf-8") != pins:
            shutil.rmtree(folder, ignore_errors=True)
            venv.create(folder, with_pip=True)
            install = [str(folder / "bin" / "python"), "-m", "pip", "install", "-qq", *REQUIREMENTS]
            subprocess.run(install, check=True, capture_output=True, text=True)
            stamp.write_text(pins, encoding="utf-8")
    return folder / "bin" / "python"


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
