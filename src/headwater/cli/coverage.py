"""`headwater coverage`: how much of what is written is explained."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import click

from headwater.cli.cells import visible
from headwater.cli.shared_options import color_option
from headwater.cli.store_options import asking, format_option, opened, store_options
from headwater.cli.tabular import Row, print_as, table_lines

if TYPE_CHECKING:
    from headwater.report.coverage import CoverageBySchema

_HEADER = ("schema", "tables", "columns", "written", "sourced", "constant", "unexplained")


@click.command(
    short_help="Show how much of what is written is explained.",
    epilog="""\b
Examples:
  headwater coverage
  headwater coverage 'mart.*' --format json""",
)
@click.argument("pattern", required=False)
@store_options
@format_option
@color_option
def coverage(pattern: str | None, store: str, as_of: str | None, format_: str) -> None:
    """Show how many written columns come from known columns or hold constants, by schema; why others do not; and what was lost.

    PATTERN is a part of schema.table, or a pattern with *, ? and [...]: only such tables are counted.
    """
    with asking():
        from headwater.report.coverage import coverage as covered
        from headwater.report.subject import subject_of

        found = covered(subject_of(opened(store, as_of), pattern))
        print_as(format_, lambda: _text(found), _HEADER, lambda: _rows(found), lambda: _document(found))


def _text(found: CoverageBySchema) -> Iterator[str]:
    from headwater.report.coverage import REASONS

    yield click.style(found.headline, bold=True)
    if found.schemas:
        yield from table_lines(_HEADER, _rows(found))
    for each in found.reasons:
        examples = ", ".join(map(visible, each.examples))
        yield f"not explained: {each.count:,} {REASONS[each.state]}, such as {examples}"


def _rows(found: CoverageBySchema) -> Iterator[Row]:
    for each in found.schemas:
        yield (each.schema, *asdict(each.counts).values())


def _document(found: CoverageBySchema) -> dict[str, Any]:
    return {
        "headline": found.headline,
        **asdict(found.total),
        "explained": found.total.explained,
        "by_schema": [{"schema": each.schema, **asdict(each.counts)} for each in found.schemas],
        "reasons": [
            {"reason": each.state.name.lower().replace("_", "-"), "count": each.count, "examples": each.examples}
            for each in found.reasons
        ],
    }
