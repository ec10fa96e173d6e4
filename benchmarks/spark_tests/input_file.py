"""An input file of Spark's SQL tests: its statements, cut as Spark's test suite cuts them, and its settings.

Lines that begin with `--` are comments, and some of these are directives: `--SET k=v`, `--CONFIG_DIM1 k=v` (of each dimension
the first choice is taken: they differ in how a query is run), `--IMPORT other.sql`, `--QUERY-DELIMITER-START` and `-END` around
a statement with semicolons inside.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

_END = re.compile(r"(?<=[^\\]);")
_DELIMITER = "--QUERY-DELIMITER"
_IMPORT = "--IMPORT "
_SET = "--SET "
_DIMENSION = re.compile(r"--CONFIG_DIM(\w*) (.*)")


class InputFile(NamedTuple):
    """A file's name below the folder of the inputs, its settings, and its statements in order."""

    name: str
    settings: dict[str, str]
    statements: list[str]


def input_files(folder: Path) -> Iterator[InputFile]:
    """All input files of a folder, by name."""
    for path in sorted(folder.rglob("*.sql")):
        yield _read(path, folder)


def _read(path: Path, folder: Path) -> InputFile:
    comments, code = _parted(path)
    wanted = [line.removeprefix(_IMPORT).strip() for line in comments if line.startswith(_IMPORT)]
    imported = [line for name in wanted for line in _parted(folder / name)[1]]
    return InputFile(str(path.relative_to(folder)), _settings(comments), _statements(imported + code))


def _parted(path: Path) -> tuple[list[str], list[str]]:
    """The comments of a file, and all its other lines."""
    comments, code = [], []
    for line in path.read_text(encoding="utf-8").split("\n"):
        is_comment = line.strip().startswith("--") and not line.strip().startswith(_DELIMITER)
        (comments if is_comment else code).append(line)
    return comments, code


def _settings(comments: list[str]) -> dict[str, str]:
    told = [line.removeprefix(_SET) for line in comments if line.startswith(_SET)]
    first = {found[1]: found[2] for line in reversed(comments) if (found := _DIMENSION.match(line))}
    pairs = [pair.partition("=") for line in [*told, *first.values()] for pair in line.split(",")]
    return {key.strip(): value.strip() for key, _, value in pairs}


def _statements(lines: list[str]) -> list[str]:
    pieces = [text for group in _groups(lines) for text in group]
    cleaned = ("\n".join(x for x in text.split("\n") if not x.startswith("--")).strip() for text in pieces)
    return [text for text in cleaned if text]


def _groups(lines: list[str]) -> Iterator[list[str]]:
    """Texts between delimiters, each one statement, and texts around them, which semicolons cut."""
    inside: list[str] = []
    for line in lines:
        if line.strip().startswith(f"{_DELIMITER}-START"):
            yield _END.split("\n".join(inside))
            inside = []
        elif line.strip().startswith(f"{_DELIMITER}-END"):
            yield ["\n".join(inside).removesuffix(";")]
            inside = []
        else:
            inside.append(line)
    yield _END.split("\n".join(inside))
