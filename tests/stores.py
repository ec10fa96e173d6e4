"""Small stores from a few lines of text, written through the store's own code.

A line is a relation, or says what a table is:

    db.t.a -> db.u.b TRANSFORMATION = upper(a) @ etl.sql:3 Insert
    db.t.b -> db.u.rows FILTER where
    view db.v
    temporary db.x / result q / column db.t.c int / constant db.t.c / unknown db.t.c
    tag db.t.c pii @ etl.sql:1
    error etl.sql:3 syntax-error SELEC is no word of SQL

The subtype is IDENTITY if none is given; FILTER, JOIN, GROUP_BY, SORT and `rows` (a row set handed on) are `fdr`. Flags are `masked`,
`candidate`, and `fdd` or `fdr` where the subtype alone does not tell. A column `rows` is the row set. What stands behind `@` is the
process: its script, line and type; lines that have the same are one statement. Without it, each target table has its own. A tag is a
comment's. What is said of a line (`error`, `warning`, `info`) is said of its script; an error's line begins a statement.

Scripts that a test gives a text of have their statements there, from a line to the next `;`, and expressions where they occur first.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa

from headwater.model.entity import PSEUDO_ROWS, EntityKind
from headwater.store import Snapshot, Store
from headwater.store.build_folder import begin
from headwater.store.identity import (
    NOWHERE,
    column_id,
    entity_id,
    identify,
    process_id,
    script_id,
)
from headwater.store.schema import TABLES

_RELATION = re.compile(
    r"(?P<source>\S+) -> (?P<target>\S+)(?P<words>(?: (?![=@])\S+)*)(?: = (?P<expression>.*?))?(?: @ (?P<place>.*))?"
)
_INFLUENCE = {"FILTER": "where", "JOIN": "joinCondition", "GROUP_BY": "groupBy", "SORT": "orderBy"}
_FLOWS = {"CONDITIONAL": "caseWhen", "WINDOW": "window"}
_SUBTYPES = {"IDENTITY", "TRANSFORMATION", "AGGREGATION", *_FLOWS, *_INFLUENCE}


Rows = dict[str, dict[Any, dict[str, Any]]]
"""The rows of each table of a snapshot, by what tells them apart."""


class LocalStore(Store):
    """A store in a folder."""

    @property
    def path(self) -> Path:
        """The folder."""
        return Path(self.place)


def make_store(folder: Path, lines: str, texts: Mapping[str, str] | None = None) -> LocalStore:
    """A store whose current snapshot holds what the lines say; a second call for the same folder adds a snapshot."""
    return write_rows(folder, rows_of(lines, texts or {}))


def rows_of(lines: str, texts: Mapping[str, str]) -> Rows:
    """What the lines say, of scripts some of which have texts."""
    rows = _Rows()
    declared = [line.strip() for line in lines.splitlines() if line.strip()]
    for line in sorted(declared, key=lambda text: " -> " in text):
        rows.add(line)
    for path, text in texts.items():
        rows.write_out(path, text)
    return rows.tables


def write_rows(folder: Path, rows: Rows) -> LocalStore:
    """A store whose current snapshot holds these rows."""
    store = LocalStore(folder)
    store.create()
    write_tables(
        store,
        {name: pa.Table.from_pylist(list(content.values()), TABLES[name].schema) for name, content in rows.items()},
    )
    return store


def write_tables(store: Store, tables: dict[str, pa.Table]) -> Snapshot:
    """A snapshot of these tables, published."""
    with begin(store) as build:
        content = {name: tables.get(name, table.schema.empty_table()) for name, table in TABLES.items()}
        return build.publish({name: [build.write(name, table)] for name, table in content.items()}, {})


@dataclass
class _Rows:
    tables: Rows = field(default_factory=lambda: {name: {} for name in TABLES})

    def add(self, line: str) -> None:
        match = _RELATION.fullmatch(line)
        if match:
            self._relation(**match.groupdict())
            return
        word, name, *rest = line.split()
        if word == "column":
            self.column(name, " ".join(rest) or None)
        elif word in ("constant", "unknown"):
            self.tables["columns"][self.column(name)]["value"] = word
        elif word == "tag":
            self._tag(name, *rest)
        elif word in ("error", "warning", "info"):
            self._said(word, name, *rest)
        else:
            self.entity(name, {"temporary": "table", "result": "resultset"}.get(word, word), word == "temporary")

    def entity(self, name: str, kind: str = "table", temporary: bool = False) -> int:
        known = next((e["entity_id"] for e in self.tables["entities"].values() if e["name"] == name), None)
        if known is not None:
            return int(known)
        parts = tuple(name.split("."))
        scope = script_id("some.sql") if temporary or kind == "resultset" else NOWHERE
        id = entity_id(EntityKind(kind), parts, scope)
        self.tables["entities"][id] = {
            "entity_id": id,
            "kind": kind,
            "parts": parts,
            "name": name,
            "spelling": name,
            "temporary": temporary,
            "scope_id": scope,
            "complete": True,
            "file_format": "",
            "defined_by": 0,
        }
        return id

    def column(self, name: str, data_type: str | None = None) -> int:
        table, _, column = name.rpartition(".")
        entity = self.entity(table)
        row_set = column == "rows"
        column = PSEUDO_ROWS if row_set else column
        id = column_id(entity, column)
        ordinal = None if row_set else sum(c["entity_id"] == entity for c in self.tables["columns"].values())
        self.tables["columns"].setdefault(
            id,
            {
                "column_id": id,
                "entity_id": entity,
                "name": column,
                "ordinal": ordinal,
                "data_type": data_type,
                "inferred": False,
                "row_set": row_set,
            },
        )
        return id

    def process(self, target: str, place: str | None) -> int:
        where, _, type = (place or f"{target.rpartition('.')[0]}.sql:1").partition(" ")
        path, _, line = where.partition(":")
        text = f"-- {where} {type}"
        hash = hashlib.md5(text.encode()).hexdigest()
        id, script = process_id("batchQueries", hash), script_id(path)
        self.tables["processes"][id] = {
            "process_id": id,
            "type": type or "Create Table",
            "name": "Query",
            "procedure": "batchQueries",
            "query_hash": hash,
            "dialect": "spark",
            "text": text,
            "seen": 1,
            "users": [],
        }
        self.tables["scripts"][script] = {
            "script_id": script,
            "path": path,
            "kind": "sql",
            "dialect": "spark",
            "seen": 1,
        }
        number = int(line or 1)
        self.tables["statements"][script, number] = {
            "statement_id": identify("statement", str(script), str(number)),
            "script_id": script,
            "ordinal": number,
            "start": number,
            "end": number + 1,
            "line": number,
            "column": 1,
            "process_id": id,
            "query_hash": hash,
            "seen": 1,
        }
        return id

    def _relation(self, source: str, target: str, words: str, expression: str | None, place: str | None) -> None:
        given = words.split()
        subtype = next(
            (w for w in given if w in _SUBTYPES), None if {"rows", "foreignKey"} & set(given) else "IDENTITY"
        )
        influence = subtype in _INFLUENCE or "rows" in given
        type = next((w for w in given if w in ("fdd", "fdr")), "fdr" if influence else "fdd")
        known = {"fdd", "fdr", "masked", "candidate", "rows", *_SUBTYPES}
        usual = "" if "rows" in given else {**_INFLUENCE, **_FLOWS}.get(subtype or "", "select")
        clause = next((w for w in given if w not in known), usual)
        text = expression if expression is not None else source.rpartition(".")[2] if type == "fdd" else ""
        ends, process = (self.column(source), self.column(target)), self.process(target, place)
        flags = {"masking": "masked" in given, "candidate": "candidate" in given}
        id = identify("relation", *map(str, (*ends, process, type, subtype, clause, *flags.values(), text)))
        self.tables["relations"][id] = {
            "relation_id": id,
            "source_id": ends[0],
            "target_id": ends[1],
            "process_id": process,
            "type": type,
            "subtype": subtype,
            "clause": clause,
            "expression": text,
            "start": None,
            "end": None,
            **flags,
        }

    def _tag(self, name: str, tag: str, at: str = "@", place: str = "") -> None:
        entity = self.entity(name.rpartition(".")[0])
        self.tables["tags"][name, tag] = {
            "entity_id": entity,
            "column_id": self.column(name),
            "tag": tag,
            "origin": "comment",
            "place": place,
        }

    def _said(self, severity: str, place: str, code: str, *message: str) -> None:
        path, _, line = place.partition(":")
        statement = process = 0
        if severity == "error":
            process = self.process("", place)
            statement = self.tables["statements"][script_id(path), int(line)]["statement_id"]
        self.tables["diagnostics"][len(self.tables["diagnostics"])] = {
            "script_id": script_id(path),
            "statement_id": statement,
            "process_id": process,
            "code": code,
            "severity": severity,
            "message": " ".join(message),
            "subject": "",
            "hint": "",
            "start": int(line),
            "end": int(line),
            "line": int(line),
            "column": 1,
        }

    def write_out(self, path: str, text: str) -> None:
        """Give a script its text, and put into it what stands there."""
        script = self.tables["scripts"][script_id(path)]
        standing = [each for each in self.tables["statements"].values() if each["script_id"] == script_id(path)]
        script.update(text=text, statements=len(standing))
        lines = text.splitlines(keepends=True)
        for statement in standing:
            start = len("".join(lines[: statement["line"] - 1]))
            end = text.find(";", start) if ";" in text[start:] else len(text)
            statement.update(start=start, end=end)
            self.tables["processes"][statement["process_id"]]["text"] = text[start:end]
            self._place(statement["process_id"], text[start:end])

    def _place(self, process: int, text: str) -> None:
        for relation in self.tables["relations"].values():
            at = text.find(relation["expression"]) if relation["expression"] else -1
            if relation["process_id"] == process and at >= 0:
                relation.update(start=at, end=at + len(relation["expression"]))
