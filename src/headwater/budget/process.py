"""The parent's side of the worker processes: started when first needed, kept for the next heavy statement, never trusted.

A plain child process and two pipes: that works in threads, notebooks, daemonic processes and Spark workers alike, changes no signal
handler and sets no timer but a thread that kills the child at its deadline.
"""

from __future__ import annotations

import atexit
import os
import pickle
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from math import inf
from time import monotonic
from typing import Any

from headwater.budget.worker import OUT_OF_MEMORY, READY, STAGE, Request
from headwater.model.diagnostic import Code

_BOOT = """
import pickle, sys
sys.path[:] = pickle.load(sys.stdin.buffer)
from headwater.budget.worker import main
main()
"""
_SAFE_PATH = "-P" if sys.version_info >= (3, 11) else "-I"
"""Keeps the working directory off the path of modules."""
_LARGE = 1_000_000
"""Characters of a statement after which a worker holds too much memory to be kept."""
_MOST_HELD = 256
"""Megabytes that a worker may hold and be kept; a new one holds 80."""
_MOST_IDLE = 8
"""Workers that are kept: a program with many threads may have had many at work at once."""
_BOOTING = 60.0
"""Seconds that a process may take to start on a busy machine; they are not the statement's."""
_LOOK = 0.25
"""Seconds after which an alarm looks whether its time was moved."""
_NOISE = 100_000
"""Bytes that an interpreter may print at its start before it is given up."""


class Failed(Exception):
    """A worker gave no answer; the code says why.

    *stage* is where the request was, if it told its stages; *passed* are those that ended before.
    """

    def __init__(self, code: Code, stage: str = "", passed: frozenset[str] = frozenset()) -> None:
        super().__init__(code.value)
        self.code, self.stage, self.passed = code, stage, passed


class Unavailable(Exception):
    """No worker can be started here."""


def _know_nothing(*question: Any) -> None:
    """The parent of a worker that has nothing to ask."""


class _Alarm:
    """A thread that rings at a time, which may be moved."""

    def __init__(self, ring: Callable[[], None], end: float) -> None:
        self.end = self.latest = end
        self._ring = ring
        self._off = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while not self._off.wait(min(max(self.end - monotonic(), 0), _LOOK)):
            if monotonic() >= self.end:
                self._ring()
                return

    def cancel(self) -> None:
        """Ring no more."""
        self._off.set()
        self._thread.join()


class Worker:
    """One worker process."""

    def __init__(self) -> None:
        if not sys.executable or getattr(sys, "frozen", False):
            raise Unavailable
        try:
            self._process = subprocess.Popen(
                [sys.executable, _SAFE_PATH, "-c", _BOOT],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
        except OSError as error:
            raise Unavailable from error
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._requests, self._replies = self._process.stdin, self._process.stdout
        self._started = False
        self._expired = False
        self._stages = [""]
        """The stages of the request, each when it began or went on; empty where there was none."""
        self._held = 0
        """Megabytes that it held when it gave its last answer."""

    def run(self, request: Request, tell: Callable[..., Any] = _know_nothing, seconds: float = inf) -> Any:
        """The answer to a request; *tell* answers the worker's own questions. Raises `Failed` where there is none.

        The start of the process is no part of the request's time, but of the *seconds* for all of it.
        """
        end = monotonic() + seconds
        try:
            with self._deadline(None if request.timeout is None else min(_BOOTING, seconds)):
                self._start()
            self._stages = [""]
            with self._deadline(None if request.timeout is None else min(request.timeout, end - monotonic())) as alarm:
                self._send(request)
                message = pickle.load(self._replies)
                while message[0] != "done":
                    if message[0] == STAGE:
                        self._note_stage(alarm, *message[1:])
                    else:
                        self._send(tell(*message))
                    message = pickle.load(self._replies)
        except (EOFError, OSError, pickle.UnpicklingError) as error:
            self.stop()
            *passed, stage = self._stages
            raise Failed(self._reason(), stage, frozenset(passed) - {""}) from error
        except BaseException:
            self.stop(patience=0)
            raise
        self._held = message[2]
        return message[1]

    @contextmanager
    def _deadline(self, seconds: float | None) -> Iterator[_Alarm]:
        """Kill the process if what is inside takes longer."""
        alarm = _Alarm(self._expire, inf if seconds is None else monotonic() + seconds)
        try:
            yield alarm
        finally:
            alarm.cancel()

    def _note_stage(self, alarm: _Alarm, name: str, seconds: float) -> None:
        alarm.end = min(alarm.latest, monotonic() + seconds)
        if name != self._stages[-1]:
            self._stages.append(name)

    def _start(self) -> None:
        if not self._started:
            self._send([os.path.abspath(path) for path in sys.path])
            heard = b""
            while not heard.endswith(READY):
                line = self._replies.readline()
                heard = (heard + line)[-_NOISE:]
                if not line:
                    raise EOFError
            self._started = True

    def _send(self, message: Any) -> None:
        pickle.dump(message, self._requests, pickle.HIGHEST_PROTOCOL)
        self._requests.flush()

    def _expire(self) -> None:
        self._expired = True
        self.kill()

    def kill(self) -> None:
        """End the process at once, from any thread: whoever waits for its answer gets `Failed`."""
        self._process.kill()

    def _reason(self) -> Code:
        if self._expired:
            return Code.TIMEOUT
        return Code.OUT_OF_MEMORY if self._process.returncode == OUT_OF_MEMORY else Code.CRASHED

    def may_serve_after(self, request: Request) -> bool:
        """Whether it is alive and, after that request, not too large to be kept for another."""
        return self.usable and len(request.text) < _LARGE and self._held < _MOST_HELD

    @property
    def pid(self) -> int:
        """The id of the process."""
        return self._process.pid

    @property
    def usable(self) -> bool:
        """Whether it is alive, and in time."""
        return not self._expired and self._process.poll() is None

    def stop(self, patience: float = 0.1) -> None:
        """End the process: it leaves when its pipes are closed, and is killed if it does not in time."""
        self._close()
        try:
            self._process.wait(patience)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def forget(self) -> None:
        """Leave the process to whoever started it: this one is a fork of that."""
        self._process.returncode = 0
        self._close()

    def _close(self) -> None:
        for pipe in (self._requests, self._replies):
            with suppress(OSError):
                pipe.close()


_idle: deque[Worker] = deque()
"""Workers that wait for the next statement."""


def run(request: Request, tell: Callable[..., Any] = _know_nothing, seconds: float = inf) -> Any:
    """The answer to a request, by a worker that is idle or by a new one; raises `Failed` where there is none in so many *seconds*."""
    if seconds <= 0:
        raise Failed(Code.TIMEOUT)
    worker = _taken() or Worker()
    answer = worker.run(request, tell, seconds)
    if worker.may_serve_after(request) and len(_idle) < _MOST_IDLE:
        _idle.append(worker)
    else:
        worker.stop()
    return answer


def _taken() -> Worker | None:
    while _idle:
        with suppress(IndexError):
            worker = _idle.pop()
            if worker.usable:
                return worker
            worker.stop()
    return None


def _stop_all() -> None:
    while _idle:
        with suppress(IndexError):
            _idle.pop().stop()


def _forget_all() -> None:
    while _idle:
        _idle.pop().forget()


atexit.register(_stop_all)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget_all)
