"""The pass over a statement that makes its fingerprint: what it has read, in which clause it is, and what it has written.

What a mark means is for the modules that register it; here is what they share.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.fingerprint.words import BLANKS, HEADS, LITERALS, OPERATORS, SIGNS

LITERAL = "◊"
"""Stands for a literal, or for all literals of a list."""

START, WITH, LIST, OTHER, FROM, JOIN, ON, WHERE = range(8)
"""The clauses: a query is still to come; a WITH list; a select list; all the rest; FROM; a join in it, whose condition may come; that
condition; any other."""
DUE, GIVEN, UNCLEAR = range(3)
"""What a condition has before its next comparison: nothing yet, one operand, or more than is understood."""

Frame = tuple[int, int, int, int, int]
"""What is to be remembered around a bracket: clause, fresh, checked, operand and between of the walk."""

_T = TokenType


class Walk:
    """One pass over a statement.

    In a condition, `fresh` is the token behind the last word that begins a comparison, `operand` says what was found from there up to
    the token `checked`, and `between` waits for the AND of a BETWEEN. `run` is the first token that was not written yet, `at` the next
    of the marks.
    """

    __slots__ = (
        *("at", "between", "braces", "broken", "checked", "clause", "fresh", "inserts"),
        *("kinds", "marks", "operand", "parts", "raw", "run", "stack", "tokens"),
    )

    def __init__(self, tokens: Sequence[Token], raw: str, clause: int, braces: bool) -> None:
        self.tokens = tokens
        self.raw = raw
        self.braces = braces
        self.kinds = [token.token_type for token in tokens]
        self.marks = [i for i, kind in enumerate(self.kinds) if kind in _MEANINGS]
        self.kinds += [_T.SEMICOLON] * 4
        self.inserts = self.kinds[0] is _T.REPLACE or self.inserts_rows(0)
        self.clause = clause
        self.fresh = self.checked = self.at = self.run = 0
        self.operand = self.between = DUE
        self.broken = False
        self.stack: list[Frame] = []
        self.parts: list[str] = []
        if self.kinds[0] in HEADS:
            self.write(0)

    def canonical(self) -> str:
        """The statement's text; nothing if its brackets do not fit."""
        marks, kinds, count = self.marks, self.kinds, len(self.marks)
        while self.at < count:
            mark = marks[self.at]
            self.at += 1
            _MEANINGS[kinds[mark]](self, mark)
        if self.broken or self.stack:
            return ""
        self.flush(len(self.tokens))
        return " ".join(self.parts)

    # Writing.

    def flush(self, i: int) -> None:
        """Write everything before a token as it stands in the script."""
        if self.run < i:
            self.parts.append(spaced(self.raw, self.tokens, self.run, i))

    def write(self, i: int) -> None:
        """Write a word or sign of the query's own; what is around it does not matter."""
        parts, tokens, run = self.parts, self.tokens, self.run
        if run < i:
            parts.append(spaced(self.raw, tokens, run, i))
        parts.append(tokens[i].text.upper())
        self.run = i + 1

    def replace(self, start: int, end: int) -> None:
        """Write a placeholder for the tokens between two."""
        self.flush(start)
        self.parts.append(LITERAL)
        self.run = end

    # Looking.

    def literal(self, i: int) -> int:
        """The token behind the literal that begins at a token, with its sign; 0 if none does."""
        kind = self.kinds[i]
        if kind in SIGNS:
            return i + 2 if self.kinds[i + 1] is _T.NUMBER else 0
        if kind not in LITERALS or (self.braces and "{" in self.tokens[i].text):
            return 0
        return i + 1

    def is_name(self, i: int) -> bool:
        """Whether a word is a name here: behind a dot or AS, or before a dot."""
        before = self.kinds[i - 1] if i else None
        if before is _T.DOT or self.kinds[i + 1] is _T.DOT:
            return True
        return before is _T.ALIAS and self.clause > WITH

    def inserts_rows(self, i: int) -> bool:
        """Whether the rows behind VALUES are inserted as they are: not so by INSERT ALL."""
        return self.kinds[i] is _T.INSERT and self.kinds[i + 1] not in (_T.ALL, _T.FIRST)

    def check(self, i: int) -> int:
        """What the condition has up to a token, which nobody has looked at since the last check."""
        operand = self.operand
        for kind in self.kinds[self.checked : i]:
            if kind in OPERATORS:
                operand = DUE if operand == GIVEN else operand
            elif kind not in BLANKS:
                operand = GIVEN if operand == DUE else UNCLEAR
        self.operand = operand
        self.checked = i
        return operand

    # Going on.

    def begin(self, i: int, clause: int) -> None:
        """A clause begins behind a word."""
        self.write(i)
        self.clause = clause
        self.fresh = self.checked = i + 1
        self.operand = self.between = DUE

    def go_behind(self, i: int) -> None:
        """Let the marks up to a token be: they were looked at together."""
        marks, at, count = self.marks, self.at, len(self.marks)
        while at < count and marks[at] <= i:
            at += 1
        self.at = at


Meaning = Callable[[Walk, int], None]
"""What is done at a mark, which is given by its number among the tokens."""

_MEANINGS: dict[TokenType, Meaning] = {}


def means(kinds: Iterable[TokenType]) -> Callable[[Meaning], Meaning]:
    """Registers what tokens of these kinds mean; no kind has two meanings."""

    def register(meaning: Meaning) -> Meaning:
        for kind in kinds:
            if kind in _MEANINGS:
                raise ValueError(f"{kind} has a meaning already")
            _MEANINGS[kind] = meaning
        return meaning

    return register


_QUOTES_AND_COMMENTS = ("'", '"', "`", "--", "/*", "#", "$")


def spaced(raw: str, tokens: Sequence[Token], start: int, end: int) -> str:
    """The text of tokens with single blanks between, whatever stood there; inside of literals and names nothing changes."""
    text = raw[tokens[start].start : tokens[end - 1].end + 1]
    if any(map(text.__contains__, _QUOTES_AND_COMMENTS)):
        return " ".join([raw[token.start : token.end + 1] for token in tokens[start:end]])
    return " ".join(text.split())
