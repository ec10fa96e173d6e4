"""Ids that come from content alone: the same thing has the same id in every build, on every machine, under any hash seed.

An id is a signed 64-bit integer. `identify` hashes a tuple of strings so that no two different tuples are spelled the same.
"""

from __future__ import annotations

from hashlib import blake2b

from headwater.model.entity import SEMANTIC, EntityKind, TableName

NOWHERE = 0
"""The scope of what is not temporary, and the id of nothing at all."""


def identify(*parts: str) -> int:
    """The id of what these parts name, in order."""
    digest = blake2b("\0".join(parts).encode("utf-8", "surrogatepass"), digest_size=8).digest()
    return int.from_bytes(digest, "little", signed=True)


def script_id(path: str) -> int:
    """The id of a script file: its path, so that an edit does not make another script of it."""
    return identify("script", path)


def logged_id(log: str, text: str, dialect: str, default_schema: str) -> int:
    """The id of a statement in a query log: what was run, not when."""
    return identify("logged", log, text, dialect, default_schema)


def process_id(procedure: str, query_hash: str) -> int:
    """The id of a process."""
    return identify("process", procedure, query_hash)


_CLASSES = dict.fromkeys((EntityKind.VIEW, *SEMANTIC), EntityKind.TABLE)
"""A name is one entity, whether a statement takes it for a table or knows it for a view, or for a metric."""


def entity_id(kind: EntityKind, name: TableName, scope: int = NOWHERE) -> int:
    """The id of a table, view, path or stage; *scope* is the script of a temporary one, the process of an orphan or a result."""
    return identify("entity", _CLASSES.get(kind, kind), str(scope), *name)


def owned(script: int, procedure: str) -> int:
    """The scope of what is temporary: its script, or the procedure that keeps it to itself."""
    return identify("owned", str(script), procedure) if procedure else script


def column_id(entity: int, name: str, ordinal: int | None = None) -> int:
    """The id of a column: by name; in a result set, where names may repeat, also by its ordinal."""
    return identify("column", str(entity), name, *(() if ordinal is None else (str(ordinal),)))
