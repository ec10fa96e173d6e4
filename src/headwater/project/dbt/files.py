"""Files of a project: read whole or not at all; what cannot be read is a remark.

A manifest may be a hundred megabytes: what nobody asks for (the text of macros, templates, tests) is dropped while it is parsed.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from headwater.files import TooDeep, parse_json, read_bytes
from headwater.model.diagnostic import Code
from headwater.project.dbt.document import Document, as_document, text
from headwater.project.dbt.remarks import Remarks
from headwater.project.objects import Place
from headwater.project.yaml_document import InvalidDocument, NoYaml, read_document
from headwater.project.yaml_plain import plain
from headwater.project.yaml_value import Empty, Entries
from headwater.sql.text import BINARY, decode

COMPILE = "run `dbt compile`, and `dbt docs generate` for the columns"
"""How the files come about that say most."""

MAX_MANIFEST = 1_000_000_000
"""Bytes of a manifest or catalog."""
MAX_YAML = 20_000_000
"""Bytes of a file in YAML."""
_TEMPLATES = ("raw_code", "raw_sql")
_UNASKED = (*_TEMPLATES, "macro_sql", "block_contents")
_NO_TEMPLATE = "--placeholder--"
"""What some versions of dbt write in its place."""
_UNASKED_KINDS = frozenset({"test", "unit_test", "macro", "doc"})
_YAML_MISSING = "reading YAML needs PyYAML"


def read_json(path: Path, shown: str, remarks: Remarks) -> Document | None:
    """The object in a JSON file; None if there is none, and a remark says so."""
    try:
        content = parse_json(read_bytes(path, MAX_MANIFEST), object_hook=_without_unasked)
    except OSError as error:
        reason = error.strerror or type(error).__name__
        remarks.add(
            Code.UNREADABLE_FILE, f"{shown} cannot be read: {reason}", Place(shown), subject=path.name, hint=COMPILE
        )
        return None
    except json.JSONDecodeError as error:
        message = f"{shown} is not whole JSON: {error.msg}; it may have been cut off while it was written"
        place = Place(shown, error.lineno, error.colno)
        remarks.add(Code.UNREADABLE_FILE, message, place, subject=path.name, hint=COMPILE)
        return None
    except ValueError as error:
        message = f"{shown}: {error}" if isinstance(error, TooDeep) else f"{shown} is not JSON in UTF-8"
        remarks.add(Code.UNREADABLE_FILE, message, Place(shown), subject=path.name, hint=COMPILE)
        return None
    if not isinstance(content, dict):
        message = f"{shown} holds no JSON object"
        remarks.add(Code.INVALID_PROJECT, message, Place(shown), subject=path.name, hint=COMPILE)
        return None
    return content


def _without_unasked(document: dict[str, object]) -> dict[str, object]:
    kind = text(document, "resource_type")
    if kind in _UNASKED_KINDS and "unique_id" in document:
        return {"resource_type": kind}
    if kind == "operation":
        return document
    for key in _UNASKED:
        value = document.get(key)
        if isinstance(value, str):
            del document[key]
            if key in _TEMPLATES and "unique_id" in document and value != _NO_TEMPLATE:
                document["template_digest"] = template_digest(value)
    return document


def template_digest(template: str) -> str:
    """What tells a template from another version of it; blanks around it and the form of its newlines do not count."""
    plain = template.replace("\r\n", "\n").strip()
    return hashlib.blake2b(plain.encode(errors="replace"), digest_size=12).hexdigest()


def read_yaml(path: Path, shown: str, remarks: Remarks) -> Document:
    """The object in a YAML file; an empty one if there is none, and a remark says so where something stood there."""
    value = read_yaml_value(path, shown, remarks)
    return {} if value is None else as_document(plain(value))


def read_yaml_value(path: Path, shown: str, remarks: Remarks) -> Entries | None:
    """The mapping in a YAML file, with places; None if there is none, and then a remark says so where something stood there."""
    try:
        read = decode(read_bytes(path, MAX_YAML))
    except OSError as error:
        reason = error.strerror or type(error).__name__
        remarks.add(Code.UNREADABLE_FILE, f"{shown} cannot be read: {reason}", Place(shown))
        return None
    if read.encoding == BINARY:
        remarks.add(Code.UNREADABLE_FILE, f"{shown} holds no text", Place(shown))
        return None
    try:
        value, complaints = read_document(read.text, shown)
    except NoYaml:
        remarks.add(Code.UNREADABLE_FILE, _YAML_MISSING, Place(shown), hint="install headwater[project]")
        return None
    except InvalidDocument as error:
        remarks.add(Code.INVALID_PROJECT, f"{shown} is not YAML that can be read: {error}", error.place)
        return None
    for complaint in complaints:
        remarks.add(*complaint)
    if not isinstance(value, (Entries, Empty)):
        remarks.add(Code.INVALID_PROJECT, f"{shown} holds no mapping", Place(shown))
    return value if isinstance(value, Entries) else None
