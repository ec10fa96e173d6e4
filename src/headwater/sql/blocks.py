"""Where a procedural block ends: bodies of procedures, functions, triggers and packages, and blocks without a name.

Semicolons inside a block end nothing. BEGIN and END are counted, and CASE with them; END IF, END LOOP and their like close what was never
counted. What begins a transaction is no block.

A block that is not closed before a line that begins another routine (see `routine_lines`) ends there; where blocks may create routines,
only if it is not closed behind that line either.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect
from headwater.sql.routine_lines import is_boundary
from headwater.sql.words import is_string, word

_ROUTINES = frozenset({"PROCEDURE", "PROC", "FUNCTION", "TRIGGER", "PACKAGE", "MACRO", "ALERT"})
_MAY_HOLD_BLOCK = frozenset({"TASK", "EVENT"})
_STEPS = frozenset({"CALL", "EXECUTE"})
"""What calls or executes is a step of a program, also where no block is around it."""
_RULE = "RULE"
"""PostgreSQL's rules: statements that a change of a table sets off, in brackets if there are several."""
_OTHER_OBJECTS = frozenset(
    {"TABLE", "VIEW", "INDEX", "SCHEMA", "DATABASE", "USER", "ROLE", "SEQUENCE", "STAGE", "STREAM", "MODEL"}
    | {"PARTITION", "AS", "ON", ";"}
)
_TRANSACTION = frozenset(
    {"TRAN", "TRANSACTION", "WORK", "DISTRIBUTED", "DIALOG", "CONVERSATION", "ISOLATION", "READ", "DEFERRED", "LOADING"}
    | {"IMMEDIATE", "EXCLUSIVE", "CONCURRENT", "EXPORT", "IMPORT", "MLOAD", "LOAD", ";"}
)
"""What follows a BEGIN that begins no block: of a transaction, or of a loader's job."""
_ENDS_OF_STATEMENTS = frozenset({"IF", "LOOP", "WHILE", "FOR", "REPEAT"})
_BLOCKS_WITHOUT_NAME = frozenset(
    {"oracle", "snowflake", "bigquery", "spark", "databricks", "teradata", "mysql", "db2", "ansi"}
)
_FARTHEST_KIND = 14
"""How many words may stand between CREATE and what is created: OR REPLACE, DEFINER = 'u'@'h', …"""


_BLOCK_AS_TEXT = re.compile(
    r"IMMEDIATE\s+\$\$\s*(?:(?:--[^\n]*|//[^\n]*|/\*.*?\*/)\s*)*(?:BEGIN|DECLARE)\b", re.IGNORECASE | re.DOTALL
)
_LONGEST_HEAD = 5_000
"""How many tokens a nested procedure's name and parameters may have."""
_MOST_NESTED = 50
"""How many routines a block may create at the outermost column: with more, its own END is missing."""


WITH_FUNCTIONS = "with"
"""A query that defines functions, or a set of statements that is explained: semicolons end nothing in it, and it is no program."""


class Block(NamedTuple):
    """A block: what it is the body of, the token with its name, and the token behind its end."""

    kind: str
    name: int | None
    end: int


