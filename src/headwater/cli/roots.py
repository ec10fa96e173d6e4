"""The roots of a command: only where its arguments lead are files read; and the line about what was passed over."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import click

from headwater.cli.cells import visible
from headwater.files import Roots, reading_below, shown_name

Decorated = TypeVar("Decorated", bound=Any)
_MAX_NAMES = 10
"""Names that are printed of what was passed over."""


def follow_links_option(function: Decorated) -> Decorated:
    """`--follow-links`."""
    decorate = click.option(
        "--follow-links",
        is_flag=True,
        default=None,
        help="Read links that lead out of the folders that were named.",
    )
    decorated: Decorated = decorate(function)
    return decorated


def enter_roots(arguments: Sequence[str], follow_links: bool) -> None:
    """Read files only where the arguments lead, until the command ends."""
    hold_roots(Roots.of([each for each in arguments if each != "-"], follow_links))


def hold_roots(roots: Roots) -> None:
    """Read files only if these roots have them, until the command ends."""
    click.get_current_context().with_resource(command_roots(roots))


@contextmanager
def command_roots(roots: Roots) -> Iterator[None]:
    """The roots of a command; what was passed over is one line on standard error, at the end."""
    with reading_below(roots):
        yield
    say_passed_over(roots)


def say_passed_over(roots: Roots) -> None:
    """Name what was found and not read."""
    _say("not read, outside of the folders that were named (--follow-links reads it)", roots.passed_over)
    _say("not read, the system refuses it", list(dict.fromkeys(roots.unreadable)))


def _say(reason: str, paths: list[str]) -> None:
    names = [visible(shown_name(path)) for path in paths]
    if names:
        more = f" and {len(names) - _MAX_NAMES:,} more" if len(names) > _MAX_NAMES else ""
        shown = ", ".join(names[:_MAX_NAMES]) + more
        click.echo(f"{reason}: {shown}", err=True)
