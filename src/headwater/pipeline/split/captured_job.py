"""A captured job as a cut: what it names and defines is in it, nothing has to be tokenised."""

from __future__ import annotations

from headwater.captured import NotAJob, read_job
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import EntityKind, TableName
from headwater.model.span import Position, Span
from headwater.order.cut import Cut, CutScript
from headwater.sql.dialect import dialect
from headwater.sql.mentions import Mentions


def cut_job(content: str, default_schema: str) -> CutScript:
    """The one cut of a captured job; none if it cannot be read."""
    default = default_name(default_schema)
    try:
        job = read_job(content, default)
    except NotAJob as error:
        return CutScript((), "", ((Diagnostic(Code.UNREADABLE_FILE, f"a captured job cannot be read: {error}"), None),))
    rows = job.resolution.entities
    named = dict.fromkeys(row.table for row in rows if row.table and row.kind in (EntityKind.TABLE, EntityKind.VIEW))
    defined = tuple(each.table for each in job.resolution.defines)
    mentions = Mentions(tuple(named), defined, (), unqualified=True)
    whole = Span(0, len(content))
    cut = Cut(whole, Position(1, 1), content, None, default, content, job.hash, mentions, scoped=False)
    return CutScript((cut,), "", ())


def default_name(schema: str) -> TableName | None:
    """The name of a default schema."""
    return tuple(dialect("spark").spelled_table(part) for part in schema.split(".")) if schema else None