def block_at(tokens: Sequence[Token], start: int, stop: int, dialect: Dialect) -> Block | None:
    """The block that begins with a token, if one does; it ends before *stop*."""
    if dialect.family == "oracle":
        start = _behind_labels(tokens, start, stop)
    first = word(tokens[start])
    if dialect.family == "exasol" and first == "CREATE" and _has_body_of_text(tokens, start, stop):
        return Block(WITH_FUNCTIONS, None, _end_of_text(tokens, start, stop, dialect))
    if first in ("CREATE", "REPLACE") or (first == "ALTER" and _alters_body(tokens, start, stop, dialect)):
        return _created(tokens, start, stop, dialect) or _with_functions(tokens, start, stop, dialect)
    if first == "DO" and dialect.family == "postgres":
        return (
            Block("block", None, _closing_semicolon(tokens, start, stop)) if _holds_text(tokens, start, stop) else None
        )
    if first == "EXECUTE" and dialect.family == "snowflake":
        return Block("block", None, start + 2) if _executes_block(tokens, start, stop) else None
    if first == "EXPLAIN" and _explains_set(tokens, start, stop, dialect):
        return Block(WITH_FUNCTIONS, None, _end_of_set(tokens, start, stop))
    if first in ("WITH", "INSERT", "MERGE", "SELECT"):
        return _with_functions(tokens, start, stop, dialect)
    if dialect.family not in _BLOCKS_WITHOUT_NAME:
        return None
    if _is_labelled(tokens, start, stop):
        return Block("block", None, _Scan(tokens, stop, dialect).end(start + 2))
    if first == "BEGIN" and not begins_transaction(tokens, start, stop):
        return Block("block", None, _Scan(tokens, stop, dialect).end(start))
    if first == "DECLARE" and dialect.declares_before_block:
        return Block("block", None, _Scan(tokens, stop, dialect, declares=True).end(start))
    return None


def _behind_labels(tokens: Sequence[Token], start: int, stop: int) -> int:
    """The token behind Oracle's labels, `<<main>>`, where something follows them."""
    while start + 5 < stop and word(tokens[start]) == "<" and word(tokens[start + 1]) == "<":
        start += 5
    return start


def _has_body_of_text(tokens: Sequence[Token], start: int, stop: int) -> bool:
    """Whether Exasol's `CREATE LUA SCALAR SCRIPT …` or `CREATE FUNCTION …` begins: up to a slash, or END, it is one statement."""
    head = [word(token) for token in tokens[start + 1 : min(start + 6, stop)]]
    kind = next((each for each in head if each in ("SCRIPT", "FUNCTION") or each in _OTHER_OBJECTS), "")
    return kind in ("SCRIPT", "FUNCTION")


def _end_of_text(tokens: Sequence[Token], start: int, stop: int, dialect: Dialect) -> int:
    is_script = any(word(token) == "SCRIPT" for token in tokens[start + 1 : min(start + 6, stop)])
    return stop if is_script else _Scan(tokens, stop, dialect, declares=True).end(start)


def _explains_set(tokens: Sequence[Token], start: int, stop: int, dialect: Dialect) -> bool:
    """Whether Flink's `EXPLAIN STATEMENT SET BEGIN …; …; END` begins: the tokeniser takes all up to a semicolon for one text."""
    if dialect.family != "flink" or start + 1 >= stop:
        return False
    return tokens[start + 1].text.upper().split()[:2] == ["STATEMENT", "SET"]


def _end_of_set(tokens: Sequence[Token], start: int, stop: int) -> int:
    """Behind the END that is a statement of its own."""
    for i in range(start + 1, stop):
        if word(tokens[i]) == "END" and tokens[i - 1].token_type is TokenType.SEMICOLON:
            return i + 1
    return stop


def _alters_body(tokens: Sequence[Token], start: int, stop: int, dialect: Dialect) -> bool:
    """Whether an ALTER may have a body: `ALTER PROCEDURE p AS …`, `ALTER TASK t MODIFY AS BEGIN … END`, `ALTER EVENT e DO CALL p()`."""
    return dialect.alters_routines or (start + 1 < stop and word(tokens[start + 1]) in _MAY_HOLD_BLOCK)


def _is_labelled(tokens: Sequence[Token], start: int, stop: int) -> bool:
    """Whether a block begins with its name: `main: BEGIN`."""
    return start + 3 < stop and tokens[start + 1].token_type is TokenType.COLON and word(tokens[start + 2]) == "BEGIN"


def _holds_text(tokens: Sequence[Token], start: int, stop: int) -> bool:
    """Whether a string follows a word: the body of `DO $$ … $$`."""
    return start + 1 < stop and is_string(tokens[start + 1])


def _executes_block(tokens: Sequence[Token], start: int, stop: int) -> bool:
    """Whether all that is executed is a block as one text: `EXECUTE IMMEDIATE $$ BEGIN … END $$`."""
    return _holds_text(tokens, start, stop) and _BLOCK_AS_TEXT.match(tokens[start + 1].text) is not None


