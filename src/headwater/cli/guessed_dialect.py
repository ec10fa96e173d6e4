"""`--dialect auto`: the dialect is guessed from the scripts, and standard error says what was taken and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import click

from headwater.cli.settings import Settings
from headwater.source.find import find_files
from headwater.sql.guess import AUTO, guess
from headwater.sql.text import decode

_GUESSED = "guess"
_MAX_FILES = 200
"""Files that are read for a guess."""


def with_guess(settings: Settings, texts: Iterable[str]) -> Settings:
    """The settings with a dialect that fits the texts, if they leave it open."""
    if settings.dialect != AUTO:
        return settings
    found = guess(texts)
    click.echo(f"--dialect auto: {found.words}; name another with --dialect", err=True)
    return settings.given({"dialect": found.dialect}, lambda name: _GUESSED)


def texts_at(paths: Sequence[str]) -> list[str]:
    """The texts of the first files that folders, globs and paths of this machine name."""
    try:
        files = [path for path, _ in zip(find_files(paths), range(_MAX_FILES), strict=False)]
        with_sql = [path for path in files if not path.endswith((".py", ".ipynb", ".scala", ".r", ".parquet"))]
        texts = [decode(content).text for content in map(_content, with_sql)]
    except OSError as error:
        raise click.ClickException(
            f"--dialect auto needs files of this machine: {error.filename}: {error.strerror}"
        ) from error
    if not texts:
        raise click.ClickException("--dialect auto needs SQL files: name the dialect")
    return texts


def _content(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()
