"""YAML text to values with places, however long, deep or malicious.

They are built of the parser's events without recursion, and their number is counted.
Aliases are one value in several places, merges (`<<`) give keys that are not there.
What cannot be read is an `InvalidDocument` with a place.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any

from headwater.model.diagnostic import Code
from headwater.model.span import LineIndex
from headwater.project.objects import NoProject, Place
from headwater.project.yaml_value import Empty, Entries, File, Items, Text, Value

Complaint = tuple[Code, str, Place]
MOST_VALUES = 1_000_000
DEEPEST = 200
_NULL = frozenset({"", "~", "null", "Null", "NULL"})
_STANDARD = "tag:yaml.org,2002:"
_FOREIGN = _STANDARD + "python/"


class InvalidDocument(Exception):
    """The text is no YAML, or more than anybody writes."""

    def __init__(self, message: str, place: Place) -> None:
        super().__init__(message)
        self.place = place


class NoYaml(NoProject):
    """PyYAML is not installed."""


@dataclass(slots=True)
class _Frame:
    """A list or mapping that is being read."""

    place: Place
    mapping: bool
    anchor: str | None
    items: list[Value] = field(default_factory=list)
    """Values; of a mapping keys and values in turn."""


def read_document(text: str, shown: str) -> tuple[Value, list[Complaint]]:
    """What a YAML text says, and complaints about keys that stand twice."""
    return _Builder(File(shown, text, LineIndex(text))).build()


class _Builder:
    """Makes values of events."""

    def __init__(self, file: File) -> None:
        self.file = file
        self.stack: list[_Frame] = []
        self.anchors: dict[str, Value] = {}
        self.result: Value | None = None
        self.complaints: list[Complaint] = []

    def build(self) -> tuple[Value, list[Complaint]]:
        for event in _events(self.file):
            self._take(event)
        return self.result or Empty(self.file.place(0)), self.complaints

    def _take(self, event: Any) -> None:
        kind = type(event).__name__
        index = event.start_mark.index
        self._check_tag(getattr(event, "tag", None), index)
        if kind == "ScalarEvent":
            self._add(self._scalar(event), event.anchor)
        elif kind == "AliasEvent":
            self._add(self._alias(event.anchor, index), None)
        elif kind in {"MappingStartEvent", "SequenceStartEvent"}:
            if len(self.stack) >= DEEPEST:
                raise self._too_deep(self.file.place(index))
            self.stack.append(_Frame(self.file.place(index), kind == "MappingStartEvent", event.anchor))
        elif kind in {"MappingEndEvent", "SequenceEndEvent"}:
            frame = self.stack.pop()
            self._add(self._mapping(frame) if frame.mapping else self._list(frame), frame.anchor)
        elif kind == "DocumentStartEvent" and self.result is not None:
            raise InvalidDocument(
                "a file holds one document; what follows `---` belongs into another", self.file.place(index)
            )

    def _too_deep(self, place: Place) -> InvalidDocument:
        return InvalidDocument(f"values are nested more than {DEEPEST} deep", place)

    def _check_tag(self, tag: str | None, index: int) -> None:
        """Tags of YAML itself say what a value is; others would have somebody make something of it."""
        if tag and tag != "!" and (tag.startswith(_FOREIGN) or not tag.startswith(_STANDARD)):
            raise InvalidDocument(
                "this is no YAML that is read here: there is a tag (`!name`) that only some program knows; leave the tag out",
                self.file.place(index),
            )

    def _scalar(self, event: Any) -> Value:
        index, style = event.start_mark.index, event.style or ""
        place = self.file.place(index)
        if not style and event.value in _NULL:
            return Empty(place)
        return Text(event.value, place, self.file, index, style, event.tag or "")

    def _alias(self, anchor: str, index: int) -> Value:
        if anchor not in self.anchors:
            raise InvalidDocument(
                f"the alias *{anchor} stands for nothing that comes before it", self.file.place(index)
            )
        return self.anchors[anchor]

    def _add(self, value: Value, anchor: str | None) -> None:
        if value.size > MOST_VALUES:
            raise InvalidDocument(f"there are more than {MOST_VALUES:,} values in it, by aliases perhaps", value.place)
        if value.depth > DEEPEST:
            raise self._too_deep(value.place)
        if anchor:
            self.anchors[anchor] = value
        if self.stack:
            self.stack[-1].items.append(value)
        else:
            self.result = value

    def _list(self, frame: _Frame) -> Items:
        return Items(tuple(frame.items), frame.place, *_extent(frame.items))

    def _mapping(self, frame: _Frame) -> Entries:
        values: dict[str, Value] = {}
        keys: dict[str, Place] = {}
        merged: dict[str, Value] = {}
        for key, value in zip(frame.items[::2], frame.items[1::2], strict=True):
            if not isinstance(key, Text):
                continue  # no project has such keys
            if key.value == "<<" and not key.style:
                for other in _merged(value):
                    merged = {**other.values, **merged}
                continue
            if key.value in values:
                message = f"the key {key.value} stands twice here; the second one counts"
                self.complaints.append((Code.INVALID_PROJECT, message, key.place))
            values[key.value] = value
            keys[key.value] = key.place
        values = {**merged, **values}
        return Entries(values, frame.place, *_extent(values.values()), keys)


def _extent(values: Collection[Value]) -> tuple[int, int]:
    """The size and depth of what holds these values."""
    return 1 + sum(value.size for value in values), 1 + max((value.depth for value in values), default=0)


_WORDS = {
    "did not find expected node content": "a value is expected here; put a text that begins with one of `@`, `%`, `,`, `]`, `}` in quotes",
    "mapping values are not allowed in this context": "a `:` is not allowed here; put a text with `: ` in it in quotes",
    "could not find expected ':'": "a `:` is missing behind a key; indent the lines of a longer text",
    "did not find expected key": "a key is expected here; compare the indentation with the lines above",
    "did not find expected '-' indicator": "a `-` is expected here; compare the indentation with the lines above",
    "found character that cannot start any token": "nothing begins like this; indent with spaces, not tabs, and put `@` in quotes",
    "found unexpected end of stream": "the file ends inside of a text in quotes; close the quotes",
    "did not find expected ',' or ']'": "a list in `[` is not closed; put `,` between its values and `]` behind them",
    "did not find expected ',' or '}'": "a mapping in `{` is not closed; `{{ … }}` of a template needs quotes around it",
    "found undefined alias": "`*` begins an alias that is not defined; put a text that begins with `*` in quotes",
}
"""What the parser complains of, and what to do."""


def _in_plain_words(problem: str | None) -> str:
    """What the parser complains of, in plain words; what nobody has met yet in its own."""
    return _WORDS.get(
        problem or "",
        f"{problem or 'it cannot be read'}; compare its indentation, quotes and brackets with the lines above",
    )


def _merged(value: Value) -> list[Entries]:
    candidates = value.values if isinstance(value, Items) else (value,)
    return [candidate for candidate in candidates if isinstance(candidate, Entries)]


def _events(file: File) -> Iterator[Any]:
    """The parser's events; its complaint about what comes next says what and where, and quotes nothing."""
    try:
        yaml: Any = import_module("yaml")
    except ModuleNotFoundError as error:
        raise NoYaml("projects in YAML need PyYAML: install headwater[project]") from error
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        yield from yaml.parse(file.text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = Place(file.shown, mark.line + 1, mark.column + 1) if mark else file.place(0)
        raise InvalidDocument(f"this is no YAML: {_in_plain_words(error.problem)}", place) from None
    except yaml.YAMLError:
        raise InvalidDocument(
            "this is no YAML: it holds characters that no text has; save it as UTF-8 text", file.place(0)
        ) from None
