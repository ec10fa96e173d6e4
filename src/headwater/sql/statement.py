"""One statement of a script: its tree, its place, its text."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Any

from sqlglot.tokenizer_core import Token

from headwater.model.diagnostic import Diagnostic
from headwater.model.span import Span
from headwater.sql.dialect import Dialect
from headwater.sql.redact import Redacted
from headwater.sql.source import Source
from headwater.sql.tables_due import NOTHING, Due
from headwater.sql.target import with_target
from headwater.sql.tokens import spelled_out, tokenise


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of a script: its tree (None if it did not parse) and its place.

    Tokens are not kept: thousands of small objects that stay alive slow the garbage collector down more than making
    them again for the few who ask.
    """

    text: Redacted
    dialect: Dialect
    span: Span
    tree: Any = field(repr=False)
    diagnostics: tuple[Diagnostic, ...] = field(default=())
    source: Source | None = field(default=None, repr=False)
    postponed: bool = False
    """It is too heavy to be parsed in this process."""
    due: Due = NOTHING
    """The tables that its tokens name."""
    read: list[Token] | None = field(default=None, repr=False)
    """Its tokens, where they were kept: their offsets count from its start."""

    conditions: tuple[str, ...] = ()
    """Of a template: what must be so for it to be as it is."""
    target: str = ""
    """The table that it fills although its text does not say so (`sql.target`)."""

    @property
    def sql(self) -> str:
        """The statement's redacted text."""
        return self.text.slice(self.span.start, self.span.end)

    def tokens(self) -> list[Token]:
        """The statement's tokens, made anew unless they were kept; their offsets count from the statement's start."""
        text = self.text.raw[self.span.start : self.span.end]
        if self.read is not None:
            made = self.read
        elif self.source is None:
            made = tokenise(text, self.dialect)
        else:
            made = self.source.tokens(self.dialect, self.span.start, self.span.end)
        return list(spelled_out(made, text, self.dialect))

    @property
    def query_hash(self) -> str:
        """MD5 of the redacted text: the same text that fills the same table is the same process, wherever it stands."""
        return query_hash(with_target(self.sql, self.target))


def query_hash(sql: str) -> str:
    """MD5 of a statement's redacted text."""
    return hashlib.md5(sql.encode(errors="surrogatepass"), usedforsecurity=False).hexdigest()
