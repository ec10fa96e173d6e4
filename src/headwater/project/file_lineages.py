"""The lineage of a project file by file, as that of scripts is: what commands show that take scripts and projects alike."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from headwater.budget import Resolved
from headwater.lineage.lineage import Lineage, StatementLineage
from headwater.model.diagnostic import Diagnostic
from headwater.model.span import LineIndex, Span
from headwater.project.lineage import ProjectLineage
from headwater.project.objects import Place
from headwater.project.redacted_template import redacted_template
from headwater.project.statement import ProjectStatement
from headwater.sql.text import read_text


@dataclass(frozen=True, slots=True)
class FileLineage:
    """A file of a project: its lineage, text and dialect."""

    lineage: Lineage
    text: str
    dialect: str


@dataclass(slots=True)
class _File:
    made: list[tuple[ProjectStatement, tuple[Resolved, ...]]] = field(default_factory=list)
    problems: list[tuple[Diagnostic, Place]] = field(default_factory=list)


def file_lineages(whole: ProjectLineage) -> Iterator[FileLineage]:
    """The lineages of a project's files, by their paths; only of files of which there is something to show."""
    files: dict[str, _File] = {}
    for statement, resolved in whole.statements:
        files.setdefault(statement.place.path, _File()).made.append((statement, resolved))
    for diagnostic, place in whole.compiled.problems:
        files.setdefault(place.path, _File()).problems.append((diagnostic, place))
    for path, file in sorted(files.items()):
        yield _lineage(path, file)


def _lineage(path: str, file: _File) -> FileLineage:
    text = _text_of(path)
    lines = LineIndex(text)
    spoken = file.made[0][0].dialect if file.made else "ansi"
    statements = [_shown(each, statement, lines) for statement, resolved in file.made for each in resolved]
    lineage = Lineage(statements, text, path, redacted_template(text, spoken).slice)
    for diagnostic, place in file.problems:
        lineage.remark(replace(diagnostic, span=_beginning(place, lines)))
    return FileLineage(lineage, text, spoken)


def _text_of(path: str) -> str:
    try:
        return read_text(Path(path)).text
    except OSError:
        return ""


def _shown(made: Resolved, statement: ProjectStatement, lines: LineIndex) -> StatementLineage:
    """A statement with its place in the file; one whose SQL is not written there has the place of its object."""
    found = StatementLineage(*made)
    if statement.places is not None:
        return found
    process = replace(made.resolution.process, span=_beginning(statement.place, lines))
    return replace(found, resolution=made.resolution._replace(process=process))


def _beginning(place: Place, lines: LineIndex) -> Span:
    """Where an object begins, as offsets."""
    if not 0 < place.line <= len(lines.starts):
        return Span(0, 0)
    start = lines.starts[place.line - 1] + max(place.column - 1, 0)
    return Span(start, start)
