"""Apache Iceberg's procedures, `CALL catalog.system.p(…)`: most care for one table and move no data; a few copy tables.

snapshot(source_table, table)      a new table with the files of another one
add_files(table, source_table)     the files of another table, or of a folder, become a table's
create_changelog_view(table, …)    a temporary view of what changed in a table
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from headwater.resolve.builder import Builder
from headwater.resolve.create import create
from headwater.resolve.insert import insert
from headwater.resolve.scope import Environment, Scope
from headwater.resolve.spelled_table import parsed_name
from headwater.resolve.statement import Outcome
from headwater.sql.procedural.form import Call

_CARE = frozenset(
    {
        *("rollback_to_snapshot", "rollback_to_timestamp", "set_current_snapshot", "cherrypick_snapshot"),
        *("publish_changes", "fast_forward", "expire_snapshots", "remove_orphan_files", "rewrite_data_files"),
        *("rewrite_manifests", "rewrite_position_delete_files", "migrate", "register_table", "ancestors_of"),
        *("rewrite_table_path", "compute_table_stats", "compute_partition_stats"),
    }
)
"""Procedures that change nothing but the state of one table, or only look at it."""
_DIALECTS = frozenset({"spark", "databricks"})

Copy = Callable[[Builder, Environment, Any, Any], None]
"""Resolves a copy between two tables, in the order of the procedure's parameters."""


def iceberg_procedure(builder: Builder, form: Call, environment: Environment) -> Outcome | None:
    """What a call of one of these procedures does; None if it calls another one."""
    parts = [part.name.lower() for part in form.procedure.parts]
    if builder.dialect.family not in _DIALECTS or len(parts) < 2 or parts[-2] != "system":
        return None
    if parts[-1] in _CARE:
        return Outcome("Call")
    names, copy = _COPIES.get(parts[-1], (None, None))
    tables = _tables(Scope(builder, None, environment), form, names) if names is not None else None
    if copy is None or tables is None:
        return None
    copy(builder, environment, *tables)
    return Outcome("Call")


def _tables(scope: Scope, form: Call, names: tuple[str, str]) -> list[Any] | None:
    """The tables that a call names, by their parameters; None if one of them is not a text."""
    given = {each.name.lower() or names[i]: each.value for i, each in enumerate(form.arguments) if each.name or i < 2}
    values = [given.get(name) for name in names]
    if not all(isinstance(value, exp.Literal) for value in values):
        return None
    return [parsed_name(scope, value.name) for value in values if value is not None]


def _snapshot(builder: Builder, environment: Environment, source: Any, table: Any) -> None:
    create(builder, exp.Create(this=table, kind="TABLE", clone=exp.Clone(this=source)), environment)


def _add_files(builder: Builder, environment: Environment, table: Any, source: Any) -> None:
    insert(builder, exp.Insert(this=table, expression=exp.select("*").from_(source), by_name=True), environment)


def _changelog_view(builder: Builder, environment: Environment, table: Any, view: Any) -> None:
    table.set("changes", exp.true())
    properties = exp.Properties(expressions=[exp.TemporaryProperty()])
    made = exp.Create(this=view, kind="VIEW", expression=exp.select("*").from_(table), properties=properties)
    create(builder, made, environment)


_COPIES: dict[str, tuple[tuple[str, str], Copy]] = {
    "snapshot": (("source_table", "table"), _snapshot),
    "add_files": (("table", "source_table"), _add_files),
    "create_changelog_view": (("table", "changelog_view"), _changelog_view),
}
