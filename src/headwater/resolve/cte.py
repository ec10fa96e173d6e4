"""WITH: each CTE is resolved once, where it is defined; later ones and the body see it. Recursion reaches a fixed point by itself.

A recursive CTE is bound to its result set before its recursive branches are resolved, so these refer to its own columns: a
cycle in the relations, not in the resolver.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.resolve.builder import Builder
from headwater.resolve.pipe import is_step
from headwater.resolve.query import query
from headwater.resolve.scope import Environment, ResultSet, Scope
from headwater.resolve.search_cycle import add_search_and_cycle
from headwater.resolve.statement import nested_statement
from headwater.resolve.union import branch_into, branches_of, close, open_union
from headwater.resolve.with_expression import has_name


def with_ctes(builder: Builder, node: Any, parent: Scope | None, environment: Environment) -> Environment:
    """The CTEs in reach below *node*: those that its WITH defines, then those around."""
    clause = node.args.get("with_")
    if clause is None:
        return environment
    inner = Environment(environment)
    recursive = bool(clause.args.get("recursive")) or builder.dialect.implicit_recursion
    ctes = {
        builder.dialect.column(cte.args["alias"].this): cte
        for cte in clause.expressions
        if _has_name(builder, cte) and not cte.args.get("scalar")  # a named expression, see `with_expression`
    }
    for name in _in_order(builder, ctes) if clause.args.get("recursive") else ctes:
        inner.ctes[name] = _cte(builder, ctes[name], name, parent, inner, recursive)
    if clause.args.get("search") or clause.args.get("cycle"):
        add_search_and_cycle(builder, clause, inner.ctes[next(reversed(ctes))])
    return inner


def _has_name(builder: Builder, cte: Any) -> bool:
    """Whether an entry of WITH is complete; half a one, which only a lenient parser takes, is said."""
    if has_name(cte):
        return True
    builder.say(Code.UNSUPPORTED_CONSTRUCT, "an entry of WITH has no name", cte, "WITH")
    return False


def _in_order(builder: Builder, ctes: dict[str, Any]) -> list[str]:
    """With RECURSIVE a CTE may use a later one: those that others need come first."""
    needs = {
        name: {
            builder.dialect.column(t.this) for t in cte.this.find_all(exp.Table) if isinstance(t.this, exp.Identifier)
        }
        for name, cte in ctes.items()
    }
    order: dict[str, None] = {}
    stack = list(reversed(ctes))
    opened: set[str] = set()
    while stack:
        name = stack[-1]
        pending = [n for n in ctes if n in needs[name] and n not in order and n not in opened and n != name]
        opened.add(name)
        if pending:
            stack.extend(reversed(pending))
        else:
            order[stack.pop()] = None
    return list(order)


def _cte(
    builder: Builder, cte: Any, name: str, parent: Scope | None, environment: Environment, recursive: bool
) -> ResultSet:
    names = [builder.dialect.column(c) for c in cte.args["alias"].args.get("columns") or ()]
    body = cte.this
    if is_step(name):
        builder.piped = True
    while isinstance(body, (exp.Subquery, exp.Paren)) and not any(
        body.args.get(k) for k in ("with_", "limit", "order")
    ):
        body = body.this
    if recursive and isinstance(body, exp.SetOperation) and _mentions(builder, body, name):
        result = _recursive(builder, body, name, names, parent, environment)
    else:
        result = _body(builder, body, parent, environment)
        if names:
            result.rename(names)
    row = result.row
    row.type, row.alias = "cte", None if is_step(name) else name
    return result


def _body(builder: Builder, body: Any, parent: Scope | None, environment: Environment) -> ResultSet:
    """A CTE's result set: of its query, or of the rows that a data-changing statement returns."""
    if isinstance(body, (exp.Insert, exp.Update, exp.Delete, exp.Merge)):
        return nested_statement(builder, body, environment)
    return query(builder, body, parent, environment)


def _mentions(builder: Builder, body: Any, name: str) -> bool:
    """Whether a query reads a table of that name."""
    return any(
        not t.args.get("db") and isinstance(t.this, exp.Identifier) and builder.dialect.column(t.this) == name
        for t in body.find_all(exp.Table)
    )


def _recursive(
    builder: Builder, body: Any, name: str, names: list[str], parent: Scope | None, environment: Environment
) -> ResultSet:
    """Anchor first; then the recursive branches, which see the CTE under its own name."""
    branches = branches_of(body)
    environment = with_ctes(builder, body, parent, environment)
    anchor = query(builder, branches[0], parent, environment)
    result = open_union(builder, body, anchor)
    if names:
        result.rename(names)
    own = Environment(environment)
    own.ctes[name] = result
    results = [anchor]
    for branch in branches[1:]:
        results.append(query(builder, branch, parent, own))
        branch_into(builder, result, results[-1], by_name=False)
    close(builder, body, result, results)
    return result
