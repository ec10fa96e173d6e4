"""`--dialect auto`: the dialect is guessed from the scripts, and standard error says what was taken and why.

Where nobody named a dialect and the default does not fit, one that does is suggested.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import click

from headwater.cli.settings import DEFAULT, Settings
from headwater.sql.guess import AUTO, guess

_GUESSED = "guess"
_FEW = 0.1
"""The share of statements that are lost in a dialect that fits."""


def with_guess(settings: Settings, texts: Iterable[str]) -> Settings:
    """The settings with a dialect that fits the texts, if they leave it open."""
    if settings.dialect != AUTO:
        return settings
    found = guess(texts)
    click.echo(f"--dialect auto: {found.words}; name another with --dialect", err=True)
    return settings.given({"dialect": found.dialect}, lambda name: _GUESSED)


def suggested_dialect(
    settings: Settings, statements: int, lost: int, texts: Callable[[], Iterable[str]]
) -> Iterator[str]:
    """The dialect to name, where the default was taken, loses much, and another one has words that stand in the scripts."""
    if settings.origin("dialect") != DEFAULT or lost <= _FEW * statements:
        return
    found = guess(texts())
    if found.dialect != settings.dialect and found.reasons and 2 * found.read > found.tried:
        told = f"{', '.join(found.reasons)}; it reads {found.read} of {found.tried} statements that were tried"
        yield f"hint: the scripts look like {found.dialect} ({told}), and were read as {settings.dialect}: name it with --dialect"
