"""`TemplateLimits`: how much a template may do; what a caller sets holds for all templates that are rendered inside."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class TemplateLimits:
    """Limits of one template."""

    seconds: float = 30
    """How long rendering may take (`--template-timeout`)."""
    characters: int = 10_000_000
    """How much text it may make (`--template-size`)."""
    steps: int = 20_000_000
    """Rounds of loops, calls, and what these read and write."""
    memory: int = 2048
    """Megabytes that it may take (`--memory`), in a process of its own."""


DEFAULT = TemplateLimits()
_IN_FORCE: ContextVar[TemplateLimits] = ContextVar("headwater_template_limits", default=DEFAULT)


def limits_in_force() -> TemplateLimits:
    """The limits for templates that are rendered now."""
    return _IN_FORCE.get()


@contextmanager
def template_limits(limits: TemplateLimits) -> Iterator[None]:
    """Render templates within these limits."""
    token = _IN_FORCE.set(limits)
    try:
        yield
    finally:
        _IN_FORCE.reset(token)
