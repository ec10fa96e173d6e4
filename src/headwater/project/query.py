"""A query under construction: expressions become text, and what they need comes into FROM.

Two kinds of query are written for the same expressions: one for the resolver (`traced`), in which every dimension and metric is a step of
its own, and one for a database (`runnable`), in which they are written out.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import NamedTuple

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import TableName
from headwater.project.joins import Joins
from headwater.project.names import ModelColumn, Names, Shown, UnknownReference
from headwater.project.objects import Expression, Field, Model, Place, Reference
from headwater.resolve.expression import BareName, NotAnExpression, aggregates, bare_names, can_be_key
from headwater.sql.dialect import Dialect
from headwater.sql.quoted import quoted, quoted_table
from headwater.sql.stretches import stretches

UNKNOWN = "NULL"
"""What stands for a reference to nothing."""
NOWHERE = Place("")
"""The place of what is said of a whole statement."""
_MARK = re.compile(r"_reference_(\d+)_")
"""What stands for a reference while an expression is taken apart: its number among the parts."""
_WITHOUT_BARS = frozenset({"mysql", "tsql"})
"""Dialects in which `||` does not put strings together."""
_MIRRORED = {"left": "right", "right": "left"}


class Text(NamedTuple):
    """An expression as SQL, and whether it uses a metric."""

    sql: str
    metric: bool = False


class Query(ABC):
    """A query under construction, in a dialect; *model* is the one whose columns bare names mean, *field* what the query is for."""

    def __init__(
        self, names: Names, joins: Joins, spoken: Dialect, model: str = "", field: Field | None = None
    ) -> None:
        self.names = names
        self.joins = joins
        self.dialect = spoken
        self.field = field
        self.models: dict[str, Model] = {}
        """The models that are needed."""
        self.remarks: list[tuple[Diagnostic, Place]] = []
        """What is wrong with what was written so far."""
        self.named: dict[TableName, None] = {}
        """The entities that are named."""
        self.spelled: dict[str, str] = {}
        """What was written, and what the project has in its place."""
        self.model = names.models.get(model.lower())
        if self.model is not None:
            self.need(self.model)
        elif model:
            self._unknown(UnknownReference(f"there is no model {model}"), Reference(model), NOWHERE)

    @abstractmethod
    def of_field(self, field: Field) -> Text:
        """A dimension or metric that is used."""

    @abstractmethod
    def of_model(self, model: Model) -> Text:
        """A model that is used as a whole."""

    @abstractmethod
    def of_shown(self, shown: Shown) -> Text:
        """A property of something shown, or what was chosen in an input."""

    @abstractmethod
    def item(self, model: Model) -> str:
        """A model in FROM."""

    def of_column(self, column: ModelColumn) -> Text:
        """A column of a model."""
        self.need(column.model)
        return Text(f"{self.alias(column.model)}.{_spelled(column, self.dialect)}")

    def of_bare_column(self, spelled: str) -> Text:
        """A column that no model's name stands before: it is the query's own model's."""
        return Text(spelled)

    def need(self, model: Model) -> None:
        """See that a model is among those that are joined."""
        self.models.setdefault(model.name, model)

    def alias(self, model: Model) -> str:
        """What a model is called inside of the query: as the dialect folds its name, since expressions may have it without quotes."""
        return quoted(self.dialect.fold_column(model.name, False), self.dialect)

    def quote(self, table: TableName) -> str:
        """A table's name in quotes."""
        self.named[table] = None
        return quoted_table(table, self.dialect)

    def remark(self, said: Diagnostic, place: Place) -> None:
        """Say what is wrong, once."""
        if (said, place) not in self.remarks:
            self.remarks.append((said, place))

    def _unknown(self, error: UnknownReference, reference: Reference, place: Place) -> None:
        said = Diagnostic(Code.UNKNOWN_REFERENCE, str(error), subject=str(reference), hint=error.hint)
        self.remark(said, place)

    def text(self, expression: Expression) -> Text:
        """An expression as SQL. A reference inside of a string, as tools that paste text have it, ends the string and begins another.

        Comments and semicolons at the end are left out, since more SQL follows.
        """
        parts = expression.parts
        marked = "".join(part if isinstance(part, str) else f"_reference_{n}_" for n, part in enumerate(parts))
        made, metric = "", False
        for stretch, quote in stretches(marked, self.dialect):
            texts = []
            for number, piece in enumerate(_MARK.split(stretch)):
                part = parts[int(piece)] if number % 2 else piece
                texts.append(Text(part) if isinstance(part, str) else self._reference(part, expression.place))
            pasted = quote and len(texts) > 1
            made += self._pasted(texts, quote) if pasted else "".join(text.sql for text in texts)
            metric |= any(text.metric for text in texts)
        return self._with_bare_names(Text(made, metric))

    def _pasted(self, texts: Sequence[Text], quote: str) -> str:
        """A string that is taken apart at the references in it, and put together from strings and what these give."""
        if self.dialect.name not in _WITHOUT_BARS:
            return "".join(f"{quote} || {text.sql} || {quote}" if n % 2 else text.sql for n, text in enumerate(texts))
        return (
            f"CONCAT({''.join(f'{quote}, {text.sql}, {quote}' if n % 2 else text.sql for n, text in enumerate(texts))})"
        )

    def _reference(self, reference: Reference, place: Place) -> Text:
        meant = self.meant(reference, place)
        if meant is None:
            return Text(UNKNOWN)
        if meant is self.field and self.model is not None:
            meant = ModelColumn(self.model, reference.field or reference.name, reference.quoted)
        if isinstance(meant, Model):
            text = self.of_model(meant)
        elif isinstance(meant, Field):
            text = self.of_field(meant)
        else:
            text = self.of_column(meant) if isinstance(meant, ModelColumn) else self.of_shown(meant)
        if text.sql:
            self.spelled[text.sql] = str(reference)
        return text

    def meant(self, reference: Reference, place: Place) -> Model | Field | ModelColumn | Shown | None:
        """Who is meant by a reference; if nobody is, that is said."""
        try:
            return self.names.meant(reference)
        except UnknownReference as error:
            self._unknown(error, reference, place)
            return None

    def _with_bare_names(self, text: Text) -> Text:
        """Text whose bare names are the model's: its fields, or its columns."""
        if self.model is None:
            return text
        made, end, metric = "", 0, text.metric
        for name, span in self._bare_names(text.sql):
            field = self._field_called(name, self.model)
            spelled = text.sql[slice(*span)]
            found = self.of_bare_column(spelled) if field is None else self.of_field(field)
            self.spelled[found.sql] = spelled
            made, end, metric = made + text.sql[end : span.start] + found.sql, span.end, metric or found.metric
        return Text(made + text.sql[end:], metric)

    def _field_called(self, name: str, model: Model) -> Field | None:
        """The field that a bare name means, folded as it is; in quotes it may be a column that differs only in case."""
        field = self.names.fields.get(f"{model.name}.{name}".lower())
        if field is None or field is self.field or (self.field is not None and self.field.of_columns):
            return None
        return field if name in (field.name, self.dialect.fold_column(field.name, False)) else None

    def _bare_names(self, text: str) -> list[BareName]:
        try:
            return bare_names(text, self.dialect)
        except NotAnExpression:
            return []

    def aggregated(self, text: Text) -> bool:
        """Whether an expression is one value for a group: it uses a metric, or aggregates."""
        return text.metric or self.aggregates(text)

    def aggregates(self, text: Text) -> bool:
        """Whether an expression aggregates by itself."""
        try:
            return aggregates(text.sql, self.dialect)
        except NotAnExpression:
            return False

    def is_expression(self, text: Text) -> bool:
        """Whether the dialect takes a text for an expression."""
        try:
            aggregates(text.sql, self.dialect)
        except NotAnExpression:
            return False
        return True

    def keys(self, texts: Sequence[Text]) -> list[str]:
        """What is grouped by: constants are not, since a number there would be an output's, and windows come after groups."""
        return [text.sql for text in texts if self._can_be_key(text)]

    def _can_be_key(self, text: Text) -> bool:
        try:
            return can_be_key(text.sql, self.dialect)
        except NotAnExpression:
            return True

    def joined(self) -> str:
        """The models that are needed, joined by the project's relations."""
        joined = self.joins.join(self.models.values())
        for problem in joined.problems:
            self.remark(problem, NOWHERE)
        text = "\nCROSS JOIN ".join(map(self.item, (joined.first, *joined.apart)))
        for join in joined.joins:
            self.need(join.model)
            word = _MIRRORED.get(join.relation.join, join.relation.join) if join.reversed else join.relation.join
            text += f"\n{word.upper()} JOIN {self.item(join.model)} ON {self.text(join.relation.condition).sql}"
        return text


def clauses(wheres: Sequence[str], keys: Sequence[str] = (), havings: Sequence[str] = ()) -> str:
    """What stands behind FROM."""
    listed = (("WHERE", " AND ", wheres), ("GROUP BY", ", ", keys), ("HAVING", " AND ", havings))
    return "".join(f"\n{word} {between.join(texts)}" for word, between, texts in listed if texts)


def _spelled(column: ModelColumn, spoken: Dialect) -> str:
    """A column as it was spelled, so that the dialect folds it; in quotes where it needs them."""
    name = column.name
    plain = name.isascii() and name.replace("_", "a").isalnum() and not name[0].isdigit()
    return name if plain and not column.quoted else quoted(name, spoken)
