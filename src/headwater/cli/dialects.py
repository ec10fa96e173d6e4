"""`headwater dialects`: the dialects there are."""

from __future__ import annotations

import click

from headwater.sql.dialect import dialect_names


@click.command()
def dialects() -> None:
    """List the SQL dialects that --dialect takes."""
    for name in dialect_names():
        click.echo(name)
