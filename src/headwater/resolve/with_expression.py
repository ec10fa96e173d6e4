"""ClickHouse's names for expressions: `WITH a + 1 AS b SELECT …`, and select aliases that earlier items use."""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.model.kind import IDENTITY
from headwater.resolve.flow import flow
from headwater.resolve.scope import Scope


def name_expressions(scope: Scope, node: Any) -> None:
    """Each expression that WITH names is an alias from the beginning; it may use those before it, and the columns in FROM."""
    clause = node.args.get("with_")
    for cte in clause.expressions if clause is not None else ():
        if cte.args.get("scalar"):
            value = scope.builder.function(None)
            flow(scope, cte.this, value, IDENTITY)
            scope.aliases[scope.dialect.column(cte.args["alias"].this)] = value


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
