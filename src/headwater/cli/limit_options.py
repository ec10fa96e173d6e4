"""`--timeout`, `--memory`, `--max-columns`, `--max-relations`: what a statement may cost; `--template-…`: what a template may."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from headwater.cli.settings import Settings
from headwater.source.template_limits import TemplateLimits, template_limits

Decorated = TypeVar("Decorated", bound=Any)

TEMPLATE_LIMITS = ("template_timeout", "template_size")
LIMITS = ("timeout", "memory", "max_columns", "max_relations", *TEMPLATE_LIMITS)
"""The settings that the options set."""


def _seconds(name: str, help: str) -> Callable[[Decorated], Decorated]:
    kind = click.FloatRange(min=0, min_open=True)
    return click.option(name, type=kind, metavar="SECONDS", help=_with_default(name, help))


def _number(name: str, metavar: str, help: str) -> Callable[[Decorated], Decorated]:
    kind = click.FloatRange(min=1) if metavar == "MEGABYTES" else click.IntRange(min=1)
    return click.option(name, type=kind, metavar=metavar, help=_with_default(name, help))


def _with_default(name: str, help: str) -> str:
    return f"{help}  [default: {getattr(Settings(), name.lstrip('-').replace('-', '_')):.12g}]"


def limit_options(function: Decorated) -> Decorated:
    """The options of statements and of templates."""
    for option in (
        _number("--max-relations", "NUMBER", "How many relations one statement may have."),
        _number("--max-columns", "NUMBER", "How many columns the stars of one statement may stand for."),
        _number("--memory", "MEGABYTES", "How much memory one statement may take."),
        _seconds("--timeout", "How long one statement may take."),
    ):
        function = option(function)
    return template_options(function)


def template_options(function: Decorated) -> Decorated:
    """The options of templates."""
    size = _number("--template-size", "CHARACTERS", "How much text one template may make.")
    return _seconds("--template-timeout", "How long rendering one template may take.")(size(function))


def hold_template_limits(settings: Settings) -> None:
    """Render templates within the limits of the settings, until the command ends."""
    limits = TemplateLimits(settings.template_timeout, int(settings.template_size), memory=int(settings.memory))
    click.get_current_context().with_resource(template_limits(limits))
