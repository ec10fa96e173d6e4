"""A project's objects as SQL: every model, dimension, metric, insight, chart and dashboard is a view on others.

    metric orders.revenue: SUM(amount)
    CREATE VIEW shop.metric.orders.revenue AS SELECT SUM(amount) AS value FROM shop.model.orders AS orders

So one resolver does for all of them, the core's. What is written here is for it alone, and never sent to a database:

* models come together by the project's relations (`joins`)
* with an aggregate or metric among the properties, the others are grouped by
* something that shows others has a column for each of them, made by a statement of its own: one broken chart does not break the others of
  its dashboard
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import EntityKind, TableName
from headwater.project.joins import Joins, of_several_sources
from headwater.project.names import OPTIONS, VALUE, ModelColumn, Names, Shown, UnknownReference, properties_of
from headwater.project.objects import (
    Expression,
    Field,
    Model,
    Operation,
    Place,
    Presentation,
    Project,
    Reference,
    Relation,
    Source,
)
from headwater.project.query import UNKNOWN, Text
from headwater.project.statement import ProjectStatement
from headwater.project.traced import Output, TracedQuery
from headwater.source.template_map import TemplateMap
from headwater.sql.dialect import Dialect, UnknownDialect, dialect
from headwater.sql.quoted import bare_name, quoted, quoted_table

_FALLBACK = "duckdb"
"""The dialect of what has to do with no model."""


class Statements:
    """The statements of a project."""

    def __init__(self, project: Project) -> None:
        self.project = project
        self.names = Names(project)
        self.joins = Joins(project.relations, self.names)

    def all(self) -> Iterator[ProjectStatement]:
        """Every statement, in the order in which the project's files have the objects: models, fields, what is shown."""
        yield from (self.of_operation(each) for each in self.project.operations if each.first)
        for model in self.project.models:
            if self.names.models[model.name.lower()] is model:
                yield from self.of_model(model)
        yield from (self.of_operation(each) for each in self.project.operations if not each.first)
        for field in self.project.fields:
            if self.names.fields[field.full_name.lower()] is field:
                yield self.of_field(field)
        for shown in self.project.presentations:
            if self.names.presentations[shown.name.lower()] is shown:
                yield from self.of_presentation(shown)

    def problems(self) -> Iterator[tuple[Diagnostic, Place]]:
        """What is wrong with the project, beside what is wrong with single statements."""
        yield from self.project.remarks
        yield from self.names.repeated()
        for relation in self.project.relations:
            yield from self._of_relation(relation)

    def _of_relation(self, relation: Relation) -> Iterator[tuple[Diagnostic, Place]]:
        query = self._query(relation.condition, "")
        aggregated = query.aggregated(query.text(relation.condition))
        yield from query.remarks
        models = {model.name: model for model in self.joins.models_of(relation)}
        if aggregated or (len(models) != 2 and not query.remarks):
            what = "joins by an aggregate" if aggregated else f"has to do with {len(models)} models: it takes two"
            message = f"relation {relation.name} {what}"
            yield Diagnostic(Code.INVALID_PROJECT, message, subject=relation.name), relation.place
        if models:
            yield from ((said, relation.place) for said in of_several_sources(models.values()))

    def of_model(self, model: Model) -> Iterator[ProjectStatement]:
        """A model's view; only its columns, where it has no query."""
        spoken = dialect_of(model.source)
        name = quoted_table(self.names.table(model), spoken)
        kind = EntityKind.MODEL if model.table is None else EntityKind.VIEW
        if model.sql.strip():
            word = "TABLE" if model.materialized == "table" else "VIEW"
            kind = EntityKind.TABLE if word == "TABLE" and model.table else kind
            query, places = _stripped(model.sql, model.places)
            head = f"CREATE {word} {name} AS\n"
            sql, places = head + query, places and places.within(len(head))
        elif model.columns:
            listed = ", ".join(f"{quoted(bare_name(c), spoken)} {t or 'VARCHAR'}" for c, t in model.columns.items())
            kind = EntityKind.MODEL if model.table is None else EntityKind.TABLE
            sql, places = f"CREATE TABLE {name} ({listed})", None
        else:
            return
        table, schema = self.names.table(model), model.source.default_schema
        if model.before or model.after:
            start = len(script_of(*model.before, "")) if model.before else 0
            sql, places = script_of(*model.before, sql, *model.after), places and places.within(start)
        yield ProjectStatement(table, kind, sql, spoken.name, schema, model.place, places=places)
        if model.added.strip():
            query, places = _stripped(model.added, model.added_places)
            head = f"INSERT INTO {name}\n"
            places = places and places.within(len(head))
            yield ProjectStatement(table, kind, head + query, spoken.name, schema, model.place, places=places)
        for hook in model.hooks:
            yield ProjectStatement(table, kind, hook, spoken.name, schema, model.place)

    def of_operation(self, operation: Operation) -> ProjectStatement:
        """What an operation does; one that fills no table of the project has a name of its own."""
        spoken = dialect_of(operation.source)
        schema = operation.source.default_schema
        table = operation.table or (self.project.name.lower(), "operation", operation.name.lower())
        return ProjectStatement(table, EntityKind.TABLE, operation.sql, spoken.name, schema, operation.place)

    def of_field(self, field: Field) -> ProjectStatement:
        """A dimension's or metric's view."""
        query = self._query(field.expression, field.model, field)
        text = query.text(field.expression)
        value = Output(VALUE, text if text.sql else Text(UNKNOWN))
        filters = [query.text(each) for each in field.filters]
        problem = self._wrong_with(field, text, query)
        if problem is not None and not query.remarks:
            query.remark(problem, field.expression.place)
        sql = query.view(self.names.table(field), [value], filters, [])
        return query.statement(self.names.table(field), EntityKind(field.kind), sql, field.place)

    def _wrong_with(self, field: Field, value: Text, query: TracedQuery) -> Diagnostic | None:
        """What is wrong with a field as such; of what is no SQL, the resolver says so."""
        if self.names.table(field) in query.named:
            message = f"{field.kind} {field.full_name} is made of itself"
            return Diagnostic(Code.CIRCULAR_REFERENCE, message, subject=field.full_name, hint="take it out of itself")
        if not value.sql:
            message = f"{field.kind} {field.full_name} has no expression"
            return Diagnostic(Code.INVALID_PROJECT, message, subject=field.full_name)
        return _wrong_kind(field, query.aggregated(value)) if query.is_expression(value) else None

    def of_presentation(self, shown: Presentation) -> Iterator[ProjectStatement]:
        """What a presentation is made of: its properties together, and each of what it shows."""
        table, kind = self.names.table(shown), EntityKind(shown.kind)
        if shown.properties or shown.splits or shown.sorts:
            yield self._own(shown, table, kind)
        for reference in shown.shows:
            yield self._showing(shown, reference, table, kind)

    def _own(self, shown: Presentation, table: TableName, kind: EntityKind) -> ProjectStatement:
        listed = (*(each.expression for each in shown.properties), *shown.splits, *shown.sorts, *shown.filters)
        expression = next((each for each in listed if each.references), listed[0])
        query = self._query(expression, shown.model)
        made = {each.name.lower(): query.text(each.expression) for each in shown.properties}
        outputs = [Output(*each) for each in made.items()]
        names = iter(list(properties_of(shown))[len(outputs) :])
        outputs += [Output(next(names), query.text(each)) for each in shown.splits]
        keys = [each.text for each in outputs if not query.aggregated(each.text)]
        grouped = len(keys) < len(outputs)
        outputs += [Output(next(names), query.position(each)) for each in shown.sorts]
        filters = [query.text(each) for each in shown.filters]
        if shown.kind == "input" and _is_query(outputs):
            name = f"{query.quote(table)} ({quoted(OPTIONS, query.dialect)})"
            sql = f"CREATE VIEW {name} AS\n{outputs[0].text.sql}"
        else:
            write = query.part if shown.shows else query.view
            sql = write(table, outputs, filters, keys if grouped else [])
        return query.statement(table, kind, sql, shown.place)

    def _showing(
        self, shown: Presentation, reference: Reference, table: TableName, kind: EntityKind
    ) -> ProjectStatement:
        query = self._query(Expression((reference,), shown.place), "")
        whole = query.quote(table)
        meant = query.meant(reference, shown.place)
        if meant is None:
            return query.statement(table, kind, f"CREATE VIEW {whole} AS SELECT {UNKNOWN} AS missing", shown.place)
        if isinstance(meant, (Field, ModelColumn)) or (isinstance(meant, Shown) and meant.property):
            text = query.text(Expression((reference,), shown.place))
            name = quoted(_column_name(reference), query.dialect)
            made = f"({query.subquery(text)})"
            query.spelled[made] = str(reference)
            sql = f"INSERT INTO {whole} ({name}) SELECT {made}"
        else:
            other = meant.presentation if isinstance(meant, Shown) else meant
            source = query.quote(self.names.table(other))
            if _shows_columns(shown, other):
                verb = "CREATE VIEW {} AS" if len(shown.shows) == 1 and not shown.properties else "INSERT INTO {}"
                sql = f"{verb.format(whole)} SELECT * FROM {source} AS shown"
            else:
                name, columns = quoted(_column_name(reference), query.dialect), self._columns(other, query)
                made = f"(SELECT shown({columns}) FROM {source} AS shown)"
                query.spelled[made] = str(reference)
                sql = f"INSERT INTO {whole} ({name}) SELECT {made}"
        return query.statement(table, kind, sql, shown.place)

    def _columns(self, shown: Model | Presentation, query: TracedQuery) -> str:
        """All columns of what is shown: by name where these are known here, else whatever it has."""
        if isinstance(shown, Model) or any(self._whole(shown, each) for each in shown.shows):
            return "shown.*"
        names = [*properties_of(shown), *(_column_name(each) for each in shown.shows)]
        return ", ".join(f"shown.{quoted(name, query.dialect)}" for name in names) or "shown.*"

    def _whole(self, shown: Presentation, reference: Reference) -> bool:
        """Whether a reference brings all columns of what it means."""
        try:
            meant = self.names.meant(reference)
        except UnknownReference:
            return False
        other = meant.presentation if isinstance(meant, Shown) and not meant.property else meant
        return isinstance(other, (Model, Presentation)) and _shows_columns(shown, other)

    def _query(self, expression: Expression, model: str, field: Field | None = None) -> TracedQuery:
        return TracedQuery(self.names, self.joins, self._spoken(expression, model), model, field)

    def _spoken(self, expression: Expression, model: str) -> Dialect:
        """The dialect of an expression: that of the first model it has to do with."""
        if model.lower() in self.names.models:
            return dialect_of(self.names.models[model.lower()].source)
        found = next(iter(self.names.models_of(expression)), None)
        return dialect_of(found.source) if found is not None else dialect(_FALLBACK)


