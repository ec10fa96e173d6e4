"""The worker process: reads requests from its standard input, analyses, answers on its standard output.

Everything runs in one thread whose stack is large enough for the recursion limit that is set; the limit, not the stack, ends a
statement that is nested too deeply. Memory is limited by the operating system where it can, and watched in any case. What the worker
does not know about tables, it asks its parent.
"""

from __future__ import annotations

import gc
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, BinaryIO, NamedTuple, Protocol

from headwater.budget.portable import Portable, packed
from headwater.catalog import TableSchema
from headwater.model.entity import TableName
from headwater.model.resolution import Definition, Wildcard
from headwater.model.span import Span
from headwater.model.work import Work, WorkLimits
from headwater.resolve import Session
from headwater.sql.dialect import Dialect, dialect
from headwater.sql.script import Script
from headwater.sql.source import Source
from headwater.witness import witnessed

READY = b"headwater worker ready\n"
OUT_OF_MEMORY = 86
"""The exit status that says so."""

_STACKS = (512, 256, 128, 64)
"""Megabytes to try for the thread's stack; address space only, until it is used."""
_BYTES_PER_CALL = 8_500
"""Stack per level of Python's recursion. The compiled parser was seen to use up to 2,200; the margin is for other compilers."""
_SLACK = 512
"""Megabytes of address space that the interpreter and its libraries take before any statement."""
_SELDOM = (100_000, 20, 50)
"""When to collect garbage: a tree is none, but a parser that tries again and again leaves a lot behind."""

Ask = Callable[..., Any]


class Request(Protocol):
    """What a worker is asked: it is sent there with all that it needs, and answers itself."""

    @property
    def text(self) -> str:
        """The SQL that it is about."""

    @property
    def timeout(self) -> float | None:
        """Seconds that it may take."""

    @property
    def memory(self) -> int | None:
        """Megabytes that it may take."""

    @property
    def reserved(self) -> int:
        """Megabytes of address space that it holds without using them."""

    def answer(self, ask: Ask) -> Any:
        """The answer, in the worker; *ask* puts questions to the parent."""


class Analysis(NamedTuple):
    """A piece of a script to analyse, and what its session says besides tables."""

    text: str
    readable: str
    """The same as `Source` made it: without commands to a client, with names for placeholders."""
    offset: int
    """Where the piece begins in its script."""
    dialects: tuple[str, ...]
    default_schema: TableName | None
    ambiguous: str
    functions: dict[str, Any]
    programs: dict[TableName, Any]
    timeout: float | None
    memory: int | None
    reserved: int = 0
    whole: bool = False
    """Whether semicolons end nothing in it."""
    insert_by: str = "position"
    limits: WorkLimits = WorkLimits()

    def answer(self, ask: Ask) -> list[Answer]:
        """The statements of the piece, resolved."""
        with Work(self.limits):
            return _answers(self, ask)


class Answer(NamedTuple):
    """One statement of the piece, resolved."""

    portable: Portable
    dialect: str


@dataclass(frozen=True, slots=True)
class RemoteSession(Session):
    """A session whose tables are known to the parent process."""

    ask: Ask = print

    def definition(self, table: TableName) -> Definition | None:
        """What the script itself said about a table, if it did."""
        found: Definition | None = self.defined.get(table) or self.ask("definition", table)
        return found

    def columns(self, table: TableName, dialect: Dialect) -> TableSchema | None:
        """The columns of a table, as far as they are known."""
        if table in self.defined:
            return Session.columns(self, table, dialect)
        found: TableSchema | None = self.ask("columns", table, dialect.name)
        return found

    def means(self, table: TableName, dialect: Dialect) -> TableName:
        """The table that an unqualified name means."""
        found: TableName = self.ask("means", table, dialect.name)
        return found

    def catalog_tables(self, wildcard: Wildcard, dialect: Dialect) -> dict[TableName, tuple[str, ...]]:
        """The tables of the catalog that fit a wildcard, and their columns."""
        found: dict[TableName, tuple[str, ...]] = self.ask("catalog_tables", wildcard, dialect.name)
        return found


