"""Tables that are not read in their current state.

    FROM t VERSION AS OF 3              version     Spark, Databricks, Trino, Flink
    FROM t FOR SYSTEM_TIME AS OF …      timestamp   BigQuery, T-SQL, MariaDB
    FROM t AT (TIMESTAMP => …)          timestamp   Snowflake; also BEFORE, OFFSET, STATEMENT
    FROM t CHANGES (…) AT (…)           changes     Snowflake
    FROM t AT BRANCH b                  branch      Dremio; a TAG, COMMIT or SNAPSHOT is a version
    FROM t@v3, delta.`/t@v3`            version     Databricks, Delta Lake
    FROM t@branch('audit')              branch      Doris, StarRocks; also @tag(…) and @incr(…), which are a version and changes
    FROM s.t.branch_audit               branch      Iceberg on Spark, where the table `s.t` is known; also tag_…, snapshot_id_… and
                                                    at_timestamp_…

Which version or point in time it is, the statement's text tells: constants are not part of relations.
"""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp

from headwater.sql.respell.dremio import BRANCH_MARK

VERSION, TIMESTAMP, BRANCH, CHANGES = "version", "timestamp", "branch", "changes"
_IN_NAMES = {"branch_": BRANCH, "tag_": VERSION, "snapshot_id_": VERSION, "at_timestamp_": TIMESTAMP}
_CALLS = {"branch": BRANCH, "tag": VERSION, "incr": CHANGES}
_MARK = re.compile(r"@(?:(?P<version>[vV]\d+)|\d{17})$")
"""Behind a path of Delta Lake's: a version, or a time as `yyyyMMddHHmmssSSS`."""


def state_of(node: Any) -> str:
    """By what a table node chooses the state of its table; nothing if it reads the current one."""
    args = node.args
    if args.get("changes"):
        return CHANGES
    version = args.get("version")
    if version:
        chosen = version.args.get("expression")
        if chosen is not None and chosen.name == BRANCH_MARK:
            return BRANCH
        call = version.args.get("expression")
        if isinstance(call, exp.Anonymous) and call.name.lower() in _CALLS:
            return _CALLS[call.name.lower()]
        return VERSION if str(version.args.get("this")).upper() == "VERSION" else TIMESTAMP
    when = args.get("when")
    if when:
        return VERSION if str(when.args.get("kind")).upper() == "VERSION" else TIMESTAMP
    return ""


def path_and_state(path: str) -> tuple[str, str]:
    """A path of Delta Lake's without the version or time that it ends with, and which of both it was."""
    mark = _MARK.search(path)
    if mark is None:
        return path, ""
    return path[: mark.start()], VERSION if mark["version"] else TIMESTAMP


def state_in_name(name: tuple[str, ...]) -> str:
    """The state of a table of Iceberg's that a name may ask for: `shop.orders.branch_audit`. It may as well be a table's own name."""
    if len(name) < 3:
        return ""
    last = name[-1].lower()
    return next((state for beginning, state in _IN_NAMES.items() if last.startswith(beginning)), "")
