"""Periods inside placeholders: BigQuery's grammar takes each name apart at its periods, `{{ params.x }}` too.

While the grammar reads, another character stands for them.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect
from headwater.sql.placeholder import placeholders

_STAND_IN = "\ufdd0"
"""A character that no text has."""
_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})


def may_split_placeholders(tokens: Sequence[Token], dialect: Dialect) -> bool:
    """Whether the grammar would take a placeholder apart."""
    return dialect.grammar_name == "bigquery" and any(_is_to_hide(token) for token in tokens)


def _is_to_hide(token: Token) -> bool:
    return "." in token.text and token.token_type in _NAMES and placeholders.search(token.text) is not None


def hidden_periods(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without periods in placeholders."""
    return [_hidden(token) if _is_to_hide(token) else token for token in tokens]


def _hidden(token: Token) -> Token:
    text = placeholders.sub(lambda m: m.group().replace(".", _STAND_IN), token.text)
    return Token(token.token_type, text, token.line, token.col, token.start, token.end, token.comments)


def shown_periods(trees: Sequence[Any]) -> None:
    """Put the periods back into what the grammar has made."""
    for tree in trees:
        for node in tree.walk() if isinstance(tree, exp.Expr) else ():
            for name, value in node.args.items():
                if isinstance(value, str) and _STAND_IN in value:
                    node.args[name] = re.sub(_STAND_IN, ".", value)


def with_periods(name: tuple[str, ...]) -> tuple[str, ...]:
    """A name of parts with its periods in placeholders again."""
    return tuple(part.replace(_STAND_IN, ".") for part in name)
