"""Dataform's settings: `workflow_settings.yaml`, and `dataform.json` of earlier versions, which have other words for the same."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from headwater.model.diagnostic import Code
from headwater.project.dbt.document import Document, inner, text
from headwater.project.dbt.files import read_json, read_yaml
from headwater.project.dbt.remarks import Remarks
from headwater.project.objects import Place
from headwater.sql.dialect import UnknownDialect, dialect

SETTINGS_FILES = ("workflow_settings.yaml", "dataform.json")
"""The file of Dataform's settings, and what it was called before."""
DEFINITIONS = "definitions"
"""The folder of actions."""
_WAREHOUSES = {"sqldatawarehouse": "tsql", "presto": "presto"}


@dataclass(frozen=True, slots=True)
class Settings:
    """What the settings say."""

    name: str
    dialect: str
    database: str = ""
    schema: str = ""
    assertion_schema: str = "dataform_assertions"
    database_suffix: str = ""
    schema_suffix: str = ""
    name_prefix: str = ""
    variables: Document = field(default_factory=dict)

    @property
    def project_config(self) -> dict[str, object]:
        """What `dataform.projectConfig` is, with the words of both versions."""
        return {
            "warehouse": self.dialect,
            "defaultDatabase": self.database,
            "defaultProject": self.database,
            "defaultSchema": self.schema,
            "defaultDataset": self.schema,
            "assertionSchema": self.assertion_schema,
            "databaseSuffix": self.database_suffix,
            "schemaSuffix": self.schema_suffix,
            "tablePrefix": self.name_prefix,
            "vars": dict(self.variables),
        }


def read_dataform_settings(file: Path, remarks: Remarks) -> Settings:
    """The settings in a file; where it cannot be read, the defaults, and a remark says so."""
    shown = file.as_posix()
    found = (read_json(file, shown, remarks) if file.suffix == ".json" else read_yaml(file, shown, remarks)) or {}
    return Settings(
        name=file.resolve().parent.name or "dataform",
        dialect=_dialect(text(found, "warehouse") or "bigquery", Place(shown), remarks),
        database=_first(found, "defaultProject", "defaultDatabase"),
        schema=_first(found, "defaultDataset", "defaultSchema") or "dataform",
        assertion_schema=_first(found, "defaultAssertionDataset", "assertionSchema") or "dataform_assertions",
        database_suffix=_first(found, "projectSuffix", "databaseSuffix"),
        schema_suffix=_first(found, "datasetSuffix", "schemaSuffix"),
        name_prefix=_first(found, "namePrefix", "tablePrefix"),
        variables=inner(found, "vars"),
    )


def _first(settings: Document, *keys: str) -> str:
    return next((found for key in keys if (found := text(settings, key))), "")


def _dialect(warehouse: str, place: Place, remarks: Remarks) -> str:
    try:
        return dialect(_WAREHOUSES.get(warehouse.lower(), warehouse.lower())).name
    except UnknownDialect:
        message = f"the warehouse {warehouse} is not known; its SQL is read as BigQuery's"
        remarks.add(Code.INVALID_PROJECT, message, place, subject=warehouse)
        return "bigquery"
