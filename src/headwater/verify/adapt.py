"""What has to be said otherwise so that DuckDB runs it, with the same effect on an empty database."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

_SHORT = 1
"""The limit of a result that is cut off."""
_BY_POSITION = (
    exp.RowNumber,
    exp.Ntile,
    exp.Lag,
    exp.Lead,
    exp.FirstValue,
    exp.LastValue,
    exp.NthValue,
    exp.First,
    exp.Last,
)


def adapted(tree: exp.Expression) -> exp.Expression:
    """A statement that DuckDB takes: the tree is changed in place."""
    for insert in tree.find_all(exp.Insert):
        insert.set("overwrite", False)
        if isinstance(insert.this, exp.Table):
            insert.this.set("partition", None)
    for update in tree.find_all(exp.Update):
        changes = update.args.get("expressions")
        for each in changes if isinstance(changes, list) else ():
            if isinstance(each, exp.EQ) and isinstance(each.this, exp.Column):
                each.set("this", exp.column(each.this.this))
    for create in tree.find_all(exp.Create):
        create.set("properties", None)
    return tree


def shortened(tree: exp.Expression) -> exp.Expression | None:
    """The statement with smaller limits, which small data can exceed; None if it has no larger ones. The lineage of both is the same."""
    small = tree.copy()
    large = [limit for limit in small.find_all(exp.Limit) if _is_large(limit.expression)]
    for limit in large:
        limit.set("expression", exp.Literal.number(_SHORT))
    return small if large else None


def shaken(tree: exp.Expression) -> exp.Expression | None:
    """The statement with ties in windows broken by chance, if that can matter; None if no function of it asks for one order of peers."""
    other = tree.copy()
    ordered = [order for window in other.find_all(exp.Window) if _ranks_peers(window) for order in _orders(window)]
    for order in {id(each): each for each in ordered}.values():
        order.append("expressions", exp.Ordered(this=exp.Rand(), nulls_first=True))
    return other if ordered else None


def _ranks_peers(window: exp.Window) -> bool:
    """Whether a window's function tells rows apart that its order does not: `lag` does, `rank` and a sum over RANGE do not."""
    spec = window.args.get("spec")
    by_rows = isinstance(spec, exp.WindowSpec) and spec.args.get("kind") == "ROWS"
    return by_rows or window.this.find(*_BY_POSITION) is not None


def _orders(window: exp.Window) -> Iterator[exp.Order]:
    """The order of a window, or of the named one that it uses."""
    own = window.args.get("order")
    if isinstance(own, exp.Order):
        yield own
        return
    name = (window.alias or window.name).lower()
    select = window.find_ancestor(exp.Select)
    for each in select.args.get("windows") or () if select else ():
        if each.name.lower() == name and isinstance(each.args.get("order"), exp.Order):
            yield each.args["order"]


def _is_large(count: exp.Expression) -> bool:
    return isinstance(count, exp.Literal) and count.is_int and int(count.this) > _SHORT
