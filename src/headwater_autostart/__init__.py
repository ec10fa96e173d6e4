"""Starts live capture in programs that are not edited: `HEADWATER_CAPTURE=uri` in the environment is all.

Python imports this package at its start if the variable is set: by `headwater_autostart.pth`, which is installed beside it, or by
`path/sitecustomize.py`, if that folder is in PYTHONPATH. `install` only puts a finder in front of Python's own (`import_hook`). When the
program imports PySpark, two small functions of it are wrapped (`session_hook`), which PySpark calls with each new session. The first
session starts a capture (`running`); only then headwater itself is imported.

This package is no part of `headwater`, because importing that costs half a second. It needs nothing but Python, and what programs without
Spark load of it imports no other module.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType

VARIABLE = "HEADWATER_CAPTURE"
"""Where jobs are recorded: a folder or a URI. Empty: they are not."""
SWITCH = "HEADWATER_LINEAGE"
OFF = ("off", "0", "false", "no")
_WORKER = ("PYTHON_WORKER_FACTORY_SECRET", "PYTHON_WORKER_FACTORY_PORT", "PYTHON_WORKER_FACTORY_SOCK_DIR")
"""Variables that Spark sets for its Python workers."""
_WITH_SESSIONS = ("pyspark.sql.session", "pyspark.sql.connect.session")
_is_installed = False

__all__ = ["OFF", "SWITCH", "VARIABLE", "install", "sink"]


def sink() -> str:
    """Where jobs are recorded; empty if they are not."""
    if os.environ.get(SWITCH, "").strip().lower() in OFF:
        return ""
    return os.environ.get(VARIABLE, "").strip()


def install() -> None:
    """Wait for PySpark, if this process is to be captured. Nothing is raised: the program comes first.

    The second call does nothing: in a virtual environment, Python runs the lines of `.pth` files twice.
    """
    global _is_installed
    if _is_installed or not sink() or _is_worker():
        return
    _is_installed = True
    place = _absolute(sink())

    def hook(module: ModuleType) -> None:
        from headwater_autostart.session_hook import watch

        watch(module, place)

    try:
        from headwater_autostart.import_hook import after_import

        after_import(dict.fromkeys(_WITH_SESSIONS, hook))
    except Exception as error:  # noqa: BLE001 - whatever happens, the program runs
        sys.stderr.write(f"headwater: jobs are not captured: {type(error).__name__}\n")


def _is_worker() -> bool:
    """Whether Spark started this process to run functions of Python: `python -m pyspark.daemon`."""
    words = sys.orig_argv
    is_module = any(word == "-m" and words[n].startswith("pyspark.") for n, word in enumerate(words[:-1], 1))
    return is_module or any(name in os.environ for name in _WORKER)


def _absolute(place: str) -> str:
    """A folder, from the folder in which the program started; a URI stays."""
    return place if ":" in place.partition("/")[0] else os.path.abspath(place)
