"""A script that an assistant sends: analysed in a process of its own, with a deadline and a memory limit for all of it.

In comes text only: SQL, and a schema as JSON or DDL. No path is ever opened.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from headwater.budget.process import Failed, Unavailable, run
from headwater.export.json_format import document
from headwater.model.diagnostic import Code
from headwater.model.kind import Kind
from headwater.sent_script import SentScript

Level = Literal["column", "table"]
Document = dict[str, Any]

_RESULT = "(result)"
"""What a query that writes nothing is called, as the graph does."""


class NotAnalysed(Exception):
    """There is no answer; the message says why, and what to do."""


class ScriptAnalysis(NamedTuple):
    """A script to be analysed, and how much of the answer is wanted."""

    text: str
    dialect: str
    schema: str
    default_schema: str | None
    level: Level
    limit: int
    timeout: float
    memory: int
    reserved: int = 0

    def answer(self, ask: Callable[..., Any]) -> Document | str:
        """Its lineage as plain data, in a worker process; or why there is none."""
        script = SentScript(
            *(self.text, self.dialect, self.schema, self.default_schema, "candidates", self.timeout, self.memory)
        )
        try:
            lineage = script.lineage()
        except ValueError as error:
            return str(error)
        return _shortened(document(lineage, self.level), self.level, self.limit)


def analysed(script: ScriptAnalysis) -> Document:
    """The lineage of a script; raises `NotAnalysed` where there is none."""
    try:
        found: Document | str = run(script)
    except Failed as failure:
        raise NotAnalysed(_why(failure.code, script)) from failure
    except Unavailable as error:
        raise NotAnalysed("no process can be started to analyse SQL in; ask about the store instead") from error
    if isinstance(found, str):
        raise NotAnalysed(found)
    return {**found, "dialect": script.dialect}


def _why(code: Code, script: ScriptAnalysis) -> str:
    if code is Code.TIMEOUT:
        return f"the script was not analysed within {script.timeout:g} seconds; send fewer statements at a time"
    if code is Code.OUT_OF_MEMORY:
        return f"the script needs more than {script.memory} MB; send fewer statements at a time"
    return "the process that analysed the script died; send fewer statements at a time"


def _shortened(found: Document, level: Level, limit: int) -> Document:
    """The answer: the first relations and diagnostics, and how many there are."""
    make = _relation if level == "column" else _table_relation
    return {
        "level": level,
        "statements": len(found["statements"]),
        "total_sources": len(found["sources"]),
        "sources": found["sources"][:limit],
        "total_targets": len(found["targets"]),
        "targets": found["targets"][:limit],
        "total": len(found["edges"]),
        "relations": [make(edge) for edge in found["edges"][:limit]],
        "total_diagnostics": len(found["diagnostics"]),
        "diagnostics": [{**said, **_start(said["span"])} for said in found["diagnostics"][:limit]],
    }


def _relation(edge: Document) -> Document:
    kind = Kind._make({**edge, "as_of": edge["as_of"] or ""}[field] for field in Kind._fields)
    return {
        "source": _name(edge["source"]),
        "target": _name(edge["target"]),
        "how": kind.words,
        "expression": edge["expression"],
        "statement": edge["process"]["type"],
        **_start(edge["span"]),
    }


def _table_relation(edge: Document) -> Document:
    ends = {"source": edge["source"], "target": edge["target"] or _RESULT}
    return {**ends, "how": "table", "expression": "", "statement": edge["process"]["type"], **_start(None)}


def _name(column: Document) -> str:
    return f"{column['table'] or _RESULT}.{column['column']}"


def _start(span: Document | None) -> Document:
    line, column = span["start"] if span else (None, None)
    return {"line": line, "column": column}
