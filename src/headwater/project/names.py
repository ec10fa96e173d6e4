"""What a project's objects are called in the graph: `shop.metric.orders.revenue`, and who is meant by a reference.

Names are in lower case, since dialects fold them differently; a dot inside of a name is an underscore (and where another one has that
name already, there is one more at its end). A dimension or metric is an entity
with one column, `value`; whoever asks for the entity means that. Who a reference `orders.amount` means:

1. the dimension or metric `amount` of the model `orders`
2. the column `amount` of the model `orders`
3. the property `amount` of an insight `orders`, or what the input `orders` offers

and `revenue` alone: the project's own metric or dimension, a model, an insight or input, or the one field of that name that some model has.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TypeVar

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import TableName
from headwater.model.suggestion import did_you_mean
from headwater.project.objects import Expression, Field, Model, Place, Presentation, Project, Reference

_WORD = re.compile(r"\w+")
VALUE = "value"
"""The one column of a dimension or metric."""
OPTIONS = "options"
"""The column of an input that holds what it offers."""


@dataclass(frozen=True, slots=True)
class ModelColumn:
    """A column of a model, of whose name only the database can say whether it is right."""

    model: Model
    name: str
    quoted: bool


@dataclass(frozen=True, slots=True)
class Shown:
    """A property of something shown; no property is the whole."""

    presentation: Presentation
    property: str


Meant = Model | Field | ModelColumn | Shown
Object = TypeVar("Object", Model, Field, Presentation)


class UnknownReference(LookupError):
    """A reference that means nothing; `hint` says what was perhaps meant."""

    def __init__(self, message: str, hint: str = "") -> None:
        super().__init__(message)
        self.hint = hint


@dataclass(slots=True)
class _Walk:
    """The way through the references of something, on the look-out for models."""

    within: Field | Presentation | None
    references: Iterator[Reference]
    found: dict[str, Model] = field(default_factory=dict)
    whole: bool = True
    """Whether everything was looked into on this way; not where others are in the middle of it, as in a circle."""


class Names:
    """The objects of a project by name."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self.models = _by_name(project.models)
        self.fields = {each.full_name.lower(): each for each in reversed(project.fields)}
        self.presentations = _by_name(project.presentations)
        self._models_within: dict[int, tuple[Model, ...]] = {}
        """The models of fields and of what is shown, by the identity of these."""
        self._own: dict[str, list[Field]] = {}
        for each in project.fields:
            self._own.setdefault(each.name.lower(), []).append(each)
        self._tables = self._own_tables()

    def _own_tables(self) -> dict[int, TableName]:
        """The names of entities, by the identity of the objects; `a.b` and `a_b` would be one, so the later has one more underscore."""
        found: dict[int, TableName] = {}
        taken: set[TableName] = set()
        fields = reversed(self.fields.values())
        objects: tuple[Model | Field | Presentation, ...] = (
            *self.models.values(),
            *fields,
            *self.presentations.values(),
        )
        for each in objects:
            table = self._table(each)
            while table in taken and not (isinstance(each, Model) and each.table):
                table = (*table[:-1], f"{table[-1]}_")
            taken.add(table)
            found[id(each)] = table
        return found

    def table(self, meant: Model | Field | Presentation) -> TableName:
        """The name of an object's entity."""
        return self._tables.get(id(meant)) or self._table(meant)

    def _table(self, meant: Model | Field | Presentation) -> TableName:
        if isinstance(meant, Model):
            return meant.table or self._named("model", meant.name)
        if isinstance(meant, Field):
            return self._named(meant.kind, meant.model, meant.name)
        return self._named(meant.word, meant.name)

    def _named(self, *parts: str) -> TableName:
        return tuple(part.replace(".", "_").lower() for part in (self._project.name, *parts) if part)

    def in_sql(self, name: str) -> bool:
        """Whether the SQL of some model has a name in it, in lower case: it may be a table's."""
        if _WORD.fullmatch(name):
            return name in self._words
        whole = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        return any(whole.search(model.sql.lower()) is not None for model in self.models.values())

    @cached_property
    def _words(self) -> frozenset[str]:
        """Every word in the SQL of models, in lower case."""
        return frozenset(word for model in self.models.values() for word in _WORD.findall(model.sql.lower()))

    def meant(self, reference: Reference) -> Meant:
        """Who is meant; raises `UnknownReference`."""
        name = reference.name.lower()
        return self._whole(name, reference) if not reference.field else self._part(name, reference)

    def _whole(self, name: str, reference: Reference) -> Meant:
        found: Meant | None = self.fields.get(name) or self.models.get(name)
        if found is not None:
            return found
        if name in self.presentations:
            return Shown(self.presentations[name], "")
        namesakes = self._own.get(name, [])
        if len(namesakes) == 1:
            return namesakes[0]
        if namesakes:
            models = ", ".join(sorted(each.model for each in namesakes))
            raise UnknownReference(
                f"{reference} may be the field of several models: {models}", "name the model as well"
            )
        known = [*self.models, *self.fields, *self.presentations]
        raise UnknownReference(f"there is nothing called {reference.name}", did_you_mean(name, known))

    def _part(self, name: str, reference: Reference) -> Meant:
        field = self.fields.get(f"{name}.{reference.field.lower()}")
        if field is not None:
            return field
        if name in self.models:
            return ModelColumn(self.models[name], reference.field, reference.quoted)
        if name in self.presentations:
            return self._property(self.presentations[name], reference)
        raise UnknownReference(
            f"there is nothing called {reference.name}", did_you_mean(name, [*self.models, *self.presentations])
        )

    def _property(self, shown: Presentation, reference: Reference) -> Shown:
        if shown.kind == "input":
            return Shown(shown, OPTIONS)
        known = list(properties_of(shown))
        if known and reference.field.lower() not in known:
            message = f"{shown.word} {shown.name} has no property {reference.field}"
            raise UnknownReference(message, did_you_mean(reference.field.lower(), known))
        return Shown(shown, reference.field.lower())

    def models_of(self, expression: Expression) -> tuple[Model, ...]:
        """The models that an expression has to do with, through fields and properties too; what inputs offer does not count."""
        return self._models_below(_Walk(None, iter(expression.references)))

    def models_of_field(self, field: Field) -> tuple[Model, ...]:
        """The models that a field has to do with."""
        known = self._models_at(field)
        return self._models_below(_Walk(field, _references(field))) if known is None else known

    def _models_below(self, start: _Walk) -> tuple[Model, ...]:
        """All models that a walk comes to. What it has seen to the end is remembered, so that nothing is walked twice."""
        walks = [start]
        begun = {id(start.within)}
        while True:
            walk = walks[-1]
            reference = next(walk.references, None)
            if reference is not None:
                known, inside = self._one_step(reference)
                walk.found.update((model.name, model) for model in known)
                if inside is not None and id(inside) in begun:
                    walk.whole = False
                elif inside is not None:
                    begun.add(id(inside))
                    walks.append(_Walk(inside, _references(inside)))
                continue
            walks.pop()
            found = tuple(walk.found.values())
            if walk.within is not None and (walk.whole or not walks):
                self._models_within[id(walk.within)] = found
            if not walks:
                return found
            walks[-1].found.update(walk.found)
            walks[-1].whole &= walk.whole

    def _one_step(self, reference: Reference) -> tuple[tuple[Model, ...], Field | Presentation | None]:
        """The models that a reference is known to lead to, or else what has to be looked into."""
        try:
            meant = self.meant(reference)
        except UnknownReference:
            return (), None
        if isinstance(meant, (Model, ModelColumn)):
            return (meant if isinstance(meant, Model) else meant.model,), None
        if isinstance(meant, Shown) and meant.presentation.kind == "input":
            return (), None
        inside = meant.presentation if isinstance(meant, Shown) else meant
        known = self._models_at(inside)
        return (known, None) if known is not None else ((), inside)

    def _models_at(self, inside: Field | Presentation) -> tuple[Model, ...] | None:
        """The models of a field that has its own model, or of what was walked before."""
        if isinstance(inside, Field) and inside.model.lower() in self.models:
            return (self.models[inside.model.lower()],)
        return self._models_within.get(id(inside))

    def repeated(self) -> Iterator[tuple[Diagnostic, Place]]:
        """What is called the same as something else of its kind: the first counts. dbt tells models apart by case."""
        model_key = str if self._project.tool == "dbt" else str.lower
        groups: tuple[Iterable[tuple[str, str, Place]], ...] = (
            ((model_key(each.name), f"model {each.name}", each.place) for each in self._project.models),
            ((each.full_name.lower(), f"{each.kind} {each.full_name}", each.place) for each in self._project.fields),
            ((each.name.lower(), f"{each.word} {each.name}", each.place) for each in self._project.presentations),
        )
        for group in groups:
            first: dict[str, Place] = {}
            for name, shown, place in group:
                if name in first and first[name] != place:
                    message = f"{shown} is there already, at {first[name]}"
                    yield Diagnostic(Code.DUPLICATE_NAME, message, subject=name, hint="rename one of them"), place
                first.setdefault(name, place)


def properties_of(shown: Presentation) -> Iterator[str]:
    """The columns of something shown, in order; none are known where it shows all columns of another one."""
    names = [name for name, _ in expressions_of(shown)]
    own = len(shown.properties)
    yield from (*dict.fromkeys(names[:own]), *names[own:])


def expressions_of(shown: Presentation) -> Iterator[tuple[str, Expression]]:
    """What something shown is made of, in order: its properties, splits and sorts, by the names of their columns."""
    yield from ((each.name.lower(), each.expression) for each in shown.properties)
    for word, listed in (("split", shown.splits), ("sort", shown.sorts)):
        yield from ((word if number == 1 else f"{word}.{number}", each) for number, each in enumerate(listed, 1))


def _references(inside: Field | Presentation) -> Iterator[Reference]:
    if isinstance(inside, Field):
        yield from inside.expression.references
    else:
        for each in inside.properties:
            yield from each.expression.references


def _by_name(objects: Iterable[Object]) -> dict[str, Object]:
    found: dict[str, Object] = {}
    for each in objects:
        found.setdefault(each.name.lower(), each)
    return found
