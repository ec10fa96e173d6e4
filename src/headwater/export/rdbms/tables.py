"""The tables that are written. Two are the model reference's, column by column; the `headwater_` ones hold what it has no place for.

Every `headwater_` row has its cluster, and in `seen` the number of the last export of that cluster that had it: what has a smaller number
than `headwater_exports` says is gone from the lineage.
"""

from __future__ import annotations

from sqlalchemy import Boolean, Column, Integer, MetaData, String, Table, Text, UniqueConstraint

from headwater.export.qualified_names import LONGEST

VERSION = "1"
"""Of these tables."""

METADATA = MetaData()


def _guid(name: str, primary_key: bool = False, nullable: bool = False, index: bool = False) -> Column[str]:
    return Column(name, String(40), primary_key=primary_key, nullable=nullable, index=index)


def _own(name: str, *columns: Column[str] | Column[bool]) -> Table:
    """A table of ours."""
    seen = Column("seen", Integer, nullable=False)
    return Table(
        name, METADATA, _guid("guid", primary_key=True), Column("cluster", String(100), nullable=False), *columns, seen
    )


OBJECTS = Table(
    "sqlflow_dbobjects",
    METADATA,
    _guid("guid", primary_key=True),
    _guid("parent_id", nullable=True, index=True),
    Column("qualified_name", String(LONGEST), nullable=False),
    Column("object_type", String(30), nullable=False),
    Column("ddl", Text),
    Column("ddl_hashId", String(64)),
    Column("comment", Text),
    UniqueConstraint("qualified_name", "object_type"),
)
COLUMNS = Table(
    "sqlflow_columns",
    METADATA,
    _guid("guid", primary_key=True),
    _guid("parent_id", nullable=True, index=True),
    Column("qualified_name", String(LONGEST), nullable=False, index=True),
    Column("comment", Text),
)
EXPORTS = Table(
    "headwater_exports",
    METADATA,
    Column("cluster", String(100), primary_key=True),
    Column("number", Integer, nullable=False),
    Column("format_version", String(20), nullable=False),
    Column("headwater_version", String(40), nullable=False),
    Column("dialect", String(40), nullable=False),
    Column("level", String(20), nullable=False),
    Column("impact", Boolean, nullable=False),
)
OBJECT_FACTS = _own(
    "headwater_objects",
    Column("name", Text, nullable=False),
    Column("kind", String(60), nullable=False),
    Column("temporary", Boolean, nullable=False),
    Column("file_format", Text),
    Column("path", Text),
)
COLUMN_FACTS = _own(
    "headwater_columns",
    Column("name", Text, nullable=False),
    Column("data_type", Text),
    Column("inferred", Boolean, nullable=False),
    Column("row_set", Boolean, nullable=False),
)
RELATIONS = _own(
    "headwater_relations",
    _guid("relation"),
    _guid("source_guid", index=True),
    _guid("target_guid", index=True),
    _guid("process_guid", index=True),
    Column("type", String(10), nullable=False),
    Column("subtype", String(30)),
    Column("clause", String(30)),
    Column("effect", String(30)),
    Column("masking", Boolean, nullable=False),
    Column("candidate", Boolean, nullable=False),
    Column("expression", Text),
)
TABLE_RELATIONS = _own(
    "headwater_table_relations",
    _guid("source_guid", index=True),
    _guid("process_guid", index=True),
    _guid("target_guid", index=True),
)

KEYS = {OBJECTS: ("qualified_name", "object_type"), EXPORTS: ("cluster",)}
"""What makes a row the same as one that is there; a guid, if nothing is said."""

KEPT = ("comment",)
"""Columns that an export does not touch in rows that are there: people write into them."""
