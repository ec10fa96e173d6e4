"""`headwater project`: semantic layers, without a store: what is wrong in a project, and what its metrics are made of."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any, NamedTuple

import click

from headwater.analysis import catalog_of
from headwater.catalog import Catalog, CatalogError
from headwater.catalog.pull import pull
from headwater.catalog.wanted import wanted_by
from headwater.check.finding import Finding, Where
from headwater.check.formats.github import github_lines
from headwater.check.formats.json_format import to_json
from headwater.check.formats.sarif import to_sarif
from headwater.check.run import Report
from headwater.cli.cells import visible
from headwater.cli.check_text import finding_lines, summary_lines
from headwater.cli.config_file import config_file, effective
from headwater.cli.echo import echo_lines
from headwater.cli.limit_options import hold_template_limits, template_options
from headwater.cli.live_catalog import asking_of, catalog_options, named, note_unkept, telling
from headwater.cli.roots import enter_roots, follow_links_option
from headwater.cli.settings import given_dialect
from headwater.cli.shared_options import (
    color_option,
    complete_dialects,
    complete_files,
    config_options,
    source_schema_option,
)
from headwater.model.diagnostic import Diagnostic, Severity
from headwater.model.span import Position
from headwater.project.given_dialect import GivenDialect
from headwater.project.lineage import project_lineage
from headwater.project.names import UnknownReference
from headwater.project.objects import Model, NoProject, Operation, Place, Project
from headwater.project.read import read_project
from headwater.project.resolver import ResolvedExpression, Resolver
from headwater.project.runnable import Circular
from headwater.project.schemas import as_in_database, with_schemas
from headwater.project.statements import dialect_of
from headwater.sql.dialect import dialect

_FORMATS = ("text", "json", "sarif", "github")
_EXAMPLES = """\b
Examples:
  headwater project check
  headwater project check shop/ --format github
  headwater project resolve orders.total_revenue
  headwater project show shop/"""


@click.group(
    short_help="Check a project of Visivo, dbt, Dataform or SQLMesh, and resolve its metrics.", epilog=_EXAMPLES
)
@color_option
def project() -> None:
    """Projects of Visivo, dbt, Dataform and SQLMesh, read as they are.

    `headwater build FOLDER` takes the same projects into a store, where upstream, downstream and impact know them.
    """


def _table_options(function: Any) -> Any:
    """What is known of tables: from files, or from a database."""
    schema = click.option(
        "-s", "--schema", multiple=True, shell_complete=complete_files, help="Tables and columns, as for analyze."
    )
    spoken = click.option(
        *("-d", "--dialect"),
        shell_complete=complete_dialects,
        help="What a dbt project that is not compiled is written in, whatever its files say.",
    )
    given = click.option(
        "--vars", "variables", multiple=True, metavar="NAME=VALUE|JSON", help="Variables of a dbt project."
    )
    shared = source_schema_option(catalog_options(follow_links_option(template_options(config_options(function)))))
    return schema(spoken(given(shared)))


_path_argument = click.argument(
    "path", default=".", metavar="[FOLDER|FILE]", type=click.Path(path_type=Path), shell_complete=complete_files
)


@project.command(short_help="Find what is wrong in a project, before any query runs.")
@_path_argument
@_table_options
@click.option("-f", "--format", "format_", type=click.Choice(_FORMATS), default="text", show_default=True)
@click.option(
    "--fail-on",
    type=click.Choice([severity.value for severity in Severity]),
    default=Severity.WARNING.value,
    show_default=True,
    help="The least finding that makes the exit code 1.",
)
@color_option
def check(path: Path, format_: str, fail_on: str, **told: Any) -> int:
    """Find references to nothing, circles, dimensions that aggregate, metrics that do not, missing joins, unknown columns.

    The exit code is 0 if all is clean, 1 if there are findings, 2 if it could not run.
    """
    read = _known(path, told)
    made = project_lineage(read.project, read.catalog)
    findings = {
        Finding(
            said.code.value,
            said.severity,
            said.message,
            said.subject,
            Where(0, place.path, None if place == Place(place.path) else Position(place.line, place.column)),
            said.hint,
            known_by=(place.path,),
        )
        for said, place in (*made.diagnostics(), *((said, Place(str(path))) for said in read.remarks))
    }
    report = Report(tuple(sorted(findings, key=Finding.order)), {}, 0, (), lambda known: True)
    if format_ == "json":
        click.echo(to_json(report))
    elif format_ == "sarif":
        click.echo(to_sarif(report))
    else:
        echo_lines(github_lines(report) if format_ == "github" else finding_lines(report))
    echo_lines(summary_lines(report), err=True)
    return 1 if report.fails(Severity(fail_on)) else 0


@project.command(short_help="What a metric, dimension, column or property is made of.")
@click.argument("reference")
@click.option(
    "-p", "--project", "path", default=".", type=click.Path(path_type=Path), shell_complete=complete_files,
    help="The project's folder.",
)  # fmt: skip
@click.option("--context", default="", help="The model whose fields a bare name may mean.")
@_table_options
@click.option("-f", "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@color_option
def resolve(reference: str, path: Path, context: str, format_: str, **told: Any) -> int:
    """What REFERENCE means: `orders.total_revenue`, `total_revenue` with --context orders, or `${ref(orders).total_revenue}`."""
    try:
        read = _known(path, told)
        found = Resolver(read.project, read.catalog).resolve(reference, context)
    except (UnknownReference, Circular) as error:
        hint = getattr(error, "hint", "")
        raise click.ClickException(f"{error}{f'; {hint}' if hint else ''}") from error
    if format_ == "json":
        click.echo(json.dumps(asdict(found), indent=2, ensure_ascii=False))
    else:
        echo_lines(_lines(found))
    return 0


def _lines(found: ResolvedExpression) -> Iterator[str]:
    yield f"{click.style(visible(found.name), bold=True)}  {found.kind}"
    rows = [
        ("is", (found.sql,)),
        ("made of", found.dependencies),
        ("values from", found.columns),
        ("decided by", found.influences),
        ("models", found.models),
    ]
    margin = max(len(name) for name, _ in rows)
    for name, values in rows:
        for number, value in enumerate(values):
            yield f"  {name if not number else '':<{margin}}  {visible(value)}"
    yield ""
    if not found.query:
        yield "  no query of its own: it only shows others, or it would be too large for a database"
    yield from (f"  {click.style(visible(line), fg='cyan')}" for line in found.query.splitlines())


@project.command(short_help="What a project consists of.")
@_path_argument
@click.option("-f", "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@template_options
@config_options
@color_option
def show(path: Path, format_: str, config: str | None, no_config: bool, **told: Any) -> int:
    """List the objects of a project, with their places."""
    given = {name: value for name, value in told.items() if value is not None}
    hold_template_limits(effective(config_file(config, no_config), given))
    (read,) = _read(path, {})
    rows = list(_objects(read))
    if format_ == "json":
        keys = ("kind", "name", "path", "line")
        listed = [dict(zip(keys, row, strict=True)) for row in rows]
        click.echo(json.dumps({"name": read.name, "tool": read.tool, "objects": listed}, indent=2, ensure_ascii=False))
        return 0
    counts = Counter(kind for kind, *_ in rows)
    click.echo(f"{click.style(visible(read.name), bold=True)}  {read.tool}")
    margin = max((len(kind) for kind in counts), default=0)
    for kind, name, file, line in rows:
        click.echo(f"  {kind:<{margin}}  {visible(name)}  {click.style(f'{visible(file)}:{line}', dim=True)}")
    click.echo(", ".join(f"{count} {kind}{'s' * (count != 1)}" for kind, count in counts.items()), err=True)
    return 0


def _objects(read: Project) -> Iterator[tuple[str, str, str, int]]:
    for source in read.sources:
        yield "source", source.name, source.place.path, source.place.line
    for model in read.models:
        yield "model", model.name, model.place.path, model.place.line
    for operation in read.operations:
        yield "operation", operation.name, operation.place.path, operation.place.line
    for field in read.fields:
        yield field.kind, field.full_name, field.place.path, field.place.line
    for relation in read.relations:
        yield "relation", relation.name, relation.place.path, relation.place.line
    for shown in read.presentations:
        yield shown.word, shown.name, shown.place.path, shown.place.line


def _read(
    path: Path, schemas: dict[str, str], dialect: GivenDialect | None = None, variables: tuple[str, ...] = ()
) -> tuple[Project, ...]:
    try:
        found = read_project(path, dialect=dialect, variables=_values(variables))
        return with_schemas([found], schemas)
    except NoProject as error:
        raise click.ClickException(str(error)) from error


def _values(given: tuple[str, ...]) -> dict[str, object]:
    """The variables that the command line gives."""
    if not given:
        return {}
    from headwater.source.template import TemplateProblem, variables_of

    try:
        return variables_of(given)
    except TemplateProblem as error:
        raise click.UsageError(f"--vars: {error}") from error


class _Known(NamedTuple):
    """A project, and what is known of the tables below it."""

    project: Project
    catalog: Catalog | None
    remarks: tuple[Diagnostic, ...]


def _known(path: Path, told: dict[str, Any]) -> _Known:
    """The project at a path; a database is asked for the tables that its models refer to, and for nothing else."""
    file = config_file(told.pop("config"), told.pop("no_config"))
    schemas, variables = told.pop("source_schema"), told.pop("variables")
    settings = effective(file, {name: value for name, value in told.items() if value not in (None, ())})
    hold_template_limits(settings)
    enter_roots([str(path)], settings.follow_links)
    (read,) = _read(path, schemas, given_dialect(settings), variables)
    try:
        known = catalog_of(settings.schema or None, dialect("ansi"))
        if not settings.catalog:
            return _Known(read, known, ())
        live, scope = named(settings.catalog, file, settings.catalog_timeout)
        queries: tuple[Model | Operation, ...] = (*read.models, *read.operations)
        wanted = wanted_by((each.sql, dialect_of(each.source)) for each in queries)
        with telling(True) as tell:
            pulled = pull(live, asking_of(settings, file, scope, tell), wanted, views=False)
    except CatalogError as error:
        raise click.ClickException(str(error)) from error
    note_unkept(pulled, quiet=False)
    return _Known(as_in_database(read, pulled.dialect.name, pulled.path), known.over(pulled.catalog()), pulled.remarks)
