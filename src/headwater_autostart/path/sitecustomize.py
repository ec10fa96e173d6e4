"""Starts capture in programs whose Python has this folder in PYTHONPATH: `headwater capture` puts it there.

Python imports one `sitecustomize`, the first that it finds. The one behind this is run as well, and this folder is taken out of `sys.path`
again, so that the program sees what it would see without. Any Python may read this file, also old ones.
"""

# mypy: ignore-errors
import os
import sys

_HERE = os.path.dirname(os.path.abspath(__file__))


def _install():
    if "headwater_autostart" in sys.modules:
        return
    sys.path.insert(0, os.path.dirname(os.path.dirname(_HERE)))
    try:
        import headwater_autostart
    finally:
        sys.path.pop(0)
    headwater_autostart.install()


def _run_next():
    """Import the `sitecustomize` that Python would have imported without this one."""
    sys.path[:] = [place for place in sys.path if os.path.abspath(place or os.curdir) != _HERE]
    own = sys.modules.pop("sitecustomize", None)
    try:
        import sitecustomize  # noqa: F401
    except ImportError as error:
        if getattr(error, "name", "sitecustomize") != "sitecustomize":
            raise
    finally:
        if own is not None:
            sys.modules.setdefault("sitecustomize", own)


if sys.version_info >= (3, 10):  # noqa: UP036
    try:
        _install()
    except Exception as failure:  # noqa: BLE001 - the program runs, whatever happens here
        sys.stderr.write("headwater: jobs are not captured: %s\n" % failure)  # noqa: UP031
_run_next()
