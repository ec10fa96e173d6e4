"""GOTO: what lies between it and a label that follows is a block that it leaves; from a label up to a GOTO that follows there is a loop."""

from __future__ import annotations

from collections.abc import Sequence

from headwater.sql.procedural.tree import Choice, Group, Label, Leave, Repeat, Step


def without_labels(steps: Sequence[Step]) -> tuple[Step, ...]:
    """The steps with blocks and loops in the place of their labels."""
    while True:
        at = next((i for i, step in enumerate(steps) if isinstance(step, Label)), None)
        if at is None:
            return tuple(steps)
        label = steps[at]
        assert isinstance(label, Label)
        before, behind = tuple(steps[:at]), tuple(steps[at + 1 :])
        if any(_goes_to(step, label.name) for step in before):
            before = (Group(before, label=label.name),)
        last = max((i for i, step in enumerate(behind) if _goes_to(step, label.name)), default=-1)
        if last >= 0:
            behind = (Repeat(None, without_labels(behind[: last + 1]), label=label.name), *behind[last + 1 :])
        steps = (*before, *behind)


def _goes_to(step: Step, label: str) -> bool:
    if isinstance(step, Leave):
        return step.label == label
    if isinstance(step, Choice):
        return any(_goes_to(inner, label) for branch in step.branches for inner in branch.steps)
    if isinstance(step, Repeat):
        return any(_goes_to(inner, label) for inner in step.steps)
    if isinstance(step, Group):
        return any(_goes_to(inner, label) for part in (step.steps, *step.handlers) for inner in part)
    return False
