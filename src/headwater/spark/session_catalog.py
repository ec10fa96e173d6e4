"""The catalog of a Spark session as a live catalog: Spark's own, in memory or Hive's metastore, and others that the session knows.

Spark has no bulk questions: names cost two statements per schema, each table one (`DESCRIBE … AS JSON`; Spark 3.5 is asked for the schema
too). Tables of other catalogs than
Spark's own have names of three parts.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING, Any

from headwater.catalog import CatalogError
from headwater.catalog.database import Database
from headwater.catalog.description import TABLE, VIEW, VIEWS, ColumnDescription, TableDescription
from headwater.catalog.failure import CatalogRefused, CatalogUnavailable
from headwater.catalog.url import SPARK
from headwater.catalog.view_sql import creating, written
from headwater.model.entity import TableName
from headwater.runtime.failure import reason
from headwater.runtime.versions import describes_as_json
from headwater.sql.dialect import Dialect, dialect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from pyspark.sql.types import DataType, StructField

_OWN = "spark_catalog"


@dataclass(frozen=True, slots=True)
class SessionCatalog:
    """The catalogs of the active session; answers as a `Live` catalog."""

    session: SparkSession | None = None
    """Another than the active one."""

    @property
    def place(self) -> str:
        """How it is shown."""
        return SPARK

    @property
    def key(self) -> str:
        """The name of its cache: of Hive's metastore; of the application, where the catalog is in its memory."""
        session = self._session()
        told: list[str | None] = []
        if session is not None and session.conf.get("spark.sql.catalogImplementation") == "hive":
            told = [
                session.conf.get(name, None) for name in ("spark.hadoop.hive.metastore.uris", "spark.sql.warehouse.dir")
            ]
        elif session is not None:
            told = [session.conf.get("spark.app.id", None)]
        return sha256(repr((SPARK, told)).encode()).hexdigest()[:24]

    @property
    def dialect(self) -> Dialect:
        """The SQL that it speaks."""
        return dialect("spark")

    @property
    def system(self) -> tuple[str, ...]:
        """Patterns of the schemas that it keeps for itself."""
        return ("information_schema", "sys")

    def _session(self) -> SparkSession | None:
        from pyspark.sql import SparkSession

        return self.session or SparkSession.getActiveSession()

    @contextmanager
    def connected(self) -> Iterator[Database]:
        """The session, if there is one."""
        session = self._session()
        if session is None:
            raise CatalogUnavailable(
                "there is no Spark session here; headwater build and headwater catalog pull start one"
            )
        yield _Session(session)

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Makes a `CatalogUnavailable` of what Spark raises."""
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        try:
            yield
        except CatalogError:
            raise
        except (PySparkException, Py4JError, OSError) as error:
            raise CatalogUnavailable(f"Spark's catalog cannot be read: {reason(error)}") from None


class _Session:
    """A session; answers as a `Database`."""

    def __init__(self, session: SparkSession) -> None:
        self._session = session
        self._spoken = dialect("spark")

    def path(self) -> tuple[TableName, ...]:
        """The schema that is in use."""
        return (_parts(self._session.catalog.currentCatalog(), self._session.catalog.currentDatabase()),)

    def schemas(self) -> tuple[TableName, ...]:
        """The schemas of all catalogs that have been used in the session."""
        catalogs = [row[0] for row in self._session.sql("SHOW CATALOGS").collect()]
        found = []
        for catalog in catalogs:
            rows = self._session.sql(f"SHOW SCHEMAS IN {written((catalog,), self._spoken)}").collect()
            found += [_parts(catalog, row[0]) for row in rows]
        return tuple(found)

    def relations(self, schema: TableName) -> Mapping[str, str]:
        """The tables and views of a schema, but for what is temporary."""
        from pyspark.errors import PySparkException

        try:
            return self._listed(schema)
        except PySparkException as error:
            raise CatalogRefused(reason(error)) from None

    def _listed(self, schema: TableName) -> Mapping[str, str]:
        place = written(schema, self._spoken)
        rows = self._session.sql(f"SHOW TABLES IN {place}").collect()
        found = {row["tableName"]: TABLE for row in rows if not row["isTemporary"]}
        views: list[Any] = self._session.sql(f"SHOW VIEWS IN {place}").collect() if len(schema) == 1 else []
        return found | {row["viewName"]: VIEW for row in views if not row["isTemporary"]}

    def stamps(self, schema: TableName, tables: Sequence[str]) -> Mapping[str, str]:
        """To ask whether a table has changed costs as much as to read it."""
        return {}

    def described(self, schema: TableName, tables: Mapping[str, str], whole: bool) -> Iterable[TableDescription]:
        """Some tables of a schema, one by one."""
        from pyspark.errors import PySparkException

        for table, kind in tables.items():
            name = (*schema, table)
            try:
                said = self._said(written(name, self._spoken))
                columns = tuple(map(_described_column, said["columns"]))
            except PySparkException as error:  # a lost right, a reader of files that is not there
                yield TableDescription(name, kind, problem=f"Spark cannot describe it: {reason(error)}")
                continue
            except RecursionError:
                yield TableDescription(name, kind, problem="the type of a column is nested too deeply")
                continue
            sql = creating(name, kind, said.get("view_text") or "", self._spoken) if kind in VIEWS else ""
            comment = said.get("comment") or ""
            yield TableDescription(name, kind, columns, sql, comment=comment, default_schema=_names_of(said))

    def _said(self, name: str) -> Mapping[str, Any]:
        """What Spark says of a table, as in `DESCRIBE … AS JSON`."""
        if describes_as_json(self._session):
            rows = self._session.sql(f"DESCRIBE TABLE EXTENDED {name} AS JSON").collect()
            found: Mapping[str, Any] = json.loads(rows[0][0])
            return found
        rows = self._session.sql(f"DESCRIBE TABLE EXTENDED {name}").collect()
        told = {_WORDS[row["col_name"]]: row["data_type"] for row in rows if row["col_name"] in _WORDS}
        return {**told, "columns": [_column(field) for field in self._session.table(name).schema.fields]}


_WORDS = {"View Text": "view_text", "View Catalog and Namespace": "view_catalog_and_namespace", "Comment": "comment"}


def _described_column(told: Mapping[str, Any]) -> ColumnDescription:
    return ColumnDescription(told["name"], _type(told["type"]), told.get("nullable"), told.get("comment") or "")


def _column(field: StructField) -> Mapping[str, Any]:
    """A column, as in `DESCRIBE … AS JSON`."""
    comment = field.metadata.get("comment", "")
    return {"name": field.name, "type": _described(field.dataType), "nullable": field.nullable, "comment": comment}


def _described(type: DataType) -> Mapping[str, Any]:
    """A type, as in `DESCRIBE … AS JSON`."""
    from pyspark.sql.types import ArrayType, DecimalType, MapType, StructType

    if isinstance(type, StructType):
        return {"name": "struct", "fields": [_column(field) for field in type.fields]}
    if isinstance(type, ArrayType):
        return {"name": "array", "element_type": _described(type.elementType)}
    if isinstance(type, MapType):
        return {"name": "map", "key_type": _described(type.keyType), "value_type": _described(type.valueType)}
    if isinstance(type, DecimalType):
        return {"name": "decimal", "precision": type.precision, "scale": type.scale}
    return {"name": type.simpleString()}


def _parts(catalog: str, schema: str) -> TableName:
    return (schema,) if catalog == _OWN else (catalog, schema)


def _names_of(said: Mapping[str, Any]) -> TableName:
    """The schema that was in use when a view was made: its SQL's names are looked up there."""
    catalog, _, schema = str(said.get("view_catalog_and_namespace") or "").partition(".")
    return _parts(catalog, schema) if schema else ()


def _type(told: Mapping[str, Any]) -> str:
    """A type as DDL writes it, out of the description of its parts."""
    name = str(told["name"])
    if name == "struct":
        fields = [f"{field['name']}: {_type(field['type'])}" for field in told["fields"]]
        return f"struct<{', '.join(fields)}>"
    if name == "array":
        return f"array<{_type(told['element_type'])}>"
    if name == "map":
        return f"map<{_type(told['key_type'])}, {_type(told['value_type'])}>"
    return f"decimal({told['precision']}, {told['scale']})" if name == "decimal" else name
