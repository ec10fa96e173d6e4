"""Where the way through a program has come to, and where several ways meet."""

from __future__ import annotations

from headwater.model.resolution import Variable
from headwater.procedural.origin import Key, State

Controls = dict[Key, Variable]
"""What decides over the steps at hand."""


class Way:
    """Where the way through a program has come to: the state (None if nobody gets here), and what decides whether somebody does."""

    __slots__ = ("controls", "seen", "state")

    def __init__(self, state: State | None, controls: Controls, seen: State) -> None:
        self.state = state
        self.controls = controls
        self.seen = seen
        """Everything that was held at some point since the innermost handler's block began."""


def meeting(ends: list[Way], controls: Controls) -> Way:
    """Where several ways meet."""
    state: State | None = None
    seen = ends[0].seen
    for end in ends:
        seen = seen.with_(end.seen)
        if end.state is not None:
            state = end.state if state is None else state.with_(end.state)
    return Way(state, controls, seen)
