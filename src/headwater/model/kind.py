"""What a source does to a target, as one small integer.

A *kind* says everything about one source–target pair except its two ends: the relation's type (`fdd`, `fdr`, `join`), the
OpenLineage subtype, the clause the source stands in, whether the value is masked on the way, whether the source is
only a candidate, and whether another state of its table is read than the current one. There are a few dozen distinct
kinds, so the resolver passes their codes around as plain integers and `KINDS[code]` gives the meaning back. `compose`
joins two hops into one by the model's rules.
"""

from __future__ import annotations

from typing import NamedTuple

FDD, FDR, JOIN_TYPE = "fdd", "fdr", "join"

DIRECT_STRENGTH = {"IDENTITY": 0, "TRANSFORMATION": 1, "AGGREGATION": 2}
"""Subtypes that move data, from the weakest to the strongest: the strongest on the way names the whole."""


class Kind(NamedTuple):
    """The meaning of a kind code."""

    type: str
    subtype: str | None
    clause: str
    masking: bool = False
    candidate: bool = False
    as_of: str = ""
    """By what a state of the source's table was chosen: `version`, `timestamp`, `branch`, `changes`; empty for the current one."""

    @property
    def direct(self) -> bool:
        """Whether data itself flows, in OpenLineage's sense."""
        return self.subtype in DIRECT_STRENGTH

    @property
    def words(self) -> str:
        """How a source reaches its target, in a few words."""
        words = (self.subtype or "rows").lower()
        if self.type == FDR and self.clause not in ("", "from"):
            words = self.clause
        if self.clause == "foreignKey":
            words = "foreign key"
        words += f" (as of a {self.as_of})" if self.as_of else ""
        return words + " (masked)" * self.masking + " (candidate)" * self.candidate


KINDS: list[Kind] = []
_CODES: dict[Kind, int] = {}
_COMPOSED: dict[tuple[int, int], int] = {}


def code(kind: Kind) -> int:
    """The integer that stands for *kind*, the same for the whole process."""
    found = _CODES.get(kind)
    if found is None:
        found = _CODES[kind] = len(KINDS)
        KINDS.append(kind)
    return found


def _fdd(subtype: str | None, clause: str = "select") -> int:
    return code(Kind(FDD, subtype, clause))


def _fdr(subtype: str | None, clause: str) -> int:
    return code(Kind(FDR, subtype, clause))


IDENTITY = _fdd("IDENTITY")
TRANSFORMATION = _fdd("TRANSFORMATION")
AGGREGATION = _fdd("AGGREGATION")
CASE_WHEN = _fdd("CONDITIONAL", "caseWhen")
AGGREGATE_FILTER = _fdd("CONDITIONAL", "filter")
PIVOT_FOR = _fdd("CONDITIONAL", "pivot")
CONTROL = _fdd("CONDITIONAL", "if")
"""A condition of a procedure decides over what a variable is given."""
WINDOW = _fdd("WINDOW", "window")
FROM_ROWS = _fdd("IDENTITY", "from")
WRITE_ROWS = _fdr(None, "")
MOVED = _fdd("IDENTITY", "")
"""A whole table's rows and columns under another name: RENAME, SWAP, EXCHANGE PARTITION."""
FOREIGN_KEY = _fdd(None, "foreignKey")
"""A referenced key: shown, but no data flows."""
AGGREGATE_ROWS = _fdr(None, "from")
WHERE = _fdr("FILTER", "where")
QUALIFY = _fdr("FILTER", "qualify")
HAVING = _fdr("FILTER", "having")
LATERAL = _fdr("FILTER", "lateral")
LIMIT = _fdr("FILTER", "limit")
SET_OPERATION = _fdr("FILTER", "setOperation")
PIVOT_FILTER = _fdr("FILTER", "pivot")
CONTROL_ROWS = _fdr("CONDITIONAL", "if")
"""A condition of a procedure decides whether a statement runs, and how often."""
CONNECT_BY = _fdr("FILTER", "connectBy")
MATCH_RECOGNIZE = _fdr("FILTER", "matchRecognize")
SAMPLE = _fdr("FILTER", "sample")
JOIN_CONDITION = _fdr("JOIN", "joinCondition")
GROUP_BY = _fdr("GROUP_BY", "groupBy")
DISTINCT = _fdr("GROUP_BY", "distinct")
ORDER_BY = _fdr("SORT", "orderBy")
JOIN = code(Kind(JOIN_TYPE, "JOIN", "joinCondition"))


def masked(kind: int) -> int:
    """The same kind, with its value hidden on the way."""
    return code(KINDS[kind]._replace(masking=True))


def candidate(kind: int) -> int:
    """The same kind, from a source that is only one of several possible owners."""
    return code(KINDS[kind]._replace(candidate=True))


def as_of(kind: int, state: str) -> int:
    """The same kind, from a table in another state than the current one."""
    return code(KINDS[kind]._replace(as_of=state))


def under_operator(kind: int) -> int:
    """What a plain projection's kind becomes for the operands of an expression: identity turns into transformation."""
    meaning = KINDS[kind]
    return code(meaning._replace(subtype="TRANSFORMATION")) if meaning.subtype == "IDENTITY" else kind


def compose(first: int, second: int) -> int:
    """One hop for two: *first* leads from the source, *second* to the target.

    Any `fdr` makes the whole `fdr`. The subtype and clause are those of the first hop that is `fdr` through a clause, else
    of the first indirect one, else the stronger direct one. Masking, candidacy and the state that is read are sticky.
    """
    found = _COMPOSED.get((first, second))
    if found is None:
        found = _COMPOSED[first, second] = code(_composed(KINDS[first], KINDS[second]))
    return found


def _composed(first: Kind, second: Kind) -> Kind:
    leading = first if _rank(first) >= _rank(second) else second
    return Kind(
        type=FDR if FDR in (first.type, second.type) else FDD,
        subtype=leading.subtype,
        clause=leading.clause,
        masking=first.masking or second.masking,
        candidate=first.candidate or second.candidate,
        as_of=first.as_of or second.as_of,
    )


def _rank(kind: Kind) -> int:
    """How strongly a hop names a chain; of equals the one nearer to the source wins."""
    if kind.subtype in DIRECT_STRENGTH:
        return DIRECT_STRENGTH[kind.subtype]
    if kind.type == FDD:
        return 4
    return 5 if kind.clause else 3
