"""Random stores: many small graphs in one, with circles, row sets, fields of struct columns, keys, diagnostics and tables nobody writes."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyarrow as pa

from headwater.model.entity import PSEUDO_ROWS
from headwater.store.identity import identify
from headwater.store.schema import TABLES
from stores import LocalStore, write_tables

_KINDS = (
    ("fdd", "IDENTITY", "select"),
    ("fdd", "IDENTITY", "select"),
    ("fdd", None, ""),
    ("fdr", "FILTER", "where"),
    ("fdr", None, None),
    ("fdd", None, "foreignKey"),
)
_NAMES = ("x", "y", "x.f", "x.f.g", "z..h", ".odd", PSEUDO_ROWS)
_SCHEMAS = ((), ("s",), ("c", "s"))
_CODES = ("syntax-error", "unresolved-column", "ambiguous-column")


def random_store(folder: Path, seed: int, graphs: int = 30) -> LocalStore:
    """A store of that many graphs, which hang together only within themselves."""
    draw = random.Random(seed)
    rows: dict[str, list[dict[str, Any]]] = {name: [] for name in TABLES}
    for number in range(graphs):
        _add_graph(draw, rows, number)
    _add_diagnostics(draw, rows)
    store = LocalStore(folder)
    store.create()
    write_tables(store, {name: pa.Table.from_pylist(found, TABLES[name].schema) for name, found in rows.items()})
    return store


def _add_graph(draw: random.Random, rows: dict[str, list[dict[str, Any]]], number: int) -> None:
    columns = [
        column
        for table in range(3)
        for column in _add_table(draw, rows, (*draw.choice(_SCHEMAS), f"t{number}_{table}"))
    ]
    for relation in range(draw.randrange(25)):
        type, subtype, clause = draw.choice(_KINDS)
        rows["relations"].append(
            {
                "relation_id": identify("r", str(number), str(relation)),
                "source_id": draw.choice(columns),
                "target_id": draw.choice(columns),
                "process_id": draw.randrange(1, 60),
                "type": type,
                "subtype": subtype,
                "clause": clause,
                "masking": False,
                "candidate": False,
                "expression": "",
            }
        )


def _add_table(draw: random.Random, rows: dict[str, list[dict[str, Any]]], parts: tuple[str, ...]) -> list[int]:
    """A table with some of the columns; gives their ids."""
    entity = identify("e", *parts)
    name = ".".join(parts)
    about = {"kind": "table", "temporary": False, "scope_id": 0, "complete": True, "file_format": ""}
    defined_by = draw.choice([0, 0, draw.randrange(60, 80)])
    rows["entities"].append(
        {"entity_id": entity, "parts": parts, "name": name, "spelling": name, "defined_by": defined_by, **about}
    )
    names = draw.sample(_NAMES, draw.randrange(1, len(_NAMES) + 1))
    for column in names:
        rows["columns"].append(
            {
                "column_id": identify("c", str(entity), column),
                "entity_id": entity,
                "name": column,
                "inferred": draw.random() < 0.3,
                "row_set": column == PSEUDO_ROWS,
            }
        )
    return [identify("c", str(entity), column) for column in names]


def _add_diagnostics(draw: random.Random, rows: dict[str, list[dict[str, Any]]]) -> None:
    for process in range(1, 80):
        rows["processes"].append({"process_id": process, "type": "Insert", "text": ""})
    for script, default in ((1, "s"), (2, ""), (3, None)):
        rows["scripts"].append({"script_id": script, "path": f"{script}.sql", "default_schema": default})
    for _ in range(draw.randrange(40)):
        about = {"script_id": draw.randrange(1, 4), "statement_id": 0, "process_id": draw.randrange(90)}
        rows["diagnostics"].append({"code": draw.choice(_CODES), "severity": "error", "message": "", **about})
