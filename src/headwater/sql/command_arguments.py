"""Commands such as SHOW and CALL: what stands behind them, up to the semicolon, is one string to the parser.

sqlglot's tokenizer makes that string by calling itself, once for each BEGIN with a command behind it, and reads the rest of the text each
time. It thus needs quadratic time, and a long chain kills the interpreter. Here the same is made from a flat list of tokens, in one pass.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect

_SHORTEST_CHAIN = 1_000
"""Characters of the shortest text that may chain too many commands."""
_MAX_CHAINED = 50
"""Words BEGIN that a text may have for the grammar's own tokenizer, which nests one call per word."""


def may_chain_commands(text: str) -> bool:
    """Whether the grammar's own tokenizer might nest deeply over a text. Counting letters is cheap, and rules out nearly all texts."""
    return (
        len(text) > _SHORTEST_CHAIN
        and text.count("g") + text.count("G") > _MAX_CHAINED
        and text.count("b") + text.count("B") > _MAX_CHAINED
        and text.upper().count("BEGIN") > _MAX_CHAINED
    )


def without_commands(tokenizer: Any) -> None:
    """Let a tokenizer read what stands behind commands as any other text."""
    cores = [tokenizer, *(getattr(tokenizer, name, None) for name in ("_hive_tokenizer", "_trino_tokenizer"))]
    for each in cores:
        if each is not None:
            each._core.commands = set()


def command_arguments(
    tokens: Sequence[Token], text: str, dialect: Dialect, opened: Collection[str] = ()
) -> list[Token]:
    """The tokens of a text with the arguments of commands as one string each; behind *opened* commands a statement begins."""
    grammar = dialect.grammar.tokenizer_class
    found: list[Token] = []
    begins = True
    i = 0
    while i < len(tokens):
        token = tokens[i]
        found.append(token)
        i += 1
        if begins and token.token_type in grammar.COMMANDS:
            if token.text.upper() in opened:
                continue
            end = _semicolon(tokens, i)
            if end > i:
                found.append(_argument(tokens, i, end, text))
            i = end
        begins = token.token_type in grammar.COMMAND_PREFIX_TOKENS
    return found


def _semicolon(tokens: Sequence[Token], start: int) -> int:
    """The first semicolon from a token on, or the end."""
    return next((i for i in range(start, len(tokens)) if tokens[i].token_type is TokenType.SEMICOLON), len(tokens))


def _argument(tokens: Sequence[Token], start: int, end: int, text: str) -> Token:
    """The tokens between two places as one string, which has its own spelling and no quotes."""
    stop = tokens[end].start if end < len(tokens) else len(text)
    first, last = tokens[start - 1], tokens[end - 1]
    written = text[first.end + 1 : stop].strip()
    return Token(TokenType.STRING, written, last.line, last.col, last.start, stop - 1)
