"""`--jinja` and `--vars`: whether scripts are rendered as templates."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, TypeVar

import click

from headwater.cli.limit_options import hold_template_limits
from headwater.cli.settings import Settings
from headwater.source.template import Template, TemplateProblem, variables_of

Decorated = TypeVar("Decorated", bound=Any)


def jinja_options(function: Decorated) -> Decorated:
    """`--jinja` and `--vars`."""
    jinja = click.option("--jinja", is_flag=True, help="Render scripts as Jinja templates, with dbt's ref and source.")
    variables = click.option(
        "--vars", "variables", multiple=True, metavar="NAME=VALUE|JSON", help="Values for templates; means --jinja."
    )
    decorated: Decorated = jinja(variables(function))
    return decorated


def template_of(jinja: bool, variables: Sequence[str], paths: Sequence[str]) -> Template | None:
    """How scripts are rendered; None if they are not. Templates may include each other in the folders that *paths* name or are in."""
    if not (jinja or variables):
        return None
    folders = (str(p if p.is_dir() else p.parent) for p in map(Path, paths) if p.exists())
    return Template(variables_of(variables), roots=list(dict.fromkeys(folders)))


def given_template(settings: Settings, jinja: bool, variables: Sequence[str], paths: Sequence[str]) -> Template | None:
    """The same, within the limits of the settings; variables that cannot be read are an error of one line."""
    hold_template_limits(settings)
    try:
        return template_of(jinja, variables, paths)
    except TemplateProblem as problem:
        raise click.ClickException(str(problem)) from problem
