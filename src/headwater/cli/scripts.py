"""The scripts that the command's arguments name: files, folders, standard input; read as `build` reads them."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import click

from headwater.analysis import Script
from headwater.cli.missing_file import missing
from headwater.files import read_bytes
from headwater.sql.text import Text

if TYPE_CHECKING:
    from headwater.source import SourceScript, Template

STANDARD_INPUT = "-"


def script_paths(arguments: tuple[str, ...], also: tuple[str, ...] = ()) -> list[str]:
    """The paths of all files, in order, and in folders of files *also* called so; an argument that leads nowhere is an error."""
    return list(dict.fromkeys(path for argument in arguments for path in _paths(argument, also)))


def _paths(argument: str, also: tuple[str, ...]) -> list[str]:
    from headwater.source import INCLUDED, find_files

    if argument == STANDARD_INPUT:
        return [argument]
    try:
        found = list(find_files([argument], (*INCLUDED, *also)))
    except FileNotFoundError as error:
        raise click.ClickException(missing(Path(argument))) from error
    if not found:
        raise click.ClickException(f"there is no SQL below {argument}")
    return found


def read_scripts(paths: list[str], template: Template | None = None) -> Iterator[Script]:
    """The scripts in these files: one of a file, as a rule; none of a program without SQL. A *template* renders plain SQL."""
    from headwater.source import scripts_of

    for path in paths:
        if path == STANDARD_INPUT:
            yield from (_script(None, each) for each in scripts_of(path, sys.stdin.buffer.read(), template=template))
            continue
        try:
            content = read_bytes(path)
        except OSError as error:
            yield Script(Path(path), Text("", ""), f"the file cannot be read: {error.strerror or type(error).__name__}")
            continue
        yield from (_script(Path(path), each) for each in scripts_of(path, content, template=template))


def _script(path: Path | None, read: SourceScript) -> Script:
    return Script(path, Text(read.text, read.encoding), read.problem, read.dialect or "", kind=read.kind)
