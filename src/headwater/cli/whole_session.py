"""What commands about the whole graph share: a store's graph on Spark, progress, and what is said if it cannot be asked."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, TextIO

import click

if TYPE_CHECKING:
    from headwater.spark import WholeGraph


@dataclass(frozen=True, slots=True)
class Session:
    """Which store is asked, and on which Spark."""

    store: str
    as_of: str | None
    master: str | None
    spark: dict[str, str]
    quiet: bool


class Told:
    """What is being done and for how long: one line on a terminal that erases itself, and nothing anywhere else."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._start = time.monotonic()

    def tell(self, words: str) -> None:
        """Show that something begins."""
        self._write(f"\r\x1b[2K{words}, {time.monotonic() - self._start:.0f} s")

    def clear(self) -> None:
        """Erase the line."""
        self._write("\r\x1b[2K")

    def _write(self, text: str) -> None:
        if self._stream is not None:
            self._stream.write(text)
            self._stream.flush()


@contextmanager
def whole_graph(session: Session) -> Iterator[tuple[WholeGraph, Told]]:
    """The whole graph of a store; what the user can mend is an error of one line."""
    try:
        from headwater.runtime.java import NoJava
        from headwater.runtime.session import SparkUnavailable, spark_session
        from headwater.spark import TooManyPairs, WholeGraph
        from headwater.spark.whole.failure import WholeGraphFailed, whole_graph_failures
        from headwater.store import Store, StoreError
    except ImportError as error:
        raise click.ClickException(f"{error.name} is not installed: pip install 'headwater[spark]'") from error
    told = Told(sys.stderr if sys.stderr.isatty() and not session.quiet else None)
    try:
        Store(session.store).snapshot(session.as_of)
        told.tell("starting Spark")
        with spark_session(session.master, session.spark) as spark, whole_graph_failures():
            told.tell("reading")
            yield WholeGraph(spark, session.store, session.as_of), told
    except (StoreError, SparkUnavailable, NoJava, TooManyPairs, WholeGraphFailed) as error:
        raise click.ClickException(str(error)) from error
    finally:
        told.clear()
