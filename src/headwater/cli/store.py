"""`headwater store`: the files of a store, for other programs; whether they are whole; and what to do if they are not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from headwater.cli.shared_options import color_option, complete_files
from headwater.cli.store_options import DEFAULT_STORE, asking, store_options

if TYPE_CHECKING:
    from headwater.store.repair import Repair
    from headwater.store.verify import Verified

_BYTES_PER_MEGABYTE = 1_000_000


@click.group(short_help="List, verify and repair the files of a store.")
def store() -> None:
    """List, verify and repair the files of a store."""


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


@store.command("verify")
@click.argument("store", default=DEFAULT_STORE, metavar="[STORE]", shell_complete=complete_files)
@color_option
def verify(store: str) -> None:
    """Read every file of every snapshot, and compare it with its checksum.

    Prints one line for each file that is damaged or missing, and ends with 2 then.
    """
    with asking():
        from headwater.store import Store
        from headwater.store.verify import verify

        found = verify(Store(store))
    for line in _verified(store, found):
        click.echo(line)
    if found.damages:
        count = _count(len(found.damages), "file")
        raise click.ClickException(f"{count} damaged or missing; see what can be done: headwater store repair {store}")


def _verified(store: str, found: Verified) -> Iterator[str]:
    for damage in found.damages:
        yield f"{store}/{damage.key} {damage.reason}"
    if found.without_checksum:
        yield f"no checksums: {_count(found.without_checksum, 'file')}; checked what Parquet itself keeps, and the size"
    if not found.damages:
        size = f"{found.bytes / _BYTES_PER_MEGABYTE:,.1f} MB"
        yield f"{store} is whole: {_count(len(found.snapshots), 'snapshot')}, {_count(found.files, 'file')}, {size}"


@store.command("repair")
@click.argument("store", default=DEFAULT_STORE, metavar="[STORE]", shell_complete=complete_files)
@click.option("--yes", is_flag=True, help="Do it. Without this, only what would be done is printed.")
@color_option
def repair(store: str, yes: bool) -> int:
    """Make the last whole snapshot the current one, and stop using those that are damaged.

    No file is removed. Without --yes nothing is changed, and the exit code is 1 if there is something to do.
    """
    with asking():
        from headwater.store import Store
        from headwater.store.repair import planned_repair, repair
        from headwater.store.verify import verify

        opened = Store(store)
        plan = planned_repair(opened, verify(opened))
        if yes and plan.is_needed:
            repair(opened, plan)
    for line in _planned(plan, yes):
        click.echo(line)
    return 1 if plan.is_needed and not yes else 0


def _planned(plan: Repair, done: bool) -> Iterator[str]:
    yield f"the last whole snapshot is {plan.newest.number}: {plan.newest.name}"
    for number in plan.dropped:
        yield f"{'not used any more' if done else 'would not be used any more'}: snapshot {number}, which is damaged"
    for key in plan.rewritten:
        yield f"{'written' if done else 'would be written'} anew: {key}"
    if not plan.is_needed:
        yield "nothing to do"
    elif not done:
        yield "nothing was changed; to do it: --yes"


def _count(number: int, what: str) -> str:
    return f"{number:,} {what}{'' if number == 1 else 's'}"
