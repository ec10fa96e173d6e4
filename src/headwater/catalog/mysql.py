"""MySQL and MariaDB by their information schema: few statements for any number of tables, and no right but to see them.

SQLAlchemy's inspector asks SHOW CREATE TABLE for each table and view. That costs a statement for each, and fails for views without the
right SHOW VIEW and for views whose tables are gone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from headwater.catalog.description import TABLE, VIEW, ColumnDescription, ForeignKey
from headwater.catalog.facts import Facts
from headwater.catalog.queries import rows_about
from headwater.model.entity import TableName

if TYPE_CHECKING:
    from sqlalchemy import Connection

NAMES = ("mysql", "mariadb")
_KINDS = {"BASE TABLE": TABLE, "SYSTEM VERSIONED": TABLE, "VIEW": VIEW, "SYSTEM VIEW": VIEW}
"""Sequences and what is temporary are left out."""

_RELATIONS = "SELECT table_name, table_type FROM information_schema.tables WHERE table_schema = :schema"
_COMMENTS = """
    SELECT table_name, table_comment FROM information_schema.tables
    WHERE table_schema = :schema AND table_name IN :names AND table_type NOT LIKE '%VIEW'"""
_COLUMNS = """
    SELECT table_name, column_name, column_type, is_nullable, column_comment, generation_expression
    FROM information_schema.columns
    WHERE table_schema = :schema AND table_name IN :names ORDER BY table_name, ordinal_position"""
_KEYS = """
    SELECT table_name, constraint_name, column_name, referenced_table_schema, referenced_table_name, referenced_column_name
    FROM information_schema.key_column_usage WHERE table_schema = :schema AND table_name IN :names
        AND (constraint_name = 'PRIMARY' OR referenced_table_name IS NOT NULL)
    ORDER BY table_name, constraint_name, ordinal_position"""


def relations_of(connection: Connection, schema: str) -> Mapping[str, str]:
    """The tables and views of a schema, and their kinds."""
    from sqlalchemy import text

    rows = connection.execute(text(_RELATIONS), {"schema": schema})
    return {str(name): _KINDS[str(type)] for name, type in rows if str(type) in _KINDS}


def facts_of(connection: Connection, schema: str, names: Sequence[str]) -> Facts:
    """What is to be known of some tables of a schema."""
    facts = Facts()
    for name, column, type, nullable, comment, generated in rows_about(connection, _COLUMNS, schema, names):
        described = ColumnDescription(
            str(column), str(type), str(nullable) == "YES", str(comment or ""), generated=_unescaped(generated)
        )
        facts.columns[str(name)] = (*facts.columns.get(str(name), ()), described)
    for name, comment in rows_about(connection, _COMMENTS, schema, names):
        facts.comments[str(name)] = str(comment or "")
    _add_keys(facts, connection, schema, names)
    return facts


def _unescaped(expression: object) -> str:
    """An expression as SQL: MySQL writes strings inside with a backslash before each quote."""
    return str(expression or "").replace("\\'", "'")


def _add_keys(facts: Facts, connection: Connection, schema: str, names: Sequence[str]) -> None:
    pairs: dict[tuple[str, str, TableName], list[tuple[str, str]]] = {}
    for name, constraint, column, *referred in rows_about(connection, _KEYS, schema, names):
        if referred[1] is None:
            facts.primary_keys[str(name)] = (*facts.primary_keys.get(str(name), ()), str(column))
        else:
            key = (str(name), str(constraint), (str(referred[0]), str(referred[1])))
            pairs.setdefault(key, []).append((str(column), str(referred[2])))
    for (name, _, table), columns in pairs.items():
        own, theirs = zip(*columns, strict=True)
        facts.foreign_keys[name] = (*facts.foreign_keys.get(name, ()), ForeignKey(own, table, theirs))
