"""What there is to stitch, as files: all of it, or narrowed to what is touched."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa

from headwater.pipeline.cuts import KEPT
from headwater.pipeline.read import SCRIPT
from headwater.pipeline.records import SCHEMA
from headwater.pipeline.stitch import Parts
from headwater.pipeline.units import PLACE
from headwater.runtime.arrow_ddl import ddl

if TYPE_CHECKING:
    from pyspark.sql import DataFrame
    from pyspark.sql.types import StructType

SCRIPTS = pa.schema([field for field in SCRIPT if field.name not in ("text", "problem")])
KNOWN = pa.schema(
    [
        ("entity_id", pa.int64()),
        ("parts", pa.list_(pa.string())),
        ("column_ids", pa.list_(pa.int64())),
        ("columns", pa.list_(pa.string())),
        ("types", pa.list_(pa.string())),
    ]
)
ELSEWHERE = pa.schema([("process_id", pa.int64()), ("script_id", pa.int64())])

_SCHEMAS = {
    "scripts": SCRIPTS,
    "cuts": KEPT,
    "places": PLACE,
    "records": SCHEMA,
    "known": KNOWN,
    "elsewhere": ELSEWHERE,
}

Read = Callable[[Path, "str | StructType"], "DataFrame"]
"""Reads Parquet files."""


@dataclass(frozen=True, slots=True)
class PartFiles:
    """Files, or folders of files, for each of the `Parts`; the folder `behind_stars` may be empty."""

    scripts: Path
    cuts: Path
    places: Path
    records: Path
    behind_stars: Path
    known: Path
    elsewhere: Path

    @classmethod
    def below(cls, folder: Path) -> PartFiles:
        """Files in a folder, named like the parts."""
        return cls(*(folder / field.name for field in fields(cls)))

    @property
    def size(self) -> int:
        """How many bytes they have."""
        paths = (getattr(self, field.name) for field in fields(self))
        files = (file for path in paths for file in (path.rglob("*.parquet") if path.is_dir() else (path,)))
        return sum(file.stat().st_size for file in files)

    def parts(self, read: Read) -> Parts:
        """What is in the files."""
        found = {name: read(getattr(self, name), ddl(schema)) for name, schema in _SCHEMAS.items()}
        asked = any(self.behind_stars.iterdir())
        return Parts(**found, behind_stars=read(self.behind_stars, ddl(SCHEMA)) if asked else None)
