"""`headwater build`: folders of scripts and query logs to one store, on Spark."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from headwater.analysis import catalog_of, dialects_of
from headwater.budget import Budget
from headwater.catalog import CatalogError
from headwater.cli.build_progress import BuildProgress
from headwater.cli.config_file import config_file, effective
from headwater.cli.echo import echo_lines
from headwater.cli.logs import logging_to_standard_error
from headwater.cli.missing_file import missing
from headwater.cli.settings import CHOICES, Settings
from headwater.cli.shared_options import (
    color_option,
    complete_dialects,
    complete_files,
    config_options,
    verbosity_options,
)
from headwater.sql.dialect import UnknownDialect

if TYPE_CHECKING:
    from headwater.pipeline.build import Built

_EXAMPLES = """\b
Examples:
  headwater build sql/ -o lineage/
  headwater build sql/ 'logs/*.parquet' --log sql=query_text,user=user_name,time=started_at
  headwater build --manifest scripts.csv --schema columns.csv
  headwater build sql/ --master spark://host:7077"""

_LOG_FIELDS = ("sql", "dialect", "user", "time", "default_schema")


def _mapping(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """`a=b,c=d`, once or several times."""
    found: dict[str, str] = {}
    for part in (part for value in values for part in value.split(",") if part):
        key, equals, value = part.partition("=")
        if not equals:
            raise click.BadParameter(f"{part!r} is not name=value")
        found[key.strip()] = value.strip()
    return found


def _log_columns(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    found = _mapping(context, parameter, values)
    unknown = sorted(set(found) - set(_LOG_FIELDS))
    if unknown:
        raise click.BadParameter(f"a log has no {', '.join(unknown)}; it has {', '.join(_LOG_FIELDS)}")
    return found


@click.command(epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, metavar="FOLDER|FILE|LOG|table:NAME|-...", shell_complete=complete_files)
@click.option("-o", "--output", default="lineage", metavar="DIR", show_default=True, help="The store.")
@click.option("-d", "--dialect", shell_complete=complete_dialects, help="SQL dialect of what does not say its own.")
@click.option(
    "-s", "--schema", multiple=True, shell_complete=complete_files, help="Tables and columns, as for analyze."
)
@click.option("--default-schema", help="Schema of unqualified tables, such as db or catalog.db.")
@click.option("--ambiguous", type=click.Choice(CHOICES["ambiguous"]), help="Columns that several tables could own.")
@click.option("--manifest", metavar="CSV", help="Scripts with path, dialect, default_schema, schema_file.")
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Files to leave out, as in .gitignore.")
@click.option(
    "--log",
    multiple=True,
    metavar="NAME=COLUMN",
    callback=_log_columns,
    help="The columns of query logs: sql, and if there are such dialect, user, time, default_schema.",
)
@click.option("--jinja", is_flag=True, help="Render scripts as Jinja templates, with dbt's ref and source.")
@click.option(
    "--vars", "variables", multiple=True, metavar="NAME=VALUE|JSON", help="Values for templates; means --jinja."
)
@click.option("--master", help="Spark's master: spark://…, yarn, k8s://…  [default: this machine's cores]")
@click.option("--spark", multiple=True, metavar="KEY=VALUE", callback=_mapping, help="More settings for Spark.")
@click.option("--timeout", type=click.FloatRange(min=0, min_open=True), metavar="SECONDS", help="For one statement.")
@click.option("--memory", type=click.FloatRange(min=1), metavar="MEGABYTES", help="For one statement.")
@click.option("--keep", type=click.IntRange(min=1), default=10, show_default=True, help="Snapshots to keep.")
@click.option("-f", "--format", type=click.Choice(["text", "json"]), default="text", help="How the summary is printed.")
@config_options
@verbosity_options
@color_option
def build(
    paths: tuple[str, ...],
    output: str,
    manifest: str | None,
    exclude: tuple[str, ...],
    log: dict[str, str],
    jinja: bool,
    variables: tuple[str, ...],
    master: str | None,
    spark: dict[str, str],
    keep: int,
    format: str,
    config: str | None,
    no_config: bool,
    verbose: int,
    quiet: bool,
    **options: Any,
) -> int:
    """Build the lineage of a corpus into a store.

    Reads folders of scripts (.sql and the like, notebooks, Databricks sources, SQL in .py files), query logs (.parquet, .json, .csv,
    table:NAME) and standard input, on Spark. A second build analyses only what has changed. Then ask: headwater upstream, downstream,
    path, impact, unused, diff.
    """
    if not paths and not manifest:
        raise click.UsageError("name a folder, a file, a log, or --manifest")
    with logging_to_standard_error(verbose, quiet):
        settings = effective(config_file(config, no_config), {k: v for k, v in options.items() if v not in (None, ())})
        told = _Told(paths, manifest, exclude, log, variables, jinja)
        with BuildProgress.on_terminal(not quiet) as progress:
            built = _built(told, settings, output, master, spark, keep, progress)
        if format == "json":
            click.echo(json.dumps({"snapshot": built.snapshot.name, **built.summary.as_dict()}, indent=2))
        elif not quiet:
            echo_lines(_summary_lines(built, output), err=False)
    return 0


class _Told:
    """What the command line says is to be read."""

    def __init__(
        self,
        paths: tuple[str, ...],
        manifest: str | None,
        exclude: tuple[str, ...],
        log: dict[str, str],
        variables: tuple[str, ...],
        jinja: bool,
    ) -> None:
        self.paths, self.manifest, self.exclude, self.log = paths, manifest, exclude, log
        self.variables, self.jinja = variables, jinja


def _built(
    told: _Told,
    settings: Settings,
    output: str,
    master: str | None,
    spark: dict[str, str],
    keep: int,
    progress: BuildProgress,
) -> Built:
    """Run the build; what the user can mend is one line."""
    try:
        from headwater.pipeline.corpus import Corpus, NothingToRead
        from headwater.pipeline.corpus import build as run
        from headwater.pipeline.embedded import SparkUnavailable
        from headwater.pipeline.failure import BuildFailed
        from headwater.pipeline.java import NoJava
        from headwater.pipeline.read import LogColumns
        from headwater.source import ManifestError, Template, TemplateProblem, variables_of
        from headwater.store import StoreError
    except ImportError as error:
        raise click.ClickException(f"{error.name} is not installed: pip install 'headwater[spark]'") from error
    try:
        template = Template(variables_of(told.variables)) if told.jinja or told.variables else None
        corpus = Corpus(
            told.paths,
            settings.dialect,
            settings.default_schema or "",
            told.exclude,
            told.manifest,
            template,
            LogColumns(**told.log),
            sys.stdin.buffer.read() if "-" in told.paths else b"",
        )
        for schema in settings.schema:
            if not schema.lstrip().startswith("{") and not Path(schema).exists():
                raise CatalogError(f"schema file {missing(Path(schema))}")
        return run(
            corpus,
            output,
            catalog=catalog_of(settings.schema or None, dialects_of(settings.dialect)[0]),
            ambiguous=settings.ambiguous,
            budget=Budget(settings.timeout, int(settings.memory)),
            master=master,
            spark_settings=spark,
            keep=keep,
            tell=progress.tell,
        )
    except (
        *(CatalogError, UnknownDialect, NothingToRead, SparkUnavailable, NoJava, ManifestError),
        *(TemplateProblem, StoreError, BuildFailed),
    ) as error:
        raise click.ClickException(str(error)) from error


def _summary_lines(built: Built, output: str) -> Iterator[str]:
    s = built.summary
    yield f"{s.scripts:,} scripts, {s.statements:,} statements, {s.distinct:,} distinct, {s.reused:,} as before"
    yield f"{s.entities:,} entities, {s.columns:,} columns, {s.relations:,} relations"
    yield f"{s.sourced:.1%} of the written columns have a source" if s.written else "nothing is written"
    if s.failed:
        yield "diagnostics: " + ", ".join(f"{code} {count:,}" for code, count in s.failed.items())
    yield f"{sum(s.seconds.values()):.1f} s; snapshot {built.snapshot.name} in {output}"
