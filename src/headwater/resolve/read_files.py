"""Functions that read files: DuckDB's read_parquet and its kin, Databricks' read_files, ClickHouse's s3, T-SQL's OPENROWSET(BULK …).

The files are the entities, one per uri, and their columns are passed on. A uri that is not written out leaves the function undescribed.
"""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp

from headwater.model.kind import FROM_ROWS, IDENTITY, TRANSFORMATION
from headwater.resolve.builder import Builder
from headwater.resolve.call_argument import named
from headwater.resolve.from_item import add_derived, alias_columns, alias_name, put_item
from headwater.resolve.generator import arguments_of, name_of
from headwater.resolve.known_function import known_columns
from headwater.resolve.location import path_from_text, read_location, stage_from_text
from headwater.resolve.scope import ResultSet, Scope
from headwater.resolve.table_function import call_form, in_from
from headwater.sql.form import Location

_DUCKDB = {
    **dict.fromkeys(("read_parquet", "parquet_scan"), "parquet"),
    **dict.fromkeys(("read_csv", "read_csv_auto", "sniff_csv"), "csv"),
    **dict.fromkeys(("read_json", "read_json_auto", "read_json_objects"), "json"),
    **dict.fromkeys(("read_ndjson", "read_ndjson_auto", "read_ndjson_objects"), "ndjson"),
    **dict.fromkeys(("delta_scan", "iceberg_scan", "arrow_scan"), ""),
    "read_text": "text",
    "read_blob": "binary",
    "read_xlsx": "xlsx",
    "st_read": "",
    "sqlite_scan": "sqlite",
}
_CLICKHOUSE = {
    **dict.fromkeys(("s3", "gcs", "cosn", "oss", "url", "file", "hdfs", "azureblobstorage"), ""),
    **dict.fromkeys(("deltalake", "deltalakes3", "deltalakeazure"), "delta"),
    **dict.fromkeys(("iceberg", "icebergs3", "icebergazure", "iceberglocal", "iceberghdfs"), "iceberg"),
    "hudi": "hudi",
    "paimon": "paimon",
}
_ON_CLUSTER = frozenset(f"{name}cluster" for name in _CLICKHOUSE)
"""The same functions on a cluster, whose name comes first."""


@in_from(*_DUCKDB, dialects=("duckdb",))
def duckdb_files(scope: Scope, node: Any, call: Any) -> bool:
    """`read_parquet('x.parquet')`, `read_csv(['a.csv', 'b.csv'], header = true)`."""
    return _from_uris(scope, node, call, _DUCKDB[name_of(call)])


@call_form(exp.ReadCSV, exp.ReadParquet)
def known_to_the_grammar(scope: Scope, node: Any, call: Any) -> bool:
    """`read_csv`, `read_parquet`, for which the grammar has nodes."""
    return _from_uris(scope, node, call, "csv" if isinstance(call, exp.ReadCSV) else "parquet")


@in_from("read_files", "cloud_files", dialects=("databricks", "spark"))
def databricks_files(scope: Scope, node: Any, call: Any) -> bool:
    """`read_files('s3://b/p', format => 'json')`."""
    return _from_uris(scope, node, call, _option(scope, call, "format"))


@in_from("read_kafka", "read_kinesis", "read_pubsub", "read_pulsar", dialects=("databricks", "spark"))
def databricks_stream(scope: Scope, node: Any, call: Any) -> bool:
    """`read_kafka(bootstrapServers => 'h:9092', subscribe => 't')`: a topic is a location, `kafka://h:9092/t`."""
    system = name_of(call).removeprefix("read_")
    given = {name: value.name for name, value in _named(scope, call) if isinstance(value, exp.Literal)}
    server = next((given[name] for name in _SERVERS if name in given), "").split("://")[-1]
    topic = next((given[name] for name in _TOPICS if name in given), "")
    place = exp.Literal.string(f"{system}://{server}/{topic}")
    return bool(topic) and _put(scope, node, [place], "")


_SERVERS = ("bootstrapservers", "region", "projectid", "serviceurl")
_TOPICS = ("subscribe", "subscribepattern", "assign", "streamname", "topicid", "topic", "topics")

_PROPERTIES = ("path", "uri", "file_path")
"""What StarRocks and Doris call the property that says where files are."""


@in_from("files", dialects=("starrocks",))
@in_from("s3", "hdfs", "local", "http", "file", dialects=("doris",))
def files_by_properties(scope: Scope, node: Any, call: Any) -> bool:
    """`FILES("path" = "s3://b/x", "format" = "orc")` (StarRocks), `S3("uri" = "s3://b/x", …)`, `HDFS(…)`, `LOCAL(…)` (Doris)."""
    uri = property_of(call, *_PROPERTIES)
    format_ = property_of(call, "format")
    return uri is not None and _put(scope, node, [uri], format_.name.lower() if format_ is not None else "")


def property_of(call: Any, *names: str) -> Any:
    """The text of a property of one of these names; None if a call has none: `f("path" = "x")`."""
    for argument in arguments_of(call):
        name, value = argument.args.get("this"), argument.args.get("expression")
        is_property = isinstance(argument, exp.EQ) and isinstance(name, exp.Literal) and isinstance(value, exp.Literal)
        if is_property and name.name.lower() in names:
            return value
    return None


@in_from("file_scan", dialects=("postgres",))
def scanned_files(scope: Scope, node: Any, call: Any) -> bool:
    """RisingWave's `file_scan('parquet', 's3', 'region', '…', '…', 's3://b/x.parquet')`."""
    arguments = arguments_of(call)
    return len(arguments) > 2 and _put(scope, node, arguments[-1:], arguments[0].name)


