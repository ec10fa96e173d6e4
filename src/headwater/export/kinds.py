"""What each format calls an entity of a kind: one table, a row for each kind.

A row's key is the kind's own word. A kind that has no row is told by its own word where a format's list is open, and as a table with that
word beside it where the list is closed: nothing is dropped because nobody has thought of it here.
"""

from __future__ import annotations

from typing import NamedTuple

from headwater.model.entity import EntityKind


class Words(NamedTuple):
    """What formats call a kind."""

    element: str
    """SQLFlow's element."""
    sub_type: str
    """SQLFlow's `subType`, where the element alone says too little."""
    catalog: str
    """RDBMS's `object_type`, and Atlas's type behind `sqlflow_`."""
    dataset: str
    """OpenLineage's `datasetType`; empty for what is no data set."""
    dataset_sub_type: str
    """OpenLineage's `subType`."""
    fill: str
    """The colour of a card's head."""


_BLUE, _INDIGO, _AMBER, _RED, _GREY, _GREEN, _STONE, _PINK, _TEAL, _VIOLET = (
    *("#dbeafe", "#e0e7ff", "#fef3c7", "#fee2e2", "#f1f5f9", "#dcfce7", "#f5f5f4", "#fce7f3", "#ccfbf1", "#ede9fe"),
)

WORDS = {
    "table": Words("table", "", "table", "TABLE", "", _BLUE),
    "view": Words("view", "", "view", "VIEW", "", _INDIGO),
    "path": Words("path", "", "path", "FILE", "", _AMBER),
    "stage": Words("stage", "", "stage", "FILE", "STAGE", _AMBER),
    "pseudoTable": Words("table", "", "pseudo_table", "", "", _RED),
    "resultset": Words("resultset", "", "resultset", "", "", _GREY),
    "function": Words("resultset", "", "function", "", "", _GREEN),
    "literal": Words("resultset", "", "literal", "", "", _STONE),
    "variable": Words("variable", "", "variable", "", "", _PINK),
    "model": Words("view", "model", "model", "MODEL", "", _TEAL),
    "dimension": Words("table", "dimension", "dimension", "DIMENSION", "", _TEAL),
    "metric": Words("table", "metric", "metric", "METRIC", "", _TEAL),
    "insight": Words("table", "insight", "insight", "INSIGHT", "", _VIOLET),
    "input": Words("table", "input", "input", "INPUT", "", _AMBER),
    "chart": Words("table", "chart", "chart", "CHART", "", _VIOLET),
    "dashboard": Words("table", "dashboard", "dashboard", "DASHBOARD", "", _VIOLET),
    "exposure": Words("table", "exposure", "exposure", "EXPOSURE", "", _VIOLET),
}

_TABLES = frozenset({"table", "view"})


def words(kind: EntityKind) -> Words:
    """What formats call a kind."""
    return WORDS.get(kind.value) or Words("table", kind.value, kind.value, kind.value.upper(), "", _GREY)


def name_class(kind: EntityKind) -> str:
    """What a name is unique among: a table and a view have no name in common, but a metric may be called as a table is."""
    return "table" if kind.value in _TABLES else kind.value
