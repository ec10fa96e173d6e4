"""Printing of many lines at once: `click.echo` writes through to the output each time, which a line at a time is slow."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import islice

import click

_LINES = 1000


def echo_lines(lines: Iterable[str], err: bool = False) -> None:
    """Print lines, a thousand at a time."""
    remaining = iter(lines)
    while chunk := list(islice(remaining, _LINES)):
        click.echo("\n".join(chunk), err=err)
