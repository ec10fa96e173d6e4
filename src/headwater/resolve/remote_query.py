"""Tables elsewhere: a query that another server runs (OPENQUERY, EXTERNAL_QUERY), a table named by a function (ClickHouse's remote).

What is on another server carries that server's name before its own, `srv.db.dbo.t`, so that it is never taken for
ours. The text of a query is resolved like any other query, inside its string.
"""

from __future__ import annotations

from typing import Any

from sqlglot import exp

from headwater.resolve.call_argument import named, named_table, table_of
from headwater.resolve.from_item import add_derived, alias_name, put_item
from headwater.resolve.generator import arguments_of, name_of
from headwater.resolve.query import is_query, query
from headwater.resolve.scope import Environment, Scope
from headwater.resolve.table_function import in_from, undescribed
from headwater.sql.embedded import embedded_query


@in_from("openquery", dialects=("tsql",))
def open_query(scope: Scope, node: Any, call: Any) -> bool:
    """`OPENQUERY(srv, 'SELECT … FROM db.dbo.t')`."""
    server, *rest = arguments_of(call) or [None]
    if len(rest) != 1 or not _run(scope, node, server, rest[0], ("tsql", "oracle", "postgres", "mysql")):
        undescribed(scope, node, exp.Anonymous(this="OPENQUERY", expressions=[r.copy() for r in rest]), None)
    return True


@in_from("openrowset", dialects=("tsql",))
def open_row_set(scope: Scope, node: Any, call: Any) -> bool:
    """`OPENROWSET('provider', 'Server=S;…', 'SELECT …')`: the server is the one that the connection names, if it does."""
    arguments = [value for name, value in (named(scope, a) for a in arguments_of(call)) if not name]
    if len(arguments) < 3 or not all(isinstance(a, exp.Literal) for a in arguments[1:]):
        return False
    server = exp.to_identifier(_server(arguments[1].name), quoted=True)
    return _run(scope, node, server, arguments[-1], ("tsql",))


def _server(connection: str) -> str:
    """The server of a connection string; the string may hold secrets and is not used otherwise."""
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


@in_from("dblink", dialects=("postgres", "redshift"))
def dblink(scope: Scope, node: Any, call: Any) -> bool:
    """`dblink('connection', 'SELECT …') AS r (a int)`."""
    connection, *rest = arguments_of(call) or [None]
    if not rest or not isinstance(connection, exp.Literal):
        return False
    server = _server(connection.name.replace(" ", ";")) if "=" in connection.name else connection.name
    return _run(scope, node, exp.to_identifier(server, quoted=True), rest[0], ("postgres",))


def _run(scope: Scope, node: Any, server: Any, text: Any, dialects: tuple[str, ...]) -> bool:
    """Put the rows of a query's text into FROM; False if it is not written out, or nobody understands it."""
    if not isinstance(text, exp.Literal) or not isinstance(server, (exp.Column, exp.Identifier, exp.Literal)):
        return False
    tree = embedded_query(scope.builder.places, text, dialects)
    if tree is None or not is_query(tree):
        return False
    _move_to(tree, exp.to_identifier(server.name, quoted=not isinstance(server, exp.Column)))
    add_derived(scope, node, query(scope.builder, tree, None, Environment()))
    return True


def _move_to(tree: Any, server: Any) -> None:
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
        table.set("this", named_table([server.copy(), *(p.copy() for p in parts)]).this)
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


@in_from("dictionary", dialects=("clickhouse",))
@in_from("query_table", dialects=("duckdb",))
def by_text(scope: Scope, node: Any, call: Any) -> bool:
    """`dictionary('d')`, `query_table('t')`: the table of that name."""
    name, *_ = arguments_of(call) or [None]
    if not isinstance(name, exp.Literal):
        return False
    table = named_table([exp.to_identifier(part) for part in name.name.split(".")])
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
