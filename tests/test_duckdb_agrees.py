"""DuckDB as a judge: what the cases in its dialect bind, it binds, to outputs of the same names.

The tables are empty. They have the columns of the case's schema, and tables that no schema lists have the columns that the analysis
asked of them: if one were missing, or given to the wrong table, DuckDB would not find it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import duckdb
import pytest

import headwater
from case_file import Case, all_cases
from case_runner import analyse
from headwater.model.entity import PSEUDO_ROWS, EntityKind

TYPES = ("INTEGER", "VARCHAR", "INTEGER[]", "DATE")
"""Types for columns that declare none, tried one after the other."""

NOT_BOUND = re.compile(
    r"Referenced (column|table)|does not have a column|Ambiguous reference|not found in FROM|Column with name"
)
"""What DuckDB says when names do not fit; other errors are about types, files and the like."""

WITHOUT = ("COPY", "ATTACH", "INSTALL", "LOAD", "EXPORT", "IMPORT", "read_", "_scan", "{{", "EXPLAIN")
"""Cases about files, extensions and templates, which DuckDB alone cannot run."""

NAMED_OTHERWISE = {
    # DuckDB writes these expressions in its own spelling; here an output without a name is called as it is written
    "columns/columns: A comparison with a pattern is no set",
}

UNRUN = {
    # the case is about a mistake in the SQL
    "columns/columns: No column fits",
}


def _cases() -> Iterator[Case]:
    for case in all_cases():
        dialects = case.blocks["sql"].attributes["dialect"].split(",")
        clean = not {"notimpl", "diagnostics"} & case.blocks.keys() and case.id not in UNRUN
        if clean and dialects[0] == "duckdb" and not any(word in case.sql for word in WITHOUT):
            yield case


@pytest.mark.parametrize("case", [*_cases()], ids=lambda case: case.id)
def test_duckdb_binds_the_same_names(case: Case) -> None:
    lineage = analyse(case)
    tables = _tables(case, lineage)
    if any("*" in columns for columns in tables.values()):
        pytest.skip("the columns of an unknown table are not told")
    errors: list[str] = []
    for kind in TYPES:
        found = _outputs(case, tables, kind)
        if isinstance(found, list):
            ours = [ref.column for ref in lineage.statements[-1].outputs if ref.table is None]
            if ours and case.id not in NAMED_OTHERWISE:
                assert [name.lower() for name in found] == [name.lower() for name in ours]
            return
        errors.append(found)
    assert not all(map(NOT_BOUND.search, errors)), errors[0]
    pytest.skip(errors[0])


Tables = dict[tuple[str, ...], dict[str, str]]


def _tables(case: Case, lineage: headwater.Lineage) -> Tables:
    """The tables that have to be there before the script runs, with their columns."""
    tables: Tables = {tuple(name.split(".")): dict(columns) for name, columns in (case.schema or {}).items()}
    made: set[tuple[str, ...]] = {definition.table for s in lineage.statements for definition in s.resolution.defines}
    for statement in lineage.statements:
        resolution = statement.resolution
        for entity, name, _ in resolution.columns:
            row = resolution.entities[entity]
            if row.kind is EntityKind.TABLE and row.table not in made and not _listed(case, row.table or ()):
                columns = tables.setdefault(row.table or (), {})
                if name != PSEUDO_ROWS:
                    columns.setdefault(name.partition(".")[0], "")
    return {name: columns or {"other": ""} for name, columns in tables.items()}


def _listed(case: Case, name: tuple[str, ...]) -> bool:
    return ".".join(name) in {listed.lower() for listed in case.schema or ()}


def _outputs(case: Case, tables: Tables, kind: str) -> list[str] | str:
    """The names of the last statement's outputs, or why DuckDB does not run the script."""
    alone = {"python_enable_replacements": "false", "autoinstall_known_extensions": "false"}
    connection = duckdb.connect(config=alone)
    try:
        for name, columns in tables.items():
            if len(name) > 1:
                connection.execute(f'CREATE SCHEMA IF NOT EXISTS "{name[-2]}"')
            listed = ", ".join(f'"{column}" {declared or kind}' for column, declared in columns.items())
            connection.execute(f"CREATE TABLE {'.'.join(name)} ({listed})")
        for statement in connection.extract_statements(case.sql):
            connection.execute(statement)
        return [column[0] for column in connection.description or ()]
    except duckdb.Error as error:
        return str(error).splitlines()[0]
    finally:
        connection.close()
