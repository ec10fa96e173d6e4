"""What the command does, told on standard error: off by default, `-v` and `LOG_LEVEL` turn it on.

Everything is logged below the logger `headwater`, and never a script's text.
"""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager

import click

_LEVELS = (logging.WARNING, logging.INFO, logging.DEBUG)


class _ToStandardError(logging.Handler):
    """Prints records as lines on whatever standard error is now."""

    def emit(self, record: logging.LogRecord) -> None:
        click.echo(
            click.style(f"{record.levelname.lower():<7} {record.name}: ", dim=True) + self.format(record), err=True
        )


@contextmanager
def logging_to_standard_error(verbose: int, quiet: bool = False) -> Iterator[None]:
    """Log as often-repeated `-v` and `LOG_LEVEL` ask, the louder of the two; `-q` is silence."""
    level = _asked(verbose)
    if quiet or level is None:
        yield
        return
    logger, handler = logging.getLogger("headwater"), _ToStandardError()
    before = logger.level, logger.propagate
    logger.addHandler(handler)
    logger.setLevel(level)
    logger.propagate = False
    try:
        yield
    finally:
        logger.removeHandler(handler)
        logger.setLevel(before[0])
        logger.propagate = before[1]


def _asked(verbose: int) -> int | None:
    """The level that was asked for; None if nobody did."""
    name = os.environ.get("LOG_LEVEL", "").strip().upper()
    level = int(name) if name.isdecimal() else logging.getLevelName(name)
    named = level if isinstance(level, int) else None
    asked = [_LEVELS[min(verbose, len(_LEVELS) - 1)]] if verbose else []
    return min([*asked, *([named] if named is not None else [])], default=None)
