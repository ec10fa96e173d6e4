"""The graph: what a store's snapshot says about columns, as arrays that answer at once.

`arrays` makes them of the tables, `files` opens them, `closure` walks them; `graph` asks. Each question has its own module. Nothing here
knows SQL or Spark.
"""

from headwater.graph.arrays import write_arrays
from headwater.graph.graph import Graph, open_graph
from headwater.graph.names import UnknownName
from headwater.graph.records import Column, Hop, Place, Process, Table
from headwater.graph.tags import TaggedColumn, Tags, Violation
from headwater.graph.trace import Reached, Trace

__all__ = [
    "Column",
    "Graph",
    "Hop",
    "Place",
    "Process",
    "Reached",
    "Table",
    "TaggedColumn",
    "Tags",
    "Trace",
    "UnknownName",
    "Violation",
    "open_graph",
    "write_arrays",
]
