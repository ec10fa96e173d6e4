"""`headwater upstream` and `headwater downstream`: what a column is made of, and what is made of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import click

from headwater.cli.shared_options import color_option
from headwater.cli.store_options import asking, flow_option, format_option, keys_option, opened, store_options
from headwater.cli.tabular import Row, print_as
from headwater.cli.tree import tree_lines

if TYPE_CHECKING:
    from headwater.graph import Trace

_HEADER = ("distance", "source", "target", "how", "expression", "process", "place")
_TABLE_HEADER = ("source", "target", "process", "place")


def _options(function: Callable[..., Any]) -> Callable[..., Any]:
    options = (
        click.argument("column"),
        click.option("--depth", type=click.IntRange(min=1), metavar="N", help="How many hops; all if not given."),
        flow_option,
        keys_option,
        click.option("--table", "tables", is_flag=True, help="Show tables instead of columns."),
        store_options,
        format_option,
        color_option,
    )
    for option in reversed(options):
        function = option(function)
    return function


@click.command(
    short_help="Show what a column is made of.",
    epilog="""\b
Examples:
  headwater upstream mart.sales.amount
  headwater upstream sales.amount --impact --depth 2
  headwater upstream mart.sales --table --format json""",
)
@_options
def upstream(column: str, **options: Any) -> None:
    """Show what COLUMN is made of, back to its sources: with the expressions on the way and where they stand.

    COLUMN is schema.table.column; as much of its end as is clear will do. A table is taken as all of its columns.
    """
    _show("upstream", column, **options)


@click.command(
    short_help="Show what is made of a column.",
    epilog="""\b
Examples:
  headwater downstream raw.orders.amount
  headwater downstream orders.status --impact
  headwater downstream raw.orders --table""",
)
@_options
def downstream(column: str, **options: Any) -> None:
    """Show what is made of COLUMN, on to where it ends.

    COLUMN is schema.table.column; as much of its end as is clear will do. A table is taken as all of its columns.
    """
    _show("downstream", column, **options)


def _show(
    direction: str,
    column: str,
    depth: int | None,
    impact: bool,
    foreign_keys: bool,
    tables: bool,
    store: str,
    as_of: str | None,
    format_: str,
) -> None:
    with asking():
        from headwater.graph.document import trace_document

        ask = getattr(opened(store, as_of), direction)
        level, flow = "table" if tables else "column", "impact" if impact else "data"
        trace = ask(column, depth=depth, level=level, flow=flow, foreign_keys=foreign_keys)
        print_as(
            format_,
            text=lambda: _text(trace),
            header=_TABLE_HEADER if tables else _HEADER,
            rows=lambda: _table_rows(trace) if tables else _rows(trace),
            document=lambda: trace_document(trace),
        )


def _text(trace: Trace) -> Iterator[str]:
    yield from tree_lines(trace)
    if len(trace) == len(trace.start) and not trace.hops:
        where = "nothing makes it" if trace.direction.value == "upstream" else "nothing reads it"
        yield f"  {where} in this store"


def _rows(trace: Trace) -> list[Row]:
    """A hop a row, nearest first."""
    distances = {each.what.id: each.distance for each in trace.nodes}
    upward = trace.direction.value == "upstream"
    found: list[Row] = []
    for hop in trace.hops:
        near = hop.target if upward else hop.source
        process = hop.process.type if hop.process else None
        distance = distances[near.id] + (hop.process is not None)
        found.append((distance, hop.source, hop.target, hop.how, hop.expression, process, hop.place))
    return sorted(found, key=lambda row: int(row[0]))


def _table_rows(trace: Trace) -> Iterator[Row]:
    for hop in trace.table_hops():
        process = hop.process
        yield (hop.source, hop.target, process and process.type, process and process.place)
