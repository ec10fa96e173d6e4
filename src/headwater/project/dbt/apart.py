"""`read_dbt`: a dbt project to a `Project`, by a process of its own, for its templates are rendered there.

Where a template stops that process, a new one reads the project again, without that template. Whatever is wrong with the files is a remark
of the project, with what to run; nothing is raised for it.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from pickle import PicklingError, dumps, loads
from typing import NamedTuple

from headwater.budget.process import Failed, Unavailable, run
from headwater.budget.worker import Parent
from headwater.files.roots import Roots
from headwater.model.diagnostic import Code, Diagnostic
from headwater.project.given_dialect import GivenDialect
from headwater.project.objects import Place, Project
from headwater.source.template_process import GRACE, Circumstances, why_stopped
from headwater.source.template_watch import SETTING, TemplateWatch, watched_by

_MOST_STOPPED = 10
"""Templates that may stop a process each; then only those are rendered again that were rendered before."""
_SHOWN = 80
"""Characters of a setting that a message shows."""


class _Project(NamedTuple):
    """What is read, and with what."""

    path: Path
    given: GivenDialect | None
    variables: Mapping[str, object]
    environment: Mapping[str, str]

    def read(self) -> Project:
        """Read it in this process."""
        from headwater.project.dbt.read import read_here

        return read_here(*self)


class _Request(NamedTuple):
    """Asks for a project."""

    project: bytes
    circumstances: Circumstances
    given_up: dict[str, str]
    """The templates that are not rendered, and why."""
    only: frozenset[str] | None = None
    """The only templates that are rendered."""
    text: str = ""
    timeout: float | None = None
    memory: int | None = None
    reserved: int = 0

    def answer(self, ask: Parent) -> tuple[Project | Exception, Roots | None]:
        """The project, or what reading it raises, and what was not read of its files."""
        limits = self.circumstances.limits
        watch = TemplateWatch(ask, limits.seconds + GRACE, limits.memory, self.given_up, self.only)
        made: Project | Exception
        with self.circumstances.restored(), watched_by(watch):
            try:
                project: _Project = loads(self.project)
                made = project.read()
            except Exception as error:  # noqa: BLE001  (it is the caller's)
                made = error.with_traceback(None)
        return made, self.circumstances.roots


def read_dbt(
    path: str | os.PathLike[str],
    *,
    dialect: str | GivenDialect | None = None,
    variables: Mapping[str, object] | None = None,
    environment: Mapping[str, str] | None = None,
) -> Project:
    """The project in a folder with `dbt_project.yml`, or that of a `manifest.json`.

    *environment* holds the variables of the process, of which dbt's own are heeded; by default it is that of this process. Of a project
    that is not compiled, *variables* are what `var` gives beyond the project's own, and *dialect* is what it is written in if no profile
    says so.
    """
    names = dict(os.environ if environment is None else environment)
    project = _Project(Path(path), GivenDialect.of(dialect), dict(variables or {}), names)
    try:
        written = dumps(project)
    except (PicklingError, TypeError, AttributeError):  # variables of a caller may be anything
        return project.read()
    return _read_apart(project, _Request(written, Circumstances.of_caller(), {}))


def _read_apart(project: _Project, request: _Request) -> Project:
    limits = request.circumstances.limits
    passed: frozenset[str] = frozenset()
    answer: tuple[Project | Exception, Roots | None] | None = None
    while answer is None:
        try:
            answer = run(request)
        except Unavailable:
            return project.read()
        except Failed as failure:
            if not failure.stage:  # no template did it
                return project.read()
            given_up = {**request.given_up, failure.stage: why_stopped(failure.code, limits)}
            passed = (passed | failure.passed) - given_up.keys()
            only = passed if len(given_up) >= _MOST_STOPPED else None
            request = request._replace(given_up=given_up, only=only)
    made, roots = answer
    request.circumstances.note_files(roots)
    if isinstance(made, Exception):
        raise made
    return replace(made, remarks=(*made.remarks, *_remarks(made, request.given_up)))


def _remarks(project: Project, given_up: Mapping[str, str]) -> list[tuple[Diagnostic, Place]]:
    """What is said of settings that are given up; nodes and macros have diagnostics of their own."""
    place = project.sources[0].place if project.sources else Place("dbt_project.yml")
    return [
        (Diagnostic(Code.INVALID_PROJECT, f"{_shown(subject)} is not rendered: {why}", hint=_HINT), place)
        for subject, why in given_up.items()
        if subject.startswith(SETTING)
    ]


_HINT = "correct the template, or run `dbt compile`"


def _shown(subject: str) -> str:
    return subject if len(subject) <= _SHOWN else f"{subject[:_SHOWN]}…"
