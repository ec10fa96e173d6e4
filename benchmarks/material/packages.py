"""SQL that ships inside other packages: ibis' snapshots per backend, sqllineage's, sqlmesh's and DataHub's string literals."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from material.corpus import Corpus, Sql, distinct, known_dialect
from material.package_index import PINNED, unpacked
from material.python_strings import statements_in

_TEMPLATE_MARKS = ("{{", "{%")


def _origin(package: str) -> str:
    return f"{package} {PINNED[package]}, source distribution"


def ibis(cache: Path) -> Corpus:
    """Queries that a compiler wrote for some fifteen backends; the innermost folder named like a backend tells the dialect."""
    folder = unpacked("ibis-framework", cache) / "ibis" / "backends"
    scripts = (s for path in sorted(folder.rglob("*.sql")) for s in _snapshot(path, path.relative_to(folder)))
    return Corpus("ibis", _origin("ibis-framework"), distinct(scripts))


def _snapshot(path: Path, name: Path) -> Iterator[Sql]:
    dialect = next((d for part in reversed(name.parts) if (d := known_dialect(part.removesuffix(".sql")))), None)
    if dialect is None and name.parts[0] == "tests":
        dialect = "duckdb"
    text = path.read_text(encoding="utf-8")
    if dialect and dialect != "ansi" and not any(mark in text for mark in _TEMPLATE_MARKS):
        yield Sql(str(name), dialect, text)


def sqllineage(cache: Path) -> Corpus:
    """The statements of a lineage tool's own tests, whose dialect only its call sites know: several are tried."""
    root = unpacked("sqllineage", cache)
    tried = "ansi,spark,postgres,mysql,tsql,snowflake"
    scripts = [s for path in sorted((root / "tests").rglob("*.py")) for s in _strings(path, root, tried)]
    files = sorted((root / "sqllineage" / "data" / "tpcds").glob("*.sql"))
    scripts += [Sql(path.name, "spark", path.read_text(encoding="utf-8")) for path in files]
    return Corpus("sqllineage", _origin("sqllineage"), distinct(scripts))


def sqlmesh(cache: Path) -> Corpus:
    """The string literals of a transformation framework's tests; those with templates or macros are left out."""
    root = unpacked("sqlmesh", cache)
    found = (s for path in sorted((root / "tests").rglob("*.py")) for s in _strings(path, root, "duckdb,spark"))
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


def _strings(path: Path, root: Path, dialect: str) -> Iterator[Sql]:
    name = path.relative_to(root).as_posix()
    return (Sql(f"{name}:{line}", dialect, text) for line, text in statements_in(path))
