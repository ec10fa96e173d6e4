"""Live catalogs on the command line: which database is meant, how it is asked, and what an analysis takes from it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click

from headwater.analysis import Script, catalog_of, dialects_of
from headwater.catalog import Catalog
from headwater.catalog.cache import DEFAULT as DEFAULT_CACHE
from headwater.catalog.cache import TTL, Cache
from headwater.catalog.database import Live
from headwater.catalog.live import TIMEOUT, LiveDatabase
from headwater.catalog.pull import Asking, Pulled, Scope, pull
from headwater.catalog.reading import Tell
from headwater.catalog.url import SPARK
from headwater.catalog.wanted import Wanted, wanted_by
from headwater.cli.cells import head, visible
from headwater.cli.config_file import ConfigFile, effective_for
from headwater.cli.settings import DEFAULT, Settings
from headwater.cli.shared_options import complete_files
from headwater.model.diagnostic import Diagnostic
from headwater.sql.dialect import dialect

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
FROM_CATALOG = "the catalog"
"""Where settings come from that a database has told."""
_WIDTH = 79


def cache_options(function: Decorated) -> Decorated:
    """`--cache`, `--ttl`, `--offline`, `--catalog-timeout`."""
    for option in reversed(
        (
            click.option(
                "--cache",
                metavar="DIR",
                shell_complete=complete_files,
                help=f"Where what databases say is kept.  [default: {DEFAULT_CACHE.as_posix()} below the project]",
            ),
            click.option(
                "--ttl",
                type=click.FloatRange(min=0),
                metavar="SECONDS",
                help=f"How long a database is not asked again.  [default: {TTL:.0f}]",
            ),
            click.option(
                "--offline/--online", default=None, help="Ask no database: take what the cache has, however old."
            ),
            click.option(
                "--catalog-timeout",
                type=click.FloatRange(min=0, min_open=True),
                metavar="SECONDS",
                help=f"How long a database may leave a statement without an answer.  [default: {TIMEOUT:.0f}]",
            ),
        )
    ):
        function = option(function)
    return function


def catalog_options(function: Decorated) -> Decorated:
    """`--catalog`, and how it is asked."""
    named = click.option(
        "--catalog",
        metavar="URL|NAME|spark",
        help="A database that is asked for the tables that the SQL refers to. HEADWATER_CATALOG_URL does the same.",
    )
    return named(cache_options(function))


class Named(NamedTuple):
    """A live catalog that was named, and which of its schemas are read."""

    live: Live
    scope: Scope


def named(name: str, file: ConfigFile | None, timeout: float = TIMEOUT) -> Named:
    """The catalog of a URL, or of a profile in the configuration file."""
    profile = file.catalogs.get(name) if file is not None else None
    scope = Scope(profile.schemas, profile.exclude, profile.system) if profile is not None else Scope()
    url = profile.url if profile is not None else name
    if url == SPARK:
        from headwater.spark.session_catalog import SessionCatalog

        return Named(SessionCatalog(), scope)
    if profile is None and "://" not in url and ":" not in url:
        known = ", ".join(file.catalogs) if file is not None and file.catalogs else ""
        hint = f"there are {known}" if known else "it is neither a URL nor a profile of a configuration file"
        raise click.ClickException(f"there is no catalog {name!r}; {hint}")
    return Named(LiveDatabase.at(url, timeout), scope)


def cache_of(settings: Settings, file: ConfigFile | None) -> Cache:
    """The cache that the settings name, else the project's."""
    if settings.cache:
        return Cache(Path(settings.cache))
    return Cache((file.path.parent if file is not None else Path()) / DEFAULT_CACHE)


def asking_of(settings: Settings, file: ConfigFile | None, scope: Scope, tell: Tell | None) -> Asking:
    """How the settings want a catalog to be asked."""
    return Asking(cache_of(settings, file), settings.ttl, settings.offline, scope, tell)


