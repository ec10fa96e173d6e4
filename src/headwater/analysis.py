"""`analyze`: a script's text to its lineage, without Spark unless its engine is asked for; `analyze_files` for several scripts."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

from headwater.budget import Budget, Resolved, resolved
from headwater.catalog import Catalog
from headwater.catalog.schema_file import catalog_beside
from headwater.catalog.source import inline_catalog, read_catalog
from headwater.files import exists, passes_over, read_bytes, shown_name
from headwater.lineage.lineage import Lineage
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import TableName
from headwater.model.work import MAX_COLUMNS, MAX_RELATIONS
from headwater.order.schedule import Schedule, Scheduled
from headwater.order.script_run import Resolver, ScriptRun
from headwater.resolve import Session
from headwater.sql.dialect import Dialect, dialect
from headwater.sql.guess import AUTO, guess
from headwater.sql.statement import Statement
from headwater.sql.text import BINARY, Text, decode

OneSchema = Catalog | Mapping[str, Any] | str | os.PathLike[str]
Schema = OneSchema | Sequence[OneSchema] | None

ENGINES: Mapping[str, tuple[str, ...]] = {
    "static": (),
    "catalyst": ("spark", "databricks"),
    "zetasql": ("bigquery",),
}
"""Who resolves names, and the dialects that each of them takes (none: all)."""
AMBIGUITY_POLICIES = ("candidates", "first", "prefix")
INSERT_RULES = ("position", "name")

Override = Callable[[Path | None], Mapping[str, Any]]
"""What is different for a script: its own dialect, schema, default_schema."""

_log = logging.getLogger(__name__)


class EngineUnavailable(ValueError):
    """An engine that cannot be used here; the message says why."""


def analyze(
    sql: str,
    dialect: str | Sequence[str] = "spark",
    schema: Schema = None,
    default_schema: str | None = None,
    engine: str = "static",
    *,
    ambiguous: str = "candidates",
    insert_by: str = "position",
    path: str | None = None,
    timeout: float | None = 60,
    memory: int | None = 2048,
    max_columns: int | None = MAX_COLUMNS,
    max_relations: int | None = MAX_RELATIONS,
) -> Lineage:
    """The lineage of a script.

    `dialect` may name several, separated by commas: the first that parses a statement wins. `auto` guesses one and tells which.
    `schema` is a `Catalog`, a mapping
    (`{"db.t": {"a": "int"}}`, `{"t": ["a"]}`, or nested), the path of a JSON, CSV or DDL file, JSON itself, or a list of these.
    `ambiguous` says what becomes of a
    column that several tables could own: `candidates` relates it to each, `first` takes the first in FROM, `prefix` goes by
    names such as `ss_item_sk`. `insert_by` says how an INSERT without a column list finds the columns of a table that is known: by
    `position`, as databases do, or by `name`.
    `engine` is who resolves names: `static`, `catalyst`, Spark's own analyzer, or `zetasql`, GoogleSQL's
    (docs/engines.md).
    `timeout` (seconds) and `memory` (megabytes) are what one statement may take: heavy statements are analysed in a process of
    their own. All statements of the script together may take one and a half times as long. `max_columns` limits the columns behind
    the stars of one statement, `max_relations` its relations at any level, and those of the script; less time or memory allows fewer. A
    statement that exceeds a limit is a diagnostic. The limits hold for what the levels, such as `column_edges()`, make later, too.

    >>> analyze("INSERT INTO o SELECT a + b AS x FROM t").column_edges(rows="none")[0].source
    ColumnRef(table='t', column='a')
    """
    dialect, remark = _guessed([sql]) if dialect == AUTO else (dialect, None)
    dialects = dialects_of(dialect)
    session = first_session(schema, default_schema, dialects, engine, ambiguous, insert_by)
    budget = Budget(timeout, memory, max_columns, max_relations)
    lineage = script_lineage(sql, dialects, session, path, _resolver(engine, budget), budget)[0]
    if remark is not None:
        lineage.remark(remark)
    return lineage


def _guessed(texts: Iterable[str]) -> tuple[str, Diagnostic]:
    """The dialect of texts that leave it open, and what is to be said about that."""
    found = guess(texts)
    return found.dialect, Diagnostic(Code.GUESSED_DIALECT, found.words, hint="name the dialect if it is another one")


class Script(NamedTuple):
    """A script to analyse: where it is from (None for standard input), its text, and why that could not be read."""

    path: Path | None
    content: Text
    problem: str = ""
    dialect: str = ""
    """The dialect that its file leaves no doubt about."""
    default_schema: str = ""
    kind: str = "sql"
    """What its file is: `sql`, `notebook`, `databricks`, `python` or `stdin`."""

    @classmethod
    def read(cls, path: Path) -> Script:
        """The script in a file; one that cannot be read is an empty script with a problem."""
        try:
            return cls.of(path, read_bytes(path))
        except OSError as error:
            return cls(path, Text("", ""), f"the file cannot be read: {error.strerror or type(error).__name__}")

    @classmethod
    def of(cls, path: Path | None, content: bytes) -> Script:
        """The script in what a file holds, if that is text."""
        text = decode(content)
        if text.encoding == BINARY:
            return cls(path, text, "the file holds no text: it is compressed, an image, or other data")
        return cls(path, text)


def analyze_scripts(
    scripts: Iterable[Script],
    dialect: str | Sequence[str] = "spark",
    schema: Schema = None,
    default_schema: str | None = None,
    engine: str = "static",
    *,
    ambiguous: str = "candidates",
    insert_by: str = "position",
    override: Override | None = None,
    timeout: float | None = 60,
    memory: int | None = 2048,
    max_columns: int | None = MAX_COLUMNS,
    max_relations: int | None = MAX_RELATIONS,
) -> Iterator[Lineage]:
    """The lineage of scripts, in order. Tables and functions that one defines are known to all, whatever the order of the scripts.

    *override* gives a script a dialect, schema or default schema of its own. A file `<script>_schema.json` beside a script is
    laid over the schema for that script alone; a `schema.json` beside it says what the schema does not.
    """
    scripts = list(scripts)
    remark = None
    if dialect == AUTO:
        dialect, remark = _guessed(script.content.text for script in scripts)
    settings = _Settings(dialect, schema, default_schema, (engine, ambiguous, insert_by))
    settings.of({})
    scheduled = [_scheduled(script, settings, override) for script in scripts]
    start = time.perf_counter()
    budget = Budget(timeout, memory, max_columns, max_relations)
    for script, lineage in zip(scripts, _lineages(scheduled, _resolver(engine, budget), budget), strict=True):
        lineage.note_encoding(script.content.encoding)
        if remark is not None:
            lineage.remark(remark)
            remark = None
        if script.problem:
            hint = "unpack it, or name another file" if script.content.encoding == BINARY else ""
            lineage.remark(Diagnostic(Code.UNREADABLE_FILE, script.problem, hint=hint))
        if _log.isEnabledFor(logging.INFO):
            _log_script(lineage, script.content, dialects_of(dialect), time.perf_counter() - start)
        yield lineage
        start = time.perf_counter()


def _scheduled(script: Script, settings: _Settings, override: Override | None) -> Scheduled:
    """A script with the state in which it begins: what is set for it comes before what its file says."""
    said = {"dialect": script.dialect, "default_schema": script.default_schema}
    own: dict[str, Any] = {name: value for name, value in said.items() if value}
    dialects, session = settings.of(own | dict(override(script.path)) if override is not None else own)
    catalog = _overlaid(script.path, session.catalog, dialects[0])
    shared = replace(session, catalog=catalog, programs=settings.programs)
    return Scheduled(script.content.text, dialects, shared, shown_name(str(script.path)) if script.path else None)


def _lineages(scripts: list[Scheduled], resolver: Resolver, budget: Budget) -> Iterator[Lineage]:
    if len(scripts) > 1:
        yield from Schedule(scripts, resolver, budget).lineages()
    for text, dialects, session, path in scripts if len(scripts) == 1 else ():
        yield script_lineage(text, list(dialects), session, path, resolver, budget)[0]


class _Settings:
    """How scripts are to be read: the settings of a run, and what single scripts have of their own, each made once."""

    def __init__(
        self,
        dialect: str | Sequence[str],
        schema: Schema,
        default_schema: str | None,
        rest: tuple[str, str, str],
    ) -> None:
        """*rest* is the engine, what becomes of ambiguous columns, and how INSERT finds columns."""
        self._common: dict[str, Any] = {"dialect": dialect, "schema": schema, "default_schema": default_schema}
        self._rest = rest
        self._made: dict[str, tuple[list[Dialect], Session]] = {}
        self.programs: dict[TableName, Any] = {}
        """What all scripts share of what others need whole."""

    def of(self, own: Mapping[str, Any]) -> tuple[list[Dialect], Session]:
        """The dialects and the first session of a script with these settings of its own."""
        key = repr(sorted(own.items()))
        if key not in self._made:
            told = self._common | dict(own)
            dialects = dialects_of(told["dialect"])
            session = first_session(told["schema"], told["default_schema"], dialects, *self._rest)
            self._made[key] = (dialects, session)
            _log.debug("dialect %s, default schema %s: schema read", told["dialect"], told["default_schema"])
        return self._made[key]


def _log_script(lineage: Lineage, content: Text, dialects: list[Dialect], seconds: float) -> None:
    """Facts about a script, none of its text."""
    name = lineage.path or "<stdin>"
    parsed = ",".join(dict.fromkeys(s.dialect for s in lineage.statements)) or ",".join(d.name for d in dialects)
    _log.info(
        "%s: %s, %d characters, dialect %s, %d statements, %d diagnostics, %.1f ms",
        *(name, content.encoding or "unreadable", len(content.text), parsed, len(lineage.statements)),
        *(len(lineage.diagnostics), seconds * 1000),
    )
    if _log.isEnabledFor(logging.DEBUG):
        for statement in lineage.statements:
            resolution = statement.resolution
            place = lineage.position(resolution.process.span)
            counts = (len(resolution.columns), len(resolution.edges))
            _log.debug("%s:%s: %s, %d columns, %d edges", name, place, resolution.process.type, *counts)


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


def first_session(
    schema: Schema,
    default_schema: str | None,
    dialects: list[Dialect],
    engine: str,
    ambiguous: str,
    insert_by: str = "position",
) -> Session:
    """The state in which the first statement is resolved."""
    if engine not in ENGINES:
        raise ValueError(f"unknown engine {engine!r}; known are {', '.join(ENGINES)}")
    known = ENGINES[engine]
    others = [d.name for d in dialects if known and d.name not in known]
    if others:
        raise EngineUnavailable(f"the {engine} engine analyses {' and '.join(known)} SQL, not {', '.join(others)}")
    if ambiguous not in AMBIGUITY_POLICIES:
        raise ValueError(f"ambiguous must be one of {', '.join(AMBIGUITY_POLICIES)}, not {ambiguous!r}")
    if insert_by not in INSERT_RULES:
        raise ValueError(f"insert_by must be one of {', '.join(INSERT_RULES)}, not {insert_by!r}")
    parts = _parts(default_schema, dialects[0])
    return Session(catalog_of(schema, dialects[0]), parts, ambiguous, insert_by=insert_by)


def _parts(name: str | None, default: Dialect) -> TableName | None:
    return tuple(default.spelled_table(p) for p in name.split(".")) if name else None


def _resolver(engine: str, budget: Budget) -> Resolver:
    """What resolves statements; the static resolver looks at each of them in any case."""

    def static(statement: Statement, dialects: Sequence[Dialect], session: Session) -> Iterable[Resolved]:
        return resolved(statement, dialects, session, budget)

    if engine == "static":
        return static
    analyzer = _catalyst() if engine == "catalyst" else _google_sql(budget)
    return lambda statement, dialects, session: analyzer(statement, session, static(statement, dialects, session))


Analyzer = Callable[[Statement, Session, Iterable[Resolved]], Iterable[Resolved]]
"""Resolves a statement that the static resolver has resolved, as somebody else's analyzer does it."""


