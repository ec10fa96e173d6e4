"""Charts: what they show. Their layout holds no data: what looks like an expression in it is a text."""

from __future__ import annotations

from collections.abc import Iterator

from headwater.project.objects import Presentation, Reference
from headwater.project.text import reference
from headwater.project.visivo.inputs import read_selector
from headwater.project.visivo.insights import shown
from headwater.project.visivo.reading import Reading
from headwater.project.yaml_value import Entries, Value


def read_charts(reading: Reading, value: Value | None) -> None:
    """The charts of a list."""
    for entries in reading.objects(value, "charts"):
        read_chart(reading, entries)


def read_chart(reading: Reading, entries: Entries, otherwise: str = "") -> str:
    """A chart; its name comes back."""
    name = reading.name(entries, "a chart", otherwise)
    if name and reading.claim(name, entries.place):
        shows = (
            *shown(reading, entries.get("insights"), "insight", name),
            *shown(reading, entries.get("traces"), "trace", name),
            *its_selector(reading, entries, name),
        )
        reading.presentations.append(
            Presentation("chart", "chart", name, entries.place, shows=tuple(dict.fromkeys(shows)))
        )
    return name


def its_selector(reading: Reading, entries: Entries, owner: str) -> Iterator[Reference]:
    """The selector of a chart or table, by reference or as a whole."""
    value = entries.get("selector")
    if isinstance(value, Entries):
        yield Reference(read_selector(reading, value, f"{owner}.selector"))
        return
    text = reading.text(value, f"the selector of {owner}")
    meant = reference(text.value) if text else None
    if meant is not None:
        yield meant
