"""Views of dimensions and measures: Snowflake's semantic views and Databricks' metric views.

Each member is an expression over the columns of the logical tables and over other members, which are put in their places. A member that
counts rows depends on the row set of its own table; which groups it is asked for by is the query's affair.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.entity import EntityKind
from headwater.model.kind import IDENTITY, JOIN_CONDITION, WHERE, WRITE_ROWS
from headwater.model.resolution import Definition
from headwater.resolve.builder import Builder
from headwater.resolve.flow import constant, flow
from headwater.resolve.from_item import from_item
from headwater.resolve.group_by import close_aggregates
from headwater.resolve.scope import Environment, Scope
from headwater.resolve.statement import Outcome, resolves
from headwater.sql.form import Member, SemanticView

Key = tuple[str, str]
"""A member's table, nothing for none, and its name."""


@resolves(SemanticView)
def create_semantic_view(builder: Builder, form: SemanticView, environment: Environment) -> Outcome:
    """The view's columns by their expressions; joins and filters decide over its rows."""
    view = builder.writes(builder.table(form.name, new=True))
    builder.entities[view.entity].kind, builder.entities[view.entity].type = EntityKind.VIEW, "view"
    tables = Scope(builder, None, environment, view.rows)
    for alias, source in form.tables:
        from_item(tables, _aliased(source, alias))
    tables.close_from()
    for item in tables.items:
        builder.edge(view.rows, item.owner.rows, WRITE_ROWS, None)
    members = {(_folded(builder, each.table), builder.dialect.column(each.name)): each for each in form.members}
    for condition in form.joins:
        flow(tables, condition, view.rows, JOIN_CONDITION)
    for condition in form.filters:
        flow(tables, _written_out(builder, condition, form.tables[0][0], members, ()), view.rows, WHERE)
    listed = _listed_names(builder, form, members)
    names: dict[str, str] = {}
    plain: set[str] = set()
    for key, member in members.items():
        name = listed.get(key) or (".".join(key) if form.qualified and key[0] else key[1])
        names[name] = ""
        _define(tables, member, key, members, view.claim(name))
        if form.qualified and name != key[1]:  # a plain query asks for it without its table
            plain.add(key[1])
            builder.edge(view.claim(key[1]), view.claim(name), IDENTITY, member.name)
    columns = None if form.qualified else names
    builder.defines.append(Definition(view.name, columns, False, True, computed=frozenset(plain)))
    return Outcome("Create View")


def _listed_names(builder: Builder, form: SemanticView, members: dict[Key, Member]) -> dict[Key, str]:
    """What the view's own list calls the members, by position; the expressions go on to use the members' names."""
    names = [builder.dialect.column(each) for each in form.columns]
    if names and len(names) != len(members):
        message = f"the list names {len(names)} columns, the view has {len(members)}"
        builder.say(Code.SCHEMA_MISMATCH, message, form.columns[0], form.name.name, "the rest keep their own names")
    return dict(zip(members, names, strict=False))


def _aliased(source: Any, alias: Any) -> Any:
    named = exp.TableAlias(this=alias.copy())
    if isinstance(source, exp.Table):
        source = source.copy()
        source.set("alias", named)
        return source
    return exp.Subquery(this=source, alias=named)


def _folded(builder: Builder, table: Any) -> str:
    return builder.dialect.column(table) if table is not None else ""


def _define(tables: Scope, member: Member, key: Key, members: dict[Key, Member], column: int) -> None:
    """Let a member's expression flow into its column, seen by the tables that it names."""
    builder = tables.builder
    expression = _written_out(builder, member.expression, member.table, members, (key,))
    named = {builder.dialect.column(c.args["table"]) for c in expression.find_all(exp.Column) if c.args.get("table")}
    named = named or {key[0]}
    scope = Scope(builder, None, tables.environment, tables.rows)
    scope.see(item for item in tables.items if item.name in named)
    before = len(builder.edges)
    flow(scope, expression, column, IDENTITY)
    if len(builder.edges) == before:
        constant(scope, expression, column)
    close_aggregates(scope, [], grouped=True)


def _written_out(builder: Builder, node: Any, table: Any, members: dict[Key, Member], inside: tuple[Key, ...]) -> Any:
    """An expression with the members that it names written out, and its bare columns qualified by its table."""

    def replaced(each: Any) -> Any:
        if isinstance(each, exp.Anonymous) and str(each.this).upper() == "MEASURE" and len(each.expressions) == 1:
            return each.expressions[0].transform(replaced)
        if not isinstance(each, exp.Column) or not isinstance(each.this, exp.Identifier):
            return each
        owner = each.args.get("table") or table
        key = _folded(builder, owner), builder.dialect.column(each.this)
        member = members.get(key) or members.get(("", key[1]))
        if member is not None and key not in inside:
            whole = _written_out(builder, member.expression, member.table, members, (*inside, key))
            return whole if isinstance(whole, exp.Column) else exp.Paren(this=whole)
        if owner is not None:
            each = each.copy()
            each.set("table", owner.copy())
            for outer in ("db", "catalog"):
                each.set(outer, None)
        return each

    return node.copy().transform(replaced)