def _catalyst() -> Analyzer:
    from headwater.analyzers.catalyst import analysed, catalyst
    from headwater.runtime.java import NoJava
    from headwater.runtime.session import SparkUnavailable

    try:
        spark = catalyst()
    except (SparkUnavailable, NoJava) as error:
        raise EngineUnavailable(str(error)) from error
    return lambda statement, session, static: analysed(statement, session, static, spark)


def _google_sql(budget: Budget) -> Analyzer:
    from headwater.analyzers.zetasql import GoogleSqlUnavailable, analysed, google_sql

    try:
        engine = google_sql(budget)
    except GoogleSqlUnavailable as error:
        raise EngineUnavailable(str(error)) from error
    return lambda statement, session, static: analysed(statement, session, static, engine)


def script_lineage(
    sql: str,
    dialects: list[Dialect],
    session: Session,
    path: str | None,
    resolver: Resolver | None = None,
    budget: Budget | None = None,
) -> tuple[Lineage, Session]:
    """The lineage of a script in a session, and the session after it."""
    budget = budget or Budget()
    run = ScriptRun(sql, dialects, session, path, resolver or _resolver("static", budget), budget)
    while run.offset is not None:
        run.step()
    return run.lineage(), run.session


def _overlaid(path: Path | None, catalog: Catalog, default: Dialect) -> Catalog:
    if path is None:
        return catalog
    overlay, common = path.with_name(f"{path.stem}_schema.json"), path.with_name("schema.json")
    if exists(common) and not passes_over(common):
        catalog = catalog.over(catalog_beside(common, default))
        _log.debug("%s: below the schema", common)
    if exists(overlay) and not passes_over(overlay):
        catalog = catalog_beside(overlay, default).over(catalog)
        _log.debug("%s: over the schema", overlay)
    return catalog
