r"""Lines for the client, not for the server: psql's `\cd`, `\echo`, `\copy`, `\gexec`.

A backslash outside of quotes begins one; it ends with its line, and so does the statement before it. Only `\copy` is a statement in
disguise: the rest of its line is a COPY.
"""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType


def cut_at_commands(tokens: list[Token]) -> Iterator[list[Token]]:
    """The tokens of a piece, client commands apart from the statements around them."""
    part: list[Token] = []
    command = False
    for token in tokens:
        ends = command and token.line != part[0].line
        begins = token.token_type is TokenType.BACKSLASH and not (command and not ends)
        if part and (ends or begins):
            yield part
            part = []
        command = begins or (command and not ends)
        part.append(token)
    if part:
        yield part


def is_command(tokens: list[Token]) -> bool:
    """Whether a piece is a client command."""
    return bool(tokens) and tokens[0].token_type is TokenType.BACKSLASH


def statement_inside(tokens: list[Token]) -> list[Token] | None:
    r"""The tokens of the statement that a client command stands for: COPY for `\copy`; None for all others."""
    return tokens[1:] if len(tokens) > 1 and tokens[1].token_type is TokenType.COPY else None


def command(tokens: list[Token]) -> exp.Command:
    """The syntax node of a client command: its word alone, since what follows it may be anything."""
    return exp.Command(this="\\" + (tokens[1].text.lower() if len(tokens) > 1 else ""))
