"""Schema files that lie beside scripts, told by their shape: BigQuery's, Avro's, JSON Schema.

In comes what such a file holds, out come its columns with their types, and the table that it names itself, if it does. Records become
struct types, repeated ones arrays: `[{"name": "a", "type": "RECORD", "fields": [{"name": "b", "type": "STRING"}]}]` is
`a: STRUCT<b STRING>`.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from headwater.catalog.catalog import Catalog, CatalogError
from headwater.catalog.source import read_catalog
from headwater.files import TooDeep, check_depth, parse_json, passes_over
from headwater.sql.dialect import Dialect
from headwater.sql.target import spelled_target
from headwater.sql.text import read_text

NAMES = ("schema.yaml", "schema.yml", "schema.json", "*.schema.json", "*.avsc")
"""Names of schema files, as patterns."""
_MAX_DEPTH = 30
_MAX_NESTING = 200
_MAX_YAML = 20_000_000
"""Characters of a schema in YAML."""
_AVRO = {"int": "INT", "long": "BIGINT", "bytes": "BINARY", "null": "", "enum": "STRING", "fixed": "BINARY"}
_JSON = {"integer": "BIGINT", "number": "DOUBLE", "boolean": "BOOLEAN", "string": "STRING", "null": ""}


class FileSchema(NamedTuple):
    """The columns that a file describes, and the table that it says they are of (no parts: it says none)."""

    table: tuple[str, ...]
    columns: Mapping[str, Any]


def read_schema(path: Path) -> FileSchema | None:
    """The schema in a file; None if it holds something else. Raises `CatalogError` if YAML cannot be read here."""
    text = read_text(path).text
    if path.suffix.lower() in (".yaml", ".yml"):
        return schema_of(_yaml(path, text))
    try:
        return schema_of(parse_json(text))
    except ValueError:
        return None


def schema_of(content: Any) -> FileSchema | None:
    """The schema that parsed JSON or YAML describes; None if it describes none."""
    if _is_fields(content):
        return FileSchema((), dict(_bigquery(content)))
    if not isinstance(content, dict):
        return None
    if content.get("type") == "record" and isinstance(content.get("fields"), list):
        return FileSchema(_avro_name(content), _avro_columns(content))
    if isinstance(content.get("properties"), dict) and content.get("type", "object") == "object":
        return FileSchema(_title(content), {n: _json_type(p, content, 0) for n, p in content["properties"].items()})
    if _is_fields(content.get("fields")):
        return FileSchema(_reference(content), dict(_bigquery(content["fields"])))
    inner = content.get("schema")
    if isinstance(inner, dict) and _is_fields(inner.get("fields")):
        return FileSchema(_reference(content), dict(_bigquery(inner["fields"])))
    return None


def catalog_of_files(files: Iterable[Path], targets: Iterable[tuple[str, Path]] = ()) -> Catalog:
    """What schema files say: of the tables that they name themselves, and of those that others say they are of.

    Of several descriptions of a table, the first counts.
    """
    found: dict[str, Any] = {}
    for table, path in targets:
        is_read = table not in found and path.is_file() and not passes_over(path)
        schema = read_schema(path) if is_read else None
        if schema is not None:
            found[table] = schema.columns
    for path in files:
        schema = read_schema(path) if not passes_over(path) else None
        if schema is not None and schema.table:
            found.setdefault(spelled_target(schema.table), schema.columns)
    return Catalog(found)


def catalog_beside(path: Path, dialect: Dialect) -> Catalog:
    """What a file called `schema.json` says of tables; nothing, where it has the columns of a table that it does not name."""
    schema = read_schema(path)
    if schema is None:
        return read_catalog(path, dialect)
    return Catalog({spelled_target(schema.table): schema.columns} if schema.table else {})


def _yaml(path: Path, text: str) -> Any:
    try:
        yaml: Any = importlib.import_module("yaml")
    except ModuleNotFoundError as error:
        raise CatalogError(f"schema file {path} is YAML: pip install 'headwater[project]' to read it") from error
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        if not _is_bounded(yaml, text, loader):
            return None
        content = yaml.load(text, loader)
        check_depth(content)
    except (yaml.YAMLError, RecursionError, TooDeep):
        return None
    return content


def _is_bounded(yaml: Any, text: str, loader: Any) -> bool:
    """Whether a document has no aliases, which could make it endless, and is no larger than people write."""
    if len(text) > _MAX_YAML:
        return False
    depth = 0
    for event in yaml.parse(text, loader):
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > _MAX_NESTING or isinstance(event, yaml.AliasEvent):
            return False
    return True


def _is_fields(content: Any) -> bool:
    """Whether it is a list of fields as BigQuery has them."""
    return (
        isinstance(content, list)
        and bool(content)
        and all(isinstance(f, dict) and isinstance(f.get("name"), str) and "type" in f for f in content)
    )


def _reference(content: Mapping[str, Any]) -> tuple[str, ...]:
    """The table that `bq show --format=json` names."""
    said = content.get("tableReference") or content.get("reference")
    if not isinstance(said, dict):
        return ()
    return tuple(str(said[key]) for key in ("projectId", "datasetId", "tableId") if said.get(key))


def _bigquery(fields: Any, depth: int = 0) -> Iterator[tuple[str, Any]]:
    for each in fields:
        type = _bigquery_type(each, depth)
        said = each.get("description")
        yield each["name"], {"type": type, "comment": said} if isinstance(said, str) and said and not depth else type


def _bigquery_type(each: Mapping[str, Any], depth: int) -> str:
    type = str(each.get("type") or "").upper()
    inner = each.get("fields")
    if type in ("RECORD", "STRUCT") and _is_fields(inner) and depth < _MAX_DEPTH:
        type = f"STRUCT<{', '.join(f'{name} {made}' for name, made in _bigquery(inner, depth + 1))}>"
    return f"ARRAY<{type}>" if str(each.get("mode") or "").upper() == "REPEATED" else type


def _avro_name(content: Mapping[str, Any]) -> tuple[str, ...]:
    name = content.get("name")
    if not isinstance(name, str) or not name:
        return ()
    space = content.get("namespace")
    whole = f"{space}.{name}" if isinstance(space, str) and space and "." not in name else name
    return tuple(whole.split("."))


def _avro_columns(record: Mapping[str, Any], depth: int = 0) -> dict[str, str]:
    found = {}
    for each in record["fields"]:
        if isinstance(each, dict) and isinstance(each.get("name"), str):
            found[each["name"]] = _avro_type(each.get("type"), depth + 1)
    return found


def _avro_type(type: Any, depth: int) -> str:
    if depth > _MAX_DEPTH:
        return ""
    if isinstance(type, list):
        others = [each for each in type if each != "null"]
        return _avro_type(others[0], depth + 1) if len(others) == 1 else ""
    if not isinstance(type, dict):
        return _AVRO.get(str(type), str(type).upper())
    kind = type.get("type")
    if kind == "record" and isinstance(type.get("fields"), list):
        return f"STRUCT<{', '.join(f'{name}: {made}' for name, made in _avro_columns(type, depth).items())}>"
    if kind == "array":
        return f"ARRAY<{_avro_type(type.get('items'), depth + 1)}>"
    if kind == "map":
        return f"MAP<STRING, {_avro_type(type.get('values'), depth + 1)}>"
    logical = {"date": "DATE", "timestamp-millis": "TIMESTAMP", "timestamp-micros": "TIMESTAMP"}
    return logical.get(str(type.get("logicalType"))) or _avro_type(kind, depth + 1)


def _title(content: Mapping[str, Any]) -> tuple[str, ...]:
    """The table that a JSON Schema names: its title, if that is a plain name."""
    title = content.get("title")
    parts = tuple(title.split(".")) if isinstance(title, str) else ()
    return parts if parts and all(part.isidentifier() for part in parts) else ()


def _json_type(said: Any, document: Mapping[str, Any], depth: int) -> str:
    if not isinstance(said, dict) or depth > _MAX_DEPTH:
        return ""
    if isinstance(said.get("$ref"), str):
        return _json_type(_referred(said["$ref"], document), document, depth + 1)
    type = said.get("type")
    if isinstance(type, list):
        others = [each for each in type if each != "null"]
        type = others[0] if len(others) == 1 else None
    if type == "object" and isinstance(said.get("properties"), dict):
        inner = ((name, _json_type(each, document, depth + 1)) for name, each in said["properties"].items())
        return f"STRUCT<{', '.join(f'{name}: {made}' for name, made in inner)}>"
    if type == "array":
        return f"ARRAY<{_json_type(said.get('items'), document, depth + 1)}>"
    if type == "string" and said.get("format") in ("date", "date-time"):
        return "DATE" if said["format"] == "date" else "TIMESTAMP"
    return _JSON.get(str(type), "")


def _referred(reference: str, document: Mapping[str, Any]) -> Any:
    """What `#/definitions/x` means inside of the document; nothing outside of it is looked for."""
    found: Any = document
    for part in reference.removeprefix("#/").split("/") if reference.startswith("#/") else ("",):
        found = found.get(part) if isinstance(found, Mapping) else None
    return found
