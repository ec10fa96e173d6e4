"""Calls and casts on which the grammar gives up, spelled as an ordinary call and an ordinary type.

The grammar knows what built-in functions and types look like. A script may call a function of its own by such a name, with other
arguments, and may cast to a type that only its database knows. Neither hides a column: each argument of a call is a source, and a
cast hands on its operand. So when the grammar has refused a statement, each of its calls and casts is parsed alone, from the inside
out, and those that fail are respelled: a call gets a name that no grammar knows, a type becomes VARCHAR. `restored` takes the
made-up names out of the tree again. Statements that the grammar reads never come here; calls of which it loses an argument are those of
`lost_arguments`.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from functools import cache
from typing import Any

from sqlglot import exp
from sqlglot.dialects.dialect import Dialect as Grammar
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect

Tokens = list[Token]
Parses = Callable[[Tokens], bool]
"""Whether the grammar reads some tokens as an expression."""

_MARK = "\ue000"
"""A character of no script: behind a function's name it makes a name that the grammar does not know."""
_NO_CALL_BEHIND = frozenset(
    {TokenType.ALIAS, TokenType.DCOLON, TokenType.VAR, TokenType.IDENTIFIER, TokenType.DOT}
    | {TokenType.R_PAREN, TokenType.STRING}
)
"""Before a column list, a type, a clause, or a function with a qualifier, which is an ordinary call anyway."""
_BEFORE_OPERAND = frozenset(
    {TokenType.SELECT, TokenType.WHERE, TokenType.ON, TokenType.HAVING, TokenType.AND, TokenType.OR, TokenType.EQ}
    | {TokenType.WHEN, TokenType.THEN, TokenType.ELSE, TokenType.COMMA, TokenType.L_PAREN}
)
"""Behind these an operand begins."""
_NO_FUNCTIONS = frozenset({"CASE", "AND", "OR"})
_VALUES = frozenset(
    {TokenType.NUMBER, TokenType.NULL, TokenType.TRUE, TokenType.FALSE, TokenType.END, TokenType.R_BRACKET}
    | {TokenType.PLACEHOLDER, TokenType.PARAMETER}
)
"""Values behind which XOR is an operator, besides those that no call stands behind."""
_CLAUSES = frozenset(
    {("CROSS", "APPLY"), ("OUTER", "APPLY"), ("THEN", "INSERT"), ("*", "REPLACE")}
    | {("*", "COLUMNS"), ("REPLACE", "COLUMNS"), ("ADD", "COLUMNS")}
)
"""Two words of which the second is no function, though brackets follow."""
_OPERAND = "x"
"""Stands for a call that was parsed, in the call around it."""
_CASTS = frozenset({"CAST", "TRY_CAST", "SAFE_CAST", "TRYCAST"})
_PREFIXES_OF_TYPE = frozenset({"SETOF", "NATIONAL"})
_SUFFIXES_OF_TYPE = frozenset({"VARYING", "PRECISION", "UNSIGNED", "SIGNED", "ARRAY"})
_BEHIND_TYPE = frozenset({"FORMAT", "DEFAULT", "COLLATE", "USING", "CHARACTER"})
OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET})
CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET})
"""Brackets that open and close."""


def with_known_names(tokens: Sequence[Token], dialect: Dialect, parses: Parses) -> Tokens | None:
    """The tokens with another spelling of the casts and calls that the grammar cannot read; None if it reads them all."""
    types = [place for place in _types(tokens) if not parses(_cast(tokens[slice(*place)]))]
    found = _without_types(tokens, types)
    calls = _refused_calls(found, dialect, parses)
    for i in calls:
        found[i] = with_mark(found[i])
    return found if types or calls else None


def restored(tree: Any) -> Any:
    """The tree with the names of its calls as they were written."""
    for node in tree.walk() if isinstance(tree, exp.Expr) else ():
        for key, value in node.args.items():
            if value.__class__ is str and _MARK in value:
                node.set(key, value.replace(_MARK, ""))
    return tree


def _refused_calls(tokens: Tokens, dialect: Dialect, parses: Parses) -> list[int]:
    """The names of calls that the grammar does not read, as numbers of tokens.

    A call that was looked at is one operand of the call around it, so that no token is parsed twice.
    """
    names = _function_names(dialect.grammar_name)
    operators = dialect.grammar.parser_class.RANGE_PARSERS
    seen: list[tuple[int, Token]] = []
    opened: list[int] = []
    refused = []
    for i, token in enumerate(tokens):
        seen.append((i, token))
        if token.token_type in OPENING:
            opened.append(len(seen) - 1)
        elif token.token_type in CLOSING and opened:
            first = opened.pop() - 1
            if first < 0 or token.token_type is not TokenType.R_PAREN:
                continue
            number, name = seen[first]
            around = [each for _, each in seen[max(first - 1, 0) : first + 1]]
            if name.text.upper() not in names or not may_be_call(around, len(around) - 1, operators):
                continue
            if not parses([each for _, each in seen[first:]]):
                refused.append(number)
            seen[first:] = [(number, _made(_OPERAND, TokenType.VAR, name))]
    return refused


