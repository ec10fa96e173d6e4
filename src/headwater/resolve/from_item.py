"""What stands in FROM: tables, CTEs, derived tables, and by registration everything else (VALUES, UNNEST, LATERAL, …).

`from_clause` fills a scope from left to right, so that lateral items see what stands before them.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import FROM_ROWS, IDENTITY, JOIN_CONDITION
from headwater.resolve.builder import Owner
from headwater.resolve.flow import flow
from headwater.resolve.query import is_query, query
from headwater.resolve.registry import Registry
from headwater.resolve.scope import Beside, ResultSet, Scope
from headwater.resolve.star import add_all
from headwater.resolve.time_travel import state_of
from headwater.resolve.wildcard_table import suffixed

ItemHandler = Callable[[Scope, Any], None]
"""Puts what a FROM node names into the scope."""

stands_in_from = Registry[ItemHandler]()
"""Registers the resolver of a FROM item."""

SuffixHandler = Callable[[Scope, Any, int], None]
"""Applies what hangs on a FROM item or a SELECT: scope, node, number of the item's first entry in the scope."""

_SUFFIXES: dict[str, SuffixHandler] = {}
_AFTER_ITEM = ("sample", "pivots", "match", "joins", "laterals")
_AFTER_FROM = ("joins", "laterals", "match")
"""What may follow one item, and a whole FROM, in the order in which it applies."""


def hangs_on_item(argument: str) -> Callable[[SuffixHandler], SuffixHandler]:
    """Register the resolver of something that follows a FROM item: its pivots, joins, laterals."""

    def register(handler: SuffixHandler) -> SuffixHandler:
        _SUFFIXES[argument] = handler
        return handler

    return register


def suffix(scope: Scope, argument: str, node: Any, first: int) -> None:
    """Apply what a node carries behind FROM items: to those from number *first* on."""
    _SUFFIXES[argument](scope, node, first)


TableForm = Callable[[Scope, Any], bool]
"""Takes a table node if it is of a particular form; False leaves it to the others."""

_TABLE_FORMS: list[TableForm] = []


def table_form(form: TableForm) -> TableForm:
    """Register a form of table node that is not a plain name."""
    _TABLE_FORMS.append(form)
    return form


def from_clause(scope: Scope, node: Any) -> None:
    """Put the FROM, JOIN and LATERAL VIEW items of a SELECT into its scope."""
    args = node.args
    if args.get("from_") is not None:
        from_item(scope, args["from_"].this)
    if not _SUFFIXES.keys().isdisjoint(args):
        for argument in _AFTER_FROM:
            if args.get(argument):
                _SUFFIXES[argument](scope, node, 0)


def from_item(scope: Scope, node: Any) -> None:
    """Put one FROM item into the scope, with the pivots, joins and laterals that hang on it."""
    handler = stands_in_from.of(node)
    if handler is None:
        _not_understood(scope, node)
        return
    first = len(scope.items)
    handler(scope, node)
    args = node.args
    if not _SUFFIXES.keys().isdisjoint(args):
        for argument in _AFTER_ITEM:
            if args.get(argument):
                _SUFFIXES[argument](scope, node, first)


def _not_understood(scope: Scope, node: Any) -> None:
    scope.builder.say(Code.UNSUPPORTED_CONSTRUCT, f"{node.key} is not understood in FROM", node, node.key)
    result = ResultSet(scope.builder, "select_list", node)
    result.open = True
    scope.add(alias_name(scope, node), result.complete())


def alias_name(scope: Scope, node: Any) -> str | None:
    """The alias of a FROM item, folded; None if it has none."""
    alias = node.args.get("alias")
    if alias is None:
        return None
    if type(alias) is exp.TableAlias:
        alias = alias.args.get("this")
    return scope.fold_column(alias) if type(alias) is exp.Identifier else None


def alias_columns(scope: Scope, node: Any) -> list[str]:
    """The column list of a FROM item's alias, folded."""
    alias = node.args.get("alias")
    if not isinstance(alias, exp.TableAlias):
        return []
    columns = alias.args.get("columns") or ()
    return [scope.dialect.column(c.this if isinstance(c, exp.ColumnDef) else c) for c in columns]


@stands_in_from(exp.Table)
def table(scope: Scope, node: Any) -> None:
    """A table, view or CTE by name; or one of the forms that a table node can have besides."""
    args = node.args
    name = args.get("this")
    alias = alias_name(scope, node)
    plain = type(name) is exp.Identifier and args.get("db") is None
    if plain:
        folded = scope.fold_column(name)
        cte = scope.environment.find(folded)
        if cte is not None:
            put_item(scope, node, alias or folded, cte)
            return
        changed = scope.builder.session.changed.get(folded)
        if changed is not None:
            put_item(scope, node, alias or folded, scope.builder.reads(scope.builder.table(changed)))
            return
    if (not plain or name.args.get("quoted")) and any(form(scope, node) for form in _TABLE_FORMS):
        return
    if scope.dialect.one_row_tables and one_row(scope, node, alias):
        return
    builder = scope.builder
    state = state_of(node)
    if not state and args.get("catalog") is not None:
        state = builder.state_named(builder.table_name(node))
    if state and scope.items:
        _choose_version(scope, node)
    found = builder.reads(builder.table(node, state=state))
    if found.name[-1].endswith("*") and scope.dialect.family == "bigquery":
        suffixed(builder, found, node)
    if alias is not None and builder.entities[found.entity].alias is None:
        builder.entities[found.entity].alias = alias
    put_item(scope, node, alias or (folded if plain else scope.fold_column(_last(node))), found)


