"""What JSON leaves out of a plan's relations: where their files lie, which table of another database they are.

Spark's own objects are asked, leaf by leaf; the id of a leaf's first column tells which relation of the JSON it is.
"""

from __future__ import annotations

import os
import re
from typing import Any, NamedTuple
from urllib.parse import unquote

from headwater.analyzers.catalyst.jvm import Jvm
from headwater.analyzers.catalyst.states import delta_state, iceberg_state
from headwater.resolve.time_travel import CHANGES, state_in_name
from headwater.sql.jdbc_names import Database, database_at, name_parts, query_text

_RELATION = re.compile(
    r'"class":"[\w.]+\.(?:LogicalRelation|LocalRelation|DataSourceV2\w*Relation|StreamingRelation(?:V2)?)"'
)
_GLOB = re.compile(r"[*?\[{]")
_DELTA_CHANGES = "DeltaCDFRelation"
_DELTA_LOG = "DeltaLogFileIndex"
"""How Delta finds the files of a table's log; users who read these find them as any others."""
BOOKKEEPING = "bookkeeping"
"""The format of what a table format keeps for itself."""
PROGRAM = "program"
"""The format of rows that a program made."""
_MANY = 32
"""Paths of one relation that are told apart; of more, the folder that holds them all is named."""


_ICEBERG = "org.apache.iceberg."
_CHANGED = ".RowLevelOperationTable"


class Place(NamedTuple):
    """Where a relation's data lies: a table by its name, files, or another database that answers a query."""

    table: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    format: str = ""
    query: tuple[str, Database] | None = None
    state: str = ""
    """By what the state was chosen that is read (see `resolve.time_travel`); nothing if it is the current one."""


def places_of(jvm: Jvm, plan: Any, text: str) -> dict[int, Place]:
    """The places of a plan's relations, by the id of their first column; *text* is the plan's JSON."""
    if not _RELATION.search(text):
        return {}
    found: dict[int, Place] = {}
    for leaf in (leaf for each in jvm.plans(plan) for leaf in jvm.list_of(each.collectLeaves())):
        reader = _READERS.get(str(leaf.getClass().getSimpleName()))
        if reader is not None and not leaf.output().isEmpty():
            found[int(leaf.output().head().exprId().id())] = reader(jvm, leaf)
    return found


def place_of(jvm: Jvm, relation: Any) -> Place:
    """The place of a relation that is written to."""
    reader = _READERS.get(str(relation.getClass().getSimpleName()))
    return reader(jvm, relation)._replace(state="") if reader is not None else Place()


def _of_v1(jvm: Jvm, leaf: Any) -> Place:
    relation = leaf.relation()
    if jvm.is_a(
        relation, "org.apache.spark.sql.execution.datasources.HadoopFsRelation"
    ):  # Delta's is one of a class of its own
        files = relation.location()
        if str(files.getClass().getSimpleName()) == _DELTA_LOG:
            return Place((), (), BOOKKEEPING)
        roots = [str(path.toString()) for path in jvm.list_of(files.rootPaths())]
        asked = _option(relation.options(), "path")
        return Place((), _named(roots, asked), _format(relation.fileFormat()), state=delta_state(files))
    kind = str(relation.getClass().getSimpleName())
    if kind == "JDBCRelation":
        options = relation.jdbcOptions()
        return jdbc_place(str(options.url()), str(options.tableOrQuery()))
    return Place(state=CHANGES if kind == _DELTA_CHANGES else "")


def _format(files: Any) -> str:
    """The name of a format of files."""
    return "delta" if ".delta." in str(files.getClass().getName()) else str(files.toString()).lower()


def _option(options: Any, key: str) -> str:
    """The value of a key in a Scala map, or nothing."""
    found = options.get(key)
    return str(found.get()) if found.isDefined() else ""


def _named(roots: list[str], asked: str) -> tuple[str, ...]:
    """The paths that were asked for: a pattern as it was written, else what Spark found."""
    paths = [local(root) for root in roots]
    if _GLOB.search(asked):
        return (local(asked if "/" in asked[:1] or ":" in asked else os.path.abspath(asked)),)
    if len(paths) > _MANY:
        return (_folder(paths),)
    return tuple(paths)


