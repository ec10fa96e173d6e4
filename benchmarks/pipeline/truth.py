"""The truth as files: `relations`, `columns`, `statements` and `queries`, each a gzipped CSV, sorted, the same for the same seed.

| file | columns |
|---|---|
| `relations.csv.gz` | target_table, target_column, source_table, source_column, type, subtype |
| `columns.csv.gz` | table, column, ordinal (from 1) |
| `statements.csv.gz` | path, kind (`script`, `log`), place (definitions come first), statements, broken (their places from 0) |
| `queries.csv.gz` | query (MD5 of a query that writes nothing), shape (MD5 of the first one that differs from it in literals only) |

A temporary view is `<path of its script>::<name>`.
"""

from __future__ import annotations

import csv
import gzip
import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from pipeline.edge import Edge

HEADINGS = {
    "relations": ("target_table", "target_column", "source_table", "source_column", "type", "subtype"),
    "columns": ("table", "column", "ordinal"),
    "statements": ("path", "kind", "place", "statements", "broken"),
    "queries": ("query", "shape"),
}


@dataclass(frozen=True, slots=True)
class Document:
    """A script or a file of the log: how many statements it has, and which of them are broken."""

    path: str
    kind: str
    place: int
    statements: int
    broken: tuple[int, ...]


@dataclass(slots=True)
class Truth:
    """What is known to be right about a corpus."""

    relations: set[Edge] = field(default_factory=set)
    columns: dict[str, tuple[str, ...]] = field(default_factory=dict)
    documents: list[Document] = field(default_factory=list)
    queries: dict[str, str] = field(default_factory=dict)

    def write(self, folder: Path) -> None:
        """Write all files into a folder."""
        folder.mkdir(parents=True, exist_ok=True)
        _write(folder, "relations", sorted(self.relations))
        owned = sorted(self.columns.items())
        _write(folder, "columns", ((table, name, i) for table, names in owned for i, name in enumerate(names, 1)))
        rows = ((d.path, d.kind, d.place, d.statements, " ".join(map(str, d.broken))) for d in self.documents)
        _write(folder, "statements", rows)
        _write(folder, "queries", sorted(self.queries.items()))


def _write(folder: Path, name: str, rows: Iterable[Sequence[object]]) -> None:
    path = folder / f"{name}.csv.gz"
    with path.open("wb") as raw, gzip.GzipFile("", "wb", compresslevel=5, fileobj=raw, mtime=0) as packed:
        text = io.TextIOWrapper(packed, encoding="utf-8", newline="")
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(HEADINGS[name])
        writer.writerows(rows)
        text.flush()
        text.detach()


def read(folder: Path, name: str) -> Iterator[list[str]]:
    """The rows of one of the files."""
    with gzip.open(folder / f"{name}.csv.gz", "rt", encoding="utf-8", newline="") as file:
        rows = csv.reader(file)
        heading = tuple(next(rows))
        if heading != HEADINGS[name]:
            raise ValueError(f"{name}.csv.gz has the columns {heading}, not {HEADINGS[name]}")
        yield from rows


def documents(folder: Path) -> list[Document]:
    """The scripts and log files, in an order in which definitions come first."""
    found = (
        Document(path, kind, int(place), int(count), tuple(map(int, broken.split())))
        for path, kind, place, count, broken in read(folder, "statements")
    )
    return sorted(found, key=lambda document: document.place)
