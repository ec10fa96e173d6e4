"""The store: what a build writes and a graph reads, as Parquet files under versioned snapshots.

`schema` says what the tables hold, `identity` how their ids come from content alone, `layout` where things are and how a snapshot becomes
the current one, `manifest` which files a snapshot has, `build_folder` how one is written. Nothing here knows Spark.
"""

from headwater.store.layout import NoSnapshot, Store, StoreError
from headwater.store.snapshot import Snapshot

__all__ = ["NoSnapshot", "Snapshot", "Store", "StoreError"]
