"""The types that Atlas must know: `sqlflow_` ones below its own `DataSet` and `Process`, and how they belong together.

A table, view, path, stage, result, or whatever else has columns is a `sqlflow_dataset`. A statement is a `sqlflow_process` with data sets
as inputs and outputs; each relation that it makes between columns is a `sqlflow_column_lineage`, as Hive's own hook does it.
"""

from __future__ import annotations

from typing import Any

from apache_atlas.model.typedef import (
    AtlasAttributeDef,
    AtlasEntityDef,
    AtlasRelationshipDef,
    AtlasRelationshipEndDef,
    AtlasTypesDef,
)

from headwater.export.kinds import words
from headwater.model.entity import FILES, PERSISTENT, EntityKind

VERSION = "1.0"
"""Of the types. A server that has them in another version gets these."""

SERVICE = "headwater"

DATABASE = "sqlflow_database"
DATASET = "sqlflow_dataset"
COLUMN = "sqlflow_column"
PROCESS = "sqlflow_process"
COLUMN_LINEAGE = "sqlflow_column_lineage"


def dataset_type(kind: EntityKind) -> str:
    """The type of entities of a kind."""
    return f"sqlflow_{words(kind).catalog}"


def types() -> AtlasTypesDef:
    """All of them."""
    return AtlasTypesDef(
        {
            "enumDefs": [],
            "structDefs": [],
            "classificationDefs": [],
            "entityDefs": _entity_types(),
            "relationshipDefs": _relationship_types(),
        }
    )


def _entity_types() -> list[AtlasEntityDef]:
    text, flag = "string", "boolean"
    dataset = [
        _attribute("clusterName", text, indexed=True),
        _attribute("temporary", flag),
        _attribute("ddl", text),
        _attribute("ddlHashId", text),
    ]
    column = [
        _attribute("dataType", text, indexed=True),
        _attribute("position", "int"),
        _attribute("inferred", flag),
        _attribute("rowSet", flag, indexed=True),
    ]
    process = [
        _attribute("clusterName", text, indexed=True),
        _attribute("processType", text, required=True, indexed=True),
        _attribute("procedureName", text, required=True, indexed=True),
        _attribute("queryHashId", text, required=True, indexed=True),
        _attribute("queryText", text, required=True),
        _attribute("dialect", text),
        _attribute("path", text),
    ]
    lineage = [
        _attribute("relationType", text, required=True, indexed=True),
        _attribute("effectType", text),
        _attribute("subtype", text, indexed=True),
        _attribute("clauseType", text, indexed=True),
        _attribute("masking", flag),
        _attribute("candidate", flag),
        _attribute("expression", text),
    ]
    columns = {"schemaElementsAttribute": "columns"}
    shown = {"schemaAttributes": '["name", "dataType", "position"]'}
    return [
        _entity(DATABASE, "DataSet", [_attribute("clusterName", text, required=True, indexed=True)]),
        _entity(DATASET, "DataSet", dataset, columns),
        *(
            _entity(dataset_type(kind), DATASET, [_attribute("fileFormat", text)] if kind in FILES else [], columns)
            for kind in EntityKind
            if kind in PERSISTENT or kind is EntityKind.RESULT_SET
        ),
        _entity(COLUMN, "DataSet", column, shown),
        _entity(PROCESS, "Process", process),
        _entity(COLUMN_LINEAGE, "Process", lineage),
    ]


def _relationship_types() -> list[AtlasRelationshipDef]:
    return [
        _relationship(
            "sqlflow_database_datasets",
            "AGGREGATION",
            _end(DATASET, "database", "SINGLE"),
            _end(DATABASE, "datasets", "SET", container=True),
        ),
        _relationship(
            "sqlflow_dataset_columns",
            "COMPOSITION",
            _end(DATASET, "columns", "SET", container=True),
            _end(COLUMN, "dataset", "SINGLE"),
        ),
        _relationship(
            "sqlflow_process_column_lineages",
            "COMPOSITION",
            _end(PROCESS, "columnLineages", "SET", container=True),
            _end(COLUMN_LINEAGE, "process", "SINGLE"),
        ),
    ]


def _entity(
    name: str, above: str, attributes: list[AtlasAttributeDef], options: dict[str, str] | None = None
) -> AtlasEntityDef:
    return AtlasEntityDef(
        {
            "name": name,
            "superTypes": [above],
            "serviceType": SERVICE,
            "typeVersion": VERSION,
            "attributeDefs": attributes,
            "options": options,
        }
    )


def _attribute(name: str, type: str, required: bool = False, indexed: bool = False) -> AtlasAttributeDef:
    return AtlasAttributeDef(
        {
            "name": name,
            "typeName": type,
            "isOptional": not required,
            "cardinality": "SINGLE",
            "valuesMinCount": 1 if required else 0,
            "valuesMaxCount": 1,
            "isUnique": False,
            "isIndexable": indexed,
        }
    )


def _relationship(
    name: str, category: str, one: AtlasRelationshipEndDef, other: AtlasRelationshipEndDef
) -> AtlasRelationshipDef:
    return AtlasRelationshipDef(
        {
            "name": name,
            "serviceType": SERVICE,
            "typeVersion": VERSION,
            "relationshipCategory": category,
            "propagateTags": "NONE",
            "endDef1": one,
            "endDef2": other,
        }
    )


def _end(type: str, name: str, cardinality: str, container: bool = False) -> AtlasRelationshipEndDef:
    return AtlasRelationshipEndDef(
        {"type": type, "name": name, "isContainer": container, "cardinality": cardinality, "isLegacyAttribute": False}
    )


def slim(value: Any) -> Any:
    """What the client's classes hold, as plain values without the fields that say nothing."""
    if isinstance(value, dict):
        return {key: slim(inner) for key, inner in value.items() if inner is not None}
    return [slim(inner) for inner in value] if isinstance(value, list) else value
