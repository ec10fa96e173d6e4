"""INSERT … ON CONFLICT DO UPDATE, ON DUPLICATE KEY UPDATE: an update of the rows that are there already.

Which rows these are is a match of the keys, the target's with the given ones'.

A name without qualifier is the target's column. The rows that were given are called `excluded`; in MySQL by the alias of VALUES,
whose column list may name them anew, or one at a time by `VALUES(a)`, and the tables of INSERT … SELECT are visible too.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import FROM_ROWS, IDENTITY, JOIN_CONDITION, WHERE, candidate
from headwater.resolve.builder import Builder, Table
from headwater.resolve.flow import flow
from headwater.resolve.from_item import alias_columns, alias_name, from_clause
from headwater.resolve.returning import target_alias
from headwater.resolve.scope import Environment, Item, ResultSet, Scope
from headwater.resolve.update import assign, write_changes

_EXCLUDED = "excluded"


def on_conflict(builder: Builder, node: Any, table: Table, given: ResultSet, environment: Environment) -> None:
    """Resolve the conflict clause of an INSERT."""
    clause = node.args.get("conflict")
    if not isinstance(clause, exp.Expr) or not clause.expressions:
        return
    changes = ResultSet(builder, "update-set", clause)
    scope = Scope(builder, None, environment, changes.rows)
    called = builder.dialect.fold_column(table.name[-1], True)
    scope.add(called, table, aliased=False)
    name = target_alias(scope, node)
    if name is not None:
        scope.by_name[name] = scope.items[0]
    builder.edges.append((changes.rows, given.rows, FROM_ROWS, None))
    excluded = _see_given(scope, node, table, given)
    for key in clause.args.get("conflict_keys") or ():
        for side in (table, excluded):
            keys = Scope(builder, None, environment, changes.rows)
            keys.add(called, side)
            if side is table or all(_name_of(scope, c) in side.columns for c in key.find_all(exp.Column)):
                flow(keys, key, changes.rows, JOIN_CONDITION)
    if isinstance(clause.args.get("index_predicate"), exp.Where):
        keys = Scope(builder, None, environment, changes.rows)
        keys.add(called, table)
        flow(keys, clause.args["index_predicate"].this, changes.rows, JOIN_CONDITION)
    if isinstance(clause.args.get("where"), exp.Expr):
        flow(scope, clause.args["where"].this, changes.rows, WHERE)
    for assignment in clause.expressions:
        assign(scope, _without_values_call(scope, assignment), changes)
    write_changes(builder, table, changes.complete())


def _name_of(scope: Scope, column: Any) -> str:
    return scope.dialect.column(column.this) if isinstance(column.this, exp.Identifier) else ""


def _see_given(scope: Scope, node: Any, table: Table, given: ResultSet) -> ResultSet:
    """Put the given rows into the scope, by the names that they go by; gives them under the target's."""
    source = node.args.get("expression")
    excluded = _excluded(scope.builder, node, table, given)
    scope.by_name[scope.dialect.fold_column(_EXCLUDED, False)] = Item(_EXCLUDED, excluded, aliased=True)
    alias = alias_name(scope, source) if isinstance(source, exp.Values) else None
    if alias is not None:
        columns = alias_columns(scope, source)
        named = _excluded(scope.builder, node, table, given, columns) if columns else excluded
        item = Item(alias, named, aliased=True)
        scope.by_name[alias] = item
        if columns:
            scope.items.append(item)
    elif scope.dialect.family == "mysql" and isinstance(source, exp.Select) and not source.args.get("group"):
        from_clause(scope, source)
    return excluded


def _without_values_call(scope: Scope, assignment: Any) -> Any:
    """MySQL's `VALUES(a)` is the given row's a."""
    if scope.dialect.family != "mysql":
        return assignment
    return assignment.transform(_given_column)


def _given_column(node: Any) -> Any:
    if isinstance(node, exp.Anonymous) and node.name.upper() == "VALUES" and len(node.expressions) == 1:
        name = node.expressions[0]
        identifier = name.this if isinstance(name, exp.Column) else name
        if not isinstance(identifier, exp.Identifier):
            return node
        return exp.Column(this=identifier, table=exp.to_identifier(_EXCLUDED))
    return node


def _excluded(builder: Builder, node: Any, table: Table, given: ResultSet, names: list[str] | None = None) -> ResultSet:
    """The given rows under the target's column names, or under new ones."""
    columns = node.this.expressions if isinstance(node.this, exp.Schema) else []
    names = names or [builder.dialect.column(c) for c in columns if isinstance(c, exp.Identifier)]
    names = names or list(table.schema or ())
    excluded = _Given(builder, "select_list", node)
    excluded.open = not names
    builder.edges.append((excluded.rows, given.rows, FROM_ROWS, None))
    for i, (name, column) in enumerate(given.outputs):
        excluded.pass_on(given, name, column, None, names[i] if i < len(names) else None)
    return excluded.complete()


class _Given(ResultSet):
    """The given rows. Of an unknown target they may have a column of any name, and which of them that is nobody can say."""

    __slots__ = ()

    def claim(self, name: str) -> int:
        """The given column that goes into the target's column of that name: one of them."""
        if self.stars:
            return super().claim(name)
        found = self.columns.get(name) or self.claims.get(name)
        if found is None:
            found = self.claims[name] = self.builder.column(self.entity, name, None)
            kind = IDENTITY if len(self.outputs) == 1 else candidate(IDENTITY)
            self.builder.edges.extend((found, column, kind, None) for _, column in self.outputs)
            message = (
                f"which of the given columns goes to {name} depends on the target's columns, and these are not known"
            )
            self.builder.say(Code.MISSING_SCHEMA, message, None, name)
        return found
