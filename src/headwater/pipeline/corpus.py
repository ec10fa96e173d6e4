"""`build`: whatever was named on the command line, to a store.

Sorts what is named into files, query logs, tables and standard input, reads them as one DataFrame of scripts, and builds.
"""

from __future__ import annotations

import glob
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.analysis import dialects_of
from headwater.budget import Budget
from headwater.catalog import Catalog
from headwater.catalog.source import read_catalog
from headwater.openlineage.event_file import ENDINGS as EVENT_ENDINGS
from headwater.openlineage.event_file import is_event_file
from headwater.pipeline.build import Build, Built, Tell
from headwater.pipeline.embedded import spark_session
from headwater.pipeline.failure import spark_failures
from headwater.pipeline.options import Options
from headwater.pipeline.read import Reading, Setting, read_files, read_local, scripts_from
from headwater.pipeline.read_captured import is_captured, read_captured
from headwater.pipeline.read_log import LogColumns, read_log
from headwater.pipeline.read_openlineage import read_openlineage
from headwater.source import INCLUDED, Template, find_files, read_manifest
from headwater.store import Store

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

LOG_ENDINGS = {".parquet": "parquet", ".json": "json", ".jsonl": "json", ".ndjson": "json", ".csv": "csv"}
"""Files that are query logs, by what Spark reads them as."""
TABLE = "table:"
"""Before the name of a table that is a query log."""


class NothingToRead(Exception):
    """What was named holds no SQL."""


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
    standard_input: bytes = b""
    settings: Mapping[str, Setting] = field(default_factory=dict)
    """What single files have of their own, by the path they are shown with."""


def build(
    corpus: Corpus,
    output: str | os.PathLike[str],
    *,
    catalog: Catalog | None = None,
    ambiguous: str = "candidates",
    budget: Budget | None = None,
    master: str | None = None,
    spark_settings: Mapping[str, str] | None = None,
    keep: int = 10,
    tell: Tell | None = None,
) -> Built:
    """Build a store's next snapshot; of the old ones *keep* stay."""
    store = Store(output)
    store.check()
    named = _Named.of(corpus)
    common = catalog or Catalog()
    named, own = _with_catalogs(named, common, corpus.dialect)
    options = Options(corpus.dialect, corpus.default_schema, ambiguous, common, budget or Budget(), own)
    if tell is not None:
        tell("start", 0.0)
    with spark_session(master, spark_settings) as spark, spark_failures():
        built = Build(spark, store, options, tell).run(_scripts(spark, corpus, named))
    store.prune(keep)
    return built


@dataclass(frozen=True, slots=True)
class _Named:
    """What was named, sorted."""

    files: tuple[tuple[str, str], ...]
    """Local files: where they are, and how they are shown."""
    captured: tuple[tuple[str, str], ...]
    """Local files of captured jobs."""
    events: tuple[tuple[str, str], ...]
    """Local files of OpenLineage events."""
    elsewhere: tuple[str, ...]
    """Files on some other file system."""
    logs: tuple[str, ...]
    standard_input: bool
    settings: Mapping[str, Setting]

    @classmethod
    def of(cls, corpus: Corpus) -> _Named:
        logs = [path for path in corpus.paths if _is_log(path)]
        elsewhere = [path for path in corpus.paths if "://" in path and path not in logs]
        local = [path for path in corpus.paths if path not in logs and path not in elsewhere and path != "-"]
        included = (*INCLUDED, *(f"*{ending}" for ending in EVENT_ENDINGS))
        found = find_files(local, included, corpus.exclude) if local else ()
        files = [(path, _shown(path)) for path in found if _is_read(path)]
        settings = dict(corpus.settings)
        for entry in read_manifest(corpus.manifest) if corpus.manifest else ():
            files.append((entry.path, _shown(entry.path)))
            own = Setting(entry.dialect or "", entry.default_schema or "", entry.schema_file or "")
            settings[_shown(entry.path)] = own
        if not files and not logs and not elsewhere and "-" not in corpus.paths:
            raise NothingToRead(f"there is no SQL in {', '.join(corpus.paths) or 'what was named'}")
        unique = sorted(dict(files).items(), key=lambda each: each[1])
        captured = tuple(each for each in unique if is_captured(each[0]))
        events = tuple(each for each in unique if not is_captured(each[0]) and is_event_file(each[0]))
        scripts = tuple(each for each in unique if each not in captured and each not in events)
        return cls(scripts, captured, events, tuple(elsewhere), tuple(logs), "-" in corpus.paths, settings)


