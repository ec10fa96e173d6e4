"""Placeholders in a syntax tree: one that stands alone for a value is a variable, not a column.

`WHERE day = ${day}` reads no column `${day}`; `t.${column}` and `${prefix}_id` do read columns of these names.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.span import Span
from headwater.sql.placeholder import is_placeholder
from headwater.sql.redact import Redacted


def name_variables(tree: Any, text: Redacted) -> Iterator[Diagnostic]:
    """Make variables of the placeholders that stand for values; tell of those that may be whole clauses."""
    for root in list(_trees(tree)):
        for column in list(root.find_all(exp.Column)):
            _make_variable(column)
        yield from _clauses(root, text)


def _trees(tree: Any) -> Iterator[Any]:
    """The syntax trees in a statement: itself, or those in a form of ours."""
    if isinstance(tree, exp.Expr):
        yield tree
    elif isinstance(tree, (tuple, list)):
        for each in tree:
            yield from _trees(each)
    elif is_dataclass(tree):
        for field in fields(tree):
            yield from _trees(getattr(tree, field.name))


def _make_variable(column: Any) -> None:
    identifier = column.this
    if column.args.get("table") is not None or not isinstance(identifier, exp.Identifier):
        return
    if identifier.args.get("quoted") or not is_placeholder(identifier.name):
        return
    variable = exp.Placeholder(this=identifier.name)
    variable.update_positions(identifier)
    if column.parent is not None:
        column.replace(variable)


def _clauses(root: Any, text: Redacted) -> Iterator[Diagnostic]:
    """`FROM t ${where}`: a placeholder where an alias could stand, and nobody uses it as one."""
    for table in root.find_all(exp.Table, exp.Subquery):
        alias = table.args.get("alias")
        name = alias.this if isinstance(alias, exp.TableAlias) else None
        if not isinstance(name, exp.Identifier) or name.args.get("quoted") or not is_placeholder(name.name):
            continue
        if any(
            c.args.get("table") is not None and c.args["table"].name == name.name for c in root.find_all(exp.Column)
        ):
            continue
        table.set("alias", None)
        meta = name._meta or {}
        place = Span(meta["start"], meta["end"] + 1) if "start" in meta else None
        shown = text.slice(*place) if place else name.name
        message = f"{shown} may stand for clauses of the statement, which are not analysed"
        yield Diagnostic(Code.TEMPLATE, message, place, shown)
