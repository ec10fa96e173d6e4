"""A query that a database can run: models are CTEs with their own SQL, dimensions and metrics are written out."""

from __future__ import annotations

from itertools import islice

from headwater.project.joins import Joins
from headwater.project.names import Names, Shown, expressions_of
from headwater.project.objects import Field, Model, Presentation
from headwater.project.query import Query, Text, clauses
from headwater.resolve.expression import NotAnExpression, filtered
from headwater.sql.dialect import Dialect
from headwater.sql.quoted import quoted
from headwater.sql.stretches import bare

_DEEPEST = 100
"""So many fields inside of each other are written out."""
_LONGEST = 100_000
"""So many characters may a field have when it is written out."""


class Circular(ValueError):
    """A field or property that is made of itself."""


class TooLarge(ValueError):
    """An expression that no database would take, were everything written out that it refers to."""


class RunnableQuery(Query):
    """A query under construction, for a database."""

    def __init__(
        self,
        names: Names,
        joins: Joins,
        spoken: Dialect,
        model: str = "",
        field: Field | None = None,
        inside: tuple[str, ...] = (),
    ) -> None:
        super().__init__(names, joins, spoken, model, field)
        self._inside = inside

    def of_field(self, field: Field) -> Text:
        """A field's expression, written out; its models are needed here too."""
        inside = self._with(field.full_name)
        query = RunnableQuery(self.names, self.joins, self.dialect, field.model, field, inside)
        text = query.text(field.expression)
        conditions = " AND ".join(f"({query.text(each).sql})" for each in field.filters)
        for model in query.models.values():
            self.need(model)
        self.remarks += query.remarks
        if len(text.sql) > _LONGEST:
            raise TooLarge(f"{inside[0]} has more than {_LONGEST} characters when it is written out")
        return Text(f"({self._filtered(text.sql, conditions)})", field.kind == "metric")

    def _filtered(self, sql: str, conditions: str) -> str:
        try:
            return filtered(sql, conditions, self.dialect) if conditions else sql
        except NotAnExpression:
            return sql

    def of_bare_column(self, spelled: str) -> Text:
        """A column, with its model's name before it."""
        return Text(f"{self.alias(self.model)}.{spelled}" if self.model is not None else spelled)

    def of_model(self, model: Model) -> Text:
        """A model by the name of its CTE."""
        self.need(model)
        return Text(self._cte(model))

    def of_shown(self, shown: Shown) -> Text:
        """A property, written out; an input is a parameter: what was chosen is known only when the query runs."""
        found = dict(expressions_of(shown.presentation)).get(shown.property)
        if shown.presentation.kind == "input" or found is None:
            return Text(f":{_parameter(shown.presentation.name)}")
        before = self._inside
        self._inside = self._with(f"{shown.presentation.name}.{shown.property}")
        text = self.text(found)
        self._inside = before
        return text

    def _with(self, name: str) -> tuple[str, ...]:
        """What is being written out, with one more inside of it; raises `Circular` and `TooLarge`."""
        inside = (*self._inside, name)
        if name in self._inside:
            raise Circular(f"{name} is made of itself: {' - '.join(inside)}")
        if len(inside) > _DEEPEST:
            raise TooLarge(f"{inside[0]} is made of others that are made of others, more than {_DEEPEST} deep")
        return inside

    def item(self, model: Model) -> str:
        """A model's CTE, under the model's name."""
        cte, alias = self._cte(model), self.alias(model)
        return alias if cte == alias else f"{cte} AS {alias}"

    def _cte(self, model: Model) -> str:
        """The name of a model's CTE: the model's own, unless the SQL of some model has a word like that, which may be a table."""
        name = self.dialect.fold_column(model.name, False)
        while self.names.in_sql(name.lower()):
            name = f"model_{name}"
        return quoted(name, self.dialect)

    def select(self, value: Text, name: str) -> str:
        """The query that gives a value."""
        return self._query([(name, value)], [], [])

    def presentation(self, shown: Presentation) -> str:
        """The query that gives the data of something shown, without their order."""
        listed = islice(expressions_of(shown), len(shown.properties) + len(shown.splits))
        outputs = [(name, self.text(each)) for name, each in listed]
        return self._query(outputs, [text for _, text in outputs], [self.text(each) for each in shown.filters])

    def _query(self, outputs: list[tuple[str, Text]], grouped: list[Text], filters: list[Text]) -> str:
        listed = ", ".join(f"{text.sql} AS {quoted(name, self.dialect)}" for name, text in outputs)
        source = f"\nFROM {self.joined()}" if self.models else ""
        ctes = ", ".join(f"{self._cte(each)} AS ({self._source(each)})" for each in self.models.values())
        keys = [text for text in grouped if not self.aggregated(text)]
        behind = clauses(
            [f"({text.sql})" for text in filters if not self.aggregated(text)],
            self.keys(keys) if len(keys) < len(grouped) else [],
            [f"({text.sql})" for text in filters if self.aggregated(text)],
        )
        return (f"WITH {ctes}\n" if ctes else "") + f"SELECT {listed}{source}{behind}"

    def _source(self, model: Model) -> str:
        if model.sql.strip() and model.table is None:
            return f"\n{bare(model.sql, self.dialect)}\n"
        return f"SELECT * FROM {self.quote(self.names.table(model))}"


def _parameter(name: str) -> str:
    """The name of an input as a parameter's."""
    return "".join(character if character.isalnum() else "_" for character in name)
