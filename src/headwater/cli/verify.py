"""`headwater verify`: whether made-up data disproves the lineage of a script."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import click

from headwater.analysis import dialects_of
from headwater.catalog import CatalogError
from headwater.cli.cells import visible
from headwater.cli.config_file import config_file, effective
from headwater.cli.echo import echo_lines
from headwater.cli.guessed_dialect import with_guess
from headwater.cli.live_catalog import answered_for, catalog_options, say_remarks
from headwater.cli.roots import enter_roots, follow_links_option
from headwater.cli.scripts import STANDARD_INPUT, read_scripts, script_paths
from headwater.cli.shared_options import color_option, complete_dialects, complete_files, config_options
from headwater.files import shown_name
from headwater.model.span import LineIndex
from headwater.runtime.session import SparkUnavailable
from headwater.sql.dialect import UnknownDialect

if TYPE_CHECKING:
    from headwater.verify import Verification

_EXAMPLES = """\b
Examples:
  headwater verify sales.sql --schema columns.csv
  headwater verify sales.sql --catalog env:SHOP_URL
  headwater verify queries/ --dialect snowflake --seed 7 --format json"""

_COLORS = {"holds": "green", "refuted": "red"}
_SHOWN = 12
"""Rows of a table that are printed."""


@click.command(epilog=_EXAMPLES, short_help="Check the lineage of scripts by made-up data.")
@click.argument("files", nargs=-1, required=True, metavar="FILE|FOLDER|-...", shell_complete=complete_files)
@click.option("-d", "--dialect", shell_complete=complete_dialects, help="SQL dialect of the scripts.")
@click.option("-s", "--schema", multiple=True, shell_complete=complete_files, help="Tables, columns and their types.")
@click.option("--default-schema", help="Schema of unqualified tables, such as db or catalog.db.")
@catalog_options
@click.option(
    "--seed", type=int, default=0, show_default=True, help="Other data for each number, the same for the same."
)
@click.option(
    "--on",
    type=click.Choice(["duckdb", "spark", "either"]),
    default="duckdb",
    show_default=True,
    help="Where statements run; either: in Spark those of its dialects that DuckDB cannot run.",
)
@click.option("-f", "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@follow_links_option
@config_options
@color_option
def verify(
    files: tuple[str, ...], seed: int, on: str, format_: str, config: str | None, no_config: bool, **options: Any
) -> int:
    """Run every statement on small made-up data, change one source at a time, and compare.

    An output that changes although the lineage does not relate it to the source is a counter-example, and is printed with its data.
    Statements run in a DuckDB in memory that reaches no file, or in a Spark session with tables of its own; what cannot run there is
    listed with the reason. The exit code is 1 if there is a counter-example.
    """
    try:
        from headwater.verify import verify
    except ModuleNotFoundError as error:
        raise click.ClickException("verify needs DuckDB: pip install 'headwater[verify]'") from error
    file = config_file(config, no_config)
    settings = effective(file, {k: v for k, v in options.items() if v not in (None, ())})
    found: Counter[str] = Counter()
    documents = []
    try:
        enter_roots(files, settings.follow_links)
        scripts = list(read_scripts(script_paths(files)))
        settings = with_guess(settings, (script.content.text for script in scripts))
        dialects_of(settings.dialect)
        told = answered_for(scripts, settings, file, quiet=False)
        say_remarks(told.remarks)
        settings, schema = told.settings, told.whole_catalog()
        for script in scripts:
            path = shown_name(str(script.path or STANDARD_INPUT))
            if script.problem:
                raise click.ClickException(f"{visible(path)}: {script.problem}")
            lines = LineIndex(script.content.text)
            where = settings.default_schema
            for each in verify(
                script.content.text, script.dialect or settings.dialect, schema, where, seed=seed, on=on
            ):
                at = lines.position(each.statement.resolution.process.span.start)
                place = f"{visible(path) if script.path else '<stdin>'}:{at.line}:{at.column}"
                found[each.verdict.value] += 1
                if format_ == "json":
                    documents.append(_document(each, path, at.line, at.column))
                else:
                    echo_lines(_lines(each, place))
    except (CatalogError, UnknownDialect, SparkUnavailable) as error:
        raise click.ClickException(str(error)) from error
    if format_ == "json":
        click.echo(json.dumps(documents, indent=2, default=str))
    else:
        click.echo(", ".join(f"{count} {verdict}" for verdict, count in sorted(found.items())) or "no statement")
    return 1 if found["refuted"] else 0


def _lines(each: Verification, place: str) -> Iterator[str]:
    verdict = each.verdict.value
    said = each.findings.refused
    if not said:
        said = f"{len(each.findings.observations)} of {each.findings.runs} runs changed the result; "
        said += f"{len(each.proved)} of {len(each.needed)} pairs proved"
    yield f"{place}: {click.style(verdict, fg=_COLORS.get(verdict, 'yellow'))}: {said}"
    for example in each.counter_examples:
        targets = ", ".join(map(str, example.targets))
        yield f"  {example.source} changes {targets}, which the lineage does not relate to it"
        seen = example.observation
        if seen.sql != each.sql:
            yield f"    run as {' '.join(seen.sql.split())}"
        for name, rows in seen.data.items():
            columns = next([*table.columns] for table in each.tables if table.name == name)
            yield from _table(".".join(name), columns, rows)
            if name in seen.changed:
                yield from _table(f"{'.'.join(name)}, changed", columns, seen.changed[name])
        names = [output.column for output in each.outputs]
        yield from _table("result", names, seen.before)
        yield from _table("result, changed", names, seen.after)


def _table(title: str, columns: Sequence[str], rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    yield f"    {title} ({', '.join(columns)})"
    for row in rows[:_SHOWN]:
        yield f"      {', '.join('NULL' if value is None else str(value) for value in row)}"
    if len(rows) > _SHOWN:
        yield f"      … {len(rows) - _SHOWN} more"


def _document(each: Verification, path: str, line: int, column: int) -> dict[str, Any]:
    return {
        "file": None if path == "-" else path,
        "line": line,
        "column": column,
        "verdict": each.verdict.value,
        "reason": each.findings.refused,
        "runs": each.findings.runs,
        "needed": len(each.needed),
        "proved": len(each.proved),
        "counterExamples": [
            {
                "source": str(example.source),
                "targets": [str(target) for target in example.targets],
                "sql": example.observation.sql,
                "data": {".".join(name): rows for name, rows in example.observation.data.items()},
                "changed": {".".join(name): rows for name, rows in example.observation.changed.items()},
                "before": [list(map(str, row)) for row in example.observation.before],
                "after": [list(map(str, row)) for row in example.observation.after],
            }
            for example in each.counter_examples
        ],
    }
