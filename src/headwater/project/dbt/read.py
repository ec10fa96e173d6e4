"""`read_here`: a dbt project to a `Project`, in this process.

What dbt has compiled is read: `manifest.json`, `catalog.json`, `semantic_manifest.json`; where nothing is compiled, the project's own files
are, as far as that goes. Whatever is wrong with them is a remark of the project, with what to run; nothing is raised for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from headwater.model.diagnostic import Code
from headwater.model.entity import TableName
from headwater.project.dbt.adapters import dialect_of_adapter
from headwater.project.dbt.catalog import CATALOG, Columns, read_catalog_file
from headwater.project.dbt.document import inner, text
from headwater.project.dbt.elements import Elements, semantic_model
from headwater.project.dbt.exposures import read_exposures
from headwater.project.dbt.files import COMPILE
from headwater.project.dbt.folder import MANIFEST, PROJECT_FILE, Folder, find_folder
from headwater.project.dbt.hooks import read_operations
from headwater.project.dbt.manifest import Manifest, read_manifest
from headwater.project.dbt.metrics import Metrics
from headwater.project.dbt.models import read_analyses, read_models
from headwater.project.dbt.naming import dotted, table_of
from headwater.project.dbt.outside import read_seeds, read_sources
from headwater.project.dbt.parsed import with_templates
from headwater.project.dbt.places import Places
from headwater.project.dbt.reading import Reading
from headwater.project.dbt.remarks import Remarks
from headwater.project.dbt.saved_queries import read_saved_queries
from headwater.project.dbt.semantic_models import read_elements, read_relations, read_semantic_models
from headwater.project.dbt.snapshots import read_snapshots
from headwater.project.dbt.surroundings import Surroundings
from headwater.project.dbt.uncompiled import uncompiled_manifest
from headwater.project.given_dialect import GivenDialect
from headwater.project.objects import Model, Place, Project, Source
from headwater.sql.dialect import Dialect
from headwater.sql.dialect import dialect as dialect_named

_NAMED = "name the dialect: --dialect NAME, or `dialect` in headwater.toml; `headwater dialects` lists them"
"""What to do about an adapter that nobody knows."""


def read_here(
    path: Path, given: GivenDialect | None, variables: Mapping[str, object], environment: Mapping[str, str]
) -> Project:
    """The project at a path, as `read_dbt` says."""
    remarks = Remarks()
    surroundings = Surroundings(variables, environment)
    folder = find_folder(path, surroundings, remarks)
    manifest = read_manifest(folder, remarks) if folder.manifest.is_file() else None
    if folder.root is not None:
        manifest = (
            uncompiled_manifest(folder, folder.root, surroundings, given, remarks)
            if manifest is None
            else with_templates(manifest, folder, folder.root, surroundings, remarks)
        )
    if manifest is None:
        return _unread(folder, remarks)
    return _project(_reading(folder, manifest, given, remarks))


def _unread(folder: Folder, remarks: Remarks) -> Project:
    """What is left of a project whose manifest cannot be read."""
    if not folder.manifest.is_file():
        here = folder.target.as_posix()
        message = f"{here} holds neither {PROJECT_FILE} nor {MANIFEST}"
        remarks.add(Code.INVALID_PROJECT, message, Place(folder.project_file), hint=COMPILE)
    return Project(text(folder.settings, "name") or "dbt", "dbt", remarks=remarks.all())


def _reading(folder: Folder, manifest: Manifest, given: GivenDialect | None, remarks: Remarks) -> Reading:
    place = Place(folder.project_file)
    speaks = dialect_of_adapter(manifest.adapter) or (given and given.name)
    if not speaks:
        remarks.add(
            Code.INVALID_PROJECT, *_unknown_adapter(manifest.adapter, place), subject=manifest.adapter, hint=_NAMED
        )
    spoken = dialect_named(speaks or "ansi")
    source = Source(manifest.project, spoken.name, place, _default_schema(manifest, spoken))
    columns = read_catalog_file(folder, spoken, remarks)
    return Reading(folder, manifest, source, spoken, columns, Places(folder, remarks), remarks)


def _unknown_adapter(adapter: str, place: Place) -> tuple[str, Place]:
    what = f"the adapter {adapter} is not known" if adapter else "nothing says which database the project is for"
    return f"{what}; its SQL is read as standard SQL", place


def _default_schema(manifest: Manifest, dialect: Dialect) -> TableName | None:
    """The schema that dbt was told to work in: that of a node which asks for no other."""
    for node in manifest.of_type("model", "seed", "snapshot"):
        config, table = inner(node, "config"), table_of(node, dialect)
        if table and not any(text(config, key) for key in ("schema", "database", "target_schema", "target_database")):
            return table[:-1] or None
    return None


def _project(reading: Reading) -> Project:
    elements = Elements(tuple(map(semantic_model, reading.manifest.semantic_models)))
    metrics = Metrics(elements, reading)
    outside = (*read_seeds(reading), *read_sources(reading))
    models = (*read_models(reading), *read_snapshots(reading), *outside, *read_analyses(reading))
    models += tuple(read_semantic_models(elements, reading))
    fields = (*read_elements(elements, reading), *metrics.fields())
    relations = tuple(read_relations(elements, reading))
    presentations = (*read_exposures(reading), *read_saved_queries(metrics))
    return Project(
        name=reading.manifest.project,
        tool="dbt",
        sources=(reading.source,),
        models=models,
        fields=fields,
        relations=relations,
        presentations=presentations,
        operations=tuple(read_operations(reading)),
        catalogs={reading.dialect.name: _catalog(models, reading)},
        remarks=reading.remarks.all(),
        files=_files(reading, (model.place for model in models)),
    )


def _catalog(models: Iterable[Model], reading: Reading) -> dict[str, Columns]:
    """The columns of every table that they are known of, from the database or from files."""
    found: dict[str, Columns] = {}
    for model in models:
        columns = reading.columns.get(model.name) or model.columns
        if model.table and columns:
            found[dotted(model.table)] = columns
    return found


def _files(reading: Reading, places: Iterable[Place]) -> tuple[str, ...]:
    catalog = reading.folder.target / CATALOG
    own = (*reading.manifest.files, *((catalog.as_posix(),) if catalog.is_file() else ()))
    return tuple(dict.fromkeys((*own, *sorted(place.path for place in places))))
