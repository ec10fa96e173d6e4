"""`spark.read.format("headwater").load("sql/")`: the column edges of the scripts in folders, as a DataFrame.

Workers open the files, so that the folder must be one that they see. Data sources in Python need PySpark 4.0.
"""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwater.runtime.arrow_ddl import ddl
from headwater.runtime.versions import has_python_data_sources
from headwater.source import find_files, scripts_of
from headwater.spark.edges import SCHEMA, edge_rows

if TYPE_CHECKING or has_python_data_sources():
    from pyspark.sql.datasource import DataSource, DataSourceReader, InputPartition
else:
    DataSource = DataSourceReader = InputPartition = object

_FILES = 20
"""Files in a partition."""


class HeadwaterSource(DataSource):
    """Scripts as column edges; options `dialect` and `defaultSchema`."""

    @classmethod
    def name(cls) -> str:
        """What `format` is given."""
        return "headwater"

    def schema(self) -> str:
        """The script's path, then an edge."""
        return f"path string, {ddl(SCHEMA)}"

    def reader(self, schema: Any) -> DataSourceReader:
        """The reader of the folders that were named."""
        return _Reader(dict(self.options))


class _Files(InputPartition):
    def __init__(self, paths: Sequence[str]) -> None:
        self.paths = tuple(paths)


class _Reader(DataSourceReader):
    """Reads some files in each partition."""

    def __init__(self, options: dict[str, str]) -> None:
        if not options.get("path"):
            raise ValueError("name a folder or a file: .load('sql/')")
        self._root = options["path"]
        self._dialect = options.get("dialect", "spark")
        self._default_schema = options.get("defaultschema", options.get("defaultSchema"))

    def partitions(self) -> Sequence[InputPartition]:
        """The files, some in each."""
        files = list(find_files([self._root]))
        return [_Files(files[i : i + _FILES]) for i in range(0, len(files), _FILES)]

    def read(self, partition: Any) -> Iterator[tuple[Any, ...]]:
        """The edges of a partition's files."""
        for path in partition.paths:
            for script in scripts_of(path, _content(path)):
                dialect, default = script.dialect or self._dialect, script.default_schema or self._default_schema
                for row in edge_rows(script.text, dialect, default):
                    yield (script.path, *row)


def _content(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except FileNotFoundError as error:
        raise FileNotFoundError(
            f"{path} is not on the worker {socket.gethostname()}: the data source reads folders that all workers see; "
            "headwater build reads the driver's folders too, and lineage_of any DataFrame with SQL"
        ) from error
