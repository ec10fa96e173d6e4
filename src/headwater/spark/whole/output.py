"""A DataFrame to a file, or to a folder of Parquet files.

Spark writes a file per task; these are put together, so that a name stands for one file. It appears as a whole or not at all.
"""

from __future__ import annotations

import csv
import io
import os
import shutil
from pathlib import Path
from uuid import uuid4

import pyarrow.parquet as pq
from pyspark.sql import Column, DataFrame, Observation
from pyspark.sql import functions as f
from pyspark.sql.types import MapType, StringType, StructField

from headwater.export.cells import FORMULA

_OPTIONS = {
    "parquet": {"compression": "zstd"},
    "csv": {"escape": '"', "emptyValue": ""},
    "json": {"ignoreNullFields": "false"},
}


def write_folder(frame: DataFrame, folder: Path) -> int:
    """Write a folder of Parquet files, which must not be there yet; gives the number of rows."""
    work = _beside(folder)
    try:
        rows = _write(frame, work, "parquet")
        for marker in [work / "_SUCCESS", *work.glob(".*.crc")]:
            marker.unlink(missing_ok=True)
        os.replace(work, folder)
        return rows
    finally:
        shutil.rmtree(work, ignore_errors=True)


def write_file(frame: DataFrame, file: Path, kind: str, *, safe: bool = True) -> int:
    """Write one file, `parquet`, `csv` or `json` (a record a line, ids as strings); gives the number of rows.

    Cells of CSV are *safe* to open in a spreadsheet: none is a formula.
    """
    work = _beside(file)
    whole = work.with_name(f"{work.name}.whole")
    try:
        rows = _write(_fit(frame, kind, safe), work, kind)
        _put_together(work, whole, kind, frame.columns)
        os.replace(whole, file)
        return rows
    finally:
        shutil.rmtree(work, ignore_errors=True)
        whole.unlink(missing_ok=True)


def _beside(path: Path) -> Path:
    """Where something is written before it is put in its place."""
    return path.absolute().with_name(f".{path.name}.{uuid4().hex[:8]}")


def _write(frame: DataFrame, folder: Path, kind: str) -> int:
    counted = Observation()
    observed = frame.observe(counted, f.count(f.lit(1)).alias("rows"))
    observed.write.format(kind).options(**_OPTIONS[kind]).save(str(folder.absolute()))
    return int(counted.get["rows"])


def _fit(frame: DataFrame, kind: str, safe: bool) -> DataFrame:
    """The frame as the format can hold it."""
    return frame if kind == "parquet" else frame.select(*(_fitting(field, kind, safe) for field in frame.schema))


def _fitting(field: StructField, kind: str, safe: bool) -> Column:
    """CSV has no maps, and numbers of 64 bits are more than many readers of JSON can take."""
    column = f.col(field.name)
    if kind == "csv" and isinstance(field.dataType, MapType):
        return f.to_json(column).alias(field.name)
    if kind == "json" and field.name.endswith("_id"):
        return column.cast("string").alias(field.name)
    if kind == "csv" and safe and isinstance(field.dataType, StringType):
        is_formula = f.substring(column, 1, 1).isin(*FORMULA)
        return f.when(is_formula, f.concat(f.lit("'"), column)).otherwise(column).alias(field.name)
    return column


def _put_together(parts: Path, whole: Path, kind: str, columns: list[str]) -> None:
    files = sorted(parts.glob("part-*"))
    if kind == "parquet":
        _join_parquet(files, whole)
        return
    with whole.open("wb") as out:
        if kind == "csv":
            out.write(_heading(columns))
        for file in files:
            with file.open("rb") as part:
                shutil.copyfileobj(part, out)


def _join_parquet(files: list[Path], whole: Path) -> None:
    with pq.ParquetWriter(whole, pq.read_schema(files[0]), compression="zstd") as out:
        for file in files:
            with pq.ParquetFile(file) as part:
                for number in range(part.num_row_groups):
                    out.write_table(part.read_row_group(number))


def _heading(columns: list[str]) -> bytes:
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow(columns)
    return line.getvalue().encode()