@in_from("read_nos", dialects=("teradata",))
@in_from("external", dialects=("oracle", "db2"))
def declared_files(scope: Scope, node: Any, call: Any) -> bool:
    """Teradata's `(LOCATION = '/s3/…')`, Oracle's and Db2's EXTERNAL, which reach us as calls with the files' names."""
    return _put(scope, node, arguments_of(call), "")


def written_uri(call: Any) -> Any:
    """The uri of the files that a call of ClickHouse or StarRocks writes to; None if it writes to something else."""
    name = name_of(call)
    if name == "files":
        return property_of(call, *_PROPERTIES)
    first = 1 if name in _ON_CLUSTER else 0
    arguments = arguments_of(call)
    if (not first and name not in _CLICKHOUSE) or len(arguments) <= first:
        return None
    return arguments[first] if isinstance(arguments[first], exp.Literal) else None


_STRUCTURE = re.compile(r"\s*`?(\w+)`?\s+[A-Z]\w*")
"""A column and its type at the beginning of a text: `'a Int32, b String'`."""


def written_columns(builder: Builder, call: Any) -> dict[str, str] | None:
    """The columns that a call says files have: `file('x.csv', 'CSV', 'a Int32, b Array(String)')`; None if it does not."""
    texts = [each.name for each in arguments_of(call)[1:] if isinstance(each, exp.Literal) and each.is_string]
    structure = next((text for text in texts if _STRUCTURE.match(text)), None)
    if structure is None:
        return None
    found = (_STRUCTURE.match(part) for part in re.split(r",(?![^(]*\))", structure))
    return {builder.dialect.fold_column(each[1], False): "" for each in found if each is not None}


@in_from(*_CLICKHOUSE, *_ON_CLUSTER, dialects=("clickhouse",))
def clickhouse_files(scope: Scope, node: Any, call: Any) -> bool:
    """`s3('https://…/x.parquet', 'Parquet')`, `s3Cluster('c', 'https://…')`."""
    name = name_of(call)
    first = 1 if name in _ON_CLUSTER else 0
    format_ = _CLICKHOUSE[name.removesuffix("cluster") if first else name]
    return _from_uris(scope, node, call, format_, first)


@in_from("openrowset", dialects=("tsql",))
def open_row_set(scope: Scope, node: Any, call: Any) -> bool:
    """`OPENROWSET(BULK 'x.parquet', FORMAT = 'PARQUET')`, which reaches us with the uri under the name `bulk`."""
    uris = [uri for name, value in _named(scope, call) if name == "bulk" for uri in _elements(value)]
    return bool(uris) and _put(scope, node, uris, _option(scope, call, "format"))


@in_from("infer_schema", dialects=("snowflake",))
def infer_schema(scope: Scope, node: Any, call: Any) -> bool:
    """`TABLE(INFER_SCHEMA(LOCATION => '@s', …))`: what the stage's files say of themselves."""
    uris = [value for name, value in _named(scope, call) if name == "location"]
    if not uris or not isinstance(uris[0], exp.Literal):
        return False
    builder = scope.builder
    owner = read_location(builder, _location(scope, uris[0], ""), named=False)
    result = ResultSet(builder, "function", node)
    builder.edge(result.rows, owner.rows, FROM_ROWS, None)
    for name in known_columns(scope.dialect, "infer_schema") or ():
        builder.edge(result.add(name, node), owner.claim("*"), TRANSFORMATION, node)
    add_derived(scope, node, result.complete())
    return True


def _from_uris(scope: Scope, node: Any, call: Any, format_: str, first: int = 0) -> bool:
    given = [value for name, value in _named(scope, call) if name in ("", "path", "location")]
    return len(given) > first and _put(scope, node, _elements(given[first]), format_)


def _named(scope: Scope, call: Any) -> list[tuple[str, Any]]:
    return [named(scope, argument) for argument in arguments_of(call)]


def _option(scope: Scope, call: Any, wanted: str) -> str:
    values = [value for name, value in _named(scope, call) if name == wanted]
    return values[0].name.lower() if values and isinstance(values[0], exp.Literal) else ""


def _elements(node: Any) -> list[Any]:
    """The uris of a list, or the one that stands alone."""
    if isinstance(node, exp.Paren):
        return [node.this]
    return list(node.expressions) if isinstance(node, (exp.Array, exp.Tuple)) else [node]


def _put(scope: Scope, node: Any, uris: list[Any], format_: str) -> bool:
    """Put files into FROM, several of them as one; False if a uri is not a plain string."""
    if not uris or not all(isinstance(uri, exp.Literal) and uri.is_string for uri in uris):
        return False
    builder = scope.builder
    owners = list(dict.fromkeys(read_location(builder, _location(scope, uri, format_), named=True) for uri in uris))
    declared = alias_columns(scope, node)
    if len(owners) == 1 and not declared:
        put_item(scope, node, alias_name(scope, node), owners[0])
        return True
    result = ResultSet(builder, "function", node)
    result.is_union = True
    result.open = not declared
    result.stars.extend(owners)
    for owner in owners:
        builder.edge(result.rows, owner.rows, FROM_ROWS, None)
    for name in declared or ["*"]:
        column = result.add(name, node)
        for owner in owners:
            builder.edge(column, owner.claim(name), IDENTITY, node)
    result.row.alias = alias_name(scope, node)
    scope.add(result.row.alias, result.complete())
    return True


def _location(scope: Scope, uri: Any, format_: str) -> Location:
    if uri.name.startswith("@"):
        return stage_from_text(scope.builder, uri.name, uri)
    return path_from_text(uri.name, uri, format_)
