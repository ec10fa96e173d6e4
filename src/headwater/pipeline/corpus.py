"""`build`: whatever was named on the command line, to a store.

Sorts what is named into files, query logs, tables and standard input, reads them as one DataFrame of scripts, and builds.
"""

from __future__ import annotations

import glob
import logging
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from headwater.analysis import catalog_of, dialects_of
from headwater.budget import Budget
from headwater.catalog import Catalog
from headwater.catalog.database import Live
from headwater.catalog.pull import Asking, Pulled, pull
from headwater.catalog.schema_file import NAMES as SCHEMA_FILES
from headwater.catalog.schema_file import catalog_beside, catalog_of_files
from headwater.catalog.wanted import Wanted
from headwater.files import Roots, exists, passes_over, reading_below, roots_in_force
from headwater.files.roots import reading_also
from headwater.openlineage.event_file import ENDINGS as EVENT_ENDINGS
from headwater.openlineage.event_file import is_event_file
from headwater.openlineage.namespaces import Namespaces
from headwater.pipeline.build import Build, Built, Tell
from headwater.pipeline.options import Options
from headwater.pipeline.read.captured import is_captured
from headwater.pipeline.read.catalog_scripts import described_scripts
from headwater.pipeline.read.files import Reading, Setting
from headwater.pipeline.read.inputs import TABLE, InputFile, NothingToRead, remote_files, shown_path
from headwater.pipeline.read.log_files import is_log_path
from headwater.pipeline.read.log_preset import LogPreset
from headwater.pipeline.read.logs import LogColumns
from headwater.pipeline.read.openlineage import event_files
from headwater.pipeline.read.sources import Sources
from headwater.pipeline.read.wanted_names import wanted_names
from headwater.project.given_dialect import GivenDialect
from headwater.project.known_tables import known_tables
from headwater.project.objects import Project
from headwater.project.read import PROJECT_FILES, SQLMESH_FILES, read_project, sort_projects
from headwater.project.schemas import as_in_database, with_schemas
from headwater.runtime.build_session import build_session
from headwater.runtime.failure import spark_failures
from headwater.runtime.session import spark_session
from headwater.runtime.workers import Workers, WorkersUnready, look_at
from headwater.source import INCLUDED, Filled, Template, find_files, read_manifest
from headwater.sql.dialect import Dialect
from headwater.storage.uri import is_uri, local_path, scheme
from headwater.store import Store

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Corpus:
    """What is to be read, and how."""

    paths: Sequence[str]
    dialect: str = "spark"
    default_schema: str = ""
    exclude: Sequence[str] = ()
    manifest: str | None = None
    template: Template | None = None
    log: LogColumns = field(default_factory=LogColumns)
    preset: LogPreset | None = None
    """What the logs are logs of: their columns are then known."""
    standard_input: bytes = b""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """What single files have of their own, by the path they are shown with."""
    root: str = ""
    """The folder or URI that paths are shown from; the working directory, if it is empty."""
    source_schemas: Mapping[str, str] = field(default_factory=dict)
    """The schemas of tables that a project's models name without one, by the names of their sources."""
    project_dialect: str | GivenDialect | None = None
    """What dbt projects that are not compiled are written in, whatever their own files say."""
    namespaces: Mapping[str, str] = field(default_factory=dict)
    """What stands in scripts for a namespace of captured jobs and events: `{"postgres://db:5432/shop": ""}`."""
    filled: Callable[[Path], Filled | None] | None = None
    """What the path of a file says: the table that it fills, and the schema file of that table."""
    described: Callable[[Path], str] | None = None
    """The table that a schema file describes, by its path; empty if that says none."""
    follow_links: bool = False
    """Whether links are read that lead out of what is named."""
    override: Callable[[Path], Mapping[str, Any]] | None = None
    """What the path of a file says of its `dialect`, `default_schema` and `schema`; only what differs from the others."""

    def project(self, path: str) -> Project:
        """The project at a path."""
        variables = self.template.variables if self.template else None
        return read_project(Path(path), dialect=self.project_dialect, variables=variables)


def roots_of(paths: Sequence[str], manifest: str | None = None, follow_links: bool = False) -> Roots:
    """Where files of this machine may be read: where the paths lead, and what the manifest names."""
    entries = read_manifest(manifest) if manifest else []
    listed = [path for each in entries for path in (each.path, each.schema_file) if path]
    places = (_disk_path(path) for path in (*paths, *listed))
    return Roots.of([path for path in places if path != "-" and not is_uri(path)], follow_links)


@dataclass(frozen=True, slots=True)
class Asked:
    """A live catalog, and how it is asked."""

    live: Live
    asking: Asking


