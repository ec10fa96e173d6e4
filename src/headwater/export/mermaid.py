"""Mermaid: a flowchart that GitHub, GitLab and wikis draw where it stands in Markdown."""

from __future__ import annotations

import re
from collections.abc import Sequence

from headwater.export.feed import Feed
from headwater.export.format import Choices, Format, Output
from headwater.export.picture.drawing import Limits, drawing
from headwater.export.picture.labels import visible
from headwater.export.picture.lines import KEY, Line
from headwater.export.picture.looks import INK, MUTED, RULE, fill
from headwater.export.records import Entity
from headwater.model.kind import FDR, JOIN_TYPE

VERSION = "1"
LIMITS = Limits(entities=150, columns=400, lines=500)
"""Mermaid draws at most 500 lines and reads at most 50,000 characters, and only the page that draws may raise that."""

LONGEST = 60
"""Characters of a name that are shown."""

_ARROWS = {FDR: "-.->", JOIN_TYPE: "-.-", KEY: '-.->|"foreign key"|'}
_SPECIAL = re.compile(r"[^\w .,:/$()=+\u0080-\uffff]|^\d+(?=[.)])")
"""What may mean something to Mermaid, or to the Markdown in its labels."""


def write(feed: Feed, output: Output, choices: Choices) -> None:
    """A feed as a flowchart from left to right."""
    picture = drawing(feed, LIMITS, output)
    output.write(f"%% headwater mermaid {VERSION}, {picture.level} level\nflowchart LR\n")
    closed = picture.level == "table"
    for entity in picture.entities:
        output.write(_node(entity) if closed else _card(entity))
    for lines in picture.lines:
        output.write(_table_line(feed, lines) if closed else _line(lines[0]))
    for kind in sorted({entity.kind for entity in picture.entities}):
        output.write(f"  classDef {kind.value} fill:{fill(kind)},stroke:{RULE},color:{INK}\n")
    if not closed:
        output.write(f"  classDef column fill:#ffffff,stroke:{RULE},color:{INK}\n")
        output.write(f"  classDef rows fill:#ffffff,stroke:{RULE},color:{MUTED},font-style:italic\n")


def _card(entity: Entity) -> str:
    if not entity.columns:
        return _node(entity)
    rows = "".join(
        f'    {_id("c", column.id)}["{"rows" if column.row_set else _text(column.name)}"]:::{"rows" if column.row_set else "column"}\n'
        for column in sorted(entity.columns, key=lambda column: column.row_set)
    )
    id = _id("t", entity.id)
    return f'  subgraph {id}["{_text(entity.name or "(result)")}"]\n{rows}  end\n  class {id} {entity.kind.value}\n'


def _node(entity: Entity) -> str:
    return f'  {_id("t", entity.id)}["{_text(entity.name or "(result)")}"]:::{entity.kind.value}\n'


def _line(line: Line) -> str:
    arrow = _ARROWS.get(line.look, "-->")
    return f"  {_id('c', line.source.column)} {arrow} {_id('c', line.target.column)}\n"


def _table_line(feed: Feed, lines: Sequence[Line]) -> str:
    types = ", ".join(dict.fromkeys(feed.process(line.process).type for line in lines))
    return f'  {_id("t", lines[0].source.entity)} -->|"{_text(types)}"| {_id("t", lines[0].target.entity)}\n'


def _id(letter: str, number: int) -> str:
    return f"{letter}{number}".replace("-", "_")


def _text(name: str) -> str:
    """A name with entity codes for what Mermaid would read: `#quot;` for a quote."""
    return _SPECIAL.sub(_code, visible(name, LONGEST))


def _code(found: re.Match[str]) -> str:
    if found[0] == '"':
        return "#quot;"
    return "".join(f"#{ord(letter)};" for letter in found[0])


FORMAT = Format(
    "mermaid", "Mermaid flowchart, which GitHub and GitLab draw in Markdown; best of one column's lineage", write
)
