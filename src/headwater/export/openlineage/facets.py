"""What an event says beside its relations: of a data set its columns, of a job its text and script, of a run who has read it."""

from __future__ import annotations

import re
from urllib.parse import quote

from openlineage.client.event_v2 import Job
from openlineage.client.facet_v2 import (
    DatasetFacet,
    JobFacet,
    RunFacet,
    dataset_type_dataset,
    datasource_dataset,
    extraction_error_run,
    job_type_job,
    processing_engine_run,
    schema_dataset,
    source_code_location_job,
    sql_job,
    storage_dataset,
)

from headwater import __version__
from headwater.export.kinds import words
from headwater.export.records import Column, Entity, Process
from headwater.model.relation import OUTSIDE

PRODUCER = f"urn:headwater:{__version__}"
"""Who says all this; OpenLineage wants a URI."""
JOB_NAMESPACE = "headwater"
_UNLISTED = "*"
"""The column that stands for what nobody could list."""
_LAYERS = frozenset({"delta", "iceberg"})
"""File formats that OpenLineage has a word for."""
_URI = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*(?::[\w.~:/?#\[\]@!$&'()*+,;=%-]*)?", re.ASCII)


def plain(text: str) -> str:
    """A text that every JSON reader takes: without halves of characters."""
    return text if text.isascii() else text.encode("utf-8", "replace").decode("utf-8")


def column_name(column: Column) -> str:
    """A column's name, the same in all events, however a statement spells it."""
    return plain(column.folded or column.name)


def dataset_facets(entity: Entity, namespace: str) -> dict[str, DatasetFacet]:
    """What an event says of a data set, whatever a job does with it."""
    found: dict[str, DatasetFacet] = {
        "dataSource": datasource_dataset.DatasourceDatasetFacet(namespace, _uri(namespace), producer=PRODUCER),
        "datasetType": dataset_type_dataset.DatasetTypeDatasetFacet(*_type(entity), producer=PRODUCER),
    }
    listed = [column for column in entity.columns if not column.row_set and column.name != _UNLISTED]
    if listed:
        fields = [
            schema_dataset.SchemaDatasetFacetFields(column_name(c), c.data_type and plain(c.data_type), fields=None)
            for c in listed
        ]
        found["schema"] = schema_dataset.SchemaDatasetFacet(fields, producer=PRODUCER)
    if entity.file_format.lower() in _LAYERS:
        found["storage"] = storage_dataset.StorageDatasetFacet(entity.file_format.lower(), producer=PRODUCER)
    return found


def says_format(entity: Entity) -> bool:
    """Whether there is a word for the format of an entity's files, if it has one."""
    return not entity.file_format or entity.file_format.lower() in _LAYERS


def _type(entity: Entity) -> tuple[str, str | None]:
    found = words(entity.kind)
    return found.dataset, found.dataset_sub_type or ("TEMPORARY" if entity.temporary else None)


def _uri(namespace: str) -> str | None:
    """A namespace as a URI, if it can be one: `bigquery:`."""
    if _URI.fullmatch(namespace) is None:
        return None
    return namespace if ":" in namespace else f"{namespace}:"


def job(process: Process) -> Job:
    """The job that a process is."""
    facets: dict[str, JobFacet] = {
        "jobType": job_type_job.JobTypeJobFacet(
            "BATCH", "HEADWATER", process.type.upper().replace(" ", "_"), producer=PRODUCER
        )
    }
    if process.text:
        facets["sql"] = sql_job.SQLJobFacet(plain(process.text), process.dialect or None, producer=PRODUCER)
    if process.path:
        path = plain(process.path)
        line = f"#L{process.places[0].start.line}" if process.places else ""
        facets["sourceCodeLocation"] = source_code_location_job.SourceCodeLocationJobFacet(
            "file", f"file:{quote(path)}{line}", path=path, producer=PRODUCER
        )
    return Job(JOB_NAMESPACE, job_name(process), facets)


def job_name(process: Process) -> str:
    """`etl/orders.sql#Insert.5d41402abc4b`: the script, the procedure if it stands in one, what it does, and its hash."""
    where = [] if process.procedure == OUTSIDE else [process.procedure]
    return plain(f"{process.path}#{'.'.join([*where, process.type, process.query_hash[:12]])}")


def run_facets(process: Process, errors: list[str]) -> dict[str, RunFacet]:
    """Who has read the statement, and what could not be read."""
    found: dict[str, RunFacet] = {
        "processing_engine": processing_engine_run.ProcessingEngineRunFacet(__version__, "headwater", producer=PRODUCER)
    }
    if errors:
        said = [extraction_error_run.Error(plain(error), task=plain(process.text), taskNumber=0) for error in errors]
        found["extractionError"] = extraction_error_run.ExtractionErrorRunFacet(1, 1, said, producer=PRODUCER)
    return found
