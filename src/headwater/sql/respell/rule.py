"""What a vendor writes and the grammar does not read, spelled so that it does: tokens in, tokens out.

Each rule belongs to some dialects and is tried only where its word occurs. A rule drops tokens that mean nothing to lineage
(`WITH UR`), moves them (`FINAL TABLE (INSERT …)` becomes a WITH), or puts words of the grammar's own in their place
(`REPLACE INTO` is an INSERT). Tokens that stay keep their offsets, so places are not affected; those made up stand where the
words they replace stood.

A rule for a whole statement may rearrange all of it, and its word is rare. A rule for a phrase replaces a few tokens where it
stands; however many phrases a statement has, they are replaced in one pass.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from sqlglot.tokenizer_core import Token, TokenType

Tokens = list[Token]
Rule = Callable[[Tokens, int], Tokens]
"""Respells a statement, given the number of the token that bears the rule's word."""


class Edit(NamedTuple):
    """Tokens to put in the place of those from *start* to before *end*."""

    start: int
    end: int
    tokens: Sequence[Token] = ()


PhraseRule = Callable[[Tokens, int], "Edit | None"]
"""Respells a phrase that contains the token of that number; None leaves it as it is."""

ANY = ""
"""Stands for whatever word a statement begins with."""

_RULES: dict[str, dict[str, dict[str, list[Rule]]]] = {}
"""Rules by dialect, by the word that begins the statement, and by the word that calls for them."""

_PHRASES: dict[str, dict[str, PhraseRule]] = {}
"""Rules for phrases, by dialect and by their word."""

_QUOTED = frozenset({TokenType.STRING, TokenType.IDENTIFIER, TokenType.NATIONAL_STRING, TokenType.RAW_STRING})


def respells(word: str, *dialects: str, first: str = ANY) -> Callable[[Rule], Rule]:
    """Register a rule for each place of *word* in statements of *dialects* that begin with *first*, or with anything."""

    def register(rule: Rule) -> Rule:
        for dialect in dialects:
            for beginning in first.split(" "):
                _RULES.setdefault(dialect, {}).setdefault(beginning, {}).setdefault(word, []).append(rule)
        return rule

    return register


def respells_phrase(words: str, *dialects: str) -> Callable[[PhraseRule], PhraseRule]:
    """Register a rule for phrases with one of *words* in statements of *dialects*."""

    def register(rule: PhraseRule) -> PhraseRule:
        for dialect in dialects:
            _PHRASES.setdefault(dialect, {}).update(dict.fromkeys(words.split(" "), rule))
        return rule

    return register


def respelled(tokens: Tokens, dialect: str) -> Tokens:
    """The statement's tokens as the grammar reads them; the same list where nothing is to be done."""
    phrases = _PHRASES.get(dialect)
    if phrases is not None:
        tokens = _replaced(phrases, tokens)
    by_beginning = _RULES.get(dialect)
    if by_beginning is None or not tokens:
        return tokens
    for rules in (by_beginning.get(tokens[0].text.upper()), by_beginning.get(ANY)):
        if rules:
            tokens = _applied(rules, tokens)
    return tokens


def _replaced(rules: dict[str, PhraseRule], tokens: Tokens) -> Tokens:
    """All phrases in one pass, from left to right."""
    called = [i for i, token in enumerate(tokens) if token.text.upper() in rules and token.token_type not in _QUOTED]
    kept: Tokens = []
    position = 0
    for i in called:
        edit = rules[tokens[i].text.upper()](tokens, i) if i >= position else None
        if edit is not None and edit.start >= position:
            kept += tokens[position : edit.start]
            kept += edit.tokens
            position = edit.end
    return kept + tokens[position:] if position else tokens


def _applied(rules: dict[str, list[Rule]], tokens: Tokens) -> Tokens:
    """From the end, so that what a rule changes behind a word does not move the words before it."""
    called = [i for i, token in enumerate(tokens) if token.text.upper() in rules and token.token_type not in _QUOTED]
    for i in reversed(called):
        for rule in rules.get(word(tokens, i), ()):
            tokens = rule(tokens, i)
    return tokens


def word(tokens: Sequence[Token], i: int) -> str:
    """The i-th token in upper case; nothing for quoted names, strings and places outside of the statement."""
    if not 0 <= i < len(tokens) or tokens[i].token_type in _QUOTED:
        return ""
    return tokens[i].text.upper()


def made(text: str, kind: TokenType, at: Token) -> Token:
    """A token that nobody wrote, at the place of another."""
    return Token(kind, text, at.line, at.col, at.start, at.end, [])


def closing(tokens: Sequence[Token], opening: int) -> int:
    """The bracket that closes the one at *opening*; the end of the statement if none does."""
    depth = 0
    for i in range(opening, len(tokens)):
        depth += (tokens[i].token_type is TokenType.L_PAREN) - (tokens[i].token_type is TokenType.R_PAREN)
        if depth == 0:
            return i
    return len(tokens) - 1


def opening(tokens: Sequence[Token], closing_: int) -> int:
    """The bracket that the one at *closing_* closes; the beginning of the statement if none is open."""
    depth = 0
    for i in range(closing_, -1, -1):
        depth += (tokens[i].token_type is TokenType.R_PAREN) - (tokens[i].token_type is TokenType.L_PAREN)
        if depth == 0:
            return i
    return 0


def following(tokens: Sequence[Token], start: int, stop: Callable[[int], bool]) -> int:
    """The first token from *start* on, outside of brackets opened since, for which *stop* holds; else the end."""
    i = start
    while i < len(tokens):
        if stop(i):
            return i
        i = closing(tokens, i) + 1 if tokens[i].token_type is TokenType.L_PAREN else i + 1
    return len(tokens)


def reads(tokens: Sequence[Token], i: int, *words: str) -> bool:
    """Whether these words stand from the i-th token on."""
    return all(word(tokens, i + n) == expected for n, expected in enumerate(words))
