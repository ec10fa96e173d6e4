"""Dashboards: everything that stands in their rows, at any depth, or in the HTML of their template.

One that lives elsewhere shows nothing that is known here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from headwater.project.objects import Presentation, Reference
from headwater.project.text import reference
from headwater.project.visivo.charts import read_chart
from headwater.project.visivo.inputs import read_input, read_selector
from headwater.project.visivo.reading import Reading
from headwater.project.visivo.tables import read_table
from headwater.project.yaml_value import Entries, Text, Value

_COMMENT = re.compile(r"<!--.*?(?:-->|\Z)", re.DOTALL)
_ITEM = re.compile(r"""\bdata-visivo-item\s*=\s*(?:"([^"]*)"|'([^']*)')""")
_READERS: dict[str, Callable[[Reading, Entries, str], str]] = {
    "chart": read_chart,
    "table": read_table,
    "input": read_input,
    "selector": read_selector,
}


def read_dashboards(reading: Reading, value: Value | None) -> None:
    """The dashboards of a list."""
    for entries in reading.objects(value, "dashboards"):
        name = reading.name(entries, "a dashboard")
        if name and reading.claim(name, entries.place):
            rows = _rows(reading, entries.get("rows"), name, "rows")
            shows = dict.fromkeys((*rows, *_in_template(reading, entries.get("template"), name)))
            tags = (
                reading.wording(tag, f"a tag of {name}")
                for tag in reading.items(entries.get("tags"), f"the tags of {name}")
            )
            reading.presentations.append(
                Presentation(
                    "dashboard", "dashboard", name, entries.place, shows=tuple(shows), tags=tuple(filter(None, tags))
                )
            )


def read_markdowns(reading: Reading, value: Value | None) -> None:
    """Texts: they have names like everything else, and no data."""
    for entries in reading.objects(value, "markdowns"):
        name = reading.name(entries, "a markdown")
        if name and reading.claim(name, entries.place):
            reading.arranged.add(name)


def _rows(reading: Reading, value: Value | None, owner: str, path: str) -> Iterator[Reference]:
    for number, row in enumerate(reading.items(value, f"{path} of {owner}")):
        entries = reading.entries(row, f"a row of {owner}")
        if entries is None:
            continue
        _arranged(reading, entries)
        for at, item in enumerate(reading.items(entries.get("items"), f"the items of a row of {owner}")):
            inner = reading.entries(item, f"an item of {owner}")
            if inner is not None:
                yield from _item(reading, inner, owner, f"{path}[{number}].items[{at}]")


def _item(reading: Reading, entries: Entries, owner: str, path: str) -> Iterator[Reference]:
    _arranged(reading, entries)
    yield from _rows(reading, entries.get("rows"), owner, f"{path}.rows")
    for key, reader in _READERS.items():
        value = entries.get(key)
        if isinstance(value, Entries):
            yield Reference(reader(reading, value, f"{owner}.{path}.{key}"))
            continue
        text = reading.text(value, f"the {key} of an item of {owner}")
        meant = reference(text.value) if text else None
        if meant is not None:
            yield meant
        elif text is not None:
            reading.wrong(text, f"the {key} of an item of {owner}", "a reference, ${ref(name)}, or a mapping")


def _in_template(reading: Reading, value: Value | None, owner: str) -> Iterator[Reference]:
    """What stands in elements such as `<div data-visivo-item="sales_chart">`."""
    text = reading.text(value, f"the template of {owner}")
    for match in _ITEM.finditer(_COMMENT.sub("", text.value) if text else ""):
        name = (match[1] or match[2] or "").strip()
        if name:
            yield reference(name) or Reference(name)


def _arranged(reading: Reading, entries: Entries) -> None:
    name = entries.get("name")
    if isinstance(name, Text):
        reading.arranged.add(name.value.strip())
