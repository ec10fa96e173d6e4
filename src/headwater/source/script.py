"""`SourceScript`: one script as the pipeline splits it."""

from __future__ import annotations

from dataclasses import dataclass, replace


@dataclass(frozen=True, slots=True)
class SourceScript:
    """SQL, where it is from, and what its file says about it.

    Line n, column c of the text is line n, column c of the file; of a notebook, it is that of all its cells' sources, one below the other.
    """

    path: str
    """As displayed: with forward slashes, from the given root on."""
    text: str
    kind: str
    """`sql`, `notebook`, `databricks`, `python` or `stdin`."""
    dialect: str | None = None
    default_schema: str | None = None
    schema_file: str | None = None
    encoding: str = ""
    problem: str = ""
    """Why it, or a part of it, could not be read; the text is then empty."""
    skipped: int = 0
    """How many calls take SQL that is not written there; the text says so at each of them (`headwater.sql.given_text`)."""


def with_problem(script: SourceScript, problem: str) -> list[SourceScript]:
    """A script of which a part could not be read, and behind it an empty one that says why; the script alone if there is no problem."""
    return [script, replace(script, text="", skipped=0, problem=problem)] if problem else [script]
