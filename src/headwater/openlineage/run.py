"""A run, out of its events: what START, RUNNING, COMPLETE and the others say of it, together. What is said later counts.

A run that failed, or was aborted, has moved no data: it says nothing. One that has not ended says what it has said so far.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import timezone
from typing import Any, NamedTuple

from headwater.model.iso_time import read_iso

_ORDER = ("START", "RUNNING", "OTHER", "COMPLETE", "ABORT", "FAIL")
"""States, as they follow each other at the same time."""
_IN_VAIN = frozenset({"ABORT", "FAIL"})
_ENDS = frozenset({"COMPLETE", *_IN_VAIN})


class Moment(NamedTuple):
    """An event among those of its run: they are sorted as these are."""

    time: int
    """Microseconds since 1970."""
    order: int
    text: str


def run_key(event: dict[str, Any]) -> str:
    """What an event is about: a run; a job that is described without one; or a data set."""
    if "run" in event:
        return json.dumps(["run", event["run"]["runId"].lower()])
    about = "job" if "job" in event else "dataset"
    return json.dumps([about, event[about]["namespace"], event[about]["name"]])


def moment(event: dict[str, Any]) -> Moment:
    """When an event was."""
    state = event.get("eventType")
    order = _ORDER.index(state) if state in _ORDER else _ORDER.index("OTHER")
    return Moment(_microseconds(event["eventTime"]), order, json.dumps(event, sort_keys=True))


def _microseconds(time: str) -> int:
    try:
        told = read_iso(time)
    except ValueError:
        return 0
    return int((told if told.tzinfo else told.replace(tzinfo=timezone.utc)).timestamp() * 1_000_000)


def merged(moments: Iterable[Moment]) -> dict[str, Any] | None:
    """One event for all events of a run; None if the run came to nothing. Of a job or data set without runs, the last one counts."""
    told = [json.loads(each.text) for each in sorted(moments)]
    if "run" not in told[-1]:
        return dict(told[-1])
    ends = [event["eventType"] for event in told if event.get("eventType") in _ENDS]
    if ends and ends[-1] in _IN_VAIN:
        return None
    whole: dict[str, Any] = {}
    for event in told:
        sides = {side: _united(whole.get(side), event.get(side)) for side in ("inputs", "outputs")}
        parts = {part: _over(whole.get(part), event.get(part)) for part in ("run", "job")}
        whole = {**whole, **event, **parts, **sides}
    return whole


def _united(before: Any, after: Any) -> list[dict[str, Any]]:
    """Data sets of both, each once."""
    found: dict[tuple[str, str], dict[str, Any]] = {}
    for each in [*(before or []), *(after or [])]:
        key = (each["namespace"], each["name"])
        found[key] = _over(found.get(key), each)
    return list(found.values())


def _over(before: Any, after: Any) -> dict[str, Any]:
    """A part of an event with its facets: those that are said later take the place of earlier ones."""
    before, after = before or {}, after or {}
    return {**before, **after, "facets": {**_facets(before), **_facets(after)}}


def _facets(part: dict[str, Any]) -> dict[str, Any]:
    facets = part.get("facets")
    return facets if isinstance(facets, dict) else {}
