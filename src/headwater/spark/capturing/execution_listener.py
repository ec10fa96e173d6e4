"""What Spark calls when a job has ended: as little as possible happens here, Spark waits.

Only Spark's listener bus knows which execution runs inside of which, in all sessions; but it would call Python for each task. So a class of
Java listens there (`ExecutionListener.java`), and calls Python for each job. Spark's own compiler for generated code, Janino, compiles it.
"""

from __future__ import annotations

import time
from contextlib import suppress
from importlib.resources import files
from typing import Any
from weakref import WeakKeyDictionary

from headwater.analyzers.catalyst.executed.changing import WRAPPERS
from headwater.spark.capturing.listener import JOB, Ended, Event, Hear

_SOURCE = "ExecutionListener.java"
_CLASS = "headwater.ExecutionListener"
_EXECUTES = "Execute "
"""How Spark's operators of commands are called: `Execute MergeIntoCommand`."""
_CATALOG_COMMANDS = frozenset(
    {
        *("AppendData", "OverwriteByExpression", "OverwritePartitionsDynamic", "ReplaceData", "WriteDelta"),
        *("CreateTableAsSelect", "AtomicCreateTableAsSelect", "ReplaceTableAsSelect", "AtomicReplaceTableAsSelect"),
        *("DeleteFromTable", "Call", "CacheTable", "CacheTableAsSelect"),
    }
)


class ExecutionListener:
    """Hears of the jobs of a Spark application."""

    def __init__(self, context: Any, hear: Hear, ended: Ended) -> None:
        """From here on; *context* is Spark's. *ended* is called when the application ends."""
        self._bus = context._jsc.sc().listenerBus()
        self._listener = _new_listener(context)
        self._listener.setHear(_Heard(hear, ended))
        self._bus.addToSharedQueue(self._listener)

    def stop(self) -> None:
        """No more."""
        self._bus.removeListener(self._listener)


class _Heard:
    """A function of Python's, to Java."""

    def __init__(self, hear: Hear, ended: Ended) -> None:
        self._hear = hear
        self._ended = ended

    def accept(self, told: str, execution: Any) -> None:
        """A job has ended, or the application if there is none. Nothing is raised: Spark would log it, and go on."""
        with suppress(Exception):
            if execution is None:
                self._ended()
                return
            name, _, around = told.partition("\n")
            if not _is_part_of(around):
                self._hear(Event(JOB, name, execution, time.time()))

    class Java:
        """What it is to Java."""

        implements = ("java.util.function.BiConsumer",)


def _is_part_of(around: str) -> bool:
    """Whether a job is part of a command, given the operator of the execution around it; what a stream's batch runs is the user's."""
    if around.startswith(_EXECUTES):
        return around.removeprefix(_EXECUTES) not in WRAPPERS
    return around.removesuffix("V1").removesuffix("Exec") in _CATALOG_COMMANDS  # AppendDataExecV1


_CONSTRUCTORS: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
"""What makes listeners, by gateway: Py4J takes two classes of one name for the same."""


def _new_listener(context: Any) -> Any:
    """A listener of Java's."""
    gateway = context._gateway
    if gateway not in _CONSTRUCTORS:
        [_CONSTRUCTORS[gateway]] = _compiled(gateway.jvm).getDeclaredConstructors()
    return _CONSTRUCTORS[gateway].newInstance(gateway.new_array(gateway.jvm.java.lang.Object, 0))


def _compiled(jvm: Any) -> Any:
    compiler = jvm.org.codehaus.janino.SimpleCompiler()
    compiler.setParentClassLoader(jvm.java.lang.Thread.currentThread().getContextClassLoader())
    compiler.cook(files(__package__).joinpath(_SOURCE).read_text("utf-8"))
    return compiler.getClassLoader().loadClass(_CLASS)
