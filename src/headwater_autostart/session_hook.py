"""Hears of each SparkSession that a program makes.

PySpark has no event for that. So two of its functions are wrapped, both only note the session that they are given, and do not fail:
`_monkey_patch_RDD`, which `SparkSession.__init__` calls in a driver, and `_set_default_and_active_session`, which the builder of Spark
Connect calls. Nothing that can fail runs inside a function of ours: exceptions and tracebacks are those of PySpark. Classes, signatures
and documentation of its API stay as they are.
"""

from __future__ import annotations

import functools
import logging
import os
from collections.abc import Callable
from contextlib import suppress
from types import ModuleType
from typing import Any

from headwater_autostart.running import Running

Made = Callable[[Any], None]

_IN_DRIVER, _IN_CONNECT = "_monkey_patch_RDD", "_set_default_and_active_session"
_LOCAL_SERVER = "SPARK_LOCAL_REMOTE"
"""PySpark sets it if it starts a server of Spark Connect in this process: then the client is captured, not the server."""


def watch(module: ModuleType, sink: str) -> None:
    """Capture each session that the program makes with a module of PySpark from now on. Nothing is raised: the import succeeds."""
    try:
        (_of_connect if ".connect." in module.__name__ else _of_driver)(module, _running(sink).made)
    except Exception as error:  # noqa: BLE001 - a PySpark that is not known
        warning = "jobs are not captured: %s of this PySpark is not known (%s)"
        logging.getLogger("headwater").warning(warning, module.__name__, type(error).__name__)


@functools.cache
def _running(sink: str) -> Running:
    """The captures of this process."""
    return Running(sink)


def _of_driver(module: Any, made: Made) -> None:
    note = getattr(module, _IN_DRIVER)

    @functools.wraps(note)
    def noted(session: Any) -> None:
        note(session)
        if _LOCAL_SERVER not in os.environ:
            made(session)

    setattr(module, _IN_DRIVER, noted)
    for session in _present(module.SparkSession, "_instantiatedSession"):
        made(session)


def _of_connect(module: Any, made: Made) -> None:
    own = module.SparkSession
    note = getattr(own, _IN_CONNECT).__func__

    @functools.wraps(note)
    def noted(cls: Any, session: Any) -> None:
        note(cls, session)
        made(session)

    setattr(own, _IN_CONNECT, classmethod(noted))
    for session in _present(own, "_default_session"):
        made(session)


def _present(own: Any, name: str) -> list[Any]:
    """The session that was made before, if there is one: PySpark was imported before us."""
    found = None
    with suppress(Exception):
        found = getattr(own, name, None)
    return [] if found is None else [found]
