"""`headwater export`: a store or scripts in a format that others read."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import chain
from pathlib import Path
from typing import IO, Any, NamedTuple
from uuid import uuid4

import click

from headwater.analysis import EngineUnavailable, analyze_scripts, dialects_of
from headwater.catalog import CatalogError
from headwater.cli.config_file import ConfigFile, config_file, effective
from headwater.cli.guessed_dialect import with_guess
from headwater.cli.limit_options import LIMITS, limit_options
from headwater.cli.live_catalog import answered_for, catalog_options, say_remarks
from headwater.cli.progress import Progress
from headwater.cli.project_folder import lineages_of
from headwater.cli.raw_cells import cells_are_safe, raw_cells_option
from headwater.cli.roots import follow_links_option
from headwater.cli.script_settings import override_of, prepared
from headwater.cli.settings import Settings
from headwater.cli.shared_options import color_option, complete_dialects, complete_files, config_options
from headwater.cli.store_options import asking, opened
from headwater.cli.template_options import given_template, jinja_options
from headwater.export import MODULES, format_named
from headwater.export.feed import LEVELS, Feed, Scope
from headwater.export.focus import DIRECTIONS, Focus, FocusFeed
from headwater.export.format import Choices, ExportError, Format, Output
from headwater.followed_views import with_followed_views
from headwater.source import Template
from headwater.sql.dialect import UnknownDialect
from headwater.storage.uri import is_uri

_OF_SCRIPTS = (
    "dialect",
    "schema",
    "default_schema",
    "catalog",
    "cache",
    "ttl",
    "offline",
    "catalog_timeout",
    "follow_links",
    *LIMITS,
)
"""Options that scripts are read by."""
_EXAMPLES = """\b
Examples:
  headwater export lineage/ --format sqlflow-xml -o lineage.xml
  headwater export sales.sql --format sqlflow-json --level complete
  headwater export sql/ --catalog env:SHOP_URL --format html -o shop.html
  headwater export lineage/ --format sqlflow-csv --level table > tables.csv
  headwater export lineage/ --format svg --focus db.t.amount --direction upstream -o amount.svg
  headwater export lineage/ --format rdbms --to postgresql+psycopg://me@localhost/catalog --cluster prod
  headwater export lineage/ --format openlineage --to http://marquez:5000
  headwater export lineage/ --format delta -o s3://lake/lineage
  headwater export lineage/ --format iceberg --to iceberg://prod/lineage"""


@click.command(epilog=_EXAMPLES, short_help="Write lineage in a format that others read.")
@click.argument("source", nargs=-1, required=True, metavar="STORE|FILE|FOLDER|-...", shell_complete=complete_files)
@click.option("-f", "--format", "format_", required=True, type=click.Choice(list(MODULES)), help="The format.")
@click.option("-l", "--level", type=click.Choice(LEVELS), help="How much is told.  [default: the format's own]")
@click.option("--impact/--no-impact", default=True, help="Influence on rows and aggregates, and joins.")
@click.option("--functions/--no-functions", default=True, help="Functions as entities (complete level).")
@click.option("--intermediate/--no-intermediate", default=True, help="Result sets as entities (complete level).")
@click.option("--focus", metavar="NAME", help="The lineage of one column or table only.")
@click.option(
    "--direction", type=click.Choice(DIRECTIONS), default="both", show_default=True, help="Where a focus looks."
)
@click.option("--depth", type=click.IntRange(min=1), metavar="N", help="How many hops a focus goes.  [default: all]")
@click.option(
    "-o",
    "--output",
    metavar="FILE|FOLDER|URI",
    shell_complete=complete_files,
    help="Where to write it; a folder or URI for delta and iceberg.  [default: standard output]",
)
@click.option("--to", "url", metavar="URL", help="Send it to a database, server or catalog instead.")
@click.option("--as-of", metavar="TIME", help="The store's last snapshot up to a time (2026-11-15), or of a name.")
@click.option("--cluster", metavar="NAME", help="The name behind the @ of qualified names.")
@click.option("--namespace", metavar="NAME", help="Where data sets live, in OpenLineage's sense.")
@click.option("--time", metavar="TIME", help="When the events happened, 2026-11-15T12:00:00Z (openlineage).")
@click.option("--result-sets", is_flag=True, help="Result sets as tables of their own (sqlflow-csv).")
@click.option("--prune", is_flag=True, help="Delete what earlier exports of the cluster wrote and is gone (rdbms).")
@raw_cells_option
@click.option("-q", "--quiet", is_flag=True, help="Say nothing of what was left out, and show no progress.")
@click.option("-d", "--dialect", shell_complete=complete_dialects, help="SQL dialect of scripts.")
@click.option("-s", "--schema", multiple=True, shell_complete=complete_files, help="Tables and columns, for scripts.")
@click.option("--default-schema", help="Schema of unqualified tables in scripts.")
@catalog_options
@follow_links_option
@jinja_options
@limit_options
@config_options
@color_option
def export(
    source: tuple[str, ...],
    format_: str,
    output: str | None,
    url: str | None,
    quiet: bool,
    config: str | None,
    no_config: bool,
    **options: Any,
) -> None:
    """Write the lineage of a store, or of scripts, in a format that others read.

    A folder that `headwater build` wrote is a store; any other folder is one of scripts. What a format cannot express is said on
    standard error, with how much of it there was.
    """
    chosen = {name: options[name] for name in Choices.__dataclass_fields__ if name in options}
    choices = Choices(**chosen, safe_cells=cells_are_safe())
    with asking(), _explained():
        format = format_named(format_)
        level = format.checked(options["level"])
        if format.is_lakehouse:
            click.echo(_published(format, source, url or output, quiet, options), err=True)
            return
        scope = Scope(level, options["impact"], options["functions"], options["intermediate"])
        given = {name: options[name] for name in _OF_SCRIPTS if options[name] not in (None, ())}
        focus = Focus(options["focus"], options["direction"], options["depth"]) if options["focus"] else None
        file = config_file(config, no_config)
        settings = effective(file, given)
        template = given_template(settings, options["jinja"], options["variables"], source)
        feed = _feed(source, scope, focus, options["as_of"], _Reading(settings, file, template, quiet))
        if url is not None:
            click.echo(_sent(format, feed, url, choices), err=True)
            return
        left_out = _written(format, feed, output, choices)
    if not quiet:
        for words in left_out:
            click.echo(f"{format.name} does not tell {words}", err=True)


