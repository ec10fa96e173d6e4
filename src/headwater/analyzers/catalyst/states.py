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
    if asked or table.branch() is not None:
        return asked or BRANCH
    if relation.productArity() >= _PARTS_WITH_TIME_TRAVEL:
        return _asked_state(relation.timeTravelSpec(), table.table())
    return VERSION if table.snapshotId() is not None else ""


_PARTS_WITH_TIME_TRAVEL = 6
"""Since Spark 4.1 a relation says itself what was asked for; its table has a snapshot in any case."""


def _asked_state(asked: Any, table: Any) -> str:
    """What VERSION AS OF or TIMESTAMP AS OF asks for; a version may be the name of a branch."""
    if not asked.isDefined():
        return ""
    if not str(asked.get().getClass().getName()).endswith("AsOfVersion"):
        return TIMESTAMP
    reference = table.refs().get(asked.get().version())
    return BRANCH if reference is not None and reference.isBranch() else VERSION


def _name(of: Any) -> str:
    return str(of.getClass().getName())
