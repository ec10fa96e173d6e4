"""Files of events: one JSON document per line, as OpenLineage's own file transport writes them; or whole documents, or lists of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

from headwater.files import check_depth, open_file, parse_json, passes_over

ENDINGS = (".json", ".jsonl", ".ndjson")
LOOKED_AT = 1 << 16
"""Bytes of a file by which it is known."""
_TOLD = 20
"""Problems that are told one by one; of more in one file, the rest is counted."""


class Found(NamedTuple):
    """An event and its line, from 1; or what is wrong there."""

    line: int
    event: dict[str, Any]
    problem: str = ""


def is_event_file(path: str) -> bool:
    """Whether a file holds events, by how it begins."""
    if not path.lower().endswith(ENDINGS) or passes_over(path):
        return False
    try:
        with open_file(path) as file:
            beginning = file.read(LOOKED_AT)
    except OSError:
        return False
    return begins_like_events(beginning)


def begins_like_events(beginning: bytes) -> bool:
    """Whether a file that begins like this holds events."""
    return b'"eventTime"' in beginning and any(
        word in beginning for word in (b'"schemaURL"', b'"_schemaURL"', b"openlineage.io/spec")
    )


def events_in(file: IO[bytes]) -> Iterator[Found]:
    """The events of a file; what is none is said, and the rest goes on."""
    problems = 0
    for found in _documents(file):
        problem = found.problem or _problem(found.event)
        if not problem:
            yield found
            continue
        problems += 1
        if problems <= _TOLD:
            yield Found(found.line, {}, f"line {found.line} is no OpenLineage event: {problem}")
    if problems > _TOLD:
        yield Found(0, {}, f"{problems - _TOLD} more lines are no OpenLineage events")


def _documents(file: IO[bytes]) -> Iterator[Found]:
    """Line by line, so that files may be large; but for documents over many lines."""
    first = file.read(LOOKED_AT).decode("utf-8-sig", "replace").lstrip().partition("\n")[0].strip()
    file.seek(0)
    if first.startswith("[") or first == "{":
        yield from _whole(file.read().decode("utf-8-sig", "replace"))
        return
    for number, line in enumerate(file, 1):
        text = line.decode("utf-8-sig", "replace")
        if text.strip():
            yield _parsed(text, number)


def _whole(text: str) -> Iterator[Found]:
    """Documents over many lines, one after the other; a list is as many as it has."""
    decoder = json.JSONDecoder()
    offset = 0
    while offset < len(text):
        if text[offset].isspace():
            offset += 1
            continue
        line = text.count("\n", 0, offset) + 1
        try:
            found, offset = decoder.raw_decode(text, offset)
            check_depth(found)
        except (ValueError, RecursionError) as error:
            yield Found(line + getattr(error, "lineno", 1) - 1, {}, "it is not JSON")
            return
        for each in found if isinstance(found, list) else [found]:
            yield Found(line, each)


def _parsed(line: str, number: int) -> Found:
    try:
        return Found(number, parse_json(line))
    except ValueError:
        return Found(number, {}, "it is not JSON")


def _problem(event: Any) -> str:
    """What keeps a document from being an event; nothing if it is one."""
    if not isinstance(event, dict):
        return "it is not an object"
    if not isinstance(event.get("eventTime"), str):
        return "it has no eventTime"
    if "run" in event and not _text(event["run"], "runId"):
        return "its run has no runId"
    if "dataset" in event and "job" not in event:
        return "" if _is_dataset(event["dataset"]) else "its dataset has no namespace and name"
    if not (_text(event.get("job"), "namespace") and _text(event.get("job"), "name")):
        return "its job has no namespace and name"
    for side in ("inputs", "outputs"):
        listed = event.get(side) or []
        if not isinstance(listed, list) or not all(map(_is_dataset, listed)):
            return f"its {side} are not data sets with namespace and name"
    return ""


def _is_dataset(value: Any) -> bool:
    return _text(value, "namespace") and _text(value, "name")


def _text(value: Any, key: str) -> bool:
    return isinstance(value, dict) and isinstance(value.get(key), str)
