"""PL/SQL's collections and records as wholes: `l(i)`, `l(i).a`, `l.COUNT`, `INSERT INTO t VALUES r`, `UPDATE t SET ROW = r`.

A collection holds what its elements hold, under one column or under the fields of a record, and its row set is how many there are. The
index chooses an element, as a condition chooses a row.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp

from headwater.model.kind import WHERE
from headwater.resolve.flow import flow
from headwater.resolve.scope import Scope
from headwater.resolve.variable import Holder, held

_NAMES = (exp.Identifier, exp.Anonymous)


def element(scope: Scope, parts: Sequence[Any], target: int, kind: int) -> bool:
    """Let `l(i)`, `l(i).a`, `pkg.l(i).a`, `l.NEXT(i)` flow into a target, if it is a variable's."""
    variables = scope.builder.session.variables
    if variables is None or scope.dialect.family != "oracle" or not all(isinstance(part, _NAMES) for part in parts):
        return False
    names = [scope.dialect.fold_column(part.name, bool(part.args.get("quoted"))) for part in parts]
    found = variables.labelled(names)
    if found is not None:
        parts, names = parts[1:], names[1:]
    else:
        found = variables.find(names[0])
    if found is None:
        return False
    holder = held(scope.builder, found, parts[0])
    if len(names) == 1:
        scope.edges.append((target, holder.value, kind, parts[0]))
    else:
        scope.edges.append((target, holder.field(names[1], parts[-1]), kind, parts[-1]))
    for part in parts:
        if isinstance(part, exp.Anonymous):
            for index in part.expressions:
                flow(scope, index, target, WHERE)
    return True


def record(scope: Scope, node: Any) -> Holder | None:
    """The record that a value is, if it is nothing but one: `r`, `l(i)`, `pkg.r`, T-SQL's cursor `@c`."""
    variables = scope.builder.session.variables
    if variables is None or not isinstance(node, (exp.Column, exp.Anonymous, exp.Parameter)):
        return None
    if isinstance(node, exp.Parameter):
        name = scope.dialect.fold_column(f"@{node.name}", False)
    elif isinstance(node, exp.Anonymous):
        name = scope.dialect.fold_column(node.name, False) if scope.dialect.family == "oracle" else ""
    else:
        name = scope.dialect.column(node.this) if isinstance(node.this, exp.Identifier) else ""
    qualifier = node.args.get("table")
    found = variables.find(name) if qualifier is None else variables.labelled((scope.dialect.column(qualifier), name))
    return held(scope.builder, found, node) if found is not None and found.kind != "scalar" else None
