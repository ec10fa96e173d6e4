"""`headwater diff`: what changed between two stores, or two snapshots of one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import click

from headwater.cli.cells import visible
from headwater.cli.shared_options import color_option, complete_files
from headwater.cli.store_options import DEFAULT_STORE, asking, format_option, opened
from headwater.cli.tabular import Row, one_line, print_as

if TYPE_CHECKING:
    from headwater.graph import Graph
    from headwater.graph.diff import Diff, Difference

_HEADER = ("breaking", "what", "how", "name", "reason", "before", "after", "place")
_SIGNS = {"added": ("+", "green"), "removed": ("-", "red"), "changed": ("~", "yellow")}


@click.command(
    short_help="Show what changed between two snapshots or stores.",
    epilog="""\b
Examples:
  headwater diff baseline/ lineage/
  headwater diff 2026-11-14 2026-11-15 --store lineage
  headwater diff 2026-11-14 current --format json""",
)
@click.argument("old", metavar="A", shell_complete=complete_files)
@click.argument("new", metavar="B", shell_complete=complete_files)
@click.option(
    "--store",
    default=DEFAULT_STORE,
    show_default=True,
    metavar="FOLDER",
    shell_complete=complete_files,
    help="The store of A and B, where they are times or names of snapshots, or `current`.",
)
@format_option
@color_option
def diff(old: str, new: str, store: str, format_: str) -> int:
    """Show what changed from A to B: tables, columns, and what columns are made of; what breaks comes first.

    A and B are stores, or times or names of snapshots of --store. A statement that only moved is no change. The exit code is 1 if
    something breaks.
    """
    with asking():
        from headwater.graph.document import diff_document

        found = _graph(old, store).diff(_graph(new, store))
        print_as(format_, lambda: _text(found), _HEADER, lambda: _rows(found), lambda: diff_document(found))
    return 1 if found.breaking else 0


def _graph(named: str, store: str) -> Graph:
    """What is meant: the store in a folder, or a snapshot of the store."""
    from headwater.store import Store

    if Store(named).exists:
        return opened(named, None)
    return opened(store, None if named == "current" else _moment(named, store))


def _moment(named: str, store: str) -> str:
    from headwater.store import Store, StoreError

    if named[:4].isdecimal() or named in Store(store).names():
        return named
    raise StoreError(f"{named} is neither a store nor the time or name of a snapshot")


def _text(found: Diff) -> Iterator[str]:
    for each in found.differences:
        yield _line(each)
    breaking = sum(each.breaking for each in found.differences)
    if not found.differences:
        yield "nothing changed"
    else:
        yield click.style(f"{len(found.differences)} changes, {breaking} breaking", dim=True)


def _line(each: Difference) -> str:
    sign, colour = _SIGNS[each.how]
    change = ""
    if each.how == "changed":
        change = f"  {one_line(each.before)} => {one_line(each.after)}"
    elif each.before or each.after:
        change = f"  {one_line(each.after or each.before)}"
    mark = click.style("breaking: ", fg="red") if each.breaking else ""
    place = click.style(f"  {visible(each.place)}", dim=True) if each.place else ""
    return f"{click.style(sign, fg=colour)} {each.what} {visible(each.name)}{change}  {mark}{each.reason}{place}"


def _rows(found: Diff) -> Iterator[Row]:
    for each in found.differences:
        breaking = "yes" if each.breaking else "no"
        yield (breaking, each.what, each.how, each.name, each.reason, each.before, each.after, each.place)
