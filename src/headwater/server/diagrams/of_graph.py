"""A part of a store's graph to a diagram; ids are the store's own, so that diagrams can be put together as somebody expands them."""

from __future__ import annotations

from collections.abc import Iterable

from headwater.graph import Column, Graph, Hop, Place, Process, Table, Tags
from headwater.graph.neighbourhood import Link, Neighbour, Neighbourhood
from headwater.graph.paths import Paths
from headwater.graph.relation_arrays import FOREIGN_KEY
from headwater.lineage.complete import effect_of
from headwater.model.entity import EntityKind
from headwater.model.kind import FDD
from headwater.model.span import Position as At
from headwater.server.answers.scripts import position_of
from headwater.server.answers.things import procedure_of
from headwater.server.shapes import diagram as shapes

_LONGEST = 1000
"""Characters of an expression that are told."""


def neighbourhood_diagram(graph: Graph, found: Neighbourhood) -> shapes.Diagram:
    """The graph around a column or table."""
    drawing = _Drawing(graph.tags())
    for hop in found.hops:
        drawing.hop(hop)
    for link in found.links:
        drawing.link(link)
    return shapes.Diagram(
        level=found.level,
        scripts=drawing.scripts(),
        processes=drawing.processes(),
        entities=[drawing.neighbour(each) for each in found.tables],
        relations=drawing.relations,
        focus=str(found.focus.id),
        note=_note(found),
    )


def _note(found: Neighbourhood) -> str:
    """What was left out, in words."""
    said = []
    if found.level == "column" and found.links:
        count = sum(link.relations for link in found.links)
        said.append(f"{count} relations of columns that are not shown are drawn between tables.")
    if found.beyond:
        said.append("More tables lie next to these: expand a table to see them.")
    return " ".join(said)


def path_diagram(graph: Graph, paths: Paths) -> shapes.Diagram:
    """The first ways between two columns."""
    drawing = _Drawing(graph.tags())
    columns: dict[Table, dict[Column, None]] = {}
    for column in (paths.source, paths.target, *(column for path in paths.first for column in path.columns)):
        columns.setdefault(column.table, {})[column] = None
    for hop in dict.fromkeys(hop for path in paths.first for step in path.steps for hop in step):
        drawing.hop(hop)
    more = "" if paths.complete else "There are more ways than these."
    return shapes.Diagram(
        level="column",
        scripts=drawing.scripts(),
        processes=drawing.processes(),
        entities=[
            drawing.entity(table, own, graph.columns_page(table, 0, 0)[0] - sum(not c.row_set for c in own))
            for table, own in columns.items()
        ],
        relations=drawing.relations,
        focus=None,
        note=more if paths.first else "No way leads from the one to the other.",
    )


class _Drawing:
    """Collects relations, with the statements and scripts that they name."""

    def __init__(self, tags: Tags) -> None:
        self._tags = tags
        self._processes: dict[int, Process] = {}
        self.relations: list[shapes.DiagramRelation] = []

    def hop(self, hop: Hop) -> None:
        """Draw a relation between columns."""
        kind = hop.kind
        effect = "" if hop.process is None or kind.clause == FOREIGN_KEY else effect_of(hop.process.type)
        self.relations.append(
            shapes.DiagramRelation(
                id=str(hop.id) if hop.id else f"rows-{hop.source.id}-{hop.target.id}",
                type="fdd" if kind.type == FDD else "fdr",
                subtype=kind.subtype,
                clause=kind.clause,
                effect=effect,
                masking=kind.masking,
                candidate=kind.candidate,
                star=hop.star,
                source_entity=str(hop.source.table.id),
                source=str(hop.source.id),
                target_entity=str(hop.target.table.id),
                target=str(hop.target.id),
                process=self._process(hop.process),
                expression=_cut(hop.expression),
                place=_place(hop.place, hop.end),
                source_place=None,
            )
        )

    def link(self, link: Link) -> None:
        """Draw what leads from a table to another."""
        process = self._process(link.process)
        source, target = (None if end is None else str(end.id) for end in (link.source_column, link.target_column))
        ends = (str(link.source.id), str(link.target.id), process or "", source or "", target or "")
        self.relations.append(
            shapes.DiagramRelation(
                id="-".join(ends),
                type="fdd" if link.flowing else "fdr",
                subtype=None,
                clause="",
                effect="" if link.process is None else effect_of(link.process.type),
                source_entity=ends[0],
                source=source,
                target_entity=ends[1],
                target=target,
                process=process,
                expression="",
                place=None,
                source_place=None,
            )
        )

    def neighbour(self, found: Neighbour) -> shapes.DiagramEntity:
        """A table around the focus."""
        beyond = shapes.Beyond(upstream=found.beyond_upstream, downstream=found.beyond_downstream)
        return self.entity(found.table, found.columns, found.hidden_columns, beyond, found.distance)

    def entity(
        self,
        table: Table,
        columns: Iterable[Column],
        hidden: int,
        beyond: shapes.Beyond | None = None,
        distance: int | None = None,
    ) -> shapes.DiagramEntity:
        """A table with some of its columns."""
        return shapes.DiagramEntity(
            id=str(table.id),
            kind=table.kind,
            type="select_list" if table.kind == EntityKind.RESULT_SET else table.kind,
            name=str(table),
            temporary=table.temporary,
            places=[],
            columns=[self._column(column) for column in columns],
            hidden_columns=hidden,
            beyond=beyond,
            distance=distance,
        )

    def _column(self, column: Column) -> shapes.DiagramColumn:
        return shapes.DiagramColumn(
            id=str(column.id),
            name=column.name,
            data_type=column.data_type or None,
            inferred=column.inferred,
            row_set=column.row_set,
            places=[],
            tags=self._tags.names_of(column.node),
        )

    def _process(self, process: Process | None) -> str | None:
        if process is None:
            return None
        self._processes[process.id] = process
        return str(process.id)

    def processes(self) -> list[shapes.DiagramProcess]:
        """The statements that were named."""
        return [
            shapes.DiagramProcess(
                id=str(each.id),
                type=each.type,
                procedure=procedure_of(each),
                place=_place(each.place, each.end),
            )
            for each in self._processes.values()
        ]

    def scripts(self) -> list[shapes.DiagramScript]:
        """The scripts in which these stand, and so all places."""
        places = [process.place for process in self._processes.values() if process.place is not None]
        paths = {place.script: place.path for place in places}
        return [shapes.DiagramScript(id=str(id), path=path) for id, path in paths.items()]


def _place(place: Place | None, end: At | None) -> shapes.Place | None:
    if place is None or end is None:
        return None
    start = shapes.Position(line=place.line, column=place.column)
    return shapes.Place(script=str(place.script), start=start, end=position_of(end))


def _cut(text: str) -> str:
    return text if len(text) <= _LONGEST else text[:_LONGEST] + "…"
