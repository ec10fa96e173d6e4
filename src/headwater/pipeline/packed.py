"""Arrow tables inside rows: a row of a packed frame is a chunk of work, each of its columns one table of the chunk, as bytes.

Spark moves some thousand rows of bytes and looks into none of them; Python makes them and reads them, a column of values at a time. A
chunk says in which pass of which build it was made (`made_in`): a row of a chunk that a later pass has replaced is *superseded*, and left
out when the chunk is read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from headwater.pipeline.exchange import Saved
from headwater.pipeline.ids import Ids, Only, is_among
from headwater.runtime.arrow_ddl import ddl

if TYPE_CHECKING:
    from pyspark.sql import DataFrame

MADE_IN = "made_in"
FILE = "file"
_FILE_FIELD = pa.field(FILE, pa.int64())
_CODEC = pa.ipc.IpcWriteOptions(compression="zstd")
_MAX_DRIVER_BYTES = 2**26
"""Bytes of files that the driver unpacks itself; more of them are unpacked by Spark's tasks."""
_MAX_ROWS_PER_BATCH = 10_000


def chunk_schema(*tables: str) -> pa.Schema:
    """The schema of a packed frame with these tables."""
    return pa.schema([(MADE_IN, pa.int64()), *((name, pa.binary()) for name in tables)])


def pack(table: pa.Table) -> bytes:
    """A table as bytes."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, table.schema, options=_CODEC) as writer:
        writer.write_table(table)
    packed: bytes = sink.getvalue().to_pybytes()
    return packed


def unpack(payload: pa.BinaryScalar) -> pa.Table:
    """A table out of its bytes."""
    with pa.ipc.open_stream(payload.as_buffer()) as reader:
        return reader.read_all()


Superseded = Mapping[int, Ids]
"""By the pass that made them, the ids whose rows a later pass has replaced, or that are gone; sorted."""


@dataclass(frozen=True, slots=True)
class Chunks:
    """A packed frame: its files, the tables in its columns, and which of their rows are superseded."""

    saved: Saved
    schemas: Mapping[str, pa.Schema]
    key: str
    """The column, of every table, with the ids that may be superseded."""
    superseded: Superseded

    def rows(self, table: str, *only: Only, columns: Sequence[str] = ()) -> DataFrame:
        """The rows of a table, or some of its columns, for Spark."""
        schema = self._schema(table, columns)
        packed = self.saved.frame(MADE_IN, table)
        return packed.mapInArrow(_unpacker(self.key, self.superseded, schema, only), ddl(schema))

    def table(self, table: str, *only: Only, columns: Sequence[str] = ()) -> pa.Table:
        """The rows of a table, or some of its columns, for the driver."""
        schema = self._schema(table, columns)
        found = self.saved.exchange.local_files(self.saved.uris)
        if found is None or sum(_column_bytes(path, table) for path in found) > _MAX_DRIVER_BYTES:
            return self.saved.exchange.collect(self.rows(table, *only, columns=columns), schema)
        parts = [schema.empty_table()]
        for batch in self.saved.table([MADE_IN, table]).to_batches():
            parts += _tables(batch, self.key, self.superseded, schema, only)
        return pa.concat_tables(parts)

    def with_files(self, table: str) -> pa.Table:
        """The rows of a table, for the driver, each with the id of its file (`FILE`)."""
        schema = self.schemas[table]
        parts = [schema.append(_FILE_FIELD).empty_table()]
        for file, packed in self.saved.by_file(MADE_IN, table):
            for batch in packed.to_batches():
                for rows in _tables(batch, self.key, self.superseded, schema, ()):
                    parts.append(rows.append_column(_FILE_FIELD, pa.array(np.full(len(rows), file))))
        return pa.concat_tables(parts)

    def in_files(self, files: Ids) -> Chunks:
        """The chunks in some files."""
        return replace(self, saved=self.saved.in_files(files))

    def _schema(self, table: str, columns: Sequence[str]) -> pa.Schema:
        whole = self.schemas[table]
        return pa.schema([whole.field(name) for name in columns]) if columns else whole


def _column_bytes(path: str, column: str) -> int:
    """The size of a column in a file."""
    metadata = pq.read_metadata(path)
    at = metadata.schema.names.index(column)
    return sum(metadata.row_group(i).column(at).total_compressed_size for i in range(metadata.num_row_groups))


def _unpacker(
    key: str, superseded: Superseded, schema: pa.Schema, only: tuple[Only, ...]
) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            for table in _tables(batch, key, superseded, schema, only):
                yield from table.combine_chunks().to_batches(_MAX_ROWS_PER_BATCH)

    return run


def _tables(
    batch: pa.RecordBatch, key: str, superseded: Superseded, schema: pa.Schema, only: tuple[Only, ...]
) -> Iterator[pa.Table]:
    """The tables in the rows of a packed batch: `made_in`, and the table."""
    for made_in, payload in zip(batch.column(0).to_pylist(), batch.column(1), strict=True):
        if not payload.is_valid:
            continue
        table = unpack(payload)
        dead = superseded.get(made_in)
        if dead is not None and len(table) and key in table.column_names:
            table = table.filter(pa.array(~is_among(dead, table.column(key).to_numpy())))
        for each in only:
            table = each.among(table) if len(table) else table
        if len(table):
            yield table.select(schema.names).cast(schema)
