"""`headwater path`: the ways from a column to another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from headwater.cli.shared_options import color_option
from headwater.cli.store_options import asking, flow_option, format_option, keys_option, opened, store_options
from headwater.cli.tabular import Row, print_as
from headwater.cli.tree import column_name, hop_words

if TYPE_CHECKING:
    from headwater.graph.paths import Path, Paths

_HEADER = ("path", "step", "source", "target", "how", "expression", "process", "place")


@click.command(
    short_help="Show the ways from a column to another.",
    epilog="""\b
Examples:
  headwater path raw.orders.amount mart.sales.total
  headwater path orders.status sales.total --impact --limit 3""",
)
@click.argument("source", metavar="FROM")
@click.argument("target", metavar="TO")
@click.option("--limit", type=click.IntRange(min=1), default=10, show_default=True, help="How many are spelled out.")
@flow_option
@keys_option
@store_options
@format_option
@color_option
def path(
    source: str,
    target: str,
    limit: int,
    impact: bool,
    foreign_keys: bool,
    store: str,
    as_of: str | None,
    format_: str,
) -> None:
    """Show the ways from column FROM to column TO, shortest first."""
    with asking():
        from headwater.graph.document import paths_document

        graph = opened(store, as_of)
        found = graph.paths(source, target, limit, "impact" if impact else "data", foreign_keys)
        print_as(format_, lambda: _text(found), _HEADER, lambda: _rows(found), lambda: paths_document(found))


def _text(found: Paths) -> Iterator[str]:
    if not found.columns:
        yield f"no way leads from {column_name(found.source)} to {column_name(found.target)}"
        return
    for i, each in enumerate(found.first):
        if i:
            yield ""
        yield from _path_lines(each)
    more = "" if found.complete else ", and there are more"
    yield ""
    count = "1 way" if len(found.first) == 1 else f"{len(found.first)} ways"
    yield click.style(f"{count} over {len(found.columns)} columns{more}", dim=True)


def _path_lines(path: Path) -> Iterator[str]:
    yield click.style(column_name(path.columns[0]), bold=True)
    for column, step in zip(path.columns[1:], path.steps, strict=True):
        words = hop_words(step[0]) + (f"  (+{len(step) - 1})" if len(step) > 1 else "")
        yield f"  -> {click.style(column_name(column), fg='cyan')}  {words}".rstrip()


def _rows(found: Paths) -> Iterator[Row]:
    for number, each in enumerate(found.first, 1):
        for i, step in enumerate(each.steps, 1):
            for hop in step:
                process = hop.process and hop.process.type
                yield (number, i, hop.source, hop.target, hop.how, hop.expression, process, hop.place)
