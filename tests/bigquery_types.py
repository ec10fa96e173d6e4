"""Types for the tables of BigQuery cases that declare none: strings, until GoogleSQL says at some place that it wants something else."""

from __future__ import annotations

import re

from declared_tables import UNKNOWN, Schema
from headwater.model.diagnostic import Diagnostic

_PLACE = re.compile(r"\[at (\d+):(\d+)\]")
_WORD = re.compile(r"\w+")
_ARRAYS = ("must be arrays", "Subscript access", "must be an array")
_BOOLEANS = ("should return type BOOL", "must be BOOL")
_TYPES = ("INT64", "FLOAT64", "NUMERIC", "DATE", "TIMESTAMP", "DATETIME", "BOOL", "BYTES")


def retyped(schema: Schema, sql: str, refusal: Diagnostic) -> Schema | None:
    """The schema with another type for the first column behind the place of a refusal that is still a string, or a struct where an
    array is wanted; None if there is none."""
    place = _PLACE.search(refusal.message)
    if place is None or refusal.span is None:
        return None
    lines = sql[refusal.span.start :].split("\n")
    line, column = int(place.group(1)) - 1, int(place.group(2)) - 1
    behind = "\n".join([lines[line][column:], *lines[line + 1 :]])
    for word in _WORD.findall(behind):
        changed = _changed(schema, word.lower(), refusal.message)
        if changed != schema:
            return changed
    return None


def _changed(schema: Schema, word: str, message: str) -> Schema:
    return {
        table: {name: _type(kind, word, message, name.lower() == word) for name, kind in columns.items()}
        for table, columns in schema.items()
    }


def _type(kind: str, word: str, message: str, named: bool) -> str:
    """A column's type, if it is the one in question, or one of its fields is."""
    wanted = _wanted(message)
    if any(phrase in message for phrase in _ARRAYS):
        return f"array<{kind}>" if named and not kind.startswith("array") else kind
    if named and kind == UNKNOWN:
        return wanted
    return re.sub(rf"`{word}`: {UNKNOWN}\b", f"`{word}`: {wanted}", kind, flags=re.IGNORECASE)


def _wanted(message: str) -> str:
    if any(phrase in message for phrase in _BOOLEANS):
        return "BOOL"
    given = message.partition("rgument types: ")[2].partition(" Signature")[0]
    return next((each for each in _TYPES if re.search(rf"\b{each}\b", given)), "INT64")
