"""Tables out of a live catalog: all of them, or those that some SQL refers to, with those that the views among them read.

What comes out is a catalog like any other (`Pulled.document`), with the default schema of unqualified names. A database that is down is
no error: the cache answers, or nobody, and a remark says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timezone
from fnmatch import fnmatchcase
from typing import Any

from headwater.catalog.cache import TTL, Cache
from headwater.catalog.catalog import ABOUT, Catalog
from headwater.catalog.database import Live
from headwater.catalog.description import VIEWS, Spelling, TableDescription
from headwater.catalog.known import Known
from headwater.catalog.reading import Reading, Tell
from headwater.catalog.wanted import Wanted, folded, wanted_by
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import TableName
from headwater.sql.dialect import Dialect

_NAMED = 10
"""Tables that one diagnostic names."""
_AGAIN = "ask again when it can be reached, or take a file that was pulled before with --schema"
_GRANT = "everything else was read; grant the right to read it, or describe it in a file for --schema"


@dataclass(frozen=True, slots=True)
class Scope:
    """Which schemas are read: patterns, as in `mart_*`, of names whose case does not matter."""

    only: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    system: bool = False
    """Whether the database's own schemas are read too."""

    def has(self, schema: TableName, system: Sequence[str]) -> bool:
        """Whether a schema is read; one that is named by itself is, whatever it is."""
        if self.only:
            return _fits(schema, self.only) and not _fits(schema, self.exclude)
        return not _fits(schema, self.exclude) and (self.system or not _fits(schema, system))


def _fits(schema: TableName, patterns: Iterable[str]) -> bool:
    names = (schema[-1].lower(), ".".join(schema).lower())
    return any(fnmatchcase(name, pattern.lower()) for pattern in patterns for name in names)


@dataclass(frozen=True, slots=True)
class Asking:
    """How a live catalog is asked."""

    cache: Cache | None = None
    ttl: float = TTL
    """Seconds for which what was read is not asked for again."""
    offline: bool = False
    """Whether only the cache is asked, however old it is."""
    scope: Scope = field(default_factory=Scope)
    tell: Tell | None = None


@dataclass(frozen=True, slots=True)
class Pulled:
    """Tables of a live catalog."""

    place: str
    dialect: Dialect
    path: tuple[TableName, ...]
    """The schemas in which the database looks up unqualified names; the first is its default."""
    tables: tuple[TableDescription, ...]
    asked: bool
    """Whether the database was asked anything."""
    problem: str = ""
    """Why the database could not be asked."""
    remarks: tuple[Diagnostic, ...] = ()
    """What is to be said of an analysis that knows no more than this."""
    unkept: str = ""
    """Why it could not be kept in the cache."""

    @property
    def default_schema(self) -> str | None:
        """The schema of unqualified names, as the option says it."""
        return Spelling.of(self.dialect).table(self.path[0]) if self.path else None

    def document(self) -> dict[str, Any]:
        """The catalog as JSON: what `--schema` reads."""
        spelling = Spelling.of(self.dialect)
        about: dict[str, Any] = {"source": self.place, "dialect": self.dialect.name}
        about["default_schema"] = self.default_schema
        if len(self.path) > 1:
            about["search_path"] = [spelling.table(schema) for schema in self.path]
        return {ABOUT: about, **{spelling.table(table.name): table.as_json(spelling) for table in self.tables}}

    def catalog(self) -> Catalog:
        """The tables, for an analysis."""
        return Catalog(self.document())


def pull(live: Live, asking: Asking, wanted: Wanted | None = None, *, views: bool = True) -> Pulled:
    """The tables of a live catalog; only those that are *wanted*, if that is said, and with *views* what these read."""
    known = (asking.cache.read(live.key) if asking.cache else None) or Known(live.place)
    with Reading(known, None if asking.offline else live, asking.ttl, asking.tell) as reading:
        path, tables = _Pull(live, asking.scope, reading).tables(wanted, views)
    unkept = asking.cache.add(live.key, reading.found) if asking.cache and reading.asked else ""
    remarks = (
        *_remarks(live, reading, asking.offline, bool(path)),
        *_unread(live, reading.refused, tables),
    )
    return Pulled(live.place, live.dialect, path, tables, reading.asked, reading.problem, remarks, unkept)


