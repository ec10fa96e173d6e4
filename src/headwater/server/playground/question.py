"""What a playground's process is asked, and its answer: a script's lineage as the JSON of a shape, ready to be sent.

Everything that may be large, the records, the diagram and its JSON, is made in the process, so that the server has nothing to do but to
pass it on.
"""

from __future__ import annotations

import io
import os
import time
import traceback
from collections.abc import Callable
from itertools import islice
from typing import Any, NamedTuple

from headwater.catalog import CatalogError
from headwater.export import BINARY, MODULES, format_named
from headwater.export.feed import Level, Scope
from headwater.export.format import Choices, ExportError, Format, Output
from headwater.export.records import Remark
from headwater.export.script_feed import ScriptFeed
from headwater.sent_script import SentScript
from headwater.server.diagrams.of_feed import diagram_of, place_of
from headwater.server.playground.limits import Limits
from headwater.server.shapes.analysis import AnalyzeAnswer, AnalyzeExport, Said
from headwater.sql.dialect import UnknownDialect

_MOST_REMARKS = 1000
_NICE = 10
"""How far a process stands back: 0 is not at all, 19 is behind everybody."""
_LARGEST_EXPORT = 20_000_000
"""Bytes of a document."""


class Refusal(NamedTuple):
    """Why there is no answer: something about the question."""

    code: str
    message: str


class Defect(NamedTuple):
    """An error of ours: where it was raised, without any text of the script."""

    where: str


class Question(NamedTuple):
    """A script, and what is wanted of it."""

    text: str
    dialect: str
    sources: str
    default_schema: str | None
    ambiguous: str
    level: Level | None
    functions: bool
    intermediate: bool
    timeout: float
    memory: int
    format: str | None = None
    """None for a diagram."""
    reserved: int = 0

    @classmethod
    def empty(cls, limits: Limits) -> Question:
        """A question whose answer nobody needs: a process that has answered one has imported everything."""
        return cls("", "spark", "", None, "first", "complete", True, True, limits.timeout, limits.memory)

    def answer(self, ask: Callable[..., Any]) -> bytes | Refusal | Defect:
        """The JSON of an `AnalyzeAnswer`, or of an `AnalyzeExport`."""
        _step_back()
        try:
            return self._answer().encode()
        except (CatalogError, UnknownDialect, ExportError) as error:
            return Refusal("bad-request", str(error))
        except _TooLarge:
            return Refusal("too-large", "the document would be too large; ask for a part of the script")
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - the process boundary: a defect costs its question
            frames = traceback.extract_tb(error.__traceback__)
            return Defect(
                " < ".join(f"{f.name}:{f.lineno}" for f in reversed(frames[-8:])) + f" {type(error).__name__}"
            )

    def _answer(self) -> str:
        start = time.monotonic()
        format = None if self.format is None else _text_format(self.format)
        level = self.level or "complete" if format is None else format.checked(self.level)
        feed = self._feed(Scope(level, True, self.functions, self.intermediate))
        if format is not None:
            stream = _Bounded()
            output = Output(stream)
            assert format.write is not None
            format.write(feed, output, Choices())
            text = stream.getvalue().decode("utf-8", "replace")
            return AnalyzeExport(format=format.name, text=text, left_out=list(output.left_out())).model_dump_json()
        diagram = diagram_of(feed)
        tables = diagram if diagram.level == "table" else diagram_of(feed.scoped(Scope("table")))
        return AnalyzeAnswer(
            diagram=diagram,
            tables=tables,
            diagnostics=[_said(remark) for remark in islice(feed.remarks(), _MOST_REMARKS)],
            milliseconds=round((time.monotonic() - start) * 1000, 1),
        ).model_dump_json()

    def _feed(self, scope: Scope) -> ScriptFeed:
        script = SentScript(
            *(self.text, self.dialect, self.sources, self.default_schema, self.ambiguous, self.timeout, self.memory)
        )
        return ScriptFeed([script.lineage()], scope)


def _text_format(name: str) -> Format:
    """The format of a name, if it can be one text."""
    if name not in MODULES:
        raise ExportError(f"unknown format {name!r}; known are {', '.join(MODULES)}")
    format = format_named(name)
    if format.write is None:
        raise ExportError(f"{name} {format.elsewhere}")
    if name in BINARY:
        raise ExportError(f"{name} is no text: use `headwater export -o FILE`")
    return format


class _TooLarge(Exception):
    """A document larger than anybody wants to have in a page."""


class _Bounded(io.BytesIO):
    """Takes a document, up to a size."""

    def write(self, content: Any) -> int:
        if self.tell() + len(content) > _LARGEST_EXPORT:
            raise _TooLarge
        return super().write(content)


def _said(remark: Remark) -> Said:
    return Said(
        code=remark.code,
        severity=remark.severity,  # type: ignore[arg-type]  # the model's three words
        message=remark.message,
        subject=remark.subject,
        hint=remark.hint,
        place=place_of(remark.place) if remark.place else None,
    )


def _step_back() -> None:
    """Leave the processor to the server where both want it; processes that are started from here do so, too."""
    if hasattr(os, "setpriority"):
        os.setpriority(os.PRIO_PROCESS, 0, _NICE)
