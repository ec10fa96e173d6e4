"""`Macros`: SQLMesh's `@` forms in SQL, written out: variables, `@{x}`, `@DEF`, functions on lists, and SQLMesh's own macros.

    @DEF(rate, 0.2)
    SELECT @EACH(['a', 'b'], x -> SUM(@x) AS total_@x), price * @rate AS tax FROM t WHERE ds = @start_ds
    SELECT SUM(a) AS total_a, SUM(b) AS total_b, price * 0.2 AS tax FROM t WHERE ds = '1970-01-01'

Texts are taken for what they are, without parsing them. What a run decides (`@start_ds`) is a constant. A macro that nobody knows, such as
one in Python, becomes the call of an unknown function with the same arguments, and is noticed.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from headwater.project.sqlmesh.truth import truth
from headwater.project.sqlmesh.words import Word, bare, closing, joined, split, unquoted, words

MAX_SQL = 1_000_000
"""How much text the macros of one model may read and make, in characters."""
_MAX_DEPTH = 40
_TIMES = {
    "ds": "'1970-01-01'",
    "date": "CAST('1970-01-01' AS DATE)",
    "dt": "CAST('1970-01-01 00:00:00' AS TIMESTAMP)",
    "dtntz": "CAST('1970-01-01 00:00:00' AS TIMESTAMP)",
    "ts": "'1970-01-01 00:00:00'",
    "tstz": "'1970-01-01 00:00:00+00:00'",
    "epoch": "0",
    "millis": "0",
    "hour": "0",
}
RUN = {f"{moment}_{unit}": sql for moment in ("start", "end", "execution", "latest") for unit, sql in _TIMES.items()}
"""Variables that each run gives other values."""
_CLAUSES = {
    "where": "WHERE",
    "having": "HAVING",
    "with": "WITH",
    "group_by": "GROUP BY",
    "order_by": "ORDER BY",
    "limit": "LIMIT",
}
_NAMES_FOLLOW = frozenset({"FROM", "JOIN", "INTO", "TABLE", "VIEW", "AS", "UPDATE"})
_OWN_SIGNS = frozenset({"tsql", "mysql", "snowflake", "bigquery"})
"""Dialects in which `@x` also means something of their own."""

Made = str | list[str]
"""What a macro gives: a text, or the texts of a list."""
Macro = Callable[["Macros", "Arguments"], Made]


class MacroProblem(ValueError):
    """A macro that cannot be written out."""


@dataclass(frozen=True, slots=True)
class Arguments:
    """What a macro is given, as it is written."""

    placed: tuple[str, ...]
    named: Mapping[str, str] = field(default_factory=dict)

    def get(self, number: int, name: str = "", default: str = "") -> str:
        """An argument by its place or its name."""
        return self.named.get(name) or (self.placed[number] if number < len(self.placed) else default)


@dataclass(slots=True)
class Noticed:
    """What the macros of a model leave unknown."""

    macros: dict[str, None] = field(default_factory=dict)
    variables: dict[str, None] = field(default_factory=dict)
    conditions: dict[str, None] = field(default_factory=dict)


class Macros:
    """Writes out the macros of one model."""

    def __init__(
        self,
        dialect: str,
        variables: Mapping[str, str],
        own: Mapping[str, Macro],
        columns: Callable[[str], Mapping[str, str]] = lambda table: {},
    ) -> None:
        """*variables* are SQL by name in lower case; *own* are SQLMesh's macros; *columns* knows those of tables."""
        self.dialect = dialect
        self.noticed = Noticed()
        self.columns = columns
        self._variables = {**RUN, **variables}
        self._lambdas: dict[str, tuple[list[str], str]] = {}
        self._own = own
        self._written = self._depth = 0

    def define(self, statement: str) -> bool:
        """Take a statement for `@DEF(name, value)`, if it is one."""
        found = words(statement, self.dialect)
        real = bare(found)
        if not real or real[0].text.upper() != "@DEF":
            return False
        start = found.index(real[1]) if len(real) > 1 else 0
        end = closing(found, start)
        arguments = list(split(found[start + 1 : end])) if end is not None else []
        if len(arguments) < 2:
            raise MacroProblem("@DEF takes a name and a value")
        value = "".join(
            joined(piece) if not number else f", {joined(piece)}" for number, piece in enumerate(arguments[1:])
        )
        name = unquoted(joined(arguments[0])).lower()
        parameters, body = _lambda(value, self.dialect)
        if parameters:
            self._lambdas[name] = parameters, body
        else:
            self._variables[name] = _whole(self.written(value), self.dialect)
        return True

    def written(self, text: str) -> str:
        """A text with its macros written out."""
        if "@" not in text and "{#" not in text:
            return text
        self._deeper()
        try:
            return self._written_out(self._words(text))
        finally:
            self._depth -= 1

    def _deeper(self) -> None:
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise MacroProblem("macros are nested too deeply")

    def charge(self, size: int) -> None:
        """Count text that is about to be made or read."""
        self._written += size
        if self._written > MAX_SQL:
            raise MacroProblem("macros make too much text")

    def _words(self, text: str) -> list[Word]:
        self.charge(len(text))
        return words(text, self.dialect)

    def _written_out(self, found: Sequence[Word]) -> str:
        made: list[str] = []
        at = 0
        while at < len(found):
            word = found[at]
            if word.kind == "macro":
                piece, at = self._macro(found, at, made)
            elif word.kind == "braced":
                piece, at = self._braced(word), at + 1
            elif word.kind == "string" and word.text.startswith("@"):
                piece, at = self._string(word.text[1:]), at + 1
            elif word.kind == "comment" and word.text.startswith("{#"):
                piece, at = re.sub(r"[^\n]", " ", word.text), at + 1
            else:
                piece, at = word.text, at + 1
            self.charge(len(piece))
            made.append(piece)
        return "".join(made)

    def _braced(self, word: Word) -> str:
        name = word.text[2:-1].strip()
        value = self._variables.get(name.lower())
        return self._missing(name) if value is None else unquoted(value)

    def _string(self, text: str) -> str:
        """`@'text @x'`: a string with variables in it."""

        def value(match: re.Match[str]) -> str:
            name = match[1] or match[2]
            found = self._variables.get(name.lower())
            self.charge(len(found or ""))
            return match[0] if found is None else unquoted(found)

        return re.sub(r"@\{\s*(\w+)\s*\}|@(\w+)", value, text)

    def _macro(self, found: Sequence[Word], at: int, before: list[str]) -> tuple[str, int]:
        """What `@x` or `@x(…)` gives, and the number of the word behind it."""
        name = found[at].text[1:]
        behind = found[at + 1] if at + 1 < len(found) else None
        if before and before[-1].endswith("@"):
            return found[at].text, at + 1
        if behind is not None and behind.text == "(":
            end = closing(found, at + 1)
            if end is None:
                raise MacroProblem(f"the brackets of @{name} are not closed")
            if name.lower() in _CLAUSES:
                return self._clause(name.lower(), joined(found[at + 2 : end]), found, end)
            if name.lower() == "join":
                condition = truth(self.written(joined(found[at + 2 : end])))
                return ("" if condition is False else "JOIN"), end + 1
            return self._as_text(self.call(name, self._arguments(found[at + 2 : end]))), end + 1
        value = self._variables.get(name.lower())
        if value is None:
            return self._unset(name), at + 1
        follows = behind is not None and (behind.text == "." or behind.kind in ("word", "braced", "macro"))
        return _fitting(value, before, is_name=follows and behind is not None and behind.text == "."), at + 1

    def _clause(self, name: str, condition: str, found: Sequence[Word], end: int) -> tuple[str, int]:
        """`@WHERE(condition) text`: the clause, or nothing of it where the condition fails."""
        if truth(self.written(condition)) is not False:
            return _CLAUSES[name], end + 1
        at = end + 1
        nested = 0
        while at < len(found):
            word = found[at]
            nested += (word.text == "(") - (word.text == ")")
            if nested < 0 or (not nested and (word.kind == "macro" or word.text.upper() in _CLAUSE_WORDS)):
                break
            at += 1
        return "", at

    def _arguments(self, found: Sequence[Word]) -> Arguments:
        placed: list[str] = []
        named: dict[str, str] = {}
        for piece in split(found):
            real = bare(piece)
            if len(real) > 2 and real[0].kind == "word" and real[1].text in (":=", "=>"):
                named[real[0].text.lower()] = joined([word for word in piece if word.start >= real[1].end])
            else:
                placed.append(joined(piece))
        return Arguments(tuple(placed), named)

    def call(self, name: str, given: Arguments) -> Made:
        """What a macro gives."""
        self._deeper()
        try:
            made = self._called(name, given)
            self.charge(len(made) if isinstance(made, str) else sum(map(len, made)))
            return made
        finally:
            self._depth -= 1

    def _called(self, name: str, given: Arguments) -> Made:
        if name.lower() in self._lambdas:
            parameters, body = self._lambdas[name.lower()]
            return self.written(self._bound(parameters, list(given.placed), body))
        macro = self._own.get(name.lower())
        if macro is not None:
            return macro(self, given)
        self.noticed.macros[name.lower()] = None
        every = (*given.placed, *given.named.values())
        return f"{name}({', '.join(self.written(each) for each in every)})"

    @staticmethod
    def _as_text(made: Made) -> str:
        return made if isinstance(made, str) else ", ".join(made)

    def items(self, text: str) -> list[str]:
        """The items of a list: `[a, b]`, `(a, b)`, `@EACH(…)`, a variable, or one alone."""
        found = bare(self._words(text))
        if not found:
            return []
        if found[0].kind == "macro":
            name = found[0].text[1:]
            if len(found) > 1 and found[1].text == "(" and closing(found, 1) == len(found) - 1:
                every = self._words(text)
                inside = every[every.index(found[1]) + 1 : every.index(found[-1])]
                made = self.call(name, self._arguments(inside))
                return [made] if isinstance(made, str) else made
            if len(found) == 1 and name.lower() in self._variables:
                return self.items(self._variables[name.lower()])
        opening = 1 if found[0].text.upper() == "ARRAY" and len(found) > 1 else 0
        if found[opening].text in ("(", "[") and closing(found, opening) == len(found) - 1:
            every = self._words(text)
            inside = every[every.index(found[opening]) + 1 : every.index(found[-1])]
            pieces = [joined(piece) for piece in split(inside)]
            return [each for piece in pieces for each in (self.items(piece) if piece.startswith("@") else [piece])]
        return [self.written(text)]

    def applied(self, function: str, *given: str) -> str:
        """What `x -> …` gives for some texts."""
        parameters, body = _lambda(function, self.dialect)
        if not parameters:
            return self.written(function)
        if len(parameters) > 1 and len(given) == 1:
            given = tuple(self.items(given[0]))
        return self.written(self._bound(parameters, list(given), body))

    def _bound(self, parameters: Sequence[str], given: Sequence[str], body: str) -> str:
        """The body of a lambda with texts in the place of its parameters."""
        values = dict(zip((name.lower() for name in parameters), given, strict=False))

        def value_in_string(match: re.Match[str]) -> str:
            value = values.get(match[1].lower(), match[0])
            self.charge(len(value))
            return unquoted(value)

        made: list[str] = []
        found = self._words(body)
        for number, word in enumerate(found):
            name = word.text.lstrip("@").strip("{} ").lower()
            if word.kind in ("word", "macro", "braced") and name in values:
                behind = found[number + 1].text if number + 1 < len(found) else ""
                value = values[name]
                self.charge(len(value))
                if word.kind == "braced":
                    made.append(unquoted(value))
                elif made and made[-1].endswith(".") and word.kind == "word":
                    made.append(word.text)
                else:
                    made.append(_fitting(value, made, is_name=behind == "."))
            elif word.kind == "word" and "@" in word.text:
                made.append(word.text)
            elif word.kind == "string" and word.text.startswith("@"):
                shown = re.sub(r"@\{?(\w+)\}?", value_in_string, word.text[1:])
                made.append(f"@{shown}" if "@" in shown else shown)
            else:
                made.append(word.text)
        return "".join(made)

    def knows(self, name: str) -> bool:
        """Whether there is a variable of a name."""
        return name.lower() in self._variables

    def condition_only(self, text: str) -> bool:
        """Whether a text is a condition whose value is known, and no table."""
        return truth(self.written(text)) is not None

    def condition(self, text: str) -> bool | None:
        """Whether a condition holds; one that nobody knows is noticed."""
        written = self.written(text)
        found = truth(written)
        if found is None:
            self.noticed.conditions[written] = None
        return found

    def _missing(self, name: str) -> str:
        self.noticed.variables[name.lower()] = None
        return "${" + name + "}"

    def _unset(self, name: str) -> str:
        placeholder = self._missing(name)
        return f"@{name}" if self.dialect in _OWN_SIGNS else placeholder


