"""Stores with scripts' texts, definitions and diagnostics: what `headwater check` reads beside the graph.

The relations are `stores`' lines; their places (`@ etl.sql:3`) are then those of the texts given here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa

from headwater.model.diagnostic import SEVERITY, Code
from headwater.model.span import LineIndex
from headwater.store import Store
from headwater.store.identity import identify, script_id
from headwater.store.schema import TABLES
from stores import make_store, write_tables


class Said(NamedTuple):
    """A diagnostic of a script, at the first place where a text stands in it; of the whole script without one."""

    path: str
    at: str
    code: str
    subject: str = ""


def checked_store(
    folder: Path,
    lines: str,
    texts: Mapping[str, str],
    said: Sequence[Said] = (),
    defined: Sequence[str] = (),
    shift: int = 0,
) -> Store:
    """A store of relations, scripts, diagnostics; *defined* tables are defined by the statement that fills them.

    *shift* moves all offsets, as a secret that is no longer in the text does.
    """
    store = make_store(folder, lines)
    snapshot = store.snapshot()
    rows = {name: snapshot.table(name).to_pylist() for name in TABLES}
    indices = {script_id(path): LineIndex(text) for path, text in texts.items()}
    known = {row["script_id"]: row for row in rows["scripts"]}
    for path, text in texts.items():
        new = {"script_id": script_id(path), "path": path, "kind": "sql", "dialect": "spark", "seen": 1}
        known.setdefault(script_id(path), new)["text"] = text
    rows["scripts"] = list(known.values())
    for row in rows["statements"]:
        if row["script_id"] in indices:
            text = known[row["script_id"]]["text"]
            start = indices[row["script_id"]].line(row["line"]).start
            end = text.find(";", start)
            row.update(start=start + shift, end=(end if end >= 0 else len(text)) + shift)
    rows["diagnostics"] = [_diagnostic(each, texts[each.path], rows["statements"], shift) for each in said]
    _define(rows, defined)
    write_tables(store, {name: pa.Table.from_pylist(rows[name], TABLES[name].schema) for name in TABLES})
    return store


def _diagnostic(said: Said, text: str, statements: list[dict[str, Any]], shift: int) -> dict[str, Any]:
    script = script_id(said.path)
    start = text.index(said.at)
    line, column = LineIndex(text).position(start)
    own = [row for row in statements if row["script_id"] == script and said.at]
    own = [row for row in own if row["start"] <= start + shift < row["end"]]
    return {
        "script_id": script,
        "statement_id": own[0]["statement_id"] if own else 0,
        "process_id": own[0]["process_id"] if own else 0,
        "code": said.code,
        "severity": SEVERITY[Code(said.code)].value,
        "message": f"about {said.subject or said.at}",
        "subject": said.subject,
        "hint": "",
        "start": start + shift,
        "end": start + len(said.at) + shift,
        "line": line,
        "column": column,
    }


def _define(rows: dict[str, list[dict[str, Any]]], defined: Sequence[str]) -> None:
    """Let tables be defined by the first statement that writes a column of theirs."""
    owners = {row["column_id"]: row["entity_id"] for row in rows["columns"]}
    for entity in rows["entities"]:
        if entity["name"] in defined:
            own = [r["process_id"] for r in rows["relations"] if owners[r["target_id"]] == entity["entity_id"]]
            entity["defined_by"] = own[0] if own else identify("nothing")
