"""Files in FROM: ``parquet.`/p` ``, `'x.parquet'`, `@stage/x`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sqlglot import exp

from headwater.resolve.from_item import alias_name, put_item, table_form
from headwater.resolve.location import files, path_of_table, read_location, stage_from_text
from headwater.resolve.scope import Scope
from headwater.resolve.time_travel import path_and_state, state_of


@table_form
def path_table(scope: Scope, node: Any) -> bool:
    """A table node that names files."""
    name = node.this
    if isinstance(name, exp.Var) and name.name.startswith("@"):
        stage = read_location(scope.builder, stage_from_text(scope.builder, name.name, node), named=False)
        _put(scope, node, stage)
        return True
    path = path_of_table(scope.builder, node)
    if path is None:
        return False
    uri, state = path_and_state(path.name) if path.format == "delta" else (path.name, "")
    _put(scope, node, files(scope.builder, replace(path, name=uri), True, state or state_of(node)))
    return True


def _put(scope: Scope, node: Any, owner: Any) -> None:
    put_item(scope, node, alias_name(scope, node), scope.builder.reads(owner))
