"""How far a build has come: a bar on a terminal that erases itself, and nothing anywhere else."""

from __future__ import annotations

import sys
import time
from typing import TextIO

_STEPS = {
    "start": 0.05,
    "catalog": 0.02,
    "read": 0.03,
    "split": 0.22,
    "order": 0.03,
    "extract": 0.36,
    "stitch": 0.01,
    "write": 0.21,
    "memo": 0.02,
    "tags": 0.02,
    "arrays": 0.03,
}
"""The steps of a build and their usual shares of its time."""
_SAID = {
    "start": "starting Spark",
    "catalog": "asking the catalog",
    "read": "reading",
    "split": "splitting",
    "order": "ordering",
    "extract": "analysing",
    "stitch": "stitching",
    "write": "writing",
    "memo": "saving what the next build needs",
    "tags": "tagging",
    "arrays": "writing the graph",
}
_WIDTH = 30


class BuildProgress:
    """`[=========>          ] 42 % analysing`."""

    def __init__(self, stream: TextIO | None) -> None:
        self._stream = stream
        self._start = time.monotonic()

    @classmethod
    def on_terminal(cls, wanted: bool) -> BuildProgress:
        """On standard error, if that is a terminal."""
        return cls(sys.stderr if wanted and sys.stderr.isatty() else None)

    def tell(self, step: str, done: float) -> None:
        """Show that so much of a step is done."""
        if self._stream is None:
            return
        names = list(_STEPS)
        before = sum(_STEPS[name] for name in names[: names.index(step)]) if step in _STEPS else 0.0
        share = min(before + _STEPS.get(step, 0.0) * done, 1.0)
        bar = ("=" * int(share * _WIDTH) + ">")[:_WIDTH].ljust(_WIDTH)
        seconds = time.monotonic() - self._start
        self._stream.write(f"\r\x1b[2K[{bar}] {share:4.0%} {_SAID.get(step, step)}, {seconds:.0f} s")
        self._stream.flush()

    def __enter__(self) -> BuildProgress:
        return self

    def __exit__(self, *_: object) -> None:
        if self._stream is not None:
            self._stream.write("\r\x1b[2K")
            self._stream.flush()