def may_be_call(tokens: Sequence[Token], i: int, operators: Container[TokenType]) -> bool:
    """Whether a name that brackets follow can be a function's, by what stands before it.

    One that is an operator as well, Exasol's `a REGEXP_LIKE (b)`, is a call where an operand begins: `SELECT REGEXP_LIKE(a, b)`.
    """
    if i == 0:
        return True
    before, name = tokens[i - 1], tokens[i]
    if name.token_type in operators and before.token_type not in _BEFORE_OPERAND:
        return False
    if name.token_type is TokenType.XOR and before.token_type in _VALUES:
        return False
    return before.token_type not in _NO_CALL_BEHIND and (before.text.upper(), name.text.upper()) not in _CLAUSES


def with_mark(name: Token) -> Token:
    """The name of a function, as one that the grammar does not know."""
    return _made(f"{name.text}{_MARK}", TokenType.VAR, name)


def call_of(name: str, kind: TokenType, columns: Sequence[str]) -> Tokens:
    """The tokens of a call with some columns."""
    at = Token(kind, name, 1, 1, 0, 0, [])
    found = [at, _made("(", TokenType.L_PAREN, at)]
    for column in columns:
        found += [_made(column, TokenType.VAR, at), _made(",", TokenType.COMMA, at)]
    return [*found[:-1], _made(")", TokenType.R_PAREN, at)]


@cache
def _function_names(grammar_name: str) -> frozenset[str]:
    """The names whose calls a grammar reads in its own way."""
    parser = Grammar.get_or_raise(grammar_name).parser_class
    names = {*parser.FUNCTIONS, *parser.FUNCTION_PARSERS, *parser.NO_PAREN_FUNCTION_PARSERS}
    return frozenset(name.upper() for name in names) - _NO_FUNCTIONS


def _types(tokens: Sequence[Token]) -> list[tuple[int, int]]:
    """Where types stand in casts: behind `::`, and between AS and the end of CAST."""
    found = []
    casts: list[bool] = []
    for i, token in enumerate(tokens):
        if token.token_type is TokenType.DCOLON:
            found.append((i + 1, _end_of_type(tokens, i + 1)))
        elif token.token_type is TokenType.ALIAS and casts and casts[-1]:
            found.append((i + 1, _end_of_cast(tokens, i + 1)))
        elif token.token_type in OPENING:
            casts.append(i > 0 and tokens[i - 1].text.upper() in _CASTS)
        elif token.token_type in CLOSING and casts:
            casts.pop()
    return found


def _end_of_type(tokens: Sequence[Token], i: int) -> int:
    """The end of the type that begins at a token: `s.name(1, 2)[]`."""
    while _word(tokens, i) in _PREFIXES_OF_TYPE:
        i += 1
    i += 1
    while i + 1 < len(tokens) and tokens[i].token_type is TokenType.DOT:
        i += 2
    while i < len(tokens) and (tokens[i].token_type in OPENING or _word(tokens, i) in _SUFFIXES_OF_TYPE):
        i = _behind_brackets(tokens, i)
    return min(i, len(tokens))


def _end_of_cast(tokens: Sequence[Token], i: int) -> int:
    """The end of what CAST says about the type that begins at a token."""
    while i < len(tokens) and tokens[i].token_type not in CLOSING and _word(tokens, i) not in _BEHIND_TYPE:
        i = _behind_brackets(tokens, i)
    return i


def _behind_brackets(tokens: Sequence[Token], i: int) -> int:
    """The token behind the bracket that closes the one at a token; else the next one."""
    depth = 0
    while i < len(tokens):
        depth += (tokens[i].token_type in OPENING) - (tokens[i].token_type in CLOSING)
        i += 1
        if depth <= 0:
            break
    return i


def _word(tokens: Sequence[Token], i: int) -> str:
    return tokens[i].text.upper() if i < len(tokens) else ""


def _cast(kind: Sequence[Token]) -> Tokens:
    """`CAST(x AS type)`."""
    if not kind:
        return []
    at = kind[0]
    return [
        _made("CAST", TokenType.VAR, at),
        _made("(", TokenType.L_PAREN, at),
        _made(_OPERAND, TokenType.VAR, at),
        _made("AS", TokenType.ALIAS, at),
        *kind,
        _made(")", TokenType.R_PAREN, at),
    ]


def _without_types(tokens: Sequence[Token], places: Sequence[tuple[int, int]]) -> Tokens:
    """The tokens with VARCHAR in some places."""
    kept: Tokens = []
    position = 0
    for start, end in places:
        if start < end and start >= position:
            kept += [*tokens[position:start], _made("VARCHAR", TokenType.VARCHAR, tokens[start])]
            position = end
    return [*kept, *tokens[position:]]


def _made(text: str, kind: TokenType, at: Token) -> Token:
    """A token that the script does not have, at the place of one that it has."""
    return Token(kind, text, at.line, at.col, at.start, at.end, [])
