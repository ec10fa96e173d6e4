"""What commands that build have in common: the pipeline, imported when it is needed, and its failures as one line each."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

import click

from headwater.catalog import CatalogError
from headwater.sql.dialect import UnknownDialect


class Tools(NamedTuple):
    """The parts of the pipeline that a command needs."""

    build: Any
    corpus: Any
    log_columns: Any
    template: Any
    variables_of: Any


@contextmanager
def building() -> Iterator[Tools]:
    """The pipeline; what the user can mend is an error of one line."""
    try:
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        from headwater.pipeline.corpus import Corpus, NothingToRead, build
        from headwater.pipeline.embedded import SparkUnavailable
        from headwater.pipeline.java import NoJava
        from headwater.pipeline.read import LogColumns
        from headwater.source import ManifestError, Template, TemplateProblem, variables_of
        from headwater.store import StoreError
    except ImportError as error:
        raise click.ClickException(f"{error.name} is not installed: pip install 'headwater[spark]'") from error
    ours = (CatalogError, UnknownDialect, NothingToRead, SparkUnavailable, NoJava, ManifestError, TemplateProblem)
    try:
        yield Tools(build, Corpus, LogColumns, Template, variables_of)
    except (*ours, StoreError) as error:
        raise click.ClickException(str(error)) from error
    except (PySparkException, Py4JError) as error:
        raise click.ClickException(_said(str(error))) from error


def _said(text: str) -> str:
    """What Spark says went wrong, in one line: the innermost cause, without its stack."""
    causes = [line.partition("Caused by: ")[2] for line in text.splitlines() if "Caused by: " in line]
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("at ")]
    return f"Spark could not do it: {causes[-1] if causes else lines[0] if lines else 'no reason was given'}"