def main() -> None:
    """Serve until the parent goes away."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    replies = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    gc.set_threshold(*_SELDOM)
    for megabytes in _STACKS:
        with suppress(ValueError, RuntimeError, MemoryError):
            threading.stack_size(megabytes << 20)
            thread = threading.Thread(target=_serve, args=(sys.stdin.buffer, replies, megabytes))
            sys.setrecursionlimit((megabytes << 20) // _BYTES_PER_CALL)
            thread.start()
            thread.join()
            break
    os._exit(0)


def _serve(requests: BinaryIO, replies: BinaryIO, stack: int) -> None:
    def ask(*question: Any) -> Any:
        _send(replies, question)
        return pickle.load(requests)

    watch = _Watch()
    replies.write(READY)
    replies.flush()
    while True:
        try:
            request: Request = pickle.load(requests)
            _limit(request, stack)
            watch.memory = request.memory
            answer = request.answer(ask)
            _send(replies, ("done", answer, _held()))
            del answer
            gc.collect()
        except (EOFError, OSError):
            return
        except MemoryError:
            os._exit(OUT_OF_MEMORY)


def _send(replies: BinaryIO, message: Any) -> None:
    pickle.dump(message, replies, pickle.HIGHEST_PROTOCOL)
    replies.flush()


def _answers(request: Analysis, ask: Ask) -> list[Answer]:
    """The statements of a piece: one, or in T-SQL as many as its lines begin.

    What stands before the piece is blank here, so that offsets are the script's.
    """
    session: Session = RemoteSession(
        default_schema=request.default_schema,
        ambiguous=request.ambiguous,
        insert_by=request.insert_by,
        functions=request.functions,
        programs=request.programs,
        ask=ask,
    )
    answers = []
    before = " " * request.offset
    raw = before + request.text
    readable = raw if request.readable == request.text else before + request.readable
    made = Source(raw, readable, uncut=(Span(request.offset, len(raw)),) if request.whole else ())
    for statement in Script(made, [dialect(name) for name in request.dialects]).statements():
        for each, resolution in witnessed(statement, session):
            session = session.after(resolution)
            answers.append(Answer(packed(resolution, each.text), each.dialect.name))
    return answers


def _limit(request: Request, stack: int) -> None:
    """Let the system hold the limits where the watch might come too late: memory, and time in case the parent dies.

    The limit of address space has room above the budget, for the watch is the gentler end: compiled code may abort where it gets no memory.
    """
    try:
        import resource
    except ImportError:  # no such limits on this system: the parent's deadline and the watch remain
        return
    if request.memory is not None:
        wanted = (request.memory * 3 // 2 + request.reserved + stack + _SLACK) << 20
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        with suppress(ValueError, OSError):
            resource.setrlimit(
                resource.RLIMIT_AS, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard)
            )
    if request.timeout is not None:
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_CPU, (int(time.process_time() + request.timeout) + 5, hard))


class _Watch:
    """Ends the process when it holds more memory than the request allows, or when its parent has gone.

    Not every system limits memory by itself; and a worker may be killed while one of its own is at work.
    """

    def __init__(self) -> None:
        self.memory: int | None = None
        threading.stack_size(0)
        threading.Thread(target=self._run, daemon=True).start()

    def _run(self) -> None:
        parent = os.getppid()
        while True:
            time.sleep(0.1)
            if os.getppid() != parent:
                os._exit(0)
            if self.memory is not None and _held() > self.memory:
                os._exit(OUT_OF_MEMORY)


def _held() -> int:
    """Megabytes that the process holds, as far as the system tells.

    Not the most that it ever held, where it can be helped: on Linux that counts from before the process became this program, and so
    would be its parent's.
    """
    with suppress(OSError), open("/proc/self/statm", "rb") as told:
        return int(told.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") >> 20
    try:
        from resource import RUSAGE_SELF, getrusage
    except ImportError:
        return 0
    return getrusage(RUSAGE_SELF).ru_maxrss // (1 << 20 if sys.platform == "darwin" else 1 << 10)
