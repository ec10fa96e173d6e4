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
from math import inf
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

resource: Any
try:
    import resource
except ImportError:
    resource = None

READY = b"headwater worker ready\n"
STAGE = "stage"
"""The first word of what a worker says of a stage; nobody answers that."""
OUT_OF_MEMORY = 86
"""The exit status that says so."""

_STACKS = (512, 256, 128, 64)
"""Megabytes to try for the thread's stack; address space only, until it is used."""
_BYTES_PER_CALL = 8_500
"""Stack per level of Python's recursion. The compiled parser was seen to use up to 2,200; the margin is for other compilers."""
_SLACK = 512
"""Megabytes of address space that the interpreter and its libraries take before any statement."""
_LONGEST = 10**9
"""Seconds that are no limit."""
_SELDOM = (100_000, 20, 50)
"""When to collect garbage: a tree is none, but a parser that tries again and again leaves a lot behind."""

Ask = Callable[..., Any]


class Parent:
    """The parent process, as a request sees it: it is asked questions, and told at which stage a request is.

    A stage has seconds and megabytes of its own. If the worker dies in it, the parent knows its name.
    """

    def __init__(self, requests: BinaryIO, replies: BinaryIO, watch: _Watch) -> None:
        self._requests, self._replies, self._watch = requests, replies, watch

    def __call__(self, *question: Any) -> Any:
        """The answer to a question."""
        _send(self._replies, question)
        return pickle.load(self._requests)

    def begin_stage(self, name: str, seconds: float) -> None:
        """Tell that a stage begins, or goes on, and may take so many seconds from now."""
        _send(self._replies, (STAGE, name, seconds))
        _limit_time(seconds)

    def limit_growth(self, megabytes: int) -> None:
        """Let the process hold so much more than it does now, until stages end."""
        self._watch.memory = _held() + megabytes
        _limit_address_space(_mapped() + megabytes * 3 // 2)

    def end_stages(self) -> None:
        """Tell that no stage is under way: what follows has no limits."""
        self._watch.memory = None
        _limit_time(None)
        _limit_address_space(None)
        _send(self._replies, (STAGE, "", inf))


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

    def answer(self, ask: Parent) -> Any:
        """The answer, in the worker; *ask* puts questions to the parent, and tells it of stages."""


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
    gc.freeze()  # what was imported stays: no collection need look at it
    watch = _Watch()
    parent = Parent(requests, replies, watch)
    replies.write(READY)
    replies.flush()
    while True:
        try:
            request: Request = pickle.load(requests)
            _limit(request, stack)
            watch.memory = request.memory
            answer = request.answer(parent)
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
    memory = request.memory
    _limit_address_space(None if memory is None else memory * 3 // 2 + request.reserved + stack + _SLACK)
    _limit_time(request.timeout)


def _limit_address_space(megabytes: int | None) -> None:
    _limit_resource("RLIMIT_AS", None if megabytes is None else megabytes << 20)


def _limit_time(seconds: float | None) -> None:
    """End the process when it has worked so many seconds more."""
    if seconds is None or seconds > _LONGEST:
        _limit_resource("RLIMIT_CPU", None)
    else:
        _limit_resource("RLIMIT_CPU", int(time.process_time() + seconds) + 5)


def _limit_resource(name: str, wanted: int | None) -> None:
    """Set a limit of the system's, or lift it; some systems have none, and the parent's deadline and the watch remain."""
    if resource is None:
        return
    number: int = getattr(resource, name)
    hard = resource.getrlimit(number)[1]
    soft = hard if wanted is None else wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    with suppress(ValueError, OSError):
        resource.setrlimit(number, (soft, hard))


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
    with suppress(OSError):
        return _pages()[1] * os.sysconf("SC_PAGE_SIZE") >> 20
    if resource is None:
        return 0
    most: int = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most // (1 << 20 if sys.platform == "darwin" else 1 << 10)


def _mapped() -> int:
    """Megabytes of address space that the process has, as far as the system tells."""
    with suppress(OSError):
        return _pages()[0] * os.sysconf("SC_PAGE_SIZE") >> 20
    return _STACKS[0] + _SLACK


def _pages() -> tuple[int, int]:
    """Pages of address space, and of memory that is held."""
    with open("/proc/self/statm", "rb") as told:
        mapped, held, *_ = told.read().split()
    return int(mapped), int(held)
