"""A snapshot on disk: its tables as Arrow data, its run record, its digest."""

from __future__ import annotations

import json
from hashlib import blake2b
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from headwater.store.schema import ADDED, TABLES


class Snapshot:
    """One build's result, which never changes again."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def name(self) -> str:
        """Its name, which begins with the time of its build."""
        return self.path.name

    @property
    def run(self) -> dict[str, Any]:
        """What the build says about itself."""
        found: dict[str, Any] = json.loads((self.path / "run.json").read_text())
        return found

    def files(self, name: str) -> tuple[Any, ...]:
        from headwater.store.build_folder import SnapshotFile

        return tuple(SnapshotFile(str(p), p.stat().st_size) for p in sorted((self.path / name).rglob("*.parquet")))

    def uris(self, name: str) -> list[str]:
        return [f"file://{Path(file.path).absolute()}" for file in self.files(name)]

    def local(self, name: str) -> list[Path]:
        return [Path(file.path) for file in self.files(name)]

    def dataset(self, table: str) -> ds.Dataset:
        """A table, to be read in parts."""
        if table in ADDED and not (self.path / table).is_dir():
            return ds.dataset(TABLES[table].schema.empty_table())
        return ds.dataset(self.path / table, schema=TABLES[table].schema, format="parquet")

    def table(self, table: str, columns: list[str] | None = None) -> pa.Table:
        """A table, read whole."""
        return self.dataset(table).to_table(columns=columns)

    def write(self, table: str, content: pa.Table) -> None:
        """Write a table that fits into memory."""
        folder = self.path / table
        folder.mkdir(parents=True, exist_ok=True)
        pq.write_table(content.cast(TABLES[table].schema), folder / "part-0.parquet", compression="zstd")

    def digest(self) -> str:
        """The digest of the content of all tables, whatever the order of their rows and files; the run record is no part of it."""
        whole = blake2b(digest_size=16)
        for name in sorted(TABLES):
            content = self.table(name)
            keys = [(field.name, "ascending") for field in content.schema if not pa.types.is_list(field.type)]
            order = pc.sort_indices(content, sort_keys=keys)
            for column in content.take(order).columns:
                whole.update(repr(column.to_pylist()).encode("utf-8", "surrogatepass"))
            whole.update(f"\0{name}\0".encode())
        return whole.hexdigest()
