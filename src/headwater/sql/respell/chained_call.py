"""BigQuery's chained calls, `(a).trim().substr(1, 3)`, as the calls that they stand for: `substr(trim((a)), 1, 3)`.

What stands before the dot is the first argument: an expression in brackets, a call, a window, a subscript, a string, or a field of one
of these. A name alone, `a.f(x)`, is no such expression but the path of a function. A function's own path stands in brackets:
`(a).(net.host)()`.
"""

from __future__ import annotations

from sqlglot.parser import Parser
from sqlglot.tokenizer_core import TokenType

from headwater.sql.respell.rule import Tokens, closing, made, opening, respells, word

_ENDS = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.STRING})
_NAMES = frozenset({TokenType.VAR, TokenType.IDENTIFIER})
_CALLED = Parser.FUNC_TOKENS | {TokenType.APPLY}
"""Words that may name a function besides plain names."""
_MODIFIERS = frozenset({"ORDER BY", "LIMIT", "IGNORE", "RESPECT", "HAVING", "WHERE", "GROUP BY"})
"""What may stand behind an aggregate's arguments."""


@respells(".", "bigquery", sign=").")
@respells(".", "bigquery", sign=" .")
@respells(".", "bigquery", sign="\n.")
@respells(".", "bigquery", sign="\t.")
@respells(".", "bigquery", sign="].")
@respells(".", "bigquery", sign="'.")
@respells(".", "bigquery", sign='".')
def chained(tokens: Tokens, i: int) -> Tokens:
    """All chained calls of a statement at once, when the last of them is met."""
    if word(tokens, i) != "." or _opening_bracket(tokens, i) is None or not _is_operand(tokens, i - 1):
        return tokens
    found: Tokens = []
    position = 0
    for n, token in enumerate(tokens):
        if n < position:
            continue
        bracket = _opening_bracket(tokens, n) if token.token_type is TokenType.DOT else None
        if bracket is None or not _is_operand(found, len(found) - 1):
            found.append(token)
            continue
        name = tokens[n + 1 : bracket] if word(tokens, n + 1) != "(" else tokens[n + 2 : bracket - 1]
        start = _operand_start(found, len(found) - 1)
        position = bracket + 1
        distinct = tokens[position : position + 1] if word(tokens, position) == "DISTINCT" else []
        position += len(distinct)
        comma = [] if word(tokens, position) in {")", *_MODIFIERS} else [made(",", TokenType.COMMA, token)]
        found[start:] = [*name, tokens[bracket], *distinct, *found[start:], *comma]
    return found


def _opening_bracket(tokens: Tokens, dot: int) -> int | None:
    """The bracket of the call whose name stands behind a dot, `.f(` or `.(a.f)(`; None if there is no call."""
    end = closing(tokens, dot + 1) if word(tokens, dot + 1) == "(" else dot + 1
    return end + 1 if word(tokens, end + 1) == "(" else None


def _is_operand(tokens: Tokens, end: int) -> bool:
    """Whether an expression ends here that a call may be chained to: no path of names alone."""
    while end > 1 and tokens[end].token_type not in _ENDS and tokens[end - 1].token_type is TokenType.DOT:
        end -= 2
    return end >= 0 and tokens[end].token_type in _ENDS


def _operand_start(tokens: Tokens, end: int) -> int:
    """Where the expression begins that ends here."""
    while True:
        start = _part_start(tokens, end)
        before = tokens[start - 1].token_type if start else None
        if before is TokenType.DOT or before is TokenType.OVER:
            end = start - 2
        elif tokens[start].token_type is TokenType.L_BRACKET and start and _ends_value(tokens, start - 1):
            end = start - 1
        else:
            return start


def _part_start(tokens: Tokens, end: int) -> int:
    """Where a call, an expression in brackets, a subscript, a name or a constant begins."""
    kind = tokens[end].token_type
    if kind is TokenType.R_BRACKET:
        return _opening_square(tokens, end)
    if kind is not TokenType.R_PAREN:
        return end
    start = opening(tokens, end)
    return start - 1 if start and _names_call(tokens, start - 1) else start


def _opening_square(tokens: Tokens, end: int) -> int:
    depth = 0
    for i in range(end, -1, -1):
        depth += (tokens[i].token_type is TokenType.R_BRACKET) - (tokens[i].token_type is TokenType.L_BRACKET)
        if depth == 0:
            return i
    return 0


def _names_call(tokens: Tokens, i: int) -> bool:
    """Whether a word before a bracket is the name of a function; `LIKE (a)` and `|> EXTEND (a)` are not."""
    token = tokens[i]
    if token.token_type in _NAMES:
        return not i or tokens[i - 1].token_type is not TokenType.PIPE_GT
    return token.token_type in _CALLED and token.end + 1 == tokens[i + 1].start


def _ends_value(tokens: Tokens, i: int) -> bool:
    """Whether what stands before `[` has elements, or names the type of an array."""
    return tokens[i].token_type in _NAMES | _ENDS | {TokenType.ARRAY}
