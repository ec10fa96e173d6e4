"""`analyze`: a script's text to its lineage, without Spark, without a JVM; `analyze_files` for scripts that build on each other."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from headwater.budget import Budget, resolved
from headwater.catalog import Catalog
from headwater.catalog.source import inline_catalog, read_catalog
from headwater.lineage.lineage import Lineage, StatementLineage
from headwater.model.entity import TableName
from headwater.resolve import Session
from headwater.sql.dialect import Dialect, dialect
from headwater.sql.script import statements
from headwater.sql.text import Text, read_text

OneSchema = Catalog | Mapping[str, Any] | str | os.PathLike[str]
Schema = OneSchema | Sequence[OneSchema] | None

ENGINES = ("static",)
AMBIGUITY_POLICIES = ("candidates", "first", "prefix")


def analyze(
    sql: str,
    dialect: str | Sequence[str] = "spark",
    schema: Schema = None,
    default_schema: str | None = None,
    engine: str = "static",
    *,
    ambiguous: str = "candidates",
    path: str | None = None,
    timeout: float | None = 60,
    memory: int | None = 2048,
) -> Lineage:
    """The lineage of a script.

    `dialect` may name several, separated by commas: the first that parses a statement wins. `schema` is a `Catalog`, a mapping
    (`{"db.t": {"a": "int"}}`, `{"t": ["a"]}`, or nested), the path of a JSON, CSV or DDL file, JSON itself, or a list of these.
    `ambiguous` says what becomes of a
    column that several tables could own: `candidates` relates it to each, `first` takes the first in FROM, `prefix` goes by
    names such as `ss_item_sk`. `timeout` (seconds) and `memory` (megabytes) are what parsing and resolving one statement may
    take where that could get out of hand: heavy statements are analysed in a process of their own.

    >>> analyze("INSERT INTO o SELECT a + b AS x FROM t").column_edges(rows="none")[0].source
    ColumnRef(table='t', column='a')
    """
    dialects = dialects_of(dialect)
    session = _session(schema, default_schema, dialects[0], engine, ambiguous)
    return _script(sql, dialects, session, path, Budget(timeout, memory))[0]


class Script(NamedTuple):
    """A script to analyse: where it is from (None for standard input), and its text."""

    path: Path | None
    content: Text

    @classmethod
    def read(cls, path: Path) -> Script:
        """The script in a file."""
        return cls(path, read_text(path))


def analyze_scripts(
    scripts: Iterable[Script],
    dialect: str | Sequence[str] = "spark",
    schema: Schema = None,
    default_schema: str | None = None,
    engine: str = "static",
    *,
    ambiguous: str = "candidates",
    timeout: float | None = 60,
    memory: int | None = 2048,
) -> Iterator[Lineage]:
    """The lineage of scripts, in order: tables that one defines are known to those after it.

    A file `<script>_schema.json` beside a script is laid over the schema for that script alone; a `schema.json` beside it
    says what the schema does not.
    """
    dialects = dialects_of(dialect)
    session = _session(schema, default_schema, dialects[0], engine, ambiguous)
    budget = Budget(timeout, memory)
    for path, content in scripts:
        overlaid = replace(session, catalog=_overlaid(path, session.catalog, dialects[0]))
        lineage, after = _script(content.text, dialects, overlaid, str(path) if path else None, budget)
        lineage.note_encoding(content.encoding)
        session = replace(session, defined=after.next_script().defined)
        yield lineage


def analyze_files(
    paths: Iterable[Path], dialect: str | Sequence[str] = "spark", schema: Schema = None
) -> Iterator[Lineage]:
    """The lineage of script files, in order."""
    return analyze_scripts(map(Script.read, paths), dialect, schema)


def dialects_of(names: str | Sequence[str]) -> list[Dialect]:
    """The dialects that a comma-separated string or a sequence names."""
    return [dialect(name) for name in (names.split(",") if isinstance(names, str) else names)]


def catalog_of(schema: Schema, default: Dialect) -> Catalog:
    """A catalog from whatever form the schema has; of several, CSV files come before other files, these before inline ones."""
    if schema is None:
        return Catalog()
    if isinstance(schema, str) or not isinstance(schema, Sequence):
        return _one_catalog(schema, default)
    layers = [_one_catalog(each, default) for each in sorted(schema, key=_precedence)]
    catalog = layers.pop() if layers else Catalog()
    while layers:
        catalog = layers.pop().over(catalog)
    return catalog


def _precedence(schema: OneSchema) -> int:
    if isinstance(schema, (Catalog, Mapping)) or _is_inline(schema):
        return 2
    return 0 if str(schema).lower().endswith(".csv") else 1


def _is_inline(schema: OneSchema) -> bool:
    return isinstance(schema, str) and schema.lstrip().startswith("{")


def _one_catalog(schema: OneSchema, default: Dialect) -> Catalog:
    if isinstance(schema, Catalog):
        return schema
    if isinstance(schema, Mapping):
        return Catalog(schema)
    if _is_inline(schema):
        return inline_catalog(str(schema))
    return read_catalog(Path(schema), default)


def _session(schema: Schema, default_schema: str | None, default: Dialect, engine: str, ambiguous: str) -> Session:
    if engine not in ENGINES:
        raise ValueError(f"unknown engine {engine!r}; known are {', '.join(ENGINES)}")
    if ambiguous not in AMBIGUITY_POLICIES:
        raise ValueError(f"ambiguous must be one of {', '.join(AMBIGUITY_POLICIES)}, not {ambiguous!r}")
    return Session(catalog_of(schema, default), _parts(default_schema, default), ambiguous)


def _parts(name: str | None, default: Dialect) -> TableName | None:
    return tuple(default.spelled_table(p) for p in name.split(".")) if name else None


def _script(
    sql: str, dialects: list[Dialect], session: Session, path: str | None, budget: Budget
) -> tuple[Lineage, Session]:
    results = []
    for statement in statements(sql, dialects, postpone=True):
        for each in resolved(statement, dialects, session, budget):
            session = session.after(each.resolution)
            results.append(StatementLineage(*each))
    lineage = Lineage(results, sql, path)
    lineage.note_zeros()
    return lineage, session


def _overlaid(path: Path | None, catalog: Catalog, default: Dialect) -> Catalog:
    if path is None:
        return catalog
    overlay, common = path.with_name(f"{path.stem}_schema.json"), path.with_name("schema.json")
    if common.exists():
        catalog = catalog.over(read_catalog(common, default))
    return read_catalog(overlay, default).over(catalog) if overlay.exists() else catalog
