"""The tool that analyses SQL which is in no store."""

from __future__ import annotations

import threading
from typing import Annotated

from pydantic import Field

from headwater.mcp.parameters import Level, Limit
from headwater.mcp.script_analysis import ScriptAnalysis, analysed
from headwater.mcp.shapes import AnalyzeAnswer

MOST_SQL = 1_000_000
"""Characters of a script that are taken."""
_AT_ONCE = 2
"""Scripts that are analysed at the same time; others wait."""


class AnalysisTool:
    """Analyses what an assistant sends, within a time."""

    def __init__(self, timeout: float, memory: int) -> None:
        self._timeout = timeout
        self._memory = memory
        self._places = threading.BoundedSemaphore(_AT_ONCE)

    def analyze(
        self,
        sql: Annotated[str, Field(max_length=MOST_SQL, description="One statement or a whole script.")],
        dialect: Annotated[
            str,
            Field(
                max_length=200,
                description="`spark`, `snowflake`, `bigquery`, `postgres`, `tsql`, …; several with commas.",
            ),
        ] = "spark",
        schema: Annotated[
            str,
            Field(
                max_length=MOST_SQL,
                description='The tables\' columns, if known: JSON (`{"db.t": {"a": "int"}}`) or CREATE TABLE statements.',
            ),
        ] = "",
        default_schema: Annotated[
            str | None, Field(max_length=500, description="The schema of names that have none.")
        ] = None,
        level: Level = "column",
        limit: Limit = 100,
    ) -> AnalyzeAnswer:
        """Tell the lineage of SQL text: what every output column is made of, with expressions and places, and what is wrong in it.

        Use it for SQL that is not in the store, or is being written. Nothing is run, and no database is asked. Give a schema where
        you know one: without it, `*` and unqualified columns of joins are guesses, and are said to be.
        """
        script = ScriptAnalysis(sql, dialect, schema, default_schema, level, limit, self._timeout, self._memory)
        with self._places:
            return AnalyzeAnswer.model_validate(analysed(script))