def _choose_version(scope: Scope, node: Any) -> None:
    """Flink's `o JOIN r FOR SYSTEM_TIME AS OF o.ts AS r`: a column of an item before the table decides which of its rows are met."""
    version = node.args.get("version")
    for column in version.find_all(exp.Column) if version is not None and scope.rows >= 0 else ():
        flow(scope, column, scope.rows, JOIN_CONDITION)


def one_row(scope: Scope, node: Any, alias: str | None) -> bool:
    """DUAL and its kin: one row of nothing, no source."""
    parts = tuple(scope.dialect.table(p) for p in (node.args.get("db"), node.this) if isinstance(p, exp.Identifier))
    column = scope.dialect.one_row_tables.get(parts)
    if column is None:
        return False
    result = ResultSet(scope.builder, "select_list", node)
    result.add(column, node)
    scope.add(alias or scope.dialect.column(node.this), result.complete())
    return True


def _last(node: Any) -> Any:
    last = node.this
    while isinstance(last, exp.Dot):
        last = last.expression
    return last


def put_item(scope: Scope, node: Any, name: str | None, owner: Owner) -> None:
    """Put an owner into FROM under the name it goes by, with its alias's column list."""
    aliased = node.args.get("alias") is not None
    if aliased:
        columns = alias_columns(scope, node)
        if columns:
            owner = renamed(scope, owner, columns, node)
    scope.add(name, owner, aliased)


def renamed(scope: Scope, owner: Owner, names: list[str], place: Any) -> ResultSet:
    """An owner under a column list, `t AS x (a, b)`: the same columns by other names."""
    builder = scope.builder
    result = ResultSet(builder, "select_list", place)
    builder.edges.append((result.rows, owner.rows, FROM_ROWS, None))
    columns = owner.star()
    for i, (name, column) in enumerate(columns):
        result.pass_on(owner, name, column, place, names[i] if i < len(names) else None)
    if owner.open:
        for name in names:
            if name not in result.columns:
                output = result.add(name, place)
                builder.edges.append((output, owner.claim("*"), IDENTITY, place))
    return result.complete()


@stands_in_from(exp.Subquery, exp.Paren)
def derived(scope: Scope, node: Any) -> None:
    """`(SELECT …) AS d (a, b)`, or a parenthesised join."""
    inner = node.this
    if isinstance(inner, exp.Table) or not is_query(inner) or _has_joins(inner) or _is_join(inner):
        _parenthesised_join(scope, node)
        return
    around = Beside(scope) if scope.dialect.implicit_lateral and scope.items else scope.parent
    result = query(scope.builder, _bare(node), around, scope.environment)
    add_derived(scope, node, result)


def _has_joins(node: Any) -> bool:
    """Whether a parenthesised query is only the first item of a join."""
    return not isinstance(node, exp.Select) and bool(node.args.get("joins") or node.args.get("pivots"))


def _is_join(node: Any) -> bool:
    """Whether nothing but FROM items stand in further parentheses: `((a JOIN b ON …))`, `((SELECT …) AS x)`."""
    while isinstance(node, exp.Subquery) and node.args.get("alias") is None:
        node = node.this
    return isinstance(node, (exp.Table, exp.Subquery))


def _bare(node: Any) -> Any:
    """The query inside, unless the parenthesis carries clauses of its own."""
    if any(node.args.get(k) is not None for k in ("with_", "limit", "order", "offset")):
        return node
    return node.this


def add_derived(scope: Scope, node: Any, result: ResultSet, own_name: str | None = None) -> None:
    """Put a query's result set into FROM under its alias and column list; without an alias it goes by *own_name*."""
    columns = alias_columns(scope, node)
    if columns:
        result.rename(columns)
    name = alias_name(scope, node)
    if name is not None and result.row.alias is None:
        result.row.alias = name
    scope.add(name or own_name, result)


def _parenthesised_join(scope: Scope, node: Any) -> None:
    """`(a JOIN b ON …) [AS x]`: its items are visible as they are, or together under the alias."""
    inner = node.this
    name = alias_name(scope, node)
    if name is None:
        from_item(scope, inner)
        return
    result = ResultSet(scope.builder, "select_list", node)
    together = Scope(scope.builder, scope.parent, scope.environment, result.rows)
    from_item(together, inner)
    together.close_from()
    add_all(together, result, node)
    columns = alias_columns(scope, node)
    if columns:
        result.rename(columns)
    result.row.alias = name
    scope.add(name, result.complete())


@stands_in_from(exp.Select, exp.Union, exp.Except, exp.Intersect)
def bare_query(scope: Scope, node: Any) -> None:
    """A query in FROM without parentheses of its own."""
    add_derived(scope, node, query(scope.builder, node, scope.parent, scope.environment))
