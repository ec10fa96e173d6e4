"""Struct constructors: the members that they name, and what each is made of."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.builder import Owner
from headwater.resolve.field_names import type_fields
from headwater.resolve.map_parts import keys_of, values_of
from headwater.resolve.named_type import constructed_fields
from headwater.resolve.scope import Scope
from headwater.resolve.star_columns import kept_columns

BUILDING = frozenset({exp.Struct, exp.Tuple, exp.ArraysZip, exp.StarMap, exp.Cast, exp.Anonymous})
"""Classes of expressions that may construct a struct."""

_BY_POSITION = frozenset({"row", "arrayzip", "zip"})
"""Functions whose arguments are the members; of arrays side by side, the members of their elements."""

Members = tuple[dict[str, Any], list[Owner]]
"""Members by name, each an expression or a column; owners behind a star whose columns are not all known."""


def struct_members(scope: Scope, node: Any) -> Members | None:
    """The members of a struct constructor; None for anything else."""
    if isinstance(node, exp.Cast) and isinstance(node.this, exp.Struct):
        return _typed(scope, node.args.get("to"), node.this.expressions)
    if isinstance(node, (exp.Struct, exp.Tuple, exp.ArraysZip)):
        return _members(scope, _hive_members(scope, node) if scope.dialect.family == "hive" else node.expressions)
    if isinstance(node, exp.StarMap):
        return _members(scope, [node.this])
    if not isinstance(node, exp.Anonymous):
        return None
    name = str(node.this).lower()
    fields = constructed_fields(scope.builder.session, scope.dialect, str(node.this))
    if fields and len(fields) == len(node.expressions):
        return dict(zip(fields, node.expressions, strict=True)), []
    if name in _BY_POSITION and node.expressions:
        return _members(scope, node.expressions)
    if name == "map_entries" and len(node.expressions) == 1:
        return {"key": _one(keys_of(node.expressions[0])), "value": _one(values_of(node.expressions[0]))}, []
    if name != "named_struct" and not (name == "object" and scope.dialect.family == "redshift"):
        return None
    pairs = zip(node.expressions[::2], node.expressions[1::2], strict=False)
    return {scope.dialect.fold_column(k.name, False): v for k, v in pairs if isinstance(k, exp.Literal)}, []


def _hive_members(scope: Scope, node: Any) -> list[Any]:
    """The members of Hive's `struct(a, b)` are col1 and col2; the grammar names them after the columns, as those of `named_struct`."""
    if scope.builder.places.function_name(node) != "struct":
        return list(node.expressions)
    return [each.expression if isinstance(each, exp.PropertyEQ) else each for each in node.expressions]


def _typed(scope: Scope, kind: Any, values: list[Any]) -> Members | None:
    """The members of `STRUCT<a INT64, b STRUCT<c INT64>>(1, (2))`: by the names of the type, below members too."""
    names = type_fields(scope.builder, kind)
    if not names:
        return None
    kinds = [each.args.get("kind") for each in kind.expressions]
    members = [_as_typed(value, kinds[i]) if i < len(kinds) else value for i, value in enumerate(values)]
    return dict(zip(names, members, strict=False)), []


def _as_typed(value: Any, kind: Any) -> Any:
    """A member that is a struct without names has those of its type."""
    nameless = isinstance(value, exp.Tuple) or (isinstance(value, exp.Struct) and not value.find(exp.PropertyEQ))
    if not nameless or not isinstance(kind, exp.DataType) or not kind.is_type(exp.DType.STRUCT):
        return value
    return exp.Cast(this=exp.Struct(expressions=[each.copy() for each in value.expressions]), to=kind.copy())


def _one(parts: list[Any]) -> Any:
    """One expression that hands on any of several."""
    return parts[0] if len(parts) == 1 else exp.Array(expressions=[part.copy() for part in parts])


def _members(scope: Scope, expressions: list[Any]) -> Members:
    members: dict[str, Any] = {}
    behind: list[Owner] = []
    for position, member in enumerate(expressions, 1):
        if isinstance(member, (exp.PropertyEQ, exp.Alias)):
            name = member.args.get("alias") if isinstance(member, exp.Alias) else member.this
            value = member.this if isinstance(member, exp.Alias) else member.expression
            members[_member_name(scope, name)] = value
        elif isinstance(member, exp.Star) or (isinstance(member, exp.Column) and isinstance(member.this, exp.Star)):
            behind += _add_star(scope, member, members)
        else:
            members[_implied_name(scope, member, position)] = member
    return members, behind


def _implied_name(scope: Scope, member: Any, position: int) -> str:
    """The name of a member that is given none: its number where the dialect has it so, else that of the column that it is."""
    if scope.dialect.row_member is not None:
        return scope.dialect.row_member(position - 1)
    named = member.this if isinstance(member, exp.Column) else member.args.get("expression")
    if isinstance(member, (exp.Column, exp.Dot)) and isinstance(named, exp.Identifier):
        return scope.dialect.column(named)
    return f"col{position}"


def _add_star(scope: Scope, star: Any, members: dict[str, Any]) -> list[Owner]:
    """Add the columns of `struct(*)`; gives the owners that may have more."""
    behind = []
    for name, column, item in kept_columns(scope, star, None):
        if name == "*" and item.owner.open:
            behind.append(item.owner)
        else:
            members[name] = column
    return behind


def _member_name(scope: Scope, name: Any) -> str:
    if isinstance(name, exp.Identifier) and scope.dialect.family != "snowflake":
        return scope.dialect.column(name)
    text = name.name if isinstance(name, exp.Expr) else str(name)
    return scope.dialect.fold_column(text, isinstance(name, (exp.Literal, exp.Identifier)))
