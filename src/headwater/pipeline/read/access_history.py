"""Snowflake's ACCESS_HISTORY as jobs: the lineage that the warehouse itself found, in the form of captured jobs.

A row whose OBJECTS_MODIFIED names columns is a job with relations between columns, by the sources that the statement names directly
(`directSources`), so that views stay views; `baseSources` where these are empty. Snowflake does not say how a value is made: such a
relation is a transformation. Of the other rows the text is read, if it was exported too; else the columns that were accessed are known to
be read, and no more.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pyarrow as pa

from headwater.captured import CAPTURED
from headwater.captured.description import described
from headwater.captured.job import written_down
from headwater.model.entity import PSEUDO_ROWS
from headwater.model.kind import FDR
from headwater.openlineage.dataset_names import entity_name
from headwater.openlineage.job import job_of_run
from headwater.pipeline.read.log_rows import LOG_ROW

OBJECTS = ("direct", "base", "modified")
"""The columns of the view that list objects, as JSON."""
_NAMESPACE = "snowflake"
_PRODUCER = "urn:headwater:access-history"
"""Names are those of the catalog, and exact."""
_STAGE = "stage"
_READ = frozenset(
    {"table", "view", "external table", "materialized view", "dynamic table", "iceberg table", "stream", _STAGE}
)
"""Domains of objects that data is in."""


def with_jobs(default_schema: str) -> Callable[[Iterator[pa.RecordBatch]], Iterator[pa.RecordBatch]]:
    """Rows with lists of objects to rows whose text is SQL or a job."""

    def run(batches: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in batches:
            rows = [_row(row, default_schema) for row in batch.to_pylist()]
            yield pa.RecordBatch.from_pylist(rows, LOG_ROW)

    return run


def _row(row: dict[str, Any], default_schema: str) -> dict[str, Any]:
    direct, base, modified = ([_object(each) for each in _listed(row.pop(name))] for name in OBJECTS)
    read = [each for each in (direct or base) if each is not None]
    written = [each for each in modified if each is not None]
    job = None
    if any(_columns(each) for each in written):
        job = job_of_run(_event(read, written, row["text"] or ""), _NAMESPACE)
    elif not (row["text"] or "").strip() and read:
        job = _reading(read)
    return (
        row if job is None else {**row, "text": job, "dialect": CAPTURED, "default_schema": default_schema, "cut": ""}
    )


def _listed(text: str | None) -> list[Any]:
    try:
        found = json.loads(text) if text else []
    except (ValueError, RecursionError):
        return []
    return found if isinstance(found, list) else []


def _object(each: Any) -> dict[str, Any] | None:
    """An object that data is in, as a data set; None if it is another one."""
    if not isinstance(each, dict) or not isinstance(each.get("objectName"), str):
        return None
    domain = str(each.get("objectDomain", "")).lower()
    if domain not in _READ:
        return None
    name = f"@{each['objectName']}" if domain == _STAGE else each["objectName"]
    facets = {"datasetType": {"datasetType": "VIEW"}} if domain.endswith("view") else {}
    return {"namespace": _NAMESPACE, "name": name, "facets": facets, "columns": each.get("columns")}


def _columns(dataset: dict[str, Any]) -> list[dict[str, Any]]:
    """The columns that are told of an object."""
    told = dataset["columns"] if isinstance(dataset["columns"], list) else []
    return [each for each in told if isinstance(each, dict) and isinstance(each.get("columnName"), str)]


def _event(read: list[dict[str, Any]], written: list[dict[str, Any]], text: str) -> dict[str, Any]:
    """What a row says, as an event of OpenLineage."""
    sql = {"sql": {"query": text, "dialect": _NAMESPACE}} if text.strip() else {}
    job = {"namespace": _NAMESPACE, "name": "access_history", "facets": sql}
    return {"producer": _PRODUCER, "job": job, "inputs": read, "outputs": [_written(each) for each in written]}


def _written(dataset: dict[str, Any]) -> dict[str, Any]:
    fields = {each["columnName"]: {"inputFields": list(_sources(each))} for each in _columns(dataset)}
    return {**dataset, "facets": {**dataset["facets"], "columnLineage": {"fields": fields}}}


def _sources(column: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for each in column.get("directSources") or column.get("baseSources") or ():
        source = _object(each)
        if source is not None and isinstance(each.get("columnName"), str):
            yield {"namespace": _NAMESPACE, "name": source["name"], "field": each["columnName"]}


def _reading(read: list[dict[str, Any]]) -> str:
    """A query of which it is known what it reads, and not what for: each accessed column decides on one of its outputs."""
    named = sorted({each["name"]: each for each in read}.values(), key=lambda each: str(each["name"]))
    entities, ends = [], []
    for number, each in enumerate(named):
        kind, parts = entity_name(_NAMESPACE, each["name"])
        entities.append({"kind": kind.value, "name": list(parts)})
        columns = sorted({column["columnName"] for column in _columns(each)}) or [PSEUDO_ROWS]
        ends += [(number, column) for column in columns]
    content: dict[str, Any] = {
        "type": "Select",
        "entities": entities,
        "read": list(range(len(entities))),
        "written": [],
        "outputs": ["rows" if column == PSEUDO_ROWS else column for _, column in ends],
        "edges": [(-1, at, *end, FDR, "", "", False, "") for at, end in enumerate(ends)],
        "constants": [],
        "defines": [],
        "diagnostics": [],
        "dialect": _NAMESPACE,
    }
    return written_down(content, described(content))