def _folder(paths: list[str]) -> str:
    """The innermost folder that holds all paths."""
    first, last = min(paths).split("/"), max(paths).split("/")
    same = next((i for i, (a, b) in enumerate(zip(first, last, strict=False)) if a != b), len(first))
    return "/".join(first[:same]) or "/"


def local(uri: str) -> str:
    """A uri as scripts write it: a local file without its scheme."""
    if not uri.startswith("file:"):
        return uri.rstrip("/") or uri
    return unquote("/" + uri.removeprefix("file:").strip("/"))


def jdbc_place(url: str, asked: str) -> Place:
    """What a JDBC source reads: a table with its server and database, or a query that the database runs."""
    database = database_at(url)
    parts = name_parts(asked)
    if parts:
        return Place(database.table(parts), (), "jdbc")
    return Place((), (), "jdbc", (query_text(asked), database))


def _of_v2(jvm: Jvm, leaf: Any) -> Place:
    """A table of a catalog; or, without one, files."""
    table = leaf.table()
    if leaf.identifier().isDefined():
        return Place(_name_of(leaf), state=iceberg_state(leaf))
    if jvm.is_a(table, "org.apache.spark.sql.execution.datasources.v2.FileTable"):
        roots = [str(path.toString()) for path in jvm.list_of(table.fileIndex().rootPaths())]
        return Place((), _named(roots, ""), str(table.formatName()).lower())
    return Place()


def _name_of(leaf: Any) -> tuple[str, ...]:
    """The name of a relation that a catalog knows; of a branch, that of its table."""
    identifier = leaf.identifier().get()
    catalog = str(leaf.catalog().get().name()) if leaf.catalog().isDefined() else ""
    parts = (catalog, *map(str, identifier.namespace()), str(identifier.name()))
    return parts[:-1] if state_in_name(parts) and _is_of_iceberg(leaf.table()) else parts


def _is_of_iceberg(table: Any) -> bool:
    """Whether a table is Iceberg's, also while Spark rewrites its rows."""
    kind = str(table.getClass().getName())
    return _is_of_iceberg(table.table()) if kind.endswith(_CHANGED) else kind.startswith(_ICEBERG)


def _of_rows(jvm: Jvm, leaf: Any) -> Place:
    """Rows of a program's, unless they come from VALUES in a statement."""
    return Place() if jvm.text_of(leaf) else Place((), (), PROGRAM)


def _of_scan(jvm: Jvm, leaf: Any) -> Place:
    return _of_v2(jvm, leaf.relation())


def table_at(identifier: Any) -> Place:
    """The table of an identifier of Spark's own catalog."""
    parts = [identifier.catalog(), identifier.database()]
    return Place((*(str(p.get()) for p in parts if p.isDefined()), str(identifier.table())))


def _of_stream(jvm: Jvm, leaf: Any) -> Place:
    source = leaf.dataSource()
    if source.catalogTable().isDefined():
        return table_at(source.catalogTable().get().identifier())
    path = _option(source.options(), "path")
    return Place((), (_absolute(path),) if path else (), str(source.className()).lower())


def _of_stream_v2(jvm: Jvm, leaf: Any) -> Place:
    if leaf.identifier().isDefined():
        return Place(_name_of(leaf))
    options = {str(k).lower(): str(v) for k, v in dict(leaf.extraOptions().asCaseSensitiveMap()).items()}
    if "subscribe" in options:
        return Place((), (f"kafka://{options['subscribe']}",), "kafka")
    path = options.get("path", "")
    return Place((), (_absolute(path),) if path else (), str(leaf.sourceName()).lower())


def _absolute(path: str) -> str:
    """A path as Spark would find it."""
    return local(path) if path.startswith("/") or ":" in path else os.path.abspath(path)


_READERS = {
    "LogicalRelation": _of_v1,
    "LocalRelation": _of_rows,
    "DataSourceV2Relation": _of_v2,
    "DataSourceV2ScanRelation": _of_scan,
    "StreamingRelation": _of_stream,
    "StreamingRelationV2": _of_stream_v2,
}
