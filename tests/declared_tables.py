"""Schemas for cases that declare none: an engine that analyses has to know every table, and every type.

Tables that a case's schema does not list have the columns that the static analysis asked of them. A column whose fields are asked for is a
struct, or an array of structs; any other is a string until Spark says what it should be.
"""

from __future__ import annotations

import re

import headwater
from case_file import Case
from headwater.model.entity import PSEUDO_ROWS, EntityKind

Schema = dict[str, dict[str, str]]
UNKNOWN = "string"

_WANTED = (
    (r'requires the \("ARRAY" or "MAP"\) type, however "(?:\w+\.)*(\w+)" has', "array<int>"),
    (r'requires the "ARRAY(?:<\w+>)?" type, however "(?:\w+\.)*(\w+)" has', "array<int>"),
    (r'requires the "MAP" type, however "(?:\w+\.)*(\w+)" has', "map<string,string>"),
    (r'requires the \(?"(?:NUMERIC|INTEGRAL|INT|BIGINT)".*?however "(?:\w+\.)*(\w+)" has', "int"),
    (r'requires the "(?:STRING|BINARY)".*?however "(?:\w+\.)*(\w+)" has', "string"),
    (r'[Ff]ilter expression "(?:\w+\.)*(\w+)" of type .* is not a boolean', "boolean"),
    (r'requires the "BOOLEAN" type, however "(?:\w+\.)*(\w+)" has', "boolean"),
    (r'extract a value from "(?:\w+\.)*(\w+)"\. Need a complex type', "array<int>"),
    (r'Cannot resolve "(?:\w+\.)*(\w+)\[\w+\]".*"INTEGRAL"', "map<string,string>"),
    (r'Cannot resolve "sequence\((\w+), .*wrong parameter type', "date"),
    (r'Cannot resolve "sequence\(\w+, (\w+), .*wrong parameter type', "date"),
    (r'requires the \("ARRAY" or "MAP"\) type, however "outer\((?:\w+\.)*(\w+)\)" has', "array<int>"),
    (r'Cannot resolve "\(namedlambdavariable\(\) \S+ (\w+)\)".*incompatible types \("INT"', "int"),
)
"""What Spark says about a column's type, and the type that it wants instead."""


def declared(case: Case, lineage: headwater.Lineage) -> Schema | None:
    """The tables that a case needs, untyped columns as strings; None if nobody can tell the columns of one."""
    listed = {name: dict(columns) for name, columns in (case.schema or {}).items()}
    tables = {name: {c: t or UNKNOWN for c, t in columns.items()} for name, columns in listed.items()}
    untyped = {name.lower() for name, columns in listed.items() if not any(columns.values())}
    for name, columns in _asked(lineage, {name.lower() for name in listed} - untyped).items():
        if "*" in columns and name not in untyped:
            return None
        known = next((each for each in tables if each.lower() == name), name)
        asked = [c for c in columns if c != "*"]
        tables[known] = {**tables.get(known, {}), **_typed([*tables.get(known, {}), *asked], "struct")}
    return tables


def with_arrays(schema: Schema) -> Schema:
    """The same with arrays of structs in the place of structs."""
    return {
        name: {c: f"array<{t}>" if t.startswith("struct<`") else t for c, t in columns.items()}
        for name, columns in schema.items()
    }


def refined(schema: Schema, refusal: str) -> Schema | None:
    """The schema with the type that Spark asks for; None if it does not ask for one that is not tried yet."""
    for pattern, kind in _WANTED:
        found = re.search(pattern, refusal)
        name = found.group(1).lower() if found else ""
        changed = {
            table: {c: kind if c.lower() == name and "<`" not in t else t for c, t in columns.items()}
            for table, columns in schema.items()
        }
        if changed != schema:
            return changed
    return None


def _asked(lineage: headwater.Lineage, listed: set[str]) -> dict[str, list[str]]:
    """The tables that are read before the script makes them, with the columns that were asked of them."""
    asked: dict[str, list[str]] = {}
    made: set[tuple[str, ...]] = set()
    for statement in lineage.statements:
        resolution = statement.resolution
        changed = resolution.process.type in ("Update", "Merge", "Delete")
        known = {*resolution.read, *(resolution.written if changed else ())}
        for entity, name, _ in resolution.columns:
            row = resolution.entities[entity]
            table = row.table or ()
            if row.kind is not EntityKind.TABLE or entity not in known or table in made or _is_listed(table, listed):
                continue
            columns = asked.setdefault(".".join(table), [])
            if name != PSEUDO_ROWS and name not in columns:
                columns.append(name)
        made |= {definition.table for definition in resolution.defines}
    return {name: columns or ["other"] for name, columns in asked.items()}


def _is_listed(table: tuple[str, ...], listed: set[str]) -> bool:
    return any(".".join(table[start:]) in listed for start in range(len(table)))


def _typed(columns: list[str], nested: str) -> dict[str, str]:
    """Types of columns, of which some are asked for fields: `a`, `s.x`, `s.y`."""
    fields: dict[str, list[str]] = {}
    for column in columns:
        head, _, rest = column.partition(".")
        fields.setdefault(head, [])
        if rest:
            fields[head].append(rest)
    typed = {}
    for head, below in fields.items():
        inner = ", ".join(f"`{name}`: {kind}" for name, kind in _typed(below, nested).items())
        typed[head] = f"{nested}<{inner}>" if below else UNKNOWN
    return typed
