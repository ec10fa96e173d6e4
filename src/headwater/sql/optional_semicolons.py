"""T-SQL needs no semicolons: where a statement ends is told by the word that begins the next one.

A word begins a statement unless the words before it ask for it: `THEN UPDATE` in a MERGE, `FOR UPDATE`, `ON DELETE`, the SELECT of
an INSERT, the SET of an UPDATE. One look at each token, with the statement's own kind in mind.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.words import word

_ALWAYS = frozenset(
    {
        "DECLARE",
        "WHILE",
        "PRINT",
        "RAISERROR",
        "USE",
        "GRANT",
        "DENY",
        "REVOKE",
        "COMMIT",
        "ROLLBACK",
        "WAITFOR",
        "GOTO",
    }
    | {"BREAK", "CONTINUE", "OPEN", "CLOSE", "DEALLOCATE", "DBCC", "BACKUP", "RESTORE", "CHECKPOINT", "RECONFIGURE"}
    | {"KILL", "RETURN", "BEGIN", "SHUTDOWN", "UPDATE STATISTICS", "REVERT"}
)
"""Reserved words that do nothing else than begin a statement."""
_SOMETIMES = frozenset(
    {
        "SELECT",
        "WITH",
        "INSERT",
        "UPDATE",
        "DELETE",
        "MERGE",
        "CREATE",
        "ALTER",
        "DROP",
        "TRUNCATE",
        "SET",
        "IF",
        "EXEC",
    }
    | {"EXECUTE", "FETCH", "BULK", "THROW", "SAVE", "END", "ELSE"}
)
_TELLING = _ALWAYS | _SOMETIMES | {"CASE", "VALUES", "DEFAULT", "(", ")", ";", "", ":"}
"""All that has to be looked at twice."""
_OBJECTS = frozenset(
    {
        "TABLE",
        "VIEW",
        "PROCEDURE",
        "PROC",
        "FUNCTION",
        "TRIGGER",
        "INDEX",
        "DATABASE",
        "SCHEMA",
        "USER",
        "LOGIN",
        "ROLE",
    }
    | {"SYNONYM", "TYPE", "SEQUENCE", "STATISTICS"}
)
_NEVER_BEFORE = frozenset({",", ".", "=", "<", ">", "+", "-", "@", "("})
_PERMISSIONS = frozenset({"GRANT", "DENY", "REVOKE", "FOR"})
_MAIN_VERBS = frozenset({"SELECT", "INSERT", "UPDATE", "DELETE", "MERGE"})


def statement_end(tokens: Sequence[Token], start: int, stop: int) -> int:
    """The first token behind the statement that begins at a token: a semicolon, or the next statement's first."""
    statement = _Statement(tokens, start, stop)
    for i in range(start + 1, stop):
        if tokens[i].text.upper() not in _TELLING:
            continue
        if tokens[i].token_type is TokenType.COLON and _ends_label(tokens, start, i, stop):
            return i - 1
        if tokens[i].token_type is TokenType.SEMICOLON or statement.ends_before(i):
            return i
    return stop


def _ends_label(tokens: Sequence[Token], start: int, colon: int, stop: int) -> bool:
    """Whether a colon ends a label, `done:` alone on its line, that does not begin the statement."""
    alone = tokens[colon - 1].line > tokens[colon - 2].line and tokens[colon - 1].line == tokens[colon].line
    return colon - 1 > start and alone and (colon + 1 == stop or tokens[colon + 1].line > tokens[colon].line)


