"""The table `tags`: what projects, schema files and comments in statements say of columns, as far as these are in the snapshot.

It is small and made here, without Spark. A schema may name a table with fewer parts than the snapshot, or with more: one name is then the
end of the other. A column is found by its folded name, or else without regard to case.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds

from headwater.catalog import Catalog
from headwater.model.entity import EntityKind, TableName
from headwater.project.objects import Project
from headwater.sql.dialect import Dialect, dialect, dialect_names
from headwater.store import Snapshot
from headwater.store.identity import entity_id
from headwater.store.schema import TAGS
from headwater.tags.declared import Declared
from headwater.tags.project import project_tags
from headwater.tags.schema import schema_tags
from headwater.tags.script import MARKED, script_tags

SCHEMA = "schema"
"""The origin of what schema files say."""
COMMENT = "comment"
"""The origin of what comments in statements say."""
Row = dict[str, Any]
Told = tuple[Declared, str, str]
"""A tag, its origin, and its place."""


def tags_table(target: Snapshot, projects: Iterable[Project], catalogs: Iterable[Catalog], spoken: Dialect) -> pa.Table:
    """The table, for a snapshot that has all others."""
    told = [(each, SCHEMA, "") for catalog in catalogs for each in schema_tags(catalog, spoken)]
    rows = [*_of_projects(target, projects), *_by_names(target, [*told, *_of_scripts(target)])]
    rows = [row for _, row in sorted({_order(row): row for row in rows}.items())]
    return pa.Table.from_pylist(rows, schema=TAGS.schema)


def _order(row: Row) -> tuple[str, str, str, int, int]:
    return row["tag"], row["origin"], row["place"], row["entity_id"], row["column_id"] or 0


def _of_projects(target: Snapshot, projects: Iterable[Project]) -> Iterator[Row]:
    told = [(project.tool, each) for project in projects for each in project_tags(project)]
    ids = {each.declared.table: entity_id(EntityKind.TABLE, each.declared.table) for _, each in told}
    there = _known(target, ids.values())
    columns = _Columns(target, there)
    for tool, each in told:
        entity = ids[each.declared.table]
        if entity in there:
            yield from columns.rows(entity, each.declared, tool, str(each.place))


def _known(target: Snapshot, ids: Iterable[int]) -> set[int]:
    wanted = pa.array(sorted(ids), pa.int64())
    if not len(wanted):
        return set()
    found = target.dataset("entities").to_table(columns=["entity_id"], filter=ds.field("entity_id").isin(wanted))
    return set(found.column(0).to_pylist())


def _of_scripts(target: Snapshot) -> Iterator[Told]:
    """What comments in the corpus' own statements say, with the first place of each statement."""
    marked = pc.match_substring_regex(ds.field("text"), MARKED)
    found = target.dataset("processes").to_table(columns=["process_id", "dialect", "text"], filter=marked).to_pylist()
    if not found:
        return
    places = _places(target, {row["process_id"] for row in found})
    for row in found:
        if row["dialect"] in dialect_names():
            for each in script_tags(row["text"], dialect(row["dialect"])):
                yield each, COMMENT, places.get(row["process_id"], "")


def _places(target: Snapshot, processes: set[int]) -> dict[int, str]:
    """Where processes stand first: `file:line`."""
    wanted = ds.field("process_id").isin(pa.array(sorted(processes), pa.int64()))
    rows = target.dataset("statements").to_table(columns=["process_id", "script_id", "line"], filter=wanted).to_pylist()
    scripts = target.dataset("scripts").to_table(
        columns=["script_id", "path"],
        filter=ds.field("script_id").isin(pa.array(sorted({row["script_id"] for row in rows}), pa.int64())),
    )
    paths = dict(zip(scripts.column(0).to_pylist(), scripts.column(1).to_pylist(), strict=True))
    rows.sort(key=lambda row: (paths[row["script_id"]], row["line"]), reverse=True)
    return {row["process_id"]: f"{paths[row['script_id']]}:{row['line']}" for row in rows}


def _by_names(target: Snapshot, told: list[Told]) -> Iterator[Row]:
    """The rows of what is told of tables by names that may have fewer or more parts."""
    if not told:
        return
    tables = _tables(target, {each.table[-1] for each, _, _ in told})
    columns = _Columns(target, {entity for listed in tables.values() for _, entity in listed})
    for each, origin, place in told:
        for parts, entity in tables.get(each.table[-1], ()):
            if _is_end(parts, each.table) or _is_end(each.table, parts):
                yield from columns.rows(entity, each, origin, place)


def _tables(target: Snapshot, wanted: set[str]) -> Mapping[str, list[tuple[TableName, int]]]:
    """The tables whose last part is one of some, by that."""
    table = target.table("entities", ["entity_id", "parts", "kind"])
    parts = table.column("parts").combine_chunks()
    last = parts.flatten().take(pc.subtract(parts.offsets[1:], 1)) if len(parts) else pa.array([], pa.string())
    kinds = pa.array([EntityKind.TABLE.value, EntityKind.VIEW.value])
    fitting = pc.and_(
        pc.is_in(last, value_set=pa.array(sorted(wanted))), pc.is_in(table.column("kind"), value_set=kinds)
    )
    found: dict[str, list[tuple[TableName, int]]] = {}
    for row in table.filter(fitting).to_pylist():
        found.setdefault(row["parts"][-1], []).append((tuple(row["parts"]), row["entity_id"]))
    return found


def _is_end(name: TableName, whole: TableName) -> bool:
    return whole[-len(name) :] == name


class _Columns:
    """The columns of some entities, by name."""

    def __init__(self, target: Snapshot, entities: Iterable[int]) -> None:
        wanted = pa.array(sorted(entities), pa.int64())
        fields = ["column_id", "entity_id", "name"]
        rows = target.dataset("columns").to_table(columns=fields, filter=ds.field("entity_id").isin(wanted))
        listed = sorted(rows.to_pylist(), key=lambda row: str(row["name"]))
        self._exactly = {(row["entity_id"], row["name"]): row["column_id"] for row in listed}
        self._without_case = {(row["entity_id"], row["name"].lower()): row["column_id"] for row in listed}

    def rows(self, entity: int, declared: Declared, origin: str, place: str) -> Iterator[Row]:
        """A row for a tag; none for a column that is not there."""
        row = {"entity_id": entity, "column_id": None, "tag": declared.tag, "origin": origin, "place": place}
        if declared.column is None:
            yield row
            return
        found = self._exactly.get((entity, declared.column))
        if found is None:
            found = self._without_case.get((entity, declared.column.lower()))
        if found is not None:
            yield {**row, "column_id": found}
