"""The project that `headwater check` is to look at: scripts that the command line names, or a store."""

from __future__ import annotations

import os
from collections.abc import Collection, Iterator
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

import click

from headwater.analysis import EngineUnavailable, analyze_scripts, dialects_of
from headwater.catalog import CatalogError
from headwater.check.run import Concerns
from headwater.check.scripts import Analysed, ScriptProject
from headwater.cli.config_file import ConfigFile, effective_for
from headwater.cli.guessed_dialect import with_guess
from headwater.cli.live_catalog import Answered, answered_for
from headwater.cli.missing_file import missing
from headwater.cli.progress import Progress
from headwater.cli.project_folder import lineages_of
from headwater.cli.script_settings import Prepared, override_of
from headwater.cli.scripts import STANDARD_INPUT
from headwater.cli.settings import Settings
from headwater.cli.store_options import opened
from headwater.sql.dialect import UnknownDialect
from headwater.sql.guess import AUTO

if TYPE_CHECKING:
    from headwater.check.stored import StoredProject
    from headwater.graph import Graph
    from headwater.tags.governance import Governance

CURRENT = "current"


def script_project(ready: Prepared, file: ConfigFile | None, settings: Settings, quiet: bool) -> ScriptProject:
    """Scripts, analysed."""
    try:
        if settings.dialect == AUTO:
            settings = with_guess(settings, (script.content.text for script in ready.mentioning))
        dialects_of(settings.dialect)
        for schema in settings.schema:
            if not schema.lstrip().startswith("{") and not Path(schema).exists():
                raise CatalogError(f"schema file {missing(Path(schema))}")
        if not settings.catalog:
            return ScriptProject(_analysed(ready, file, ready.known_to(Answered(settings)), quiet))
        told = ready.known_to(answered_for(ready.mentioning, settings, file, quiet))
        return ScriptProject(_analysed(ready, file, told, quiet))
    except (CatalogError, UnknownDialect, EngineUnavailable) as error:
        raise click.ClickException(str(error)) from error


def _analysed(ready: Prepared, file: ConfigFile | None, told: Answered, quiet: bool) -> Iterator[Analysed]:
    scripts, settings, remarks = ready.scripts, told.settings, told.remarks
    progress = Progress.on_terminal(len(scripts), wanted=not quiet)
    lineages = analyze_scripts(
        scripts,
        *(settings.dialect, told.schemas(settings.schema), settings.default_schema, settings.engine),
        ambiguous=settings.ambiguous,
        insert_by=settings.insert_by,
        override=override_of(file, told),
        **settings.limits,
    )
    for script, lineage in zip(scripts, lineages, strict=True):
        progress.step(lineage.path or STANDARD_INPUT)
        for remark in remarks:
            lineage.remark(remark)
        remarks = ()
        lineage.path = shown_from_here(lineage.path) if lineage.path else None
        spoken = script.dialect or effective_for(script.path, file, settings).dialect
        yield Analysed(lineage, script.content.text, spoken)
    for each in lineages_of(ready.projects, told):
        each.lineage.path = shown_from_here(each.lineage.path) if each.lineage.path else None
        yield Analysed(each.lineage, each.text, each.dialect)
    progress.clear()


def stored_project(store: str, against: str | None, governance: Governance | None) -> StoredProject:
    """The current snapshot of a store, and what it is to be compared with; inside of `asking`."""
    from headwater.check.stored import StoredProject
    from headwater.store import Store, StoreError

    if not Store(store).exists:
        raise StoreError(
            f"there is no store in {store}; make one with: headwater build SQL -o {store}, or name scripts to check without one"
        )
    earlier = None if against is None else graph_named(against, store)
    return StoredProject(opened(store, None), earlier, governance)


def graph_named(named: str, store: str) -> Graph:
    """The graph of the store in a folder, or of a snapshot of the store by its name or time; inside of `asking`."""
    from headwater.store import Store, StoreError

    if Store(named).exists:
        return opened(named, None)
    if named == CURRENT:
        return opened(store, None)
    if named[:4].isdecimal() or named in Store(store).names():
        return opened(store, named)
    raise StoreError(f"{named} is neither a store nor the time or name of a snapshot")


def concerned(paths: tuple[str, ...], read: Collection[str] = ()) -> Concerns:
    """Whether a script is one of these, or below one of these folders, or was read; without any path, all are."""
    named = {_plain(path) for path in paths}

    def concerns(path: str) -> bool:
        return not named or path in read or not named.isdisjoint(_with_folders(path))

    return concerns


def strangers(paths: tuple[str, ...], known: Collection[str]) -> list[str]:
    """The paths that are none of the known scripts, and no folder of one."""
    seen = {each for path in known for each in _with_folders(path)} if paths else set()
    return [path for path in paths if _plain(path) not in seen]


def _with_folders(path: str) -> Iterator[PurePosixPath]:
    plain = _plain(path)
    yield plain
    yield from plain.parents


def _plain(path: str) -> PurePosixPath:
    """A path by which scripts are compared: from here on, if it lies below, else an absolute one."""
    if "://" in path:
        return PurePosixPath(path)
    return PurePosixPath(os.path.abspath(path) if _is_outside(path) else shown_from_here(path))


def shown_from_here(path: str) -> str:
    """A file's path from here on, if it lies below: a pull request knows no other."""
    return path if _is_outside(path) else os.path.relpath(path).replace(os.sep, "/")


def _is_outside(path: str) -> bool:
    return os.path.relpath(path).split(os.sep, 1)[0] == os.pardir