def _closing_semicolon(tokens: Sequence[Token], start: int, stop: int) -> int:
    return next((i for i in range(start, stop) if tokens[i].token_type is TokenType.SEMICOLON), stop)


def may_hold_block(tokens: Sequence[Token], dialect: Dialect) -> bool:
    """Whether a statement, cut at its first semicolon, creates something with a body: all of that may be one block."""
    created = word(tokens[0]) in ("CREATE", "REPLACE") and _kind(tokens, 0, len(tokens)) is not None
    created = created or (dialect.family == "exasol" and _has_body_of_text(tokens, 0, len(tokens)))
    explains = word(tokens[0]) == "EXPLAIN" and _explains_set(tokens, 0, len(tokens), dialect)
    return created or explains or functions_at(tokens, 0, len(tokens), dialect) is not None


def _with_functions(tokens: Sequence[Token], start: int, stop: int, dialect: Dialect) -> Block | None:
    """A statement whose query has functions of its own, up to its semicolon."""
    functions = functions_at(tokens, start, stop, dialect)
    if functions is None:
        return None
    query = behind_functions(tokens, functions, stop, dialect)
    return Block(WITH_FUNCTIONS, None, _closing_semicolon(tokens, query, stop))


def functions_at(tokens: Sequence[Token], start: int, stop: int, dialect: Dialect) -> int | None:
    """Where a query's functions stand: Oracle's `WITH FUNCTION f (x NUMBER) RETURN NUMBER IS …; SELECT …`, Trino's without semicolon."""
    if dialect.family not in ("oracle", "trino"):
        return None
    for i in range(start, _closing_semicolon(tokens, start, stop) - 1):
        if tokens[i].token_type is TokenType.WITH and word(tokens[i + 1]) in ("FUNCTION", "PROCEDURE"):
            return i + 1
    return None


def behind_functions(tokens: Sequence[Token], start: int, stop: int, dialect: Dialect) -> int:
    """The token behind the functions that stand from a token on."""
    if dialect.family == "trino":
        return _query_behind(tokens, start, stop)
    while start < stop and word(tokens[start]) in ("FUNCTION", "PROCEDURE"):
        start = _Scan(tokens, stop, dialect, declares=True).end(start + 1) + 1
    return min(start, stop)


def _query_behind(tokens: Sequence[Token], start: int, stop: int) -> int:
    """Where the query behind Trino's functions begins: the first one outside of brackets and blocks."""
    depth = 0
    for i in range(start, stop):
        here, behind = word(tokens[i]), word(tokens[i + 1]) if i + 1 < stop else ""
        if depth == 0 and (here in ("SELECT", "VALUES", "TABLE") or (here == "WITH" and behind != "(")):
            return i
        if here in ("(", "BEGIN") or (here == "CASE" and word(tokens[i - 1]) != "END"):
            depth += 1
        elif here == ")" or (here == "END" and behind not in _ENDS_OF_STATEMENTS):
            depth -= 1
    return stop


def _created(tokens: Sequence[Token], start: int, stop: int, dialect: Dialect) -> Block | None:
    kind = _kind(tokens, start, stop)
    if kind is None or (word(tokens[kind]) == "MACRO" and dialect.family != "teradata"):
        return None
    what = word(tokens[kind])
    if kind + 1 < stop and word(tokens[kind + 1]) == "USING":
        return None  # Drill's `CREATE FUNCTION USING JAR 'x.jar'`
    if what == _RULE and not _is_trigger(tokens, kind, stop, dialect):
        return None
    name = _name(tokens, kind + 1, stop)
    if dialect.family == "tsql":
        return Block(_shown(what), name, _end_of_batch(tokens, kind, stop, dialect))
    is_body = kind + 1 < stop and word(tokens[kind + 1]) == "BODY"
    scan = _Scan(tokens, stop, dialect, package=what == "PACKAGE" or is_body)
    end = scan.end(kind + 1)
    if what in _MAY_HOLD_BLOCK and not scan.has_begun and not _calls(tokens, kind, end):
        return None
    return Block(_shown(what), name, end)


