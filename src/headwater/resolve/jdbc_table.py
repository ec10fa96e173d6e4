"""Spark's tables and views of another database: `CREATE TABLE t USING jdbc OPTIONS (url '…', dbtable 's.t')`.

The other database's table is an entity of its own, named after its server and database as in captured jobs; user and password are no part
of it. The option `query`, or a query in brackets as `dbtable`, is read in the other database's dialect.

    CREATE TEMPORARY VIEW v USING jdbc OPTIONS (url 'jdbc:postgresql://db/shop', dbtable 'public.orders')
    -- v.* <- postgres://db:5432.shop.public.orders.*
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.kind import MOVED, WRITE_ROWS
from headwater.resolve.builder import Builder, Table
from headwater.resolve.call_argument import named_table
from headwater.resolve.query import is_query, query
from headwater.resolve.scope import Environment, ResultSet
from headwater.sql.embedded import embedded_query
from headwater.sql.jdbc_names import Database, database_at, name_parts, query_text
from headwater.sql.redact import without_secrets

_BY_URL = frozenset({"jdbc", "org.apache.spark.sql.jdbc"})
_BY_HOST = frozenset({"postgresql", "mysql", "sqlserver", "redshift"})
"""Databricks' sources that have the server among their options."""


class JdbcSource(NamedTuple):
    """What the options of a CREATE TABLE name: a database, and the literal with a table's name or a query."""

    database: Database
    asked: Any
    is_query: bool


def jdbc_source(builder: Builder, node: exp.Create) -> JdbcSource | None:
    """The other database's table or query behind a CREATE TABLE; None if its rows are elsewhere."""
    if builder.dialect.family not in ("spark", "databricks"):
        return None
    properties = node.args["properties"].expressions if node.args.get("properties") else ()
    formats = [p.name.lower() for p in properties if isinstance(p, exp.FileFormatProperty)]
    if not formats or formats[0] not in _BY_URL | _BY_HOST:
        return None
    options = {key: value for p in properties if isinstance(p, exp.OptionsProperty) for key, value in _options(p)}
    url = options["url"].name if "url" in options else _url(formats[0], options)
    asked = options.get("query") or options.get("dbtable")
    if not url or asked is None:
        message = "the options of a JDBC table name no url, or no dbtable or query, that can be read"
        builder.say(Code.UNSUPPORTED_CONSTRUCT, message, node, formats[0])
        return None
    database = database_at(url) if url.startswith("jdbc:") else Database(without_secrets(url), "ansi", (), (), False)
    return JdbcSource(database, asked, "query" in options or not name_parts(asked.name))


def _options(node: exp.OptionsProperty) -> Iterable[tuple[str, Any]]:
    for each in node.expressions:
        value = each.args.get("value") if isinstance(each, exp.Property) else None
        if isinstance(value, exp.Literal) and isinstance(each.this, exp.Expr):
            yield each.this.name.lower(), value


def _url(kind: str, options: Mapping[str, Any]) -> str:
    """The URL that Databricks' options `host`, `port` and `database` make up."""
    if kind not in _BY_HOST or "host" not in options:
        return ""
    port = f":{options['port'].name}" if "port" in options else ""
    database = options["database"].name if "database" in options else ""
    between = ";databaseName=" if kind == "sqlserver" else "/"
    return f"jdbc:{kind}://{options['host'].name}{port}{between}{database}"


def fill_from_database(builder: Builder, table: Table, names: Sequence[str], source: JdbcSource) -> Sequence[str]:
    """Let the other database's columns flow into the table's, by name; into its `*` where nobody lists them.

    Gives the names of the table's columns, as far as they are all known.
    """
    if not source.is_query:
        _show(builder, table, names or ["*"], builder.reads(_remote(builder, source)))
        return names
    literal = source.asked
    tree = _query(builder, literal, source.database)
    if tree is None:
        builder.say(Code.DYNAMIC_SQL, "the query to another database is not understood", literal, table.name[-1])
        return names
    result = query(builder, tree, None, Environment())
    given = names or [name for name, _ in result.outputs]
    _show(builder, table, given, result)
    return () if result.open and not names else given


def hand_to_database(builder: Builder, table: Table, names: Sequence[str], source: JdbcSource) -> None:
    """CREATE TABLE … USING jdbc … AS: what the table is made of is written into the other database's table."""
    if source.is_query:
        return
    target = builder.writes(_remote(builder, source))
    for name in names:
        builder.edge(target.claim(name), table.claim(name), MOVED, None)
    builder.edge(target.rows, table.rows, WRITE_ROWS, None)


def _remote(builder: Builder, source: JdbcSource) -> Table:
    return builder.table(_located(source.database.table(name_parts(source.asked.name)), source.asked))


def _show(builder: Builder, table: Table, names: Sequence[str], given: Table | ResultSet) -> None:
    builder.writes(table)
    for name in names:
        builder.edge(table.claim(name), given.claim(name), MOVED, None)
    builder.edge(table.rows, given.rows, WRITE_ROWS, None)


def _query(builder: Builder, literal: Any, database: Database) -> Any:
    """The tree of a query to another database, all of its tables named after that."""
    text = query_text(literal.name)
    node = literal if text == literal.name else exp.Literal.string(text)
    tree = embedded_query(builder.places, node, (database.dialect,))
    if tree is None or not is_query(tree):
        return None
    ctes = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
    for table in list(tree.find_all(exp.Table)):
        if not isinstance(table.this, exp.Identifier) or (not table.args.get("db") and table.name.lower() in ctes):
            continue
        if table.args.get("alias") is None:
            table.set("alias", exp.TableAlias(this=table.this.copy()))
        parts = tuple(part.name for part in table.parts)
        table.set("this", _located(database.table(parts), literal).this)
        table.set("db", None)
        table.set("catalog", None)
    return tree


def _located(parts: tuple[str, ...], literal: Any) -> Any:
    """A table node of these parts, placed where the literal stands."""
    identifiers = [exp.to_identifier(part, quoted=True) for part in parts]
    for each in identifiers:
        each.meta.update(literal.meta)
    return named_table(identifiers)
