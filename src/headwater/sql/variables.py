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
            is_item = isinstance(column.parent, exp.Select) and column.arg_key == "expressions"
            if _make_variable(column) and is_item:
                yield _item(column.this, text)
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


def _make_variable(column: Any) -> bool:
    """Put a variable in place of a column that is a placeholder; says whether it is one."""
    identifier = column.this
    if column.args.get("table") is not None or not isinstance(identifier, exp.Identifier):
        return False
    if identifier.args.get("quoted") or not is_placeholder(identifier.name):
        return False
    variable = exp.Placeholder(this=identifier.name)
    variable.update_positions(identifier)
    if column.parent is not None:
        column.replace(variable)
    return True


def _item(identifier: Any, text: Redacted) -> Diagnostic:
    """What is said of a placeholder that is a whole item of SELECT, and has no name as a value has."""
    place, shown = _place(identifier, text)
    message = f"{shown} may stand for columns or expressions, which are not known"
    return Diagnostic(Code.TEMPLATE, message, place, shown, "analyse the rendered SQL, or give a single value an alias")


def _place(name: Any, text: Redacted) -> tuple[Span | None, str]:
    """Where a name stands, and how it is written."""
    meta = name._meta or {}
    place = Span(meta["start"], meta["end"] + 1) if "start" in meta else None
    return place, text.slice(*place) if place else name.name


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
        place, shown = _place(name, text)
        message = f"{shown} may stand for clauses of the statement, which are not analysed"
        yield Diagnostic(Code.TEMPLATE, message, place, shown)
