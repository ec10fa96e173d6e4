"""Which storage a place belongs to."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from headwater.storage.disk import Disk
from headwater.storage.interface import Storage, StorageError
from headwater.storage.uri import local_path, scheme

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

OBJECT_STORES = frozenset({"s3", "s3a", "s3n", "gs", "az", "abfs", "abfss"})


def open_storage(place: str | os.PathLike[str], spark: SparkSession | None = None) -> Storage:
    """Open the storage whose root is a place.

    With a Spark session, credentials and end points are those of the session's Hadoop configuration, where it has some. Without one,
    they are those of the environment.
    """
    named = os.fspath(place)
    path = local_path(named)
    refuse_password(named)
    if path is not None:
        return Disk(path)
    if scheme(named) in OBJECT_STORES:
        return _object_store(named, spark)
    from headwater.storage.hadoop import HadoopStorage

    return HadoopStorage.of(named, spark)


def refuse_password(place: str) -> None:
    """Refuse a URI with `user:password@`."""
    if local_path(place) is None and ":" in urlsplit(place).netloc.rpartition("@")[0]:
        raise StorageError("a URI must not hold a password or key: use the environment's or Spark's settings")


def _object_store(place: str, spark: Any) -> Storage:
    from headwater.storage.hadoop_settings import object_store_settings

    try:
        from headwater.storage.object_store import ObjectStorage
    except ModuleNotFoundError as error:
        raise StorageError(f"{place} needs {error.name}: pip install 'headwater[object-stores]'") from error
    settings: Mapping[str, Any] = object_store_settings(place, spark) if spark is not None else {}
    return ObjectStorage(place, settings)
