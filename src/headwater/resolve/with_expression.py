"""ClickHouse's names for expressions: `WITH a + 1 AS b SELECT …`, aliases inside expressions, and select aliases that earlier items use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlglot import exp

from headwater.model.kind import IDENTITY
from headwater.resolve.flow import flow
from headwater.resolve.scope import ALIASES_FIRST, Scope
from headwater.resolve.shape import remember


def name_expressions(scope: Scope, node: Any) -> None:
    """Each expression that WITH names is an alias from the beginning; it may use those before it, and the columns in FROM.

    What the WITH of a query around it names, of a UNION for one, is an alias here as well.
    """
    own = _scalars(node)
    for cte in _wanted(scope, node, _scalars_around(node), own) + own:
        value = scope.builder.function(None)
        inner = _alone(scope) if isinstance(cte.this, exp.Query) else scope
        flow(inner, cte.this, value, IDENTITY)
        remember(inner, cte.this, value)
        scope.aliases[scope.dialect.column(cte.args["alias"].this)] = value


def _alone(scope: Scope) -> Scope:
    """What a query that WITH names sees: the names before it, and nothing of FROM."""
    alone = Scope(scope.builder, None, scope.environment, scope.rows)
    alone.aliases, alone.alias_rule = scope.aliases, ALIASES_FIRST
    return alone


def _wanted(scope: Scope, node: Any, around: list[Any], own: list[Any]) -> list[Any]:
    """Those of the names around a SELECT that itself mentions, not a query below it, or that these are made of."""
    if not around:
        return []
    columns = [
        c
        for c in node.find_all(exp.Column)
        if c.parent_select is node or any(c.find_ancestor(exp.CTE) is o for o in own)
    ]
    names = {scope.dialect.column(c.this) for c in columns if not c.args.get("table")}
    wanted: list[Any] = []
    for cte in reversed(around):
        if scope.dialect.column(cte.args["alias"].this) in names:
            wanted.insert(0, cte)
            names |= _mentioned(scope, cte.this)
    return wanted


def has_name(cte: Any) -> bool:
    """Whether an entry of WITH is complete."""
    alias = cte.args.get("alias")
    return isinstance(alias, exp.TableAlias) and isinstance(alias.this, exp.Identifier)


def _scalars(node: Any) -> list[Any]:
    clause = node.args.get("with_")
    return [cte for cte in clause.expressions if cte.args.get("scalar") and has_name(cte)] if clause is not None else []


def _scalars_around(node: Any) -> list[Any]:
    """The expressions that WITH clauses around a query name, the outermost first; inside a WITH only those before it."""
    found: list[Any] = []
    child, parent = node, node.parent
    while parent is not None:
        if isinstance(parent, exp.With):
            named = parent.expressions[: next(i for i, cte in enumerate(parent.expressions) if cte is child)]
            found[:0] = [cte for cte in named if cte.args.get("scalar")]
            parent = parent.parent
        elif isinstance(parent, exp.Query):
            found[:0] = _scalars(parent)
        child, parent = parent, parent.parent if parent is not None else None
    return found


def name_inner(scope: Scope, node: Any) -> None:
    """An alias inside an expression, `(a + 1 AS b) * 2`, names its part of it for the whole SELECT."""
    inner = [(scope.dialect.column(alias.args["alias"]), alias.this) for alias in _inner_aliases(node)]
    for name, _ in inner:
        scope.aliases.setdefault(name, scope.builder.function(None))
    for name, expression in inner:
        value = scope.aliases.pop(name)
        flow(scope, expression, value, IDENTITY)
        scope.aliases[name] = value


def _inner_aliases(node: Any) -> Iterator[Any]:
    """The aliases inside the expressions of a SELECT, but not of a query below it."""
    stack = [*reversed(node.args["expressions"])]
    stack += [node.args[key] for key in _CONDITIONS if isinstance(node.args.get(key), exp.Expr)]
    while stack:
        current = stack.pop()
        if isinstance(current, exp.Query):
            continue
        outer = current.parent is node or isinstance(current.parent, (exp.Struct, exp.Star))
        if isinstance(current, exp.Alias) and not outer and isinstance(current.args.get("alias"), exp.Identifier):
            yield current
        stack.extend(current.iter_expressions(reverse=True))


_CONDITIONS = ("having", "where", "prewhere")


def announce(scope: Scope, expressions: list[Any]) -> dict[str, int]:
    """Columns that stand for aliases before their turn, for the items that use them earlier.

    `SELECT b + 1 AS c, a AS b`: c is made of a. Not announced is an alias whose own expression leads back to who uses it,
    nor one whose name is a column that a table in FROM is known to have.
    """
    named = {scope.dialect.column(e.args["alias"]): e.this for e in expressions if isinstance(e, exp.Alias)}
    if len(named) < 2:
        return {}
    mentions = {name: _mentioned(scope, node) & named.keys() for name, node in named.items()}
    announced: dict[str, int] = {}
    defined: set[str] = set()
    for each in expressions:
        own = scope.dialect.column(each.args["alias"]) if isinstance(each, exp.Alias) else ""
        for name in sorted(mentions.get(own) or _mentioned(scope, each) & named.keys()):
            known = any(name in item.owner.listed for item in scope.items)
            taken = name in defined or name == own or name in announced or known
            if not taken and not _leads(name, own, mentions):
                announced[name] = scope.aliases[name] = scope.builder.function(None)
        defined.add(own)
    return announced


def _mentioned(scope: Scope, node: Any) -> set[str]:
    return {scope.dialect.column(c.this) for c in node.find_all(exp.Column) if not c.args.get("table")}


def _leads(name: str, back_to: str, mentions: dict[str, set[str]]) -> bool:
    """Whether an alias is made of another, through any number of aliases; or of itself."""
    stack, seen = [name], set()
    while stack:
        current = stack.pop()
        if current in seen:
            continue
        seen.add(current)
        if back_to in mentions[current] or name in mentions[current]:
            return True
        stack.extend(mentions[current])
    return False
