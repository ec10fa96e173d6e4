"""Headwater traces every column to its source: SQL in, resolved relations out."""

from headwater.analysis import analyze
from headwater.catalog import Catalog
from headwater.lineage.lineage import Lineage
from headwater.model.diagnostic import Diagnostic
from headwater.model.entity import ColumnRef
from headwater.model.relation import ColumnEdge, TableEdge

__version__ = "0.1.0"

__all__ = ["Catalog", "ColumnEdge", "ColumnRef", "Diagnostic", "Lineage", "TableEdge", "__version__", "analyze"]
