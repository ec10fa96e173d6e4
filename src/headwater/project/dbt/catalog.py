"""`target/catalog.json`: the columns that the database really has, by the node that they belong to."""

from __future__ import annotations

from collections.abc import Mapping

from headwater.project.dbt.document import Document, inner, inners, text
from headwater.project.dbt.files import read_json
from headwater.project.dbt.folder import Folder
from headwater.project.dbt.naming import column_name
from headwater.project.dbt.remarks import Remarks
from headwater.sql.dialect import Dialect

CATALOG = "catalog.json"

Columns = Mapping[str, str]
"""Names of columns, as a schema spells them, and their types."""


def read_catalog_file(folder: Folder, dialect: Dialect, remarks: Remarks) -> Mapping[str, Columns]:
    """Columns of tables by the unique id of their node; nothing where the file was not written."""
    path = folder.target / CATALOG
    if not path.is_file():
        return {}
    content = read_json(path, path.as_posix(), remarks) or {}
    sections = (inner(content, "nodes"), inner(content, "sources"))
    return {
        name: found for section in sections for name in section if (found := _columns(inner(section, name), dialect))
    }


def _columns(node: Document, dialect: Dialect) -> Columns:
    ordered = sorted(inners(node, "columns"), key=_index)
    return {column_name(text(c, "name"), dialect): text(c, "type") for c in ordered if text(c, "name")}


def _index(column: Document) -> int:
    index = column.get("index")
    return index if isinstance(index, int) else 0
