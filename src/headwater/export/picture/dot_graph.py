"""Cards and lines in the language of Graphviz: a card for each table, a row for each column, a line for each source of each relation."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

from headwater.export.feed import Feed, Level
from headwater.export.format import Output
from headwater.export.picture.labels import visible
from headwater.export.picture.lines import Line, Tip
from headwater.export.picture.looks import INK, MUTED, PAPER, RULE, STROKES, TABLE_STROKE, fill, word
from headwater.export.records import Column, Entity, Process

VERSION = "1"

LONGEST = 60
"""Characters of a name that a card shows."""
_LONGEST_TIP = 400
"""Characters of an expression that a tool tip shows."""

_HEAD = f"""\
digraph lineage {{
  graph [rankdir=LR, bgcolor="{PAPER}", pad=0.3, nodesep=0.3, ranksep=1.1, fontname="Helvetica", fontsize=10, fontcolor="{INK}"];
  node [shape=plain, fontname="Helvetica", fontsize=11, fontcolor="{INK}"];
  edge [fontname="Helvetica", fontsize=9, fontcolor="{MUTED}", arrowsize=0.6, penwidth=1.1];
"""

Drawn = Entity | Sequence[Line]
"""A card, or lines that are drawn as one."""


def write_drawn(feed: Feed, level: Level, drawn: Iterable[Drawn], output: Output) -> None:
    """Cards and lines as a DOT graph with a legend of the lines it has."""
    output.write(f"// headwater dot {VERSION}, {level} level\n{_HEAD}")
    met: dict[str, None] = {}
    for each in drawn:
        if isinstance(each, Entity):
            output.write(_card(each, level == "table"))
        else:
            met[each[0].look] = None
            output.write(_line(each, [feed.process(line.process) for line in each]))
    output.write(f"  labelloc=b; labeljust=l; label=<{_legend(met)}>;\n}}\n")


def _card(entity: Entity, closed: bool) -> str:
    rows = "" if closed else "".join(map(_row, sorted(entity.columns, key=_row_set)))
    said = word(entity)
    kind = "  " + _font(visible(said, LONGEST), MUTED, 8) if said else ""
    title = f"<b>{_html(entity.name or '(result)')}</b>{kind}"
    head = f'<tr><td port="h" colspan="2" align="left" bgcolor="{fill(entity.kind)}" cellpadding="5">{title}</td></tr>'
    shape = f'border="1" cellborder="0" cellspacing="0" cellpadding="3" color="{RULE}" bgcolor="{PAPER}"'
    tip = f"{entity.name} ({entity.type})"
    label = f"<table {shape}>{head}{rows}</table>"
    return f'  "t{entity.id}" [label=<{label}>, tooltip={_quoted(tip)}, class={_quoted(entity.kind.value)}];\n'


def _row(column: Column) -> str:
    """A row of two cells: lines come to the left one, with the name, and leave the right one, with the type."""
    name = f"<i>{_font('rows', MUTED, 11)}</i>" if column.row_set else _html(column.name)
    type_ = _font(visible(column.data_type, LONGEST), MUTED, 9) if column.data_type else ""
    cell = f'sides="t" border="1" color="{RULE}"'
    left = f'<td port="in{column.id}" align="left" {cell}>{name}</td>'
    return f'<tr>{left}<td port="out{column.id}" align="right" {cell}>{type_}</td></tr>'


def _row_set(column: Column) -> bool:
    return column.row_set


def _line(lines: Sequence[Line], processes: Sequence[Process]) -> str:
    first = lines[0]
    ends = (_end(first.source, "out", "e"), _end(first.target, "in", "w"))
    stroke = STROKES.get(first.look, TABLE_STROKE)
    said = [
        f'color="{stroke.colour}"',
        f"style={stroke.style}",
        f"tooltip={_quoted(_tip(lines, processes))}",
        f"class={_quoted(_words(lines))}",
    ]
    if not stroke.arrow:
        said += ["dir=none", "constraint=false"]
    if not first.target.column:
        said.append(f"label={_quoted(', '.join(dict.fromkeys(p.type for p in processes)))}")
    return f"  {' -> '.join(ends)} [{', '.join(said)}];\n"


def _end(end: Tip, port: str, side: str) -> str:
    return f'"t{end.entity}":"{f"{port}{end.column}" if end.column else "h"}":{side}'


def _words(lines: Sequence[Line]) -> str:
    """What kinds of lines these are, as classes of a style sheet."""
    found: dict[str, None] = {}
    for line in lines:
        kind = line.kind
        words = (line.look, (kind.subtype or "").lower(), "masking" * kind.masking, "candidate" * kind.candidate)
        found.update(dict.fromkeys(words))
    return " ".join(filter(None, found))


def _tip(lines: Sequence[Line], processes: Sequence[Process]) -> str:
    return "\n".join(dict.fromkeys(_one_tip(line, process) for line, process in zip(lines, processes, strict=True)))


def _one_tip(line: Line, process: Process) -> str:
    """What a line says of itself when somebody points at it."""
    kind = line.kind
    place = line.place or (process.places[0] if process.places else None)
    where = f"{process.path}:{place.start.line}" if place and process.path else process.path
    how = (kind.type, (kind.subtype or "").lower(), kind.clause, "masking" * kind.masking, "candidate" * kind.candidate)
    said = [" ".join(filter(None, how)), f"{process.type} {where}".strip(), visible(line.expression, _LONGEST_TIP)]
    return " · ".join(filter(None, said))


def _legend(types: Iterable[str]) -> str:
    strokes = [STROKES[type_] for type_ in sorted(types) if type_ in STROKES]
    cells = "".join(f"<td>{_font(f'{s.sample}  {s.meaning}', s.colour, 9)}</td>" for s in strokes)
    cells += f"<td>{_font('headwater', MUTED, 8)}</td>"
    return f'<table border="0" cellborder="0" cellspacing="8"><tr>{cells}</tr></table>'


def _font(text: str, colour: str, size: int) -> str:
    return f'<font color="{colour}" point-size="{size}">{_markup(text)}</font>'


def _html(name: str) -> str:
    return _markup(visible(name, LONGEST))


def _markup(text: str) -> str:
    r"""Text inside of a label: escaped as HTML is, and with backslashes doubled, as `\N` means something there too."""
    return escape(text).replace("\\", "\\\\")


def _quoted(text: str) -> str:
    r"""A string of the DOT language, in which `\N` and its like mean nothing."""
    shown = "\n".join(map(visible, text.split("\n")))
    return '"' + shown.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n") + '"'
