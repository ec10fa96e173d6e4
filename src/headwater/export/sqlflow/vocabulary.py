"""The words of SQLFlow's model reference: its lists are closed, so what we call otherwise is told by their nearest word."""

from __future__ import annotations

from headwater.export.records import Entity
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
    """The element that an entity is."""
    if entity.kind in (EntityKind.RESULT_SET, EntityKind.FUNCTION, EntityKind.LITERAL):
        return "resultset"
    return "table" if entity.kind is EntityKind.ORPHAN else entity.kind.value


def type_of(entity: Entity) -> str:
    """The `type` of an element."""
    if entity.kind in (EntityKind.RESULT_SET, EntityKind.FUNCTION, EntityKind.LITERAL):
        return entity.type
    return entity.kind.value


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
    spelled = spelled_parts(kind, name, parts)
    return (spelled[-3] if len(spelled) > 2 else ""), (spelled[-2] if len(spelled) > 1 else "")


def spelled_parts(kind: EntityKind, name: str, parts: TableName) -> TableName:
    """The parts of a table's name as it is spelled, with those that its session added."""
    if kind in FILES:
        return (name,)
    spelled = [part.strip('"`[]') for part in name.split(".")]
    count = len(spelled)
    if len(parts) >= count and [part.casefold() for part in spelled] == [part.casefold() for part in parts[-count:]]:
        return (*parts[:-count], *spelled)
    return parts or (name,)
