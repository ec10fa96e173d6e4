"""Whether a folder is a project of a tool whose settings have a common name: by what lies beside them."""

from __future__ import annotations

import re
from itertools import islice
from pathlib import Path

from headwater.files import files_in, open_file

MAX_LOOKED_AT = 200
"""How many files of a folder are looked into."""
_HEAD = 4_096
_MODEL = re.compile(rb"(?:^|[\s;/])MODEL\s*\(", re.IGNORECASE)
_PYTHON_MODEL = re.compile(rb"^\s*@model\s*\(", re.MULTILINE)


def is_dataform(folder: Path) -> bool:
    """Whether a folder has Dataform's definitions."""
    return (folder / "definitions").is_dir()


def is_sqlmesh(folder: Path) -> bool:
    """Whether a folder has models of SQLMesh: files below `models` with `MODEL (` or `@model(` near their beginning."""
    models = folder / "models"
    if not models.is_dir():
        return False
    files = (models / path for path in files_in(models) if path.endswith((".sql", ".py")))
    return any(_is_model(path) for path in islice(files, MAX_LOOKED_AT))


def _is_model(path: Path) -> bool:
    try:
        with open_file(path) as file:
            head = file.read(_HEAD)
    except OSError:
        return False
    return (_PYTHON_MODEL if path.suffix == ".py" else _MODEL).search(head) is not None
