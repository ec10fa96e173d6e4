"""Work on the whole graph of a store, on Spark: a snapshot's tables in, DataFrames out.

Questions about some columns are `headwater.open`'s, which answers them at once. What is asked of all columns together is worked out here:
`closure`, `components` and `degree` are a module each, of functions from DataFrames to DataFrames; `edges` and `fields` say
who is next to whom, by the same rules as the graph; `graph` puts them together over a store. A closure is made in two ways, `walk` and
`rounds`, as `closure` says.
"""

from headwater.spark.whole.graph import WholeGraph
from headwater.spark.whole.limit import TooManyPairs

__all__ = ["TooManyPairs", "WholeGraph"]
