"""SQL that ships inside other packages: snapshots of ibis, string literals of sqllineage, sqlmesh and DataHub, macros of dbt."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from material.corpus import RELATIVES, Corpus, Sql, distinct, known_dialect
from material.package_index import PINNED, unpacked
from material.python_strings import statements_in
from material.sqlglot_tests import benchmark_schema

_TEMPLATE_MARKS = ("{{", "{%")


def _origin(package: str) -> str:
    return f"{package} {PINNED[package]}, source distribution"


def ibis(cache: Path) -> Corpus:
    """Queries that a compiler wrote for some fifteen backends; the innermost folder named like a backend tells the dialect."""
    folder = _backends(cache)
    backends = frozenset(path.name for path in folder.iterdir() if path.name not in ("tests", "sql"))
    paths = (path for path in sorted(folder.rglob("*.sql")) if _TPC not in path.relative_to(folder).parents)
    scripts = (s for path in paths for s in _snapshot(path, path.relative_to(folder), backends))
    return Corpus("ibis", _origin("ibis-framework"), distinct(scripts))


_TPC = Path("tests", "tpc")


def _backends(cache: Path) -> Path:
    return unpacked("ibis-framework", cache) / "ibis" / "backends"


def _snapshot(path: Path, name: Path, backends: frozenset[str]) -> Iterator[Sql]:
    """One snapshot; those of no backend in particular are DuckDB's, those of a backend that nobody here knows are left out."""
    parts = [part.partition("-")[0] for part in (*name.parts[:-1], name.stem)]  # `bigquery-table`
    stated = [part for part in parts if part in backends or part in RELATIVES]
    dialect = known_dialect(stated[-1] if stated else "duckdb")
    text = path.read_text(encoding="utf-8")
    if dialect and not any(mark in text for mark in _TEMPLATE_MARKS):
        yield Sql(str(name), dialect, text)


def ibis_tpcds(cache: Path) -> Corpus:
    """TPC-DS in DuckDB's dialect, with its schema."""
    return _ibis_benchmark(cache, "ibis-tpcds", "ds", "TPCDS_SCHEMA")


def ibis_tpch(cache: Path) -> Corpus:
    """TPC-H in DuckDB's dialect, with its schema."""
    return _ibis_benchmark(cache, "ibis-tpch", "h", "TPCH_SCHEMA")


def _ibis_benchmark(cache: Path, name: str, folder: str, schema: str) -> Corpus:
    queries = _backends(cache) / _TPC / "queries" / "duckdb" / folder
    return Corpus(name, _origin("ibis-framework"), _files(queries, "duckdb"), benchmark_schema(cache, schema))


def _files(folder: Path, dialect: str) -> tuple[Sql, ...]:
    return distinct(Sql(path.name, dialect, path.read_text(encoding="utf-8")) for path in sorted(folder.glob("*.sql")))


def sqllineage(cache: Path) -> Corpus:
    """The statements of a lineage tool's own tests, whose dialect only its call sites know: several are tried."""
    root = unpacked("sqllineage", cache)
    tried = "ansi,spark,postgres,mysql,tsql,snowflake"
    scripts = (s for path in sorted((root / "tests").rglob("*.py")) for s in _strings(path, root, tried))
    return Corpus("sqllineage", _origin("sqllineage"), distinct(scripts))


def sqllineage_tpcds(cache: Path) -> Corpus:
    """TPC-DS as the same tool ships it: INSERTs of the queries, with the schema."""
    queries = unpacked("sqllineage", cache) / "sqllineage" / "data" / "tpcds"
    schema = benchmark_schema(cache, "TPCDS_SCHEMA")
    return Corpus("sqllineage-tpcds", _origin("sqllineage"), _files(queries, "spark"), schema)


def sqlmesh(cache: Path) -> Corpus:
    """The string literals of a transformation framework's tests; those with templates or macros are left out."""
    root = unpacked("sqlmesh", cache)
    tried = "duckdb,spark,tsql,snowflake,bigquery,clickhouse"
    found = (s for path in sorted((root / "tests").rglob("*.py")) for s in _strings(path, root, tried))
    plain = (s for s in found if not any(mark in s.text for mark in (*_TEMPLATE_MARKS, "@", "MODEL")))
    return Corpus("sqlmesh", _origin("sqlmesh"), distinct(plain))


def datahub(cache: Path) -> Corpus:
    """The queries that a metadata crawler asks of system catalogs, by the platform that its modules are named after."""
    root = unpacked("acryl-datahub", cache)
    scripts: list[Sql] = []
    for path in sorted((root / "src").rglob("*.py")):
        words = path.relative_to(root).with_suffix("").as_posix().replace("_", "/").split("/")
        dialect = next((d for word in reversed(words) if (d := known_dialect(word)) and d != "ansi"), None)
        scripts.extend(_strings(path, root, dialect or "ansi,postgres"))
    return Corpus("datahub", _origin("acryl-datahub"), distinct(scripts))


def dbt(cache: Path) -> Corpus:
    """The adapters of dbt: their macros, and the models in their tests; templates left as they are."""
    scripts: list[Sql] = []
    for package in (name for name in PINNED if name.startswith("dbt-")):
        root = unpacked(package, cache)
        dialect = known_dialect(package.removeprefix("dbt-")) or "postgres"
        for path in sorted(root.rglob("*.sql")):
            scripts.append(Sql(f"{package}/{path.relative_to(root)}", dialect, path.read_text(encoding="utf-8")))
        for path in sorted(root.rglob("*.py")):
            scripts.extend(_strings(path, root, dialect))
    return Corpus("dbt", "dbt's adapters, source distributions", distinct(scripts))


def _strings(path: Path, root: Path, dialect: str) -> Iterator[Sql]:
    name = path.relative_to(root).as_posix()
    return (Sql(f"{name}:{line}", dialect, text) for line, text in statements_in(path))
