"""Tables elsewhere: a query that another server runs (OPENQUERY, EXTERNAL_QUERY), a table named by a function (ClickHouse's remote).

What is on another server carries that server's name before its own, `srv.db.dbo.t`, so that it is never taken for
ours. The text of a query is resolved like any other query, inside its string.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.call_argument import is_database_pattern, merged_tables, named, named_table, table_of
from headwater.resolve.from_item import add_derived, alias_name, put_item
from headwater.resolve.generator import arguments_of, name_of
from headwater.resolve.query import is_query, query
from headwater.resolve.read_files import property_of
from headwater.resolve.scope import Environment, Scope
from headwater.resolve.table_function import in_from, undescribed
from headwater.resolve.wildcard_table import merged
from headwater.sql.embedded import embedded_query
from headwater.sql.reading.exasol_import import IMPORTED


@in_from("openquery", dialects=("tsql",))
def open_query(scope: Scope, node: Any, call: Any) -> bool:
    """`OPENQUERY(srv, 'SELECT … FROM db.dbo.t')`."""
    server, *rest = arguments_of(call) or [None]
    if len(rest) != 1 or not _run(scope, node, server, rest[0], ("tsql", "oracle", "postgres", "mysql")):
        undescribed(scope, node, exp.Anonymous(this="OPENQUERY", expressions=[r.copy() for r in rest]), None)
    return True


@in_from("openrowset", dialects=("tsql",))
def open_row_set(scope: Scope, node: Any, call: Any) -> bool:
    """`OPENROWSET('provider', 'Server=S;…', 'SELECT …')`: the server is the one that the connection names, if it does.

    `'S';'user';'password'` may stand for the connection.
    """
    arguments = [value for name, value in (named(scope, a) for a in arguments_of(call)) if not name]
    if len(arguments) < 3 or not all(isinstance(a, exp.Literal) for a in arguments[1:]):
        return False
    server = exp.to_identifier(_server(arguments[1].name), quoted=True)
    return _run(scope, node, server, arguments[-1], ("tsql",))


def _server(connection: str) -> str:
    """The server of a connection string, which may be nothing but its name; it may hold secrets and is not used otherwise."""
    if "=" not in connection:
        return connection
    for part in connection.split(";"):
        key, _, value = part.partition("=")
        if key.strip().lower() in ("server", "data source", "host") and value.strip():
            return value.strip()
    return "openrowset"


@in_from("external_query", dialects=("bigquery",))
def external_query(scope: Scope, node: Any, call: Any) -> bool:
    """BigQuery's `EXTERNAL_QUERY('connection', 'SELECT …')`: PostgreSQL, MySQL or Spanner answers."""
    connection, *rest = arguments_of(call) or [None]
    return bool(rest) and _run(scope, node, connection, rest[0], ("postgres", "mysql", "bigquery"))


@in_from("postgres_query", "mysql_query", dialects=("duckdb",))
def attached_query(scope: Scope, node: Any, call: Any) -> bool:
    """DuckDB's `postgres_query('attached', 'SELECT …')`."""
    attached, *rest = arguments_of(call) or [None]
    return bool(rest) and _run(scope, node, attached, rest[0], (name_of(call).removesuffix("_query"),))


@in_from("postgres_query", "mysql_query", dialects=("postgres",))
def queried_server(scope: Scope, node: Any, call: Any) -> bool:
    """RisingWave's `postgres_query('host', '5432', 'user', '…', 'database', 'SELECT …')`."""
    arguments = arguments_of(call)
    asked = (name_of(call).removesuffix("_query"),)
    return len(arguments) > 5 and _run(scope, node, arguments[0], arguments[5], asked, arguments[4])


@in_from("remote_query", dialects=("databricks",))
def remote_query(scope: Scope, node: Any, call: Any) -> bool:
    """Databricks' `remote_query('connection', database => 'd', query => 'SELECT …')`."""
    given = dict(named(scope, argument) for argument in arguments_of(call))
    connection, text = given.get("") or given.get("connectionname"), given.get("query")
    return connection is not None and _run(scope, node, connection, text, _OTHERS, given.get("database"))


