"""`headwater build`: folders of scripts and query logs to one store, on Spark."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from headwater.analysis import catalog_of, dialects_of
from headwater.catalog import Catalog, CatalogError
from headwater.cli.build_progress import BuildProgress
from headwater.cli.building import Tools, building
from headwater.cli.config_file import ConfigFile, config_file, effective
from headwater.cli.diagnostic_text import FAIL_ON
from headwater.cli.echo import echo_lines
from headwater.cli.guessed_dialect import suggested_dialect, with_guess
from headwater.cli.limit_options import hold_template_limits, limit_options
from headwater.cli.live_catalog import asking_of, catalog_options, named, say_of_catalog, speaking
from headwater.cli.logs import logging_to_standard_error
from headwater.cli.missing_file import missing
from headwater.cli.namespaces import namespace_lines
from headwater.cli.roots import follow_links_option, hold_roots
from headwater.cli.script_settings import overriding
from headwater.cli.settings import CHOICES, DEFAULT, Settings, given_dialect
from headwater.cli.shared_options import (
    color_option,
    complete_dialects,
    complete_files,
    config_options,
    mapping,
    source_schema_option,
    verbosity_options,
)
from headwater.cli.suggested_targets import suggested_targets
from headwater.cli.template_options import jinja_options, template_of
from headwater.model.diagnostic import SEVERITY, Code, Severity
from headwater.pipeline.read.log_preset import LogPreset
from headwater.pipeline.read.log_presets import PRESETS
from headwater.project.given_dialect import GivenDialect
from headwater.sql.guess import AUTO

if TYPE_CHECKING:
    from headwater.pipeline.build import Built

_EXAMPLES = """\b
Examples:
  headwater build sql/ -o lineage/
  headwater build sql/ 'logs/*.parquet' --log sql=query_text,user=user_name,time=started_at
  headwater build sql/ history.parquet --log-preset snowflake-query-history
  headwater build sql/ captured/                    # what headwater.spark.capture has recorded, too
  headwater build sql/ events.ndjson                # OpenLineage's events, too
  headwater build --manifest scripts.csv --schema columns.csv
  headwater build s3://bucket/sql -o s3://bucket/lineage --master yarn
  headwater build sql/ --master spark://host:7077"""

_LOG_FIELDS = (
    *("sql", "dialect", "user", "time", "default_schema", "session"),
    *("count", "bytes", "seconds", "credits"),
)


