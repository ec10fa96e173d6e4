"""The store: what a build writes and a graph reads, as Parquet tables under versioned snapshots.

`schema` says what the tables hold, `identity` how their ids come from content alone, `layout` where things lie, `snapshot` how a new
snapshot becomes the current one. Nothing here knows Spark.
"""

from headwater.store.layout import NoSnapshot, Store, StoreError
from headwater.store.snapshot import Snapshot

__all__ = ["NoSnapshot", "Snapshot", "Store", "StoreError"]
