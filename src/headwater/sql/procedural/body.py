"""The cursor over a routine's body, and the table of step readers.

A statement ends at its semicolon, in T-SQL also where the next one begins. Readers of steps register themselves with `steps` under the
words that begin their step; what none of them takes is an ordinary statement.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError, TokenError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.work import check_time
from headwater.sql.blocks import block_at
from headwater.sql.dialect import Dialect
from headwater.sql.grammar import parse_as
from headwater.sql.optional_semicolons import statement_end
from headwater.sql.procedural.form import Condition, Target
from headwater.sql.procedural.label import without_labels
from headwater.sql.procedural.tree import Declared, Do, Handler, Step
from headwater.sql.reading.reading import Reading, identifier
from headwater.sql.respell import respelled
from headwater.sql.split import Piece, span_of
from headwater.sql.statement import Statement
from headwater.sql.tokens import shifted
from headwater.sql.words import word

ParsePiece = Callable[[Piece, Dialect], Statement]

_OPENING = frozenset({TokenType.L_PAREN, TokenType.L_BRACKET, TokenType.L_BRACE})
_CLOSING = frozenset({TokenType.R_PAREN, TokenType.R_BRACKET, TokenType.R_BRACE})


class Dotted:
    """The names that stand before a dot among some tokens, in upper case: those of records, tables, schemas."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._tokens = tokens
        self._found: frozenset[str] | None = None

    def __contains__(self, name: str) -> bool:
        if self._found is None:
            behind = pairwise(self._tokens)
            self._found = frozenset(a.text.upper() for a, b in behind if b.token_type is TokenType.DOT)
        return name.upper() in self._found


class Names:
    """The names that are declared so far, as far as reading depends on them: in upper case."""

    def __init__(self, outer: Names | None = None) -> None:
        self.outer = outer
        self.declared: dict[str, Declared] = {}
        self.queries: dict[str, Statement] = {}
        """The statements that open declared cursors."""
        self.returned_cursors: set[str] = set()
        """The declared cursors whose rows the procedure gives back: WITH RETURN."""
        self.prepared_cursors: dict[str, str] = {}
        """The prepared statements that declared cursors run."""
        self.parameters: dict[str, list[list[Token]]] = {}
        """The parameters of declared cursors, as they are declared."""
        self.types: dict[str, tuple[str, ...]] = {}
        """The fields of declared record types."""
        self.elements: dict[str, Sequence[Token]] = {}
        """The types of the elements of declared collection types."""
        self.subtypes: dict[str, Sequence[Token]] = {}
        """The types that others are another name of."""

    def find(self, name: str) -> Declared | None:
        """The variable of that name, the innermost first."""
        names: Names | None = self
        while names is not None:
            found = names.declared.get(name.upper())
            if found is not None:
                return found
            names = names.outer
        return None

    def query_of(self, cursor: str) -> Statement | None:
        """What a declared cursor asks."""
        names: Names | None = self
        while names is not None:
            if cursor.upper() in names.queries:
                return names.queries[cursor.upper()]
            names = names.outer
        return None

    def is_returned(self, cursor: str) -> bool:
        """Whether the rows of a declared cursor are given back."""
        names: Names | None = self
        while names is not None:
            if cursor.upper() in names.returned_cursors:
                return True
            names = names.outer
        return False

    def prepared_of(self, cursor: str) -> str:
        """The prepared statement that a declared cursor runs; nothing for one that asks a query."""
        names: Names | None = self
        while names is not None:
            if cursor.upper() in names.prepared_cursors:
                return names.prepared_cursors[cursor.upper()]
            names = names.outer
        return ""

    def parameters_of(self, cursor: str) -> list[list[Token]]:
        """What a declared cursor asks for when it is opened."""
        names: Names | None = self
        while names is not None:
            if cursor.upper() in names.queries:
                return names.parameters.get(cursor.upper(), [])
            names = names.outer
        return []

    def element_of(self, type: str) -> Sequence[Token] | None:
        """The type of the elements of a declared collection type."""
        names: Names | None = self
        while names is not None:
            if type.upper() in names.elements:
                return names.elements[type.upper()]
            names = names.outer
        return None

    def subtype_of(self, type: str) -> Sequence[Token] | None:
        """The type that a declared name stands for."""
        names: Names | None = self
        while names is not None:
            if type.upper() in names.subtypes:
                return names.subtypes[type.upper()]
            names = names.outer
        return None

    def fields_of(self, type: str) -> tuple[str, ...] | None:
        """The fields of a declared record type."""
        names: Names | None = self
        while names is not None:
            if type.upper() in names.types:
                return names.types[type.upper()]
            names = names.outer
        return None