def _calls(tokens: Sequence[Token], kind: int, end: int) -> bool:
    """Whether a task or event is a single step of a program: `CREATE TASK t … AS CALL p(1)`, `CREATE EVENT e … DO CALL p(1)`."""
    return any(word(a) in ("AS", "DO") and word(b) in _STEPS for a, b in pairwise(tokens[kind:end]))


def _shown(kind: str) -> str:
    return "procedure" if kind == "PROC" else kind.lower()


def _kind(tokens: Sequence[Token], start: int, stop: int) -> int | None:
    """The word that says what a CREATE creates, if it is something with a body."""
    for i in range(start + 1, min(start + _FARTHEST_KIND, stop)):
        found = word(tokens[i])
        if found in _ROUTINES or found in _MAY_HOLD_BLOCK or found == _RULE:
            return i
        if found == "TYPE" and i + 1 < stop and word(tokens[i + 1]) == "BODY":
            return i
        if found in _OTHER_OBJECTS:
            return None
    return None


def _is_trigger(tokens: Sequence[Token], kind: int, stop: int, dialect: Dialect) -> bool:
    """Whether a rule acts on changes; one that acts on SELECT makes a view."""
    words = [word(token) for token in tokens[kind : min(kind + _FARTHEST_KIND, stop)]]
    return dialect.family == "postgres" and any(pair in _EVENTS for pair in pairwise(words))


_EVENTS = frozenset(("ON", event) for event in ("INSERT", "UPDATE", "DELETE"))


def _name(tokens: Sequence[Token], i: int, stop: int) -> int | None:
    """The last part of the name that begins at a token or behind BODY and IF NOT EXISTS."""
    while i < stop and word(tokens[i]) in ("BODY", "IF", "NOT", "EXISTS"):
        i += 1
    while i + 2 < stop and tokens[i + 1].token_type is TokenType.DOT:
        i += 2
    return i if i < stop and tokens[i].token_type is not TokenType.SEMICOLON else None


def begins_transaction(tokens: Sequence[Token], begin: int, stop: int, dialect: str = "") -> bool:
    """Whether a BEGIN begins a transaction, or a loader's job, and no block; T-SQL's `BEGIN;` begins a block."""
    following = word(tokens[begin + 1]) or "x" if begin + 1 < stop else ";"
    return following in _TRANSACTION and not (following == ";" and dialect == "tsql")


def _end_of_batch(tokens: Sequence[Token], kind: int, stop: int, dialect: Dialect) -> int:
    """T-SQL: a body goes on to the end of its batch, unless BEGIN … END or a bracket behind RETURN is all of it."""
    stop = next((i for i in range(kind, stop) if is_boundary(tokens[i])), stop)
    for i in range(kind, stop):
        if word(tokens[i]) == "AS" and i + 2 < stop:
            following = word(tokens[i + 1])
            opens = following == "BEGIN" and not begins_transaction(tokens, i + 1, stop, dialect.family)
            if opens and word(tokens[i + 2]) != "TRY":
                return _Scan(tokens, stop, dialect).end(i + 1)
            if following == "RETURN" and word(tokens[i + 2]) == "(":
                return _closing(tokens, i + 2, stop)
            if following == "RETURN":
                return _closing_semicolon(tokens, i, stop)
            if following in ("SET", "SELECT", "INSERT", "UPDATE", "DELETE", "DECLARE", "BEGIN", "EXEC", "IF", "WITH"):
                return stop
    return stop


def _closing(tokens: Sequence[Token], i: int, stop: int) -> int:
    """Behind the bracket that closes the one at a token."""
    depth = 0
    for j in range(i, stop):
        depth += (tokens[j].token_type is TokenType.L_PAREN) - (tokens[j].token_type is TokenType.R_PAREN)
        if depth == 0:
            return j + 1
    return stop