class _Reading(NamedTuple):
    """How scripts are read."""

    settings: Settings
    file: ConfigFile | None
    template: Template | None
    quiet: bool


def _is_store(source: str) -> bool:
    """Whether a source is a store: a URI is always one."""
    return is_uri(source) or (Path(source) / "store.json").is_file()


def _feed(source: tuple[str, ...], scope: Scope, focus: Focus | None, as_of: str | None, reading: _Reading) -> Feed:
    if len(source) == 1 and _is_store(source[0]):
        from headwater.feeds import StoreFeed, store_focus

        graph = opened(source[0], as_of)
        graph.snapshot.check_tables()  # before the first line is written
        stored = StoreFeed(graph, scope)
        return store_focus(stored, focus) if focus else stored
    if as_of is not None:
        raise ExportError(f"--as-of is for a store, and {source[0]} is none")
    from headwater.export.script_feed import ScriptFeed

    ready = prepared(source, reading.file, reading.settings, reading.template)
    settings = with_guess(reading.settings, (script.content.text for script in ready.mentioning))
    dialects_of(settings.dialect)
    told = ready.known_to(answered_for(ready.mentioning, settings, reading.file, reading.quiet, views=True))
    say_remarks(told.remarks)
    settings, catalog = told.settings, told.whole_catalog()
    limits = settings.limits
    lineages = analyze_scripts(
        ready.scripts,
        *(settings.dialect, catalog, settings.default_schema, settings.engine),
        override=override_of(reading.file, told),
        **limits,
    )
    projects = lineages_of(ready.projects, told)
    lineages = chain(lineages, (each.lineage for each in projects))
    followed = with_followed_views(lineages, catalog, dialects_of(settings.dialect)[0], **limits)
    feed = ScriptFeed(followed, scope, timed=True)
    return FocusFeed(feed, focus) if focus else feed


def _published(
    format: Format, source: tuple[str, ...], place: str | None, quiet: bool, options: Mapping[str, Any]
) -> str:
    """Write the snapshot of a store as tables; gives what was done, in words."""
    if len(source) > 1 or not _is_store(source[0]):
        raise ExportError(f"{format.name} is made of a store, and {source[0]} is none: run `headwater build` first")
    if options["focus"] or not options["impact"]:
        raise ExportError(f"{format.name} has everything of a store: leave out --focus and --no-impact")
    if place is None:
        raise ExportError(f"{format.name} is written to a folder or URI: say where with -o")
    if place.rstrip("/") == source[0].rstrip("/"):
        raise ExportError(f"{place} is the store itself: name another place for the tables")
    from headwater.lakehouse.lake import publish
    from headwater.lakehouse.opening import open_lake
    from headwater.lakehouse.tables import ALL
    from headwater.store import Store

    progress = Progress.on_terminal(len(ALL), not quiet, "tables")
    try:
        snapshot = Store(source[0]).snapshot(options["as_of"])
        snapshot.check_tables()
        return publish(snapshot, open_lake(format.name, place), progress.step)
    finally:
        progress.clear()


def _sent(format: Format, feed: Feed, url: str, choices: Choices) -> str:
    if format.send is None:
        raise ExportError(f"{format.name} is written to a file: use -o instead of --to")
    return format.send(feed, url, choices)


def _written(format: Format, feed: Feed, path: str | None, choices: Choices) -> list[str]:
    if format.write is None:
        raise ExportError(f"{format.name} goes to a database or server: say which with --to")
    with _stream(path) as stream:
        output = Output(stream)
        format.write(feed, output, choices)
    return list(output.left_out())


@contextmanager
def _stream(path: str | None) -> Iterator[IO[bytes]]:
    """Standard output; or a file that appears when all of it is written, and not at all if that fails."""
    if path is None:
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    if Path(path).is_dir():
        raise ExportError(f"{path} is a folder: name a file")
    beside = Path(path).with_name(f".{Path(path).name}.{uuid4().hex[:8]}")
    try:
        with beside.open("wb") as stream:
            yield stream
        os.replace(beside, path)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def _explained() -> Iterator[None]:
    """Turns what the user can mend into one line."""
    try:
        yield
    except (ExportError, CatalogError, UnknownDialect, EngineUnavailable) as error:
        raise click.ClickException(str(error)) from error
