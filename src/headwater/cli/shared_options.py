"""Options that several commands have: colour, verbosity, the configuration file; and what a shell completes for them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem

from headwater.model.diagnostic import Code
from headwater.model.suggestion import did_you_mean
from headwater.sql.dialect import dialect_names
from headwater.sql.guess import AUTO

Decorated = TypeVar("Decorated", bound=Callable[..., Any])
Completer = Callable[[click.Context, click.Parameter, str], list[CompletionItem]]


def color_option(function: Decorated) -> Decorated:
    """`--color`, which decides over NO_COLOR and FORCE_COLOR, which decide over what the output is."""
    return click.option(
        "--color",
        type=click.Choice(["auto", "always", "never"]),
        default="auto",
        expose_value=False,
        is_eager=True,
        callback=_set_colour,
        help="Colours; auto: on a terminal, unless NO_COLOR or FORCE_COLOR says otherwise.",
    )(function)


def _set_colour(context: click.Context, parameter: click.Parameter, value: str) -> None:
    if value != "auto":
        context.color = value == "always"
    elif context.color is None:
        if os.environ.get("NO_COLOR"):
            context.color = False
        elif os.environ.get("FORCE_COLOR", "0") not in ("", "0"):
            context.color = True


def verbosity_options(function: Decorated) -> Decorated:
    """`-v` and `-q`."""
    loud = click.option(
        "-v",
        "--verbose",
        count=True,
        help="Say what is done, on standard error; -vv says more. LOG_LEVEL does the same.",
    )
    quiet = click.option("-q", "--quiet", is_flag=True, help="One line per diagnostic; no summary, no progress.")
    return loud(quiet(function))


def config_options(function: Decorated) -> Decorated:
    """`--config` and `--no-config`."""
    named = click.option(
        "--config",
        "config",
        metavar="FILE",
        shell_complete=complete_files,
        help="Take the settings from this file instead of looking for one.",
    )
    none = click.option("--no-config", is_flag=True, help="Take no settings from any file.")
    return named(none(function))


def listed(complete: Callable[[], Iterable[str]]) -> Completer:
    """Completes the last of comma-separated names."""

    def completed(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
        before, comma, last = incomplete.rpartition(",")
        taken = set(before.split(","))
        return [CompletionItem(before + comma + n) for n in complete() if n.startswith(last) and n not in taken]

    return completed


def complete_files(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Leaves it to the shell to complete a file's name."""
    return [CompletionItem(incomplete, type="file")]


complete_dialects = listed(lambda: [*dialect_names(), AUTO])
complete_codes = listed(lambda: [code.value for code in Code])


def code_named(name: str) -> Code:
    """The diagnostic code of that name, or an error with the one that was perhaps meant."""
    key = name.strip().lower().replace("_", "-")
    known = [code.value for code in Code]
    if key not in known:
        hint = did_you_mean(key, known) or "headwater explain lists the codes"
        raise click.ClickException(f"there is no diagnostic {name!r}; {hint}")
    return Code(key)


def mapping(context: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> dict[str, str]:
    """`a=b,c=d`, once or several times."""
    found: dict[str, str] = {}
    for part in (part for value in values for part in value.split(",") if part):
        key, equals, value = part.partition("=")
        if not equals:
            raise click.BadParameter(f"{part!r} is not name=value")
        found[key.strip()] = value.strip()
    return found


def source_schema_option(function: Decorated) -> Decorated:
    """`--source-schema`, for projects of semantic layers."""
    return click.option(
        "--source-schema",
        multiple=True,
        metavar="SOURCE=SCHEMA",
        callback=mapping,
        help="The schema of tables that a project's models name without one, by their source.",
    )(function)
