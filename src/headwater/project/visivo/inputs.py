"""Inputs: what people choose from, where it is data; and the selectors of 1.x, which switch between what is shown."""

from __future__ import annotations

from headwater.project.objects import Presentation, Property
from headwater.project.text import reference
from headwater.project.visivo.expressions import properties
from headwater.project.visivo.reading import Reading
from headwater.project.visivo.value import Entries, Text, Value

_MADE_OF_DATA = ("options", "range", "display", "default")


def read_inputs(reading: Reading, value: Value | None) -> None:
    """The inputs of a list."""
    for entries in reading.objects(value, "inputs"):
        read_input(reading, entries)


def read_input(reading: Reading, entries: Entries, otherwise: str = "") -> str:
    """An input; its name comes back."""
    name = reading.name(entries, "an input", otherwise)
    if name and reading.claim(name, entries.place):
        found: list[Property] = []
        for key in _MADE_OF_DATA:
            found += properties(reading, entries.get(key), key)
        reading.presentations.append(Presentation("input", "input", name, entries.place, tuple(found)))
    return name


def read_selectors(reading: Reading, value: Value | None) -> None:
    """The selectors of a list."""
    for entries in reading.objects(value, "selectors"):
        read_selector(reading, entries)


def read_selector(reading: Reading, entries: Entries, otherwise: str = "") -> str:
    """A selector; its name comes back. It shows its options; which of them are rows of a dashboard is known at the end."""
    name = reading.name(entries, "a selector", otherwise)
    if name and reading.claim(name, entries.place):
        options = reading.items(entries.get("options"), f"the options of {name}")
        shown = tuple(filter(None, (reference(option.value) for option in options if isinstance(option, Text))))
        reading.presentations.append(Presentation("input", "selector", name, entries.place, shows=shown))
    return name
