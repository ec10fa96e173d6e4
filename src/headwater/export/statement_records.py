"""One analysed statement as the records of a feed. What has which number is decided elsewhere, so that statements can share entities."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property

from headwater.export.feed import Scope
from headwater.export.numbers import CONDITION, Numbers
from headwater.export.records import Argument, Column, End, Entity, Place, Procedure, Process, Relation, Source
from headwater.lineage.column_level import Eliminator, NumberedSource
from headwater.lineage.complete import CompleteModel, complete, written_effect
from headwater.lineage.lineage import Lineage, StatementLineage
from headwater.lineage.without_functions import without_functions
from headwater.model.entity import PSEUDO_ROWS, EntityKind
from headwater.model.entity import Column as ModelColumn
from headwater.model.entity import Entity as ModelEntity
from headwater.model.kind import FDD, FOREIGN_KEY, JOIN_TYPE, KINDS, Kind
from headwater.model.relation import OUTSIDE
from headwater.model.resolution import Variable
from headwater.model.span import BEGINNING, Position, Span


class StatementRecords:
    """The records of one statement, at every level."""

    def __init__(
        self,
        statement: StatementLineage,
        lineage: Lineage,
        script: int,
        numbers: Numbers,
        at: Position = BEGINNING,
        timed: bool = False,
    ) -> None:
        """*script* is the number of the script in which it stands, *at* where the lineage's text begins in it.

        What is *timed* is made in what is left of the script's time.
        """
        self._timed = timed
        self._statement = statement
        self._resolution = statement.resolution
        self._lineage = lineage
        self._script = script
        self._at = at
        self._numbers = numbers
        self._ends: dict[int, End] = {}

    @cached_property
    def process(self) -> Process:
        """The statement itself."""
        told = self._resolution.process
        return Process(
            self._numbers.process(told),
            told.type,
            told.procedure,
            told.query_hash,
            self._statement.dialect,
            self._statement.sql,
            self._places(told.span),
            self._lineage.path or "",
        )

    def procedures(self) -> Iterator[Procedure]:
        """The procedures that the statement creates."""
        for nth, routine in enumerate(self._resolution.routines):
            number = self._numbers.procedure(self.process.id, nth)
            arguments = (
                Argument(self._numbers.column(number, "", at), *told[:3], self._places(told.place))
                for at, told in enumerate(routine.parameters)
            )
            place = self._places(routine.place)
            head = (number, routine.name, routine.kind, self.process.id)
            yield Procedure(*head, place, tuple(arguments), routine.inner_parts, routine.folded)

    def entities(self) -> Iterator[Entity]:
        """The entities that outlive the statement, and its result if it writes nothing."""
        defined = {d.table: d for d in self._resolution.defines if not d.dropped}
        touched = {*self._resolution.read, *self._resolution.written}
        columns = self._used_columns(self._model, self._behind_variables())
        for entity in self._model.entities:
            if not self._outlives(entity):
                continue
            own = columns.get(entity.id, [])
            definition = defined.get(entity.table) if entity.table else None
            types = (definition.columns or {}) if definition else {}
            if own or types or entity.id in touched:
                record = self._entity(entity, self._columns(entity, own, types))
                yield record._replace(defined_by=self.process.id) if definition else record

    def inner_entities(self, scope: Scope) -> Iterator[Entity]:
        """The entities inside of the statement that the complete level has."""
        for entity, columns in self._inside(scope):
            if self._variable(entity) is None:
                yield self._entity(entity, self._columns(entity, columns, {}))

    def variables(self, scope: Scope) -> Iterator[Entity]:
        """The variables that the statement reads or assigns, as far as it says something of them: other statements name them too.

        One that it reads and assigns comes twice.
        """
        if not self._declared:
            return
        for entity, columns in self._inside(scope):
            variable = self._variable(entity)
            if variable is not None:
                known = self._columns(entity, columns, {})
                whole = () if variable.kind in _OF_ONE_VALUE else (self._star(entity),)
                yield self._entity(entity, (*whole, *known))

    def _inside(self, scope: Scope) -> Iterator[tuple[ModelEntity, list[ModelColumn]]]:
        if scope.intermediate:
            model = self._scoped(scope)
            columns = self._used_columns(model)
            for entity in model.entities:
                if entity.id in columns and not self._outlives(entity):
                    yield entity, columns[entity.id]

    def relations(self, scope: Scope) -> list[Relation]:
        """The relations of a level."""
        if scope.level == "complete" and scope.intermediate:
            found = self._complete(self._scoped(scope))
        else:
            found = self.column_relations
        return found if scope.impact else [relation for relation in found if relation.type == FDD]

    @cached_property
    def column_relations(self) -> list[Relation]:
        """The relations of the column level: one for each target, type and expression."""
        written = written_effect(self._resolution)
        found: list[Relation] = []
        for target, edges in self._edges:
            grouped: dict[tuple[str, str, Span | None], list[Source]] = {}
            for column, code, made in edges:
                kind = KINDS[code]
                grouped.setdefault((kind.type, *made), []).append(Source(self._end(column), kind, None))
            for (type_, expression, span), sources in grouped.items():
                effect = "" if _is_key(sources) else written
                ends = (self._end(target), tuple(sources))
                found.append(Relation(type_, effect, self.process.id, *ends, expression, self._place(span)))
        return found

    @cached_property
    def _edges(self) -> list[tuple[int, list[NumberedSource]]]:
        def made() -> list[tuple[int, list[NumberedSource]]]:
            return self._statement.in_time(lambda: list(Eliminator(self._resolution, literals=False).numbered()))

        if not self._timed:
            return made()
        with self._lineage.within_time():
            return made()

    def _behind_variables(self) -> Iterator[int]:
        """The columns that the statement's variables hold, as far as it hands them on: it does not name them itself."""
        if self._resolution.values:
            yield from (source for _, edges in self._edges for source, _, _ in edges)

    @cached_property
    def _model(self) -> CompleteModel:
        return self._statement.model

    def _scoped(self, scope: Scope) -> CompleteModel:
        return self._model if scope.functions else complete(without_functions(self._resolution))

    def _complete(self, model: CompleteModel) -> list[Relation]:
        found = []
        for relation in model.relations:
            sources = tuple(
                Source(self._end(s.column), Kind(relation.type, *s[1:5], s.as_of), self._place(s.span))
                for s in relation.sources
            )
            effect = "" if relation.type == JOIN_TYPE or _is_key(sources) else relation.effect
            place = self._place(model.columns[relation.target].span)
            ends = (self._end(relation.target), sources)
            found.append(Relation(relation.type, effect, self.process.id, *ends, relation.expression, place))
        return found

    def _used_columns(self, model: CompleteModel, more: Iterable[int] = ()) -> dict[int, list[ModelColumn]]:
        """The columns that take part in relations, or are the result, and *more*, by their entity."""
        used = {r.target for r in model.relations} | {s.column for r in model.relations for s in r.sources}
        used.update(self._resolution.outputs, more)
        found: dict[int, list[ModelColumn]] = {}
        for number in sorted(used):
            column = model.columns[number]
            found.setdefault(column.entity, []).append(column)
        return found

    def _variable(self, entity: ModelEntity) -> Variable | None:
        """The variable that an entity is, if it was declared or is what a condition decides."""
        return self._declared.get(entity.id) if self._declared else None

    @cached_property
    def _declared(self) -> dict[int, Variable]:
        """The variables among the entities."""
        return {i: row.variable for i, row in enumerate(self._resolution.entities) if row.variable is not None}

    def _star(self, entity: ModelEntity) -> Column:
        """All that a cursor or record holds."""
        return Column(self._numbers.column(self._entity_id(entity), "*"), "*", None, False, False, ())

    @cached_property
    def _results(self) -> frozenset[int]:
        """The result of a query that writes nothing, if the statement is one."""
        resolution = self._resolution
        shown = [*resolution.outputs, *([resolution.output_rows] if resolution.output_rows >= 0 else [])]
        return frozenset(resolution.columns[column][0] for column in shown)

    @cached_property
    def _output_ordinals(self) -> dict[int, int]:
        return {column: ordinal for ordinal, column in enumerate(self._resolution.outputs)}

    def _outlives(self, entity: ModelEntity) -> bool:
        return entity.persistent or entity.id in self._results

    def _columns(self, entity: ModelEntity, own: list[ModelColumn], declared: Mapping[str, str]) -> tuple[Column, ...]:
        found: dict[int, Column] = {}
        for column in own:
            record = self._end(column.id)
            type_ = declared.get(column.name) or None
            found[record.column] = Column(
                record.column,
                record.column_name,
                type_,
                column.inferred,
                column.name == PSEUDO_ROWS,
                self._places(column.span),
                column.name,
            )
        for name, type_ in declared.items():
            number = self._numbers.column(self._entity_id(entity), name)
            found.setdefault(
                number, Column(number, self._spelled(None, name), type_ if type_ else None, False, False, (), name)
            )
        return tuple(found.values())

    def _entity(self, entity: ModelEntity, columns: tuple[Column, ...]) -> Entity:
        written = entity.id in self._resolution.written
        places = [self._place(span) for span in entity.spans]
        if entity.kind is EntityKind.FUNCTION and not places:
            places = [place for column in columns for place in column.places]  # its only column is the call
        return Entity(
            self._entity_id(entity),
            entity.kind,
            entity.type,
            self._name(entity),
            entity.table or (),
            self._words.get(entity.alias.casefold(), entity.alias) if entity.alias else None,
            entity.temporary,
            entity.file_format,
            (self.process.id,) if written else (),
            tuple(place for place in places if place),
            columns,
            self._procedure(entity),
        )

    def _procedure(self, entity: ModelEntity) -> str:
        variable = self._variable(entity)
        return "" if variable is None or self.process.procedure == OUTSIDE else self.process.procedure

    def _entity_id(self, entity: ModelEntity) -> int:
        process = self.process.id
        if entity.kind is EntityKind.ORPHAN:
            return self._numbers.orphans(process)
        if entity.table is not None and entity.persistent:
            script = self._script if entity.temporary else None
            return self._numbers.table(entity.kind, entity.table, script, entity.owner)
        if entity.id in self._results:
            return self._numbers.result(process)
        variable = self._variable(entity)
        if variable is not None:
            return self._numbers.variable(self._script, variable)
        return self._numbers.inner(process, entity.id)

    def _name(self, entity: ModelEntity) -> str:
        """What an entity is called: a condition, which has no name, as result sets are, `IF-1`."""
        variable = self._variable(entity)
        if variable is None or variable.kind != CONDITION:
            return entity.name
        return f"{variable.name.upper().replace(' ', '-')}-{self._numbers.nth(self._script, variable)}"

    def _end(self, column: int) -> End:
        found = self._ends.get(column)
        if found is None:
            found = self._ends[column] = self._made_end(self._model.columns[column])
        return found

    def _made_end(self, column: ModelColumn) -> End:
        entity = self._model.entities[column.entity]
        owner = self._entity_id(entity)
        variable = self._variable(entity)
        if variable is not None:
            single = variable.kind in _OF_ONE_VALUE
            number = self._numbers.column(owner, "" if single else column.name)
        elif entity.persistent or entity.kind is EntityKind.VARIABLE:
            number = self._numbers.column(owner, column.name)
        elif entity.id in self._results:
            number = self._numbers.column(owner, column.name, self._output_ordinals.get(column.id))
        else:
            number = self._numbers.column(owner, column.name, column.ordinal)
        name = column.name if entity.type == CONDITION else self._spelled(column.span, column.name)
        return End(number, name, owner, self._name(entity), column.name == PSEUDO_ROWS, entity.kind, entity.table or ())

    def _spelled(self, span: Span | None, name: str) -> str:
        """A column's name as its place spells it, else as the statement spells it first; without quotes."""
        if name == PSEUDO_ROWS:
            return name
        if span is not None:
            text = self._lineage.excerpt(max(span.start, span.end - _LONGEST), span.end)
            last = _LAST_WORD.search(text)
            if last and last[0].strip(_QUOTES).casefold() == name.casefold():
                return last[0].strip(_QUOTES)
        return self._words.get(name.casefold(), name)

    @cached_property
    def _words(self) -> dict[str, str]:
        """The words of the statement, as they are spelled first."""
        words: dict[str, str] = {}
        for found in _WORD.finditer(self._statement.sql):
            words.setdefault(found[0].casefold(), found[0])
        return words

    def _places(self, span: Span | None) -> tuple[Place, ...]:
        place = self._place(span)
        return (place,) if place else ()

    def _place(self, span: Span | None) -> Place | None:
        if span is None:
            return None
        start, end = self._lineage.positions(span)
        return Place(self._script, start.moved(self._at), end.moved(self._at))


_LONGEST = 300
"""Characters of a place in which its last word is sought."""
_OF_ONE_VALUE = ("scalar", CONDITION)
"""Kinds of variables that have one column, under their own name."""
_QUOTES = '"`[]'
_WORD = re.compile(r"[^\W\d][\w$#]*")
_LAST_WORD = re.compile(r"""(?:[\w$#]+|"[^"]*"|`[^`]*`|\[[^\]]*\])\s*$""")


def _is_key(sources: list[Source] | tuple[Source, ...]) -> bool:
    return all(source.kind.clause == KINDS[FOREIGN_KEY].clause for source in sources)