class Body(Reading):
    """The tokens of a body and a place among them."""

    __slots__ = ("diagnostics", "dotted", "handlers", "known", "parse", "piece", "prepared", "resuming", "rewritten")

    def __init__(self, tokens: Sequence[Token], piece: Piece, dialect: Dialect, parse: ParsePiece) -> None:
        super().__init__(tokens, piece.text.raw, dialect)
        self.piece = piece
        self.parse = parse
        self.known = Names()
        self.dotted = Dotted(tokens)
        """Names that may be those of records: of the whole text that the tokens are from."""
        self.handlers: list[tuple[Step, ...]] = []
        """Handlers that the block at hand declared so far."""
        self.resuming: list[Handler] = []
        """Those behind which the block goes on."""
        self.prepared: dict[str, Any] = {}
        """The texts of prepared statements, as expressions, by name."""
        self.diagnostics: list[Diagnostic] = []
        self.rewritten = False
        """The script does not have the tokens as they are, but inside of a string with quotes doubled."""

    def inside(self, tokens: Sequence[Token]) -> Body:
        """A body of its own, of some of the tokens; it knows the same names."""
        body = Body(tokens, self.piece, self.dialect, self.parse)
        body.known = self.known
        body.dotted = self.dotted
        body.diagnostics = self.diagnostics
        body.rewritten = self.rewritten
        return body

    # -- steps --------------------------------------------------------------------------------------------------------------

    def steps(self, *ends: str) -> tuple[Step, ...]:
        """The steps up to one of these words, or to the end."""
        found: list[Step] = []
        while self and self.word() not in ends:
            if self.tokens[self.at].token_type is TokenType.SEMICOLON:
                self.at += 1
                continue
            before = self.at
            found += self.step()
            if self.at == before:
                self.skip_noise()
        return without_labels(found)

    def step(self) -> Sequence[Step]:
        """The step that begins here, as one or several; moves behind it."""
        check_time()
        start = self.at
        routine = self._routine()
        if routine is not None:
            return (Do(routine),)
        for reader in (*_STEPS.get(self.word(), ()), *_STEPS[""]):
            self.at = start
            try:
                found = reader(self)
            except (ParseError, TokenError, IndexError) as error:
                self.at = max(self.at, self.end_of_statement(start), start + 1)
                return (self.broken(self.tokens[start : self.at], error),)
            if found is not None:
                return found if isinstance(found, (list, tuple)) else (found,)
        self.at = start
        return (Do(self.ordinary(self.take_statement())),)

    def _routine(self) -> Statement | None:
        """The routine that is created here, if one is."""
        if self.word() not in ("CREATE", "REPLACE", "ALTER"):
            return None
        found = block_at(self.tokens, self.at, len(self.tokens), self.dialect)
        if found is None:
            return None
        tokens = list(self.tokens[self.at : found.end])
        name = None if found.name is None else found.name - self.at
        self.at = max(found.end, self.at + 1)
        piece = replace(self.piece, tokens=tokens, span=span_of(tokens), block=found._replace(name=name))
        return self.parse(piece, self.dialect)

    def skip_noise(self) -> None:
        """Step over a word that belongs to nothing here, and say so."""
        token = self.token()
        near = self.piece.text.slice(token.start, token.end + 1)
        message = f"{near} belongs to nothing that begins before it"
        self.diagnostics.append(Diagnostic(Code.SYNTAX_ERROR, message, span_of([token]), near))

    # -- statements ---------------------------------------------------------------------------------------------------------

    def end_of_statement(self, start: int) -> int:
        """The token behind the statement that begins at a token: its semicolon, as a rule."""
        if self.dialect.optional_semicolons:
            return statement_end(self.tokens, start, len(self.tokens)) if start < len(self.tokens) else start
        for i in range(start, len(self.tokens)):
            if self.tokens[i].token_type is TokenType.SEMICOLON:
                return i
        return len(self.tokens)

    def take_statement(self) -> Sequence[Token]:
        """The tokens of the statement that begins here; moves behind its semicolon."""
        start = self.at
        end = max(self.end_of_statement(start), start)
        self.at = end + (end < len(self.tokens) and self.tokens[end].token_type is TokenType.SEMICOLON)
        return self.tokens[start:end]

    def end(self) -> None:
        """Step over the rest of the statement and its semicolon."""
        self.take_statement()

    def close(self, *words: str) -> None:
        """Step over what closes a construct, a label behind it, and the semicolon; what is missing is said."""
        if not self.take(*words):
            self.missing(" ".join(words))
            return
        if (
            self
            and self.word() not in (";", "")
            and not self.dialect.guards_one_statement
            and self.word(1) in (";", "")
        ):
            self.at += 1  # a label
        if self.word() == ";":
            self.at += 1

    def missing(self, what: str) -> None:
        """Say that something is missing here."""
        place = self.tokens[min(self.at, len(self.tokens) - 1)]
        message = f"{what} is missing here; what follows is read as far as it goes"
        self.diagnostics.append(Diagnostic(Code.SYNTAX_ERROR, message, span_of([place]), what))

    def ordinary(self, tokens: Sequence[Token]) -> Statement:
        """A statement that is none of the procedural language."""
        tokens = list(tokens)
        made = self.parse(replace(self.piece, tokens=tokens, span=span_of(tokens), block=None), self.dialect)
        return replace(made, read=self._kept(tokens)) if self.rewritten else made

    def _kept(self, tokens: Sequence[Token]) -> list[Token] | None:
        """The tokens of a statement that cannot be made anew from the script, counted from its start."""
        if not self.rewritten:
            return None
        kinds = ((t.token_type, t.text, t.line, t.col, t.start, t.end) for t in tokens)
        return shifted([Token(*each) for each in kinds], -tokens[0].start, 0)

    def made(self, tokens: Sequence[Token], tree: Any) -> Statement:
        """A statement with a tree of ours."""
        return Statement(
            self.piece.text, self.dialect, span_of(tokens), tree, (), self.piece.source, read=self._kept(tokens)
        )

    def broken(self, tokens: Sequence[Token], error: Exception) -> Do:
        """A statement that cannot be read."""
        said = str(error).split("\n")[0].split(",")[0] if isinstance(error, ParseError) and not error.errors else ""
        near = self.piece.text.slice(tokens[0].start, tokens[0].end + 1)
        message = f"what begins with {near} is not understood" + (f": {said}" if said else "")
        problem = Diagnostic(Code.SYNTAX_ERROR, message, span_of(tokens[:1]), near)
        return Do(Statement(self.piece.text, self.dialect, span_of(tokens), None, (problem,), self.piece.source))

    # -- parts of statements ------------------------------------------------------------------------------------------------

    def value(self, tokens: Sequence[Token]) -> Any:
        """The expression that the tokens spell; raises `ParseError`."""
        if not tokens:
            raise ParseError("a value is missing")
        if self.dialect.values_are_queries and word(tokens[0]) in ("SELECT", "WITH"):  # Vertica's `v := SELECT …`
            return exp.Subquery(this=self.statement(tokens))
        if self.dialect.values_are_queries and _reads_rows(tokens):
            first = tokens[0]
            select = Token(TokenType.SELECT, "SELECT", first.line, first.col, first.start, first.start - 1)
            return exp.Subquery(this=self.statement([select, *tokens]))
        return parse_as(exp.Condition, respelled(list(tokens), self.dialect), self.sql, self.dialect)

    def condition(self, type: str, tokens: Sequence[Token], start: int | None = None) -> Statement:
        """A condition as a statement; *start* is the token with which it begins where that is not the first of these."""
        whole = self.tokens[start : self.at] if start is not None else tokens
        whole = whole or tokens
        try:
            return self.made(whole, Condition(type, self.value(tokens)))
        except (ParseError, TokenError) as error:
            if not whole:
                raise
            return self.broken(whole, error).statement

    def target(self) -> Target:
        """The variable that is named here: `v`, `@v`, `:v`, `r.a`, `v(i)`; moves behind it."""
        start = self.at
        parts = [self._target_part()]
        partly = False
        indexes: list[Any] = []
        while self:
            if self.word() == "." and self.at + 1 < len(self.tokens):
                self.at += 1
                parts.append(self._target_part())
            elif self.tokens[self.at].token_type in (TokenType.L_PAREN, TokenType.L_BRACKET):
                indexes += self._indexes(self.brackets())
                partly = True
            else:
                break
        return Target(tuple(parts), span_of(self.tokens[start : self.at]), partly, tuple(indexes))

    def _indexes(self, tokens: Sequence[Token]) -> list[Any]:
        """What chooses the element of a collection."""
        try:
            return [self.value(tokens)]
        except (ParseError, TokenError):
            return []

    def _target_part(self) -> Any:
        marks = ""
        while self.word() in ("@", ":", "$"):
            marks += self.token().text
        token = self.token()
        if token.token_type in _OPENING or token.token_type in _CLOSING or token.token_type is TokenType.SEMICOLON:
            raise ParseError("a variable is missing")
        part = identifier(token)
        if "@" in marks:
            part.set("this", f"{marks.lstrip(':')}{token.text}")
        return part

    def targets(self) -> tuple[Target, ...]:
        """Variables between commas; moves behind them."""
        found = [self.target()]
        while self.word() == ",":
            self.at += 1
            found.append(self.target())
        return tuple(found)

    def find_word(self, *words: str, stop: int | None = None) -> int:
        """Where one of these words stands next outside of brackets and CASE, before *stop*; -1 if it does not."""
        depth = 0
        last = len(self.tokens) if stop is None else stop
        for i in range(self.at, last):
            token = self.tokens[i]
            kind = token.token_type
            if kind is TokenType.SEMICOLON and ";" not in words:
                return -1
            if depth == 0 and word(token) in words:
                return i
            if kind in _OPENING or word(token) == "CASE":
                depth += 1
            elif kind in _CLOSING or (word(token) == "END" and depth):
                depth -= 1
        return -1

    def until_any(self, *words: str) -> Sequence[Token]:
        """The tokens up to one of these words, or to the end; moves there."""
        found = self.find_word(*words)
        start, self.at = self.at, found if found >= 0 else len(self.tokens)
        return self.tokens[start : self.at]

    def up_to(self, *words: str) -> Sequence[Token]:
        """The tokens up to one of these words, and moves behind it; raises `ParseError` where it does not come."""
        found = self.find_word(*words)
        if found < 0:
            raise ParseError(f"{words[0]} is missing")
        start, self.at = self.at, found + 1
        return self.tokens[start:found]


