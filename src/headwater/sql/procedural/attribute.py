"""Marks that belong to a name in the procedural language, and would be operators to the grammar: `c%NOTFOUND`, `CURRENT OF c`, `:NEW.a`."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect
from headwater.sql.words import word

_ATTRIBUTES = frozenset({"FOUND", "NOTFOUND", "ROWCOUNT", "ISOPEN", "BULK_ROWCOUNT", "BULK_EXCEPTIONS"})
_ROWS = frozenset({"NEW", "OLD"})


def _current_rows(tokens: Sequence[Token]) -> list[Token]:
    """The tokens with `CURRENT OF c` as a name that asks about the cursor, as `c%NOTFOUND` does."""
    if not any(word(token) == "CURRENT" for token in tokens):
        return list(tokens)
    found: list[Token] = []
    for token in tokens:
        before = [word(each) for each in found[-3:]]
        if before[-2:] == ["CURRENT", "OF"] and token.text != "@":
            first = found[-2]
            found[-2:] = [Token(TokenType.VAR, f"{token.text}%CURRENT", first.line, token.col, first.start, token.end)]
        elif before == ["CURRENT", "OF", "@"]:
            first = found[-3]
            found[-3:] = [Token(TokenType.VAR, f"@{token.text}%CURRENT", first.line, token.col, first.start, token.end)]
        else:
            found.append(token)
    return found


def _compiled(tokens: Sequence[Token]) -> list[Token]:
    """The tokens without what only chooses between them, `$IF … $THEN … $END`; with `a ** b` and `a MEMBER OF b` as one operator."""
    found: list[Token] = []
    hidden = False
    for token in tokens:
        text = word(token)
        if text in ("$IF", "$ELSIF"):
            hidden = True
        elif text in ("$THEN", "$ELSE", "$END"):
            hidden = False
        elif text == "*" and found and word(found[-1]) == "*" and found[-1].end + 1 == token.start:
            continue
        elif text == "OF" and found and word(found[-1]) == "MEMBER":
            first = found.pop()
            if found and word(found[-1]) == "NOT":
                first = found.pop()
            found.append(Token(TokenType.EQ, "=", first.line, token.col, first.start, token.end))
        elif not hidden:
            if (
                text == "(" and len(found) > 1 and word(found[-2]) == "NEW"
            ):  # `NEW pair_t(1, 2)` is the constructor alone
                del found[-2]
            found.append(token)
    return found


def joined_attributes(tokens: Sequence[Token], dialect: Dialect) -> list[Token]:
    """The tokens with `c%NOTFOUND` as one name, and `:NEW.a` without its colon."""
    tokens = _current_rows(tokens)
    if dialect.family != "oracle":
        return tokens
    tokens = _compiled(tokens)
    found: list[Token] = []
    for i, token in enumerate(tokens):
        following = word(tokens[i + 1]) if i + 1 < len(tokens) else ""
        behind = tokens[i + 2].text if i + 2 < len(tokens) else ""
        if token.token_type is TokenType.COLON and (following in _ROWS or behind == "."):
            continue
        if word(token) in _ATTRIBUTES and len(found) > 1 and found[-1].text == "%":
            found.pop()
            name = found.pop()
            text = f"{name.text}%{token.text}"
            token = Token(TokenType.VAR, text, name.line, token.col, name.start, token.end)
        found.append(token)
    return found
