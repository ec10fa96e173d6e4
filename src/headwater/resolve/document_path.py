"""Paths into documents: Snowflake's and Databricks' `v:a.b[0]`, Snowflake's `v['a']['b']`.

A key below a document column is a path below the column, as a struct's field is; a subscript picks an element and is no part of the path.

```sql
SELECT v:a.b AS x, v:a.c[0].d AS y FROM t   -- x is t.v.a.b itself, y is made of t.v.a.c.d
```
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import under_operator
from headwater.resolve.bind import column_of
from headwater.resolve.field import path_of
from headwater.resolve.flow import flow, handles
from headwater.resolve.scope import Scope
from headwater.resolve.shape import SHAPED, value_of


@handles(exp.JSONExtract)
def json_extract(scope: Scope, node: Any, target: int, kind: int) -> None:
    """`v:a.b` is a path; any other way to read a document makes a value of it as a whole."""
    if flow_path(scope, node, target, kind):
        return
    kind = under_operator(kind)
    flow(scope, node.this, target, kind)
    if isinstance(node.args.get("expression"), exp.Expr) and not isinstance(node.expression, exp.JSONPath):
        flow(scope, node.expression, target, kind)
    for each in node.expressions:
        flow(scope, each, target, kind)


def flow_path(scope: Scope, node: Any, target: int, kind: int) -> bool:
    """Let what a path names flow into *target*; False if the node is no path below a column."""
    found = path_column(scope, node)
    if found is None:
        return False
    column, picked = found
    scope.edges.append((target, column, under_operator(kind) if picked else kind, node))
    return True


def path_column(scope: Scope, node: Any) -> tuple[int, bool] | None:
    """The column that a path names, and whether it picks an element on the way; None if the node is no path."""
    base, keys, picked = _unwound(scope, node)
    is_column = isinstance(base, exp.Column)
    if base is None or not (keys or (picked and is_column)):
        return None
    column = column_of(scope, base) if is_column else value_of(scope, base)
    return None if column is None else (path_of(scope.builder, column, keys), picked)


def below(node: Any, path: str) -> Any:
    """The expression `node:path`, for a path that is given as text."""
    parts: list[Any] = [exp.JSONPathRoot()]
    parts += [exp.JSONPathKey(this=key.strip(), quoted=True) for key in path.split(".") if key.strip()]
    return exp.JSONExtract(this=node, expression=exp.JSONPath(expressions=parts), variant_extract=True)


def _unwound(scope: Scope, node: Any) -> tuple[Any, list[str], bool]:
    """What a path begins with, if that is a column or has fields (else None), the keys from there on, whether there is a subscript."""
    steps: list[list[str]] = []
    picked = False
    while not isinstance(node, exp.Column):
        if isinstance(node, exp.Paren):
            node = node.this
            continue
        keys = _keys(scope, node)
        if keys is None and steps and node.__class__ in SHAPED:
            return node, [name for names in reversed(steps) for name in names], picked
        if keys is None:
            return None, [], False
        names, subscript = keys
        steps.append(names)
        picked = picked or subscript
        node = node.this
    if not isinstance(node.this, exp.Identifier):
        return None, [], False
    return node, [name for names in reversed(steps) for name in names], picked


def _keys(scope: Scope, node: Any) -> tuple[list[str], bool] | None:
    """The keys that one step of a path adds, and whether it has a subscript."""
    if isinstance(node, exp.JSONExtract) and node.args.get("variant_extract"):
        return _path_keys(scope, node.expression)
    if isinstance(node, exp.Bracket) and scope.dialect.family == "snowflake" and len(node.expressions) == 1:
        index = node.expressions[0]
        if isinstance(index, exp.Literal):
            return ([index.name], False) if index.is_string else ([], True)
    return None


def _path_keys(scope: Scope, path: Any) -> tuple[list[str], bool] | None:
    if not isinstance(path, exp.JSONPath):
        return None
    keys: list[str] = []
    picked = False
    for part in path.expressions:
        if isinstance(part, exp.JSONPathKey) and isinstance(part.this, str):
            keys.append(_key(scope, part))
        elif not isinstance(part, exp.JSONPathRoot):
            picked = True
    return keys, picked


def _key(scope: Scope, part: Any) -> str:
    """Keys keep their case in Snowflake; elsewhere only those in quotes do."""
    if scope.dialect.family == "snowflake":
        return str(part.this)
    return str(part.this) if part.args.get("quoted") else scope.dialect.fold_column(part.this, False)
