"""What a statement says about columns for people: comments in CREATE TABLE, and COMMENT ON.

CREATE TABLE t (a int COMMENT 'x'), (a int64 OPTIONS (description = 'x')); COMMENT ON COLUMN db.t.a IS 'x'
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from sqlglot import expressions as exp

from headwater.sql.dialect import Dialect


class Comment(NamedTuple):
    """A comment on a column; on the whole table where there is no column."""

    table: tuple[str, ...]
    column: str | None
    text: str


def comments_of(tree: Any, spoken: Dialect) -> Iterator[Comment]:
    """The comments in a statement, by folded names."""
    if isinstance(tree, exp.Comment):
        yield from _comment_on(tree, spoken)
        return
    named = tree.this if isinstance(tree, exp.Create) else None
    if isinstance(named, exp.Schema):
        named = named.this
    if isinstance(named, exp.Table):
        table = tuple(spoken.table(part) for part in named.parts)
        properties = tree.args.get("properties")
        for each in properties.expressions if properties else ():
            if isinstance(each, exp.SchemaCommentProperty):
                yield Comment(table, None, each.name)
        for column in tree.this.expressions:
            if isinstance(column, exp.ColumnDef) and isinstance(column.this, exp.Identifier):
                yield from (Comment(table, spoken.column(column.this), text) for text in _texts(column))


def _comment_on(tree: exp.Comment, spoken: Dialect) -> Iterator[Comment]:
    named, text = tree.this, tree.args.get("expression")
    if not isinstance(text, exp.Literal):
        return
    if isinstance(named, exp.Column) and len(named.parts) > 1:
        *table, column = named.parts
        yield Comment(tuple(map(spoken.table, table)), spoken.column(column), text.name)
    elif isinstance(named, exp.Table):
        yield Comment(tuple(map(spoken.table, named.parts)), None, text.name)


def _texts(column: exp.ColumnDef) -> Iterator[str]:
    for constraint in column.constraints:
        kind = constraint.args.get("kind")
        if isinstance(kind, exp.CommentColumnConstraint):
            yield kind.name
        elif isinstance(kind, exp.Properties):
            for each in kind.expressions:
                if isinstance(each, exp.Property) and each.name.lower() == "description":
                    yield each.text("value")
