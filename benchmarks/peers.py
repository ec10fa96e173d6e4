"""The contenders' environments: one virtual environment per peer, with pinned versions, made when first asked for.

Peers pin conflicting versions of sqlglot, so they cannot share one. `python benchmarks/peers.py` makes all ahead.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = "headwater"
"""The environment that is not made: the interpreter that runs the benchmark, with headwater installed."""

REQUIREMENTS: dict[str, tuple[str, ...]] = {
    "sqlglot": ("sqlglot[c]==30.30.0",),
    "sqllineage": ("sqllineage==1.5.9", "sqlfluff==4.4.0", "sqlparse==0.6.1"),
    "datahub": ("acryl-datahub[sql-parser]==1.7.0.17",),
    "sql-glider": ("sql-glider==0.1.30", "sqlglot[c]==30.30.0"),
    "openlineage-sql": ("openlineage-sql==1.54.0",),
    "duckdb": ("duckdb==1.5.5", "duckdb-extension-tpcds==1.5.5"),
}


def default_cache() -> Path:
    """Where environments live unless `--cache` says otherwise."""
    return Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "headwater-bench"


def interpreter(environment: str, cache: Path) -> Path:
    """The Python of an environment, which is made first if it is missing or was made for other pins."""
    if environment == HERE:
        return Path(sys.executable)
    folder = cache / environment
    stamp = folder / "requirements.txt"
    if not stamp.is_file() or stamp.read_text(encoding="utf-8") != _pins(environment):
        _create(environment, folder)
        stamp.write_text(_pins(environment), encoding="utf-8")
    return _python(folder)


def _create(environment: str, folder: Path) -> None:
    print(f"making the environment {environment} in {folder}", file=sys.stderr)
    shutil.rmtree(folder, ignore_errors=True)
    venv.create(folder, with_pip=True)
    command = [str(_python(folder)), "-m", "pip", "install", "-qq", *REQUIREMENTS[environment]]
    subprocess.run(command, check=True)


def _pins(environment: str) -> str:
    """What the environment was made from; the interpreter's version belongs to it."""
    return "\n".join((f"# {sys.version}", *REQUIREMENTS[environment]))


def _python(folder: Path) -> Path:
    return folder / ("Scripts" if os.name == "nt" else "bin") / "python"


def main() -> None:
    """Make the named environments, or all."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("names", nargs="*", metavar="PEER", help=f"of {', '.join(REQUIREMENTS)}; default: all")
    parser.add_argument("--cache", type=Path, default=default_cache())
    options = parser.parse_args()
    for name in options.names or REQUIREMENTS:
        print(name, interpreter(name, options.cache))


if __name__ == "__main__":
    main()
