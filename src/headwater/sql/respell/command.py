"""Commands: statements that the tokeniser keeps as a word and one string, and lines that are for a vendor's client."""

from __future__ import annotations

from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Tokens


def opened(tokens: Tokens, text: str, grammar: Grammar) -> Tokens:
    """`REPLACE INTO …` as tokens, each at its place in the script; any other statement as it is."""
    first = tokens[0] if tokens else None
    if first is None or first.token_type is not TokenType.REPLACE or len(tokens) != 2:
        return tokens
    if tokens[1].token_type is not TokenType.STRING:
        return tokens
    start = first.end + 1
    rest = list(grammar.tokenize(text[start : tokens[1].end + 1]))
    for token in rest:
        token.start += start
        token.end += start
        token.line += first.line - 1
    return [first, *rest]


def without_commands(tokens: Tokens, mark: str) -> Tokens:
    """A script's tokens without the lines between its statements that begin with *mark*: BTEQ's `.LOGON`, `.IF … THEN .QUIT`."""
    kept: Tokens = []
    command_line = -1
    for token in tokens:
        if token.line == command_line:
            continue
        between = not kept or kept[-1].token_type is TokenType.SEMICOLON
        if between and token.text == mark:
            command_line = token.line
        else:
            kept.append(token)
    return kept
