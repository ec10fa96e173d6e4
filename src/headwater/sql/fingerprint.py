"""One text for all statements that one analysis serves: those that differ only in literals which cannot shape the result.

In come the tokens of a statement, out comes its canonical text. A literal gives way to a placeholder only where it is known to do no
harm (decision by whitelist):

* an operand of a comparison (`a = 1`, `1 < a`, `a LIKE 'x%'`, `a BETWEEN 1 AND 2`) in WHERE, ON, HAVING or QUALIFY, if the literal is the
  whole operand: it touches the operator, and a condition ends or begins on its other side;
* a list behind IN in these clauses, if it holds nothing but literals; all of them are one placeholder;
* the number of LIMIT, OFFSET, FETCH and TOP;
* a cell of INSERT … VALUES, if all rows have a literal there; rows of nothing but literals that follow each other are one.

Everything else is kept as it was written, layout and all, because lineage shows expressions in the script's own words. So a bracket
that holds arguments, a select item or a type is one lump, with the subqueries in it. Only next to the words, commas and brackets that
hold a query together do blanks, comments and case not matter.

It is one pass over the tokens that can mean something, the *marks*; a stack remembers the clause around each bracket of a query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.fingerprint_words import (
    BEFORE_ITEM,
    BEFORE_MADE,
    BEFORE_OPERAND,
    BEFORE_SUBQUERY,
    BEGINS_ITEM,
    BEHIND_COUNT,
    BLANKS,
    CHANGES,
    CLOSING,
    COMPARISONS,
    CONDITIONS,
    COUNTS,
    ENDS,
    HEADS,
    LITERALS,
    OPENING,
    OPERATORS,
    QUERIES,
    REST,
    SET_OPERATIONS,
    SIGNS,
)
from headwater.sql.inserted_rows import canonical_rows, rows_from

LITERAL = "◊"
"""Stands for a literal, or for all literals of a list."""

_START, _WITH, _LIST, _OTHER, _FROM, _JOIN, _ON, _WHERE = range(8)
"""The clauses: a query is still to come; a WITH list; a select list; all the rest; FROM; a join in it, whose condition may come; that
condition; any other."""
_DUE, _GIVEN, _UNCLEAR = range(3)
"""What a condition has before its next comparison: nothing yet, one operand, or more than is understood."""

_T = TokenType


def fingerprint(tokens: Sequence[Token], raw: str) -> str:
    """The canonical text of a statement: two statements of one dialect with the same text have the same lineage.

    *raw* is the script that the tokens' offsets count in. What may differ: places, the text's hash, the constants of inserted rows, and
    the words in which the complete model shows a function or variable of a condition. Literals that stay are those of the script,
    secrets too: the text is to be compared, not to be kept or shown.
    """
    if not tokens:
        return ""
    written = raw[tokens[0].start : tokens[-1].end + 1]
    if LITERAL in written:
        return LITERAL + written
    if "{" in written and ("{%" in written or "{{" in written or "{#" in written):
        return written
    clause = _first_clause(tokens)
    walked = _Walk(tokens, raw, clause, "{" in written).canonical() if clause is not None else ""
    return walked or _spaced(raw, tokens, 0, len(tokens))


_QUOTES_AND_COMMENTS = ("'", '"', "`", "--", "/*", "#", "$")


def _spaced(raw: str, tokens: Sequence[Token], start: int, end: int) -> str:
    """The text of tokens with single blanks between, whatever stood there; inside of literals and names nothing changes."""
    text = raw[tokens[start].start : tokens[end - 1].end + 1]
    if any(map(text.__contains__, _QUOTES_AND_COMMENTS)):
        return " ".join([raw[token.start : token.end + 1] for token in tokens[start:end]])
    return " ".join(text.split())


def _first_clause(tokens: Sequence[Token]) -> int | None:
    """The clause that a statement begins in; None for statements of which everything is kept."""
    kind = tokens[0].token_type
    following = tokens[1].token_type if len(tokens) > 1 else None
    if kind in CHANGES:
        return _FROM
    if kind in (_T.SELECT, _T.WITH, _T.FROM, _T.INSERT, _T.L_PAREN):
        return _START
    if kind is _T.REPLACE:
        return _START if following in (_T.INTO, _T.VIEW) else None
    return _START if kind is _T.CREATE and _makes_rows(tokens) else None


def _makes_rows(tokens: Sequence[Token]) -> bool:
    """Whether a CREATE makes a table or a view: a function's body is for others to look into, with all its literals."""
    for i in range(1, len(tokens) - 1):
        if tokens[i].token_type in (_T.TABLE, _T.VIEW):
            return tokens[i + 1].token_type is not _T.FUNCTION
        if tokens[i].text.upper() not in BEFORE_MADE:
            return False
    return False


