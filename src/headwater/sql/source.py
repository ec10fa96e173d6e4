"""The text of a script as written, and as the tokeniser can read it.

Between the two everything is taken away that the database would never see: tags of templates and commands to the client are blanks,
placeholders are names. Both have the same length, so that an offset means the same in both.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import lru_cache

from sqlglot.tokenizer_core import Token

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.span import Span
from headwater.sql.client import commands
from headwater.sql.dialect import Dialect
from headwater.sql.placeholder import filled, has_placeholders
from headwater.sql.template import first_branches, has_tags, without_tags
from headwater.sql.tokens import tokenise


@dataclass(frozen=True, slots=True)
class Source:
    """A script's text in both forms, and what was learnt on the way from one to the other."""

    raw: str
    readable: str
    tags: tuple[Span, ...] = ()
    """Where a template's tags stand."""
    cuts: tuple[int, ...] = ()
    """Offsets where a statement ends without a semicolon."""
    uncut: tuple[Span, ...] = ()
    """Where semicolons end nothing: below MySQL's DELIMITER."""
    remarks: tuple[Diagnostic, ...] = ()

    def tokens(self, dialect: Dialect, start: int = 0, end: int | None = None) -> list[Token]:
        """The tokens of a stretch; their offsets count from its start."""
        if self.readable is self.raw:
            return tokenise(self.raw[start:end] if start or end is not None else self.raw, dialect)
        return tokenise(self.readable[start:end], dialect, self.raw[start:end], semicolons=not self.cuts)

    def first_branches(self, dialect: Dialect) -> Source:
        """The same script with only the first branch of each condition of its template."""
        return replace(self, readable=_by_first_branches(self.raw, dialect))


def source(sql: str, dialect: Dialect) -> Source:
    """A script, made readable for a dialect; a script that is plain SQL is left as it is."""
    readable = sql
    tags: tuple[Span, ...] = ()
    if has_tags(sql):
        readable, tags = without_tags(sql)
    readable = _filled(readable, dialect)
    remarks = (_left_in_place(tags[0]),) if tags else ()
    return _without_commands(readable, Source(sql, readable, tags, remarks=remarks), dialect)


@lru_cache(maxsize=2)
def _by_first_branches(raw: str, dialect: Dialect) -> str:
    readable = _filled(first_branches(raw).text, dialect)
    found = commands(readable, raw, dialect)
    return readable if found is None else found.text


def _filled(text: str, dialect: Dialect) -> str:
    return filled(text, dialect) if has_placeholders(text, dialect) else text


def _without_commands(readable: str, made: Source, dialect: Dialect) -> Source:
    found = commands(readable, made.raw, dialect)
    if found is None:
        return replace(made, readable=readable)
    remarks = (*made.remarks, *(_included(file, span) for file, span in found.included))
    return replace(made, readable=found.text, cuts=tuple(found.cuts), uncut=tuple(found.uncut), remarks=remarks)


def _left_in_place(tag: Span) -> Diagnostic:
    message = "the script is a template: what its tags would choose or repeat is analysed once, as it stands"
    return Diagnostic(Code.TEMPLATE, message, tag, hint="analyse the rendered SQL for the whole truth")


def _included(file: str, span: Span) -> Diagnostic:
    message = f"{file} is included here and is not analysed with this script"
    return Diagnostic(Code.INCLUDED_FILE, message, span, file, "analyse it as a script of its own")
