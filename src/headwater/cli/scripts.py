"""The scripts that the command's arguments name: files, folders, standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import click

from headwater.analysis import Script
from headwater.model.suggestion import did_you_mean

STANDARD_INPUT = "-"
_MOST = 10_000
"""Names of a folder that are looked at for a near one."""


def script_paths(arguments: tuple[str, ...]) -> list[str]:
    """The paths of all scripts, in order; an argument that leads nowhere is an error."""
    return [path for argument in arguments for path in _paths(argument)]


def _paths(argument: str) -> list[str]:
    path = Path(argument)
    if argument == STANDARD_INPUT:
        return [argument]
    if path.is_dir():
        found = sorted(p for p in path.rglob("*") if p.suffix.lower() == ".sql" and p.is_file())
        if not found:
            raise click.ClickException(f"there is no .sql file below {argument}")
        return [str(p) for p in found]
    if not path.exists():
        raise click.ClickException(f"{argument} does not exist{_hint(path)}")
    return [argument]


def read_scripts(paths: list[str]) -> Iterator[Script]:
    """The scripts at these paths."""
    for path in paths:
        yield Script.of(None, sys.stdin.buffer.read()) if path == STANDARD_INPUT else Script.read(Path(path))


def _hint(path: Path) -> str:
    """What may have been meant instead of the first part of a path that does not exist."""
    missing = next((p for p in [*reversed(path.parents), path] if not p.exists()), path)
    try:
        siblings = [p.name for p in islice(missing.parent.iterdir(), _MOST)]
    except OSError:
        return ""
    near = did_you_mean(missing.name, sorted(siblings))
    return f"; {near}" if near else ""
