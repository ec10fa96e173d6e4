"""Columns and tables by a part of their names, or by a pattern.

A name is never spelled out to be compared: a pattern is cut wherever the dot between table and column can fall, and its two parts are
compared with the tables' names and with the distinct names of columns. Two million columns have some thousands of these.

    `sales*amount`: tables like `sales*` with columns like `*amount`; `*.id`: columns `id` of any table
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from headwater.graph.adjacency import ranges
from headwater.graph.files import ROW_SET, Arrays, Ints
from headwater.model.quoted_name import without_quotes

_SIGNS = re.compile(r"[*?\[]")


def has_signs(text: str) -> bool:
    """Whether a text is a pattern."""
    return _SIGNS.search(text) is not None


def glob_of(pattern: str) -> str:
    """What is searched for: a pattern with `*`, `?` or `[…]` as it is, anything else anywhere in a name, without its quotes."""
    pattern = without_quotes(pattern)
    return pattern if has_signs(pattern) else f"*{pattern}*"


def matching(names: pa.Array, pattern: str) -> Ints:
    """Of each name whether it matches."""
    return _matches(names, glob_of(pattern))


def matching_tables(arrays: Arrays, pattern: str) -> Ints:
    """The numbers of the tables whose names match."""
    return np.flatnonzero(_matches(_table_names(arrays), glob_of(pattern)))


def named_columns(arrays: Arrays, name: str) -> Ints:
    """The nodes that a rule means, row sets left out: columns whose name, or the end of it at a dot, is exactly as the rule says.

    A rule without any sign of a pattern may also name a table, and then means all of its columns.

        `crm.*.phone*`, `*.ssn`; `raw.customers.email` is also `prod.raw.customers.email`; `raw.customers` is the table
    """
    name = without_quotes(name)
    found = [_columns_like(arrays, name), _columns_like(arrays, f"*.{name}")]
    if not has_signs(name):
        names = _table_names(arrays)
        tables = np.flatnonzero(_matches(names, name) | _matches(names, f"*.{name}"))
        nodes = ranges(arrays.entity_start[tables].astype(np.int64), arrays.entity_start[tables + 1])
        found.append(nodes[arrays.node_flags[nodes] & ROW_SET == 0])
    return np.unique(np.concatenate(found))


def bare_names_like(arrays: Arrays, glob: str) -> Ints:
    """Which of the distinct names of columns are like a pattern."""
    return _matches(arrays.names, glob)


def matching_columns(arrays: Arrays, pattern: str) -> Ints:
    """The nodes of the columns whose names match, row sets left out."""
    return _columns_like(arrays, glob_of(pattern))


def nodes_like(arrays: Arrays, nodes: Ints, pattern: str) -> Ints:
    """Those of some nodes whose names match, in the same order; only the names that occur there are compared."""
    tables, own = np.unique(arrays.node_entity[nodes], return_inverse=True)
    codes, name = np.unique(arrays.node_name[nodes], return_inverse=True)
    table_names, names = _table_names(arrays).take(pa.array(tables)), arrays.names.take(pa.array(codes))
    found = np.zeros(len(nodes), dtype=bool)
    for table, column in _cuts(glob_of(pattern)):
        found |= _matches(table_names, table)[own] & _matches(names, column)[name]
    return nodes[found]


def tables_like(arrays: Arrays, tables: Ints, pattern: str) -> Ints:
    """Those of some tables whose names match, in the same order."""
    return tables[_matches(_table_names(arrays).take(pa.array(tables)), glob_of(pattern))]


def _columns_like(arrays: Arrays, glob: str) -> Ints:
    """The nodes whose names match, row sets left out: those of the tables, or those of the names that match, whichever are fewer."""
    found = [np.empty(0, np.int64)]
    sizes, counts = np.diff(arrays.entity_start), np.diff(arrays.name_start)
    for table, column in dict.fromkeys(_cuts(glob)):
        names = _matches(arrays.names, column)
        tables = _matches(_table_names(arrays), table) if names.any() else np.zeros(len(sizes), dtype=bool)
        if sizes[tables].sum() < counts[names].sum():
            nodes = ranges(arrays.entity_start[:-1][tables].astype(np.int64), arrays.entity_start[1:][tables])
            found.append(nodes[names[arrays.node_name[nodes]] & (arrays.node_flags[nodes] & ROW_SET == 0)])
        else:
            nodes = arrays.name_nodes[
                ranges(arrays.name_start[:-1][names].astype(np.int64), arrays.name_start[1:][names])
            ]
            found.append(nodes[tables[arrays.node_entity[nodes]]])
    return np.unique(np.concatenate(found))


def _table_names(arrays: Arrays) -> pa.Array:
    return arrays.entity_field("name")


def _matches(names: pa.Array, glob: str) -> Ints:
    if glob == "*":
        return np.ones(len(names), dtype=bool)
    found: Ints = pc.match_substring_regex(names, _expression(glob), ignore_case=True).to_numpy(zero_copy_only=False)
    return found


def _cuts(glob: str) -> Iterator[tuple[str, str]]:
    """The pattern of a table and that of a column, for each way to put the dot between them."""
    for at, sign in enumerate(glob):
        if sign == ".":
            yield glob[:at], glob[at + 1 :]
        elif sign == "*":
            yield glob[: at + 1], glob[at:]
        elif sign == "?":
            yield glob[:at], glob[at + 1 :]


def _expression(glob: str) -> str:
    r"""A pattern as a regular expression.

    >>> _expression("a.b*[xy]?")
    '(?s)^a\\.b.*[xy].$'
    """
    parts = []
    for sign in re.findall(r"\[[^\]]+\]|.", glob, re.DOTALL):
        if len(sign) > 1:
            parts.append("[" + re.sub(r"([\\^\[])", r"\\\1", sign[1:-1]).replace("!", "^", sign[1] == "!") + "]")
        else:
            parts.append({"*": ".*", "?": "."}.get(sign) or re.escape(sign))
    return f"(?s)^{''.join(parts)}$"
