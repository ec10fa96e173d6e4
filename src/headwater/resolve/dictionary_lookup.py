"""ClickHouse's dictGet and its kin, Doris' dict_get, StarRocks' dictionary_get, Druid's LOOKUP: values that are looked up in a dictionary.

What a call looks up is the dictionary's column, made of the key as well. Which rows the dictionary has decides over it, as over the
value of a scalar subquery.
"""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from headwater.model.diagnostic import Code
from headwater.model.kind import TRANSFORMATION, WHERE
from headwater.resolve.bind import column_of_owner
from headwater.resolve.builder import Builder, Table
from headwater.resolve.call_argument import table_of
from headwater.resolve.flow import flow
from headwater.resolve.scope import Scope
from headwater.sql.identifier_clause import constant_text

_VALUES = re.compile(r"dictget(?!hierarchy|children|descendants)\w*|joinget(?:ornull)?|dict_get", re.IGNORECASE)
"""Functions that look up a column: dictionary, column, key, …"""
_WHOLE = re.compile(r"dictionary_get", re.IGNORECASE)
"""Functions that look up all columns: dictionary, key, …"""
_ROWS = re.compile(r"dicthas|dictisin|dictget(?:hierarchy|children|descendants)\w*", re.IGNORECASE)
"""Functions that look for keys only: dictionary, key, …"""


def look_up(scope: Scope, node: Any, target: int, kind: int) -> bool:
    """`dictGet('d', 'a', key)`, `dictHas('d', key)`, `joinGet('t', 'a', key)`; False for any other call."""
    name = str(node.this)
    has_column = _VALUES.fullmatch(name) is not None
    is_whole = _WHOLE.fullmatch(name) is not None
    if not (has_column or is_whole or _ROWS.fullmatch(name)) or len(node.expressions) < 2:
        return False
    builder = scope.builder
    value = builder.function(node)
    scope.edges.append((target, value, kind, node))
    first, *rest = node.expressions
    table = _named(builder, first)
    if table is None:
        message = f"which dictionary {name} reads is known only when it is called"
        builder.say(Code.UNSUPPORTED_CONSTRUCT, message, node, name)
        flow(scope, first, value, TRANSFORMATION)
    else:
        scope.edges.append((value, table.rows, WHERE, first))
        if has_column:
            _look_up_columns(scope, table, rest[0], value)
        elif is_whole:
            scope.edges.extend((value, column, TRANSFORMATION, first) for _, column in table.star())
    for each in rest[1:] if has_column else rest:
        flow(scope, each, value, TRANSFORMATION)
    return True


def look_up_key(scope: Scope, node: Any, target: int, kind: int) -> bool:
    """Druid's `LOOKUP(key, 'name'[, default])`: the value of a lookup, which is the table `lookup.name`; False for any other call."""
    if str(node.this).upper() != "LOOKUP" or len(node.expressions) < 2:
        return False
    key, lookup, *rest = node.expressions
    text = constant_text(lookup)
    if text is None:
        return False
    builder = scope.builder
    value = builder.function(node)
    scope.edges.append((target, value, kind, node))
    parts = [exp.to_identifier(part, quoted=True) for part in (scope.dialect.lookup_schema, text)]
    table = builder.reads(builder.table(exp.Table(this=parts[1], db=parts[0])))
    scope.edges.append((value, table.rows, WHERE, lookup))
    scope.edges.append((value, table.claim("v"), TRANSFORMATION, lookup))
    for each in (key, *rest):
        flow(scope, each, value, TRANSFORMATION)
    return True


def _named(builder: Builder, node: Any) -> Table | None:
    """The dictionary that an argument names: as a text, or as a name; None if that is not known."""
    if isinstance(node, exp.Column):
        return builder.reads(builder.table(table_of(node)))
    text = constant_text(node)
    return None if text is None else builder.reads(builder.table(table_named(text)))


def table_named(text: str) -> Any:
    """The table that a text names."""
    try:
        return exp.to_table(text, dialect="clickhouse")
    except (SqlglotError, ValueError):
        return exp.Table(this=exp.to_identifier(text, quoted=True))


def _look_up_columns(scope: Scope, table: Table, node: Any, value: int) -> None:
    """The column that a text names, or those of a tuple; any, where a text is known only when the function is called."""
    for each in node.expressions if isinstance(node, exp.Tuple) else [node]:
        name = constant_text(each)
        found = table.claim("*") if name is None else column_of_owner(scope, table, name, node)
        for column in (found,) if isinstance(found, int) else found or ():
            scope.edges.append((value, column, TRANSFORMATION, node))
        if name is None:
            flow(scope, each, value, TRANSFORMATION)