def build(
    corpus: Corpus,
    output: str | os.PathLike[str],
    *,
    catalog: Catalog | None = None,
    live: Asked | None = None,
    ambiguous: str = "candidates",
    insert_by: str = "position",
    budget: Budget | None = None,
    master: str | None = None,
    spark_settings: Mapping[str, str] | None = None,
    keep: int = 10,
    tell: Tell | None = None,
) -> Built:
    """Build a store's next snapshot; of the old ones *keep* stay.

    What the catalog says of views and foreign keys is lineage. A *live* one is asked for what the scripts refer to; what it says stands
    below the other catalog.
    """
    if local_path(os.fspath(output)) is not None:
        Store(output).check()
    corpus = _with_disk_paths(corpus)
    with reading_below(roots_in_force() or roots_of(corpus.paths, corpus.manifest, corpus.follow_links)):
        return _build(corpus, output, catalog, live, (ambiguous, insert_by), budget, master, spark_settings, keep, tell)


def _build(
    corpus: Corpus,
    output: str | os.PathLike[str],
    catalog: Catalog | None,
    live: Asked | None,
    rules: tuple[str, str],
    budget: Budget | None,
    master: str | None,
    spark_settings: Mapping[str, str] | None,
    keep: int,
    tell: Tell | None,
) -> Built:
    ambiguous, insert_by = rules
    named = _Named.of(corpus)
    projects = with_schemas(map(corpus.project, named.projects), corpus.source_schemas)
    told = _Told(corpus, (catalog or Catalog()).over(named.beside), projects)
    budget = budget or Budget()
    tell = tell or (lambda step, done: None)
    named, own = _with_catalogs(named, told.known, corpus.dialect)
    tell("start", 0.0)
    with spark_session(master, spark_settings) as started, build_session(started) as spark, spark_failures():
        store = Store(output, spark)
        store.check()
        workers = look_at(spark, named.local_places(), local_path(os.fspath(output)))
        for line in workers.lines():
            _log.info("%s", line)
        if not workers.sees_folder:
            raise WorkersUnready(_unseen_store(workers, output))
        named = named.with_remote(spark, corpus)
        if live is not None:
            tell("catalog", 0.0)
            told = told.asking(live, _sources(corpus, named, projects, workers).scripts(spark), budget)
            named, own = _with_catalogs(named, told.known, corpus.dialect)
        corpus = told.corpus
        options = Options(corpus.dialect, corpus.default_schema, ambiguous, told.known, budget, own, insert_by)
        sources = replace(_sources(corpus, named, told.projects, workers), described=told.described())
        built = Build(spark, workers.parallelism, store, options, tell).run(sources)
        store.prune(keep)
    return replace(built, pulled=told.pulled)


def _with_disk_paths(corpus: Corpus) -> Corpus:
    """A corpus whose `file:` URIs are paths, as far as this machine has them; Spark reads the others."""
    root = local_path(corpus.root) if corpus.root and scheme(corpus.root) == "file" else None
    return replace(corpus, paths=list(map(_disk_path, corpus.paths)), root=str(root) if root else corpus.root)


def _disk_path(place: str) -> str:
    """A `file:` URI as a path, if this machine has it."""
    on_disk = local_path(place) if scheme(place) == "file" else None
    there = on_disk is not None and (exists(on_disk) or glob.glob(str(on_disk)))
    return str(on_disk) if is_uri(place) and there else place


def _unseen_store(workers: Workers, output: str | os.PathLike[str]) -> str:
    return (
        f"the store {os.fspath(output)} is on this machine's disk, which Spark's workers on {', '.join(workers.blind[:5])} "
        "do not see: name a place that all of them see (-o s3a://…, hdfs://…, a mounted folder)"
    )


@dataclass(frozen=True, slots=True)
class _Told:
    """What is known of tables before a build begins."""

    corpus: Corpus
    catalog: Catalog
    """What the user says, and schema files beside scripts."""
    projects: tuple[Project, ...] = ()
    pulled: Pulled | None = None
    wanted: Wanted | None = None

    @property
    def known(self) -> Catalog:
        """All that is known: what projects say stands below the user's catalog, what a database says below that."""
        layers = (*map(known_tables, self.projects), *([self.pulled.catalog()] if self.pulled else []))
        return reduce(lambda high, low: high.over(low), layers, self.catalog)

    def asking(self, live: Asked, scripts: DataFrame | None, budget: Budget) -> _Told:
        """With what a live catalog says of the tables in scripts, and its default schema where nobody says another."""
        wanted = wanted_names(scripts, budget) if scripts is not None else Wanted()
        pulled = pull(live.live, live.asking, wanted)
        corpus, spoken = self.corpus, dialects_of(self.corpus.dialect)[0]
        if not corpus.default_schema and spoken is pulled.dialect:
            corpus = replace(corpus, default_schema=pulled.default_schema or "")
        projects = (as_in_database(each, pulled.dialect.name, pulled.path) for each in self.projects)
        return _Told(corpus, self.catalog, tuple(projects), pulled, wanted)

    def described(self) -> pa.Table | None:
        """What the catalogs say of lineage, as scripts."""
        remarks = self.pulled.remarks if self.pulled is not None else ()
        return described_scripts(self.known, self.corpus.dialect, self.wanted, remarks)