_Frame = tuple[int, int, int, int, int]
"""What is to be remembered around a bracket: clause, fresh, checked, operand and between of the walk."""


class _Walk:
    """One pass over a statement.

    In a condition, `fresh` is the token behind the last word that begins a comparison, `operand` says what was found from there up to
    the token `checked`, and `between` waits for the AND of a BETWEEN. `run` is the first token that was not written yet.
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
        self.marks = [i for i, kind in enumerate(self.kinds) if kind in _ACTIONS]
        self.kinds += [_T.SEMICOLON] * 4
        self.inserts = self.kinds[0] is _T.REPLACE or self._inserts(0)
        self.clause = clause
        self.fresh = self.checked = self.at = self.run = 0
        self.operand = self.between = _DUE
        self.broken = False
        self.stack: list[_Frame] = []
        self.parts: list[str] = []
        if self.kinds[0] in HEADS:
            self._write(0)

    def canonical(self) -> str:
        """The statement's text; nothing if its brackets do not fit."""
        marks, kinds, count = self.marks, self.kinds, len(self.marks)
        while self.at < count:
            mark = marks[self.at]
            self.at += 1
            _ACTIONS[kinds[mark]](self, mark)
        if self.broken or self.stack:
            return ""
        self._flush(len(self.tokens))
        return " ".join(self.parts)

    # Writing.

    def _flush(self, i: int) -> None:
        """Write everything before a token as it stands in the script."""
        if self.run < i:
            self.parts.append(_spaced(self.raw, self.tokens, self.run, i))

    def _write(self, i: int) -> None:
        """Write a word or sign of the query's own; what is around it does not matter."""
        parts, tokens, run = self.parts, self.tokens, self.run
        if run < i:
            parts.append(_spaced(self.raw, tokens, run, i))
        parts.append(tokens[i].text.upper())
        self.run = i + 1

    def _replace(self, start: int, end: int) -> None:
        """Write a placeholder for the tokens between two."""
        self._flush(start)
        self.parts.append(LITERAL)
        self.run = end

    # Looking.

    def _literal(self, i: int) -> int:
        """The token behind the literal that begins at a token, with its sign; 0 if none does."""
        kind = self.kinds[i]
        if kind in SIGNS:
            return i + 2 if self.kinds[i + 1] is _T.NUMBER else 0
        if kind not in LITERALS or (self.braces and "{" in self.tokens[i].text):
            return 0
        return i + 1

    def _is_name(self, i: int) -> bool:
        """Whether a word is a name here: behind a dot or AS, or before a dot."""
        before = self.kinds[i - 1] if i else None
        if before is _T.DOT or self.kinds[i + 1] is _T.DOT:
            return True
        return before is _T.ALIAS and self.clause > _WITH

    def _inserts(self, i: int) -> bool:
        """Whether the rows behind VALUES are inserted as they are: not so by INSERT ALL."""
        return self.kinds[i] is _T.INSERT and self.kinds[i + 1] not in (_T.ALL, _T.FIRST)

    def _check(self, i: int) -> int:
        """What the condition has up to a token, which nobody has looked at since the last check."""
        operand = self.operand
        for kind in self.kinds[self.checked : i]:
            if kind in OPERATORS:
                operand = _DUE if operand == _GIVEN else operand
            elif kind not in BLANKS:
                operand = _GIVEN if operand == _DUE else _UNCLEAR
        self.operand = operand
        self.checked = i
        return operand

    # Clauses.

    def _begin(self, i: int, clause: int) -> None:
        """A clause begins behind a word."""
        self._write(i)
        self.clause = clause
        self.fresh = self.checked = i + 1
        self.operand = self.between = _DUE

    def _renew(self, i: int) -> None:
        """A comparison may begin at a token."""
        self.fresh = self.checked = i
        self.operand = _DUE

    def select(self, i: int) -> None:
        """A select list begins."""
        if not self._is_name(i):
            self._begin(i, _LIST)

    def word(self, i: int) -> None:
        """A word of the query that begins no clause."""
        if not self._is_name(i):
            self._write(i)

    def with_(self, i: int) -> None:
        """A WITH list begins, if a query is due: otherwise the word has one of its many other meanings."""
        if self.clause == _START:
            self._begin(i, _WITH)

    def from_(self, i: int) -> None:
        """FROM, but for that of `a IS DISTINCT FROM b`; a query that begins with it does so at once."""
        before = self.kinds[i - 1] if i else _T.L_PAREN
        if self._is_name(i) or (self.clause >= _ON and before is _T.DISTINCT):
            return
        if self.clause > _WITH or before in (_T.L_PAREN, _T.R_PAREN, _T.ALIAS):
            self._begin(i, _FROM)

    def join(self, i: int) -> None:
        """JOIN, or the USING of a MERGE; it ends the condition of the join before it."""
        if self.clause > _WITH and not self._is_name(i):
            self._begin(i, _JOIN)

    def on(self, i: int) -> None:
        """The condition of a join; anything that begins with ON elsewhere is left alone."""
        if self.clause <= _WITH or self._is_name(i):
            return
        following = self.tokens[i + 1].text.upper() if i + 1 < len(self.tokens) else ""
        joins = self.clause in (_JOIN, _ON) and following not in ("DUPLICATE", "CONFLICT")
        self._begin(i, _ON if joins else _OTHER)

    def condition(self, i: int) -> None:
        """WHERE, HAVING, QUALIFY; but not those of a table's options."""
        if self.clause > _WITH and not self._is_name(i):
            self._begin(i, _WHERE)

    def rest(self, i: int) -> None:
        """A clause in which everything is kept."""
        assigned = self.clause == _START and self.inserts and self.kinds[i] is _T.SET
        if (self.clause > _WITH or assigned) and not self._is_name(i):
            self._begin(i, _OTHER)

    def set_operation(self, i: int) -> None:
        """UNION and its like; but not the EXCEPT of `* EXCEPT (a)`."""
        behind = self.kinds[i + 1 + (self.kinds[i + 1] is _T.L_PAREN)]
        if behind in QUERIES or behind in (_T.ALL, _T.DISTINCT, _T.L_PAREN):
            self._begin(i, _START)

    def change(self, i: int) -> None:
        """UPDATE, DELETE, MERGE: behind WITH, the statement."""
        if self.clause == _WITH:
            self._begin(i, _FROM)

    def insert(self, i: int) -> None:
        """INSERT: behind WITH, the statement."""
        if self.clause == _WITH:
            self._begin(i, _START)
            self.inserts = self._inserts(i)

    # Brackets and commas.

    def comma(self, i: int) -> None:
        """A comma of the query itself."""
        self._write(i)
        if self.clause == _ON or self.clause == _JOIN:
            self.clause = _FROM
        elif self.clause == _WHERE:
            self.operand = _UNCLEAR
            self.checked = i + 1

    def lump(self, i: int) -> None:
        """A bracket whose inside is kept as it is: square and curly ones, CASE."""
        if self.kinds[i] is not _T.CASE or not self._is_name(i):
            self._skip(i)

    def bracket(self, i: int) -> None:
        """A round bracket: part of the query, or a lump of arguments and the like."""
        clause = self._clause_inside(i)
        if clause is None:
            self._skip(i)
            return
        if self.clause >= _ON:
            self._check(i)
        self.stack.append((self.clause, self.fresh, self.checked, self.operand, self.between))
        self._begin(i, clause)

    def _clause_inside(self, i: int) -> int | None:
        """The clause that a bracket of the query begins with; None for any other bracket."""
        clause, behind = self.clause, self.kinds[i + 1]
        before = self.kinds[i - 1] if i else _T.L_PAREN
        if clause in (_LIST, _OTHER):
            return None
        if clause == _START:
            return _START if behind in (_T.SELECT, _T.WITH) or before in (_T.L_PAREN, _T.ALIAS) else None
        if clause == _WITH:
            return _START if self._is_cte(i) else None
        if clause <= _JOIN:
            inside = _START if behind in QUERIES else _FROM
            return inside if before in BEFORE_ITEM and behind in BEGINS_ITEM else None
        if behind in QUERIES:
            return _START if before in BEFORE_SUBQUERY else None
        return _WHERE if before in BEFORE_OPERAND else None

    def _is_cte(self, i: int) -> bool:
        """Whether a bracket holds a query of a WITH list, or the query behind it."""
        if self.kinds[i + 1] not in QUERIES and self.kinds[i + 1] is not _T.L_PAREN:
            return False
        before = self.tokens[i - 1]
        return before.token_type in (_T.ALIAS, _T.R_PAREN) or before.text.upper() == "MATERIALIZED"

    def close(self, i: int) -> None:
        """The end of a bracket of the query."""
        if self.kinds[i] is not _T.R_PAREN:
            self.broken = self.broken or self.kinds[i] is not _T.END
            return
        if not self.stack:
            self.broken = True
            self.at = len(self.marks)
            return
        self._write(i)
        self.clause, self.fresh, self.checked, self.operand, self.between = self.stack.pop()
        if self.clause == _START:
            self.clause = _OTHER
        self._pass(i)

    def _skip(self, i: int) -> None:
        """Pass by a lump, whatever is in it."""
        if self.clause >= _ON:
            self._check(i)
        marks, kinds, at, count = self.marks, self.kinds, self.at, len(self.marks)
        depth = 1
        while depth and at < count:
            i = marks[at]
            kind = kinds[i]
            if kind in OPENING:
                depth += kind is not _T.CASE or kinds[i - 1] is not _T.DOT
            elif kind in CLOSING:
                depth -= kind is not _T.END or kinds[i - 1] is not _T.DOT
            at += 1
        self.at = at
        self.broken = self.broken or depth > 0
        self._pass(i)

    def _pass(self, i: int) -> None:
        """A bracket that ends at a token is an operand, or the end of one."""
        self.checked = i + 1
        if self.operand == _DUE:
            self.operand = _GIVEN

    # Conditions.

    def connective(self, i: int) -> None:
        """AND, OR; the AND of a BETWEEN has the second bound behind it."""
        if self.clause < _ON:
            return
        self._write(i)
        if self.between and self.kinds[i] is _T.AND:
            if self.between == _GIVEN:
                self._right(i)
            self.between = _DUE
            self.operand = _UNCLEAR
        else:
            self._renew(i + 1)

    def comparison(self, i: int) -> None:
        """A comparison, with a literal on its left or right."""
        if self.clause < _ON:
            return
        fresh = self.checked == self.fresh
        if fresh and i > self.fresh and self.operand == _DUE and self._literal(self.fresh) == i:
            self._replace(self.fresh, i)
        clear = self._check(i) == _GIVEN
        self._write(i)
        if clear:
            self._right(i)
        self.operand = _UNCLEAR
        self.checked = i + 1

    def _right(self, i: int) -> None:
        """Replace the literal that is all there is behind an operator."""
        end = self._literal(i + 1)
        if end and self.kinds[end] in ENDS:
            self._replace(i + 1, end)

    def between_(self, i: int) -> None:
        """BETWEEN, with its first bound."""
        if self.clause < _ON:
            return
        self.between = _GIVEN if self._check(i) == _GIVEN else _UNCLEAR
        self._write(i)
        end = self._literal(i + 1)
        if end and self.between == _GIVEN and self.kinds[end] is _T.AND:
            self._replace(i + 1, end)
        self.operand = _UNCLEAR
        self.checked = i + 1

    def in_(self, i: int) -> None:
        """IN, with a list of literals or something else."""
        if self.clause < _ON:
            return
        clear = self._check(i) == _GIVEN
        self._write(i)
        end = self._list_end(i + 1) if clear else 0
        if end:
            self._write(i + 1)
            self._replace(i + 2, end)
            self._write(end)
            self._go_behind(end)
        self.operand = _UNCLEAR
        self.checked = end + 1 if end else i + 1

    def _list_end(self, i: int) -> int:
        """The bracket that closes a list of literals; 0 if there is something else."""
        if self.kinds[i] is not _T.L_PAREN:
            return 0
        while True:
            i = self._literal(i + 1)
            if not i or self.kinds[i] is not _T.COMMA:
                return i if i and self.kinds[i] is _T.R_PAREN else 0

    # Numbers of rows, and rows.

    def count(self, i: int) -> None:
        """LIMIT 10, LIMIT 5, 10, OFFSET 5 ROWS, FETCH FIRST 10 ROWS."""
        before = self.kinds[i - 1] if i else None
        if self.clause <= _WITH or self._is_name(i) or before is _T.WITH:
            return
        self._begin(i, _OTHER)
        number = i + 1 + (self.kinds[i] is _T.FETCH and self.kinds[i + 1] in (_T.FIRST, _T.NEXT))
        if self.kinds[number] is not _T.NUMBER or self.kinds[number + 1] not in BEHIND_COUNT:
            return
        if self.kinds[number + 1] is not _T.COMMA:
            self._replace(number, number + 1)
        elif self.kinds[number + 2] is _T.NUMBER and self.kinds[number + 3] in ENDS:
            self._replace(number, number + 1)
            self._write(number + 1)
            self._replace(number + 2, number + 3)
            self.at += 1

    def top(self, i: int) -> None:
        """SELECT TOP 10, TOP (10)."""
        if self.kinds[i - 1] not in (_T.SELECT, _T.DISTINCT, _T.ALL):
            return
        bracket = int(self.kinds[i + 1] is _T.L_PAREN and self.kinds[i + 3] is _T.R_PAREN)
        if self.kinds[i + 1 + bracket] is _T.NUMBER:
            self._replace(i + 1 + bracket, i + 2 + bracket)

    def values(self, i: int) -> None:
        """The rows of INSERT … VALUES, if that is all: what to do with rows in conflict is shown in terms of the cells."""
        if not self.inserts or self.clause != _START or self.stack or self.kinds[i + 1] is not _T.L_PAREN:
            return
        self.clause = _OTHER
        rows = rows_from(self.kinds, i + 1, self._literal)
        end = rows[-1][-1][1] if rows else 0
        if not rows or (end + 1 < len(self.tokens) and self.kinds[end + 1] is not _T.RETURNING):
            return
        self._write(i)
        self.parts.extend(canonical_rows(rows, self._text, LITERAL))
        self.run = end + 1
        self._go_behind(end)

    def _text(self, start: int, end: int) -> str:
        """The tokens between two as they stand in the script."""
        return _spaced(self.raw, self.tokens, start, end) if start < end else ""

    def _go_behind(self, i: int) -> None:
        """Let the marks up to a token be: they were looked at together."""
        marks, at, count = self.marks, self.at, len(self.marks)
        while at < count and marks[at] <= i:
            at += 1
        self.at = at


