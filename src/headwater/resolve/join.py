"""Joins: every kind, ON, USING and NATURAL; who is visible after a semi join; the relation between the two sides."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import FROM_ROWS, IDENTITY, JOIN, JOIN_CONDITION, candidate
from headwater.model.resolution import FUNCTIONS
from headwater.resolve.bind import lookup
from headwater.resolve.flow import flow
from headwater.resolve.from_item import from_item, hangs_on_item, suffix
from headwater.resolve.scope import Item, Scope


@hangs_on_item("joins")
def joins(scope: Scope, node: Any, first: int) -> None:
    """The joins of a SELECT or an item, from left to right. A comma binds less: what follows it is a join of its own."""
    for each in node.args["joins"]:
        if len(each.args) == 1:
            first = len(scope.items)
        join(scope, each, first)


def join(scope: Scope, node: Any, first: int = 0) -> None:
    """Put a join's right side into the scope and note what its condition decides; its left side begins with item *first*."""
    left = len(scope.items)
    args = node.args
    before, starts, scope.merged = scope.merged, scope.merged_at, {}
    from_item(scope, args["this"])
    inner, scope.merged = scope.merged, before
    if not inner and (len(args) == 1 or (len(args) == 2 and args.get("kind") == "CROSS")):
        return  # nothing but a comma, as most are
    for key in ("on", "match_condition", "nearest"):
        if isinstance(args.get(key), exp.Expr):
            condition(scope, args[key], left)
    names: list[str] = []
    if args.get("using"):
        names = _using(scope, args["using"], scope.items[first:left])
    elif (args.get("method") or "").upper() == "NATURAL":
        names = _common(scope, slice(first, left), node)
    if names:
        _merge(scope, names, slice(first, left), node, inner)
    elif inner:
        _keep_apart(scope, [name for name in inner if name in before], starts)
        scope.merged = {**before, **inner}
    if (args.get("kind") or "").upper() in ("SEMI", "ANTI"):
        right = (args.get("side") or "").upper() == "RIGHT"
        for item in scope.take(first, left) if right else scope.take(left):
            scope.edges.append((scope.rows, item.owner.rows, FROM_ROWS, None))
    if args.get("pivots"):
        suffix(scope, "pivots", node, first)


def condition(scope: Scope, node: Any, left: int) -> None:
    """An ON condition decides over the row set, and relates the two sides, comparison by comparison."""
    right = {item.owner.entity for item in scope.items[left:]}
    relate(scope, node, right)


def relate(scope: Scope, node: Any, right: set[int]) -> None:
    """Let a join condition decide over the row set, and relate its columns to those of the entities on the *right*."""
    edges = scope.edges
    columns = scope.builder.columns
    for comparison in _comparisons(node):
        before = len(edges)
        flow(scope, comparison, scope.rows, JOIN_CONDITION)
        compared = [
            (source, place)
            for target, source, kind, place in edges[before:]
            if target == scope.rows and kind == JOIN_CONDITION and columns[source][0] > FUNCTIONS
        ]
        ours = [c for c in compared if columns[c[0]][0] not in right]
        for target, _ in ours:
            for source, place in compared:
                if columns[source][0] in right:
                    edges.append((target, source, JOIN, place))


def _comparisons(node: Any) -> list[Any]:
    """The operands of ANDs and ORs, from left to right."""
    comparisons: list[Any] = []
    stack = [node]
    while stack:
        current = stack.pop()
        if current.__class__ is exp.And or current.__class__ is exp.Or:
            stack.append(current.args["expression"])
            stack.append(current.args["this"])
        elif current.__class__ is exp.Paren:
            stack.append(current.this)
        else:
            comparisons.append(current)
    return comparisons