class _Statement:
    """A statement under way: its kind, and what it still asks for."""

    __slots__ = ("awaits_rows", "awaits_set", "cases", "depth", "kind", "stop", "tokens")

    def __init__(self, tokens: Sequence[Token], start: int, stop: int) -> None:
        self.tokens = tokens
        self.stop = stop
        self.depth = self.cases = 0
        self.kind = word(tokens[start])
        self.awaits_rows = self.awaits_set = False
        self._now(self.kind, start)

    def _now(self, kind: str, i: int) -> None:
        self.kind = kind
        self.awaits_rows = kind == "INSERT"
        self.awaits_set = kind == "UPDATE" and self._word(i + 1) != "STATISTICS"

    def _word(self, i: int) -> str:
        return word(self.tokens[i]) if i < self.stop else ""

    def ends_before(self, i: int) -> bool:
        """Whether a token begins the next statement."""
        kind = self.tokens[i].token_type
        if kind is TokenType.L_PAREN:
            self.depth += 1
        elif kind is TokenType.R_PAREN:
            self.depth -= 1
        elif self.depth <= 0:
            found = word(self.tokens[i])
            if found == "CASE":
                self.cases += 1
            elif self.cases:
                self.cases -= found == "END"
            elif found in ("VALUES", "DEFAULT"):
                self.awaits_rows = False
            elif found in _ALWAYS:
                return self._word(i - 1) not in _NEVER_BEFORE
            elif found in _SOMETIMES and self._word(i - 1) not in _NEVER_BEFORE:
                return self._begins(found, i)
        return False

    def _begins(self, found: str, i: int) -> bool:
        before, behind = self._word(i - 1), self._word(i + 1)
        if found == "ALTER" and before == "OR":
            return False
        if self.kind in ("GRANT", "DENY", "REVOKE") and before in _PERMISSIONS:
            return False
        if self.kind == "WITH" and found in _MAIN_VERBS:
            self._now(found, i)
            return False
        rule = _RULES.get(found)
        return rule is None or rule(self, before, behind, i)

    def select(self, before: str, behind: str, i: int) -> bool:
        """A query's own SELECT, unless something asks for a query."""
        if self.awaits_rows:
            self.awaits_rows = False
            return False
        return before not in ("UNION", "ALL", "EXCEPT", "INTERSECT", "AS", "FOR")

    def with_(self, before: str, behind: str, i: int) -> bool:
        """`WITH c AS (`, `WITH c (a) AS (`; hints and options are no CTEs."""
        if self.awaits_rows or before in ("AS", "FOR"):
            self.awaits_rows = True
            return False
        if behind == "XMLNAMESPACES":
            return True
        j = i + 2
        if self._word(j) == "(":
            while j < self.stop and self._word(j) != ")":
                j += 1
            j += 1
        return behind != "(" and self._word(j) == "AS" and self._word(j + 1) == "("

    def change(self, before: str, behind: str, i: int) -> bool:
        """INSERT, UPDATE, DELETE; not a MERGE's branch, a trigger's event, a key's action."""
        if before == "ON":
            return self.kind == "SET"
        if before == "IF":
            return behind != "("
        return before not in ("THEN", "FOR", "AFTER", "OF", "BULK", "NOT", "AND", "OR")

    def set_(self, before: str, behind: str, i: int) -> bool:
        """SET of a variable or an option; not of an UPDATE."""
        if self.awaits_set:
            self.awaits_set = False
            return False
        if self.kind == "ALTER":
            return behind in ("@", "NOCOUNT") or behind.startswith("@")
        return before not in ("UPDATE", "DELETE")

    def object_(self, before: str, behind: str, i: int) -> bool:
        """CREATE, ALTER, DROP of an object; not of a part of the one that is being altered."""
        return self.kind != "ALTER" or behind in _OBJECTS or (behind == "OR" and self._word(i + 2) == "ALTER")

    def execute(self, before: str, behind: str, i: int) -> bool:
        """EXEC; not the rows of an INSERT, nor EXECUTE AS of something created."""
        if self.awaits_rows:
            self.awaits_rows = False
            return False
        return before != "WITH"

    def first_on_line(self, before: str, behind: str, i: int) -> bool:
        """A word that is not reserved begins a statement only on a new line."""
        return self.tokens[i].line > self.tokens[i - 1].line


_RULES: dict[str, Callable[[_Statement, str, str, int], bool]] = {
    "SELECT": _Statement.select,
    "WITH": _Statement.with_,
    "INSERT": _Statement.change,
    "UPDATE": _Statement.change,
    "DELETE": _Statement.change,
    "SET": _Statement.set_,
    "CREATE": _Statement.object_,
    "ALTER": _Statement.object_,
    "DROP": _Statement.object_,
    "EXEC": _Statement.execute,
    "EXECUTE": _Statement.execute,
    "THROW": _Statement.first_on_line,
    "IF": lambda statement, before, behind, i: before not in _OBJECTS | {"COLUMN", "CONSTRAINT"},
    "MERGE": lambda statement, before, behind, i: behind != "JOIN",
    "TRUNCATE": lambda statement, before, behind, i: behind == "TABLE",
    "FETCH": lambda statement, before, behind, i: before not in ("ROWS", "ROW", "OFFSET"),
    "BULK": lambda statement, before, behind, i: behind == "INSERT",
    "SAVE": lambda statement, before, behind, i: behind in ("TRAN", "TRANSACTION"),
}
