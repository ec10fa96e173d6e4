"""The complete level: every entity, column and single-hop relation of one statement, as immutable records."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from headwater.model.entity import PSEUDO_ROWS, Column, Entity, EntityKind
from headwater.model.kind import KINDS
from headwater.model.relation import Process, Relation, Source
from headwater.model.resolution import FUNCTIONS, LITERALS, VARIABLES, EntityRow, Resolution
from headwater.model.span import Span

_PREFIXES = {"insert-select": "INSERT-SELECT", "update-set": "UPDATE-SET", "update-select": "UPDATE-SELECT"} | {
    "merge-insert": "MERGE-INSERT",
    "merge-update": "MERGE-UPDATE",
    "merge-match": "MERGE-MATCH",
    "merge-delete": "MERGE-DELETE",
    "delete": "DELETE",
    "function": "FUNCTION-TABLE",
    "union": "UNION",
    "pivot_table": "PIVOT",
    "pivot_alias": "ALIAS",
    "from": "FROM",
}
_WRITES = {
    "Create Table": "create_table",
    "Create View": "create_view",
    "Insert": "insert",
    "Update": "update",
    "Merge": "merge",
    "Delete": "delete",
    "Select Into": "create_table",
    "Copy": "insert",
    "Load": "insert",
    "Hive Load": "insert",
    "Bulk Insert": "insert",
    "Import": "insert",
    "Apply Changes": "merge",
    "Create External Table": "create_table",
    "Create Model": "create_table",
    "Create Stream": "create_view",
    "Create Synonym": "create_view",
    "Cache Table": "create_view",
    "Alter Table": "rename_table",
    "Rename Table": "rename_table",
    "Create Stage": "",
}
"""Effect types by process type, for what a statement writes."""


@dataclass(frozen=True, slots=True)
class CompleteModel:
    """All records of one statement; ids are positions in these tuples."""

    process: Process
    entities: tuple[Entity, ...]
    columns: tuple[Column, ...]
    relations: tuple[Relation, ...]

    def name(self, column: int) -> str:
        """A column as people read it: `RS-1.sal`, `scott.emp.salary`, `literal(1)`."""
        record = self.columns[column]
        entity = self.entities[record.entity]
        if entity.kind is EntityKind.LITERAL:
            return f"literal({record.name})"
        return f"{entity.name}.{record.name}"


def complete(resolution: Resolution) -> CompleteModel:
    """The complete model of a resolved statement."""
    names = _result_set_names(resolution)
    entities = [
        Entity(
            i,
            row.kind,
            row.type,
            names.get(i) or row.spelled or row.type,
            row.table,
            row.alias,
            row.temporary,
            resolution.locate(row.place),
            row.file_format,
            _spans(resolution, row),
            row.owner,
        )
        for i, row in enumerate(resolution.entities)
    ]
    columns: list[Column] = []
    functions = 0
    variables: dict[str, int] = {}
    ordinals: Counter[int] = Counter()
    for i, (entity, name, place) in enumerate(resolution.columns):
        if entity == FUNCTIONS:
            functions += 1
            entity = len(entities)
            entities.append(
                Entity(entity, EntityKind.FUNCTION, "function", f"FUNCTION-{functions}", span=resolution.locate(place))
            )
            name = name or resolution.function_name(place)
        elif entity == LITERALS:
            name = name or resolution.expression(place)[0] or "?"
        elif entity == VARIABLES:
            spelled = resolution.expression(place)[0] or resolution.function_name(place) or "?"
            name = name or spelled
            entity = variables.setdefault(spelled.casefold(), len(entities))
            if entity == len(entities):
                span = resolution.locate(place)
                spans = () if span is None else (span,)
                entities.append(Entity(entity, EntityKind.VARIABLE, "variable", spelled, span=span, spans=spans))
        ordinals[entity] += 1
        columns.append(
            Column(i, entity, name, ordinals[entity] - 1, i in resolution.inferred, resolution.locate(place))
        )
    return CompleteModel(resolution.process, tuple(entities), tuple(columns), _relations(resolution, entities, columns))


def _spans(resolution: Resolution, row: EntityRow) -> tuple[Span, ...]:
    """All places of an entity, in order, each once."""
    found = {resolution.locate(place) for place in (row.place, *row.places)}
    return tuple(sorted(span for span in found if span is not None))


def _result_set_names(resolution: Resolution) -> dict[int, str]:
    """RS-1, INSERT-SELECT-1, …: numbered per prefix in the order of completion."""
    counts: Counter[str] = Counter()
    names: dict[int, str] = {}
    for entity in resolution.numbered:
        prefix = _PREFIXES.get(resolution.entities[entity].type, "RS")
        counts[prefix] += 1
        names[entity] = f"{prefix}-{counts[prefix]}"
    return names


def _relations(resolution: Resolution, entities: list[Entity], columns: list[Column]) -> tuple[Relation, ...]:
    """Edges grouped into relations: one per target and type, with all its sources; what sets off a trigger is one of its own."""
    grouped: dict[tuple[int, str, bool], dict[Source, None]] = {}
    triggers = {i for i, row in enumerate(resolution.entities) if row.variable is not None and row.variable.is_trigger}
    expressions: dict[int, str] = {}
    for target, source, kind, place in resolution.edges:
        meaning = KINDS[kind]
        span = resolution.locate(place if place is not None else resolution.columns[source][2])
        state = resolution.entities[resolution.columns[source][0]].as_of
        record = Source(source, meaning.subtype, meaning.clause, meaning.masking, meaning.candidate, span, state)
        of_trigger = resolution.columns[source][0] in triggers
        grouped.setdefault((target, meaning.type, of_trigger), {})[record] = None
        if target not in expressions:
            _, name, made_at = resolution.columns[target]
            expressions[target] = "" if name == PSEUDO_ROWS else resolution.expression(made_at)[0]
    written = written_effect(resolution)
    relations = []
    for (target, type_, of_trigger), sources in grouped.items():
        entity = entities[columns[target].entity]
        effect = "function" if entity.kind is EntityKind.FUNCTION else _effect(entity, written)
        effect = "trigger" if of_trigger else effect
        relations.append(Relation(target, type_, effect, tuple(sources), expressions[target]))
    return tuple(relations)


def written_effect(resolution: Resolution) -> str:
    """The seed's effectType of what a statement writes. An assignment that writes a table is a trigger's: `NEW.a := x`."""
    if resolution.assigned and resolution.written and resolution.process.type not in _WRITES:
        return "trigger"
    return resolution.effect or effect_of(resolution.process.type)


def effect_of(process: str) -> str:
    """The seed's effectType of what a process of a type writes."""
    return _WRITES.get(process, "select")


def _effect(entity: Entity, written: str) -> str:
    if entity.persistent or (entity.kind is EntityKind.VARIABLE and written == "cursor"):
        return written
    return {"update-set": "update", "merge-insert": "merge_insert", "merge-update": "merge_update"}.get(
        entity.type, "select"
    )
