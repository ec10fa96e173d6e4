"""What a project consists of, whatever tool it was written for. Readers make these; everything else takes them.

Objects refer to each other by name, inside of expressions. An expression is SQL text in pieces: text, and references between it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal, NamedTuple

from headwater.model.diagnostic import Diagnostic
from headwater.model.entity import TableName
from headwater.source.template_map import TemplateMap


class NoProject(ValueError):
    """There is no project where one was looked for; the message says what was looked for."""


class Place(NamedTuple):
    """Where something stands in a project's files: a path as it is shown, line and column from 1 on."""

    path: str
    line: int = 1
    column: int = 1

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


class Reference(NamedTuple):
    """A reference to another object, or to a field of one."""

    name: str
    field: str = ""
    """Empty for the object as a whole: a metric of the project's own, an input, an insight."""
    quoted: bool = False
    """Whether the field was in quotes: then its case counts."""

    def __str__(self) -> str:
        return f"{self.name}.{self.field}" if self.field else self.name


@dataclass(frozen=True, slots=True)
class Expression:
    """SQL with references in it."""

    parts: tuple[str | Reference, ...]
    place: Place

    @property
    def references(self) -> tuple[Reference, ...]:
        """What it refers to, in order."""
        return tuple(part for part in self.parts if isinstance(part, Reference))

    def __str__(self) -> str:
        return "".join(part if isinstance(part, str) else f"${{{part}}}" for part in self.parts)


@dataclass(frozen=True, slots=True)
class Source:
    """A database that models read."""

    name: str
    dialect: str
    place: Place
    schema: TableName | None = None
    """The schema of tables that are named without one; None for the source's own name."""

    @property
    def default_schema(self) -> TableName:
        """What stands before the names of tables that have no schema."""
        return self.schema or (self.name.replace(".", "_").lower(),)


@dataclass(frozen=True, slots=True)
class Model:
    """A query that has a name."""

    name: str
    sql: str
    source: Source
    place: Place
    """Where its SQL begins."""
    table: TableName | None = None
    """The table or view that it becomes in the database, if it does: dbt's models do, Visivo's do not."""
    materialized: Literal["view", "table", "nothing"] = "view"
    """`nothing` for what only stands inside of others, and for what is filled from outside: seeds, sources."""
    columns: Mapping[str, str] | None = None
    """Its columns and their types, where a file says so and no SQL does."""
    tags: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Tags of its columns; of the model as a whole under the empty name."""
    description: str = ""
    added: str = ""
    """Another query that adds rows to its table: that of an incremental run, where it differs."""
    hooks: tuple[str, ...] = ()
    """Statements that run before or after it."""
    places: TemplateMap | None = None
    """Where its SQL stands in its file; None where that is not known."""
    added_places: TemplateMap | None = None
    """Where the other query stands."""
    before: tuple[str, ...] = ()
    """SQL that runs before its query, in the same session: it may define functions and variables that the query uses."""
    after: tuple[str, ...] = ()
    """SQL that runs after its query, in the same session."""


@dataclass(frozen=True, slots=True)
class Operation:
    """SQL that a project runs and that is no model's query: statements of their own, or those of a model's later runs."""

    name: str
    sql: str
    source: Source
    place: Place
    table: TableName | None = None
    """The table that it fills, if the project says so."""
    first: bool = False
    """Whether it runs before all models."""


@dataclass(frozen=True, slots=True)
class Field:
    """A dimension or a metric: an expression that has a name."""

    kind: Literal["dimension", "metric"]
    name: str
    expression: Expression
    place: Place
    model: str = ""
    """The model whose columns its bare names mean; empty for one of the project's own, which names models in references."""
    filters: tuple[Expression, ...] = ()
    """Conditions under which rows count."""
    tags: tuple[str, ...] = ()
    description: str = ""
    of_columns: bool = False
    """Whether its bare names mean columns alone, and never other fields of the model, as in dbt."""

    @property
    def full_name(self) -> str:
        """How others call it."""
        return f"{self.model}.{self.name}" if self.model else self.name


