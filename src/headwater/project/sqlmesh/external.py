"""Tables of somebody else: `external_models.yaml`, `schema.yaml`, and the files of `external_models/`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from headwater.model.diagnostic import Code
from headwater.project.dbt.document import text
from headwater.project.dbt.remarks import Remarks
from headwater.project.objects import Place
from headwater.project.yaml_document import InvalidDocument, NoYaml, read_document
from headwater.project.yaml_plain import plain
from headwater.project.yaml_value import Entries, Items
from headwater.sql.text import read_text

_FILES = ("external_models.yaml", "external_models.yml", "schema.yaml", "schema.yml")


class External(NamedTuple):
    """A table of somebody else."""

    name: str
    columns: dict[str, str]
    place: Place
    description: str = ""


def read_external(root: Path, remarks: Remarks) -> Iterator[External]:
    """The tables that a project's files describe."""
    files = [root / name for name in _FILES if (root / name).is_file()]
    files += sorted(path for path in (root / "external_models").glob("*") if path.suffix in (".yaml", ".yml"))
    for file in files:
        yield from _of_file(file, remarks)


def _of_file(file: Path, remarks: Remarks) -> Iterator[External]:
    shown = file.as_posix()
    try:
        value, complaints = read_document(read_text(file).text, shown)
    except NoYaml:
        remarks.add(Code.UNREADABLE_FILE, "reading YAML needs PyYAML", Place(shown), hint="install headwater[project]")
        return
    except (InvalidDocument, OSError) as error:
        place = error.place if isinstance(error, InvalidDocument) else Place(shown)
        remarks.add(Code.INVALID_PROJECT, f"{shown} is not YAML that can be read: {error}", place)
        return
    for complaint in complaints:
        remarks.add(*complaint)
    for item in value.values if isinstance(value, Items) else ():
        if isinstance(item, Entries):
            entry = plain(item)
            name = text(entry, "name") if isinstance(entry, dict) else ""
            if isinstance(entry, dict) and name:
                columns = entry.get("columns")
                types = {str(key): str(kind) for key, kind in columns.items()} if isinstance(columns, dict) else {}
                yield External(name, types, item.keys.get("name", item.place), text(entry, "description"))
