"""What commands that build have in common: the pipeline, imported when it is needed, and its failures as one line each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import click

from headwater.catalog import CatalogError
from headwater.project.objects import NoProject
from headwater.sql.dialect import UnknownDialect


class Tools(NamedTuple):
    """The parts of the pipeline that a command needs."""

    build: Any
    corpus: Any
    roots_of: Any
    asked: Any
    log_columns: Any
    sample_texts: Any


@contextmanager
def building() -> Iterator[Tools]:
    """The pipeline; what the user can mend is an error of one line."""
    try:
        from headwater.pipeline.corpus import Asked, Corpus, build, roots_of
        from headwater.pipeline.read.inputs import NothingToRead
        from headwater.pipeline.read.logs import LogColumns
        from headwater.runtime.failure import BuildFailed
        from headwater.runtime.java import NoJava
        from headwater.runtime.session import SparkUnavailable
        from headwater.source import ManifestError, TemplateProblem
        from headwater.source.sample import sample_texts
        from headwater.store import StoreError
    except ImportError as error:
        raise click.ClickException(f"{error.name} is not installed: pip install 'headwater[spark]'") from error
    ours = (
        CatalogError,
        NoProject,
        UnknownDialect,
        NothingToRead,
        SparkUnavailable,
        NoJava,
        ManifestError,
        TemplateProblem,
    )
    try:
        yield Tools(build, Corpus, roots_of, Asked, LogColumns, sample_texts)
    except (*ours, StoreError, BuildFailed) as error:
        raise click.ClickException(str(error)) from error
