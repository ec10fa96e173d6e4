"""Constants. Lineage keeps none, so that a statement has the ones alone that say which field is meant; `?` stands for the others."""

from __future__ import annotations

from typing import Any

UNKNOWN = "?"
_NUMBERS = frozenset({"byte", "short", "integer", "long"})


def text_of(literal: Any) -> str | None:
    """The text of a string, which may be the name of a field; None of anything else."""
    return str(literal.string) if literal.WhichOneof("literal_type") == "string" else None


def literal_sql(literal: Any) -> str:
    """A constant in SQL: strings and whole numbers, which functions may take for names and positions, as they are."""
    kind = literal.WhichOneof("literal_type")
    if kind == "string":
        return string_sql(literal.string)
    if kind in _NUMBERS:
        return str(getattr(literal, kind))
    return "NULL" if kind in (None, "null") else UNKNOWN


def string_sql(text: str) -> str:
    """A string in SQL."""
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"
