"""Names as people know them: folded names are identities; what is shown is the spelling of a name's first place, with its quotes.

A column that the script defines is spelled as its definition does; any other as the first place that names it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from headwater.lineage.lineage import Lineage, StatementLineage
from headwater.model.entity import PSEUDO_ROWS, ColumnRef, TableName

_NAME = r"""(?:\[[^\]]+\]|"[^"]+"|`[^`]+`|[^\W\d][\w$#@]*)"""
_WORD = re.compile(_NAME)
_LAST_WORD = re.compile(rf"{_NAME}\s*\Z")
_DOTTED = re.compile(rf"[#@]*{_NAME}(?:\s*\.+\s*{_NAME})*")
_QUOTES = '[]"`'
_LONGEST = 300
"""Characters of a place in which its last word is sought."""


class ShownNames:
    """How the tables and columns of a script are spelled."""

    def __init__(self, lineage: Lineage) -> None:
        self._lineage = lineage
        self._tables: dict[str, str] = {}
        self._columns: dict[ColumnRef, str] = {}
        self._words: dict[int, dict[str, str]] = {}
        for statement in lineage.statements:
            self._learn(statement)

    def table(self, name: str) -> str:
        """A table, given its folded name."""
        return self._tables.get(name, name)

    def column(self, ref: ColumnRef, statement: StatementLineage | None = None) -> str:
        """A column with its table; of a query's output, what its *statement* calls it."""
        if ref.table is not None:
            return f"{self.table(ref.table)}.{self._columns.get(ref, ref.column)}"
        if statement is None or ref.column == PSEUDO_ROWS:
            return ref.column
        return self._words_of(statement).get(ref.column.casefold(), ref.column)

    def _learn(self, statement: StatementLineage) -> None:
        resolution = statement.resolution
        for row in resolution.entities:
            if row.table is not None and ".".join(row.table) not in self._tables:
                span = resolution.locate(row.place) if row.place is not None else None
                text = self._lineage.excerpt(*span) if span is not None else row.spelled
                self._tables[".".join(row.table)] = _aligned(text, row.table)
        for definition in resolution.defines:
            for column in definition.columns or ():
                self._know(ColumnRef(".".join(definition.table), column), None, statement)
        for entity, name, place in resolution.columns:
            table = resolution.entities[entity].table
            if table is not None and name != PSEUDO_ROWS:
                self._know(ColumnRef(".".join(table), name), place, statement)

    def _know(self, ref: ColumnRef, place: object, statement: StatementLineage) -> None:
        """Note how a column is spelled, if this is the first place that spells it."""
        if ref in self._columns:
            return
        found = self._at(place, statement, ref.column) or self._words_of(statement).get(ref.column.casefold())
        if found is not None:
            self._columns[ref] = found

    def _at(self, place: object, statement: StatementLineage, name: str) -> str | None:
        """The last word of a place, if it is that name."""
        span = statement.resolution.locate(place) if place is not None else None
        if span is None:
            return None
        last = _LAST_WORD.search(self._lineage.excerpt(max(span.start, span.end - _LONGEST), span.end))
        return last[0].strip() if last and _bare(last[0]) == name.casefold() else None

    def _words_of(self, statement: StatementLineage) -> dict[str, str]:
        """The names in a statement as they are spelled first."""
        found = self._words.get(id(statement))
        if found is None:
            found = self._words[id(statement)] = {}
            for word in _WORD.findall(statement.sql):
                found.setdefault(_bare(word), word)
        return found


def _bare(word: str) -> str:
    return word.strip().strip(_QUOTES).casefold()


def _aligned(text: str, folded: TableName) -> str:
    """A table's name, part by part as the text spells it; what that leaves out, or has otherwise, is folded."""
    dotted = _DOTTED.match(text)
    spelled = _WORD.findall(dotted[0]) if dotted else []
    return ".".join(reversed([*_parts(spelled[::-1], folded[::-1])]))


def _parts(spelled: Sequence[str], folded: TableName) -> list[str]:
    found = []
    for i, part in enumerate(folded):
        word = spelled[i] if i < len(spelled) else None
        found.append(word if word is not None and _bare(word) == part.casefold() else part)
    return found
