"""What templates need in a process of their own: the circumstances of the caller, and words for how such a process ends."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext, suppress
from typing import NamedTuple

from headwater.budget.budget import seconds_in_words
from headwater.files.roots import Roots, reading_below, roots_in_force
from headwater.model.diagnostic import Code
from headwater.source.template_limits import TemplateLimits, limits_in_force, template_limits

GRACE = 1.0
"""Seconds that a template has beyond its limit to find out by itself, with a better message, that the limit is exceeded."""


class Circumstances(NamedTuple):
    """What a template depends on beside its text and its names."""

    folder: str
    """The working directory."""
    roots: Roots | None
    """Where files may be read from."""
    limits: TemplateLimits
    depth: int
    """How deep calls may be nested."""

    @classmethod
    def of_caller(cls, limits: TemplateLimits | None = None) -> Circumstances:
        """Those of this process now."""
        folder = ""
        with suppress(OSError):  # it may have been removed
            folder = os.getcwd()
        return cls(folder, roots_in_force(), limits or limits_in_force(), sys.getrecursionlimit())

    @contextmanager
    def restored(self) -> Iterator[None]:
        """Have them in another process, and leave that as it was."""
        folder, depth = os.getcwd(), sys.getrecursionlimit()
        with suppress(OSError):
            os.chdir(self.folder)
        sys.setrecursionlimit(self.depth)
        try:
            with template_limits(self.limits), reading_below(self.roots) if self.roots else nullcontext():
                yield
        finally:
            sys.setrecursionlimit(depth)
            os.chdir(folder)

    def note_files(self, noted: Roots | None) -> None:
        """Note here what was not read there."""
        if self.roots is None or noted is None:
            return
        for here, there in ((self.roots.passed_over, noted.passed_over), (self.roots.unreadable, noted.unreadable)):
            here += [path for path in there if path not in here]


def why_stopped(code: Code, limits: TemplateLimits) -> str:
    """Why the process of a template was stopped."""
    if code is Code.TIMEOUT:
        return f"it takes longer than {seconds_in_words(limits.seconds)} (--template-timeout)"
    if code is Code.OUT_OF_MEMORY:
        return too_much_memory(limits)
    return "the process that rendered it died"


def too_much_memory(limits: TemplateLimits) -> str:
    """What is said of a template that needs too much memory."""
    return f"it takes too much memory: the limit is {limits.memory:,} MB (--memory)"
