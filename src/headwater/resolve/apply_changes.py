"""Databricks' APPLY CHANGES INTO and AUTO CDC INTO: a MERGE by keys, whose source says itself which rows are deletions.

Columns go by name. The keys, the conditions and the sequence decide over what is changed, as a MERGE's ON and AND do. A history
(SCD TYPE 2) has the sequence in two columns of its own.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import FROM_ROWS, IDENTITY, JOIN_CONDITION, WHERE, WRITE_ROWS
from headwater.resolve.builder import Builder
from headwater.resolve.flow import flow
from headwater.resolve.from_item import from_item
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.resolve.star import expand_star
from headwater.resolve.statement import Outcome, resolves
from headwater.resolve.update import write_changes
from headwater.sql.form import ApplyChanges

_VALIDITY = ("__start_at", "__end_at")
"""The columns that say from and until when a version holds."""


@resolves(ApplyChanges)
def apply_changes(builder: Builder, form: ApplyChanges, environment: Environment) -> Outcome:
    """The source's columns, by name, under the influence of what matches, orders and deletes rows."""
    changes = ResultSet(builder, "merge-insert", form.source)
    scope = Scope(builder, None, environment, changes.rows)
    from_item(scope, form.source)
    table = builder.writes(builder.table(form.target))
    source = scope.items[0].owner
    builder.edges.append((changes.rows, source.rows, FROM_ROWS, None))
    _add_columns(scope, form, changes)
    for key in form.keys:
        name = builder.dialect.column(key)
        for owner in (table, source):
            builder.edges.append((changes.rows, owner.claim(name), JOIN_CONDITION, key))
    for each in (*form.conditions, *([form.sequence] if form.sequence is not None else [])):
        flow(scope, each, changes.rows, WHERE)
    changes.complete()
    write_changes(builder, table, changes)
    builder.edges.append((table.rows, changes.rows, WRITE_ROWS, None))
    return Outcome("Apply Changes")


def _add_columns(scope: Scope, form: ApplyChanges, changes: ResultSet) -> None:
    """The listed columns, else all but those left out; the validity of each version, where these are kept."""
    if form.columns:
        for each in form.columns:
            flow(scope, exp.Column(this=each), changes.add(scope.dialect.column(each), each), IDENTITY)
    else:
        expand_star(scope, _star(form.left_out), changes)
    if form.history and form.sequence is not None:
        for name in _VALIDITY:
            flow(scope, form.sequence, changes.add(name, form.sequence), IDENTITY)


def _star(left_out: tuple[Any, ...]) -> Any:
    return exp.Star(except_=list(left_out)) if left_out else exp.Star()
