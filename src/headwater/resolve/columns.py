"""Sets of columns chosen by name: DuckDB's `COLUMNS('n_.*')`, `COLUMNS(* EXCLUDE (a))`, `COLUMNS(c -> c LIKE 'n%')`; `* LIKE 'n%'`.

In a select list an item with COLUMNS stands for one output per column of the set, called like the column. Anywhere else, and
unpacked by `*COLUMNS(…)`, it stands for all of them at once. Which columns there are behind an unknown table nobody knows: its `*`
stands for them.

```sql
SELECT max(COLUMNS('n_.*')) FROM t   -- t: id, n_a, n_b   max(n_a) AS n_a, max(n_b) AS n_b
```
"""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import IDENTITY
from headwater.resolve.flow import flow, handles
from headwater.resolve.name_pattern import Keeps, UnknownPattern, by_lambda, by_pattern, by_regex, groups_found
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.select_item import gives_outputs
from headwater.resolve.star import add_kept
from headwater.resolve.star_columns import Listed, kept_columns


@gives_outputs(exp.Columns, exp.Like, exp.ILike, exp.SimilarTo, exp.Glob, exp.RegexpLike, exp.Not)
def filtered_star(scope: Scope, node: Any, result: ResultSet) -> bool:
    """Add the outputs of a bare `COLUMNS(…)` or `* LIKE '…'`; False if the node is nothing of the kind."""
    chosen = _chosen(scope, node)
    if chosen is None:
        return False
    star, keeps = chosen
    before = len(result.outputs)
    add_kept(scope, star, keeps, result, node)
    if len(result.outputs) == before:
        _say_empty(scope, node)
    return True


@gives_outputs(exp.Apply)
def applied_star(scope: Scope, node: Any, result: ResultSet) -> bool:
    """ClickHouse's `* APPLY (sum)`, `COLUMNS('a') APPLY (f)`: the function over each column."""
    functions: list[str] = []
    while isinstance(node, exp.Apply):
        if not isinstance(node.args.get("expression"), exp.Expr):
            return False
        functions.append(node.expression.name)
        node = node.this
    if not _is_star(node) and not isinstance(node, exp.Columns):
        return False
    chosen = node if isinstance(node, exp.Columns) else exp.Columns(this=node)
    for name, reference in references(scope, chosen):
        value: Any = reference
        for function in reversed(functions):
            value = _call(function, value)
            name = f"{function}({name})"
        flow(scope, value, result.add(name, node), IDENTITY)
    return True


def _call(function: str, argument: Any) -> Any:
    """A call by name, as the parser would read it where the name is one that it knows."""
    known = exp.FUNCTION_BY_NAME.get(function.upper())
    if known is not None and "this" in known.arg_types:
        return known(this=argument)
    return exp.Anonymous(this=function, expressions=[argument])


def _chosen(scope: Scope, node: Any) -> tuple[Any, Keeps | None] | None:
    """The star that a set of columns is taken from, and which of its names stay."""
    if isinstance(node, exp.Columns):
        inner = node.this
        if _is_star(inner):
            return inner, None
        return exp.Star(), _by_argument(scope, inner)
    compared = node
    while isinstance(compared, (exp.Not, exp.Paren)):
        compared = compared.this
    if not _is_star(compared.args.get("this")):
        return None
    try:
        return by_pattern(node)
    except UnknownPattern:
        _say_not_worked_out(scope, node)
        return compared.this, None


def _is_star(node: Any) -> bool:
    return isinstance(node, exp.Star) or (isinstance(node, exp.Column) and isinstance(node.this, exp.Star))


def _by_argument(scope: Scope, node: Any) -> Keeps | None:
    """The choice that an argument of COLUMNS makes; where it cannot be worked out, all columns, and a diagnostic."""
    try:
        if isinstance(node, exp.Literal):
            return by_regex(node.name)
        if isinstance(node, exp.Lambda):
            return by_lambda(node)
        if isinstance(node, (exp.Array, exp.Tuple)) and all(isinstance(e, exp.Literal) for e in node.expressions):
            names = {scope.dialect.fold_column(e.name, False) for e in node.expressions}
            return names.__contains__
    except UnknownPattern:
        pass
    _say_not_worked_out(scope, node)
    return None


