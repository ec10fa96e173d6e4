"""What went wrong, as values: a stable code, a severity, a place, plain words, and where possible a way out."""

from __future__ import annotations

from dataclasses import dataclass

from headwater.model.span import Span
from headwater.model.string_enum import StrEnum


class Severity(StrEnum):
    """How much a diagnostic matters: an error means that lineage is missing."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Code(StrEnum):
    """The stable names of everything that can be said about a script or a project."""

    SYNTAX_ERROR = "syntax-error"
    UNSUPPORTED_STATEMENT = "unsupported-statement"
    UNSUPPORTED_CONSTRUCT = "unsupported-construct"
    MISSING_LINEAGE = "missing-lineage"
    SKIPPED_CLAUSE = "skipped-clause"
    MANY_TABLES = "many-tables"
    UNRESOLVED_COLUMN = "unresolved-column"
    AMBIGUOUS_COLUMN = "ambiguous-column"
    GUESSED_COLUMN = "guessed-column"
    GUESSED_DIALECT = "guessed-dialect"
    SCHEMA_MISMATCH = "schema-mismatch"
    MISSING_SCHEMA = "missing-schema"
    UNKNOWN_TABLE_FUNCTION = "unknown-table-function"
    UNKNOWN_PROCEDURE = "unknown-procedure"
    DYNAMIC_SQL = "dynamic-sql"
    ENGINE_FALLBACK = "engine-fallback"
    TOO_DEEP = "too-deep"
    INCLUDED_FILE = "included-file"
    TEMPLATE = "template"
    TOO_LARGE = "too-large"
    TIMEOUT = "timeout"
    OUT_OF_MEMORY = "out-of-memory"
    CRASHED = "crashed"
    ENCODING = "encoding"
    UNREADABLE_FILE = "unreadable-file"
    INCOMPLETE_STATEMENT = "incomplete-statement"
    NOT_CAPTURED = "not-captured"
    PROGRAM_ROWS = "program-rows"
    UNREAD_MODEL = "unread-model"
    UNKNOWN_MACRO = "unknown-macro"
    INVALID_PROJECT = "invalid-project"
    UNKNOWN_REFERENCE = "unknown-reference"
    CIRCULAR_REFERENCE = "circular-reference"
    DUPLICATE_NAME = "duplicate-name"
    MISSING_JOIN = "missing-join"
    AMBIGUOUS_JOIN = "ambiguous-join"
    SEVERAL_SOURCES = "several-sources"
    AGGREGATE_IN_DIMENSION = "aggregate-in-dimension"
    METRIC_WITHOUT_AGGREGATE = "metric-without-aggregate"
    UNSET_VARIABLE = "unset-variable"
    CATALOG_UNAVAILABLE = "catalog-unavailable"
    CATALOG_INCOMPLETE = "catalog-incomplete"
    INTERNAL_ERROR = "internal-error"


SEVERITY = {
    Code.SYNTAX_ERROR: Severity.ERROR,
    Code.UNSUPPORTED_STATEMENT: Severity.ERROR,
    Code.UNSUPPORTED_CONSTRUCT: Severity.WARNING,
    Code.MISSING_LINEAGE: Severity.ERROR,
    Code.SKIPPED_CLAUSE: Severity.INFO,
    Code.MANY_TABLES: Severity.INFO,
    Code.UNRESOLVED_COLUMN: Severity.WARNING,
    Code.AMBIGUOUS_COLUMN: Severity.WARNING,
    Code.GUESSED_COLUMN: Severity.INFO,
    Code.GUESSED_DIALECT: Severity.INFO,
    Code.SCHEMA_MISMATCH: Severity.WARNING,
    Code.MISSING_SCHEMA: Severity.WARNING,
    Code.UNKNOWN_TABLE_FUNCTION: Severity.WARNING,
    Code.UNKNOWN_PROCEDURE: Severity.WARNING,
    Code.DYNAMIC_SQL: Severity.WARNING,
    Code.ENGINE_FALLBACK: Severity.WARNING,
    Code.TOO_DEEP: Severity.ERROR,
    Code.INCLUDED_FILE: Severity.INFO,
    Code.TEMPLATE: Severity.INFO,
    Code.TOO_LARGE: Severity.ERROR,
    Code.TIMEOUT: Severity.ERROR,
    Code.OUT_OF_MEMORY: Severity.ERROR,
    Code.CRASHED: Severity.ERROR,
    Code.ENCODING: Severity.INFO,
    Code.UNREADABLE_FILE: Severity.ERROR,
    Code.INCOMPLETE_STATEMENT: Severity.WARNING,
    Code.NOT_CAPTURED: Severity.ERROR,
    Code.PROGRAM_ROWS: Severity.WARNING,
    Code.UNREAD_MODEL: Severity.ERROR,
    Code.UNKNOWN_MACRO: Severity.WARNING,
    Code.INVALID_PROJECT: Severity.ERROR,
    Code.UNKNOWN_REFERENCE: Severity.ERROR,
    Code.CIRCULAR_REFERENCE: Severity.ERROR,
    Code.DUPLICATE_NAME: Severity.WARNING,
    Code.MISSING_JOIN: Severity.ERROR,
    Code.AMBIGUOUS_JOIN: Severity.WARNING,
    Code.SEVERAL_SOURCES: Severity.ERROR,
    Code.AGGREGATE_IN_DIMENSION: Severity.ERROR,
    Code.METRIC_WITHOUT_AGGREGATE: Severity.ERROR,
    Code.UNSET_VARIABLE: Severity.INFO,
    Code.CATALOG_UNAVAILABLE: Severity.WARNING,
    Code.CATALOG_INCOMPLETE: Severity.WARNING,
    Code.INTERNAL_ERROR: Severity.ERROR,
}


OF_PROJECTS = frozenset(
    {
        Code.INVALID_PROJECT,
        Code.UNKNOWN_REFERENCE,
        Code.CIRCULAR_REFERENCE,
        Code.DUPLICATE_NAME,
        Code.MISSING_JOIN,
        Code.AMBIGUOUS_JOIN,
        Code.SEVERAL_SOURCES,
        Code.AGGREGATE_IN_DIMENSION,
        Code.METRIC_WITHOUT_AGGREGATE,
        Code.UNSET_VARIABLE,
    }
)
"""What is said of a semantic layer's project. Its errors are mistakes in the project; no statement is lost by them."""

