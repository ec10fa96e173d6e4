"""Aliases that SQLMesh gives to outputs that have none: a cast column keeps its name, in every query of a model.

SELECT id::INT, CAST(t.day AS DATE) FROM t
SELECT id::INT AS id, CAST(t.day AS DATE) AS day FROM t
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from headwater.project.sqlmesh.words import OPENING, Word, bare, closing, words

_CASTS = frozenset({"CAST", "TRY_CAST", "SAFE_CAST"})
_ENDS = frozenset(
    {"FROM", "WHERE", "UNION", "INTERSECT", "EXCEPT", "GROUP", "ORDER", "LIMIT", "QUALIFY", "HAVING", "INTO", "WINDOW"}
)
_BEFORE_ITEMS = frozenset({"DISTINCT", "ALL"})
_LONG_TYPES = frozenset(
    {"DOUBLE PRECISION", "CHARACTER VARYING", "TIMESTAMP WITH TIME ZONE", "TIMESTAMP WITHOUT TIME ZONE"}
)
_CLOSING = frozenset(OPENING.values())


@dataclass(slots=True)
class _Level:
    """What stands between two brackets: whether the words belong to a select list, and those of its last item."""

    in_list: bool = False
    item: list[Word] = field(default_factory=list)


def with_aliases(sql: str, dialect: str = "") -> str:
    """A query with the aliases that SQLMesh would give it.

    >>> with_aliases("SELECT a.id::INT, CAST(day AS DATE) FROM t AS a")
    'SELECT a.id::INT AS id, CAST(day AS DATE) AS day FROM t AS a'
    """
    if "::" not in sql and re.search(r"cast\s*\(", sql, re.IGNORECASE) is None:
        return sql
    levels = [_Level()]
    inserted: list[tuple[int, str]] = []
    for word in (*words(sql, dialect), Word("mark", ";", len(sql))):
        if word.kind == "mark" and word.text in OPENING:
            levels[-1].item.append(word)
            levels.append(_Level())
        elif word.kind == "mark" and word.text in _CLOSING and len(levels) > 1:
            inner = levels.pop()
            _end(inner, inserted)
            levels[-1].item += [*inner.item, word]
        else:
            _put(word, levels[-1], inserted)
    made, at = [], 0
    for offset, alias in sorted(inserted):
        made += [sql[at:offset], f" AS {alias}"]
        at = offset
    return "".join((*made, sql[at:]))


def _put(word: Word, level: _Level, inserted: list[tuple[int, str]]) -> None:
    upper = word.text.upper()
    if word.kind == "word" and upper == "SELECT":
        level.in_list, level.item = True, []
        return
    is_end = word.text == ";" or (word.kind == "word" and upper in _ENDS)
    if level.in_list and (is_end or word.text == ","):
        _end(level, inserted)
        level.in_list = not is_end
        level.item = []
    elif not (level.in_list and upper in _BEFORE_ITEMS and not bare(level.item)):
        level.item.append(word)


def _end(level: _Level, inserted: list[tuple[int, str]]) -> None:
    """An item of a select list is complete: it gets an alias, if SQLMesh would give it one."""
    if not level.in_list:
        return
    item = bare(level.item)
    alias = _alias(item)
    if alias:
        inserted.append((item[-1].end, alias))


def _alias(item: Sequence[Word]) -> str:
    if len(item) > 3 and item[0].text.upper() in _CASTS and item[1].text == "(" and closing(item, 1) == len(item) - 1:
        at = next((number for number, word in enumerate(item) if word.text.upper() == "AS"), 0)
        return _column(item[2:at])
    at = next((number for number, word in enumerate(item) if word.text == "::"), 0)
    return _column(item[:at]) if at and _is_type(item[at:]) else ""


def _column(found: Sequence[Word]) -> str:
    """The name of a column, if these are the words of one."""
    names, dots = found[::2], found[1::2]
    is_column = bool(names) and len(found) % 2 == 1 and all(dot.text == "." for dot in dots)
    return names[-1].text if is_column and all(name.kind in ("word", "quoted") for name in names) else ""


def _is_type(found: Sequence[Word]) -> bool:
    """Whether words are types behind `::`, and nothing more."""
    text = re.sub(r"\([^()]*\)|<.*>|\[\d*\]", "", " ".join(word.text for word in found))
    types = [" ".join(part.split()).upper() for part in text.split("::")]
    return not types[0] and all(" " not in each or each in _LONG_TYPES for each in types[1:])