def _log_columns(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    found = mapping(context, parameter, values)
    unknown = sorted(set(found) - set(_LOG_FIELDS))
    if unknown:
        raise click.BadParameter(f"a log has no {', '.join(unknown)}; it has {', '.join(_LOG_FIELDS)}")
    return found


@click.command(epilog=_EXAMPLES)
@click.argument("paths", nargs=-1, metavar="FOLDER|FILE|LOG|table:NAME|-...", shell_complete=complete_files)
@click.option("-o", "--output", default="lineage", metavar="DIR", show_default=True, help="The store.")
@click.option(
    "-d",
    "--dialect",
    shell_complete=complete_dialects,
    help="SQL dialect of what does not say its own, or auto to guess it.",
)
@click.option(
    "-s", "--schema", multiple=True, shell_complete=complete_files, help="Tables and columns, as for analyze."
)
@click.option("--default-schema", help="Schema of unqualified tables, such as db or catalog.db.")
@catalog_options
@source_schema_option
@click.option("--ambiguous", type=click.Choice(CHOICES["ambiguous"]), help="Columns that several tables could own.")
@click.option(
    "--insert-by", type=click.Choice(CHOICES["insert_by"]), help="How INSERT without a list finds a table's columns."
)
@click.option("--manifest", metavar="CSV", help="Scripts with path, dialect, default_schema, schema_file, target.")
@click.option(
    "--root",
    default="",
    metavar="FOLDER|URI",
    help="Where the paths of scripts begin as they are shown.  [default: the working directory; URIs are shown whole]",
)
@click.option("--exclude", multiple=True, metavar="PATTERN", help="Files to leave out, as in .gitignore.")
@click.option(
    "--log",
    multiple=True,
    metavar="NAME=COLUMN",
    callback=_log_columns,
    help="The columns of query logs: sql, and if there are such dialect, user, time, default_schema, session, count, bytes, seconds, "
    "credits.",
)
@click.option(
    "--log-preset",
    type=click.Choice(list(PRESETS)),
    metavar="NAME",
    help=f"What the query logs are logs of; --log names other columns: {', '.join(PRESETS)}.",
)
@click.option(
    "--namespace",
    "namespaces",
    multiple=True,
    metavar="NAMESPACE=NAME",
    callback=mapping,
    help="What scripts write for a namespace of captured jobs and events: postgres://db:5432/shop= for nothing.",
)
@jinja_options
@click.option("--master", help="Spark's master: spark://…, yarn, k8s://…  [default: this machine's cores]")
@click.option("--spark", multiple=True, metavar="KEY=VALUE", callback=mapping, help="More settings for Spark.")
@click.option("--keep", type=click.IntRange(min=1), default=10, show_default=True, help="Snapshots to keep.")
@click.option(
    "--fail-on",
    type=click.Choice(list(FAIL_ON)),
    default="error",
    show_default=True,
    help="The least diagnostic that makes the exit code 1; an error means that a script or statement was lost.",
)
@click.option("-f", "--format", type=click.Choice(["text", "json"]), default="text", help="How the summary is printed.")
@limit_options
@follow_links_option
@config_options
@verbosity_options
@color_option
def build(
    paths: tuple[str, ...],
    output: str,
    manifest: str | None,
    root: str,
    exclude: tuple[str, ...],
    log: dict[str, str],
    log_preset: str | None,
    namespaces: dict[str, str],
    jinja: bool,
    variables: tuple[str, ...],
    source_schema: dict[str, str],
    master: str | None,
    spark: dict[str, str],
    keep: int,
    fail_on: str,
    format: str,
    config: str | None,
    no_config: bool,
    verbose: int,
    quiet: bool,
    **options: Any,
) -> int:
    """Build the lineage of a corpus into a store.

    Reads folders of scripts (.sql and the like, notebooks, Databricks sources, SQL in .py files), Visivo and dbt projects, query logs
    (.parquet, .json, .csv, table:NAME) and standard input, on Spark. A second build analyses only what has changed. Then ask: headwater
    upstream, downstream, path, impact, unused, diff.

    FOLDER, FILE, LOG and the store may be URIs: s3://, gs://, abfss://, hdfs://, dbfs:/. The exit code is 0, or 1 if scripts or
    statements were lost (--fail-on), or 2 if the build could not run: then the store is as it was.
    """
    if not paths and not manifest:
        raise click.UsageError("name a folder, a file, a log, or --manifest")
    with logging_to_standard_error(verbose, quiet):
        file = config_file(config, no_config)
        settings = effective(file, {k: v for k, v in options.items() if v not in (None, ())})
        namespaces = {**(file.namespaces if file else {}), **namespaces}
        preset = PRESETS.get(log_preset or (file.log_preset if file else None) or "")
        told = _Told(paths, manifest, exclude, log, preset, variables, jinja, source_schema, root, namespaces, file)
        told.project_dialect = given_dialect(settings)
        with building() as tools, BuildProgress.on_terminal(not quiet) as progress:
            hold_template_limits(settings)
            hold_roots(tools.roots_of(paths, manifest, settings.follow_links))
            settings = _with_dialect(tools, _with_preset(settings, preset, quiet), paths)
            found = named(settings.catalog, file, settings.catalog_timeout) if settings.catalog else None
            settings = speaking(settings, found.live) if found else settings
            asking = asking_of(settings, file, found.scope, None) if found else None
            built = tools.build(
                told.corpus(tools, settings),
                output,
                catalog=_catalog(settings),
                live=tools.asked(found.live, asking) if found else None,
                ambiguous=settings.ambiguous,
                insert_by=settings.insert_by,
                budget=settings.budget,
                master=master,
                spark_settings=spark,
                keep=keep,
                tell=progress.tell,
            )
        say_of_catalog(built.pulled, quiet)
        if format == "json":
            click.echo(json.dumps({"snapshot": built.snapshot.name, **built.summary.as_dict()}, indent=2))
        elif not quiet:
            echo_lines(summary_lines(built, output))
            echo_lines(namespace_lines(built.snapshot))
            echo_lines(suggested_targets(paths, exclude) if not told.targets else ())
            counts = (built.summary.statements, built.summary.lost_statements)
            echo_lines(suggested_dialect(settings, *counts, lambda: _sample(tools, paths)))
    return 1 if _fails(built.summary.failed, fail_on) else 0


def _with_preset(settings: Settings, preset: LogPreset | None, quiet: bool) -> Settings:
    """The settings with the dialect of the log's preset, unless another one is given."""
    if preset is None or settings.origin("dialect") != DEFAULT:
        return settings
    if not quiet:
        click.echo(f"dialect {preset.dialect}, by --log-preset {preset.name}; --dialect says another one", err=True)
    return settings.given({"dialect": preset.dialect}, lambda name: f"log-preset {preset.name}")


def _with_dialect(tools: Tools, settings: Settings, paths: tuple[str, ...]) -> Settings:
    """The settings with a dialect: `auto` is guessed from files of this machine."""
    if settings.dialect != AUTO:
        return settings
    try:
        texts = tools.sample_texts(paths)
    except OSError as error:
        raise click.ClickException(
            f"--dialect auto needs files of this machine: {error.filename}: {error.strerror}"
        ) from error
    if not texts:
        raise click.ClickException("--dialect auto needs SQL files: name the dialect")
    return with_guess(settings, texts)


def _sample(tools: Tools, paths: tuple[str, ...]) -> list[str]:
    """Texts of scripts; none where a path or file is not readable here, as those of another machine."""
    try:
        return list(tools.sample_texts(paths))
    except OSError:
        return []


def _fails(counts: Mapping[str, int], fail_on: str) -> bool:
    """Whether a build has diagnostics that make its exit code 1."""
    return any(SEVERITY[Code(code)] in FAIL_ON[fail_on] for code in counts)


class _Told:
    """What the command line says is to be read."""

    def __init__(
        self,
        paths: tuple[str, ...],
        manifest: str | None,
        exclude: tuple[str, ...],
        log: dict[str, str],
        preset: LogPreset | None,
        variables: tuple[str, ...],
        jinja: bool,
        source_schemas: dict[str, str],
        root: str,
        namespaces: dict[str, str],
        file: ConfigFile | None,
    ) -> None:
        self.paths, self.manifest, self.exclude, self.log = paths, manifest, exclude, log
        self.variables, self.jinja, self.source_schemas, self.root = variables, jinja, source_schemas, root
        self.namespaces, self.preset, self.file = namespaces, preset, file
        self.targets = file if file is not None and file.targets else None
        self.project_dialect: GivenDialect | None = None

    def corpus(self, tools: Tools, settings: Settings) -> Any:
        """All of it, for the pipeline."""
        return tools.corpus(
            *(self.paths, settings.dialect, settings.default_schema or "", self.exclude, self.manifest),
            template_of(self.jinja, self.variables, self.paths),
            tools.log_columns(**self.log),
            self.preset,
            sys.stdin.buffer.read() if "-" in self.paths else b"",
            source_schemas=self.source_schemas,
            project_dialect=self.project_dialect,
            root=self.root,
            namespaces=self.namespaces,
            filled=self.targets.filled if self.targets else None,
            described=self.targets.described if self.targets else None,
            override=overriding(self.file, settings),
            follow_links=settings.follow_links,
        )


def _catalog(settings: Settings) -> Catalog:
    for schema in settings.schema:
        if not schema.lstrip().startswith("{") and not Path(schema).exists():
            raise CatalogError(f"schema file {missing(Path(schema))}")
    return catalog_of(settings.schema or None, dialects_of(settings.dialect)[0])


def summary_lines(built: Built, output: str) -> Iterator[str]:
    """What a build did."""
    s = built.summary
    yield f"{s.scripts:,} scripts, {s.statements:,} statements, {s.distinct:,} distinct, {s.reused:,} as before"
    yield f"{s.entities:,} entities, {s.columns:,} columns, {s.relations:,} relations"
    yield s.headline
    errors = sum(count for code, count in s.failed.items() if SEVERITY[Code(code)] is Severity.ERROR)
    if errors:
        yield f"{errors:,} error{'s' * (errors != 1)}: headwater diagnostics --severity error --store {output} lists them"
    if s.failed:
        counts = ", ".join(f"{code} {count:,}" for code, count in s.failed.items())
        yield f"diagnostics: {counts}; headwater diagnostics --store {output} lists them"
    yield f"{sum(s.seconds.values()):.1f} s; snapshot {built.snapshot.name} in {output}"
