"""Inputs: what people choose from, where it is data; and the selectors of 1.x, which switch between what is shown."""

from __future__ import annotations

from headwater.project.objects import Expression, Presentation, Property, Reference
from headwater.project.text import reference
from headwater.project.visivo.expressions import joined, properties
from headwater.project.visivo.reading import Reading
from headwater.project.yaml_value import Entries, Text, Value

_MADE_OF_DATA = ("options", "range", "display", "default")


def read_inputs(reading: Reading, value: Value | None) -> None:
    """The inputs of a list."""
    for entries in reading.objects(value, "inputs"):
        read_input(reading, entries)


def read_input(reading: Reading, entries: Entries, otherwise: str = "") -> str:
    """An input; its name comes back. Whatever it can be is what it offers: its options, the ends of its range, what is chosen at first."""
    name = reading.name(entries, "an input", otherwise)
    if name and reading.claim(name, entries.place):
        found = [made for key in _MADE_OF_DATA for made in properties(reading, entries.get(key), key)]
        offered = (Property("options", _together([made.expression for made in found])),) if found else ()
        reading.presentations.append(Presentation("input", "input", name, entries.place, offered))
    return name


def _together(expressions: list[Expression]) -> Expression:
    """Several queries as one."""
    if len(expressions) == 1:
        return expressions[0]
    parts: list[str | Reference] = []
    for expression in expressions:
        parts += [" UNION ALL " if parts else "", "(" if _is_query(expression) else "(SELECT ", *expression.parts, ")"]
    return Expression(joined(parts), expressions[0].place)


def _is_query(expression: Expression) -> bool:
    first = expression.parts[0]
    return isinstance(first, str) and first.lstrip("( \n").lower().startswith(("select", "with"))


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
