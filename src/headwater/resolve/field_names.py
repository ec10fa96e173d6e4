"""Names of fields: which fields a struct has, from what built it or from its declared type."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from headwater.resolve.builder import Builder


def struct_fields(builder: Builder, *columns: int) -> list[str]:
    """The names of the fields of the first of these structs, or arrays of structs, whose fields are known; else none."""
    for column in columns_behind(builder, *columns):
        built = builder.structs.get(column)
        names = list(built.members) if built is not None else list(_fields(builder, declared_type(builder, column)))
        if names:
            return names
    return []


def columns_behind(builder: Builder, *columns: int) -> Iterator[int]:
    """These columns and all whose fields they have, each once: a recursive CTE hands its own column on."""
    pending, seen = list(reversed(columns)), set()
    while pending:
        column = pending.pop()
        if column not in seen:
            seen.add(column)
            yield column
            pending.extend(reversed(_handed(builder, column)))


def _handed(builder: Builder, column: int) -> Sequence[int]:
    """The columns whose fields a column has at first hand."""
    built = builder.structs.get(column)
    if built is not None and built.values:
        return list(built.values)
    if column in builder.unions:
        return builder.unions[column]
    following = builder.origins.get(column, builder.elements.get(column))
    return () if following is None else (following,)


def declared_type(builder: Builder, column: int) -> Any:
    """The type that a table's schema declares for a column, or for a field below one; None if it does not."""
    spelled, path = _spelled_type(builder, column)
    parsed = parsed_type(builder, spelled)
    for field in path:
        if parsed is None:
            return None
        parsed = _fields(builder, parsed).get(field)
    return parsed


def is_declared(builder: Builder, column: int) -> bool:
    """Whether a table's schema has a type for a column, or for a field below one."""
    spelled, path = _spelled_type(builder, column)
    declared = declared_type(builder, column) if path else None
    is_unknown = isinstance(declared, exp.DataType) and declared.is_type(exp.DType.UNKNOWN)
    return bool(spelled) and not is_unknown


def has_own_elements(builder: Builder, column: int) -> bool:
    """Whether a column is an array of a type that somebody defined, `addr_t[]`: such may have fields."""
    spelled, path = _spelled_type(builder, column)
    return not path and spelled.endswith("[]") and parsed_type(builder, spelled) is None


def declared_spelling(builder: Builder, column: int) -> str:
    """The type of a table's column as its schema spells it; nothing for a field, or where the schema has none."""
    spelled, path = _spelled_type(builder, column)
    return "" if path else spelled


def _spelled_type(builder: Builder, column: int) -> tuple[str, list[str]]:
    """The type of the column that a column is, or lies below, and the path to there."""
    entity, name, _ = builder.columns[column]
    table = next((t for t in builder.tables.values() if t.entity == entity), None)
    base, *path = name.split(".")
    if table is None:
        return "", path
    return (table.schema or {}).get(base) or builder.dialect.pseudo_types.get(base, ""), path


def parsed_type(builder: Builder, type_: str) -> Any:
    """A type with fields or elements, as a schema spells it, `struct<x:int,y:string>`; None for any other."""
    if not type_ or not any(mark in type_ for mark in "<(["):
        return None
    try:
        return exp.DataType.build(type_, dialect=builder.dialect.grammar_name)
    except (SqlglotError, TypeError):  # the grammar raises either for what is no type, such as `[]`
        return None


def _fields(builder: Builder, parsed: Any) -> dict[str, Any]:
    """Names and types of a struct's fields; an array has those of its elements."""
    if not isinstance(parsed, exp.DataType):
        return {}
    while parsed.expressions and isinstance(parsed.expressions[0], exp.DataType):
        parsed = parsed.expressions[0]
    definitions = [d for d in parsed.expressions if isinstance(d, exp.ColumnDef) and isinstance(d.this, exp.Identifier)]
    return {builder.dialect.column(d.this): d.args.get("kind") for d in definitions}


def field_type(builder: Builder, parsed: Any, name: str) -> Any:
    """The type of a field of a type, or of its elements, if it has fields itself."""
    found = _fields(builder, parsed).get(name)
    return found if _fields(builder, found) else None


def type_fields(builder: Builder, parsed: Any) -> list[str]:
    """The names of the fields of a type, or of its elements."""
    return list(_fields(builder, parsed))
