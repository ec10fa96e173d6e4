"""The scripts that the command's arguments name: files, folders, standard input."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import click

from headwater.analysis import Script
from headwater.cli.missing_file import missing
from headwater.cli.project_folder import refuse_project

STANDARD_INPUT = "-"


def script_paths(arguments: tuple[str, ...]) -> list[str]:
    """The paths of all scripts, in order; an argument that leads nowhere is an error."""
    for argument in arguments:
        refuse_project(argument)
    return [path for argument in arguments for path in _paths(argument)]


def _paths(argument: str) -> list[str]:
    path = Path(argument)
    if argument == STANDARD_INPUT:
        return [argument]
    if path.is_dir():
        found = sorted(p for p in path.rglob("*") if p.suffix.lower() == ".sql" and _is_script(p))
        if not found:
            raise click.ClickException(f"there is no .sql file below {argument}")
        return [str(p) for p in found]
    if not path.exists():
        raise click.ClickException(missing(path))
    return [argument]


def _is_script(path: Path) -> bool:
    """Whether a path is a file, or a link that should lead to one: where it leads nowhere is told when it is read."""
    return path.is_file() or (path.is_symlink() and not path.exists())


def read_scripts(paths: list[str]) -> Iterator[Script]:
    """The scripts at these paths."""
    for path in paths:
        yield Script.of(None, sys.stdin.buffer.read()) if path == STANDARD_INPUT else Script.read(Path(path))
