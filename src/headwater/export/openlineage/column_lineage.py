"""The relations into one data set, as OpenLineage's column lineage facet, version 1-2-0.

Of each column, `fields` has the columns that make it; `dataset` has those that decide over the rows. A row set is no field: where rows
depend on rows, the event's inputs and outputs say so, and a column that depends on rows (`count(*)`) loses them.
"""

from __future__ import annotations

from collections.abc import Callable

from openlineage.client.facet_v2 import column_lineage_dataset

from headwater.export.openlineage.facets import PRODUCER, plain
from headwater.export.records import Source
from headwater.model.kind import FDD, Kind
from headwater.openlineage.dataset_names import DatasetName

LONGEST = 1000
"""Characters of an expression that is told; all sources of a column repeat it."""

Field = tuple[str, str, str]
"""Namespace and name of a data set, and a column."""
_Made = tuple[str, str, str, bool]
"""A transformation: type, subtype, description, masking."""
LeaveOut = Callable[[str], None]


class ColumnLineage:
    """What makes one output of a job."""

    def __init__(self, leave_out: LeaveOut) -> None:
        self._leave_out = leave_out
        self._fields: dict[str, dict[Field, set[_Made]]] = {}
        self._dataset: dict[Field, set[_Made]] = {}

    def add(self, target: str | None, source: Source, of: DatasetName, field: str, expression: str) -> None:
        """Add a source, the column *field* of *of*; no target is the row set."""
        into = self._dataset if target is None else self._fields.setdefault(target, {})
        if source.kind.candidate:
            self._leave_out("marks of sources that are only possible ones")
        if not source.end.row_set:
            into.setdefault((*of, field), set()).add(_transformation(source.kind, expression))
        elif target is not None:
            self._leave_out("sources of columns that are the rows of a table")
        elif source.kind.subtype not in (None, "IDENTITY"):
            self._leave_out("clauses of relations between the rows of tables")

    def facet(self) -> column_lineage_dataset.ColumnLineageDatasetFacet | None:
        """The facet; none if there is nothing to say."""
        if not self._fields and not self._dataset:
            return None
        fields = {
            target: column_lineage_dataset.Fields(_input_fields(sources))
            for target, sources in sorted(self._fields.items())
        }
        dataset = _input_fields(self._dataset) or None
        return column_lineage_dataset.ColumnLineageDatasetFacet(fields, dataset, producer=PRODUCER)


def _transformation(kind: Kind, expression: str) -> _Made:
    direct = kind.direct and kind.type == FDD
    said = direct or not kind.direct
    text = expression if len(expression) <= LONGEST else expression[:LONGEST] + "…"
    return "DIRECT" if direct else "INDIRECT", (kind.subtype or "") if said else "", plain(text), kind.masking


def _input_fields(sources: dict[Field, set[_Made]]) -> list[column_lineage_dataset.InputField]:
    return [
        column_lineage_dataset.InputField(
            *field,
            transformations=[
                column_lineage_dataset.Transformation(type, subtype or None, text or None, masking)
                for type, subtype, text, masking in sorted(made)
            ],
        )
        for field, made in sorted(sources.items())
    ]
