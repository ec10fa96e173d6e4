"""The words of SQLFlow's model reference: its lists are closed, so what we call otherwise is told by their nearest word."""

from __future__ import annotations

from headwater.export.kinds import words
from headwater.export.numbers import CONDITION
from headwater.export.records import Entity
from headwater.export.spelling import spelled_parts
from headwater.model.entity import FILES, EntityKind, TableName

PROCESS_TYPES = frozenset(
    {
        "Create Table",
        "Create External Table",
        "Create View",
        "Create Stage",
        "Alter Table",
        "Update",
        "Merge",
        "Insert",
        "Select Into",
        "Hive Load",
    }
)
"""The reference's own."""
MORE_PROCESS_TYPES = frozenset({"Select", "Delete"})
"""What it has no word for: a query that writes nothing, and a deletion, which it knows as an effect."""
_NEAREST = {
    "Alter View": "Alter Table",
    "Rename Table": "Alter Table",
    "Rename": "Alter Table",
    "Copy": "Insert",
    "Load": "Insert",
    "Bulk Insert": "Insert",
    "Import": "Insert",
    "Apply Changes": "Merge",
    "Truncate": "Delete",
    "Create Dictionary": "Create Table",
    "Create Model": "Create Table",
    "Create Stream": "Create View",
    "Create Synonym": "Create View",
    "Cache Table": "Create View",
}
EFFECT_TYPES = frozenset(
    {
        *("select", "insert", "update", "merge_update", "merge_insert", "create_view", "create_table", "merge"),
        *("delete", "function", "rename_table", "swap_table", "like_table", "cursor", "trigger"),
    }
)
_VENDORS = {"tsql": "mssql", "spark": "sparksql", "postgres": "postgresql", "fabric": "mssql"}


def process_type(type_: str) -> str:
    """A process's type in the reference's words."""
    known = type_ in PROCESS_TYPES or type_ in MORE_PROCESS_TYPES
    return type_ if known else _NEAREST.get(type_, "Select")


def element_of(entity: Entity) -> str:
    """The element that an entity is; what a condition decides is told as a result set."""
    return "resultset" if entity.type == CONDITION else words(entity.kind).element


def type_of(entity: Entity) -> str:
    """The `type` of an element."""
    element = element_of(entity)
    if element == "resultset":
        return entity.type
    return entity.kind.value if entity.kind is EntityKind.ORPHAN else element


def sub_type(entity: Entity) -> str:
    """The `subType` of an element: of a variable what it holds, of a table that it is a function's, else what is no table or view."""
    element = element_of(entity)
    if element == "variable":
        return entity.type if entity.type in ("cursor", "record") else "scalar"
    if element != "resultset" and entity.type == "function":
        return "function"
    return words(entity.kind).sub_type


def name_of(kind: EntityKind, name: str) -> str:
    """The `name` of an element: a stage without the `@` of its reference."""
    return name.removeprefix("@") if kind is EntityKind.STAGE else name


def column_name(name: str, kind: EntityKind, owner: str) -> str:
    """A column's name: that of a file is its uri, because it has no columns."""
    return f"uri='{owner.removeprefix('@')}'" if name == "*" and kind in FILES else name


def vendor(dialect: str) -> str:
    """`dbvoracle` for `oracle`."""
    return "dbv" + _VENDORS.get(dialect, dialect or "generic")


def qualifiers(kind: EntityKind, name: str, parts: TableName) -> tuple[str, str]:
    """The database and the schema of a table, as it is spelled; empty where its name does not say."""
    spelled = table_parts(kind, name, parts)
    return (spelled[-3] if len(spelled) > 2 else ""), (spelled[-2] if len(spelled) > 1 else "")


def table_parts(kind: EntityKind, name: str, parts: TableName) -> list[str]:
    """The parts of a table's name; a file's has one."""
    return [name] if kind in FILES or not parts else spelled_parts(name, parts)
