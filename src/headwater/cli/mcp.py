"""`headwater mcp`: lineage for AI assistants, over the Model Context Protocol."""

from __future__ import annotations

from collections.abc import Callable

import click

from headwater.cli.logs import logging_to_standard_error
from headwater.cli.shared_options import complete_files
from headwater.cli.store_options import DEFAULT_STORE, asking


@click.command(
    short_help="Answer AI assistants' questions about lineage (MCP).",
    epilog="""\b
Examples:
  headwater mcp lineage/
  headwater mcp --timeout 10""",
)
@click.argument("store", metavar="[STORE]", required=False, shell_complete=complete_files)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0.1, max=3600),
    default=30,
    show_default=True,
    metavar="SECONDS",
    help="What the analysis of SQL that an assistant sends may take.",
)
@click.option("-v", "--verbose", count=True, help="Tell on standard error what is done; -vv tells more.")
def mcp(store: str | None, timeout: float, verbose: int) -> None:
    """Serve the Model Context Protocol on standard input and output: an assistant starts this command and asks.

    STORE is a folder that `headwater build` wrote; else ./lineage, if it is a store. Without one, SQL text can be analysed, and that is
    all. A new snapshot is seen without a restart. Nothing is ever changed.
    """
    with asking(), logging_to_standard_error(verbose):
        serve = _server()
        serve(_store(store), timeout)


def _server() -> Callable[[str | None, float], None]:
    try:
        from headwater.mcp.server import serve
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("mcp", "mcp_types"):
            raise
        raise click.ClickException(f"this needs {error.name}: pip install 'headwater[mcp]'") from error
    return serve


def _store(named: str | None) -> str | None:
    """The store that is meant: the one that was named, which has to be one; else the usual one, if it is there."""
    from headwater.store import Store

    if named is None:
        return DEFAULT_STORE if Store(DEFAULT_STORE).exists else None
    Store(named).snapshot()
    return named