@in_from("query", dialects=("doris",))
def query_of_catalog(scope: Scope, node: Any, call: Any) -> bool:
    """Doris' `QUERY("catalog" = "c", "query" = "SELECT …")`: the database behind a JDBC catalog answers."""
    catalog, text = property_of(call, "catalog"), property_of(call, "query")
    return catalog is not None and _run(scope, node, catalog, text, _OTHERS)


@in_from("system.query", dialects=("trino", "presto"))
def catalog_query(scope: Scope, node: Any, call: Any) -> bool:
    """Trino's `TABLE(catalog.system.query(query => 'SELECT …'))`."""
    schema = call.parent.this if isinstance(call.parent, exp.Dot) else None
    if not isinstance(schema, exp.Dot):
        return False
    given = dict(named(scope, argument) for argument in arguments_of(call))
    return _run(scope, node, schema.this, given.get("query") or given.get(""), _OTHERS)


@in_from("*.external_query", dialects=("dremio",))
def source_query(scope: Scope, node: Any, call: Any) -> bool:
    """Dremio's `TABLE(source.EXTERNAL_QUERY('SELECT …'))`."""
    source = call.parent.this if isinstance(call.parent, exp.Dot) else node.args.get("db")
    text, *_ = arguments_of(call) or [None]
    return _run(scope, node, source, text, _OTHERS)


@in_from(IMPORTED, dialects=("exasol",))
def imported(scope: Scope, node: Any, call: Any) -> bool:
    """Exasol's `IMPORT … AT c STATEMENT 'SELECT …'`, which reaches us as a call."""
    connection, *rest = arguments_of(call) or [None]
    return bool(rest) and _run(scope, node, connection, rest[0], ("exasol", *_OTHERS))


@in_from("foreign_table", dialects=("teradata",))
def foreign_table(scope: Scope, node: Any, call: Any) -> bool:
    """Teradata's `FOREIGN TABLE (SELECT …)@server`, which reaches us as a call."""
    asked, *server = arguments_of(call) or [None]
    tree = asked.unnest() if isinstance(asked, exp.Subquery) else asked
    if not server or not isinstance(server[0], exp.Column) or not isinstance(tree, exp.Expr) or not is_query(tree):
        return False
    _put_remote(scope, node, tree, [exp.to_identifier(server[0].name)])
    return True


_OTHERS = ("postgres", "mysql", "tsql", "oracle", "snowflake")
"""Who may answer where only the connection knows."""


@in_from("dblink", dialects=("postgres", "redshift"))
def dblink(scope: Scope, node: Any, call: Any) -> bool:
    """`dblink('connection', 'SELECT …') AS r (a int)`."""
    connection, *rest = arguments_of(call) or [None]
    if not rest or not isinstance(connection, exp.Literal):
        return False
    server = _server(connection.name.replace(" ", ";")) if "=" in connection.name else connection.name
    return _run(scope, node, exp.to_identifier(server, quoted=True), rest[0], ("postgres",))


def _run(scope: Scope, node: Any, server: Any, text: Any, dialects: tuple[str, ...], database: Any = None) -> bool:
    """Put the rows of a query's text into FROM; False if it is not written out, or nobody understands it."""
    if not isinstance(text, exp.Literal) or not isinstance(server, (exp.Column, exp.Identifier, exp.Literal)):
        return False
    tree = embedded_query(scope.builder.places, text, dialects)
    if tree is None or not is_query(tree):
        return False
    outer = [exp.to_identifier(server.name, quoted=not isinstance(server, exp.Column))]
    if isinstance(database, exp.Literal):
        outer.append(exp.to_identifier(database.name, quoted=True))
    _put_remote(scope, node, tree, outer)
    return True


def _put_remote(scope: Scope, node: Any, tree: Any, outer: list[Any]) -> None:
    """Put a query into FROM all of whose tables are elsewhere."""
    _move_to(tree, outer)
    add_derived(scope, node, query(scope.builder, tree, None, Environment()))


