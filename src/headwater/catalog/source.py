"""Catalogs from files: JSON (flat, nested or SQLFlow's metadata), CSV with headers found by name, DDL scripts."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import Any

from headwater.catalog.catalog import Catalog, CatalogError
from headwater.catalog.sqlflow_metadata import is_metadata, tables_of
from headwater.files import files_in, parse_json
from headwater.sql.dialect import Dialect
from headwater.sql.spelled_name import in_quotes
from headwater.sql.text import decode

_TABLE_HEADERS = ("table", "table_name", "tablename", "table_full_name")
_COLUMN_HEADERS = ("column", "column_name", "columnname", "name", "field")
_TYPE_HEADERS = ("type", "data_type", "datatype", "column_type")
_MORE_HEADERS = {"tags": ("tags", "tag"), "comment": ("comment", "column_comment", "description")}
_SCHEMA_HEADERS = ("schema", "table_schema", "schema_name", "database", "database_name", "db", "dataset")
_CATALOG_HEADERS = ("catalog", "table_catalog", "catalog_name", "project")


def read_catalog(path: Path, dialect: Dialect) -> Catalog:
    """The catalog in a file; its form is told by the file's ending. A folder gives all its files together."""
    if path.is_dir():
        files = [path / p for p in files_in(path) if p.lower().endswith((".json", ".csv", ".sql", ".ddl"))]
        catalog = Catalog()
        for file in files:
            catalog = read_catalog(file, dialect).over(catalog)
        return catalog
    if not path.exists():
        raise CatalogError(f"schema file {path} does not exist")
    readers = {".json": _json, ".csv": _csv, ".sql": _ddl, ".ddl": _ddl}
    reader = readers.get(path.suffix.lower())
    if reader is None:
        raise CatalogError(f"schema file {path}: use .json, .csv, .sql or .ddl")
    return reader(path, dialect)


def _json(path: Path, dialect: Dialect) -> Catalog:
    try:
        return inline_catalog(decode(path.read_bytes()).text)
    except CatalogError as error:
        raise CatalogError(f"schema file {path}: {error}") from error


def inline_catalog(text: str) -> Catalog:
    """The catalog in a JSON text."""
    try:
        content = parse_json(text)
    except ValueError as error:
        raise CatalogError(f"this is not JSON: {error}") from error
    if not isinstance(content, dict):
        raise CatalogError("the JSON must hold an object of tables")
    return Catalog(tables_of(content) if is_metadata(content) else content).check()


def _csv(path: Path, dialect: Dialect) -> Catalog:
    tables: dict[str, dict[str, Any]] = {}
    text = decode(path.read_bytes()).text
    if "\0" in text:
        raise CatalogError(f"schema file {path} is not a text file")
    reader = csv.reader(io.StringIO(text, newline=""), _csv_dialect(text.partition("\n")[0]))
    header = [h.strip().lower() for h in next(reader, [])]
    table, column = _find(header, _TABLE_HEADERS), _find(header, _COLUMN_HEADERS)
    if table is None or column is None:
        raise CatalogError(f"schema file {path} needs the headers table and column (and may have type)")
    kind = _find(header, _TYPE_HEADERS)
    more = {key: at for key, names in _MORE_HEADERS.items() if (at := _find(header, names)) is not None}
    outer = [i for i in (_find(header, _CATALOG_HEADERS), _find(header, _SCHEMA_HEADERS)) if i is not None]
    for row in reader:
        if len(row) > max(table, column) and row[table].strip():
            parts = [row[i].strip() for i in outer if i < len(row) and row[i].strip()]
            name = ".".join([*parts, *(p.strip() for p in row[table].split("."))])
            said = {key: row[at].strip() for key, at in more.items() if at < len(row) and row[at].strip()}
            type = row[kind].strip() if kind is not None and kind < len(row) else ""
            known = tables.setdefault(_as_stored(name, dialect), {})
            known[row[column].strip()] = {"type": type, **said} if said else type
    return Catalog(tables)


def _as_stored(name: str, dialect: Dialect) -> str:
    """A table's name from a list: as it is, or folded where the dialect takes no notice of case."""
    ignores_case = dialect.spelled_table('"aA"') == dialect.spelled_table("aA")
    return _quoted(dialect.spelled_table(name)) if ignores_case else name


def _csv_dialect(line: str) -> type[csv.Dialect]:
    class Found(csv.excel):
        delimiter = max(",;\t|", key=line.count)

    return Found


def _find(header: list[str], names: tuple[str, ...]) -> int | None:
    for name in names:
        if name in header:
            return header.index(name)
    return None


def _ddl(path: Path, dialect: Dialect) -> Catalog:
    try:
        return ddl_catalog(decode(path.read_bytes()).text, dialect)
    except CatalogError as error:
        raise CatalogError(f"schema file {path} {error}") from error


def ddl_catalog(text: str, dialect: Dialect) -> Catalog:
    """The tables that a DDL script leaves behind. Their names are folded already, so they are kept as quoted ones."""
    from headwater.resolve import Session, resolve
    from headwater.sql.comments_on_columns import comments_of
    from headwater.sql.script import statements

    session = Session()
    comments: dict[tuple[tuple[str, ...], str | None], str] = {}
    for statement in statements(text, [dialect]):
        session = session.after(resolve(statement, session))
        comments |= {(table, column): text for table, column, text in comments_of(statement.tree, dialect)}
    tables = [d for d in session.defined.values() if d.columns and not d.dropped]
    if not session.defined:
        raise CatalogError(f"defines no table that {dialect.name} understands")

    def described(table: tuple[str, ...], column: str, type: str) -> Any:
        comment = comments.get((table, column))
        return {"type": type, "comment": comment} if comment else type

    return Catalog(
        {
            _quoted(".".join(d.table)): {_quoted(c): described(d.table, c, t) for c, t in (d.columns or {}).items()}
            for d in tables
        }
    )


def _quoted(name: str) -> str:
    """A folded name in quotes, part by part, so that it is not folded again."""
    return ".".join(map(in_quotes, name.split(".")))
