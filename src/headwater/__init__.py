"""Headwater traces every column to its source: SQL in, resolved relations out."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from headwater.analysis import analyze
from headwater.catalog import Catalog
from headwater.lineage.lineage import Lineage
from headwater.model.diagnostic import Diagnostic
from headwater.model.entity import ColumnRef
from headwater.model.relation import ColumnEdge, TableEdge

if TYPE_CHECKING:
    from headwater.graph import Graph

__version__ = "0.1.0"

__all__ = [
    "Catalog",
    "ColumnEdge",
    "ColumnRef",
    "Diagnostic",
    "Lineage",
    "TableEdge",
    "__version__",
    "analyze",
    "open",
]


def open(path: str | os.PathLike[str], as_of: str | None = None) -> Graph:
    """Open the graph over a store: its current snapshot, or the last one up to a time (`2026-11-15`), or of a name."""
    from headwater.graph import open_graph

    return open_graph(path, as_of)
