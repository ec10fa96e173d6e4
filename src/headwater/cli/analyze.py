"""`headwater analyze`: what every output column of a script is made of."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any

import click

from headwater.analysis import EngineUnavailable, analyze_scripts, dialects_of
from headwater.catalog import CatalogError
from headwater.cli import text
from headwater.cli.config_file import ConfigFile, config_file, effective
from headwater.cli.diagnostic_text import FAIL_ON, Tally, diagnostic_lines
from headwater.cli.echo import echo_json, echo_lines
from headwater.cli.guessed_dialect import suggested_dialect, with_guess
from headwater.cli.limit_options import limit_options
from headwater.cli.live_catalog import Answered, answered_for, catalog_options
from headwater.cli.logs import logging_to_standard_error
from headwater.cli.missing_file import missing
from headwater.cli.progress import Progress
from headwater.cli.project_folder import lineages_of
from headwater.cli.raw_cells import cells_are_safe, raw_cells_option
from headwater.cli.roots import follow_links_option
from headwater.cli.script_settings import Prepared, override_of, prepared
from headwater.cli.scripts import STANDARD_INPUT
from headwater.cli.settings import CHOICES, COMMAND_LINE, Settings
from headwater.cli.shared_options import (
    color_option,
    complete_codes,
    complete_dialects,
    complete_files,
    config_options,
    verbosity_options,
)
from headwater.cli.template_options import given_template, jinja_options
from headwater.export.csv_format import to_csv
from headwater.export.json_format import document
from headwater.followed_views import with_followed_views
from headwater.lineage.lineage import Lineage
from headwater.sql.dialect import UnknownDialect
from headwater.sql.guess import AUTO

_EXAMPLES = """\b
Examples:
  headwater analyze sales.sql
  headwater analyze warehouse/ --dialect snowflake --schema columns.csv
  headwater analyze load.sql --level table --format json
  cat query.sql | headwater analyze - --rows none"""


def _with_default(help: str, name: str) -> str:
    """A help text with the setting's default, which the option itself does not have: a file may set another one."""
    return f"{help}  [default: {getattr(Settings(), name)}]"


