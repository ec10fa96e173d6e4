"""What has to be said otherwise so that DuckDB runs it, with the same effect on an empty database."""

from __future__ import annotations

from sqlglot import exp


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
