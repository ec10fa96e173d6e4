"""The table `tags`: what projects and schema files say of columns, as far as these are in the snapshot.

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
from headwater.sql.dialect import Dialect
from headwater.store import Snapshot
from headwater.store.identity import entity_id
from headwater.store.links import link
from headwater.store.schema import TAGS
from headwater.tags.declared import Declared
from headwater.tags.project import project_tags
from headwater.tags.schema import schema_tags

SCHEMA = "schema"
"""The origin of what schema files say."""
Row = dict[str, Any]


def write_tags(
    target: Snapshot, before: Snapshot | None, projects: Iterable[Project], catalogs: Iterable[Catalog], spoken: Dialect
) -> None:
    """Write the table; where the snapshot before has the same, it is that file."""
    rows = [*_of_projects(target, projects), *_of_schemas(target, catalogs, spoken)]
    rows = [row for _, row in sorted({_order(row): row for row in rows}.items())]
    table = pa.Table.from_pylist(rows, schema=TAGS.schema)
    kept = before.path / TAGS.name if before is not None else None
    if before is not None and kept is not None and kept.is_dir() and before.table(TAGS.name).equals(table):
        (target.path / TAGS.name).mkdir()
        for file in kept.iterdir():
            link(file, target.path / TAGS.name / file.name)
    else:
        target.write(TAGS.name, table)


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


def _of_schemas(target: Snapshot, catalogs: Iterable[Catalog], spoken: Dialect) -> Iterator[Row]:
    told = list(dict.fromkeys(each for catalog in catalogs for each in schema_tags(catalog, spoken)))
    if not told:
        return
    tables = _tables(target, {each.table[-1] for each in told})
    columns = _Columns(target, {entity for listed in tables.values() for _, entity in listed})
    for each in told:
        for parts, entity in tables.get(each.table[-1], ()):
            if _is_end(parts, each.table) or _is_end(each.table, parts):
                yield from columns.rows(entity, each, SCHEMA, "")


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
