"""`headwater search`: columns and tables by a part of their names."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from headwater.cli.cells import visible
from headwater.cli.shared_options import color_option
from headwater.cli.store_options import asking, format_option, opened, store_options
from headwater.cli.tabular import Row, print_as

if TYPE_CHECKING:
    from headwater.graph.graph import Found

_HEADER = ("kind", "table", "column", "data_type", "id")


@click.command(
    short_help="Find columns and tables by name.",
    epilog="""\b
Examples:
  headwater search amount
  headwater search 'sales.*.cust*_id' --limit 20
  headwater search orders --format csv""",
)
@click.argument("pattern")
@click.option("--limit", type=click.IntRange(min=1), default=100, show_default=True, help="How many of each are shown.")
@store_options
@format_option
@color_option
def search(pattern: str, limit: int, store: str, as_of: str | None, format_: str) -> None:
    """Find columns and tables by a part of schema.table.column, or by a pattern with *, ? and [...]; case does not matter."""
    with asking():
        from headwater.graph.document import column_document, table_document

        found = opened(store, as_of).search(pattern, limit)
        print_as(
            format_,
            lambda: _text(found),
            _HEADER,
            lambda: _rows(found),
            lambda: {
                "tables": [table_document(table) for table in found.tables],
                "columns": [column_document(column) for column in found.columns],
                "total": found.total,
            },
        )


def _text(found: Found) -> Iterator[str]:
    for table in found.tables:
        yield f"{click.style(visible(str(table)), bold=True)}  {table.kind}"
    for column in found.columns:
        yield f"{click.style(visible(str(column)), fg='cyan')}  {visible(column.data_type or '')}".rstrip()
    shown = len(found.tables) + len(found.columns)
    if not found.total:
        yield "nothing has a name like that"
    elif shown < found.total:
        about = "" if found.exact else "at least "
        yield click.style(f"… and {about}{found.total - shown} more; --limit shows more", dim=True)


def _rows(found: Found) -> Iterator[Row]:
    for table in found.tables:
        yield (table.kind, table, None, None, table.id)
    for column in found.columns:
        yield ("column", column.table, column.name, column.data_type, column.id)
