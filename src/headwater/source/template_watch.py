"""`TemplateWatch`: is told when templates begin and end, and what they belong to.

Templates are rendered in a worker process, which tells its parent of each. A template at which a worker was killed is given up:
the next worker does not begin it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Protocol

from headwater.source.template import TemplateProblem

SETTING = "a setting: "
"""Before the text of a template in a file of settings: what such templates belong to."""
OTHERS_STOPPED = "too many other templates had to be stopped before it"


class Listener(Protocol):
    """Who is told: the parent of a worker process."""

    def begin_stage(self, name: str, seconds: float) -> None:
        """A template begins, or goes on."""

    def limit_growth(self, megabytes: int) -> None:
        """It may take so much memory."""

    def end_stages(self) -> None:
        """No template is rendered now."""


class TemplateWatch:
    """Tells a listener of the templates that are rendered."""

    def __init__(
        self,
        listener: Listener,
        seconds: float,
        megabytes: int,
        given_up: Mapping[str, str] | None = None,
        only: Set[str] | None = None,
    ) -> None:
        """A template has so many *seconds* by the clock; *given_up* says why; if *only* is given, other templates are given up, too."""
        self._listener, self._seconds, self._megabytes = listener, seconds, megabytes
        self._given_up, self._only = given_up or {}, only
        self._open: list[str] = []

    def refuse(self, subject: str) -> None:
        """Raise `TemplateProblem` for what is given up."""
        why = self._given_up.get(subject)
        if why is None and self._only is not None and subject not in self._only:
            why = OTHERS_STOPPED
        if why is not None:
            raise refused(why)

    def begin(self, subject: str) -> None:
        """A template begins; the one that is rendered now waits for it."""
        self._open.append(subject)
        self._listener.begin_stage(subject, self._seconds)
        if len(self._open) == 1:
            self._listener.limit_growth(self._megabytes)

    def end(self) -> None:
        """The template that began last has ended; the one before goes on."""
        self._open.pop()
        if self._open:
            self._listener.begin_stage(self._open[-1], self._seconds)
        else:
            self._listener.end_stages()


_IN_FORCE: ContextVar[TemplateWatch | None] = ContextVar("headwater_template_watch", default=None)
_SUBJECT: ContextVar[str] = ContextVar("headwater_template_subject", default="a template")


def refused(why: str) -> TemplateProblem:
    """The problem of a template that is not rendered at all."""
    problem = TemplateProblem(f"the template cannot be rendered: {why}")
    problem.refused = True
    return problem


@contextmanager
def watched_by(watch: TemplateWatch) -> Iterator[None]:
    """Tell a watch of all templates that are rendered inside."""
    token = _IN_FORCE.set(watch)
    try:
        yield
    finally:
        _IN_FORCE.reset(token)


@contextmanager
def templates_of(subject: str) -> Iterator[None]:
    """Say what the templates belong to that are rendered inside; raises `TemplateProblem` if it is given up."""
    watch = _IN_FORCE.get()
    if watch is not None:
        watch.refuse(subject)
    token = _SUBJECT.set(subject)
    try:
        yield
    finally:
        _SUBJECT.reset(token)


@contextmanager
def one_template() -> Iterator[None]:
    """Tell the watch of one template, if there is a watch."""
    watch = _IN_FORCE.get()
    if watch is None:
        yield
        return
    watch.begin(_SUBJECT.get())
    try:
        yield
    finally:
        watch.end()
