"""What becomes of a column whose source was changed: the table that `impact` goes by. `docs/graph.md` says it in words.

A *fate* is what has happened to a column. For the changed column it follows from the change; for every other one from its source's fate
and from how it uses that source. Fates are numbered from the worst on.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

from headwater.graph.fields import FIELD
from headwater.graph.files import Meaning
from headwater.graph.relation_arrays import FOREIGN_KEY
from headwater.model.kind import FDR

Change = Literal["drop", "rename", "retype"]
Verdict = Literal["breaking", "maybe", "harmless"]


class Fate(IntEnum):
    """What has happened to a column."""

    FAILS = 0
    """It cannot be read: its view, or query, fails."""
    NOT_FILLED = 1
    """The statement that fills it fails; what was there before stays."""
    GONE = 2
    """It is not there any more."""
    RENAMED = 3
    """It is there under another name."""
    RETYPED = 4
    KEY_LOST = 5
    """The key that it references is not there any more."""
    TYPE_PASSED_ON = 6
    """It gets the new type, if nobody declared it otherwise."""
    MAY_FAIL = 7
    """A cast, a function or a comparison may not take the new type."""
    LEFT_OUT_BY_NAME = 8
    """Its statement names the changed column only to leave it out of a `*`."""
    MAY_BE_RENAMED = 9
    """It has the name of the first of several columns that a UNION of `*` puts together."""
    MAY_MISS = 10
    """It names something that may have another name."""
    BY_POSITION = 11
    """A `*` fills it from a column that now has another name."""
    PARTLY_FILLED = 12
    """Of the statements that give its table rows, one fails."""
    OUTDATED = 13
    """It is made from something that is not filled any more."""
    UNSURE = 14
    """It comes from there only perhaps."""
    FURTHER = 15
    """It is made from something that may be hit."""
    OTHER_VALUES = 16
    """Its values, or their order, may become others."""
    UNTOUCHED = 17
    """The way it uses the source does not care."""


class Target(IntEnum):
    """What a statement does with the table or view of a column that it makes."""

    READ_ANEW = 0
    """A view or a query: its columns are found each time it is read."""
    MADE = 1
    """A table that the statement creates: it has the columns of the query."""
    FILLED = 2
    """A table that is there already: its columns take values by position."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What is said about a fate."""

    verdict: Verdict
    severity: Literal["high", "medium", "low", "info"]
    reason: str
    along: str = ""
    """What is said if the column is hit only because its statement fails."""
    takes_along: bool = False
    """Whether the other columns that the same statement makes share it."""
    spreads_over_rows: bool = False
    """Whether the columns of an entity share it if its row set has it."""


_ALONG = "made by the statement that fails, which uses {source} ({how})"
_OUTCOMES = {
    Fate.FAILS: Outcome("breaking", "high", "cannot be read: it uses {source} ({how})", _ALONG, True, True),
    Fate.NOT_FILLED: Outcome(
        "breaking", "high", "the statement that fills it fails: it uses {source} ({how})", _ALONG, True
    ),
    Fate.GONE: Outcome("breaking", "high", "comes from {source} through *: vanishes with it"),
    Fate.RENAMED: Outcome("breaking", "high", "comes from {source} through *: changes its name with it"),
    Fate.RETYPED: Outcome("maybe", "medium", "it is the changed column"),
    Fate.KEY_LOST: Outcome("breaking", "high", "references {source} as its key"),
    Fate.MAY_FAIL: Outcome("maybe", "medium", "what uses {source} ({how}) may not take the new type"),
    Fate.TYPE_PASSED_ON: Outcome("maybe", "medium", "takes over the type of {source}"),
    Fate.LEFT_OUT_BY_NAME: Outcome(
        "maybe", "medium", "its statement leaves the changed column out of a * by name, and fails without it", takes_along=True
    ),
    Fate.MAY_BE_RENAMED: Outcome("maybe", "medium", "comes from {source} through *: may change its name with it"),
    Fate.MAY_MISS: Outcome(
        "maybe", "medium", "fails if {source}, which it uses ({how}), changes its name",
        "made by a statement that fails if {source} changes its name", takes_along=True,
    ),
    Fate.BY_POSITION: Outcome("maybe", "low", "filled from {source} through *: goes on if columns are matched by position"),
    Fate.PARTLY_FILLED: Outcome(
        "maybe", "medium", "a statement that decides over the rows of its table fails: it uses {source} ({how})"
    ),
    Fate.UNSURE: Outcome("maybe", "low", "may come from {source}, among others"),
    Fate.OUTDATED: Outcome(
        "maybe", "medium", "made from {source}, which is not filled any more",
        "its rows are chosen by {source}, which is not filled any more", spreads_over_rows=True,
    ),
    Fate.FURTHER: Outcome("maybe", "low", "made from {source}, which may be hit"),
    Fate.OTHER_VALUES: Outcome(
        "maybe", "low", "order or grouping by {source} ({how}) may come out otherwise",
        "its rows are ordered or compared by {source} ({how}), which may come out otherwise", spreads_over_rows=True,
    ),
    Fate.UNTOUCHED: Outcome("harmless", "info", "{how} of {source} gives the same type whatever it is made of"),
}  # fmt: skip


