"""The cursor that readers move over a statement's tokens, and the table of readers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.diagnostic import Diagnostic
from headwater.model.span import Span
from headwater.sql.dialect import Dialect
from headwater.sql.grammar import parse_as, parse_statement
from headwater.sql.pipe import UnknownOperator
from headwater.sql.reading.written_names import written_names
from headwater.sql.spelling import spelled
from headwater.sql.tokens import spelled_out
from headwater.sql.words import is_string, word

__all__ = ["Reading", "identifier", "is_string", "read", "read_first", "reads", "span_of", "word"]

_OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE})
_CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE})


class Reading:
    """The tokens of a statement and a place among them. Words are compared in upper case; what is quoted is never a word."""

    __slots__ = ("at", "dialect", "notes", "sql", "tokens")

    def __init__(
        self, tokens: Sequence[Token], sql: str, dialect: Dialect, notes: list[Diagnostic] | None = None
    ) -> None:
        self.tokens = spelled_out(tokens, sql, dialect)
        self.sql = sql
        self.dialect = dialect
        self.at = 0
        self.notes: list[Diagnostic] = [] if notes is None else notes
        """What the reader of the statement has to say besides its tree."""

    def __bool__(self) -> bool:
        return self.at < len(self.tokens)

    def word(self, ahead: int = 0) -> str:
        """The word here, or some tokens ahead; nothing at the end."""
        i = self.at + ahead
        return word(self.tokens[i]) if i < len(self.tokens) else ""

    def sees(self, *words: str) -> bool:
        """Whether these words come next."""
        return self._matching(self.at, words) > 0

    def take(self, *words: str) -> bool:
        """Step over these words if they come next."""
        count = self._matching(self.at, words)
        self.at += count
        return count > 0

    def _matching(self, i: int, words: Sequence[str]) -> int:
        """How many tokens from number *i* on spell these words, none if they do not; a token may hold several words."""
        if i >= len(self.tokens):
            return 0
        if word(self.tokens[i]) == words[0] and len(words) == 1:
            return 1
        start, left = i, list(words)
        while left:
            here = word(self.tokens[i]).split() if i < len(self.tokens) else []
            if not here or here != left[: len(here)]:
                return 0
            left = left[len(here) :]
            i += 1
        return i - start

    def take_any(self, *words: str) -> str:
        """Step over one of these words if it comes next, and tell which."""
        found = self.word()
        if found not in words:
            return ""
        self.at += 1
        return found

    @property
    def here(self) -> Token:
        """The token here."""
        if self.at >= len(self.tokens):
            raise ParseError("the statement ends too early")
        return self.tokens[self.at]

    def token(self) -> Token:
        """The token here; steps over it."""
        found = self.here
        self.at += 1
        return found

    def find(self, *words: str) -> int:
        """Where these words stand next, outside of brackets; -1 if they do not."""
        depth = 0
        for i in range(self.at, len(self.tokens)):
            kind = self.tokens[i].token_type
            if kind in _OPENING:
                depth += 1
            elif kind in _CLOSING:
                depth -= 1
            if (depth == 0 or (depth == 1 and kind in _OPENING)) and self._matching(i, words):
                return i
        return -1

    def skip_to(self, *words: str) -> bool:
        """Move to where these words stand next, outside of brackets, if they do."""
        found = self.find(*words)
        if found >= 0:
            self.at = found
        return found >= 0

    def until(self, *words: str) -> Sequence[Token]:
        """The tokens up to the next of these words outside of brackets, or to the end; moves there."""
        ends = [i for i in (self.find(each) for each in words) if i >= 0]
        start, self.at = self.at, min(ends, default=len(self.tokens))
        return self.tokens[start : self.at]

    def rest(self) -> Sequence[Token]:
        """All tokens from here on."""
        return self.tokens[self.at :]

    def brackets(self) -> Sequence[Token]:
        """The tokens between the bracket that opens here and the one that closes it; moves behind it."""
        if not self or self.tokens[self.at].token_type not in _OPENING:
            raise ParseError("a bracket is missing")
        depth, start = 0, self.at + 1
        for i in range(self.at, len(self.tokens)):
            kind = self.tokens[i].token_type
            depth += (kind in _OPENING) - (kind in _CLOSING)
            if depth == 0:
                self.at = i + 1
                return self.tokens[start:i]
        raise ParseError("a bracket is not closed")

    def at_bracket(self) -> bool:
        """Whether a round bracket opens here."""
        return bool(self) and self.tokens[self.at].token_type is TokenType.L_PAREN

    def at_string(self) -> bool:
        """Whether a string stands here."""
        return bool(self) and is_string(self.tokens[self.at])

    def glued(self) -> tuple[str, Span]:
        """The text from here to the next white space, and where it stands: a path without quotes; moves behind it."""
        first = last = self.token()
        while self and self.tokens[self.at].start == last.end + 1 and word(self.tokens[self.at]) not in ("(", ")", ","):
            last = self.token()
        return self.sql[first.start : last.end + 1], Span(first.start, last.end + 1)

    def name(self) -> Any:
        """The dotted name that begins here, as a table node; moves behind it."""
        start = self.at
        self._name_part()
        while self.word() == ".":
            self.at += 1
            while self.word() == ".":
                self.at += 1
            self._name_part()
        if not self.tokens[self.at - 1].text:
            raise ParseError("a name is missing")
        return parse_as(exp.Table, self.tokens[start : self.at], self.sql, self.dialect)

    def spelled_name(self) -> str:
        """The dotted name that begins here, as spelled; moves behind it. Nothing where there is no name."""
        start = self.at
        self._name_part()
        while self.word() == "." and self.at + 1 < len(self.tokens):
            self.at += 1
            self._name_part()
        return self.sql[self.tokens[start].start : self.tokens[self.at - 1].end + 1]

    def _name_part(self) -> None:
        """One part of a name, with T-SQL's `#` before it, or BigQuery's dashes in it."""
        while self.word() in ("#", "##", "@"):
            self.at += 1
        last = self.token()
        while self.dialect.family == "bigquery" and self.word() == "-" and self.tokens[self.at].start == last.end + 1:
            self.at += 1
            last = self.token()
            if last.text.endswith("."):  # of `p-1.d` the tokeniser makes the number `1.`
                last = self.token()

    def names(self) -> list[Any]:
        """A bracketed list of names, as identifiers; moves behind it."""
        listed = written_names(self.brackets(), self.dialect)
        tokens = [token for token in listed if token.token_type is not TokenType.COMMA]
        if any(token.token_type in _OPENING or token.token_type in _CLOSING for token in tokens):
            raise ParseError("a list of names is expected")
        return [identifier(token) for token in tokens]

    def statement(self, tokens: Sequence[Token]) -> Any:
        """The tree of a statement inside this one, by the grammar or by the readers; raises `ParseError`."""
        if not tokens:
            raise ParseError("a statement is missing")
        inner = Reading(tokens, self.sql, self.dialect, self.notes)
        tree = read_first(inner)
        problem: ParseError | None = None
        if tree is None:
            try:
                tree = self.parsed(tokens)
            except ParseError as error:
                problem = error
        if problem is not None or isinstance(tree, exp.Command):
            tree = read(Reading(tokens, self.sql, self.dialect, self.notes)) or tree
        if tree is None and problem is not None:
            raise problem
        return tree

    def parsed(self, tokens: Sequence[Token]) -> Any:
        """The grammar's tree of a statement inside this one; raises `ParseError`."""
        try:
            return parse_statement(spelled(list(tokens), self.sql, self.dialect), self.sql, self.dialect)
        except UnknownOperator as error:
            raise ParseError("a pipe operator is not understood") from error

    def expression(self, tokens: Sequence[Token]) -> Any:
        """The expression that the tokens spell; raises `ParseError`."""
        return parse_as(exp.Condition, tokens, self.sql, self.dialect)


