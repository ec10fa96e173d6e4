"""T-SQL's searches in full-text indexes: `CONTAINSTABLE(t, (a, b), 'word')`, `FREETEXTTABLE(t, *, 'some words')`.

The rows are those of the table that match. KEY is the column that the full-text index calls its key, which no query names; RANK says how
well the searched columns match.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import FROM_ROWS, IDENTITY, LATERAL, TRANSFORMATION
from headwater.resolve.builder import Table
from headwater.resolve.call_argument import flow_arguments, table_of
from headwater.resolve.flow import flow
from headwater.resolve.from_item import add_derived
from headwater.resolve.generator import arguments_of, name_of
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.resolve.table_function import column_names, in_from

_COLUMNS = {
    "containstable": ("key", "rank"),
    "freetexttable": ("key", "rank"),
    "semantickeyphrasetable": ("column_id", "document_key", "keyphrase", "score"),
    "semanticsimilaritytable": ("source_column_id", "matched_column_id", "matched_document_key", "score"),
}
_KEYS = frozenset({"key", "document_key", "matched_document_key"})


@in_from(*_COLUMNS, dialects=("tsql",))
def full_text_search(scope: Scope, node: Any, call: Any) -> bool:
    """The table's key, and what the search computes from the searched columns."""
    arguments = arguments_of(call)
    if len(arguments) < 2 or not isinstance(arguments[0], exp.Column):
        return False
    named, searched, *rest = arguments
    builder = scope.builder
    table = builder.reads(builder.table(table_of(named)))
    result = ResultSet(builder, "function", node)
    builder.edges.append((result.rows, table.rows, FROM_ROWS, None))
    value = builder.function(call)
    for target, kind in ((value, TRANSFORMATION), (result.rows, LATERAL)):
        _flow_searched(scope, table, searched, target, kind)
    flow_arguments(scope, rest, value, result.rows)
    own = _COLUMNS[name_of(call)]
    for i, name in enumerate(column_names(scope, node, list(own), "")):
        output = result.add(name, node)
        if i < len(own) and own[i] in _KEYS:
            builder.edges.append((output, _key(scope, table, own[i], named), IDENTITY, named))
        else:
            builder.edges.append((output, value, IDENTITY, node))
    add_derived(scope, node, result.complete())
    return True


def _flow_searched(scope: Scope, table: Table, node: Any, target: int, kind: int) -> None:
    """The columns that are searched: `a`, `(a, b)`, or `*` for all of the index, which may be any of the table."""
    if isinstance(node, exp.Star):
        scope.builder.edges.extend((target, column, kind, node) for _, column in table.star())
        return
    inner = Scope(scope.builder, None, Environment())
    inner.add(table.name[-1], table)
    for each in node.expressions if isinstance(node, exp.Tuple) else [node]:
        flow(inner, each, target, kind)


def _key(scope: Scope, table: Table, name: str, place: Any) -> int:
    """The column that is the index's key: the primary key, if the script declares one of one column; else any of the table."""
    known = scope.builder.session.definition(table.name)
    key = known.key if known is not None else ()
    of_table = ".".join(table.name)
    if len(key) == 1:
        message = f"{name} is the key of a full-text index, taken for the primary key of {of_table}, {key[0]}"
    else:
        message = f"{name} is the key of a full-text index: which column of {of_table} that is, is not known"
    scope.builder.say(Code.GUESSED_COLUMN, message, place, name)
    return table.claim(key[0] if len(key) == 1 else "*")
