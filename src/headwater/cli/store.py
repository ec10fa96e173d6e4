"""`headwater store`: the files of a store, for other programs."""

from __future__ import annotations

import json

import click

from headwater.cli.shared_options import color_option
from headwater.cli.store_options import asking, store_options


@click.group(short_help="Show which files a store consists of.")
def store() -> None:
    """Show which files a store consists of."""


@store.command("files")
@click.argument("table")
@store_options
@click.option(
    "-f",
    "--format",
    "format_",
    type=click.Choice(["text", "sql", "json"]),
    default="text",
    show_default=True,
    help="One path a line, a list of SQL strings, or a JSON list.",
)
@color_option
def files(table: str, store: str, as_of: str | None, format_: str) -> None:
    """List the Parquet files of a table of a snapshot: paths, or URIs if the store is remote.

    docs/store.md describes the tables.
    """
    with asking():
        from headwater.storage.uri import local_path
        from headwater.store import Store
        from headwater.store.schema import TABLES

        if table not in TABLES:
            raise click.BadParameter(f"there is no table {table}; there are {', '.join(TABLES)}", param_hint="TABLE")
        uris = Store(store).snapshot(as_of).uris(table)
        places = [str(local_path(uri) or uri) for uri in uris]
    if format_ == "json":
        click.echo(json.dumps(places, indent=2))
    elif format_ == "sql":
        quoted = ", ".join("'" + place.replace("'", "''") + "'" for place in places)
        click.echo(f"[{quoted}]")
    else:
        for place in places:
            click.echo(place)