def _stripped(sql: str, places: TemplateMap | None) -> tuple[str, TemplateMap | None]:
    """A query without what is around it, and where it stands."""
    query = sql.strip().rstrip(";")
    start = len(sql) - len(sql.lstrip())
    found = None if places is None else places.part(start, start + len(query))
    return query, found if found and found.segments else None


def _wrong_kind(field: Field, aggregated: bool) -> Diagnostic | None:
    """What is wrong with a dimension that aggregates, or a metric that does not."""
    if field.kind == "dimension" and aggregated:
        message = f"dimension {field.full_name} aggregates: a dimension is worked out for each row"
        return Diagnostic(Code.AGGREGATE_IN_DIMENSION, message, subject=field.full_name, hint="make it a metric")
    if field.kind == "metric" and not aggregated:
        message = f"metric {field.full_name} neither aggregates nor refers to a metric"
        hint = "put an aggregate around it, or make it a dimension"
        return Diagnostic(Code.METRIC_WITHOUT_AGGREGATE, message, subject=field.full_name, hint=hint)
    return None


def script_of(*statements: str) -> str:
    """Statements as one script; one alone is as it was."""
    if len(statements) == 1:
        return statements[0]
    return ";\n".join(each.strip().rstrip(";") for each in statements)


def _is_query(outputs: Sequence[Output]) -> bool:
    return len(outputs) == 1 and outputs[0].text.sql.lstrip(" (\n").lower().startswith(("select", "with"))


def _column_name(reference: Reference) -> str:
    return str(reference).lower()


def _shows_columns(shown: Presentation, other: Model | Presentation) -> bool:
    """Whether the columns of what is shown are columns of what shows it: a table of data, or an exposure of models."""
    return shown.word == "table" or isinstance(other, Model)


def dialect_of(source: Source) -> Dialect:
    """The dialect of a source; a common one where nobody knows it."""
    try:
        return dialect(source.dialect)
    except UnknownDialect:
        return dialect(_FALLBACK)
