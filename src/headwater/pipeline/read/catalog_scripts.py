"""What a catalog says of lineage (`catalog.definitions`), as scripts of a build. What the corpus defines itself is left to the corpus."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pyarrow as pa

from headwater.catalog import Catalog
from headwater.catalog.definitions import definitions_in
from headwater.catalog.wanted import Wanted
from headwater.model.diagnostic import Code, Diagnostic
from headwater.pipeline.read.files import SCRIPT, source_id
from headwater.sql.dialect import Dialect, dialect
from headwater.store.identity import script_id

KIND = "catalog"


def described_scripts(
    catalog: Catalog, spoken: str, wanted: Wanted | None, remarks: tuple[Diagnostic, ...] = ()
) -> pa.Table | None:
    """The scripts of a catalog, and what is to be said of it; None if there are none."""
    rows = [*_scripts(catalog, dialect(spoken.partition(",")[0]), wanted), *map(_remark, remarks)]
    return pa.Table.from_pylist(rows, schema=SCRIPT) if rows else None


def _scripts(catalog: Catalog, spoken: Dialect, wanted: Wanted | None) -> Iterator[dict[str, Any]]:
    for definition in definitions_in(catalog, spoken):
        if not (wanted is not None and wanted.defines(definition.name, definition.dialect)):
            yield _row(definition.place, definition.dialect.name, definition.default_schema, definition.text)


def _remark(remark: Diagnostic) -> dict[str, Any]:
    """A script without text, which has a problem."""
    return _row(remark.subject, "", "", "") | {"problem": f"{remark.code.value}: {remark.message}; {remark.hint}"}


def remark_of(problem: str) -> Diagnostic:
    """What was to be said of the catalog, out of the problem of such a script."""
    code, _, message = problem.partition(": ")
    return Diagnostic(Code(code), message)


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