LOST = frozenset(code for code, severity in SEVERITY.items() if severity is Severity.ERROR) - OF_PROJECTS
"""Errors that cost the lineage of a statement, or of a whole script."""

NOT_UNDERSTOOD = LOST | {
    Code.DYNAMIC_SQL,
    Code.UNSUPPORTED_CONSTRUCT,
    Code.UNKNOWN_PROCEDURE,
    Code.INCOMPLETE_STATEMENT,
    Code.UNKNOWN_MACRO,
}
"""Diagnostics of statements that may read or write more than their lineage shows."""


_REPORT = "this is a defect of Headwater: report it with the statement"
_HINTS = {
    Code.SYNTAX_ERROR: "correct it, or name the dialect that it is written in: --dialect",
    Code.UNSUPPORTED_STATEMENT: "name the dialect that it is written in (--dialect); if that is right, report the statement",
    Code.MISSING_LINEAGE: _REPORT,
    Code.TOO_DEEP: "take the statement apart: give inner queries names of their own in WITH",
    Code.OUT_OF_MEMORY: "allow more with --memory, or take the statement apart",
    Code.TIMEOUT: "allow more with --timeout, or take the statement apart",
    Code.CRASHED: _REPORT,
    Code.INTERNAL_ERROR: _REPORT,
    Code.UNREADABLE_FILE: "see that it is a text file that may be read, or leave it out",
    Code.NOT_CAPTURED: "headwater explain not-captured says what can be captured",
    Code.UNREAD_MODEL: "write the model's query in SQL that does not depend on a program, or name its columns",
    Code.INVALID_PROJECT: "correct the file: headwater project check reads it alone",
    Code.UNKNOWN_REFERENCE: "correct the name, or define what it names",
}
"""What to do about an error that says nothing else."""


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One problem of one statement. `subject` is the name in question, `hint` what to do about it: an error has one in any case."""

    code: Code
    message: str
    span: Span | None = None
    subject: str = ""
    hint: str = ""

    def __post_init__(self) -> None:
        if not self.hint:
            object.__setattr__(self, "hint", _HINTS.get(self.code, ""))

    @property
    def has_own_hint(self) -> bool:
        """Whether its hint says more than that of every other of its code."""
        return self.hint != _HINTS.get(self.code, "")

    @property
    def severity(self) -> Severity:
        """How much it matters; fixed by the code."""
        return SEVERITY[self.code]