@dataclass(frozen=True, slots=True)
class _Named:
    """What was named, sorted."""

    files: tuple[InputFile, ...]
    captured: tuple[InputFile, ...]
    """Files of captured jobs."""
    events: tuple[InputFile, ...]
    """Files of OpenLineage events."""
    remote: tuple[str, ...]
    """URIs of files and folders that are not listed yet."""
    logs: tuple[InputFile, ...]
    standard_input: bool
    settings: Mapping[str, Setting]
    projects: tuple[str, ...]
    """The files of projects of semantic layers."""
    beside: Catalog
    """What schema files that lie beside scripts say."""

    @classmethod
    def of(cls, corpus: Corpus) -> _Named:
        logs = [path for path in corpus.paths if _is_log(path, corpus.preset)]
        remote = [path for path in corpus.paths if is_uri(path) and path not in logs]
        local = [path for path in corpus.paths if path not in logs and path not in remote and path != "-"]
        found = list(find_files(local, _INCLUDED, corpus.exclude)) if local else []
        projects, others = sort_projects(found)
        files = {path: shown_path(path, corpus.root) for path in others if _is_read(path)}
        entries = list(read_manifest(corpus.manifest)) if corpus.manifest else []
        files |= {entry.path: shown_path(entry.path, corpus.root) for entry in entries}
        settings = dict(corpus.settings)
        for path, shown in files.items() if corpus.override else ():
            values = corpus.override(Path(path)) if corpus.override else {}
            if values:
                settings[shown] = Setting(
                    values.get("dialect", ""), values.get("default_schema", ""), tuple(values.get("schema", ()))
                )
        said = {path: corpus.filled(Path(path)) for path in files} if corpus.filled else {}
        columns = []
        for path, each in said.items():
            if each is not None:
                told = settings.get(files[path], Setting())
                settings[files[path]] = replace(
                    told,
                    dialect=told.dialect or each.dialect,
                    default_schema=told.default_schema or each.default_schema,
                    target=each.table,
                )
                columns += [(each.table, Path(each.columns))] if each.columns else []
        for entry in entries:
            shown = files[entry.path]
            told = settings.get(shown, Setting())
            settings[shown] = replace(
                told,
                dialect=entry.dialect or told.dialect,
                default_schema=entry.default_schema or told.default_schema,
                schemas=(entry.schema_file,) if entry.schema_file else told.schemas,
                target=entry.target or told.target,
            )
        if not files and not logs and not remote and not projects and "-" not in corpus.paths:
            raise NothingToRead(f"there is no SQL in {', '.join(corpus.paths) or 'what was named'}")
        listed = [InputFile(place, shown) for place, shown in sorted(files.items(), key=lambda each: each[1])]
        captured = tuple(file for file in listed if is_captured(file.place))
        events = tuple(file for file in listed if not is_captured(file.place) and is_event_file(file.place))
        scripts = tuple(file for file in listed if file not in captured and file not in events)
        named_logs = tuple(InputFile(log, _shown_log(log, corpus.root)) for log in logs)
        rest = (tuple(remote), named_logs, "-" in corpus.paths, settings, tuple(projects))
        beside = [
            Path(path) for path in find_files([p for p in local if os.path.isdir(p)], SCHEMA_FILES, corpus.exclude)
        ]
        columns += [(table, path) for path in beside if corpus.described and (table := corpus.described(path))]
        return cls(scripts, captured, events, *rest, catalog_of_files(beside, columns))

    def local_places(self) -> Iterator[str]:
        """The paths of files on this machine."""
        for file in (*self.files, *self.captured, *self.events, *self.logs):
            if not is_uri(file.place) and not file.place.startswith(TABLE):
                yield file.place

    def with_remote(self, spark: SparkSession, corpus: Corpus) -> _Named:
        """With the files at URIs, listed by Spark and sorted."""
        if not self.remote:
            return self
        found = remote_files(spark, self.remote, _INCLUDED, corpus.exclude, corpus.root)
        found = [file for file in found if file.place.rpartition("/")[2] not in SQLMESH_FILES[:2]]
        projects = [file.place for file in found if file.place.rpartition("/")[2] in _PLAIN_PROJECT_FILES]
        if projects:
            raise NothingToRead(f"{projects[0]}: projects are read from local folders; download it, or --exclude it")
        captured = [file for file in found if is_captured(file.place)]
        documents = [file for file in found if file not in captured and file.place.lower().endswith(EVENT_ENDINGS)]
        events = event_files(spark, documents)
        scripts = [file for file in found if file not in captured and file not in documents]
        if not captured and not events and not scripts:
            raise NothingToRead(f"there is no SQL in {', '.join(self.remote)}")
        return replace(
            self,
            files=tuple(sorted((*self.files, *scripts), key=lambda file: file.shown)),
            captured=(*self.captured, *captured),
            events=(*self.events, *events),
        )


