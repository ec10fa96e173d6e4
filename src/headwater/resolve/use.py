"""USE and DROP: statements that change what later names mean."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.resolution import Definition
from headwater.resolve.builder import Builder
from headwater.resolve.create_function import drop_function
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves

_IGNORED_KINDS = frozenset({"WAREHOUSE", "ROLE", "SECONDARY ROLES"})


@resolves(exp.Use)
def use(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """`USE db`, `USE CATALOG c`, `USE SCHEMA s`: the default schema for what follows."""
    kind = node.args.get("kind")
    word = kind.name.upper() if isinstance(kind, exp.Expr) else ""
    target = node.this
    if word in _IGNORED_KINDS or not isinstance(target, exp.Table):
        return Outcome("Use")
    parts = tuple(
        builder.dialect.table(p) for p in (target.args.get("catalog"), target.args.get("db"), target.this) if p
    )
    current = builder.session.default_schema or ()
    first = builder.dialect.first_schema
    names_database = word == "DATABASE" or (word == "" and builder.dialect.databases_of_schemas)
    if word == "CATALOG" or (names_database and first and len(parts) == 1):
        # A new catalog starts in its own first schema.
        builder.default_schema = (*parts, first or "default")
    elif len(parts) < len(current) and not builder.dialect.paths_are_whole:
        builder.default_schema = current[: len(current) - len(parts)] + parts
    else:
        builder.default_schema = parts
    return Outcome("Use")


@resolves(exp.Drop)
def drop(builder: Builder, node: Any, environment: Environment) -> Outcome:
    """`DROP TABLE t`: what the script said about it no longer holds."""
    if str(node.args.get("kind") or "").upper() in ("FUNCTION", "MACRO"):
        return drop_function(builder, node)
    for table in node.args.get("tables") or [node.this]:
        if isinstance(table, exp.Table):
            builder.defines.append(Definition(builder.table_name(table), None, dropped=True))
    return Outcome("Drop")