@dataclass(frozen=True, slots=True)
class Relation:
    """How two models can be joined."""

    name: str
    condition: Expression
    place: Place
    join: Literal["inner", "left", "right", "full"] = "inner"
    default: bool = False
    """Whether it is meant where several would do."""


class Property(NamedTuple):
    """A property of something shown that is made of data: `x`, `marker.color`."""

    name: str
    expression: Expression


PresentationKind = Literal["insight", "input", "chart", "dashboard", "exposure"]


@dataclass(frozen=True, slots=True)
class Presentation:
    """Something that people look at: it has properties of its own, or shows others, or both."""

    kind: PresentationKind
    word: str
    """What its tool calls it: `insight`, `trace`, `table`, `exposure`, …; a part of its name here."""
    name: str
    place: Place
    properties: tuple[Property, ...] = ()
    filters: tuple[Expression, ...] = ()
    """Conditions on rows; those with aggregates on groups."""
    sorts: tuple[Expression, ...] = ()
    splits: tuple[Expression, ...] = ()
    """What tells its series apart: data like a property."""
    shows: tuple[Reference, ...] = ()
    """Others that it shows as a whole: a chart its insights, a dashboard its charts; a reference with a field shows that alone."""
    model: str = ""
    """The model whose columns bare names mean, where the tool has such a thing."""
    tags: tuple[str, ...] = ()


Tables = Mapping[str, Mapping[str, str]]
"""Columns of tables and their types, by dotted name."""


@dataclass(frozen=True, slots=True)
class Project:
    """A project, read."""

    name: str
    tool: str
    """`visivo`, `dbt`, `dataform`, `sqlmesh`."""
    sources: tuple[Source, ...] = ()
    models: tuple[Model, ...] = ()
    fields: tuple[Field, ...] = ()
    relations: tuple[Relation, ...] = ()
    presentations: tuple[Presentation, ...] = ()
    catalogs: Mapping[str, Tables] = field(default_factory=dict)
    """Columns of tables that its files tell of: seeds, sources, a catalog file; by the dialect that spells their names."""
    remarks: tuple[tuple[Diagnostic, Place], ...] = ()
    """What is wrong in its files."""
    files: tuple[str, ...] = ()
    """The files that it was read from, as they are shown."""
    operations: tuple[Operation, ...] = ()

    @property
    def catalog(self) -> Tables:
        """All of its catalogs together, for one dialect to read."""
        return {name: columns for tables in self.catalogs.values() for name, columns in tables.items()}

    def in_schemas(self, schemas: Mapping[str, TableName]) -> Project:
        """The same, with schemas for tables that models name without one, by the names of their sources."""
        sources = {each.name: replace(each, schema=schemas.get(each.name, each.schema)) for each in self.sources}
        having: tuple[Model | Operation, ...] = (*self.models, *self.operations)
        moved = {each.name: sources.get(each.name, each) for each in (one.source for one in having)}
        models = tuple(replace(model, source=moved[model.source.name]) for model in self.models)
        operations = tuple(replace(each, source=moved[each.source.name]) for each in self.operations)
        places = {each.default_schema: schemas[each.name] for each in self.sources if each.name in schemas}
        catalogs = {
            spoken: {_moved(name, places): columns for name, columns in tables.items()}
            for spoken, tables in self.catalogs.items()
        }
        return replace(self, sources=tuple(sources.values()), models=models, operations=operations, catalogs=catalogs)

    def sources_without_schema(self, dialect: str) -> list[str]:
        """The sources of a dialect whose files do not say in which schema their tables are."""
        return [each.name for each in self.sources if each.schema is None and each.dialect == dialect]


def _moved(table: str, places: Mapping[TableName, TableName]) -> str:
    """A table's name with another schema before it, if its own is among the places that others take."""
    *schema, name = table.split(".")
    return ".".join((*places.get(tuple(schema), schema), name))
