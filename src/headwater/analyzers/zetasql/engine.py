"""GoogleSQL's analyzer, asked from here, working in a process of its own.

The process is started when the first statement is analysed, and kept. One that dies, hangs or takes too much memory costs the statement
at hand, which the static engine answers; the next statement has a new one.
"""

from __future__ import annotations

import atexit
import os
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from importlib.util import find_spec
from typing import Any

from headwater.analyzers.answer import Refused, Unanswered
from headwater.analyzers.zetasql.declaration import Function
from headwater.analyzers.zetasql.service import Insert, Question, Refusal, Start
from headwater.analyzers.zetasql.tree import Node
from headwater.analyzers.zetasql.wasm import compiled_path
from headwater.budget import Budget
from headwater.budget.budget import seconds_in_words
from headwater.budget.process import Failed, Unavailable, Worker
from headwater.model.diagnostic import Code
from headwater.model.work import current_work

Tell = Callable[..., Any]
"""Answers the analyzer's questions: what columns does this table have?"""


class GoogleSqlUnavailable(Exception):
    """The analyzer cannot be used here; the message says why."""


class GoogleSql:
    """The analyzer. One process serves all threads, one statement after the other: its code is not made for more."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget

    def analyse(self, sql: str, functions: tuple[Function, ...], tell: Tell) -> Node | Insert:
        """The resolved tree of a statement that may call these functions; `Refused` or `Unanswered` where there is none."""
        budget = self._budget.within(current_work().left)
        question = Question(sql, functions, budget.timeout, None if budget.memory is None else int(budget.memory))
        try:
            answer: Node | Insert | Refusal = _PROCESS.run(question, tell)
        except Failed as failure:
            raise Unanswered(_said(failure.code, budget)) from None
        except Unavailable:
            raise Unanswered("its process cannot be started here") from None
        if isinstance(answer, Refusal):
            raise Refused(" ".join(answer.message.split()))
        return answer


def _said(code: Code, budget: Budget) -> str:
    if code is Code.TIMEOUT:
        return f"the statement was not analysed within {seconds_in_words(budget.timeout or 0)} (--timeout)"
    if code is Code.OUT_OF_MEMORY:
        return f"the statement needs more than {budget.memory:,} MB (--memory)"
    return "its process died"


class _Process:
    """The analyzer's process, started when it is first asked for."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._worker: Worker | None = None

    def run(self, question: Question, tell: Tell) -> Any:
        """The answer to a question; raises `Failed` where there is none."""
        with self._lock:
            if self._worker is not None and not self._worker.usable:
                self.stop()
            if self._worker is None:
                self._worker = _started()
            return self._worker.run(question, tell)

    def stop(self) -> None:
        """End the process."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.stop()

    def forget(self) -> None:
        """Leave the process to whoever started it: this one is a fork of that."""
        worker, self._worker = self._worker, None
        self._lock = threading.Lock()
        if worker is not None:
            worker.forget()


def _started() -> Worker:
    """A process with the analyzer in it; one that had to compile makes way for one that has not that much memory."""
    kept = compiled_path()
    if kept is not None and kept.is_file():
        with suppress(Failed):
            return _with_analyzer()
        kept.unlink(missing_ok=True)  # what was compiled is broken
    if sys.stderr is not None and sys.stderr.isatty():
        sys.stderr.write("headwater: compiling GoogleSQL's analyzer, once for this machine; this takes a minute\n")
    worker = _with_analyzer()
    if kept is None or not kept.is_file():
        return worker
    worker.stop()
    return _with_analyzer()


def _with_analyzer() -> Worker:
    worker = Worker()
    worker.run(Start())
    return worker


_PROCESS = _Process()
atexit.register(_PROCESS.stop)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_PROCESS.forget)


def google_sql(budget: Budget) -> GoogleSql:
    """The engine; `GoogleSqlUnavailable` where it is not installed."""
    if find_spec("zetasql") is None or find_spec("wasmtime") is None:
        raise GoogleSqlUnavailable("the zetasql engine needs its analyzer: pip install 'headwater[zetasql]'")
    return GoogleSql(budget)
