"""`headwater cache`: what is kept of live databases, and how to be rid of it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from datetime import datetime, timezone
from typing import Any

import click

from headwater.catalog.cache import Cache, Kept
from headwater.cli.config_file import config_file, effective
from headwater.cli.echo import echo_lines
from headwater.cli.live_catalog import cache_of
from headwater.cli.shared_options import color_option, complete_files, config_options


def _options(function: Callable[..., Any]) -> Callable[..., Any]:
    where = click.option("--cache", metavar="DIR", shell_complete=complete_files, help="Another folder.")
    return where(config_options(color_option(function)))


@click.group(short_help="Show or clear what is kept of live databases.")
def cache() -> None:
    """Show or clear what is kept of live databases: .headwater/catalog below the project's folder."""


@cache.command("show")
@_options
@click.option("-f", "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
def show(cache: str | None, config: str | None, no_config: bool, format_: str) -> None:
    """Show the databases that are kept, and since when."""
    kept = _cache(cache, config, no_config)
    entries = list(kept.entries())
    if format_ == "json":
        click.echo(json.dumps([_record(each) for each in entries], indent=2))
    else:
        echo_lines(_lines(kept, entries))


@cache.command("clear")
@_options
def clear(cache: str | None, config: str | None, no_config: bool) -> None:
    """Throw away everything that is kept."""
    kept = _cache(cache, config, no_config)
    count = kept.clear()
    click.echo(f"{count} {'database' if count == 1 else 'databases'} thrown out of {kept.folder}", err=True)


def _cache(named: str | None, config: str | None, no_config: bool) -> Cache:
    file = config_file(config, no_config)
    return cache_of(effective(file, {"cache": named} if named else {}), file)


def _record(kept: Kept) -> dict[str, Any]:
    times = [
        datetime.fromtimestamp(time, timezone.utc).isoformat(timespec="seconds") for time in sorted(kept.known.times)
    ]
    return {
        "place": kept.known.place,
        "tables": len(kept.known.tables),
        "bytes": kept.size,
        "oldest": times[0] if times else None,
        "newest": times[-1] if times else None,
    }


def _lines(cache: Cache, entries: list[Kept]) -> Iterator[str]:
    if not entries:
        yield f"there is nothing in {cache.folder}"
    for each in entries:
        said = _record(each)
        yield f"{said['place']}  {said['tables']:,} tables, {said['bytes']:,} bytes, read {said['oldest']} to {said['newest']}"
