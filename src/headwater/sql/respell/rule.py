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
from contextlib import suppress
from functools import cache
from operator import attrgetter
from typing import Generic, NamedTuple, TypeVar

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect

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

_R = TypeVar("_R")


class _Table(Generic[_R]):
    """Rules by the word that calls for them; and the signs, one of which the text of a statement must have for any of them."""

    __slots__ = ("rules", "signs")

    def __init__(self) -> None:
        self.rules: dict[str, _R] = {}
        self.signs: dict[str, None] = {}


_RULES: dict[str, dict[str, _Table[list[Rule]]]] = {}
"""Rules by dialect, and by the word that begins the statement."""

_PHRASES: dict[str, _Table[PhraseRule]] = {}
"""Rules for phrases, by dialect."""

_TEXT = attrgetter("text")
_QUOTED = frozenset({TokenType.STRING, TokenType.IDENTIFIER, TokenType.NATIONAL_STRING, TokenType.RAW_STRING})


def respells(word: str, *dialects: str, first: str = ANY, sign: str = "") -> Callable[[Rule], Rule]:
    """Register a rule for each place of *word* in statements of *dialects* that begin with *first*, or with anything.

    Where the word is common, *sign* is what the text must have besides.
    """

    def register(rule: Rule) -> Rule:
        for dialect in dialects:
            for beginning in first.split(" "):
                table = _RULES.setdefault(dialect, {}).setdefault(beginning, _Table())
                table.rules.setdefault(word, []).append(rule)
                table.signs[sign or word] = None
        return rule

    return register


def respells_phrase(words: str, *dialects: str, sign: str = "") -> Callable[[PhraseRule], PhraseRule]:
    """Register a rule for phrases with one of *words* in statements of *dialects*; *sign* as for `respells`."""

    def register(rule: PhraseRule) -> PhraseRule:
        for dialect in dialects:
            table = _PHRASES.setdefault(dialect, _Table())
            for word in words.split(" "):
                if table.rules.get(word, rule) is not rule:
                    raise ValueError(f"{dialect} has two rules for phrases with {word}")
                table.rules[word] = rule
                table.signs[sign or word] = None
        return rule

    return register


def upper_text(tokens: Sequence[Token]) -> str:
    """What tokens spell, in upper case."""
    return " ".join(map(_TEXT, tokens)).upper()


@cache
def _phrases_of(dialect: Dialect) -> _Table[PhraseRule]:
    """The rules for phrases of a dialect: its family's, then its own."""
    found: _Table[PhraseRule] = _Table()
    for name in (dialect.family, dialect.name):
        table = _PHRASES.get(name, found)
        found.rules.update(table.rules)
        found.signs.update(table.signs)
    return found


@cache
def _rules_of(dialect: Dialect) -> dict[str, _Table[list[Rule]]]:
    """The rules of a dialect by the word that begins the statement: its family's, then its own."""
    found: dict[str, _Table[list[Rule]]] = {}
    for name in (dialect.family, dialect.name):
        for beginning, table in _RULES.get(name, {}).items():
            merged = found.setdefault(beginning, _Table())
            merged.signs.update(table.signs)
            for bearer, rules in table.rules.items():
                merged.rules[bearer] = [*dict.fromkeys([*merged.rules.get(bearer, ()), *rules])]
    return found


def respelled(tokens: Tokens, dialect: Dialect, text: str | None = None) -> Tokens:
    """The statement's tokens as the grammar reads them; the same list where nothing is to be done.

    *text* is what they spell, in upper case, where it is at hand: nearly always it lacks the words of all rules.
    """
    if not tokens:
        return tokens
    if text is None:
        text = upper_text(tokens)
    phrases = _phrases_of(dialect)
    found = _replaced(phrases, tokens, text) if phrases.rules else tokens
    by_beginning = _rules_of(dialect)
    if not by_beginning or not found:
        return found
    for table in (by_beginning.get(found[0].text.upper()), by_beginning.get(ANY)):
        if table is not None:
            found = _applied(table, found, text if found is tokens else upper_text(found))
    return found


def _called(table: _Table[_R], tokens: Tokens, text: str) -> list[int]:
    """The tokens that are words of rules; most statements have none behind their first token, as the *text* of all shows."""
    behind, rules = text[len(tokens[0].text) :], table.rules
    some = tokens if any(map(behind.__contains__, table.signs)) else tokens[:1]
    return [i for i, token in enumerate(some) if token.text.upper() in rules and token.token_type not in _QUOTED]


def _replaced(table: _Table[PhraseRule], tokens: Tokens, text: str) -> Tokens:
    def edit(i: int) -> Edit | None:
        try:
            return table.rules[tokens[i].text.upper()](tokens, i)
        except IndexError:  # a phrase that the statement's end cuts off is none
            return None

    return replaced(tokens, _called(table, tokens, text), edit)


def replaced(tokens: Tokens, called: Sequence[int], rule: Callable[[int], Edit | None]) -> Tokens:
    """The tokens after what a *rule* says of the *called* ones, from left to right; the same list if it says nothing."""
    kept: Tokens = []
    position = 0
    for i in called:
        edit = rule(i) if i >= position else None
        if edit is not None and edit.start >= position:
            kept += tokens[position : edit.start]
            kept += edit.tokens
            position = edit.end
    return kept + tokens[position:] if position else tokens


def _applied(table: _Table[list[Rule]], tokens: Tokens, text: str) -> Tokens:
    """From the end, so that what a rule changes behind a word does not move the words before it."""
    for i in reversed(_called(table, tokens, text)):
        bearer = word(tokens, i)
        for rule in table.rules.get(bearer, ()):
            if word(tokens, i) == bearer:  # the rule before may have put another word there
                with suppress(IndexError):  # what the statement's end cuts off is not respelled
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
