"""Insights, and the traces that they were called in 1.x: properties made of data, filters, splits and sorts.

A trace has a model, whose columns its bare names mean, and names for expressions, under `columns`.
Those are properties as well: `columns.week`.
"""

from __future__ import annotations

from collections.abc import Iterator

from headwater.project.objects import Expression, Presentation, Property, Reference
from headwater.project.text import reference
from headwater.project.visivo.expressions import Columns, own_column, properties, sql
from headwater.project.visivo.models import model_named
from headwater.project.visivo.reading import Reading
from headwater.project.yaml_value import Entries, Items, Value


def read_insights(reading: Reading, value: Value | None, word: str) -> None:
    """The insights or traces of a list."""
    for entries in reading.objects(value, f"{word}s"):
        read_insight(reading, entries, word)


def read_insight(reading: Reading, entries: Entries, word: str, otherwise: str = "") -> str:
    """An insight or a trace; its name comes back, empty if it has none."""
    name = reading.name(entries, f"{'an' if word == 'insight' else 'a'} {word}", otherwise)
    if not name or not reading.claim(name, entries.place):
        return name
    model = model_named(reading, entries.get("model"), name)
    columns = _columns(reading, entries, name)
    interactions = list(reading.objects(entries.get("interactions"), f"the interactions of {name}"))
    named = tuple(Property(f"columns.{column}", expression) for column, expression in columns.items())
    props = reading.entries(entries.get("props"), f"the props of {name}")
    reading.presentations.append(
        Presentation(
            "insight",
            word,
            name,
            entries.place,
            (*named, *properties(reading, props, "", columns)),
            filters=_all(reading, entries.get("filters"), [i.get("filter") for i in interactions], columns),
            sorts=_all(reading, entries.get("order_by"), [i.get("sort") for i in interactions], columns),
            splits=_all(reading, entries.get("cohort_on"), [i.get("split") for i in interactions], columns),
            model=model,
        )
    )
    return name


def shown(reading: Reading, value: Value | None, word: str, owner: str) -> Iterator[Reference]:
    """What a list refers to, or defines in place: the insights or traces of a chart."""
    for number, item in enumerate(reading.items(value, f"the {word}s of {owner}")):
        if isinstance(item, Entries):
            name = read_insight(reading, item, word, f"{owner}.{word}s[{number}]")
            yield Reference(name)
            continue
        text = reading.text(item, f"a {word} of {owner}")
        meant = reference(text.value) if text else None
        if meant is not None:
            yield meant
        elif text is not None:
            reading.wrong(text, f"a {word} of {owner}", "a reference, ${ref(name)}, or a mapping")


def _columns(reading: Reading, entries: Entries, name: str) -> Columns:
    """A trace's own names. One may use those before it."""
    columns: dict[str, Expression] = {}
    written = reading.entries(entries.get("columns"), f"the columns of {name}")
    for column, value in written.values.items() if written else ():
        text = reading.text(value, f"the column {column} of {name}")
        if text is not None:
            columns[column] = sql(reading, text, columns)
    return columns


def _all(
    reading: Reading, written: Value | None, interactions: list[Value | None], columns: Columns
) -> tuple[Expression, ...]:
    """Conditions, or what is sorted and split by: what stands under a key of its own, then those of the interactions."""
    values = [*(written.values if isinstance(written, Items) else [written]), *interactions]
    texts = [reading.text(value, "an expression of an insight") for value in values]
    return tuple(own_column(reading, text, columns) or sql(reading, text, columns) for text in texts if text)
