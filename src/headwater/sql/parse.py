"""A piece to a statement: by the grammar of its dialect, and by our own readers where that gives up.

A piece that nobody understands carries a diagnostic instead of a tree.
"""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.span import Span
from headwater.sql.dialect import Dialect
from headwater.sql.grammar import parse_statement
from headwater.sql.reading import Reading, read, read_first
from headwater.sql.split import Piece
from headwater.sql.statement import Statement


def parse(piece: Piece, dialect: Dialect) -> Statement:
    """The statement that a piece spells."""
    if piece.problem is not None:
        return Statement(piece.text, dialect, piece.span, None, (piece.problem,))
    tree: Any = None
    problem: Diagnostic | None = None
    try:
        tree = read_first(Reading(piece.tokens, piece.text.raw, dialect)) or parse_statement(
            piece.tokens, piece.text.raw, dialect
        )
    except ParseError as error:
        problem = _syntax_error(error, piece)
    except RecursionError:
        problem = Diagnostic(Code.TOO_DEEP, "the statement is nested too deeply to be parsed", piece.span)
    except MemoryError:
        problem = Diagnostic(Code.OUT_OF_MEMORY, "there is not enough memory to parse the statement", piece.span)
    except Exception as error:  # noqa: BLE001 - the parser fails in its own ways on what is not SQL
        problem = Diagnostic(Code.SYNTAX_ERROR, f"the parser cannot read it ({type(error).__name__})", piece.span)
    if not is_understood(tree):
        read_by_us = _read(piece, dialect)
        if read_by_us is not None:
            tree, problem = read_by_us, None
    return Statement(piece.text, dialect, piece.span, tree, (problem,) if problem else ())


def _read(piece: Piece, dialect: Dialect) -> Any:
    """What our own readers make of a piece that the grammar does not take, if they do."""
    try:
        return read(Reading(piece.tokens, piece.text.raw, dialect))
    except (ParseError, RecursionError):
        return None


def is_understood(tree: Any) -> bool:
    """Whether a tree is a statement that was taken apart: not the parser's catch-all, nor a bare expression."""
    return tree is not None and not isinstance(tree, (exp.Command, exp.Block, exp.Alias, exp.Condition))


def understood(statement: Statement) -> bool:
    """Whether a statement was taken apart."""
    return is_understood(statement.tree)


def _syntax_error(error: ParseError, piece: Piece) -> Diagnostic:
    """A diagnostic from the parser's structured report; its message quotes raw SQL and is not passed on."""
    report = error.errors[0] if error.errors else {}
    description = _plain_words(str(report.get("description") or "not understood"))
    line, column = report.get("line"), report.get("col")
    for token in piece.tokens:
        if token.line == line and token.col == column:
            near = piece.text.slice(token.start, token.end + 1)
            return Diagnostic(
                Code.SYNTAX_ERROR, f"{description}, at {near!r}", Span(token.start, token.end + 1), subject=near
            )
    return Diagnostic(Code.SYNTAX_ERROR, description, piece.span)


def _plain_words(description: str) -> str:
    """The parser's complaint without its own objects, which mean nothing to a reader and may quote the script."""
    description = description.split("\n")[0].rstrip(".")
    incomplete = re.match(r"Required keyword: '\w+' missing for <class '(?:\w+\.)*(\w+)'>", description)
    if incomplete:
        return f"{incomplete.group(1).upper()} is incomplete"
    return re.sub(r",? but got <.*|<.*", "", description).strip()
