"""What commands that ask a store share: which store, as of when, in which form; and what is said if it cannot be asked."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from headwater.cli.raw_cells import raw_cells_option
from headwater.cli.shared_options import complete_files

if TYPE_CHECKING:
    from headwater.graph import Graph

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

DEFAULT_STORE = "lineage"


def format_option(function: Decorated) -> Decorated:
    """`--format` and `--raw-cells`."""
    option = click.option(
        "-f",
        "--format",
        "format_",
        type=click.Choice(["text", "table", "json", "csv"]),
        default="text",
        show_default=True,
        help="How it is printed.",
    )
    return option(raw_cells_option(function))


def store_options(function: Decorated) -> Decorated:
    """`--store` and `--as-of`."""
    store = click.option(
        "--store",
        default=DEFAULT_STORE,
        show_default=True,
        metavar="FOLDER",
        shell_complete=complete_files,
        help="The store that `headwater build` wrote.",
    )
    as_of = click.option(
        "--as-of", metavar="TIME", help="Ask the last snapshot up to a time (2026-11-15), or of a name."
    )
    return store(as_of(function))


flow_option = click.option("--impact", is_flag=True, help="Follow influence too: filters, joins, grouping.")
keys_option = click.option("--foreign-keys", is_flag=True, help="Follow referenced keys too.")


@contextmanager
def asking() -> Iterator[None]:
    """Turns what the user can mend into one line."""
    try:
        from headwater.graph import UnknownName
        from headwater.store import StoreError
    except ModuleNotFoundError as error:
        if (error.name or "").partition(".")[0] not in ("numpy", "pyarrow"):
            raise
        raise click.ClickException(f"this needs {error.name}: pip install 'headwater[graph]'") from error
    try:
        yield
    except (StoreError, UnknownName) as error:
        raise click.ClickException(str(error)) from error


def opened(store: str, as_of: str | None) -> Graph:
    """The graph of a store; inside of `asking`."""
    from headwater.graph import open_graph

    return open_graph(store, as_of)