def _reads_rows(tokens: Sequence[Token]) -> bool:
    """Whether a value is the select list of a query without SELECT: `max(a) FROM t`."""
    depth = 0
    for before, token in pairwise(tokens):
        depth += (before.token_type in _OPENING) - (before.token_type in _CLOSING)
        if depth == 0 and token.token_type is TokenType.FROM and word(before) != "DISTINCT":
            return word(tokens[0]) not in ("SELECT", "WITH")
    return False


StepReader = Callable[[Body], Step | Sequence[Step] | None]

_STEPS: dict[str, list[StepReader]] = {"": []}


def steps(*words: str) -> Callable[[StepReader], StepReader]:
    """Register a reader of steps that begin with one of these words; without any it is asked last, of every step."""

    def register(reader: StepReader) -> StepReader:
        for each in words or ("",):
            _STEPS.setdefault(each, []).append(reader)
        return reader

    return register


def between_commas(tokens: Iterable[Token]) -> list[list[Token]]:
    """The tokens between commas outside of brackets."""
    parts: list[list[Token]] = [[]]
    depth = 0
    for token in tokens:
        depth += (token.token_type in _OPENING) - (token.token_type in _CLOSING)
        if depth == 0 and token.token_type is TokenType.COMMA:
            parts.append([])
        else:
            parts[-1].append(token)
    return [part for part in parts if part]
