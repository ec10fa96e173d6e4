"""Documents as rows: JSON_TABLE and OPENJSON.

Each declared column comes from the document, whatever its path, and the document decides how many rows there are.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from headwater.model.kind import LATERAL
from headwater.resolve.flow import flow
from headwater.resolve.from_item import add_derived, alias_columns
from headwater.resolve.generator import add_column, add_position
from headwater.resolve.known_function import known_columns
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.table_function import call_form


@call_form(exp.JSONTable)
def json_table(scope: Scope, node: Any, call: Any) -> bool:
    """`JSON_TABLE(doc, '$' COLUMNS (a int PATH '$.x', n FOR ORDINALITY, NESTED PATH '$.y' COLUMNS (…)))`."""
    schema = call.args.get("schema")
    columns = list(_declared(schema.expressions)) if isinstance(schema, exp.JSONSchema) else []
    _rows(scope, node, _documents(call), [(scope.dialect.column(c.this), c) for c in columns])
    return True


def _declared(definitions: list[Any]) -> Iterator[Any]:
    """The columns in order, those of nested paths in place."""
    for each in definitions:
        nested = each.args.get("nested_schema")
        if isinstance(nested, exp.Expr):
            yield from _declared(nested.expressions)
        elif isinstance(each.args.get("this"), exp.Identifier):
            yield each


@call_form(exp.OpenJSON)
def open_json(scope: Scope, node: Any, call: Any) -> bool:
    """`OPENJSON(doc, path) WITH (a int '$.x')`; without WITH the rows are keys, values and types."""
    declared = [(scope.dialect.column(each.this), each) for each in call.expressions]
    path = call.args.get("path")
    arguments = [*_documents(call), *([path] if isinstance(path, exp.Expr) else [])]
    own = [(name, call) for name in known_columns(scope.dialect, "openjson") or ()]
    _rows(scope, node, arguments, declared or own)
    return True


def _documents(call: Any) -> list[Any]:
    """The document, and what else the call reads along with it."""
    given = call.this.expressions if isinstance(call.this, exp.Tuple) else [call.this]
    return [each for each in given if isinstance(each, exp.Expr)]


def _rows(scope: Scope, node: Any, arguments: list[Any], columns: list[tuple[str, Any]]) -> None:
    """Put a document's rows into FROM."""
    result = ResultSet(scope.builder, "function", node)
    for argument in arguments:
        flow(scope, argument, result.rows, LATERAL)
    for name, place in columns:
        if place.args.get("ordinality"):
            add_position(scope, result, name, place)
        else:
            add_column(scope, result, name, arguments, place)
    if not columns:
        for name in alias_columns(scope, node):
            add_column(scope, result, name, arguments, node)
    own_name = "json_table" if scope.dialect.family == "postgres" else None
    add_derived(scope, node, result.complete(), own_name)
