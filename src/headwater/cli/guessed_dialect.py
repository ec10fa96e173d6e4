"""`--dialect auto`: the dialect is guessed from the scripts, and standard error says what was taken and why."""

from __future__ import annotations

from collections.abc import Iterable

import click

from headwater.cli.settings import Settings
from headwater.sql.guess import AUTO, guess

_GUESSED = "guess"


def with_guess(settings: Settings, texts: Iterable[str]) -> Settings:
    """The settings with a dialect that fits the texts, if they leave it open."""
    if settings.dialect != AUTO:
        return settings
    found = guess(texts)
    click.echo(f"--dialect auto: {found.words}; name another with --dialect", err=True)
    return settings.given({"dialect": found.dialect}, lambda name: _GUESSED)