def outcome(fate: Fate) -> Outcome:
    """What is said about a fate."""
    return _OUTCOMES[fate]


def first_fate(change: Change) -> Fate:
    """What happens to the changed column itself."""
    return {"drop": Fate.GONE, "rename": Fate.RENAMED, "retype": Fate.RETYPED}[change]


def fate_of(source: Fate, use: Meaning, target: Target, merged: bool = False) -> Fate | None:
    """What becomes of a column that uses a source with a fate; None: nothing.

    *merged*: `*` of several tables are put together column by column, as UNION does.
    """
    if use.kind.clause == FOREIGN_KEY:
        return {Fate.GONE: Fate.KEY_LOST, Fate.RENAMED: Fate.KEY_LOST, Fate.RETYPED: Fate.MAY_FAIL}.get(source)
    if use.kind.candidate and source in _CERTAIN:
        return Fate.UNSURE
    if source in (Fate.RETYPED, Fate.TYPE_PASSED_ON):
        return _of_retyped(use)
    if source in (Fate.GONE, Fate.RENAMED):
        return _of_missing(source, use, target, merged)
    if source is Fate.MAY_BE_RENAMED:
        return Fate.MAY_BE_RENAMED if use.star else Fate.MAY_MISS
    return _failed(target) if source is Fate.FAILS else _HANDED_ON.get(source)


_CERTAIN = (Fate.FAILS, Fate.GONE, Fate.RENAMED, Fate.RETYPED, Fate.TYPE_PASSED_ON)
_HANDED_ON = {
    Fate.NOT_FILLED: Fate.OUTDATED,
    Fate.PARTLY_FILLED: Fate.OUTDATED,
    Fate.OUTDATED: Fate.OUTDATED,
    Fate.LEFT_OUT_BY_NAME: Fate.FURTHER,
    Fate.MAY_MISS: Fate.FURTHER,
    Fate.BY_POSITION: Fate.FURTHER,
    Fate.UNSURE: Fate.UNSURE,
    Fate.MAY_FAIL: Fate.FURTHER,
    Fate.FURTHER: Fate.FURTHER,
}


def _of_missing(source: Fate, use: Meaning, target: Target, merged: bool) -> Fate:
    """What uses a column that is not there under its name any more."""
    if use.kind.clause == FIELD:
        return source
    if not use.star:
        return _failed(target)
    if source is Fate.GONE and (merged or target is Target.FILLED):
        return _failed(target)  # one column fewer than the other tables of the UNION, or the filled table, have
    if target is Target.FILLED:
        return Fate.BY_POSITION
    return Fate.MAY_BE_RENAMED if merged else source


def _failed(target: Target) -> Fate:
    return Fate.FAILS if target is Target.READ_ANEW else Fate.NOT_FILLED


def _of_retyped(use: Meaning) -> Fate:
    kind = use.kind
    if kind.masking or kind.clause in ("groupBy", "distinct"):
        return Fate.UNTOUCHED
    if kind.subtype in ("WINDOW", "SORT") or (kind.type == FDR and kind.subtype is None):
        return Fate.OTHER_VALUES
    return Fate.TYPE_PASSED_ON if kind.subtype == "IDENTITY" and kind.type != FDR else Fate.MAY_FAIL
