"""How models come together: the shortest way through a project's relations.

Models that an expression needs are joined one after the other, each by the shortest way from those that are joined already. Of several
relations between the same two models the default one is meant; of several ways that are equally short, none: the first is taken, and said.
So is that models read different sources, which no query can bring together.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from headwater.model.diagnostic import Code, Diagnostic
from headwater.project.names import ModelColumn, Names, UnknownReference
from headwater.project.objects import Field, Model, Relation


@dataclass(frozen=True, slots=True)
class Join:
    """A model, and the relation by which it comes to those before it."""

    model: Model
    relation: Relation
    reversed: bool
    """Whether the relation's condition names the new model first."""


@dataclass(frozen=True, slots=True)
class Joined:
    """Models in the order in which they are joined; and what is to be said of the way."""

    first: Model
    joins: tuple[Join, ...]
    problems: tuple[Diagnostic, ...]
    apart: tuple[Model, ...] = ()
    """Models that no relation leads to; others may be joined to these."""


class Joins:
    """The relations of a project."""

    def __init__(self, relations: Iterable[Relation], names: Names) -> None:
        self._between: dict[str, dict[str, list[tuple[Relation, bool]]]] = {}
        self._names = names
        for relation in relations:
            ends = list(dict.fromkeys(model.name for model in self.models_of(relation)))
            if len(ends) == 2:
                one, other = ends
                self._between.setdefault(one, {}).setdefault(other, []).append((relation, False))
                self._between.setdefault(other, {}).setdefault(one, []).append((relation, True))

    def models_of(self, relation: Relation) -> list[Model]:
        """The models that a relation's condition names."""
        found: list[Model] = []
        for reference in relation.condition.references:
            try:
                meant = self._names.meant(reference)
            except UnknownReference:
                continue
            if isinstance(meant, ModelColumn):
                found.append(meant.model)
            elif isinstance(meant, Field) and meant.model.lower() in self._names.models:
                found.append(self._names.models[meant.model.lower()])
        return found

    def join(self, models: Iterable[Model]) -> Joined:
        """All of these models together."""
        first, *wanted = {model.name: model for model in models}.values()
        joined: dict[str, None] = {first.name: None}
        joins: list[Join] = []
        problems: list[Diagnostic] = []
        apart: list[Model] = []
        for model in wanted:
            ways = [] if model.name in joined else self._shortest(joined, model.name)
            if model.name not in joined and not ways:
                if model.source.name == first.source.name:
                    problems.append(_missing(first, model))
                apart.append(model)
                joined[model.name] = None
                continue
            if len(ways) > 1:
                problems.append(_ambiguous(model, ways))
            for one, other in zip(ways[0], ways[0][1:], strict=False) if ways else ():
                relation, reversed_, several = self._relation(one, other)
                if several:
                    problems.append(_several(one, other, relation))
                joins.append(Join(self._names.models[other.lower()], relation, reversed_))
                joined[other] = None
        problems += of_several_sources([first, *(join.model for join in joins), *apart])
        return Joined(first, tuple(joins), tuple(problems), tuple(apart))

    def _shortest(self, joined: Iterable[str], wanted: str) -> list[tuple[str, ...]]:
        """The shortest ways from what is joined to a model, two at the most; so two to each model between are enough."""
        pending: deque[tuple[str, ...]] = deque((name,) for name in joined)
        distance = dict.fromkeys(joined, 0)
        ways: Counter[str] = Counter()
        found: list[tuple[str, ...]] = []
        while pending and len(found) < 2:
            way = pending.popleft()
            if found and len(way) >= len(found[0]):
                break
            for other in sorted(self._between.get(way[-1], ())):
                if other == wanted:
                    found.append((*way, other))
                elif distance.get(other, len(way)) >= len(way) and ways[other] < 2:
                    distance[other] = len(way)
                    ways[other] += 1
                    pending.append((*way, other))
        return found[:2]

    def _relation(self, one: str, other: str) -> tuple[Relation, bool, bool]:
        """The relation between two models, whether it names the second first, and whether others would do as well."""
        found = self._between[one][other]
        default = [each for each in found if each[0].default]
        relation, reversed_ = (default or found)[0]
        return relation, reversed_, len(default or found) > 1


def of_several_sources(models: Iterable[Model]) -> Iterator[Diagnostic]:
    """What is said of models that no one database can bring together: those that read another source than the first one does."""
    first, *others = models
    for model in others:
        if model.source.name != first.source.name:
            yield Diagnostic(
                Code.SEVERAL_SOURCES,
                f"{first.name} reads the source {first.source.name}, {model.name} reads {model.source.name}: no query reads both",
                subject=model.name,
                hint="let both models read the same source",
            )


def _missing(first: Model, model: Model) -> Diagnostic:
    return Diagnostic(
        Code.MISSING_JOIN,
        f"no relation leads from {first.name} to {model.name}",
        subject=model.name,
        hint="add a relation between the two",
    )


def _ambiguous(model: Model, ways: list[tuple[str, ...]]) -> Diagnostic:
    listed = " and ".join(" - ".join(way) for way in ways)
    return Diagnostic(
        Code.AMBIGUOUS_JOIN,
        f"several ways lead to {model.name}, equally short: {listed}; the first is taken",
        subject=model.name,
        hint="relate the two models directly",
    )


def _several(one: str, other: str, taken: Relation) -> Diagnostic:
    return Diagnostic(
        Code.AMBIGUOUS_JOIN,
        f"several relations join {one} and {other}; {taken.name} is taken",
        subject=other,
        hint="make one of them the default",
    )
