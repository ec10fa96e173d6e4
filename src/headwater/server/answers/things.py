"""Tables, columns, statements, relations and tags."""

from __future__ import annotations

from headwater.graph import Column, Hop, Place, Process, Table, TaggedColumn
from headwater.graph.tagged import Said
from headwater.model.relation import OUTSIDE
from headwater.server.shapes.things import ColumnThing, HopThing, Spot, StatementThing, TableThing, TagThing


def table_thing(table: Table) -> TableThing:
    """A table."""
    return TableThing(id=str(table.id), name=str(table), kind=table.kind, temporary=table.temporary)


def column_thing(column: Column) -> ColumnThing:
    """A column, with its table."""
    return ColumnThing(
        id=str(column.id),
        name=str(column),
        column=column.name,
        table=table_thing(column.table),
        data_type=column.data_type or None,
        inferred=column.inferred,
        row_set=column.row_set,
    )


def spot_of(place: Place | None) -> Spot | None:
    """A place in a script."""
    if place is None:
        return None
    return Spot(script=str(place.script), path=place.path, line=place.line, column=place.column)


def procedure_of(process: Process) -> str:
    """The procedure that a statement stands in; nothing outside of procedures."""
    return "" if process.procedure == OUTSIDE else process.procedure


def statement_thing(process: Process) -> StatementThing:
    """A statement."""
    return StatementThing(
        id=str(process.id),
        type=process.type,
        procedure=procedure_of(process),
        query_hash=process.query_hash,
        spot=spot_of(process.place),
    )


def hop_thing(hop: Hop) -> HopThing:
    """A relation."""
    return HopThing(
        source=column_thing(hop.source),
        target=column_thing(hop.target),
        type=hop.kind.type,
        subtype=hop.kind.subtype,
        clause=hop.kind.clause,
        how=hop.how,
        masking=hop.kind.masking,
        candidate=hop.kind.candidate,
        star=hop.star,
        expression=hop.expression,
        statement=None if hop.process is None else statement_thing(hop.process),
        spot=spot_of(hop.place),
    )


def tag_thing(found: TaggedColumn) -> TagThing:
    """A tag of a column."""
    return TagThing(tag=found.tag, own=found.own, origin=column_thing(found.origin), said=list(map(_who, found.said)))


def _who(said: Said) -> str:
    return f"{said.origin} ({said.place})" if said.place else said.origin
