"""A Visivo project as a whole: its files are read, then their objects, those first that others need."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from headwater.project.objects import NoProject, Presentation, Project
from headwater.project.read import VISIVO_FILES
from headwater.project.visivo.charts import read_charts
from headwater.project.visivo.dashboards import read_dashboards, read_markdowns
from headwater.project.visivo.fields import read_fields, read_relations
from headwater.project.visivo.includes import read_files
from headwater.project.visivo.inputs import read_inputs, read_selectors
from headwater.project.visivo.insights import read_insights
from headwater.project.visivo.models import note_commands, read_models
from headwater.project.visivo.reading import Reading
from headwater.project.visivo.sources import read_source, source_name, unknown_source
from headwater.project.visivo.tables import read_tables
from headwater.project.yaml_value import Entries

_NO_ENVIRONMENT: Mapping[str, str] = MappingProxyType({})


def read_visivo(path: Path | str, environment: Mapping[str, str] = _NO_ENVIRONMENT) -> Project:
    """Reads a project: *path* is its folder or its first file, *environment* has the values of `${env.X}`.

    What is wrong in its files is a remark, and the rest is read.
    """
    first = _first_file(Path(path))
    reading = Reading(environment)
    files = read_files(reading, first)
    documents = list(files.values())
    reading.root = documents[0] if documents else None
    name = reading.setting(reading.root.get("name"), "the project's name") if reading.root else ""
    reading.project = name or first.resolve().parent.name
    _read_sources(reading, documents)
    _read_objects(reading, documents)
    return Project(
        reading.project,
        "visivo",
        tuple(reading.sources.values()),
        tuple(reading.models),
        tuple(reading.fields),
        tuple(reading.relations),
        tuple(_without_rows(presentation, reading.arranged) for presentation in reading.presentations),
        reading.catalogs,
        tuple(reading.remarks),
        tuple(files),
    )


def _first_file(path: Path) -> Path:
    if path.is_file():
        return path
    for name in VISIVO_FILES:
        if (path / name).is_file():
            return path / name
    raise NoProject(f"{path.as_posix()} is no Visivo project: there is no {VISIVO_FILES[0]}")


def _read_sources(reading: Reading, documents: list[Entries]) -> None:
    for document in documents:
        for entries in reading.objects(document.get("sources", "targets"), "sources"):
            read_source(reading, entries)
    defaults = reading.entries(reading.root.get("defaults"), "defaults") if reading.root else None
    written = defaults.get("source_name", "target_name") if defaults else None
    if written is not None:
        reading.default_source = name = source_name(reading, written, "defaults")
        if name not in reading.sources:
            reading.sources[name] = unknown_source(reading, name, written.place)


def _read_objects(reading: Reading, documents: list[Entries]) -> None:
    for document in documents:
        note_commands(reading, document.get("models"))
    for document in documents:
        read_models(reading, document.get("models"))
        read_fields(reading, document)
        read_relations(reading, document.get("relations"))
        read_inputs(reading, document.get("inputs"))
        read_selectors(reading, document.get("selectors"))
        read_markdowns(reading, document.get("markdowns"))
        read_insights(reading, document.get("insights"), "insight")
        read_insights(reading, document.get("traces"), "trace")
        read_charts(reading, document.get("charts"))
        read_tables(reading, document.get("tables"))
        read_dashboards(reading, document.get("dashboards"))


def _without_rows(presentation: Presentation, arranged: set[str]) -> Presentation:
    """Selectors and templates may name rows, items and texts of dashboards, which hold no data of their own."""
    if presentation.word not in {"selector", "dashboard"}:
        return presentation
    return replace(presentation, shows=tuple(r for r in presentation.shows if r.name not in arranged))