@dataclass(frozen=True, slots=True)
class Answered:
    """What an analysis takes from a catalog: its settings with what the database has told, its tables, and what is to be said."""

    settings: Settings
    catalog: Catalog | None = None
    remarks: tuple[Diagnostic, ...] = ()

    def whole_catalog(self) -> Catalog:
        """The schema files of the settings with the catalog below them."""
        return catalog_of(self.schemas(self.settings.schema), dialects_of(self.settings.dialect)[0])

    def schemas(self, schema: tuple[str, ...]) -> tuple[str | Catalog, ...] | None:
        """Schema files with the catalog below them."""
        return (*schema, *([self.catalog] if self.catalog is not None else [])) or None


def answered_for(
    scripts: Sequence[Script], settings: Settings, file: ConfigFile | None, quiet: bool, *, views: bool = False
) -> Answered:
    """Ask the catalog of the settings, if it names one, for what scripts refer to, each read as the configuration file says."""

    def texts(settings: Settings) -> Iterator[tuple[str, Settings]]:
        return ((s.content.text, effective_for(s.path, file, settings)) for s in scripts)

    return answered(settings, file, texts, quiet, views=views)


Texts = Callable[[Settings], Iterable[tuple[str, Settings]]]
"""Scripts, each with its own settings, under settings for all."""


def answered(
    settings: Settings, file: ConfigFile | None, texts: Texts, quiet: bool, *, views: bool = False
) -> Answered:
    """Ask the catalog of the settings for what scripts refer to; with *views* also for what the views among that read."""
    if not settings.catalog:
        return Answered(settings)
    live, scope = named(settings.catalog, file, settings.catalog_timeout)
    settings = speaking(settings, live)
    with telling(not quiet) as tell:
        pulled = pull(live, asking_of(settings, file, scope, tell), wanted(texts(settings)), views=views)
    note_unkept(pulled, quiet)
    return Answered(with_default(settings, pulled), pulled.catalog(), pulled.remarks)


def wanted(texts: Iterable[tuple[str, Settings]]) -> Wanted:
    """What scripts may mean; the default schema of a script is one whose tables may be meant without naming it."""
    found = Wanted()
    for text, own in texts:
        spoken = dialect(own.dialect.partition(",")[0])
        found = found.also(wanted_by([(text, spoken)]))
        if own.default_schema:
            used = frozenset(spoken.spelled_table(part) for part in own.default_schema.split("."))
            found = replace(found, used=found.used | used)
    return found


def speaking(settings: Settings, live: Live) -> Settings:
    """Settings with the database's dialect, where nobody names another."""
    if settings.origin("dialect") != DEFAULT:
        return settings
    return settings.given({"dialect": live.dialect.name}, lambda name: FROM_CATALOG)


def with_default(settings: Settings, pulled: Pulled) -> Settings:
    """Settings with the database's default schema, where nobody names another and the SQL is the database's."""
    spoken = dialect(settings.dialect.partition(",")[0])
    if settings.default_schema or pulled.default_schema is None or spoken is not pulled.dialect:
        return settings
    return settings.given({"default_schema": pulled.default_schema}, lambda name: FROM_CATALOG)


def say_of_catalog(pulled: Pulled | None, quiet: bool) -> None:
    """Say on standard error what a build's store has as a diagnostic, and that the cache cannot be written."""
    if pulled is None:
        return
    say_remarks(pulled.remarks)
    note_unkept(pulled, quiet)


def say_remarks(remarks: Iterable[Diagnostic]) -> None:
    """Say on standard error what is to be said of a catalog."""
    for remark in remarks:
        click.echo(f"{remark.severity.value}[{remark.code.value}] {remark.message}; {remark.hint}", err=True)


def note_unkept(pulled: Pulled, quiet: bool) -> None:
    """Say on standard error that the cache cannot be written."""
    if pulled.unkept and not quiet:
        click.echo(f"headwater: {pulled.unkept}", err=True)


@contextmanager
def telling(wanted: bool) -> Iterator[Tell | None]:
    """Shows what is being read: one line on a terminal that erases itself, and nothing anywhere else."""
    if not wanted or not sys.stderr.isatty():
        yield None
        return

    def tell(what: str) -> None:
        sys.stderr.write(f"\r\x1b[2K{head(visible(what), _WIDTH)}")
        sys.stderr.flush()

    try:
        yield tell
    finally:
        sys.stderr.write("\r\x1b[2K")
        sys.stderr.flush()
