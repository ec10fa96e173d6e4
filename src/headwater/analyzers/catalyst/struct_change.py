"""A new value of a column to what was assigned: analysed commands give one to every column, and to structs as a whole.

```sql
UPDATE t SET s.x = a     -- s = named_struct('x', a, 'y', s.y): the field y keeps its value
```
"""

from __future__ import annotations

from collections.abc import Iterator

from headwater.analyzers.catalyst.changes import Written
from headwater.analyzers.catalyst.plan import Node
from headwater.analyzers.catalyst.update import change
from headwater.analyzers.select import Scope

Path = tuple[str, ...]


def change_column(scope: Scope, column: Node, value: Node, written: Written | None) -> None:
    """Let a value become that of a column, or of those of its fields that were assigned; one that is the column's own was not."""
    if _is_own(value, column, ()):
        return
    paths = written.fields(column.label) if written is not None else [*_changed_fields(value, column, ())]
    members = [(path, _member(value, path)) for path in paths]
    for path, member in members if members and all(found for _, found in members) else [((), value)]:
        assert member is not None
        name = (column.label, *path)
        type = _type_at(column.fields.get("dataType"), path)
        cast = written is not None and name[-1].lower() in written.casts
        change(scope, [scope.select.fold(part) for part in name], member, None if cast else type)


def is_filler(value: Node, column: str, written: Written | None) -> bool:
    """Whether an INSERT does not list a column: it gets NULL or its default, which nobody wrote here."""
    if written is not None and written.lists(column):
        return False
    while value.name == "Cast":
        value = value.children[0]
    return value.name == "Literal" and (value.fields.get("value") is None or _lists_columns(written))


def _lists_columns(written: Written | None) -> bool:
    return written is not None and not written.star


def _is_own(value: Node, column: Node, path: Path) -> bool:
    """Whether a value is a column's own, or that of the field at a path below it."""
    for part in reversed(path):
        if value.name != "GetStructField" or _field_name(value).lower() != part.lower():
            return False
        value = value.children[0]
    return value.name == "AttributeReference" and value.id == column.id


def _changed_fields(value: Node, column: Node, path: Path) -> Iterator[Path]:
    """The fields with new values beside one that keeps its own; without such a one, somebody may have assigned the whole struct."""
    members = _members(value)
    kept = [name for name, member in members.items() if _is_own(member, column, (*path, name))]
    inner = {name: [*_changed_fields(each, column, (*path, name))] for name, each in members.items()}
    if kept or any(inner.values()):
        for name in members:
            if name not in kept:
                yield from inner[name] or [(*path, name)]


def _member(value: Node, path: Path) -> Node | None:
    """What a struct holds at a path."""
    found: Node | None = value
    for part in path:
        found = _members(found).get(part.lower()) if found is not None else None
    return found


def _members(value: Node) -> dict[str, Node]:
    """The members of a struct that is built here, by their names in lower case."""
    if value.name != "CreateNamedStruct":
        return {}
    names = [str(each.fields.get("value")).lower() for each in value.children[::2]]
    return dict(zip(names, value.children[1::2], strict=False))


def _field_name(node: Node) -> str:
    named = node.fields.get("name")
    if named is not None:
        return str(named)
    kind = node.children[0].fields.get("dataType")
    fields = kind.get("fields", []) if isinstance(kind, dict) else []
    return str(fields[int(node.fields["ordinal"])]["name"]) if fields else ""


def _type_at(kind: object, path: Path) -> object:
    """The type of a field."""
    for part in path:
        fields = kind.get("fields", []) if isinstance(kind, dict) else []
        kind = next((each["type"] for each in fields if each["name"].lower() == part.lower()), None)
    return kind
