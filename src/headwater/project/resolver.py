"""One resolver for columns of models, dimensions and metrics: `resolve("orders.revenue")` says what it is, and what it is made of."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from headwater.catalog import Catalog
from headwater.model.entity import PSEUDO_ROWS, ColumnRef
from headwater.model.kind import FDD
from headwater.model.suggestion import did_you_mean
from headwater.project.lineage import ProjectLineage, project_lineage
from headwater.project.names import OPTIONS, VALUE, Meant, ModelColumn, Shown, UnknownReference, properties_of
from headwater.project.objects import Expression, Field, Model, Place, Project, Reference
from headwater.project.query import Text
from headwater.project.runnable import RunnableQuery, TooLarge
from headwater.project.statements import Statements, dialect_of
from headwater.project.text import reference as read_reference
from headwater.sql.dialect import Dialect, dialect

_STAR = "*"
_HERE = Place("")


@dataclass(frozen=True, slots=True)
class ResolvedExpression:
    """What a reference means."""

    name: str
    """As the graph has it."""
    kind: Literal["column", "dimension", "metric", "property"]
    sql: str
    """The expression, with everything that it refers to written out; as the project has it where that would be too large."""
    query: str
    """A query that gives it; empty where it would be too large, and for what only shows others."""
    dialect: str
    models: tuple[str, ...]
    """The models that the query needs."""
    dependencies: tuple[str, ...]
    """What it is made of, one step away."""
    columns: tuple[str, ...]
    """The columns that its values come from, at the very beginning."""
    influences: tuple[str, ...]
    """Columns there that decide over it otherwise: filters, joins, groups."""


class Resolver:
    """Resolves references in a project. What is the same for all of them is worked out when it is first needed."""

    def __init__(self, project: Project, catalog: Catalog | None = None) -> None:
        self._project = project
        self._catalog = catalog
        self._resolved: dict[tuple[str, str], ResolvedExpression] = {}
        self._statements = Statements(project)

    @cached_property
    def lineage(self) -> ProjectLineage:
        """The lineage of the whole project."""
        return project_lineage(self._project, self._catalog)

    @cached_property
    def _flow(self) -> _Flow:
        return _Flow(self.lineage)

    def resolve(self, reference: str, context: str = "") -> ResolvedExpression:
        """What a reference means: `orders.revenue`, `revenue` where *context* is the model `orders`, or `${ref(orders).revenue}`.

        Raises `UnknownReference`, with what was perhaps meant.
        """
        found = self._resolved.get((reference, context))
        if found is None:
            found = self._resolved[reference, context] = self._resolve(reference, context)
        return found

    def _resolve(self, reference: str, context: str) -> ResolvedExpression:
        wanted = self._reference(reference, context)
        meant = self._statements.names.meant(wanted)
        ref, kind = self._known_as(meant)
        query = RunnableQuery(self._statements.names, self._statements.joins, self._spoken(meant))
        try:
            text = query.text(Expression((wanted,), _HERE))
            whole = self._query_of(query, meant, text, wanted)
            sql = text.sql if whole else _as_written(meant, wanted)
        except TooLarge:
            sql, whole = _as_written(meant, wanted), ""
        columns, influences = self._flow.beginnings(ref)
        return ResolvedExpression(
            name=str(ref),
            kind=kind,
            sql=sql,
            query=whole,
            dialect=query.dialect.name,
            models=tuple(query.models) or tuple(each.name for each in self._models(meant)),
            dependencies=tuple(map(str, self._flow.into(ref))),
            columns=tuple(map(str, columns)),
            influences=tuple(map(str, influences)),
        )

    def _query_of(self, query: RunnableQuery, meant: Meant, text: Text, wanted: Reference) -> str:
        if isinstance(meant, Shown) and meant.presentation.kind != "input":
            own = meant.presentation.properties or meant.presentation.splits
            return query.presentation(meant.presentation) if own else ""
        return query.select(text, wanted.field or wanted.name)

    def _reference(self, text: str, context: str) -> Reference:
        if "${" in text:
            found = read_reference(text)
            if found is None:
                raise UnknownReference(f"{text} is not one reference")
            return found
        name, field = self._parts(text)
        if not field and context:
            inside = Reference(context, name)
            try:
                self._statements.names.meant(inside)
            except UnknownReference:
                return Reference(name)
            return inside if f"{context}.{name}".lower() in self._statements.names.fields else self._of_model(inside)
        return Reference(name, field)

    def _parts(self, text: str) -> tuple[str, str]:
        """A name and what is asked of it. Names may have dots in them: the longest that there is counts."""
        names = self._statements.names
        dots = [at for at, character in enumerate(text) if character == "."]
        for at in (len(text), *reversed(dots)):
            if any(text[:at].lower() in known for known in (names.models, names.presentations)):
                return text[:at], text[at + 1 :]
        own = names.fields.get(text.lower())
        if own is not None and not own.model:
            return text, ""
        name, _, field = text.partition(".")
        return name, field

    def _of_model(self, reference: Reference) -> Reference:
        """A column of the context's model, unless something is called so by itself."""
        alone = Reference(reference.field)
        try:
            self._statements.names.meant(alone)
        except UnknownReference:
            return reference
        return alone

    def _models(self, meant: Meant) -> Iterable[Model]:
        names = self._statements.names
        if isinstance(meant, Model):
            return (meant,)
        if isinstance(meant, ModelColumn):
            return (meant.model,)
        if isinstance(meant, Field):
            return names.models_of_field(meant)
        properties = meant.presentation.properties
        return {model.name: model for each in properties for model in names.models_of(each.expression)}.values()

    def _spoken(self, meant: Meant) -> Dialect:
        found = next(iter(self._models(meant)), None)
        return dialect_of(found.source) if found is not None else dialect("duckdb")

    @cached_property
    def _columns_of(self) -> dict[str | None, set[str]]:
        found: dict[str | None, set[str]] = {}
        for statement in self.lineage.lineage.statements:
            for output in statement.outputs:
                found.setdefault(output.table, set()).add(output.column)
        return found

    def _refuse_absent(self, column: ColumnRef, model: Model) -> None:
        """Raise if a model's query lists its columns, and this is none of them nor a field of one."""
        known = self._columns_of.get(column.table, {_STAR})
        if _STAR not in known and column.column not in known and column.column.split(".")[0] not in known:
            message = f"the model {model.name} has no column {column.column}"
            raise UnknownReference(message, did_you_mean(column.column, sorted(known)))

    def _known_as(self, meant: Meant) -> tuple[ColumnRef, Literal["column", "dimension", "metric", "property"]]:
        names = self._statements.names
        if isinstance(meant, Field):
            return ColumnRef(".".join(names.table(meant)), VALUE), meant.kind
        if isinstance(meant, ModelColumn):
            fold = dialect_of(meant.model.source).fold_column
            column = ColumnRef(".".join(names.table(meant.model)), fold(meant.name, meant.quoted))
            self._refuse_absent(column, meant.model)
            return column, "column"
        if isinstance(meant, Shown) and (meant.property or meant.presentation.kind == "input"):
            return ColumnRef(".".join(names.table(meant.presentation)), meant.property or OPTIONS), "property"
        if isinstance(meant, Shown):
            shown = meant.presentation
            known = (*properties_of(shown), *(str(each).lower() for each in shown.shows))
            listed = ", ".join(f"{shown.name}.{each}" for each in known)
            raise UnknownReference(
                f"{shown.name} is a whole {shown.word}", f"name a part of it: {listed}" if listed else ""
            )
        raise UnknownReference(f"{meant.name} is a model, not a field of one", f"name a field: {meant.name}.…")