def _move_to(tree: Any, outer: list[Any]) -> None:
    """Put the server's name before the name of every table that the query reads."""
    ctes = {cte.alias.lower() for cte in tree.find_all(exp.CTE)}
    for table in list(tree.find_all(exp.Table)):
        if not isinstance(table.this, exp.Identifier) or (not table.args.get("db") and table.name.lower() in ctes):
            continue
        parts = [
            table.args[key] for key in ("catalog", "db", "this") if isinstance(table.args.get(key), exp.Identifier)
        ]
        if table.args.get("alias") is None:
            table.set("alias", exp.TableAlias(this=table.this.copy()))
        table.set("this", named_table([*(o.copy() for o in outer), *(p.copy() for p in parts)]).this)
        table.set("db", None)
        table.set("catalog", None)


_OTHER_SERVERS = ("remote", "remotesecure", "mysql", "postgresql", "mongodb")
_OWN_CLUSTER = ("cluster", "clusterallreplicas")


@in_from(*_OTHER_SERVERS, *_OWN_CLUSTER, dialects=("clickhouse",))
def remote(scope: Scope, node: Any, call: Any) -> bool:
    """`remote('host', db.t)`, `mysql('host:3306', 'db', 't', 'user', '…')`, `cluster('c', db.t)`."""
    table = remote_table(name_of(call), arguments_of(call))
    if table is None:
        return False
    put_item(scope, node, alias_name(scope, node), scope.builder.reads(scope.builder.table(table)))
    return True


def remote_table(function: str, arguments: list[Any]) -> Any:
    """The table that a ClickHouse function names: by its qualified name, or by its database and its name.

    One of another server has the host before its name; a cluster is our own.
    """
    if not arguments or function not in (*_OTHER_SERVERS, *_OWN_CLUSTER) or not isinstance(arguments[0], exp.Literal):
        return None
    host, *names = arguments
    outer = [exp.to_identifier(host.name, quoted=True)] if function in _OTHER_SERVERS else []
    if names and isinstance(names[0], exp.Column) and names[0].args.get("table") is not None:
        return table_of(names[0], *outer)
    if len(names) > 1 and all(isinstance(n, (exp.Column, exp.Literal)) for n in names[:2]):
        return named_table([*outer, *(exp.to_identifier(n.name) for n in names[:2])])
    return None


@in_from("merge", dialects=("clickhouse",))
def merge(scope: Scope, node: Any, call: Any) -> bool:
    """`merge('db', '^t')`: all tables that fit the pattern."""
    table = merged_tables(arguments_of(call))
    if table is None:
        return False
    found = scope.builder.reads(scope.builder.table(table))
    merged(scope.builder, found, is_database_pattern(arguments_of(call)), call)
    put_item(scope, node, alias_name(scope, node), found)
    return True


@in_from("dictionary", dialects=("clickhouse",))
@in_from("query_table", dialects=("duckdb",))
@in_from("gp_dist_random", dialects=("postgres",))
def by_text(scope: Scope, node: Any, call: Any) -> bool:
    """`dictionary('d')`, `dictionary(db.d)`, `query_table('t')`, Greenplum's `gp_dist_random('t')`: the table of that name."""
    name, *_ = arguments_of(call) or [None]
    if isinstance(name, exp.Literal):
        table = named_table([exp.to_identifier(part) for part in name.name.split(".")])
    elif isinstance(name, exp.Column) and name_of(call) == "dictionary":
        table = table_of(name)
    else:
        return False
    put_item(scope, node, alias_name(scope, node), scope.builder.reads(scope.builder.table(table)))
    return True


@in_from("view", dialects=("clickhouse",))
@in_from("query", dialects=("duckdb",))
def inline_query(scope: Scope, node: Any, call: Any) -> bool:
    """ClickHouse's `view(SELECT …)`, DuckDB's `query('SELECT …')`."""
    (inner,) = arguments_of(call)[:1] or [None]
    if isinstance(inner, exp.Literal) and name_of(call) == "query":
        inner = embedded_query(scope.builder.places, inner, (scope.dialect.name,))
    if inner is None or not is_query(inner):
        return False
    add_derived(scope, node, query(scope.builder, inner, None, scope.environment))
    return True
