"""Where inputs are: on the driver's own disk, or at a URI that Spark reads; and how they are shown.

A path without a scheme is the driver's. Workers open such a path only where they are known to share the driver's disk; else the driver
reads the file and sends it. A URI is read by Spark, with the cluster's own jars and credentials.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from fnmatch import fnmatch
from typing import TYPE_CHECKING, NamedTuple

import pyarrow as pa

from headwater.files import shown_name
from headwater.pipeline.read.file_stamp import NEVER, remote_stamp
from headwater.runtime.arrow_frames import to_arrow
from headwater.source.find import SKIPPED_FOLDERS
from headwater.source.ignore import IgnoreRules
from headwater.storage.uri import is_uri, spark_uri

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

TABLE = "table:"
"""Before the name of a table that is a query log."""
PATTERN = re.compile(r"([*?\[\]{}\\])")
"""What Spark takes for a pattern in a path."""


class NothingToRead(Exception):
    """What was named holds no SQL, or cannot be read."""


class InputFile(NamedTuple):
    """A file that is read: where it is, how it is shown, and by what the next build knows that it has not changed."""

    place: str
    """A path on the driver's disk, or a URI."""
    shown: str
    stamp: int = NEVER
    """Of a file at a URI; that of a local file is looked up (`file_stamp`)."""


def shown_path(place: str, root: str) -> str:
    """A place as it is shown: from the root on, if it is below. Without a root, local paths are shown from the working directory."""
    place = shown_name(place)
    if is_uri(place):
        above = f"{spark_uri(root).rstrip('/')}/" if is_uri(root) else None
        uri = spark_uri(place)
        return uri.removeprefix(above) if above is not None else place
    start = root if root and not is_uri(root) else os.curdir
    plain = start == os.curdir and not os.path.isabs(place) and os.pardir not in place
    relative = os.path.normpath(place) if plain else os.path.relpath(place, start)
    return (place if relative.startswith(os.pardir) else relative).replace(os.sep, "/")


def remote_files(
    spark: SparkSession, places: Sequence[str], include: Sequence[str], exclude: Sequence[str], root: str
) -> list[InputFile]:
    """The files at some URIs, listed by Spark: folders are walked, patterns expanded."""
    found: dict[str, InputFile] = {}
    for place in places:
        listed = list(_listed(spark, spark_uri(place)))
        if not listed:
            raise NothingToRead(f"there are no files at {place}")
        rules = IgnoreRules().with_patterns("", exclude)
        above = f"{spark_uri(place).rstrip('/')}/"
        for uri, size, modified in listed:
            below = uri.removeprefix(above)
            if uri == above.rstrip("/") or (_is_included(below, include) and not rules.ignores(below)):
                shown = shown_path(uri, root)
                found[uri] = InputFile(uri, shown, remote_stamp(uri, size, modified))
    return list(found.values())


def _listed(spark: SparkSession, uri: str) -> Iterator[tuple[str, int, float]]:
    """The files at a URI: where each is, its size and the time of its last change."""
    from pyspark.errors import AnalysisException

    reader = spark.read.format("binaryFile").option("recursiveFileLookup", True)
    try:
        table = to_arrow(reader.load(uri).select("path", "length", "modificationTime"))
    except AnalysisException as error:
        condition = error.getCondition() if hasattr(error, "getCondition") else error.getErrorClass()
        if condition in ("PATH_NOT_FOUND", "_LEGACY_ERROR_TEMP_1201"):
            raise NothingToRead(f"there is nothing at {uri}") from error
        raise
    times = table.column(2).cast(pa.timestamp("us", "UTC")).to_pylist()
    for path, size, modified in zip(table.column(0).to_pylist(), table.column(1).to_pylist(), times, strict=True):
        yield spark_uri(path), size, modified.timestamp() if isinstance(modified, datetime) else 0.0


def _is_included(path: str, include: Sequence[str]) -> bool:
    *folders, name = path.lower().split("/")
    if any(folder.startswith(".") or folder in SKIPPED_FOLDERS for folder in folders):
        return False
    return any(fnmatch(name, pattern) for pattern in include)


def contents_at(spark: SparkSession, uris: Sequence[str]) -> DataFrame:
    """The files at some URIs, one row each: `path`, as Spark spells it (`spark_uri`), and `content`."""
    exact = [PATTERN.sub(r"\\\1", uri) for uri in uris]
    return spark.read.format("binaryFile").load(exact).select("path", "content")
