"""The words of SQLFlow's model reference: its lists are closed, so what we call otherwise is told by their nearest word."""

from __future__ import annotations

from headwater.export.records import Entity
from headwater.model.entity import PSEUDO_ROWS, EntityKind

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


def name_of(entity: Entity) -> str:
    """The `name` of an element: a stage without the `@` of its reference."""
    return entity.name.removeprefix("@") if entity.kind is EntityKind.STAGE else entity.name


def column_name(name: str, entity: Entity | None, entity_name: str) -> str:
    """A column's name: that of a file is its uri, because it has no columns."""
    if entity is not None and entity.is_file and name != PSEUDO_ROWS and name == "*":
        return f"uri='{entity_name.removeprefix('@')}'"
    return name


def vendor(dialect: str) -> str:
    """`dbvoracle` for `oracle`."""
    return "dbv" + _VENDORS.get(dialect, dialect or "generic")


def qualifiers(entity: Entity) -> tuple[str, str]:
    """The database and the schema of a table, as it is spelled; empty where its name does not say."""
    parts = spelled_parts(entity)
    return (parts[-3] if len(parts) > 2 else ""), (parts[-2] if len(parts) > 1 else "")


def spelled_parts(entity: Entity) -> tuple[str, ...]:
    """The parts of a table's name as it is spelled, with those that its session added."""
    if entity.is_file:
        return (entity.name,)
    spelled = entity.name.split(".")
    count = len(spelled)
    folded = tuple(part.casefold() for part in entity.parts[-count:])
    if len(entity.parts) >= count and tuple(part.strip('"`[]').casefold() for part in spelled) == folded:
        return (*entity.parts[:-count], *(part.strip('"`[]') for part in spelled))
    return entity.parts or (entity.name,)
