"""Where the tables of a JDBC URL live, in OpenLineage's words: a namespace (`postgres://host:5432`), and names inside of it.

A table's name has its database before it, `shop.public.orders`. User and password of a URL are no part of it.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from headwater.model.entity import TableName


class _System(NamedTuple):
    """A kind of database: its scheme and dialect, its usual port, and the schema of tables that name none."""

    scheme: str
    dialect: str
    port: str = ""
    schema: str = ""
    has_schemas: bool = True
    """Whether a database holds schemas, and these the tables; else the two are the same."""


_SYSTEMS = {
    "postgresql": _System("postgres", "postgres", "5432", "public"),
    "redshift": _System("redshift", "redshift", "5439", "public"),
    "mysql": _System("mysql", "mysql", "3306", has_schemas=False),
    "mariadb": _System("mysql", "mysql", "3306", has_schemas=False),
    "sqlserver": _System("mssql", "tsql", "1433", "dbo"),
    "oracle": _System("oracle", "oracle", "1521"),
    "db2": _System("db2", "db2", "50000"),
    "snowflake": _System("snowflake", "snowflake", "", "PUBLIC"),
    "teradata": _System("teradata", "teradata", "1025", has_schemas=False),
    "trino": _System("trino", "trino", "8080"),
    "presto": _System("presto", "presto", "8080"),
    "clickhouse": _System("clickhouse", "clickhouse", "8123", has_schemas=False),
    "ch": _System("clickhouse", "clickhouse", "8123", has_schemas=False),
    "hive2": _System("hive", "hive", "10000", "default", has_schemas=False),
    "sqlite": _System("sqlite", "sqlite", has_schemas=False),
    "duckdb": _System("duckdb", "duckdb", "", "main"),
    "derby": _System("derby", "ansi"),
}
_SERVER = re.compile(r"//(?:[^/?;@]*@)?(?P<authority>[^/?;]*)(?:/(?P<path>[^?;:,]*))?(?P<rest>.*)", re.DOTALL)
_ORACLE = re.compile(r"[^@]*@(?://)?(?P<host>[\w.-]+)(?::(?P<port>\d+))?(?:[:/](?P<path>[\w.$-]+))?.*", re.DOTALL)
_ORACLE_LONG = re.compile(r"\(\s*(HOST|PORT|SERVICE_NAME|SID)\s*=\s*([^)\s]+)\s*\)", re.IGNORECASE)
_PARAMETER = re.compile(r"(?:^|[?;&,/:])\s*(?P<key>[A-Za-z_]+)=(?P<value>[^;&,]*)")
_DATABASE = ("databasename", "database", "db")
_SCHEMA = ("currentschema", "schema")


_TABLE_NAME = re.compile(r'(?:"[^"]+"|`[^`]+`|\[[^\]]+\]|[\w$#@]+)(?:\.(?:"[^"]+"|`[^`]+`|\[[^\]]+\]|[\w$#@]+))*')
_NAME_PART = re.compile(r'"[^"]+"|`[^`]+`|\[[^\]]+\]|[^.]+')
_SUBQUERY = re.compile(r"\(\s*(?P<query>.*\S)\s*\)\s*(?:AS\s+)?[\w\"`]*", re.DOTALL | re.IGNORECASE)


def name_parts(asked: str) -> TableName:
    """The parts of the table's name that Spark's option `dbtable` gives; none if it gives a query.

    >>> name_parts('sales."Order Lines"'), name_parts("(SELECT 1) AS q")
    (('sales', 'Order Lines'), ())
    """
    name = asked.strip()
    if not _TABLE_NAME.fullmatch(name):
        return ()
    return tuple(each.strip('"`[]') for each in _NAME_PART.findall(name))


def query_text(asked: str) -> str:
    """The query that such an option gives, without the brackets and the alias around it."""
    query = _SUBQUERY.fullmatch(asked.strip())
    return query["query"] if query is not None else asked.strip()


class Database(NamedTuple):
    """A database behind a JDBC URL."""

    namespace: str
    dialect: str
    name: tuple[str, ...]
    """The parts that stand before schema and table."""
    schema: tuple[str, ...]
    """The schema of tables that name none."""
    has_schemas: bool

    def table(self, parts: TableName) -> TableName:
        """The whole name of a table.

        >>> database_at("jdbc:postgresql://db.example/shop?user=me").table(("orders",))
        ('postgres://db.example:5432', 'shop', 'public', 'orders')
        >>> database_at("jdbc:mysql://root:secret@db/shop").table(("other", "orders"))
        ('mysql://db:3306', 'other', 'orders')
        """
        whole = len(self.name) + (1 if self.has_schemas else 0) + 1
        if len(parts) == 1 and self.has_schemas:
            parts = (*self.schema, *parts)
        return (self.namespace, *self.name[: max(0, whole - len(parts))], *parts)


def database_at(url: str) -> Database:
    """The database of a JDBC URL.

    >>> database_at("jdbc:sqlserver://db;databaseName=shop;password=x")[:4]
    ('mssql://db:1433', 'tsql', ('shop',), ('dbo',))
    >>> database_at("jdbc:oracle:thin:@//db:1522/sales")[:3]
    ('oracle://db:1522', 'oracle', ('sales',))
    """
    kind, _, rest = url.removeprefix("jdbc:").partition(":")
    system = _SYSTEMS.get(kind.lower(), _System(kind.lower(), "ansi"))
    told = {match["key"].lower(): match["value"] for match in _PARAMETER.finditer(rest)}
    if system.scheme == "oracle":
        place, path = _oracle(rest)
    else:
        place, path = _server(system, rest)
    name = next((told[key] for key in _DATABASE if told.get(key)), path)
    schema = next((told[key] for key in _SCHEMA if told.get(key)), system.schema)
    if system.scheme in ("trino", "presto") and "/" in name:
        name, _, schema = name.partition("/")
    listed = (name,) if name else ()
    return Database(place, system.dialect, listed, (schema,) if schema else (), system.has_schemas)


def _server(system: _System, rest: str) -> tuple[str, str]:
    found = _SERVER.match(rest)
    if found is None:  # a file
        return f"{system.scheme}:{re.split('[;?]', rest)[0]}", ""
    hosts = [_with_port(host, system.port) for host in found["authority"].split(",") if host]
    return f"{system.scheme}://{','.join(hosts)}", (found["path"] or "").strip("/")


def _oracle(rest: str) -> tuple[str, str]:
    long = {key.upper(): value for key, value in _ORACLE_LONG.findall(rest)}
    if "HOST" in long:
        return f"oracle://{long['HOST']}:{long.get('PORT', '1521')}", long.get("SERVICE_NAME") or long.get("SID", "")
    found = _ORACLE.match(rest)
    if found is None:
        return "oracle", ""
    return f"oracle://{found['host']}:{found['port'] or '1521'}", found["path"] or ""


def _with_port(host: str, port: str) -> str:
    return host if not port or re.search(r":\d+$", host) else f"{host}:{port}"
