"""One module per contender: how it is called, and what counts as its answer.

An adapter is built once per process from the corpus, untimed: schemas are converted and parsers warmed there if their
API allows it. `run` is what the clock sees. `is_answer` looks at what `run` gave back, outside the clock.
"""

from __future__ import annotations

from typing import Protocol, TypeVar

from corpus import Corpus, Query

Result = TypeVar("Result")


class ReportedError(Exception):
    """A contender that raises nothing said in its result that it failed."""


class Adapter(Protocol[Result]):
    """One contender in one setting."""

    packages: tuple[str, ...]
    """The distributions whose versions belong beside the numbers."""

    def __init__(self, corpus: Corpus) -> None:
        """Prepare what the contender needs once."""

    def run(self, query: Query) -> Result:
        """The timed call."""

    def is_answer(self, result: Result) -> bool:
        """Whether any output column has a source; raises `ReportedError` where the result tells of a failure."""
