"""Sqlglot's parsers, quiet: tokens in, syntax nodes out, nothing logged."""

from __future__ import annotations

import contextvars
import logging
from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError, UnsupportedError
from sqlglot.tokenizer_core import Token

from headwater.sql.dialect import Dialect

_parsing = contextvars.ContextVar("parsing", default=False)


_OWN_FAILURES = (TypeError, IndexError, KeyError, AttributeError, ValueError, AssertionError, UnsupportedError)
"""How the parser fails on what is not SQL, besides saying so."""


class _Quiet(logging.Filter):
    """Drops what the parser logs while we parse: it quotes raw SQL, and we say the same as a diagnostic, redacted."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not _parsing.get()


logging.getLogger("sqlglot").addFilter(_Quiet())


def parse_statement(tokens: Sequence[Token], sql: str, dialect: Dialect) -> Any:
    """The syntax tree of one statement; raises `ParseError`."""
    return _run(tokens, sql, dialect, None)


def parse_as(kind: type[exp.Expr], tokens: Sequence[Token], sql: str, dialect: Dialect) -> Any:
    """The node of that kind (a table, an expression) which the tokens spell; raises `ParseError`."""
    return _run(tokens, sql, dialect, kind)


def _run(tokens: Sequence[Token], sql: str, dialect: Dialect, kind: type[exp.Expr] | None) -> Any:
    flag = _parsing.set(True)
    try:
        parser = dialect.grammar.parser(error_level=ErrorLevel.IMMEDIATE)
        given = list(tokens)
        trees = parser.parse_into(kind, given, sql) if kind else parser.parse(given, sql)
    except _OWN_FAILURES as error:
        raise ParseError(f"the parser cannot read it ({type(error).__name__})") from error
    finally:
        _parsing.reset(flag)
    return trees[0] if trees else None
