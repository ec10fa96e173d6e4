"""A query for the resolver: what it reads are the entities of a project, each a step of its own.

A dimension stands in FROM beside its model. A metric, which is one value for a group, is a subquery: what decides over its rows reaches the
column that uses it, and no other. An input is a subquery, too: what it offers may decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from headwater.model.entity import EntityKind, TableName
from headwater.project.joins import Joins
from headwater.project.names import OPTIONS, VALUE, ModelColumn, Names, Shown
from headwater.project.objects import Expression, Field, Model, Place, Presentation
from headwater.project.query import NOWHERE, UNKNOWN, Query, Text, clauses
from headwater.project.statement import ProjectStatement
from headwater.sql.dialect import Dialect
from headwater.sql.quoted import quoted


class Output(NamedTuple):
    """A column of a query under construction."""

    name: str
    text: Text


class TracedQuery(Query):
    """A query under construction, for the resolver."""

    def __init__(
        self, names: Names, joins: Joins, spoken: Dialect, model: str = "", field: Field | None = None
    ) -> None:
        super().__init__(names, joins, spoken, model, field)
        self._dimensions: dict[str, Field] = {}
        self._shown: dict[str, Presentation] = {}
        self._has_columns = self.model is not None
        """Whether a column of a model is used: then the model itself stands in FROM."""
        self._has_queries = False
        """Whether an expression holds a query of its own, which may read anything."""
        self._aside: list[str] | None = None
        """Inputs that were met, where these have to stand aside."""

    def text(self, expression: Expression) -> Text:
        """An expression as SQL."""
        self._has_queries |= any(isinstance(part, str) and "select" in part.lower() for part in expression.parts)
        return super().text(expression)

    def of_field(self, field: Field) -> Text:
        """A metric as a subquery, a dimension by its value."""
        for model in self.names.models_of_field(field):
            self.need(model)
        value = quoted(VALUE, self.dialect)
        if field.kind == "metric":
            return Text(f"(SELECT {value} FROM {self.quote(self.names.table(field))})", metric=True)
        self._dimensions[field.full_name] = field
        return Text(f"{quoted(field.full_name.lower(), self.dialect)}.{value}")

    def of_model(self, model: Model) -> Text:
        """A model's entity."""
        return Text(self.quote(self.names.table(model)))

    def of_column(self, column: ModelColumn) -> Text:
        """A column of a model that stands in FROM."""
        self._has_columns = True
        return super().of_column(column)

    def of_shown(self, shown: Shown) -> Text:
        """An input as a subquery, a property of something else by its name."""
        if shown.presentation.kind != "input":
            self._shown[shown.presentation.name] = shown.presentation
            alias = quoted(shown.presentation.name.lower(), self.dialect)
            return Text(f"{alias}.{quoted(shown.property, self.dialect)}")
        table = self.quote(self.names.table(shown.presentation))
        text = f"(SELECT {quoted(shown.property or OPTIONS, self.dialect)} FROM {table})"
        if self._aside is None:
            return Text(text)
        self._aside.append(text)
        self.spelled[text] = shown.presentation.name
        return Text("")

    def position(self, expression: Expression) -> Text:
        """A row's position in an order, with its direction; an input that chooses the direction is one more thing to order by."""
        self._aside = []
        text = self.text(expression)
        ordered = ", ".join([text.sql.strip() or UNKNOWN, *self._aside])
        self._aside = None
        made = f"ROW_NUMBER() OVER (ORDER BY {ordered})"
        self.spelled[made] = ordered
        return Text(made, text.metric)

    def view(self, table: TableName, outputs: Sequence[Output], filters: Sequence[Text], keys: Sequence[Text]) -> str:
        """The view that has these outputs; keys are what it is grouped by."""
        return f"CREATE VIEW {self.quote(table)} AS\n{self._select(outputs, filters, keys)}"

    def part(self, table: TableName, outputs: Sequence[Output], filters: Sequence[Text], keys: Sequence[Text]) -> str:
        """The same, for an entity that has other columns too."""
        names = ", ".join(quoted(output.name, self.dialect) for output in outputs)
        return f"INSERT INTO {self.quote(table)} ({names})\n{self._select(outputs, filters, keys)}"

    def _select(self, outputs: Sequence[Output], filters: Sequence[Text], keys: Sequence[Text]) -> str:
        listed = [f"{self._in_group(text, keys)} AS {quoted(name, self.dialect)}" for name, text in outputs]
        havings = [f"({text.sql})" for text in filters if self.aggregated(text)]
        wheres = [f"({text.sql})" for text in filters if not self.aggregated(text)]
        return f"SELECT {', '.join(listed)}{self._from()}{clauses(wheres, self.keys(keys), havings)}"

    def _in_group(self, text: Text, keys: Sequence[Text]) -> str:
        """A value of a group: the keys decide over a metric as they do over an aggregate."""
        if not keys or not text.metric or self.aggregates(text):
            return text.sql
        made = f"MAX({text.sql})"
        self.spelled[made] = text.sql
        return made

    def subquery(self, output: Text) -> str:
        """A query that has this output, to stand inside of another."""
        return f"SELECT {output.sql}{self._from()}"

    def _from(self) -> str:
        """FROM with everything that the expressions need."""
        models = [self.joined()] if len(self.models) > 1 else []
        if len(self.models) == 1 and self._has_columns:
            models = [self.item(model) for model in self.models.values()]
        items = [
            self._named(each, each.full_name) for each in self._dimensions.values()
        ]  # first: joins may be by these
        items += (self._named(each, each.name) for each in self._shown.values())
        items += models
        return f"\nFROM {' CROSS JOIN '.join(items)}" if items else ""

    def item(self, model: Model) -> str:
        """A model's entity, under the model's name."""
        return f"{self.quote(self.names.table(model))} AS {self.alias(model)}"

    def _named(self, item: Field | Presentation, alias: str) -> str:
        return f"{self.quote(self.names.table(item))} AS {quoted(alias.lower(), self.dialect)}"

    def statement(self, table: TableName, kind: EntityKind, sql: str, place: Place) -> ProjectStatement:
        """What was made."""
        schema = next((model.source.default_schema for model in self.models.values()), None)
        reads = None if self._has_queries else tuple(each for each in self.named if each != table)
        spelled = tuple(sorted(self.spelled.items(), key=lambda each: (-len(each[0]), each)))
        remarks = tuple((said, place if at == NOWHERE else at) for said, at in self.remarks)
        return ProjectStatement(table, kind, sql, self.dialect.name, schema, place, reads, spelled, remarks)