_PLAIN_PROJECT_FILES = tuple(name for name in PROJECT_FILES if name not in SQLMESH_FILES)
"""Files that make a project of a folder by their name alone."""
_INCLUDED = (*INCLUDED, *PROJECT_FILES, *(f"*{ending}" for ending in EVENT_ENDINGS))


def _with_catalogs(named: _Named, common: Catalog, spoken: str) -> tuple[_Named, dict[str, Catalog]]:
    """The catalogs that files have of their own, by name: from a manifest, or from a schema file that lies beside them."""
    settings = dict(named.settings)
    catalogs: dict[str, Catalog] = {}
    default = dialects_of(spoken)[0]
    beside = _Beside()
    for place, shown, _ in named.files:
        told = settings.get(shown, Setting())
        over = beside.file(place, f"{Path(place).stem}_schema.json")
        below = beside.file(place, "schema.json")
        if told.schemas or over or below:
            first = dialects_of(told.dialect)[0] if told.dialect else default
            name = "|".join([first.name, *told.schemas, "", *over, "", *below])
            if name not in catalogs:
                above = [_told_catalog(schema, first) for schema in told.schemas]
                above += [catalog_beside(Path(p), first) for p in over]
                under = [catalog_beside(Path(p), first) for p in below]
                layers = [*_in_dialect(above, first), common, *_in_dialect(under, first)]
                catalogs[name] = reduce(lambda low, high: high.over(low), reversed(layers))
            settings[shown] = replace(told, catalog=name)
    return replace(named, settings=settings), catalogs


def _in_dialect(catalogs: Iterable[Catalog], spoken: Dialect) -> Iterator[Catalog]:
    return (each.in_dialect(spoken.name) for each in catalogs)


def _told_catalog(schema: str, dialect: Dialect) -> Catalog:
    """A schema that a file was given by the user: JSON, or a file of any kind."""
    if schema.lstrip().startswith("{"):
        return catalog_of(schema, dialect)
    with reading_also(schema):
        return catalog_beside(Path(schema), dialect)


class _Beside:
    """Files beside others; each folder is looked into once."""

    def __init__(self) -> None:
        self._names: dict[str, frozenset[str]] = {}

    def file(self, place: str, name: str) -> list[str]:
        """The file of that name beside another one, if there is one; what is beside a file at a URI is not looked for."""
        if is_uri(place):
            return []
        folder = os.path.dirname(place)
        if folder not in self._names:
            with suppress(OSError):
                self._names[folder] = frozenset(os.listdir(folder or os.curdir))
        if name not in self._names.get(folder, ()):
            return []
        found = Path(place).with_name(name)
        return [str(found)] if found.is_file() and not passes_over(found) else []


def _is_log(path: str, preset: LogPreset | None) -> bool:
    if path.startswith(TABLE):
        return True
    if not is_log_path(path, preset) or is_captured(path):
        return False
    return is_uri(path) or not _is_events(path)


def _is_events(path: str) -> bool:
    """Whether a path, or the first file of a folder or pattern that is called as if it were a file, holds OpenLineage events."""
    files = sorted(glob.glob(os.path.join(path, "*") if os.path.isdir(path) else path))
    return bool(files) and is_event_file(files[0])


def _is_read(path: str) -> bool:
    """Whether a file that was found is read: of those in JSON, only some are ours."""
    return not path.lower().endswith(EVENT_ENDINGS) or is_captured(path) or is_event_file(path)


def _shown_log(log: str, root: str) -> str:
    """A log as it is shown: as it is named, unless it is below a root that is named, too."""
    return log if not root or log.startswith(TABLE) else shown_path(log, root)


def _sources(corpus: Corpus, named: _Named, projects: Sequence[Project], workers: Workers) -> Sources:
    namespaces = Namespaces.of(corpus.namespaces)
    reading = Reading(corpus.dialect, corpus.default_schema, corpus.template, named.settings, namespaces)
    return Sources(
        reading,
        named.files,
        named.captured,
        named.events,
        named.logs,
        corpus.log,
        corpus.preset,
        corpus.standard_input if named.standard_input else None,
        projects,
        shares_disk=workers.shares_disk,
        parallelism=workers.parallelism,
    )