def _with_catalogs(named: _Named, common: Catalog, spoken: str) -> tuple[_Named, dict[str, Catalog]]:
    """The catalogs that files have of their own, by name: from a manifest, or from a schema file that lies beside them."""
    settings = dict(named.settings)
    catalogs: dict[str, Catalog] = {}
    default = dialects_of(spoken)[0]
    for place, shown in named.files:
        told = settings.get(shown, Setting())
        over = [told.schema] if told.schema else []
        over += [str(p) for p in (Path(place).with_name(f"{Path(place).stem}_schema.json"),) if p.is_file()]
        below = [str(p) for p in (Path(place).with_name("schema.json"),) if p.is_file()]
        if over or below:
            name = "|".join([*over, "", *below])
            if name not in catalogs:
                layers = [*(read_catalog(Path(p), default) for p in over), common]
                layers += [read_catalog(Path(p), default) for p in below]
                catalogs[name] = reduce(lambda low, high: high.over(low), reversed(layers))
            settings[shown] = replace(told, schema=name)
    return replace(named, settings=settings), catalogs


def _is_log(path: str) -> bool:
    if path.startswith(TABLE):
        return True
    return _ending(path) in LOG_ENDINGS and not is_captured(path) and not _is_events(path)


def _is_events(path: str) -> bool:
    """Whether a path, or the first file of a folder or pattern that is called as if it were a file, holds OpenLineage events."""
    files = sorted(glob.glob(os.path.join(path, "*") if os.path.isdir(path) else path))
    return bool(files) and is_event_file(files[0])


def _is_read(path: str) -> bool:
    """Whether a file that was found is read: of those in JSON, only some are ours."""
    return not path.lower().endswith(EVENT_ENDINGS) or is_captured(path) or is_event_file(path)


def _ending(path: str) -> str:
    return os.path.splitext(path.rstrip("/*"))[1].lower()


def _shown(path: str) -> str:
    """A path as it is shown: from here on, if it lies below."""
    relative = os.path.relpath(path)
    return (path if relative.startswith(os.pardir) else relative).replace(os.sep, "/")


def _scripts(spark: SparkSession, corpus: Corpus, named: _Named) -> DataFrame:
    reading = Reading(corpus.dialect, corpus.default_schema, corpus.template, named.settings)
    frames = [read_log(_opened(spark, path), path, corpus.log, reading) for path in named.logs]
    if named.files:
        frames.append(read_local(spark, named.files, reading))
    if named.captured:
        frames.append(read_captured(spark, named.captured, reading))
    if named.events:
        frames.append(read_openlineage(spark, named.events, reading))
    if named.elsewhere:
        frames.append(read_files(spark, named.elsewhere, reading))
    if named.standard_input:
        frames.append(scripts_from(spark, [("-", corpus.standard_input)], reading))
    return reduce(lambda one, other: one.unionByName(other), frames)


def _opened(spark: SparkSession, path: str) -> DataFrame:
    """A query log as Spark reads it."""
    if path.startswith(TABLE):
        return spark.table(path.removeprefix(TABLE))
    kind = LOG_ENDINGS[_ending(path)]
    place = path if "://" in path else os.path.abspath(path)  # the session may have been started elsewhere
    reader = spark.read.option("header", True).option("escape", '"')
    return reader.option("multiLine", kind == "csv" or _is_one_document(place)).format(kind).load(place)


def _is_one_document(path: str) -> bool:
    """Whether a JSON file is one list, and not a document per line."""
    files = sorted(glob.glob(os.path.join(path, "*") if os.path.isdir(path) else path))
    for file in files:
        if os.path.isfile(file) and os.path.getsize(file):
            with open(file, "rb") as content:
                return content.read(64).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    return False
