"""URIs of files: which strings are URIs, how Spark names a place, and which places are folders of this machine."""

from __future__ import annotations

import os
import re
from pathlib import Path

_URI = re.compile(r"([a-z][a-z0-9+.-]+):/", re.IGNORECASE)
_VOLUMES = "/Volumes/"
"""Databricks' volumes: a mounted folder for Python, a path of the Databricks file system for Spark."""


def is_uri(place: str) -> bool:
    """Whether a place has a scheme.

    >>> [is_uri(place) for place in ("s3://bucket/sql", "dbfs:/sql", "file:///sql", "sql/a.sql", "table:log", "C:/sql")]
    [True, True, True, False, False, False]
    """
    return _URI.match(place) is not None


def scheme(place: str) -> str:
    """The scheme of a place, in lower case; `file` if it has none."""
    found = _URI.match(place)
    return found[1].lower() if found else "file"


def spark_uri(place: str) -> str:
    """A place as Spark names it, always with a scheme, so that the cluster's default file system does not matter.

    >>> spark_uri("s3://bucket/sql"), spark_uri("/Volumes/main/sql"), spark_uri("/sql"), spark_uri("file:/sql")
    ('s3a://bucket/sql', 'dbfs:/Volumes/main/sql', 'file:///sql', 'file:///sql')
    """
    if scheme(place) == "file" and is_uri(place):
        return f"file:///{place.partition(':')[2].lstrip('/')}"
    if not is_uri(place):
        path = os.path.abspath(place)
        return f"dbfs:{path}" if path.startswith(_VOLUMES) else f"file://{path}"
    return f"s3a://{place[5:]}" if place.lower().startswith("s3://") else place


def local_path(place: str) -> Path | None:
    """The path of a place on this machine; None if it is elsewhere.

    >>> [str(local_path(place)) for place in ("sql", "file:///sql", "dbfs:/sql", "dbfs:/Volumes/main/sql", "s3://b/sql")]
    ['sql', '/sql', '/dbfs/sql', '/Volumes/main/sql', 'None']
    """
    known = scheme(place)
    if not is_uri(place):
        return Path(place)
    rest = place.partition(":")[2]
    path = "/" + rest.lstrip("/")
    if known == "file":
        return Path(path)
    if known == "dbfs":
        return Path(path if path.startswith(_VOLUMES) else f"/dbfs{path}")
    return None


def join(root: str, key: str) -> str:
    """The URI of a key below a root."""
    return f"{root.rstrip('/')}/{key}"