class _Scan:
    """Counts what is opened and closed, from the head of a routine to the end of its body."""

    def __init__(
        self, tokens: Sequence[Token], stop: int, dialect: Dialect, package: bool = False, declares: bool = False
    ) -> None:
        self.tokens = tokens
        self.stop = stop
        self.dialect = dialect.family
        self.nested_routines = dialect.nested_routines
        self.package = package
        self.declares = declares or package
        """Whether declarations, with semicolons of their own, stand before the body."""
        self.bodies = 0 if package else 1
        """Bodies that are still to come at the outermost level: of nested procedures, then the block's own."""
        self.opened: list[str] = []
        self.brackets = 0
        self.compound = False
        self.has_begun = False

    def end(self, start: int) -> int:
        """The token behind the block's last: its semicolon, as a rule."""
        boundaries: list[int] = []
        for i in range(start, self.stop):
            if is_boundary(self.tokens[i]):
                boundaries.append(i)
                if not self.nested_routines or not self.opened or len(boundaries) > _MOST_NESTED:
                    break
            elif self._ends_at(i):
                return self._behind(i)
        return boundaries[0] if boundaries else self.stop

    def _ends_at(self, i: int) -> bool:
        token = self.tokens[i]
        kind = token.token_type
        if kind is TokenType.L_PAREN or kind is TokenType.R_PAREN:
            self.brackets += 1 if kind is TokenType.L_PAREN else -1
            return False
        if kind is TokenType.SEMICOLON:
            return not self.opened and not self.declares and self.brackets <= 0
        found = word(token)
        if found == "END":
            return self._closes(i)
        if found == "BEGIN":
            self._begins(i)
        elif found == "CASE" and self._word(i - 1) != "END":
            self.opened.append("CASE")
        elif not self.opened:
            self._declares(i, found)
        return False

    def _word(self, i: int) -> str:
        return word(self.tokens[i]) if 0 <= i < self.stop else ""

    def _begins(self, i: int) -> None:
        if begins_transaction(self.tokens, i, self.stop, self.dialect):
            return
        first_of_package = self.package and not self.opened and self.bodies == 0 and not self.compound
        if not first_of_package:
            self.opened.append("BEGIN")
            self.has_begun = True

    def _closes(self, i: int) -> bool:
        """Whether the END at a token is the last one."""
        if self._word(i + 1) in _ENDS_OF_STATEMENTS:
            return False
        if not self.opened:
            return self.package
        closed = self.opened.pop()
        if self.opened or closed == "CASE":
            return False
        self.bodies -= 1
        return self.bodies <= 0 and not self.package

    def _declares(self, i: int, found: str) -> None:
        """What stands before the body: PL/SQL's declarations, among them procedures with bodies of their own."""
        if found == "DECLARE":
            self.declares = True
        elif found in ("IS", "AS") and self.dialect == "oracle":
            self.declares = self.declares or self._word(i + 1) not in ("LANGUAGE", "EXTERNAL", "")
        elif found == "COMPOUND":
            self.package = self.declares = self.compound = True
            self.bodies = 0
        elif found in ("PROCEDURE", "FUNCTION") and self.declares and self._has_body(i):
            self.bodies += 1

    def _has_body(self, i: int) -> bool:
        """Whether a nested procedure is more than announced: IS or AS comes before its semicolon."""
        for j in range(i, min(i + _LONGEST_HEAD, self.stop)):
            if self.tokens[j].token_type is TokenType.SEMICOLON:
                return False
            if self._word(j) in ("IS", "AS"):
                return self._word(j + 1) not in ("LANGUAGE", "EXTERNAL")
        return False

    def _behind(self, i: int) -> int:
        """The token behind the last one; a label or the routine's name may follow END."""
        if self.tokens[i].token_type is TokenType.SEMICOLON or self.dialect == "tsql":
            return i if self.tokens[i].token_type is TokenType.SEMICOLON else i + 1
        while i < self.stop and self.tokens[i].token_type is not TokenType.SEMICOLON:
            i += 1
        return i
