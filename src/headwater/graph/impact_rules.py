"""What becomes of a column whose source was changed: the table that `impact` goes by. `docs/graph.md` says it in words.

A *fate* is what has happened to a column. For the changed column it follows from the change; for every other one from its source's fate
and from how it uses that source. Fates are numbered from the worst on.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import Literal

from headwater.graph.files import Meaning
from headwater.graph.relation_arrays import FOREIGN_KEY
from headwater.model.kind import FDR

Change = Literal["drop", "rename", "retype"]
Verdict = Literal["breaking", "maybe", "harmless"]


class Fate(IntEnum):
    """What has happened to a column."""

    GONE = 0
    """It was dropped, or is not found under its name any more."""
    RETYPED = 1
    FAILS = 2
    """It cannot be read: its view, or query, fails."""
    NOT_FILLED = 3
    """The statement that fills it fails; what was there before stays."""
    KEY_LOST = 4
    """The key that it references is not there any more."""
    TYPE_PASSED_ON = 5
    """It gets the new type, if nobody declared it otherwise."""
    MAY_FAIL = 6
    """A cast, a function or a comparison may not take the new type."""
    MAY_BE_GONE = 7
    """A `*` no longer brings it, or under another name."""
    MAY_MISS = 8
    """It names something that may be gone."""
    OUTDATED = 9
    """It is made from something that is not filled any more."""
    UNSURE = 10
    """It comes from there only perhaps."""
    FURTHER = 11
    """It is made from something that may be hit."""
    OTHER_VALUES = 12
    """Its values, or their order, may become others."""
    UNTOUCHED = 13
    """The way it uses the source does not care."""


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
    Fate.GONE: Outcome("breaking", "high", "it is the changed column"),
    Fate.RETYPED: Outcome("maybe", "medium", "it is the changed column"),
    Fate.FAILS: Outcome("breaking", "high", "cannot be read: it uses {source} ({how})", _ALONG, True, True),
    Fate.NOT_FILLED: Outcome(
        "breaking", "high", "the statement that fills it fails: it uses {source} ({how})", _ALONG, True, True
    ),
    Fate.KEY_LOST: Outcome("breaking", "high", "references {source} as its key"),
    Fate.MAY_FAIL: Outcome("maybe", "medium", "what uses {source} ({how}) may not take the new type"),
    Fate.TYPE_PASSED_ON: Outcome("maybe", "medium", "takes over the type of {source}"),
    Fate.MAY_BE_GONE: Outcome("maybe", "low", "comes from {source} through *: changes its name, or vanishes, silently"),
    Fate.MAY_MISS: Outcome("maybe", "medium", "fails if {source}, which it uses ({how}), vanishes behind a *"),
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
    return Fate.RETYPED if change == "retype" else Fate.GONE


def fate_of(source: Fate, use: Meaning, read_anew: bool) -> Fate | None:
    """What becomes of a column that uses a source with a fate; None: nothing. *read_anew*: it is a view's, or a query's."""
    if use.kind.clause == FOREIGN_KEY:
        return {Fate.GONE: Fate.KEY_LOST, Fate.RETYPED: Fate.MAY_FAIL}.get(source)
    if use.kind.candidate and source in _CERTAIN:
        return Fate.UNSURE
    if source in (Fate.RETYPED, Fate.TYPE_PASSED_ON):
        return _of_retyped(use)
    if source is Fate.GONE:
        return Fate.MAY_BE_GONE if use.star else _failed(read_anew)
    if source is Fate.MAY_BE_GONE:
        return Fate.MAY_BE_GONE if use.star else Fate.MAY_MISS
    return _failed(read_anew) if source is Fate.FAILS else _HANDED_ON.get(source)


_CERTAIN = (Fate.GONE, Fate.RETYPED, Fate.FAILS, Fate.TYPE_PASSED_ON)
_HANDED_ON = {
    Fate.NOT_FILLED: Fate.OUTDATED,
    Fate.OUTDATED: Fate.OUTDATED,
    Fate.MAY_MISS: Fate.FURTHER,
    Fate.UNSURE: Fate.UNSURE,
    Fate.MAY_FAIL: Fate.FURTHER,
    Fate.FURTHER: Fate.FURTHER,
}


def _failed(read_anew: bool) -> Fate:
    return Fate.FAILS if read_anew else Fate.NOT_FILLED


def _of_retyped(use: Meaning) -> Fate:
    kind = use.kind
    if kind.masking or kind.clause in ("groupBy", "distinct"):
        return Fate.UNTOUCHED
    if kind.subtype in ("WINDOW", "SORT") or (kind.type == FDR and kind.subtype is None):
        return Fate.OTHER_VALUES
    return Fate.TYPE_PASSED_ON if kind.subtype == "IDENTITY" and kind.type != FDR else Fate.MAY_FAIL
