"""The kinds of a statement's tokens as a text, a letter or sign for each: `SELECT a FROM f(1), t` is `snfn(x),n;`.

What such a text holds, and where, is quickly asked: the words behind which a table is due, the brackets of a list, how much can nest.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from sqlglot.parser import Parser
from sqlglot.tokenizer_core import TokenType

_LETTERS: dict[str, tuple[TokenType, ...]] = {
    "y": tuple(Parser.TYPE_TOKENS),
    "f": (TokenType.FROM,),
    "j": (TokenType.JOIN,),
    "u": (TokenType.USING,),
    "p": (TokenType.UPDATE,),
    "i": (TokenType.INTO,),
    "t": (TokenType.TABLE,),
    "n": (TokenType.VAR, TokenType.IDENTIFIER),
    "a": (TokenType.ALIAS,),
    "b": (TokenType.LATERAL, TokenType.UNNEST, TokenType.VALUES),
    "w": (
        *(TokenType.WITH, TokenType.ORDINALITY, TokenType.OFFSET, TokenType.TABLE_SAMPLE, TokenType.PIVOT),
        *(TokenType.UNPIVOT, TokenType.PARTITION, TokenType.FINAL, TokenType.USE, TokenType.INDEX),
    ),
    "s": (TokenType.SET, TokenType.SELECT),
    "c": (TokenType.CASE,),
    "e": (TokenType.END,),
    "-": (TokenType.NOT, TokenType.DASH, TokenType.PLUS, TokenType.TILDE),
    "<": (TokenType.LT,),
    "(": (TokenType.L_PAREN,),
    ")": (TokenType.R_PAREN,),
    "[": (TokenType.L_BRACKET,),
    "]": (TokenType.R_BRACKET,),
    "{": (TokenType.L_BRACE,),
    "}": (TokenType.R_BRACE,),
    ",": (TokenType.COMMA,),
    ".": (TokenType.DOT,),
    ";": (TokenType.SEMICOLON,),
}
"""`b` stands before the brackets of an item that is no table by its name, `w` behind an item: `WITH ORDINALITY`, `TABLESAMPLE (…)`;
`y` is the name of a type, `-` stands before an operand."""
_BY_KIND: dict[int, str] = {kind: letter for letter, kinds in _LETTERS.items() for kind in kinds}
_LETTER = [_BY_KIND.get(number, "x") for number in range(max(TokenType) + 1)]
"""The letter of each kind, by its number: a list is asked quicker than a dictionary."""


def letters(kinds: Sequence[TokenType]) -> str:
    """The text of a statement's kinds, with an end behind the last."""
    return "".join(itemgetter(*kinds)(_LETTER)) + ";" if kinds else ";"  # the quickest way to look up many
