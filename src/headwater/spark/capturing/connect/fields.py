"""Fields of Spark Connect's messages that older versions do not have: PySpark 3.5 has neither plan numbers of stars nor inputs of SQL."""

from __future__ import annotations

from typing import Any


def field_of(message: Any, name: str) -> Any:
    """The value of a field that is set; None if it is not, or if this version's messages have no such field."""
    if name not in message.DESCRIPTOR.fields_by_name:
        return None
    return getattr(message, name) if message.HasField(name) else None
