"""Projects of semantic layers, as a DataFrame of scripts: each of their files is one, its objects' statements are its text.

A project is small, and its files refer to each other: it is read here, and its statements travel written down.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headwater.model.diagnostic import Diagnostic
from headwater.model.span import BEGINNING, Position, Span
from headwater.order.cut import Cut, CutScript
from headwater.pipeline.read.files import SCRIPT
from headwater.project.compiled import compiled
from headwater.project.mentioned import mentioned
from headwater.project.objects import Place, Project
from headwater.project.redacted_template import redacted_template
from headwater.project.resolved import PROJECT
from headwater.project.statement import ProjectStatement
from headwater.project.written import read, read_remark, written, written_remark
from headwater.runtime.arrow_frames import from_arrow
from headwater.sql.text import read_text
from headwater.store.identity import NOWHERE, identify, script_id

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


def read_projects(spark: SparkSession, projects: Iterable[Project]) -> DataFrame:
    """The files of projects as scripts."""
    rows = [row for project in projects for row in _rows(project)]
    return from_arrow(spark, pa.Table.from_pylist(rows, schema=SCRIPT))


def _rows(project: Project) -> Iterator[dict[str, Any]]:
    made = compiled(project)
    files: dict[str, list[ProjectStatement]] = {}
    remarks: dict[str, list[tuple[Diagnostic, Place]]] = {}
    for statement in made.statements:
        files.setdefault(statement.place.path, []).append(statement)
    for diagnostic, place in made.problems:
        remarks.setdefault(place.path, []).append((diagnostic, place))
    for path in dict.fromkeys((*files, *remarks)):
        statements = files.get(path, [])
        text = {
            "template": _template(path, statements),
            "statements": [[each.place.line, each.place.column, written(each)] for each in statements],
            "remarks": [[place.line, place.column, written_remark(said)] for said, place in remarks.get(path, ())],
        }
        yield {
            "script_id": script_id(path),
            "source_id": NOWHERE,
            "path": path,
            "kind": PROJECT,
            "dialect": PROJECT,
            "default_schema": "",
            "schema": "",
            "encoding": "",
            "text": json.dumps(text, ensure_ascii=False),
            "problem": "",
            "skipped": 0,
            "seen": 1,
            "first_seen": None,
            "last_seen": None,
            "users": [],
            "costs": [],
        }


def _template(path: str, statements: Iterable[ProjectStatement]) -> str:
    """The text of a file in which statements have places; nothing of other files, of which only their objects are known."""
    if all(each.places is None for each in statements):
        return ""
    try:
        return read_text(Path(path)).text
    except OSError:
        return ""


def cut_project(text: str) -> CutScript:
    """The cuts of a project's file: one for each statement, at its object's place or where its SQL stands."""
    content = json.loads(text)
    template = content["template"]
    cuts = tuple(_cut(len(template), number, *each) for number, each in enumerate(content["statements"]))
    remarks = tuple((read_remark(said), Position(line, column)) for line, column, said in content["remarks"])
    spoken = read(content["statements"][0][-1]).dialect if template else ""
    return CutScript(
        cuts, redacted_template(template, spoken).blanked() if template else "", remarks, f"{identify(text)}"
    )


def _cut(size: int, number: int, line: int, column: int, text: str) -> Cut:
    statement = read(text)
    found = mentioned(statement)
    place = (Span(number, number + 1), Position(line, column))
    if statement.places is not None:  # what is found in it has places of its own, from the beginning of the file on
        place = (Span(0, size), BEGINNING)
    return Cut(*place, text, None, statement.default_schema, text, found.query_hash, found.mentions, scoped=False)
