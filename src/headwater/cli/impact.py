"""`headwater impact`: what a change of a column breaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import click

from headwater.cli.cells import visible
from headwater.cli.not_understood import not_understood_lines
from headwater.cli.shared_options import color_option
from headwater.cli.store_options import asking, format_option, opened, store_options
from headwater.cli.tabular import Row, print_as
from headwater.cli.tree import column_name

if TYPE_CHECKING:
    from headwater.graph.impact import Impact

_HEADER = ("verdict", "severity", "column", "distance", "reason", "expression", "process", "place")
_COLOURS = {"breaking": "red", "maybe": "yellow", "harmless": "green"}


@click.command(
    short_help="Show what a change of a column breaks.",
    epilog="""\b
Examples:
  headwater impact raw.orders.amount
  headwater impact orders.status --change rename
  headwater impact orders.id --change retype --format json""",
)
@click.argument("column")
@click.option(
    "--change",
    type=click.Choice(["drop", "rename", "retype"]),
    default="drop",
    show_default=True,
    help="What happens to the column.",
)
@store_options
@format_option
@color_option
def impact(column: str, change: Any, store: str, as_of: str | None, format_: str) -> int:
    """Show what is hit if COLUMN is dropped, renamed or gets another type: what breaks, what may, what does not, and why.

    Statements that name the table, or one that is hit, and were not understood may use the column: they are listed. The exit code is 1 if
    something breaks, or if there are such statements.
    """
    with asking():
        from headwater.graph.document import impact_document

        found = opened(store, as_of).impact(column, change)
        print_as(format_, lambda: _text(found), _HEADER, lambda: _rows(found), lambda: impact_document(found))
    return 0 if found.safe else 1


def _text(found: Impact) -> Iterator[str]:
    yield click.style(f"{found.change} {column_name(found.column)}", bold=True)
    for hit in found.hits:
        verdict = click.style(f"{hit.verdict:<8}", fg=_COLOURS[hit.verdict])
        place = click.style(f"  {visible(str(hit.hop.place))}", dim=True) if hit.hop.place else ""
        yield f"  {verdict}  {column_name(hit.column)}  {visible(hit.reason)}{place}"
    for verdict in ("breaking", "maybe"):
        kinds = Counter(table.kind for table, worst in found.tables().items() if worst == verdict)
        if kinds:
            listed = ", ".join(f"{count} {kind}{'s' * (count != 1)}" for kind, count in sorted(kinds.items()))
            yield f"  {click.style(f'{verdict:<8}', fg=_COLOURS[verdict])}  {listed}"
    counts = [f"{len(found.of(verdict))} {verdict}" for verdict in ("breaking", "maybe", "harmless")]
    unused = "no statement that was understood uses it" if found.not_understood else "nothing uses it in this store"
    yield click.style(f"  {', '.join(counts) if found.hits else unused}", dim=True)
    yield from not_understood_lines(found.not_understood)


def _rows(found: Impact) -> Iterator[Row]:
    for hit in found.hits:
        hop = hit.hop
        process = hop.process and hop.process.type
        yield (hit.verdict, hit.severity, hit.column, hit.distance, hit.reason, hop.expression, process, hop.place)
