"""The corpora in the folder `shared/corpora` beside the repository, or where HEADWATER_SHARED points."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable
from pathlib import Path

from headwater.analysis import analyze
from headwater.sql.text import read_text
from material.corpus import Corpus, Schema, Sql
from material.package_index import Unavailable

_REPOSITORY = Path(__file__).resolve().parent.parent.parent


def folder(name: str) -> Path:
    """A shared corpus' folder, or `Unavailable` with what to do."""
    root = Path(os.environ.get("HEADWATER_SHARED") or _REPOSITORY.parent / "shared")
    found = root / "corpora" / name
    if not found.is_dir():
        raise Unavailable(f"{found} is not there (HEADWATER_SHARED names the folder shared)")
    return found


def benchmark(name: str) -> Callable[[Path], Corpus]:
    """A source that gives one folder of benchmark queries in Spark's dialect, with its schema if there is one."""

    def source(cache: Path) -> Corpus:
        queries = folder(name)
        schema = queries.with_name(f"{name}.schema.json")
        known = json.loads(schema.read_text(encoding="utf-8")) if schema.exists() else None
        scripts = tuple(Sql(path.name, "spark", read_text(path).text) for path in sorted(queries.glob("*.sql")))
        return Corpus(f"shared-{name}", f"shared/corpora/{name}", scripts, known)

    return source


def mimic_postgres(cache: Path) -> Corpus:
    """MIMIC-IV as PostgreSQL runs it: the DDL scripts, then the concepts in the order that the make script includes them."""
    root = folder("mimic-iv")
    build = [root / "buildmimic" / "postgres" / f"{name}.sql" for name in _BUILD]
    concepts = root / "concepts_postgres"
    paths = [*build, *(concepts / name for name in _included(concepts)), concepts / _MAKE]
    scripts = tuple(Sql(str(path.relative_to(root)), "postgres", read_text(path).text) for path in paths)
    return Corpus("mimic-postgres", "shared/corpora/mimic-iv, concepts_postgres", scripts, connected=True)


def mimic_bigquery(cache: Path) -> Corpus:
    """MIMIC-IV as BigQuery runs it: each file is a bare query, and its name is the table that is made of it."""
    root = folder("mimic-iv")
    concepts = root / "concepts"
    names = [name for name in _included(root / "concepts_postgres") if (concepts / name).exists()]
    scripts = tuple(Sql(name, "bigquery", _as_table(concepts / name)) for name in names)
    schema = _declared(root / "buildmimic" / "postgres" / "create.sql")
    return Corpus("mimic-bigquery", "shared/corpora/mimic-iv, concepts", scripts, schema, connected=True)


_MAKE = "postgres-make-concepts.sql"
_BUILD = ("create", "load", "load_gz", "load_7z", "constraint", "index", "validate", "validate_demo")


def _included(concepts: Path) -> list[str]:
    r"""The files that the make script includes by `\i`, in order."""
    return re.findall(r"^\\i (\S+)", read_text(concepts / _MAKE).text, re.MULTILINE)


def _as_table(path: Path) -> str:
    return f"CREATE OR REPLACE TABLE `physionet-data.mimiciv_derived.{path.stem}` AS\n{read_text(path).text}"


def _declared(path: Path) -> Schema:
    """The tables that a DDL script declares, as a schema for another dialect."""
    lineage = analyze(read_text(path).text, "postgres")
    definitions = (d for s in lineage.statements for d in s.resolution.defines if d.columns)
    return {".".join(d.table): dict(d.columns or {}) for d in definitions}
