"""How a table, path or stage is called in OpenLineage, and back: a namespace, which is where the data lives, and a name inside of it.

The names are those of OpenLineage's naming conventions: `snowflake://org-account` and `db.schema.table`, `s3://bucket` and `key`, `file`
and `/path`. What SQL does not say, such as the account, is the user's to give; else the namespace is its scheme alone.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from headwater.model.entity import PERSISTENT, EntityKind, TableName

_SCHEMES = {"tsql": "mssql", "databricks": "unitycatalog", "athena": "awsathena", "ansi": "sql", "": "sql"}
_DIALECTS = {
    **{scheme: dialect for dialect, scheme in _SCHEMES.items() if dialect},
    "sqlserver": "tsql",
    "postgresql": "postgres",
    "arn": "athena",
}
_KEYED = frozenset({"s3", "gs", "wasbs", "wasb"})
"""Schemes whose names are keys of objects, and begin without a slash."""
_SAME = {"s3a": "s3", "s3n": "s3", "gcs": "gs"}
"""Schemes that are another's with another client."""
_FILES = frozenset(
    {
        *("s3", "s3a", "s3n", "gs", "gcs", "hdfs", "viewfs", "abfs", "abfss", "wasb", "wasbs", "adl", "dbfs", "oss"),
        *("file", "http", "https", "ftp"),
    }
)
_BARE = frozenset({EntityKind.TABLE, EntityKind.VIEW, EntityKind.PATH, EntityKind.STAGE})
"""Kinds that a name says nothing of."""
_WORDS = frozenset(kind.value for kind in PERSISTENT - _BARE - {EntityKind.ORPHAN})
"""Kinds that stand before a name."""
_URI = re.compile(r"(?P<scheme>[A-Za-z][A-Za-z0-9+.-]+):(?://(?P<authority>[^/]*))?(?P<path>.*)", re.DOTALL)
_PART = re.compile(r'"(?:[^"]|"")*"|`[^`]*`|\[[^\]]*\]|[^.]+|(?<=\.)(?=\.)|^(?=\.)|(?<=\.)$', re.DOTALL)
_GLUE = re.compile(r"table/(?P<database>[^/]+)/(?P<table>.+)", re.DOTALL)


class DatasetName(NamedTuple):
    """What identifies a data set."""

    namespace: str
    name: str


def default_namespace(dialect: str) -> str:
    """Where the tables of a dialect live if nobody says: the scheme of its namespaces."""
    return _SCHEMES.get(dialect, dialect)


def dialect_of(namespace: str) -> str:
    """The dialect whose tables live in a namespace; its scheme if that says nothing to us."""
    scheme = namespace.partition(":")[0].lower()
    return _DIALECTS.get(scheme, scheme)


def dataset_name(kind: EntityKind, parts: TableName, namespace: str) -> DatasetName:
    """A data set's name; *namespace* is where tables live.

    >>> dataset_name(EntityKind.TABLE, ("shop", "orders"), "postgres://db:5432")
    DatasetName(namespace='postgres://db:5432', name='shop.orders')
    >>> dataset_name(EntityKind.PATH, ("s3a://lake/orders/day=1",), "spark")
    DatasetName(namespace='s3://lake', name='orders/day=1')
    >>> dataset_name(EntityKind.TABLE, ("mysql://db:3306", "shop", "orders"), "spark")
    DatasetName(namespace='mysql://db:3306', name='shop.orders')

    What is neither table nor file has its kind before its name, `metric:shop.revenue`: a table may be called the same.
    """
    if kind is EntityKind.PATH:
        return _of_path("".join(parts))
    if len(parts) > 1 and "://" in parts[0]:  # a table over JDBC (see `sql.jdbc_names`)
        namespace, *rest = parts
        parts = tuple(rest)
    name = ".".join(map(_quoted, parts))
    return DatasetName(namespace, name if kind in _BARE else f"{kind.value}:{name}")


def _of_path(path: str) -> DatasetName:
    found = _URI.fullmatch(path)
    if found is None or len(found["scheme"]) == 1 or found["scheme"].lower() == "file":
        local = path if found is None or len(found["scheme"]) == 1 else found["path"]
        host = found["authority"] if found is not None else None
        return DatasetName(f"file://{host}" if host else "file", local or "/")
    scheme = found["scheme"].lower()
    scheme = _SAME.get(scheme, scheme)
    name = found["path"].lstrip("/") if scheme in _KEYED else found["path"]
    authority = found["authority"]
    return DatasetName(scheme if authority is None else f"{scheme}://{authority}", name or "/")


def _quoted(part: str) -> str:
    """A part of a name as it stands between dots: in quotes if it holds some, or a dot, so that it can be read again."""
    return '"' + part.replace('"', '""') + '"' if part == "" or set('."`[]') & set(part) else part


def entity_name(namespace: str, name: str) -> tuple[EntityKind, TableName]:
    """What a data set is to us, and its name in the spelling of its source.

    >>> entity_name("bigquery", "project.shop.orders")
    (<EntityKind.TABLE: 'table'>, ('project', 'shop', 'orders'))
    >>> entity_name("gs://lake", "orders/2026")
    (<EntityKind.PATH: 'path'>, ('gs://lake/orders/2026',))
    >>> entity_name("file", "/lake/orders")
    (<EntityKind.PATH: 'path'>, ('/lake/orders',))
    """
    scheme = namespace.partition(":")[0].lower()
    if scheme in _FILES:
        return EntityKind.PATH, (_path(scheme, namespace, name),)
    if scheme in ("kafka", "pubsub"):
        return EntityKind.TABLE, (name,)
    if name.startswith("@"):
        return EntityKind.STAGE, (name,)
    word, colon, rest = name.partition(":")
    if colon and word in _WORDS:
        return EntityKind(word), tuple(map(_bare, _PART.findall(rest))) or (rest,)
    glue = _GLUE.fullmatch(name) if scheme == "arn" else None
    if glue is not None:
        return EntityKind.TABLE, (glue["database"], glue["table"])
    return EntityKind.TABLE, tuple(map(_bare, _PART.findall(name))) or (name,)


def _path(scheme: str, namespace: str, name: str) -> str:
    """`s3://bucket` and `key` as one uri; files of this machine are their path alone."""
    if scheme == "file" and namespace.lower().rstrip("/:") == "file":
        return name.removeprefix("file://").removeprefix("file:")
    root = namespace.rstrip("/")
    if ":" not in root:
        return f"{root}:{name}"
    return root + name if name.startswith("/") else f"{root}/{name}"


def _bare(part: str) -> str:
    if len(part) > 1 and part[0] == part[-1] == '"':
        return part[1:-1].replace('""', '"')
    return part[1:-1] if len(part) > 1 and (part[0], part[-1]) in {("`", "`"), ("[", "]")} else part