class _Pull:
    """One pull: chooses schemas and tables, round by round as views name more of them."""

    def __init__(self, live: Live, scope: Scope, reading: Reading) -> None:
        self._live = live
        self._scope = scope
        self._reading = reading
        self._found: dict[TableName, TableDescription] = {}

    def tables(self, wanted: Wanted | None, views: bool) -> tuple[tuple[TableName, ...], tuple[TableDescription, ...]]:
        """The search path, and the tables."""
        known = self._reading.schemas()
        if known is None:
            return (), ()
        schemas = [schema for schema in known.names if self._scope.has(schema, self._live.system)]
        if wanted is None:
            self._read(schemas, known.path, None)
        while wanted is not None:
            chosen = wanted.schemas(schemas, known.path, self._live.dialect)
            new = self._read(chosen, known.path, wanted)
            read = [
                table for table in new if views and table.sql and not wanted.defines(table.name, self._live.dialect)
            ]
            wanted = self._wanted_by_views(wanted, read) if read else None
        return known.path, tuple(self._found[name] for name in sorted(self._found))

    def _wanted_by_views(self, wanted: Wanted, views: Sequence[TableDescription]) -> Wanted:
        """What is wanted, and what views read: what they define is there already."""
        spoken = self._live.dialect
        more = wanted_by([(view.sql, spoken) for view in views])
        schemas = [folded(view.sql_schema, spoken) for view in views]
        used = wanted.used.union(more.used, (schema[-1] for schema in schemas if schema))
        return replace(wanted, names=wanted.names | more.names, used=used)

    def _read(
        self, schemas: Iterable[TableName], path: Sequence[TableName], wanted: Wanted | None
    ) -> list[TableDescription]:
        """Read what is wanted of some schemas, but for what was read before."""
        new: list[TableDescription] = []
        for schema in schemas:
            there = self._reading.listing(schema)
            kinds = self._chosen(schema, there, path, wanted)
            if kinds:
                new += self._reading.tables(schema, kinds, len(kinds) == len(there))
        self._found.update((table.name, table) for table in new)
        return new

    def _chosen(
        self, schema: TableName, there: Mapping[str, str], path: Sequence[TableName], wanted: Wanted | None
    ) -> dict[str, str]:
        spoken = self._live.dialect
        return {
            name: kind
            for name, kind in there.items()
            if (*schema, name) not in self._found and (wanted is None or wanted.has(schema, name, path, spoken))
        }


def _remarks(live: Live, reading: Reading, offline: bool, known: bool) -> Iterable[Diagnostic]:
    when = datetime.fromtimestamp(reading.oldest, timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    problem = reading.problem
    if problem and known:
        hint = f"what was read before that was taken, and what the cache has of {when} or later; {_AGAIN}"
        yield Diagnostic(Code.CATALOG_UNAVAILABLE, problem, subject=live.place, hint=hint)
    elif problem:
        hint = f"the analysis knows no tables of it; {_AGAIN}"
        yield Diagnostic(Code.CATALOG_UNAVAILABLE, problem, subject=live.place, hint=hint)
    elif offline and not known:
        message = f"nothing is known of {live.place}, and it is not asked"
        yield Diagnostic(Code.CATALOG_UNAVAILABLE, message, subject=live.place, hint="ask once without --offline")


def _unread(live: Live, refused: Mapping[TableName, str], tables: Iterable[TableDescription]) -> Iterable[Diagnostic]:
    """What could not be read although the database answers: one diagnostic for all tables that have the same reason."""
    spelling = Spelling.of(live.dialect)
    reasons: dict[tuple[str, str], list[str]] = {}
    for schema, why in refused.items():
        reasons.setdefault(("schema", f"its tables cannot be listed: {why}"), []).append(spelling.table(schema))
    for table in tables:
        if table.problem:
            what = "view" if table.kind in VIEWS else "table"
            reasons.setdefault((what, table.problem), []).append(spelling.table(table.name))
    for (what, why), names in reasons.items():
        more = f" and {len(names) - _NAMED:,} more" if len(names) > _NAMED else ""
        named = f"{what}{'s' if len(names) > 1 else ''} {', '.join(names[:_NAMED])}{more}"
        message = f"{named} of {live.place}: {why}"
        yield Diagnostic(Code.CATALOG_INCOMPLETE, message, subject=f"{live.place}/{names[0]}", hint=_GRANT)
