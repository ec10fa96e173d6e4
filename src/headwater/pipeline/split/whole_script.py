"""A script to be cut, here or in a process of its own: one that cannot be cut is said to be so, and the others go on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, NamedTuple

from headwater.budget import Budget
from headwater.budget.process import Failed, Unavailable, run
from headwater.model.diagnostic import Code, Diagnostic
from headwater.order.cut import CutScript, cut

_SECONDS_PER_CHARACTER = 20e-6
"""What cutting may take beyond a statement's time: about ten times what it does take."""


class WholeScript(NamedTuple):
    """A script, and what cutting it may take."""

    text: str
    dialects: tuple[str, ...]
    default_schema: str
    budget: Budget

    @property
    def patience(self) -> float:
        """Seconds that it may take beyond a statement's."""
        return len(self.text) * _SECONDS_PER_CHARACTER

    @property
    def timeout(self) -> float | None:
        """Seconds that it may take."""
        return None if self.budget.timeout is None else self.budget.timeout + self.patience

    @property
    def memory(self) -> int | None:
        """Megabytes that it may take."""
        return None if self.budget.memory is None else int(self.budget.memory)

    @property
    def reserved(self) -> int:
        """Megabytes of address space that it holds without using them."""
        return 0

    def cut(self) -> CutScript:
        """Its cuts."""
        excess = replace(self.budget, timeout=None).excess_of(
            len(self.text)
        )  # the time has its own measure, `patience`
        if excess is not None:
            return _not_cut(*excess)
        try:
            return cut(self.text, self.dialects, self.default_schema)
        except Exception as error:  # noqa: BLE001 - the script boundary: a defect costs its script, not the build
            return _not_cut(Code.INTERNAL_ERROR, type(error).__name__)

    def answer(self, ask: Callable[..., Any]) -> CutScript:
        """Its cuts, in a worker process."""
        return self.cut()

    def cut_elsewhere(self) -> CutScript:
        """Its cuts, made in a process of its own; a process that gives none is a diagnostic."""
        try:
            made: CutScript = run(self)
        except Failed as failure:
            return _not_cut(failure.code, f"its process gave no answer ({failure.code.value})")
        except Unavailable:
            return _not_cut(Code.CRASHED, "it killed a worker, and no other process can be started here")
        return made


def _not_cut(code: Code, why: str) -> CutScript:
    problem = Diagnostic(code, f"the script cannot be cut into statements: {why}")
    return CutScript((), "", ((problem, None),))
