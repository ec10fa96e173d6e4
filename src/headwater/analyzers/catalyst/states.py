"""Which state of a table a relation of Delta Lake or Apache Iceberg reads: the words of `resolve.time_travel`.

Delta finds the version of a time when the plan is analysed, so that both are a version here; so does Iceberg, unless the time is an option.
"""

from __future__ import annotations

from typing import Any

from headwater.resolve.time_travel import BRANCH, CHANGES, TIMESTAMP, VERSION

_DELTA_FILES = "TahoeLogFileIndex"
_ICEBERG_TABLE = "org.apache.iceberg.spark.source.SparkTable"
_OPTIONS = {
    "start-snapshot-id": CHANGES,
    "snapshot-id": VERSION,
    "tag": VERSION,
    "as-of-timestamp": TIMESTAMP,
    "branch": BRANCH,
}
"""Options of Iceberg's reader that choose a state."""


def delta_state(files: Any) -> str:
    """What the index of a relation's files was made for."""
    return VERSION if _name(files).endswith(_DELTA_FILES) and files.isTimeTravelQuery() else ""


def iceberg_state(relation: Any) -> str:
    """What a relation's options ask for, or its table was loaded for."""
    table = relation.table()
    if _name(table) != _ICEBERG_TABLE:
        return ""
    options = {str(key).lower() for key in dict(relation.options().asCaseSensitiveMap())}
    asked = next((state for option, state in _OPTIONS.items() if option in options), "")
    return asked or (BRANCH if table.branch() is not None else VERSION if table.snapshotId() is not None else "")


def _name(of: Any) -> str:
    return str(of.getClass().getName())
