"""Source distributions from the package index: downloaded once by pip, unpacked below the cache folder.

The versions are pinned, so that two runs read the same characters.
"""

from __future__ import annotations

import subprocess
import sys
import tarfile
from pathlib import Path

PINNED = {
    "sqlglot": "30.30.0",
    "ibis-framework": "12.0.0",
    "sqllineage": "1.5.9",
    "sqlmesh": "0.236.4",
    "acryl-datahub": "1.7.0.17",
    "dbt-adapters": "1.24.5",
    "dbt-bigquery": "1.12.1",
    "dbt-postgres": "1.11.0",
    "dbt-redshift": "1.11.1",
    "dbt-snowflake": "1.12.4",
    "dbt-spark": "1.11.0",
    "dbt-tests-adapter": "1.20.0",
}


class Unavailable(Exception):
    """The package could not be had; the message says why."""


def unpacked(package: str, cache: Path) -> Path:
    """The folder of a package's unpacked source distribution."""
    folder = cache / f"{package}-{PINNED[package]}"
    if not folder.is_dir():
        archive = _archive(package, cache)
        partial = folder.with_suffix(".partial")
        with tarfile.open(archive) as content:
            content.extractall(partial, filter="data")
        partial.rename(folder)
    return next(path for path in folder.iterdir() if path.is_dir())


def _archive(package: str, cache: Path) -> Path:
    cache.mkdir(parents=True, exist_ok=True)
    pattern = f"{package.replace('-', '_')}-{PINNED[package]}.tar.gz"
    if not any(cache.glob(pattern)):
        requirement = f"{package}=={PINNED[package]}"
        command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--no-binary", package]
        done = subprocess.run(
            [*command, "--dest", str(cache), requirement], capture_output=True, text=True, check=False
        )
        if done.returncode:
            said = done.stderr.strip().splitlines()
            raise Unavailable(f"pip could not download {requirement}: {said[-1] if said else 'no message'}")
    found = next(cache.glob(pattern), None)
    if found is None:
        raise Unavailable(f"pip downloaded {package}, but not as {pattern}")
    return found
