"""`--template-timeout` and `--template-size`: the limits of templates."""

from __future__ import annotations

from typing import Any, TypeVar

import click

from headwater.cli.settings import Settings
from headwater.source.template_limits import TemplateLimits, template_limits

Decorated = TypeVar("Decorated", bound=Any)


def template_options(function: Decorated) -> Decorated:
    """The options."""
    seconds = click.option(
        "--template-timeout",
        type=click.FloatRange(min=0, min_open=True),
        metavar="SECONDS",
        help="For rendering one template.",
    )
    size = click.option(
        "--template-size", type=click.IntRange(min=1), metavar="CHARACTERS", help="For what one template makes."
    )
    decorated: Decorated = seconds(size(function))
    return decorated


def hold_template_limits(settings: Settings) -> None:
    """Render templates within the limits of the settings, until the command ends."""
    limits = TemplateLimits(settings.template_timeout, int(settings.template_size))
    click.get_current_context().with_resource(template_limits(limits))
