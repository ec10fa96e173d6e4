"""Names: of tables as dbt writes them to tables as we know them, and of the project's own objects.

Everything that a project holds has one name here, and no two of a kind the same:

* Models, seeds, snapshots, sources and analyses go by dbt's unique id, `model.shop.orders`, which tells packages and versions apart. In the
  lineage they are their table.
* Semantic models, metrics, exposures and saved queries have the names that they were given.
"""

from __future__ import annotations

from collections.abc import Iterator

from headwater.model.entity import TableName
from headwater.project.dbt.document import Document, text
from headwater.sql.dialect import Dialect

_QUOTES = {'"': '"', "`": "`", "[": "]"}


def table_of(node: Document, dialect: Dialect) -> TableName | None:
    """The table of a node, by its relation's quoting; None for one that becomes none.

    `"memory"."main"."orders"` is `("memory", "main", "orders")`.
    """
    relation = text(node, "relation_name")
    fold = dialect.fold_table or dialect.fold_column
    return tuple(fold(name, quoted) for name, quoted in _parts(relation)) or None


def _parts(relation: str) -> Iterator[tuple[str, bool]]:
    """The parts of a written name, each with whether it was quoted."""
    at = 0
    while at < len(relation):
        closing = _QUOTES.get(relation[at])
        if closing is None:
            end = relation.find(".", at)
            end = len(relation) if end < 0 else end
            if relation[at:end].strip():
                yield relation[at:end].strip(), False
            at = end + 1
        else:
            end, name = _quoted(relation, at + 1, closing)
            yield name, True
            at = end + 1


def _quoted(relation: str, start: int, closing: str) -> tuple[int, str]:
    """Where a quoted part is closed, and what it says; its closing mark twice is that mark."""
    end = start
    while end < len(relation):
        if relation[end] != closing:
            end += 1
        elif relation[end + 1 : end + 2] == closing:
            end += 2
        else:
            break
    return end + 1 if relation[end + 1 : end + 2] == "." else end, relation[start:end].replace(closing * 2, closing)


def dotted(table: TableName) -> str:
    """A table as a key of the catalog: its parts are folded, so they are quoted."""
    return ".".join(f'"{part}"' for part in table)


def column_name(name: str, dialect: Dialect) -> str:
    """A column that is called exactly that, as a schema spells it: in quotes where its case would be lost without."""
    return name if dialect.fold_column(name, False) == name else f'"{name}"'


def stored_name(name: str, quoted: bool, dialect: Dialect) -> str:
    """A column that SQL would call so, as a schema spells it: folded as the database folds, unless it was in quotes."""
    return column_name(dialect.fold_column(name, quoted), dialect)
