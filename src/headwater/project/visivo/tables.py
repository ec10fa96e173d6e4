"""Tables: a model or an insight as a whole, chosen columns, or a pivot; in 1.x columns of traces, by keys.

A column is called what the table shows: its alias, the field's name, or the expression.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from headwater.project.objects import Expression, Presentation, Property, Reference
from headwater.project.text import reference, unquoted
from headwater.project.visivo.charts import its_selector
from headwater.project.visivo.expressions import sql
from headwater.project.visivo.insights import read_insight, shown
from headwater.project.visivo.models import read_model
from headwater.project.visivo.reading import Reading
from headwater.project.yaml_value import Entries, Text, Value

_ALIAS = re.compile(r"""\s+as\s+("[^"]*"|'[^']*'|[\w ]+?)\s*$""", re.IGNORECASE)


def read_tables(reading: Reading, value: Value | None) -> None:
    """The tables of a list."""
    for entries in reading.objects(value, "tables"):
        read_table(reading, entries)


def read_table(reading: Reading, entries: Entries, otherwise: str = "") -> str:
    """A table; its name comes back."""
    name = reading.name(entries, "a table", otherwise)
    if not name or not reading.claim(name, entries.place):
        return name
    columns = dict(_columns(reading, entries, name))
    whole = (
        *_data(reading, entries.get("data"), name),
        *shown(reading, entries.get("insights"), "insight", name),
        *shown(reading, entries.get("traces"), "trace", name),
    )
    chosen = {reference.name for expression in columns.values() for reference in expression.references}
    shows = [*(r for r in whole if r.name not in chosen), *its_selector(reading, entries, name)]
    made = tuple(Property(column, expression) for column, expression in columns.items())
    reading.presentations.append(
        Presentation("chart", "table", name, entries.place, made, shows=tuple(dict.fromkeys(shows)))
    )
    return name


def _data(reading: Reading, value: Value | None, owner: str) -> Iterator[Reference]:
    """What a table shows as a whole: a model or an insight, by reference or defined in place."""
    if isinstance(value, Entries):
        is_insight = "props" in value.values or "interactions" in value.values
        otherwise = f"{owner}.data"
        yield Reference(
            read_insight(reading, value, "insight", otherwise) if is_insight else read_model(reading, value, otherwise)
        )
        return
    text = reading.text(value, f"the data of {owner}")
    meant = reference(text.value) if text else None
    if meant is not None:
        yield meant
    elif text is not None:
        reading.wrong(text, f"the data of {owner}", "a reference, ${ref(name)}, or a mapping")


def _columns(reading: Reading, entries: Entries, owner: str) -> Iterator[tuple[str, Expression]]:
    """The chosen columns, each under a name of its own."""
    taken: set[str] = set()
    for key in ("columns", "rows", "values", "column_defs"):
        for number, value in enumerate(reading.items(entries.get(key), f"{key} of {owner}")):
            if isinstance(value, Entries):
                found = list(_of_trace(reading, value, owner))
            else:
                text = reading.text(value, f"{key} of {owner}")
                found = [_named(reading, text)] if text else []
            for inner, (name, expression) in enumerate(found):
                own = f"{key}.{number}" if len(found) == 1 else f"{key}.{number}.{inner}"
                unique = own if name in taken or not name else name
                taken.add(unique)
                yield unique, expression


def _named(reading: Reading, text: Text) -> tuple[str, Expression]:
    """A column and its name: `${ref(sales).region} as Region`."""
    expression = sql(reading, text)
    last = expression.parts[-1] if expression.parts else ""
    alias = _ALIAS.search(last) if isinstance(last, str) else None
    if alias is not None and isinstance(last, str):
        rest = last[: alias.start()]
        parts = (*expression.parts[:-1], rest) if rest else expression.parts[:-1]
        return unquoted(alias[1]), Expression(parts, expression.place)
    return "".join(part if isinstance(part, str) else part.field or part.name for part in expression.parts), expression


def _of_trace(reading: Reading, entries: Entries, owner: str) -> Iterator[tuple[str, Expression]]:
    """Columns of one trace by its keys, `columns.week` or `props.x`, as 1.x wrote them."""
    trace = reading.setting(entries.get("trace_name", "insight_name"), f"the trace_name of a column of {owner}")
    meant = reference(trace)
    for column in reading.objects(entries.get("columns"), f"columns of {owner}"):
        key = reading.text(column.get("key"), f"the key of a column of {owner}")
        if key is not None and trace:
            field = key.value.strip().removeprefix("props.")
            header = reading.wording(column.get("header"), f"the header of a column of {owner}")
            expression = Expression((Reference(meant.name if meant else trace, field),), key.at(0))
            yield header or field, expression
