"""`headwater demo`: the bundled sample warehouse, built on Spark and asked."""

from __future__ import annotations

from pathlib import Path

import click

from headwater.cli.build import summary_lines
from headwater.cli.build_progress import BuildProgress
from headwater.cli.building import building
from headwater.cli.echo import echo_lines
from headwater.cli.logs import logging_to_standard_error
from headwater.cli.shared_options import color_option, verbosity_options
from headwater.cli.tree import tree_lines

_ASKED = "marts.daily_revenue.net_revenue"


def sample_warehouse() -> Path:
    """The folder of the sample warehouse's scripts."""
    return Path(__file__).parent.parent / "sample" / "warehouse"


@click.command(short_help="Build the lineage of the bundled sample warehouse.")
@click.option("-o", "--output", default="lineage-demo", metavar="DIR", show_default=True, help="The store.")
@verbosity_options
@color_option
def demo(output: str, verbose: int, quiet: bool) -> None:
    """Build the lineage of the bundled sample warehouse, a shop's scripts from raw tables to reports, and ask it a question."""
    with logging_to_standard_error(verbose, quiet):
        _demo(output, quiet)


def _demo(output: str, quiet: bool) -> None:
    with building() as tools, BuildProgress.on_terminal(not quiet) as progress:
        built = tools.build(tools.corpus([str(sample_warehouse())]), output, tell=progress.tell)
    echo_lines(summary_lines(built, output))
    import headwater

    graph = headwater.open(output)
    click.echo(f"\n$ headwater upstream {_ASKED} --store {output}")
    echo_lines(tree_lines(graph.upstream(_ASKED)))
    click.echo(f"\nAsk on: headwater downstream|path|impact|unused|search --store {output}")
