"""Numbers that the grammar's tokeniser does not read as one: `1_000`, and `0x`, the binary string of no bytes."""

from __future__ import annotations

import re

from sqlglot.tokenizer_core import Token, TokenType

_UNDERSCORED = re.compile(r"\d_\d")
_DIGITS = re.compile(r"(?:_\d+)+")
_NO_BYTES = re.compile(r"\b0x(?!\w)")


def with_underscored(tokens: list[Token], text: str) -> list[Token]:
    """The tokens with `1_000` as one number: the tokeniser takes it for a number and its alias."""
    if _UNDERSCORED.search(text) is None:
        return tokens
    found: list[Token] = []
    for token in tokens:
        if found and _ends_number(found[-1], token):
            first = found.pop()
            digits = first.text + token.text.replace("_", "")
            token = Token(TokenType.NUMBER, digits, token.line, token.col, first.start, token.end, token.comments)
        found.append(token)
    return found


def with_no_bytes(tokens: list[Token], text: str) -> list[Token]:
    """The tokens with `0x` as a binary string: the tokeniser takes it for a name."""
    if _NO_BYTES.search(text):
        for token in tokens:
            if token.text == "0x" and token.token_type is TokenType.IDENTIFIER and token.end - token.start == 1:
                token.text, token.token_type = "", TokenType.HEX_STRING
    return tokens


def _ends_number(number: Token, token: Token) -> bool:
    """Whether a token is the rest of a number's digits, `_000`."""
    glued = number.token_type is TokenType.NUMBER and number.end + 1 == token.start
    return glued and token.token_type is TokenType.VAR and _DIGITS.fullmatch(token.text) is not None
