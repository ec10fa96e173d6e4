"""Manifests: a CSV file of scripts and the settings that each has of its own."""

from __future__ import annotations

import csv
import io
import os
from dataclasses import dataclass, replace
from pathlib import Path

from headwater.source.script import SourceScript
from headwater.sql.target import with_target
from headwater.sql.text import BINARY, decode

_SETTINGS = ("dialect", "default_schema", "schema_file", "target")


class ManifestError(ValueError):
    """A manifest that cannot be used: the message names its file and line."""


@dataclass(frozen=True, slots=True)
class ManifestEntry:
    """A script's path, and what is said about it; *line* is where."""

    path: str
    dialect: str | None = None
    default_schema: str | None = None
    schema_file: str | None = None
    line: int = 0
    target: str | None = None
    """The table that its last query fills."""

    def applied(self, script: SourceScript) -> SourceScript:
        """A script with these settings; what is not said here stays what the file says."""
        return replace(
            script,
            dialect=self.dialect or script.dialect,
            default_schema=self.default_schema or script.default_schema,
            schema_file=self.schema_file or script.schema_file,
            text=with_target(script.text, self.target or "") if script.kind == "sql" else script.text,
        )


def read_manifest(path: str | os.PathLike[str]) -> list[ManifestEntry]:
    """The entries of a manifest file, in order; its paths count from its folder."""
    return parse_manifest(os.fspath(path), Path(path).read_bytes())


def parse_manifest(name: str, content: bytes) -> list[ManifestEntry]:
    """The entries of a manifest of this name.

    Its columns are `path` and, if present, `dialect`, `default_schema`, `schema_file` and `target`; others are ignored.
    """
    read = decode(content)
    if read.encoding == BINARY:
        raise ManifestError(f"{name} holds no text")
    rows = _rows(name, read.text)
    if not rows:
        raise ManifestError(f"{name}, line 1: a header is needed, with a column path")
    columns = _columns(name, *rows[0])
    folder = name.replace(os.sep, "/").rpartition("/")[0]
    entries = [_entry(name, line, row, columns, folder) for line, row in rows[1:]]
    _check_once(name, entries)
    return entries


def _rows(name: str, text: str) -> list[tuple[int, list[str]]]:
    """The rows that are not empty, with the line where each begins."""
    delimiter = max(",;\t|", key=text.partition("\n")[0].count)
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True)
    rows, line = list[tuple[int, list[str]]](), 1
    try:
        for row in reader:
            if any(cell.strip() for cell in row):
                rows.append((line, [cell.strip() for cell in row]))
            line = reader.line_num + 1
    except csv.Error as error:
        raise ManifestError(f"{name}, line {line}: {error}") from error
    return rows


def _columns(name: str, line: int, header: list[str]) -> dict[str, int]:
    """The positions of the columns that matter."""
    names = [cell.lower().replace(" ", "_") for cell in header]
    for column in ("path", *_SETTINGS):
        if names.count(column) > 1:
            raise ManifestError(f"{name}, line {line}: the header has {column} twice")
    if "path" not in names:
        raise ManifestError(f"{name}, line {line}: the header has no column path; it has {', '.join(header)}")
    return {column: names.index(column) for column in ("path", *_SETTINGS) if column in names}


def _entry(name: str, line: int, row: list[str], columns: dict[str, int], folder: str) -> ManifestEntry:
    cells = {column: row[at] for column, at in columns.items() if at < len(row) and row[at]}
    if "path" not in cells:
        raise ManifestError(f"{name}, line {line}: the path is missing")
    schema = cells.get("schema_file")
    return ManifestEntry(
        _from(folder, cells["path"]),
        cells.get("dialect"),
        cells.get("default_schema"),
        _from(folder, schema) if schema else None,
        line,
        cells.get("target"),
    )


def _from(folder: str, path: str) -> str:
    """A path that counts from a folder; urls and absolute paths stay as they are."""
    written = path.replace(os.sep, "/")
    return written if not folder or "://" in written or os.path.isabs(path) else f"{folder}/{written}"


def _check_once(name: str, entries: list[ManifestEntry]) -> None:
    first: dict[str, int] = {}
    for entry in entries:
        if entry.path in first:
            raise ManifestError(f"{name}, line {entry.line}: {entry.path} is on line {first[entry.path]} already")
        first[entry.path] = entry.line