def _say_not_worked_out(scope: Scope, node: Any) -> None:
    message = "which columns are chosen here is not worked out; all of them are taken"
    scope.builder.say(Code.UNSUPPORTED_CONSTRUCT, message, node, "COLUMNS")


def matching(scope: Scope, node: Any) -> list[Listed]:
    """The columns of a set, with their names and FROM items."""
    chosen = _chosen(scope, node)
    if chosen is None:
        return []
    found = kept_columns(scope, *chosen)
    if not found:
        _say_empty(scope, node)
    if any(name == "*" for name, _, _ in found):
        tables = scope.open_names()
        message = f"which columns COLUMNS chooses depends on the columns of {tables}, and not all of them are known"
        scope.builder.say(Code.MISSING_SCHEMA, message, node, "COLUMNS", f"give a schema for {tables}")
    return found


def _say_empty(scope: Scope, node: Any) -> None:
    scope.builder.say(Code.UNRESOLVED_COLUMN, "no column has a name that is asked for here", node, "COLUMNS")


def references(scope: Scope, node: Any) -> list[tuple[str, Any]]:
    """The columns of a set as references, qualified by their FROM items."""
    found = []
    for name, _, item in matching(scope, node):
        table = exp.Identifier(this=item.name, quoted=True) if item.name is not None else None
        found.append((name, exp.Column(this=exp.Identifier(this=name, quoted=True), table=table)))
    return found


def spread(scope: Scope, expressions: list[Any]) -> list[Any]:
    """A select list in which each expression around COLUMNS is written out, once per column."""
    written: list[Any] = []
    for node in expressions:
        sets = [] if isinstance(node, (exp.Columns, exp.Apply)) else _sets_in(node)
        if not sets:
            written.append(node)
            continue
        for i, (name, _) in enumerate(references(scope, sets[0])):
            written.append(_written(scope, node, i, name))
    return written


def _sets_in(node: Any) -> list[Any]:
    """The COLUMNS of an expression that are to be written out: not those unpacked, not those of a subquery."""
    return [
        s
        for s in node.find_all(exp.Columns)
        if not s.args.get("unpack") and s.find_ancestor(exp.Query) is node.find_ancestor(exp.Query)
    ]


def _written(scope: Scope, node: Any, position: int, name: str) -> Any:
    """One of the expressions that an item stands for, under the name of its column or what its alias makes of it."""
    copy = node.copy()
    copy.parent = node.parent
    alias = node.args["alias"].name if isinstance(node, exp.Alias) else ""
    sets = _sets_in(copy)
    if isinstance(copy, exp.Alias):
        name = _alias(alias, name, sets[0])
        copy = copy.this
    for each in sets:
        found = references(scope, each)
        column = found[position][1] if position < len(found) else exp.Null()
        if each is copy:
            copy = column
        else:
            each.replace(column)
    return exp.Alias(this=copy, alias=exp.Identifier(this=name, quoted=True))


def _alias(alias: str, name: str, node: Any) -> str:
    r"""The output's name: the alias, its `\1` replaced by what the pattern's groups found."""
    if "\\" not in alias or not isinstance(node.this, exp.Literal):
        return alias
    groups = groups_found(node.this.name, name)
    parts = re.split(r"\\(\d)", alias)
    for i in range(1, len(parts), 2):
        parts[i] = (groups[int(parts[i])] or "") if int(parts[i]) < len(groups) else ""
    return "".join(parts) or name


@handles(exp.Columns)
def columns(scope: Scope, node: Any, target: int, kind: int) -> None:
    """All columns of the set at once: in a condition, or unpacked into arguments."""
    found = references(scope, node)
    for _, column in found:
        flow(scope, column, target, kind)
    if not found:
        scope.edges.append((target, scope.builder.orphan("COLUMNS", node), kind, node))
