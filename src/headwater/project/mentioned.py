"""What a project's statement names and defines, and the hash of its text, from its tokens alone."""

from __future__ import annotations

from typing import NamedTuple

from headwater.project.statement import ProjectStatement
from headwater.sql.dialect import dialect
from headwater.sql.mentions import Mentions, mentions
from headwater.sql.source import source
from headwater.sql.split import pieces
from headwater.sql.statement import query_hash


class Mentioned(NamedTuple):
    """The tables of a statement, and the MD5 of its redacted text."""

    mentions: Mentions
    query_hash: str


def mentioned(statement: ProjectStatement) -> Mentioned:
    """What a statement may name and define."""
    spoken = dialect(statement.dialect)
    made = source(statement.sql, spoken)
    parts = pieces(made, spoken)
    redacted = parts[0].text.slice(0, len(statement.sql)) if parts else ""
    if statement.reads is not None:
        entity = (statement.entity,)
        return Mentioned(Mentions((*statement.reads, *entity), entity, (), unqualified=False), query_hash(redacted))
    found = [mentions(piece.tokens, spoken, statement.default_schema) for piece in parts]
    named = tuple(name for each in found for name in each.named)
    defined = tuple(name for each in found for name in each.defined)
    every = Mentions(named, defined, (), any(each.unqualified for each in found))
    return Mentioned(every, query_hash(redacted))
