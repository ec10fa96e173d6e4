"""`headwater demo`: the bundled sample warehouse, built on Spark, asked, and shown in the explorer."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

import click

from headwater.cli.build import summary_lines
from headwater.cli.build_progress import BuildProgress
from headwater.cli.building import building
from headwater.cli.echo import echo_lines
from headwater.cli.logs import logging_to_standard_error
from headwater.cli.serve import open_in_browser, prepared, serving
from headwater.cli.shared_options import color_option, verbosity_options
from headwater.cli.tree import tree_lines

_NO_PROXY = build_opener(ProxyHandler({}))
_ASKED = "marts.daily_revenue.net_revenue"


def sample_warehouse() -> Path:
    """The folder of the sample warehouse's scripts."""
    return Path(__file__).parent.parent / "sample" / "warehouse"


@click.command(short_help="Build the lineage of the bundled sample warehouse.")
@click.option("-o", "--output", default="lineage-demo", metavar="DIR", show_default=True, help="The store.")
@click.option("--serve/--no-serve", "serve_", default=None, help="Serve it until Ctrl-C.  [default: on a terminal]")
@verbosity_options
@color_option
def demo(output: str, serve_: bool | None, verbose: int, quiet: bool) -> None:
    """Build the lineage of the bundled sample warehouse, a shop's scripts from raw tables to reports; ask it a question; show it.

    On a terminal the explorer is served until Ctrl-C. Elsewhere it is started, asked whether it answers, and stopped.
    """
    with logging_to_standard_error(verbose, quiet):
        _demo(output, quiet)
        _show(output, sys.stdout.isatty() if serve_ is None else serve_)


def _demo(output: str, quiet: bool) -> None:
    with building() as tools, BuildProgress.on_terminal(not quiet) as progress:
        built = tools.build(tools.corpus([str(sample_warehouse())]), output, tell=progress.tell)
    echo_lines(summary_lines(built, output))
    import headwater

    graph = headwater.open(output)
    click.echo(f"\n$ headwater upstream {_ASKED} --store {output}")
    echo_lines(tree_lines(graph.upstream(_ASKED)))
    click.echo(f"\nAsk on: headwater downstream|path|impact|unused|search --store {output}\n")


def _show(store: str, stay: bool) -> None:
    """Serve the store: until somebody stops it, or only to see that it answers."""
    with serving() as tools:
        made = prepared(tools, store, port=0)
        if stay:
            click.echo(made.line)
            sys.stdout.flush()
            tools.run(made.app, made.listener, lambda: open_in_browser(made.link))
            return
        with tools.running(made.app, made.listener), _NO_PROXY.open(f"{made.address}healthz", timeout=30) as answer:
            well = json.load(answer)["store"] == "ok"
    if not well:
        raise click.ClickException(f"the explorer does not answer at {made.address}")
    click.echo(f"The explorer answers at {made.address}; look at it with: headwater serve {store}")