class _Flow:
    """What flows into what, in a project."""

    def __init__(self, lineage: ProjectLineage) -> None:
        self._into: dict[ColumnRef, list[tuple[ColumnRef, bool]]] = {}
        for edge in lineage.lineage.column_edges():
            self._into.setdefault(edge.target, []).append((edge.source, edge.type == FDD))

    def into(self, column: ColumnRef) -> list[ColumnRef]:
        """What a column is made of, row sets aside."""
        return [source for source, _ in self._sources(column) if source.column != PSEUDO_ROWS]

    def beginnings(self, column: ColumnRef) -> tuple[list[ColumnRef], list[ColumnRef]]:
        """The columns that nothing flows into, and values come from; and those that decide otherwise."""
        values = self._reached([column], data_only=True)
        everything = self._reached([column], data_only=False)
        first = {each for each in everything if each != column and not self._sources(each) and _is_column(each)}
        return sorted(first & values), sorted(first - values)

    def _reached(self, start: list[ColumnRef], data_only: bool) -> set[ColumnRef]:
        seen = set(start)
        pending = deque(start)
        while pending:
            column = pending.popleft()
            found = [source for source, data in self._sources(column) if data or not data_only]
            if not data_only:
                found.append(ColumnRef(column.table, PSEUDO_ROWS))
            for source in found:
                if source not in seen:
                    seen.add(source)
                    pending.append(source)
        return seen

    def _sources(self, column: ColumnRef) -> list[tuple[ColumnRef, bool]]:
        """What flows into a column; of one that only a `*` can have brought, the column of that name where the `*` looks."""
        found = self._into.get(column)
        if found is None and column.column != PSEUDO_ROWS:
            starred = self._into.get(ColumnRef(column.table, _STAR), ())
            found = [(ColumnRef(source.table, column.column), data) for source, data in starred]
        return found or []


def _as_written(meant: Meant, wanted: Reference) -> str:
    return str(meant.expression) if isinstance(meant, Field) else str(wanted)


def _is_column(ref: ColumnRef) -> bool:
    return ref.column not in (PSEUDO_ROWS, _STAR)