_Action = Callable[[_Walk, int], None]


def _actions(*meanings: tuple[Iterable[TokenType], _Action]) -> dict[TokenType, _Action]:
    return {kind: action for kinds, action in meanings for kind in kinds}


_ACTIONS = _actions(
    (REST, _Walk.rest),
    (CONDITIONS, _Walk.condition),
    (SET_OPERATIONS, _Walk.set_operation),
    (CHANGES, _Walk.change),
    (COMPARISONS, _Walk.comparison),
    (COUNTS, _Walk.count),
    (OPENING, _Walk.lump),
    (CLOSING, _Walk.close),
    ([_T.L_PAREN], _Walk.bracket),
    ([_T.COMMA], _Walk.comma),
    ([_T.AND, _T.OR], _Walk.connective),
    ([_T.BETWEEN], _Walk.between_),
    ([_T.IN], _Walk.in_),
    ([_T.SELECT], _Walk.select),
    ([_T.WITH], _Walk.with_),
    ([_T.FROM], _Walk.from_),
    ([_T.JOIN, _T.USING], _Walk.join),
    ([_T.ON], _Walk.on),
    ([_T.ALIAS, _T.INTO], _Walk.word),
    ([_T.INSERT], _Walk.insert),
    ([_T.VALUES], _Walk.values),
    ([_T.TOP], _Walk.top),
)
"""What each mark means."""
