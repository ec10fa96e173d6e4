"""A database that is not waited for without end: it is asked in a thread of its own, which is given up when nothing moves for too long.

Drivers have timeouts for connecting, and few have one for an answer. What counts here is the time since the last sign of life, the
beginning or end of a statement. A thread that was given up ends with its process.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, suppress
from itertools import islice
from queue import Empty, SimpleQueue
from threading import Thread
from time import monotonic
from typing import Any, TypeVar

from headwater.catalog.database import Database
from headwater.catalog.description import TableDescription
from headwater.catalog.failure import CatalogUnavailable
from headwater.model.entity import TableName

Answer = TypeVar("Answer")
Opened = Callable[[Callable[[], None]], AbstractContextManager[Database]]
"""Connects to a database; it calls what it is given at every sign of life."""
_LOOK_EVERY = 0.05
"""Seconds between two looks at the clock."""
_SECONDS_TO_CLOSE = 5.0
_AT_ONCE = 100
"""Descriptions that are handed over together: what came before a connection is cut is kept."""


class Patient:
    """A `Database` in a thread of its own."""

    def __init__(self, opened: Opened, place: str, limit: float) -> None:
        self._place = place
        self._limit = limit
        self._questions: SimpleQueue[Callable[[Database], Any] | None] = SimpleQueue()
        self._answers: SimpleQueue[tuple[Any, BaseException | None]] = SimpleQueue()
        self._last_sign = monotonic()
        self._given_up = False
        self._thread = Thread(target=self._work, args=(opened,), daemon=True, name="headwater-catalog")

    def _work(self, opened: Opened) -> None:
        try:
            with opened(self._sign) as database:
                self._answers.put((None, None))
                while (question := self._questions.get()) is not None:
                    self._answer(question, database)
            self._answers.put((None, None))
        except BaseException as error:  # noqa: BLE001 - raised again where the answer is waited for
            self._answers.put((None, error))

    def _answer(self, question: Callable[[Database], Any], database: Database) -> None:
        try:
            self._answers.put((question(database), None))
        except Exception as error:  # noqa: BLE001 - raised again where the answer is waited for
            self._answers.put((None, error))

    def _sign(self) -> None:
        self._last_sign = monotonic()

    def _waited_for(self) -> Any:
        self._sign()
        while not self._given_up:
            try:
                answer, error = self._answers.get(timeout=_LOOK_EVERY)
            except Empty:
                self._given_up = monotonic() - self._last_sign > self._limit
                continue
            if error is not None:
                raise error
            return answer
        raise CatalogUnavailable(self._silence)

    @property
    def _silence(self) -> str:
        limit = f"{self._limit:g} second{'' if self._limit == 1 else 's'}"
        return f"{self._place} cannot be read: it has not answered for {limit} (--catalog-timeout)"

    def _ask(self, question: Callable[[Database], Answer]) -> Answer:
        self._questions.put(question)
        answer: Answer = self._waited_for()
        return answer

    def open(self) -> None:
        """Connect."""
        self._thread.start()
        self._waited_for()

    def close(self) -> None:
        """End the connection; one that is broken already ends by itself."""
        self._limit = min(self._limit, _SECONDS_TO_CLOSE)
        self._questions.put(None)
        with suppress(Exception):
            self._waited_for()

    def path(self) -> tuple[TableName, ...]:
        """The schemas in which it looks up unqualified names; the first is its default."""
        return self._ask(lambda database: database.path())

    def schemas(self) -> tuple[TableName, ...]:
        """All its schemas."""
        return self._ask(lambda database: database.schemas())

    def relations(self, schema: TableName) -> Mapping[str, str]:
        """The tables and views of a schema, and their kinds."""
        return self._ask(lambda database: database.relations(schema))

    def stamps(self, schema: TableName, tables: Sequence[str]) -> Mapping[str, str]:
        """What changes when a table changes."""
        return self._ask(lambda database: database.stamps(schema, tables))

    def described(self, schema: TableName, tables: Mapping[str, str], whole: bool) -> Iterable[TableDescription]:
        """Some tables of a schema, given with their kinds."""
        told: Iterator[TableDescription] | None = None

        def next_ones(database: Database) -> list[TableDescription]:
            nonlocal told
            told = iter(database.described(schema, tables, whole)) if told is None else told
            return list(islice(told, _AT_ONCE))

        while some := self._ask(next_ones):
            yield from some


@contextmanager
def patiently(opened: Opened, place: str, limit: float) -> Iterator[Database]:
    """A database, asked with patience."""
    patient = Patient(opened, place, limit)
    patient.open()
    try:
        yield patient
    finally:
        patient.close()