def identifier(token: Token) -> Any:
    """The identifier that a token spells, with its place."""
    node = exp.Identifier(this=token.text, quoted=token.token_type is TokenType.IDENTIFIER)
    node.update_positions(token)
    return node


def span_of(tokens: Sequence[Token]) -> Span:
    """Where some tokens stand."""
    return Span(tokens[0].start, tokens[-1].end + 1)


Reader = Callable[[Reading], Any]

_FIRST: dict[str, list[Reader]] = {}
_READERS: dict[str, list[Reader]] = {}


def reads(*words: str, first: bool = False) -> Callable[[Reader], Reader]:
    """Register a reader of statements that begin with one of these words; *first* asks it before the grammar."""

    def register(reader: Reader) -> Reader:
        for each in words:
            (_FIRST if first else _READERS).setdefault(each, []).append(reader)
        return reader

    return register


def read_first(reading: Reading) -> Any:
    """What the readers that come before the grammar make of a statement; None if it is none of theirs."""
    if not reading or reading.word() not in _FIRST:
        return None
    try:
        return _run(_FIRST, reading)
    except (ParseError, TokenError):
        return None


def read(reading: Reading) -> Any:
    """What the readers behind the grammar make of a statement; None if it is none of theirs."""
    return _run(_READERS, reading)


def _run(table: dict[str, list[Reader]], reading: Reading) -> Any:
    for reader in table.get(reading.word(), ()):
        reading.at = 0
        try:
            found = reader(reading)
        except IndexError as error:  # readers take what must be there: in `t (a, , b)` it is not
            raise ParseError("a part of the statement is missing") from error
        if found is not None:
            return found
    return None
