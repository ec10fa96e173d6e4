"""Values of a document that somebody else wrote: asked for by key and type, so that a wrong shape is an absence and never a failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

Document = Mapping[str, object]
"""An object of a JSON or YAML file."""

NOTHING: Document = {}


def text(document: Document, key: str) -> str:
    """A text; numbers and truth values as they are written; empty for everything else."""
    return written(document.get(key))


def written(value: object) -> str:
    """A scalar as text, empty for what is none."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return str(value).lower()
    return str(value) if isinstance(value, (int, float)) else ""


def inner(document: Document, *keys: str) -> Document:
    """The object below some keys."""
    for key in keys:
        document = as_document(document.get(key))
    return document


def as_document(value: object) -> Document:
    """A value, if it is an object; else an empty one."""
    return value if isinstance(value, Mapping) else NOTHING


def inners(document: Document, key: str) -> tuple[Document, ...]:
    """The objects of a list, or of a mapping by name."""
    value = document.get(key)
    if isinstance(value, Mapping):
        value = list(value.values())
    return tuple(item for item in _items(value) if isinstance(item, Mapping))


def texts(document: Document, key: str) -> tuple[str, ...]:
    """The texts of a list; a text alone is a list of one."""
    value = document.get(key)
    if isinstance(value, str):
        return (value,)
    return tuple(found for found in map(written, _items(value)) if found)


def _items(value: object) -> Sequence[object]:
    return value if isinstance(value, (list, tuple)) else ()
