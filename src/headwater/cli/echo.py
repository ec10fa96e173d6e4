"""Printing of many lines at once: `click.echo` writes through to the output each time, which a line at a time is slow."""

from __future__ import annotations

import json
from collections.abc import Iterable
from itertools import islice
from typing import Any

import click

_LINES = 1000


def echo_lines(lines: Iterable[str], err: bool = False) -> None:
    """Print lines, a thousand at a time."""
    remaining = iter(lines)
    while chunk := list(islice(remaining, _LINES)):
        click.echo("\n".join(chunk), err=err)


_PIECES = 10_000


def echo_json(value: Any) -> None:
    """Print a value as indented JSON, piece by piece: the whole text is never in memory."""
    pieces = json.JSONEncoder(indent=2, ensure_ascii=False).iterencode(value)
    while chunk := list(islice(pieces, _PIECES)):
        click.echo("".join(chunk), nl=False)
    click.echo()
