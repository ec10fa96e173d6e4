"""Types as a schema spells them, in BigQuery's manner or not, to the service's messages."""

from __future__ import annotations

import re
from collections import deque
from typing import Any

_SIMPLE = {
    **dict.fromkeys(("INT64", "INT", "INTEGER", "BIGINT", "SMALLINT", "TINYINT", "BYTEINT", "LONG"), "INT64"),
    **dict.fromkeys(("FLOAT64", "FLOAT", "DOUBLE", "REAL"), "DOUBLE"),
    **dict.fromkeys(("NUMERIC", "DECIMAL"), "NUMERIC"),
    **dict.fromkeys(("BIGNUMERIC", "BIGDECIMAL"), "BIGNUMERIC"),
    **dict.fromkeys(("BOOL", "BOOLEAN"), "BOOL"),
    **dict.fromkeys(("BYTES", "BINARY"), "BYTES"),
    **{name: name for name in ("STRING", "DATE", "DATETIME", "TIME", "TIMESTAMP", "INTERVAL", "JSON", "GEOGRAPHY")},
}
_WORDS = re.compile(r"`[^`]*`|\w+|[<>(),:]")


class _Words:
    """The words of a type, one after the other; empty ones behind the last."""

    def __init__(self, words: list[str]) -> None:
        self._rest = deque(words)

    def next(self) -> str:
        return self._rest.popleft() if self._rest else ""

    def skip_colon(self) -> None:
        if self._rest and self._rest[0] == ":":
            self._rest.popleft()


def type_message(text: str) -> Any:
    """The message of a type; a string where nobody knows the type: GoogleSQL compares and casts it to most others."""
    return _typed(_Words(_WORDS.findall(text)))[0]


def _typed(words: _Words) -> tuple[Any, str]:
    """A type, and the word after it."""
    from zetasql.wasi._pb2.zetasql.public import type_pb2

    made: Any = type_pb2.TypeProto()
    name = words.next().upper()
    following = words.next()
    if name == "ARRAY" and following == "<":
        element, following = _typed(words)
        made.type_kind = type_pb2.TYPE_ARRAY
        made.array_type.element_type.CopyFrom(_no_array(element))
        return made, _after(following, words)
    if name == "RANGE" and following == "<":
        element, following = _typed(words)
        made.type_kind = type_pb2.TYPE_RANGE
        made.range_type.element_type.CopyFrom(element)
        return made, _after(following, words)
    if name in ("STRUCT", "RECORD") and following == "<":
        made.type_kind = type_pb2.TYPE_STRUCT
        following = ","
        while following == ",":
            following = _field(made, words)
        return made, _after(following, words)
    made.type_kind = type_pb2.TypeKind.Value(f"TYPE_{_SIMPLE.get(name, 'STRING')}")
    if following == "(":
        while following not in (")", ""):
            following = words.next()
        following = words.next()
    return made, following


def _field(struct: Any, words: _Words) -> str:
    """Add a field, `x INT64` or `x: INT64`; gives the word after it."""
    field = struct.struct_type.field.add()
    field.field_name = words.next().strip("`")
    words.skip_colon()
    kind, following = _typed(words)
    field.field_type.CopyFrom(kind)
    return following


def _after(closing: str, words: _Words) -> str:
    return words.next() if closing == ">" else closing


def _no_array(element: Any) -> Any:
    """GoogleSQL has no arrays of arrays."""
    from zetasql.wasi._pb2.zetasql.public import type_pb2

    return element.array_type.element_type if element.type_kind == type_pb2.TYPE_ARRAY else element
