"""WITH: each CTE is resolved once, where it is defined; later ones and the body see it. Recursion reaches a fixed point by itself.

A recursive CTE is bound to its result set before its recursive branches are resolved, so these refer to its own columns: a
cycle in the relations, not in the resolver. CTEs that refer to each other are bound together.
"""

from __future__ import annotations

from typing import Any, NamedTuple

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
    for group in _groups(builder, ctes) if clause.args.get("recursive") else ([name] for name in ctes):
        if len(group) > 1:
            _together(builder, {name: ctes[name] for name in group}, parent, inner)
        else:
            inner.ctes[group[0]] = _cte(builder, ctes[group[0]], group[0], parent, inner, recursive)
    if clause.args.get("search") or clause.args.get("cycle"):
        add_search_and_cycle(builder, clause, inner.ctes[next(reversed(ctes))])
    return inner


def _has_name(builder: Builder, cte: Any) -> bool:
    """Whether an entry of WITH is complete; half a one, which only a lenient parser takes, is said."""
    if has_name(cte):
        return True
    builder.say(Code.UNSUPPORTED_CONSTRUCT, "an entry of WITH has no name", cte, "WITH")
    return False


def _groups(builder: Builder, ctes: dict[str, Any]) -> list[list[str]]:
    """With RECURSIVE a CTE may use a later one: those that others need come first, and those that need each other come together."""
    places = {name: i for i, name in enumerate(ctes)}
    needs = {
        name: sorted(_tables(builder, cte.this) & places.keys() - {name}, key=places.__getitem__)
        for name, cte in ctes.items()
    }
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    """For a CTE that is in no group yet: the first one that it leads back to."""
    waiting: list[str] = []
    groups: list[list[str]] = []
    stack = [(name, iter(needs[name])) for name in reversed(ctes)]
    while stack:
        name, rest = stack[-1]
        if name not in numbers:
            numbers[name] = lowest[name] = len(numbers)
            waiting.append(name)
        following = next((n for n in rest if n not in numbers), None)
        if following is not None:
            stack.append((following, iter(needs[following])))
            continue
        stack.pop()
        if name not in lowest:
            continue
        lowest[name] = min([lowest[name], *(lowest[n] for n in needs[name] if n in lowest)])
        if lowest[name] == numbers[name]:
            start = next(i for i in range(len(waiting) - 1, -1, -1) if waiting[i] == name)
            groups.append(sorted(waiting[start:], key=places.__getitem__))
            for each in waiting[start:]:
                del lowest[each]
            del waiting[start:]
    return groups


def _tables(builder: Builder, body: Any) -> set[str]:
    """The names that a query reads without a schema."""
    return {
        builder.dialect.column(t.this)
        for t in body.find_all(exp.Table)
        if isinstance(t.this, exp.Identifier) and not t.args.get("db")
    }


def _together(builder: Builder, ctes: dict[str, Any], parent: Scope | None, environment: Environment) -> None:
    """CTEs that refer to each other: each begins with what refers to none of them; then all see all."""
    begun: list[_Recursion] = []
    for name, cte in ctes.items():
        body = _bare(cte.this)
        anchor = next((b for b in branches_of(body) if not _tables(builder, b) & ctes.keys()), None)
        if isinstance(body, exp.SetOperation) and anchor is not None:
            begun.append(_begun(builder, body, _names(builder, cte), parent, environment, anchor))
            environment.ctes[name] = _called(begun[-1].result, name)
    waiting = [name for name in ctes if name not in environment.ctes]
    while waiting:
        ready = next((n for n in waiting if not _tables(builder, ctes[n].this) & set(waiting)), None)
        if ready is None:
            _endless(builder, ctes, waiting, environment)
            break
        waiting.remove(ready)
        environment.ctes[ready] = _cte(builder, ctes[ready], ready, parent, environment, recursive=False)
    for recursion in begun:
        _continued(builder, recursion, parent, environment)


def _endless(builder: Builder, ctes: dict[str, Any], names: list[str], environment: Environment) -> None:
    """CTEs that are made of nothing but each other have no rows, and no columns that could be known."""
    message = f"{' and '.join(names)} are made of each other, and none of them begins with rows of its own"
    builder.say(Code.UNSUPPORTED_CONSTRUCT, message, ctes[names[0]], names[0])
    for name in names:
        result = ResultSet(builder, "cte", ctes[name])
        result.open = True
        environment.ctes[name] = _called(result.complete(), name)


def _cte(
    builder: Builder, cte: Any, name: str, parent: Scope | None, environment: Environment, recursive: bool
) -> ResultSet:
    names = _names(builder, cte)
    body = _bare(cte.this)
    if is_step(name):
        builder.piped = True
    if recursive and isinstance(body, exp.SetOperation) and name in _tables(builder, body):
        recursion = _begun(builder, body, names, parent, environment, branches_of(body)[0])
        own = Environment(recursion.environment)
        own.ctes[name] = recursion.result
        result = _continued(builder, recursion, parent, own)
    else:
        result = _body(builder, body, parent, environment)
        if names:
            result.rename(names)
    return _called(result, name)


def _names(builder: Builder, cte: Any) -> list[str]:
    """The column list of a CTE."""
    return [builder.dialect.column(c) for c in cte.args["alias"].args.get("columns") or ()]


def _bare(body: Any) -> Any:
    """A query without the brackets around it."""
    while isinstance(body, (exp.Subquery, exp.Paren)) and not any(
        body.args.get(k) for k in ("with_", "limit", "order")
    ):
        body = body.this
    return body


def _called(result: ResultSet, name: str) -> ResultSet:
    """A CTE's result set under the CTE's name."""
    row = result.row
    row.type, row.alias = "cte", None if is_step(name) else name
    return result


def _body(builder: Builder, body: Any, parent: Scope | None, environment: Environment) -> ResultSet:
    """A CTE's result set: of its query, or of the rows that a data-changing statement returns."""
    if isinstance(body, (exp.Insert, exp.Update, exp.Delete, exp.Merge)):
        return nested_statement(builder, body, environment)
    return query(builder, body, parent, environment)


class _Recursion(NamedTuple):
    """A recursive CTE whose anchor is resolved."""

    body: Any
    result: ResultSet
    anchor: ResultSet
    others: list[Any]
    """Its other branches."""
    environment: Environment


def _begun(
    builder: Builder, body: Any, names: list[str], parent: Scope | None, environment: Environment, anchor: Any
) -> _Recursion:
    """A recursive CTE with the columns of its *anchor*."""
    environment = with_ctes(builder, body, parent, environment)
    first = query(builder, anchor, parent, environment)
    result = open_union(builder, body, first)
    if names:
        result.rename(names)
    others = [branch for branch in branches_of(body) if branch is not anchor]
    return _Recursion(body, result, first, others, environment)


def _continued(builder: Builder, recursion: _Recursion, parent: Scope | None, environment: Environment) -> ResultSet:
    """A recursive CTE with its other branches, which see it under its own name."""
    results = [recursion.anchor]
    for branch in recursion.others:
        results.append(query(builder, branch, parent, environment))
        branch_into(builder, recursion.result, results[-1], by_name=False)
    close(builder, recursion.body, recursion.result, results)
    return recursion.result
