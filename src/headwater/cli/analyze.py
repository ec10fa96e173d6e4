"""`headwater analyze`: what every output column of a script is made of."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from headwater.analysis import AMBIGUITY_POLICIES, ENGINES, Script, analyze_scripts, dialects_of
from headwater.catalog import CatalogError
from headwater.cli import text
from headwater.export.csv_format import to_csv
from headwater.export.json_format import document
from headwater.lineage.lineage import ROWS, Lineage
from headwater.model.diagnostic import Severity
from headwater.sql.dialect import UnknownDialect
from headwater.sql.text import decode


@click.command()
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER|-...")
@click.option(
    "-d",
    "--dialect",
    default="spark",
    show_default=True,
    help="SQL dialect; of several (spark,hive) the first that parses a statement wins.",
)
@click.option("--each-dialect", is_flag=True, help="Give every dialect's own answer instead.")
@click.option(
    "-s",
    "--schema",
    multiple=True,
    help="Tables and columns: a JSON, CSV or DDL file, a folder, or JSON itself. Of several, CSV comes first, inline JSON last.",
)
@click.option("--default-schema", help="Schema of unqualified tables, such as db or catalog.db.")
@click.option("--engine", type=click.Choice(ENGINES), default="static", show_default=True, help="Who resolves names.")
@click.option(
    "-f", "--format", "format_", type=click.Choice(["text", "json", "csv"]), default="text", show_default=True
)
@click.option("-l", "--level", type=click.Choice(["complete", "column", "table"]), default="column", show_default=True)
@click.option(
    "--rows",
    type=click.Choice(ROWS),
    default="node",
    show_default=True,
    help="Row-set influence: as a node, on every column, or left out.",
)
@click.option("--literals", is_flag=True, help="Show constants as sources.")
@click.option("--collapse-temp", is_flag=True, help="Join the hops over temporary tables.")
@click.option("--end-to-end", is_flag=True, help="Join all hops inside a script.")
@click.option(
    "--ambiguous",
    type=click.Choice(AMBIGUITY_POLICIES),
    default="candidates",
    show_default=True,
    help="What becomes of a column that several tables could own.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(min=0, min_open=True),
    default=60,
    show_default=True,
    metavar="SECONDS",
    help="How long one statement may take.",
)
@click.option(
    "--memory",
    type=click.IntRange(min=1),
    default=2048,
    show_default=True,
    metavar="MEGABYTES",
    help="How much memory one statement may take.",
)
def analyze(
    files: tuple[str, ...],
    each_dialect: bool,
    dialect: str,
    format_: str,
    level: str,
    rows: str,
    literals: bool,
    collapse_temp: bool,
    end_to_end: bool,
    **options: Any,
) -> int:
    """Show what every output column of a script is made of.

    FILE is an SQL script, a folder of them (taken in order of their paths), or - for standard input. Tables that an earlier script
    defines are known to the later ones.
    """
    if format_ == "csv" and level != "column":
        raise click.UsageError("--format csv has the column level only; use --format json for the others")
    edge_options = {"rows": rows, "literals": literals, "collapse_temp": collapse_temp, "end_to_end": end_to_end}
    found = False
    printer = _Printer(format_, level, edge_options)
    try:
        dialects_of(dialect)
        for each in dialect.split(",") if each_dialect else [dialect]:
            if each_dialect and format_ == "text":
                click.secho(f"-- {each}", dim=True)
            for lineage in _lineages(files, each, options):
                printer.print(lineage, each if each_dialect else None)
                for line in text.diagnostic_lines(lineage):
                    click.echo(line, err=True)
                found = found or any(d.severity is not Severity.INFO for d in lineage.diagnostics)
    except (CatalogError, UnknownDialect) as error:
        raise click.ClickException(str(error)) from error
    printer.close()
    return 1 if found else 0


def _lineages(files: tuple[str, ...], dialect: str, options: dict[str, Any]) -> Iterator[Lineage]:
    yield from analyze_scripts(_scripts(files), dialect, **options)


def _scripts(files: tuple[str, ...]) -> Iterator[Script]:
    """The scripts that the arguments name, in order; a name that leads nowhere is an error before anything is printed."""
    paths: list[Path] = []
    for name in files:
        path = Path(name)
        found = [path]
        if name != "-" and path.is_dir():
            found = sorted(p for p in path.rglob("*") if p.suffix.lower() == ".sql" and p.is_file())
            if not found:
                raise click.ClickException(f"there is no .sql file below {name}")
        elif name != "-" and not path.exists():
            raise click.ClickException(f"{name} does not exist")
        paths.extend(found)
    for path in paths:
        yield Script(None, decode(sys.stdin.buffer.read())) if str(path) == "-" else Script.read(path)


class _Printer:
    """Prints lineages one after the other: text as it comes, one CSV, one JSON document (a list if there are several)."""

    def __init__(self, format_: str, level: str, options: dict[str, Any]) -> None:
        self._format = format_
        self._level = level
        self._options = options
        self._documents: list[dict[str, Any]] = []
        self._header = True

    def print(self, lineage: Lineage, dialect: str | None) -> None:
        """Print one lineage, or keep it for the document at the end; *dialect* tells several answers apart."""
        if self._format == "json":
            self._documents.append(document(lineage, self._level, **self._options))
        elif self._format == "csv":
            hops = {key: self._options[key] for key in ("collapse_temp", "end_to_end")}
            click.echo(to_csv(lineage, dialect=dialect, header=self._header, **hops), nl=False)
            self._header = False
        else:
            for line in self._lines(lineage):
                click.echo(line)

    def _lines(self, lineage: Lineage) -> Iterator[str]:
        if self._level == "table":
            return text.table_lines(lineage, self._options["collapse_temp"])
        if self._level == "complete":
            return text.complete_lines(lineage)
        return text.column_lines(lineage, lineage.column_edges(**self._options))

    def close(self) -> None:
        """Print what was kept."""
        if self._format == "json":
            body = self._documents[0] if len(self._documents) == 1 else self._documents
            click.echo(json.dumps(body, indent=2, ensure_ascii=False))