def _using(scope: Scope, using: list[Any], left: list[Item]) -> list[str]:
    """The names in USING, in MySQL as the left side orders its columns; anything else there is said."""
    identifiers = [_identifier(u) for u in using]
    for odd in identifiers:
        if not isinstance(odd, exp.Identifier):
            scope.builder.say(Code.UNSUPPORTED_CONSTRUCT, "USING takes names of columns only", odd, "USING")
    names = [scope.dialect.column(i) for i in identifiers if isinstance(i, exp.Identifier)]
    if scope.dialect.family != "mysql" or len(names) == 1:
        return names
    ours = [name for item in left for name, _ in item.owner.star()]
    return sorted(names, key=lambda name: ours.index(name) if name in ours else len(ours))


def _identifier(node: Any) -> Any:
    return node.this if isinstance(node, exp.Column) else node


def _common(scope: Scope, left: slice, node: Any) -> list[str]:
    """The column names that both sides of a NATURAL join have, in the left side's order."""
    if any(item.owner.open for item in scope.items):
        tables = scope.open_names()
        message = f"a NATURAL join compares the columns that both sides have, and not all of {tables} are known"
        scope.builder.say(Code.MISSING_SCHEMA, message, node, "NATURAL", f"give a schema for {tables}")
    right = {name for item in scope.items[left.stop :] for name, _ in item.owner.star()}
    ours = list(scope.merged) + [name for item in scope.items[left] for name, _ in item.owner.star()]
    return [name for name in dict.fromkeys(ours) if name in right and name != "*"]


def _merge(scope: Scope, names: list[str], left: slice, node: Any, inner: dict[str, int]) -> None:
    """USING (a, b): both sides' columns are compared, and one column of that name remains.

    *inner* are the columns that joins inside the right side have merged already.
    """
    side = (node.args.get("side") or "").upper()
    ours = Scope(scope.builder, None, scope.environment)
    ours.see(scope.items[left])
    starts = scope.merged_at
    ours.merged = {k: v for k, v in scope.merged.items() if starts.get(k, 0) >= left.start}
    theirs = Scope(scope.builder, None, scope.environment)
    theirs.see(scope.items[left.stop :])
    theirs.merged = inner
    merged: dict[str, int] = {}
    for name in names:
        a = _one(ours, name, node)
        b = _one(theirs, name, node)
        scope.edges.append((scope.rows, a, JOIN_CONDITION, node))
        scope.edges.append((scope.rows, b, JOIN_CONDITION, node))
        scope.edges.append((a, b, JOIN, node))
        if side == "FULL":
            merged[name] = scope.builder.function(None)
            scope.edges.append((merged[name], a, IDENTITY, node))
            scope.edges.append((merged[name], b, IDENTITY, node))
        else:
            merged[name] = b if side == "RIGHT" else a
    for name in names:
        sides = [*_merged_items(scope.items[left], name, name in ours.merged), *scope.items[left.stop :]]
        scope.hidden.update((id(item), name) for item in sides)
    _keep_apart(scope, [name for name in names if name in scope.merged and name not in ours.merged], starts)
    kept = {k: v for k, v in {**inner, **scope.merged}.items() if k not in merged}
    scope.merged = {**merged, **kept}
    scope.merged_at = {**scope.merged_at, **dict.fromkeys(merged, left.start)}
    scope.names.clear()


def _merged_items(items: list[Item], name: str, is_merged: bool) -> list[Item]:
    """The items on the left whose column of a name is the one that is compared: none if that is one which was merged before.

    Further columns of the name stay: where a comma binds like a JOIN, there may be some.
    """
    if is_merged:
        return []
    listing = [item for item in items if name in item.owner.listed]
    return listing[:1] or [item for item in items if item.owner.open]


def _keep_apart(scope: Scope, names: list[str], starts: Mapping[str, int]) -> None:
    """Remember the merged columns of joins before a comma, whose names a join behind it merges anew."""
    scope.merged_before += [(starts.get(name, 0), name, scope.merged[name]) for name in names]


def _one(scope: Scope, name: str, node: Any) -> int:
    """The column of that name on one side; several candidates stand behind one column."""
    found = lookup(scope, name, node)
    if isinstance(found, int):
        return found
    value = scope.builder.function(None)
    for column in found or ():
        scope.edges.append((value, column, candidate(IDENTITY), node))
    return value
