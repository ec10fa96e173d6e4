"""Sqlglot's parsers, quiet: tokens in, syntax nodes out, nothing logged."""

from __future__ import annotations

import contextvars
import logging
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Any

from sqlglot import exp
from sqlglot.errors import ErrorLevel, ParseError, UnsupportedError
from sqlglot.expressions import core
from sqlglot.parser import Parser
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.athena_statements import is_for_hive
from headwater.sql.dialect import Dialect
from headwater.sql.lost_arguments import without_losses
from headwater.sql.placeholder_periods import hidden_periods, may_split_placeholders, shown_periods
from headwater.sql.respell.refused import respelled_when_refused
from headwater.sql.unknown_names import restored, with_known_names
from headwater.sql.weight import refuse_heavy

_Read = Callable[[Sequence[Token], str, Dialect, type[exp.Expr] | None], Any]

_parsing = contextvars.ContextVar("parsing", default=False)


_OWN_FAILURES = (TypeError, IndexError, KeyError, AttributeError, ValueError, AssertionError, UnsupportedError)
"""How the parser fails on what is not SQL, besides saying so."""


class _Quiet(logging.Filter):
    """Drops what the parser logs while we parse: it quotes raw SQL, and we say the same as a diagnostic, redacted."""

    def filter(self, record: logging.LogRecord) -> bool:
        return not _parsing.get()


logging.getLogger("sqlglot").addFilter(_Quiet())

core.UNITTEST = False
"""Where `unittest` was imported before it, the parser checks its trees and refuses what it reads elsewhere: XMLTABLE's FOR ORDINALITY."""


class _Parsers(threading.local):
    """A thread's parsers that are not at work, by grammar."""

    def __init__(self) -> None:
        self._idle: dict[str, list[Parser]] = {}

    def take(self, dialect: Dialect) -> Parser:
        """A parser of a dialect, for one use."""
        idle = self._idle.get(dialect.grammar_name)
        return idle.pop() if idle else dialect.grammar.parser(error_level=ErrorLevel.IMMEDIATE)

    def give_back(self, parser: Parser, dialect: Dialect) -> None:
        """Keep a parser for the next use, without what it has parsed."""
        parser.reset()
        self._idle.setdefault(dialect.grammar_name, []).append(parser)


_parsers = _Parsers()


def parse_statement(tokens: Sequence[Token], sql: str, dialect: Dialect, letters: str | None = None) -> Any:
    """The syntax tree of one statement; raises `ParseError`. *letters* are those of the tokens, where they are at hand."""
    return _without_loss(_accepted, tokens, sql, dialect, None, letters)


def parse_as(kind: type[exp.Expr], tokens: Sequence[Token], sql: str, dialect: Dialect) -> Any:
    """The node of that kind (a table, an expression) which the tokens spell; raises `ParseError`."""
    found = _without_loss(_accepted, tokens, sql, dialect, kind)
    if found is None:
        raise ParseError(f"there is no {kind.__name__.lower()} here")
    return found


def _without_loss(
    read: _Read,
    tokens: Sequence[Token],
    sql: str,
    dialect: Dialect,
    kind: type[exp.Expr] | None,
    letters: str | None = None,
) -> Any:
    """The tree; where the grammar would lose arguments, that of the same tokens with names that it does not know."""
    lossless = without_losses(tokens, dialect, lambda some: _tried(some, sql, dialect), letters)
    if lossless is not None:
        with suppress(ParseError):
            return restored(read(lossless, sql, dialect, kind))
    return read(tokens, sql, dialect, kind)


def _accepted(tokens: Sequence[Token], sql: str, dialect: Dialect, kind: type[exp.Expr] | None) -> Any:
    """The tree; where the grammar refuses, that of phrases or names that it reads in their place, or that of a wider grammar."""
    tree, refusal = _run_or_refused(tokens, sql, dialect, kind)
    if refusal is None and (not isinstance(tree, exp.Command) or tokens[0].token_type is not TokenType.CREATE):
        return tree
    given = list(tokens)
    again = respelled_when_refused(given, dialect)
    if again is not given:
        other, _ = _run_or_refused(again, sql, dialect, kind)
        if other is not None and not isinstance(other, exp.Command):
            return other
        tokens = again
    if refusal is not None and dialect.wider is not None:
        with suppress(ParseError):
            return _without_loss(_run_once, tokens, sql, dialect.wider, kind)
    known = with_known_names(tokens, dialect, lambda some: _tried(some, sql, dialect) is not None)
    if known is not None:
        return restored(_run_once(known, sql, dialect, kind))
    if refusal is not None:
        raise refusal
    return tree


def _run_or_refused(
    tokens: Sequence[Token], sql: str, dialect: Dialect, kind: type[exp.Expr] | None
) -> tuple[Any, ParseError | None]:
    """The tree, or why the grammar refuses."""
    try:
        return _run_once(tokens, sql, dialect, kind), None
    except ParseError as error:
        return None, error


def _tried(tokens: Sequence[Token], sql: str, dialect: Dialect) -> Any:
    """The expression that some tokens are; None if the grammar refuses them."""
    try:
        return _run_once(tokens, sql, dialect, exp.Condition)
    except ParseError:
        return None


def _run_once(tokens: Sequence[Token], sql: str, dialect: Dialect, kind: type[exp.Expr] | None) -> Any:
    refuse_heavy(tokens, sql)
    flag = _parsing.set(True)
    parser = _parsers.take(dialect)
    try:
        given = list(tokens)
        if kind is None and dialect.grammar_name == "athena" and is_for_hive(given):
            given.insert(0, Token(TokenType.HIVE_TOKEN_STREAM, ""))
        hides = may_split_placeholders(given, dialect)
        given = hidden_periods(given) if hides else given
        trees = parser.parse_into(kind, given, sql) if kind else parser.parse(given, sql)
        if hides:
            shown_periods(trees)
    except _OWN_FAILURES as error:
        raise ParseError(f"the parser cannot read it ({type(error).__name__})") from error
    finally:
        _parsing.reset(flag)
        _parsers.give_back(parser, dialect)
    return trees[0] if trees else None
