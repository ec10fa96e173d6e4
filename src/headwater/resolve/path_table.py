"""Files in FROM: ``parquet.`/p` ``, `'x.parquet'`, `@stage/x`."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.from_item import alias_name, put_item, table_form
from headwater.resolve.location import files, path_of_table, stage_from_text
from headwater.resolve.scope import Scope


@table_form
def path_table(scope: Scope, node: Any) -> bool:
    """A table node that names files."""
    name = node.this
    if isinstance(name, exp.Var) and name.name.startswith("@"):
        stage = files(scope.builder, stage_from_text(scope.builder, name.name, node), named=False)
        _put(scope, node, stage)
        return True
    path = path_of_table(scope.builder, node)
    if path is not None:
        _put(scope, node, files(scope.builder, path, named=True))
    return path is not None


def _put(scope: Scope, node: Any, owner: Any) -> None:
    put_item(scope, node, alias_name(scope, node), scope.builder.reads(owner))
