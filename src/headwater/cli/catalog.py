"""`headwater catalog pull`: the tables of a live database, or of Spark, as a catalog file."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from headwater.catalog import CatalogError
from headwater.catalog.description import VIEWS
from headwater.catalog.pull import Pulled, Scope, pull
from headwater.catalog.url import SPARK
from headwater.cli.config_file import ConfigFile, config_file, effective, effective_for
from headwater.cli.live_catalog import (
    Named,
    asking_of,
    cache_options,
    named,
    say_of_catalog,
    speaking,
    telling,
    wanted,
)
from headwater.cli.logs import logging_to_standard_error
from headwater.cli.roots import enter_roots
from headwater.cli.scripts import read_scripts, script_paths
from headwater.cli.settings import Settings
from headwater.cli.shared_options import (
    color_option,
    complete_dialects,
    complete_files,
    config_options,
    verbosity_options,
)
from headwater.model.diagnostic import Code
from headwater.sql.dialect import UnknownDialect


@click.group(
    short_help="Read the tables of a live database.",
    epilog="""\b
Examples:
  headwater catalog pull postgresql://reader@db.example.com/shop -o shop.json
  headwater catalog pull env:SHOP_URL --for sql/ -o used.json""",
)
def catalog() -> None:
    """Read tables, views, columns, types, keys and comments of a live database."""


@catalog.command(
    "pull",
    epilog="""\b
Examples:
  headwater catalog pull sqlite:///shop.db
  headwater catalog pull 'postgresql://reader:${PGPASSWORD}@db.example.com/shop' -o shop.json
  headwater catalog pull env:SHOP_URL --schema 'mart_*' --exclude mart_old
  headwater catalog pull warehouse --for sql/ -o used.json     # a profile; only what the SQL refers to
  headwater catalog pull spark --spark spark.sql.catalogImplementation=hive""",
)
@click.argument("source", required=False, metavar="[URL|NAME|spark]")
@click.option("-o", "--output", metavar="FILE", shell_complete=complete_files, help="A .json file, for --schema.")
@click.option(
    "--for",
    "for_",
    multiple=True,
    metavar="FILE|FOLDER",
    shell_complete=complete_files,
    help="Only the tables that these scripts refer to, and what the views among them read.",
)
@click.option("--schema", "schemas", multiple=True, metavar="PATTERN", help="Only these schemas, as in mart_*.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Not these schemas.")
@click.option("--include-system", is_flag=True, help="Also the schemas that the database keeps for itself.")
@click.option(
    "-d", "--dialect", shell_complete=complete_dialects, help="SQL dialect of --for.  [default: the database's]"
)
@click.option("--default-schema", help="Schema of unqualified tables in --for.  [default: the database's]")
@click.option("--master", help="Spark's master, for spark.  [default: this machine's cores]")
@click.option("--spark", "spark_settings", multiple=True, metavar="KEY=VALUE", help="More settings for Spark.")
@cache_options
@config_options
@verbosity_options
@color_option
def pull_command(
    source: str | None,
    output: str | None,
    for_: tuple[str, ...],
    schemas: tuple[str, ...],
    exclude: tuple[str, ...],
    include_system: bool,
    master: str | None,
    spark_settings: tuple[str, ...],
    config: str | None,
    no_config: bool,
    verbose: int,
    quiet: bool,
    **options: Any,
) -> int:
    """Write the tables of a database as a catalog, which --schema reads.

    URL is SQLAlchemy's, and may name variables of the environment (${PGPASSWORD}, or env:NAME for all of it); NAME is a profile of the
    configuration file. Without either, HEADWATER_CATALOG_URL is asked. The database is asked again whatever the cache has; only tables
    that have changed since are read again.
    """
    with logging_to_standard_error(verbose, quiet):
        file = config_file(config, no_config)
        settings = effective(file, {k: v for k, v in options.items() if v not in (None, ())})
        try:
            found = _named(source, file, settings)
            scope = Scope(
                schemas or found.scope.only, exclude or found.scope.exclude, include_system or found.scope.system
            )
            settings = speaking(settings, found.live)
            if "ttl" not in settings.origins:
                settings = settings.given({"ttl": 0.0}, lambda name: "pull")
            with _spark(found, source, master, spark_settings), telling(not quiet) as tell:
                asking = asking_of(settings, file, scope, tell)
                texts = wanted(_texts(for_, file, settings)) if for_ else None
                pulled = pull(found.live, asking, texts)
        except (CatalogError, UnknownDialect) as error:
            raise click.ClickException(str(error)) from error
    _refuse_nothing(pulled)
    say_of_catalog(pulled, quiet)
    _write(pulled, output)
    if not quiet:
        click.echo(_summary(pulled, output), err=True)
    return 0


def _named(source: str | None, file: ConfigFile | None, settings: Settings) -> Named:
    name = source or settings.catalog
    if not name:
        raise click.UsageError("name a database's URL, a profile, or spark; or set HEADWATER_CATALOG_URL")
    return named(name, file, settings.catalog_timeout)


@contextmanager
def _spark(found: Named, source: str | None, master: str | None, given: tuple[str, ...]) -> Iterator[None]:
    """A Spark session, if its catalog is what is asked."""
    if found.live.place != SPARK:
        if master or given:
            raise click.UsageError("--master and --spark are for headwater catalog pull spark")
        yield
        return
    from headwater.runtime.java import NoJava
    from headwater.runtime.session import SparkUnavailable, spark_session

    wrong = [value for value in given if "=" not in value]
    if wrong:
        raise click.UsageError(f"{wrong[0]!r} is not KEY=VALUE")
    try:
        with spark_session(master, dict(value.split("=", 1) for value in given)):
            yield
    except (SparkUnavailable, NoJava) as error:
        raise click.ClickException(str(error)) from error


def _texts(paths: tuple[str, ...], file: ConfigFile | None, settings: Settings) -> Iterator[tuple[str, Settings]]:
    enter_roots(paths, settings.follow_links)
    for script in read_scripts(script_paths(paths)):
        yield script.content.text, effective_for(script.path, file, settings)


def _refuse_nothing(pulled: Pulled) -> None:
    """A pull that could not ask has nothing to write; what the cache has is given only if that was asked for."""
    if pulled.problem:
        raise click.ClickException(f"{pulled.problem}; with --offline the cache is taken, if it has something")
    for remark in (each for each in pulled.remarks if each.code is Code.CATALOG_UNAVAILABLE):
        raise click.ClickException(f"{remark.message}; {remark.hint}")


def _write(pulled: Pulled, output: str | None) -> None:
    text = json.dumps(pulled.document(), indent=2, ensure_ascii=False) + "\n"
    if output is None:
        click.echo(text, nl=False)
        return
    target = Path(output)
    aside = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        aside.write_text(text, encoding="utf-8")
        os.replace(aside, target)
    finally:
        aside.unlink(missing_ok=True)


def _summary(pulled: Pulled, output: str | None) -> str:
    views = sum(table.kind in VIEWS for table in pulled.tables)
    columns = sum(len(table.columns) for table in pulled.tables)
    where = f" in {output}" if output else ""
    return f"{len(pulled.tables) - views:,} tables and {views:,} views, {columns:,} columns of {pulled.place}{where}"
