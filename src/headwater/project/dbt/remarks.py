"""What is wrong in a project's files, collected while they are read."""

from __future__ import annotations

from headwater.model.diagnostic import Code, Diagnostic
from headwater.project.objects import Place


class Remarks:
    """A growing list of diagnostics with their places; each is said once."""

    __slots__ = ("_said",)

    def __init__(self) -> None:
        self._said: dict[tuple[Diagnostic, Place], None] = {}

    def add(self, code: Code, message: str, place: Place, *, subject: str = "", hint: str = "") -> None:
        """Say that something is wrong at a place, and what to do about it."""
        self._said[Diagnostic(code, message, subject=subject, hint=hint), place] = None

    def all(self) -> tuple[tuple[Diagnostic, Place], ...]:
        """Everything that was said, in order."""
        return tuple(self._said)
