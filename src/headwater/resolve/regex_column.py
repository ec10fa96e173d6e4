"""Hive's and Spark's regular expressions in backquotes: `` SELECT `(ds|hr)?+.+` FROM t `` is all columns but ds and hr.

Both take a quoted name so only if a setting says so, which the script may not show. A name with `.+`, `.*` or `|` in it is hardly ever
a column's; one that a table is known to have is that column.
"""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.resolve.name_pattern import UnknownPattern, by_whole_regex
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.star import add_kept

_REGEX = re.compile(r"\.[+*]|(?<!\|)\|(?!\|)")


def regex_column(scope: Scope, node: Any, result: ResultSet) -> bool:
    """Add the columns that a quoted name describes; False for a name that is one."""
    identifier = node.args["this"]
    if not identifier.args.get("quoted") or _REGEX.search(identifier.name) is None or _is_known(scope, node):
        return False
    name = identifier.name
    star = exp.Column(this=exp.Star(), table=node.args.get("table")) if node.args.get("table") else exp.Star()
    try:
        add_kept(scope, star, by_whole_regex(name), result, node)
    except UnknownPattern:
        message = f"which columns {name} describes is not worked out; all are taken"
        scope.builder.say(Code.UNSUPPORTED_CONSTRUCT, message, node, name)
        add_kept(scope, star, None, result, node)
    return True


def _is_known(scope: Scope, node: Any) -> bool:
    name = scope.dialect.column(node.this)
    return any(name in item.owner.listed for item in scope.items)
