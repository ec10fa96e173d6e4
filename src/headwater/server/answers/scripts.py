"""Scripts of the store, and their texts."""

from __future__ import annotations

from headwater.graph.scripts import Script, Standing, Text
from headwater.model.span import Position as At
from headwater.server.shapes.answers import ScriptAnswer, ScriptPage, ScriptRow, ScriptStatement
from headwater.server.shapes.diagram import Position


def script_page(total: int, scripts: list[Script]) -> ScriptPage:
    """Scripts in a list."""
    return ScriptPage(total=total, items=list(map(_row, scripts)))


def script_answer(found: Text) -> ScriptAnswer:
    """A script's text, or a part of it."""
    return ScriptAnswer(
        script=_row(found.script),
        text=found.text,
        first_line=found.first_line,
        total_lines=found.total_lines,
        statements=[_statement(each) for each in found.statements],
    )


def _row(script: Script) -> ScriptRow:
    return ScriptRow(
        id=str(script.id), path=script.path, kind=script.kind, dialect=script.dialect, statements=script.statements
    )


def _statement(standing: Standing) -> ScriptStatement:
    process = standing.process
    return ScriptStatement(
        statement="" if process is None else str(process.id),
        type="" if process is None else process.type,
        start=position_of(standing.start),
        end=position_of(standing.end),
    )


def position_of(at: At) -> Position:
    """A line and column."""
    return Position(line=at.line, column=at.column)
