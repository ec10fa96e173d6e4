"""What has to be said otherwise so that DuckDB runs it, with the same effect on an empty database."""

from __future__ import annotations

from sqlglot import exp

_SHORT = 1
"""The limit of a result that is cut off."""


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


def _is_large(count: exp.Expression) -> bool:
    return isinstance(count, exp.Literal) and count.is_int and int(count.this) > _SHORT