_OPERATORS = frozenset("+-*/%") | {"||"}
_CLAUSE_WORDS = frozenset(
    {"WHERE", "GROUP", "HAVING", "ORDER", "LIMIT", "QUALIFY", "WINDOW", "UNION", "INTERSECT", "EXCEPT", "SELECT"}
)


def _whole(value: str, dialect: str) -> str:
    """A value that stays whole in other expressions: in brackets, if it has operators."""
    depth, marks = 0, set()
    for word in words(value, dialect):
        depth += (word.text in ("(", "[")) - (word.text in (")", "]"))
        if word.kind == "mark" and not depth:
            marks.add(word.text)
    return value if marks.isdisjoint(_OPERATORS) or "," in marks else f"({value})"


def _lambda(text: str, dialect: str) -> tuple[list[str], str]:
    """The parameters and the body of `x -> …`, `(x, y) -> …`; no parameters for anything else."""
    found = words(text, dialect)
    real = bare(found)
    arrow = next((number for number, word in enumerate(real) if word.text == "->"), None)
    if arrow is None or arrow == 0:
        return [], text
    names = [word.text for word in real[:arrow] if word.kind == "word"]
    marks = {word.text for word in real[:arrow] if word.kind != "word"}
    if not names or marks - {"(", ")", ","}:
        return [], text
    return names, text[real[arrow].end :].strip()


def _fitting(value: str, before: Sequence[str], *, is_name: bool) -> str:
    """A value where it stands: a string is a name where a name is written, `AS @x`, `@x.orders`, `total_@x`."""
    if not value.startswith("'"):
        return value
    last = next((piece for piece in reversed(before) if piece.strip()), "")
    attached = bool(before) and bool(before[-1]) and (before[-1][-1].isalnum() or before[-1][-1] in "_.")
    behind_name = last.strip().upper() in _NAMES_FOLLOW and not attached
    return unquoted(value) if is_name or attached or behind_name else value
