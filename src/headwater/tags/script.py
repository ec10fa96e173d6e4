"""The tags in SQL: marks in the comments that a statement makes on columns and tables."""

from __future__ import annotations

import re
from collections.abc import Iterator

from headwater.sql.comments_on_columns import comments_of
from headwater.sql.dialect import Dialect
from headwater.sql.script import statements
from headwater.tags.declared import Declared, declared_tags

MARKED = r"(?is)\b(comment|description)\b.*(@tags?\(|#[a-z_])"
"""What a text has that may hold such marks: most have none, and are not parsed."""


def script_tags(text: str, spoken: Dialect) -> Iterator[Declared]:
    """All tags in a text, by folded names."""
    if re.search(MARKED, text):
        for statement in statements(text, [spoken]):
            for table, column, comment in comments_of(statement.tree, spoken):
                yield from declared_tags(table, column, comment=comment)
