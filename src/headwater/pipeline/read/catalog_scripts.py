"""What a catalog says of lineage, as scripts: the statements that create its views, and the foreign keys of its tables.

A script is shown where its table is, `postgresql://host/db/schema.view`. Unqualified names in a view's SQL are those of the view's schema,
unless it is described otherwise. What the corpus defines itself is left to the corpus.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from headwater.catalog import Catalog
from headwater.catalog.description import VIEWS, Spelling, TableDescription
from headwater.catalog.view_sql import written
from headwater.catalog.wanted import Wanted
from headwater.model.diagnostic import Diagnostic
from headwater.pipeline.read.files import SCRIPT, source_id
from headwater.sql.dialect import Dialect, UnknownDialect, dialect
from headwater.store.identity import script_id

KIND = "catalog"
_NOWHERE = "catalog"
"""How the place of a catalog begins that does not say where it was read from."""


def described_scripts(
    catalog: Catalog, spoken: str, wanted: Wanted | None, remarks: tuple[Diagnostic, ...] = ()
) -> pa.Table | None:
    """The scripts of a catalog, and what is to be said of it; None if there are none."""
    rows = [*_scripts(catalog, dialect(spoken.partition(",")[0]), wanted), *map(_remark, remarks)]
    return pa.Table.from_pylist(rows, schema=SCRIPT) if rows else None


def _scripts(catalog: Catalog, spoken: Dialect, wanted: Wanted | None) -> Iterator[dict[str, Any]]:
    for about, table in catalog.described():
        own = _dialect(about.dialect) or spoken
        spelling = Spelling.of(own)
        text = _text(table, own)
        if text and not (wanted is not None and wanted.defines(table.name, own)):
            path = f"{about.source or _NOWHERE}/{spelling.table(table.name)}"
            yield _row(path, own.name, spelling.table(table.sql_schema), text)


def _dialect(name: str) -> Dialect | None:
    try:
        return dialect(name) if name else None
    except UnknownDialect:
        return None


def _text(table: TableDescription, spoken: Dialect) -> str:
    if table.kind in VIEWS:
        return table.sql
    keys = [
        f"ALTER TABLE {written(table.name, spoken)} ADD FOREIGN KEY ({_list(key.columns, spoken)})"
        f" REFERENCES {written(key.table, spoken)} ({_list(key.referred, spoken)});"
        for key in table.foreign_keys
    ]
    return "\n".join(keys)


def _list(columns: tuple[str, ...], spoken: Dialect) -> str:
    return ", ".join(written((column,), spoken) for column in columns)


def _remark(remark: Diagnostic) -> dict[str, Any]:
    """A script without text, which has a problem."""
    return _row(remark.subject, "", "", "") | {"problem": f"{remark.message}; {remark.hint}"}


def _row(path: str, spoken: str, default_schema: str, text: str) -> dict[str, Any]:
    return {
        "script_id": script_id(path),
        "source_id": source_id(path),
        "path": path,
        "kind": KIND,
        "dialect": spoken,
        "default_schema": default_schema,
        "schema": "",
        "encoding": "utf-8",
        "text": text,
        "problem": "",
        "skipped": 0,
        "seen": 1,
        "first_seen": None,
        "last_seen": None,
        "users": [],
        "costs": [],
    }
