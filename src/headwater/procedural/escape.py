"""Whether steps can be left to beyond the loop or block that they stand in: what decides that, decides over all that follows."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.sql.procedural.tree import Choice, Group, Leave, Repeat, Step


def escapes(steps: Sequence[Step], label: str = "", in_loop: bool = False) -> bool:
    """Whether one of the steps leaves more than what *label* names; *in_loop* where they are those of a loop."""
    return any(_escapes(step, frozenset({label}), in_loop) for step in steps)


def _escapes(step: Step, labels: frozenset[str], in_loop: bool) -> bool:
    if isinstance(step, Leave):
        if step.label:
            return step.label not in labels
        return step.out_of not in ("loop", "round") or not in_loop
    if isinstance(step, Choice):
        return any(_escapes(inner, labels, in_loop) for branch in step.branches for inner in branch.steps)
    if isinstance(step, Repeat):
        return any(_escapes(inner, labels | {step.label}, True) for inner in step.steps)
    if isinstance(step, Group):
        parts = (step.steps, *step.handlers)
        return any(_escapes(inner, labels | {step.label}, in_loop) for part in parts for inner in part)
    return False
