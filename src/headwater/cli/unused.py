"""`headwater unused`: columns that nobody reads."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timezone
from typing import TYPE_CHECKING

import click

from headwater.cli.cells import visible
from headwater.cli.not_understood import not_understood_lines
from headwater.cli.shared_options import color_option
from headwater.cli.store_options import asking, format_option, opened, store_options
from headwater.cli.tabular import Row, print_as
from headwater.cli.tree import column_name

if TYPE_CHECKING:
    from headwater.graph.unused import Unused, UnusedReport
    from headwater.graph.usage import NotReadReport

_HEADER = ("table", "column", "use", "id", "not_understood")
_LOG_HEADER = ("table", "column", "last_read", "in_scripts", "id", "not_understood")


@click.command(
    short_help="List columns that nobody reads.",
    epilog="""\b
Examples:
  headwater unused
  headwater unused 'staging.*'
  headwater unused --stars --format csv
  headwater unused --log --since 2026-01-01         # by query logs, with the last use""",
)
@click.argument("pattern", required=False)
@click.option("--stars", is_flag=True, help="List those too that a * hands on to where they are read by name.")
@click.option(
    "--log", is_flag=True, help="List columns that nothing has read that ran, by the query logs in the store."
)
@click.option(
    "--since", type=click.DateTime(), metavar="TIME", help="Only what ran since then counts (2026-01-31); means --log."
)
@store_options
@format_option
@color_option
def unused(
    pattern: str | None,
    stars: bool,
    log: bool,
    since: datetime | None,
    store: str,
    as_of: str | None,
    format_: str,
) -> int:
    """List columns, of tables that are read, that nobody reads; or nobody by name, only through *.

    Tables of which nobody reads anything are listed below them: they may be what it is all made for. PATTERN is a part of
    schema.table.column, or a pattern with *, ? and [...]. A column may be read by a statement that was not understood and names its table:
    such columns are marked, and the statements are listed. The exit code is 1 if there is a column that no statement can read.

    With --log, what stands in scripts does not count: only statements of query logs, captured jobs and events. Who reads a view reads what
    it is made of.
    """
    if log or since is not None:
        return _unused_in_logs(pattern, since, store, as_of, format_)
    with asking():
        from headwater.graph.document import unused_document

        found = opened(store, as_of).unused(pattern)
        if not stars:
            found = replace(found, columns=tuple(each for each in found.columns if not each.copy_read))
        print_as(format_, lambda: _text(found), _HEADER, lambda: _rows(found), lambda: unused_document(found))
    return 1 if found.certain else 0


def _unused_in_logs(pattern: str | None, since: datetime | None, store: str, as_of: str | None, format_: str) -> int:
    with asking():
        from headwater.graph.document import not_read_document

        start = since.replace(tzinfo=timezone.utc) if since is not None else None
        found = opened(store, as_of).not_read(pattern, start)
        if found is None:
            raise click.ClickException(
                f"the store {store} has no query log: build it with one, by headwater build … --log-preset NAME"
            )
        print_as(
            format_,
            lambda: _log_text(found, start),
            _LOG_HEADER,
            lambda: _log_rows(found),
            lambda: not_read_document(found),
        )
    return 1 if found.certain else 0


def _log_text(found: NotReadReport, since: datetime | None) -> Iterator[str]:
    if found.first is not None and found.last is not None:
        start = max(since, found.first) if since is not None else found.first
        yield click.style(f"by what ran from {start:%Y-%m-%d} to {found.last:%Y-%m-%d}", dim=True)
    for each in found.columns:
        words = f"read last on {each.last:%Y-%m-%d}" if each.last else "nothing that ran reads it"
        words += ", a script does" if each.in_scripts else ""
        yield f"{click.style(column_name(each.column), fg='cyan')}  {words}{_doubt(each.not_understood)}"
    if not found.columns:
        yield "every column of the tables that were read was read"
    if found.tables:
        yield click.style(f"nothing that ran reads anything of: {visible(', '.join(map(str, found.tables)))}", dim=True)
    yield from not_understood_lines(found.not_understood)


def _log_rows(found: NotReadReport) -> Iterator[Row]:
    for each in found.columns:
        last = each.last.isoformat() if each.last else None
        yield (each.column.table, each.column.name, last, each.in_scripts, each.column.id, each.not_understood)
    for table in found.tables:
        yield (table, None, None, None, table.id, None)


def _text(found: UnusedReport) -> Iterator[str]:
    for each in found.columns:
        yield f"{click.style(column_name(each.column), fg='cyan')}  {_words(each)}{_doubt(each.not_understood)}"
    if not found.columns:
        yield "every column of the tables that are read is read"
    if found.tables:
        yield click.style(f"nobody reads anything of: {visible(', '.join(map(str, found.tables)))}", dim=True)
    yield from not_understood_lines(found.not_understood)


def _words(each: Unused) -> str:
    if each.use == "none":
        return "nobody reads it"
    return "read through * only" + (
        ", and by name behind it" if each.copy_read else "; nobody reads it by name behind it"
    )


def _doubt(count: int) -> str:
    if not count:
        return ""
    words = "a statement was" if count == 1 else f"{count:,} statements were"
    return f", as far as is known: {words} not understood and may read it"


def _rows(found: UnusedReport) -> Iterator[Row]:
    for each in found.columns:
        yield (each.column.table, each.column.name, each.use, each.column.id, each.not_understood)
    for table in found.tables:
        yield (table, None, "none", table.id, None)
