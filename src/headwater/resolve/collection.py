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
from headwater.resolve.named_type import constructed_fields
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


def constructed(scope: Scope, holder: Holder, node: Any) -> list[tuple[str, Any]] | None:
    """The fields of a record that a value makes, each with its own value: `ROW(a, b)`, `pair_t(a, b)`, `pair_t(a => x)`.

    None where the value is no constructor of the record's type, or its fields are not known.
    """
    while isinstance(node, (exp.Cast, exp.Paren)):
        node = node.this
    arguments = _arguments(scope, holder, node)
    if arguments is None or holder.open:
        return None
    names = list(holder.listed)
    if len(arguments) > len(names):
        return None
    found: dict[str, Any] = dict.fromkeys(names, exp.Null())
    for name, argument in zip(names, arguments, strict=False):
        if isinstance(argument, (exp.Kwarg, exp.PropertyEQ)):
            said = scope.dialect.fold_column(argument.this.name, False)
            name, argument = said if said in found else name, argument.expression
        found[name] = argument.this if isinstance(argument, exp.Alias) else argument
    return list(found.items())


def _arguments(scope: Scope, holder: Holder, node: Any) -> list[Any] | None:
    """What a constructor is given; None if a node is none."""
    if isinstance(node, (exp.Tuple, exp.Struct)):
        return list(node.expressions)
    while isinstance(node, exp.Dot):
        node = node.expression
    if not isinstance(node, exp.Anonymous):
        return None
    variables = scope.builder.session.variables
    name = scope.dialect.fold_column(node.name, False)
    typed = variables.type_names.get(holder.variable.number) if variables is not None else None
    is_constructor = name == typed or name.upper() == "ROW" or row_type(scope, node.name) is not None
    return list(node.expressions) if is_constructor else None


def row_type(scope: Scope, name: str) -> list[str] | None:
    """The fields of the named type that a constructor makes a row of; None if nobody declares such a type."""
    builder, dialect = scope.builder, scope.dialect
    variables = builder.session.variables
    declared = variables.type_named(name.upper()) if variables is not None else None
    if declared is not None and declared.fields:
        return [dialect.fold_column(field, False) for field in declared.fields]
    return list(constructed_fields(builder.session, dialect, name)) or None


def spread(scope: Scope, holder: Holder, node: Any) -> Any:
    """A query whose only output is a row, with the row's members as outputs: `SELECT pair_t(a, b) … INTO r`; any other as it is."""
    if holder.open or len(holder.listed) < 2 or not isinstance(node, exp.Select) or len(node.expressions) != 1:
        return node
    members = constructed(scope, holder, node.expressions[0].unalias())
    if members is None:
        return node
    made = node.copy()
    inside = constructed(scope, holder, made.expressions[0].unalias()) or ()
    named = [exp.alias_(each, exp.to_identifier(name, quoted=True), copy=False) for name, each in inside]
    made.set("expressions", named)
    return made