def _split(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """Values that may be repeated, separated by commas, or both."""
    return tuple(part for value in values for part in value.split(",") if part)


@click.command(epilog=_EXAMPLES)
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER|-...", shell_complete=complete_files)
@click.option(
    "-d",
    "--dialect",
    shell_complete=complete_dialects,
    help=_with_default(
        "SQL dialect, or auto to guess it; of several (spark,hive) the first that parses a statement wins.", "dialect"
    ),
)
@click.option("--each-dialect", is_flag=True, help="Give every dialect's own answer instead.")
@click.option(
    "-s",
    "--schema",
    multiple=True,
    shell_complete=complete_files,
    help="Tables and columns: a JSON, CSV or DDL file, a folder, or JSON itself. Of several, CSV comes first, inline JSON last.",
)
@click.option("--default-schema", help="Schema of unqualified tables, such as db or catalog.db.")
@catalog_options
@click.option("--engine", type=click.Choice(CHOICES["engine"]), help=_with_default("Who resolves names.", "engine"))
@click.option(
    "-f", "--format", type=click.Choice(CHOICES["format"]), help=_with_default("How it is printed.", "format")
)
@click.option("-l", "--level", type=click.Choice(CHOICES["level"]), help=_with_default("How much is shown.", "level"))
@click.option(
    "--rows",
    type=click.Choice(CHOICES["rows"]),
    help=_with_default("Row-set influence: as a node, on every column, or left out.", "rows"),
)
@click.option("--literals/--no-literals", default=None, help="Show constants as sources.")
@click.option("--collapse-temp/--no-collapse-temp", default=None, help="Join the hops over temporary tables.")
@click.option("--end-to-end/--no-end-to-end", default=None, help="Join all hops inside a script.")
@click.option(
    "--ambiguous",
    type=click.Choice(CHOICES["ambiguous"]),
    help=_with_default("What becomes of a column that several tables could own.", "ambiguous"),
)
@click.option(
    "--insert-by",
    type=click.Choice(CHOICES["insert_by"]),
    help=_with_default("How INSERT without a column list finds the columns of a known table.", "insert_by"),
)
@limit_options
@click.option(
    "--select",
    multiple=True,
    metavar="CODE",
    callback=_split,
    shell_complete=complete_codes,
    help="Show diagnostics of these codes only.",
)
@click.option(
    "--ignore",
    multiple=True,
    metavar="CODE",
    callback=_split,
    shell_complete=complete_codes,
    help="Leave diagnostics of these codes out.",
)
@click.option(
    "--fail-on",
    type=click.Choice(CHOICES["fail_on"]),
    help=_with_default("The least diagnostic that makes the exit code 1.", "fail_on"),
)
@click.option("--statistics", is_flag=True, help="Count the diagnostics by code at the end.")
@jinja_options
@raw_cells_option
@follow_links_option
@config_options
@verbosity_options
@color_option
def analyze(
    files: tuple[str, ...],
    each_dialect: bool,
    statistics: bool,
    jinja: bool,
    variables: tuple[str, ...],
    config: str | None,
    no_config: bool,
    verbose: int,
    quiet: bool,
    **options: Any,
) -> int:
    """Show what every output column of a script is made of.

    FILE is an SQL script, a notebook, a program with SQL in it, a folder of these, or - for standard input. Tables that one script
    defines are known to all, whatever the order of the files. Views that the catalog or a schema file defines are followed: their SQL
    is analysed too.

    Lineage goes to standard output, diagnostics to standard error. Defaults can be set in headwater.toml, or in [tool.headwater] of
    pyproject.toml; `headwater config` shows them. The exit code is 0 if all is clean, 1 if there are findings, 2 if it could not run.
    """
    with logging_to_standard_error(verbose, quiet):
        file = config_file(config, no_config)
        settings = effective(file, {name: value for name, value in options.items() if value not in (None, ())})
        if settings.format == "csv" and settings.level != "column":
            raise click.UsageError("--format csv has the column level only; use --format json for the others")
        run = _Run(
            prepared(files, file, settings, given_template(settings, jinja, variables, files)), file, settings, quiet
        )
        try:
            run.analyze(each_dialect)
        except (CatalogError, UnknownDialect, EngineUnavailable) as error:
            raise click.ClickException(str(error)) from error
    return run.close(statistics)


class _Run:
    """One run over scripts: prints what comes, counts what is wrong."""

    def __init__(self, ready: Prepared, file: ConfigFile | None, settings: Settings, quiet: bool) -> None:
        self._file = file
        self._settings = settings
        self._hidden = settings.hidden()
        self._quiet = quiet
        self._tally = Tally()
        self._printer = _Printer(settings)
        self._prepared = ready
        self._answered = self._prepared.known_to(Answered(settings))
        in_between = settings.format != "json" and sys.stdout.isatty()
        wanted = not (quiet or in_between or logging.getLogger("headwater").isEnabledFor(logging.INFO))
        self._progress = Progress.on_terminal(len(self._prepared.scripts), wanted)

    def analyze(self, each_dialect: bool) -> None:
        """Analyse and print every script; with *each_dialect* once for each of the dialects."""
        if self._settings.dialect == AUTO:
            self._settings = with_guess(self._settings, (script.content.text for script in self._prepared.mentioning))
        dialects_of(self._settings.dialect)
        for schema in self._settings.schema:
            if not schema.lstrip().startswith("{") and not Path(schema).exists():
                raise CatalogError(f"schema file {missing(Path(schema))}")
        if self._settings.catalog:
            self._ask()
        for dialect in self._settings.dialect.split(",") if each_dialect else [None]:
            if dialect and self._settings.format == "text":
                click.secho(f"-- {dialect}", dim=True)
            for lineage in self._lineages(dialect):
                self._progress.step(lineage.path or STANDARD_INPUT)
                self._say_of_catalog(lineage)
                lineage.hide(self._hidden)
                if lineage.diagnostics:
                    self._progress.clear()
                with lineage.within_time():
                    self._printer.print(lineage, dialect)
                echo_lines(diagnostic_lines(lineage, brief=self._quiet), err=True)
                self._tally.add(lineage)
        self._progress.clear()

    def _lineages(self, dialect: str | None) -> Iterator[Lineage]:
        settings = self._settings
        if dialect:
            settings = settings.given({"dialect": dialect}, lambda name: COMMAND_LINE)
        limits = settings.limits
        catalog = self._answered.whole_catalog()
        lineages = analyze_scripts(
            self._prepared.scripts,
            *(settings.dialect, catalog, settings.default_schema, settings.engine),
            ambiguous=settings.ambiguous,
            insert_by=settings.insert_by,
            override=override_of(self._file, replace(self._answered, settings=settings)),
            **limits,
        )
        projects = lineages_of(self._prepared.projects, replace(self._answered, settings=settings))
        lineages = chain(lineages, (each.lineage for each in projects))
        return with_followed_views(lineages, catalog, dialects_of(settings.dialect)[0], **limits)

    def _ask(self) -> None:
        """Ask the catalog for what the scripts refer to, which are read for that."""
        told = answered_for(self._prepared.mentioning, self._settings, self._file, self._quiet, views=True)
        self._answered = self._prepared.known_to(told)
        self._settings = self._answered.settings

    def _say_of_catalog(self, lineage: Lineage) -> None:
        """Say with the first script what is to be said of the catalog."""
        for remark in self._answered.remarks:
            lineage.remark(remark)
        self._answered = replace(self._answered, remarks=())

    def close(self, statistics: bool) -> int:
        """Print what comes at the end; the exit code."""
        self._printer.close()
        if statistics:
            echo_lines(self._tally.statistics_lines(), err=True)
        if not self._quiet:
            echo_lines(self._tally.summary_lines(), err=True)
            counts = (self._tally.statements, self._tally.syntax_errors)
            texts = [script.content.text for script in self._prepared.mentioning]
            echo_lines(suggested_dialect(self._settings, *counts, lambda: texts), err=True)
        return 1 if self._tally.has(FAIL_ON[self._settings.fail_on]) else 0


class _Printer:
    """Prints lineages one after the other: text as it comes, one CSV, one JSON document (a list if there are several)."""

    def __init__(self, settings: Settings) -> None:
        self._format = settings.format
        self._level = settings.level
        self._hops = {"collapse_temp": settings.collapse_temp, "end_to_end": settings.end_to_end}
        self._options: dict[str, Any] = {"rows": settings.rows, "literals": settings.literals, **self._hops}
        self._documents: list[dict[str, Any]] = []
        self._header = True

    def print(self, lineage: Lineage, dialect: str | None) -> None:
        """Print one lineage, or keep it for the document at the end; *dialect* tells several answers apart."""
        if self._format == "json":
            self._documents.append(document(lineage, self._level, **self._options))
        elif self._format == "csv":
            click.echo(
                to_csv(lineage, dialect=dialect, header=self._header, safe=cells_are_safe(), **self._hops), nl=False
            )
            self._header = False
        else:
            echo_lines(self._lines(lineage))

    def _lines(self, lineage: Lineage) -> Iterator[str]:
        if self._level == "table":
            return text.table_lines(lineage, self._hops["collapse_temp"])
        if self._level == "complete":
            return text.complete_lines(lineage)
        return text.column_lines(lineage, lineage.column_edges(**self._options))

    def close(self) -> None:
        """Print what was kept."""
        if self._format == "json":
            body = self._documents[0] if len(self._documents) == 1 else self._documents
            echo_json(body)
