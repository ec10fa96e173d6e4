"""What JSON leaves out of a plan's relations: where their files lie, which table of another database they are.

Spark's own objects are asked, leaf by leaf; the id of a leaf's first column tells which relation of the JSON it is.
"""

from __future__ import annotations

import os
import re
from typing import Any, NamedTuple
from urllib.parse import unquote

from headwater.analyzers.catalyst.jvm import Jvm

_RELATION = re.compile(r'"class":"[\w.]+\.(?:LogicalRelation|DataSourceV2\w*Relation|StreamingRelation(?:V2)?)"')
_GLOB = re.compile(r"[*?\[{]")
_MANY = 32
"""Paths of one relation that are told apart; of more, the folder that holds them all is named."""


class Place(NamedTuple):
    """Where a relation's data lies: a table by its name, or files."""

    table: tuple[str, ...] = ()
    paths: tuple[str, ...] = ()
    format: str = ""


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
    """The place of a relation."""
    reader = _READERS.get(str(relation.getClass().getSimpleName()))
    return reader(jvm, relation) if reader is not None else Place()


def _of_v1(jvm: Jvm, leaf: Any) -> Place:
    relation = leaf.relation()
    kind = str(relation.getClass().getSimpleName())
    if kind == "HadoopFsRelation":
        roots = [str(path.toString()) for path in jvm.list_of(relation.location().rootPaths())]
        asked = _option(relation.options(), "path")
        return Place((), _named(roots, asked), str(relation.fileFormat().toString()).lower())
    if kind == "JDBCRelation":
        return jdbc_table(str(relation.jdbcOptions().tableOrQuery()))
    return Place()


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


def jdbc_table(name: str) -> Place:
    """A table in another database, as it is named there; a query in its place is not looked into."""
    if re.fullmatch(r'[\w$."`\[\]]+', name):
        return Place(tuple(part.strip('"`[]') for part in name.split(".")), (), "jdbc")
    return Place((), (), "jdbc")


def _of_v2(jvm: Jvm, leaf: Any) -> Place:
    """A table of a catalog; or, without one, files."""
    if leaf.identifier().isDefined():
        identifier = leaf.identifier().get()
        catalog = str(leaf.catalog().get().name()) if leaf.catalog().isDefined() else ""
        return Place((catalog, *map(str, identifier.namespace()), str(identifier.name())))
    table = leaf.table()
    if hasattr(table, "fileIndex") and str(table.getClass().getName()).startswith("org.apache.spark.sql"):
        roots = [str(path.toString()) for path in jvm.list_of(table.fileIndex().rootPaths())]
        return Place((), _named(roots, ""), str(table.formatName()).lower())
    return Place()


def _of_scan(jvm: Jvm, leaf: Any) -> Place:
    return _of_v2(jvm, leaf.relation())


def _of_stream(jvm: Jvm, leaf: Any) -> Place:
    source = leaf.dataSource()
    if source.catalogTable().isDefined():
        identifier = source.catalogTable().get().identifier()
        parts = [identifier.catalog(), identifier.database()]
        return Place((*(str(p.get()) for p in parts if p.isDefined()), str(identifier.table())))
    path = _option(source.options(), "path")
    return Place((), (_absolute(path),) if path else (), str(source.className()).lower())


def _of_stream_v2(jvm: Jvm, leaf: Any) -> Place:
    if leaf.identifier().isDefined():
        return _of_v2(jvm, leaf)
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
    "DataSourceV2Relation": _of_v2,
    "DataSourceV2ScanRelation": _of_scan,
    "StreamingRelation": _of_stream,
    "StreamingRelationV2": _of_stream_v2,
}
