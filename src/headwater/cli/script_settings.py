"""Scripts as `analyze`, `check` and `export` take them: with the tables that their paths name, and with schema files beside them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import click

from headwater.analysis import Override, Script
from headwater.catalog import Catalog
from headwater.catalog.schema_file import NAMES, catalog_of_files
from headwater.cli.config_file import ConfigFile, effective_for
from headwater.cli.limit_options import hold_template_limits
from headwater.cli.live_catalog import Answered
from headwater.cli.project_folder import as_scripts, projects_of
from headwater.cli.roots import enter_roots
from headwater.cli.scripts import read_scripts, script_paths
from headwater.cli.settings import COMMAND_LINE, PER_SCRIPT, Settings
from headwater.project.objects import Project
from headwater.project.read import PROJECT_FILES, owns_folder, sort_projects
from headwater.source import Template, find_files
from headwater.sql.target import with_target
from headwater.sql.text import Text


class Prepared(NamedTuple):
    """Scripts and projects to analyse, and what schema files say of tables."""

    scripts: list[Script]
    catalog: Catalog
    projects: tuple[Project, ...] = ()

    @property
    def mentioning(self) -> list[Script]:
        """Everything that may name tables."""
        return [*self.scripts, *as_scripts(self.projects)]

    def known_to(self, told: Answered) -> Answered:
        """What is known of tables, with the schema files above what a database said."""
        return replace(told, catalog=self.catalog.over(told.catalog) if told.catalog else self.catalog)


def prepared(
    paths: tuple[str, ...], file: ConfigFile | None, settings: Settings, template: Template | None = None
) -> Prepared:
    """The scripts and projects that arguments name; a *template* renders scripts.

    Until the command ends, files are read only where these lead.
    """
    enter_roots(paths, settings.follow_links)
    hold_template_limits(settings)
    projects, files = sort_projects(script_paths(paths, PROJECT_FILES))
    projects = [path for path in projects if owns_folder(path)]
    if not projects and not files:
        raise click.ClickException(f"there is no SQL below {', '.join(paths)}")
    scripts: list[Script] = []
    columns: list[tuple[str, Path]] = []
    for script in read_scripts(files, template):
        filled = file.filled(script.path) if file is not None and script.kind == "sql" else None
        if filled is None:
            scripts.append(script)
            continue
        spoken = "" if settings.origin("dialect") == COMMAND_LINE else filled.dialect
        scripts.append(
            script._replace(
                content=Text(with_target(script.content.text, filled.table), script.content.encoding),
                dialect=spoken or script.dialect,
                default_schema=filled.default_schema,
            )
        )
        if filled.columns:
            columns.append((filled.table, Path(filled.columns)))
    found = [Path(path) for path in sort_projects([*projects, *map(str, schema_files(paths))]).others]
    columns += [(table, path) for path in found if file is not None and (table := file.described(path))]
    return Prepared(scripts, catalog_of_files(found, columns), projects_of(projects, settings))


def schema_files(paths: tuple[str, ...]) -> list[Path]:
    """The schema files in the folders that arguments name."""
    folders = [path for path in paths if os.path.isdir(path)]
    return [Path(path) for path in find_files(folders, NAMES)] if folders else []


def override_of(file: ConfigFile | None, told: Answered) -> Override | None:
    """What overrides of the configuration file say of a script, if it has any; schemas are read."""
    found = overriding(file, told.settings)
    if found is None:
        return None

    def override(script: Path | None) -> dict[str, Any]:
        changed = found(script)
        return changed | ({"schema": told.schemas(changed["schema"])} if "schema" in changed else {})

    return override


def overriding(file: ConfigFile | None, settings: Settings) -> Callable[[Path | None], dict[str, Any]] | None:
    """The settings in which a script differs from the others, by its path."""
    if file is None or not file.overrides:
        return None

    def changed(script: Path | None) -> dict[str, Any]:
        own = effective_for(script, file, settings)
        return {name: getattr(own, name) for name in PER_SCRIPT if getattr(own, name) != getattr(settings, name)}

    return changed
