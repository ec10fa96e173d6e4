"""`headwater config`: the effective settings, and where each of them comes from."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from headwater.catalog.url import shown
from headwater.cli.config_file import ConfigFile, config_file, effective, effective_for
from headwater.cli.echo import echo_lines
from headwater.cli.settings import NAMES, Settings, key_of
from headwater.cli.shared_options import color_option, complete_files, config_options

_OF_TARGET = ("table", "columns", "dialect", "default_schema")


@click.command(
    epilog="""\b
Examples:
  headwater config
  headwater config legacy/load.sql
  headwater config --config ci/headwater.toml --format json"""
)
@click.argument("script", required=False, metavar="[FILE]", shell_complete=complete_files)
@config_options
@click.option("-f", "--format", "format_", type=click.Choice(["text", "json"]), default="text", show_default=True)
@color_option
def config(script: str | None, config: str | None, no_config: bool, format_: str) -> None:
    """Show the settings in effect, and where each comes from.

    They are those of `headwater analyze` without options, in the current folder; with FILE, those of that script, overrides
    included. Settings are read from headwater.toml, or from [tool.headwater] in pyproject.toml, here or in a folder above.
    """
    file = config_file(config, no_config)
    settings = effective(file, {})
    if script is not None:
        settings = effective_for(Path(script), file, settings)
    if format_ == "json":
        click.echo(json.dumps(_document(file, settings), indent=2, ensure_ascii=False))
    else:
        echo_lines(_lines(file, settings, script is None))


def _lines(file: ConfigFile | None, settings: Settings, overrides: bool) -> Iterator[str]:
    """The settings as TOML, each with its origin as a comment."""
    yield _remark(f"# {file.path}" if file else "# no headwater.toml, and no [tool.headwater], from here upwards")
    lines = [(_assignment(name, _shown(settings, name)), settings.origin(name)) for name in NAMES]
    margin = max(len(line) for line, _ in lines)
    for line, origin in lines:
        yield f"{line:<{margin}}  {_remark(f'# {origin}')}"
    for override in file.overrides if file and overrides else ():
        yield ""
        yield f"[[overrides]]  {_remark(f'# {override.origin}')}"
        yield _assignment("path", override.paths)
        yield from (_assignment(name, value) for name, value in override.values.items())
    for target in file.targets if file and overrides else ():
        yield ""
        yield f"[[targets]]  {_remark(f'# {target.origin}')}"
        yield _assignment("path", target.paths)
        yield from (_assignment(name, getattr(target, name)) for name in _OF_TARGET if getattr(target, name))


def _shown(settings: Settings, name: str) -> Any:
    """A setting without secrets: a URL may have a password."""
    value = getattr(settings, name)
    return shown(value) if name == "catalog" and value else value


def _remark(text: str) -> str:
    return click.style(text, dim=True)


def _assignment(name: str, value: Any) -> str:
    if value is None:
        return f"# {key_of(name)} is not set"
    return f"{key_of(name)} = {json.dumps(value, ensure_ascii=False)}"


def _document(file: ConfigFile | None, settings: Settings) -> dict[str, Any]:
    return {
        "file": str(file.path) if file else None,
        "settings": {
            key_of(name): {"value": _shown(settings, name), "origin": settings.origin(name)} for name in NAMES
        },
        "overrides": [
            {"path": o.paths, **{key_of(n): v for n, v in o.values.items()}, "origin": o.origin}
            for o in (file.overrides if file else ())
        ],
        "targets": [
            {"path": t.paths, **{key_of(n): getattr(t, n) for n in _OF_TARGET if getattr(t, n)}, "origin": t.origin}
            for t in (file.targets if file else ())
        ],
    }
