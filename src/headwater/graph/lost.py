"""What a snapshot lost: statements and scripts that were not understood, and which of them name a table.

A statement that was not understood may read any table that its text names, also inside a string that it runs as SQL. Its text is searched
for the words of the table's own name: rather one statement too many than one too few. A script that could not be read may read anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from headwater.graph.records import Place, Records
from headwater.graph.scripts import Scripts
from headwater.model.diagnostic import LOST, NOT_UNDERSTOOD, Code
from headwater.store import Snapshot

_WORD = re.compile(r"\w+")
_NONE: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Losses:
    """How many statements and scripts there are, and how many of them were lost."""

    statements: int
    lost_statements: int
    scripts: int
    lost_scripts: int

    @property
    def words(self) -> str:
        """What was lost, in words; empty if nothing was.

        >>> Losses(64, 1, 9, 0).words
        '1 of 64 statements was lost'
        """
        pairs = ((self.lost_statements, self.statements, "statement"), (self.lost_scripts, self.scripts, "script"))
        parts = [f"{lost:,} of {all_:,} {word}{'s' * (all_ != 1)}" for lost, all_, word in pairs if lost]
        verb = "was" if self.lost_statements + self.lost_scripts == 1 else "were"
        return f"{' and '.join(parts)} {verb} lost" if parts else ""


@dataclass(frozen=True, slots=True)
class LostStatement:
    """A statement, or a whole script, that was not understood: where it is, and why."""

    code: str
    message: str
    place: Place | None
    whole_script: bool = False


def losses(snapshot: Snapshot) -> Losses:
    """Count what a snapshot lost."""
    found = _diagnostics(snapshot, LOST, ["script_id", "statement_id"])
    whole = pc.equal(found.column("statement_id"), 0)
    return Losses(
        statements=snapshot.dataset("statements").count_rows(),
        lost_statements=len(pc.unique(found.filter(pc.invert(whole)).column("statement_id"))),
        scripts=snapshot.dataset("scripts").count_rows(),
        lost_scripts=len(pc.unique(found.filter(whole).column("script_id"))),
    )


def _diagnostics(snapshot: Snapshot, codes: Iterable[str], fields: list[str]) -> pa.Table:
    table = snapshot.table("diagnostics", [*fields, "code"])
    return table.filter(pc.is_in(table.column("code"), value_set=pa.array(sorted(codes), pa.string())))


class LostStatements:
    """The statements and scripts of a snapshot that were not understood, ready to be searched for names."""

    def __init__(self, snapshot: Snapshot, scripts: Scripts, records: Records) -> None:
        self._snapshot = snapshot
        self._scripts = scripts
        self._records = records

    def __bool__(self) -> bool:
        return bool(self._index[0])

    def naming(self, *tables: str) -> tuple[LostStatement, ...]:
        """Those that may have to do with one of the tables, by their own names without schema; by path and line."""
        all_, places, whole_scripts = self._index
        found = set(whole_scripts)
        for table in tables:
            fitting = [places.get(word, _NONE) for word in _words(table)]
            found |= frozenset.intersection(*fitting) if fitting else _NONE
        return tuple(all_[at] for at in sorted(found))

    @cached_property
    def _index(self) -> tuple[list[LostStatement], dict[str, frozenset[int]], frozenset[int]]:
        """All of them; of each word, which of them have it in their texts; and those that are whole scripts."""
        all_ = sorted(self._read(), key=lambda each: _order(each[0]))
        places: dict[str, set[int]] = {}
        for at, (_, text) in enumerate(all_):
            for word in _words(text):
                places.setdefault(word, set()).add(at)
        whole_scripts = frozenset(at for at, (lost, _) in enumerate(all_) if lost.whole_script)
        return [lost for lost, _ in all_], {word: frozenset(at) for word, at in places.items()}, whole_scripts

    def _read(self) -> list[tuple[LostStatement, str]]:
        """Every statement, with its first diagnostic and its text; every script, without a text.

        A macro that a whole project lacks loses no script: the project's models are read without it.
        """
        fields = ["script_id", "statement_id", "process_id", "message", "line", "column"]
        rows = _diagnostics(self._snapshot, NOT_UNDERSTOOD, fields).to_pylist()
        rows = [row for row in rows if row["statement_id"] or row["code"] != Code.UNKNOWN_MACRO]
        first: dict[tuple[int, int], dict[str, Any]] = {}
        for row in sorted(rows, key=lambda row: (row["line"] or 0, row["column"] or 0, row["code"])):
            first.setdefault((row["script_id"], row["statement_id"]), row)
        return [self._lost(row) for row in first.values()]

    def _lost(self, row: dict[str, Any]) -> tuple[LostStatement, str]:
        path = self._scripts.path(row["script_id"])
        place = Place(path, row["line"] or 1, row["column"] or 1, row["script_id"]) if path is not None else None
        whole = not row["statement_id"]
        text = "" if whole else self._records.process_text(row["process_id"])
        return LostStatement(row["code"], row["message"], place, whole), text


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def _order(lost: LostStatement) -> tuple[str, int, int, str]:
    place = lost.place
    return (place.path, place.line, place.column, lost.message) if place else ("", 0, 0, lost.message)
