"""Files in FROM: ``parquet.`/p` ``, `'x.parquet'`, `@stage/x`."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.from_item import alias_name, put_item, table_form
from headwater.resolve.location import files, looks_like_file, path_from_text, stage_from_text
from headwater.resolve.scope import Scope
from headwater.resolve.time_travel import path_and_state, state_of

_FORMATS = frozenset({"parquet", "orc", "avro", "json", "csv", "text", "delta", "iceberg", "binaryfile", "xml"})
_BY_FORMAT = frozenset({"spark", "databricks"})
_BY_NAME = frozenset({"duckdb", "databricks", "clickhouse"})


@table_form
def path_table(scope: Scope, node: Any) -> bool:
    """A table node that names files."""
    name, schema = node.this, node.args.get("db")
    dialect = scope.dialect.name
    if isinstance(name, exp.Var) and name.name.startswith("@"):
        stage = files(scope.builder, stage_from_text(scope.builder, name.name, node), named=False)
        _put(scope, node, stage)
        return True
    if not isinstance(name, exp.Identifier) or not name.args.get("quoted") or node.args.get("catalog") is not None:
        return False
    if schema is None and dialect in _BY_NAME and looks_like_file(name.name):
        _put(scope, node, files(scope.builder, path_from_text(name.name, node), named=True))
        return True
    if isinstance(schema, exp.Identifier) and dialect in _BY_FORMAT and schema.name.lower() in _FORMATS:
        format = schema.name.lower()
        path, state = path_and_state(name.name) if format == "delta" else (name.name, "")
        _put(scope, node, files(scope.builder, path_from_text(path, node, format), True, state or state_of(node)))
        return True
    return False


def _put(scope: Scope, node: Any, owner: Any) -> None:
    put_item(scope, node, alias_name(scope, node), scope.builder.reads(owner))
