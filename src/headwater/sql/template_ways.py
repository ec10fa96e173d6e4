"""The ways for a template's statement to be: which branch of each of its conditions is there.

Conditions in the same words go the same way. Where they are few, all combinations are ways. Else the ways are so many that each pair of
branches is in one of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from headwater.model.span import Span
from headwater.sql.template import Condition

MAX_WAYS = 32
_MAX_PAIRED = 60
"""Conditions of which pairs are formed; of more, each branch is in some way."""
_LOOP = {"loop.first": True, "loop.last": True}
"""A loop's body is there once: as its first round, and its last."""

Facts = dict[str, bool]
"""What conditions, in their own words, come out as."""


class Way(NamedTuple):
    """One way: what is hidden, what is shown, and the conditions for it, in words."""

    hidden: list[Span]
    shown: frozenset[Span]
    conditions: tuple[str, ...] = ()


class Ways(NamedTuple):
    """The ways of a statement, that of the first branches first, and whether these are all."""

    ways: tuple[Way, ...]
    complete: bool = True


class _Option(NamedTuple):
    """A branch of a condition, and what must be so for it; a condition without `else` may have none of its branches."""

    number: int
    branch: int
    facts: tuple[tuple[str, bool], ...]


Taken = dict[int, _Option]
"""The branches that are taken together, by the numbers of their conditions."""


class _Row(NamedTuple):
    """Branches that are taken together, and what is so then."""

    taken: Taken
    facts: Facts


def ways_of(conditions: Sequence[Condition], around: Sequence[tuple[Condition, int]] = ()) -> Ways:
    """The ways of a statement with these conditions, in order; *around* has the branches of other conditions that it stands in."""
    start: Facts = dict(_LOOP)
    for condition, branch in around:
        start = _joined(start, _facts(condition, branch)) or start
    choice = _Choice(conditions)
    rows = choice.all_rows(start)
    if rows is not None:
        return Ways(tuple(choice.way(row.taken) for row in rows))
    return Ways(tuple(choice.way(taken) for taken in choice.covering_rows(start)), complete=False)


class _Choice:
    """The conditions of a statement, and the branches that each of them offers."""

    def __init__(self, conditions: Sequence[Condition]) -> None:
        self._conditions = conditions
        self._options = [
            [_Option(number, branch, _facts(each, branch)) for branch in range(_choices(each))]
            for number, each in enumerate(conditions)
        ]
        self._around = list(_enclosing(conditions))
        self._compares = len(conditions) <= _MAX_PAIRED

    def all_rows(self, start: Facts) -> list[_Row] | None:
        """All combinations of branches; None if these are too many."""
        rows = [_Row({}, start)]
        for number in range(len(self._conditions)):
            rows = [longer for row in rows for longer in self._longer(row, number)]
            if len(rows) > MAX_WAYS:
                return None
        return rows

    def _longer(self, row: _Row, number: int) -> list[_Row]:
        """A row with each branch of the next condition that can be taken then; the row itself if there is none."""
        if self._is_hidden(number, row.taken):
            return [row]
        found = [(option, _joined(row.facts, option.facts)) for option in self._options[number]]
        return [_Row({**row.taken, number: option}, facts) for option, facts in found if facts is not None] or [row]

    def covering_rows(self, start: Facts) -> Iterator[Taken]:
        """Combinations such that each pair of branches, or at least each branch, is in one of them."""
        options = [option for each in self._options for option in each]
        size = 2 if self._compares else 1
        wanted = dict.fromkeys(combinations(options, size))
        for _ in range(MAX_WAYS):
            group = next(iter(wanted), ())
            taken = self._row(self._needed(start, group) or start, wanted)
            for found in combinations(taken.values(), size):
                wanted.pop(found, None)
            wanted.pop(group, None)
            yield taken
            while wanted and not self._is_possible(start, next(iter(wanted))):
                wanted.pop(next(iter(wanted)))
            if not wanted:
                return

    def _row(self, start: Facts, wanted: dict[tuple[_Option, ...], None]) -> Taken:
        """A row in which that much is so, and otherwise what is in most of the groups that are still wanted."""
        taken, facts = Taken(), dict(start)
        for number, options in enumerate(self._options):
            possible = [] if self._is_hidden(number, taken) else [o for o in options if self._fits(facts, o)]
            if possible:
                best = max(possible, key=lambda option: _count(option, taken, wanted)) if wanted else possible[0]
                taken[number] = best
                facts.update(_joined(facts, best.facts) or () if self._compares else best.facts)
        return taken

    def _fits(self, facts: Facts, option: _Option) -> bool:
        if self._compares:
            return _joined(facts, option.facts) is not None
        return all(facts.get(text, value) == value for text, value in option.facts)

    def _is_hidden(self, number: int, taken: Taken) -> bool:
        """Whether the branch around a condition is not taken."""
        around = self._around[number]
        return around is not None and (around[0] not in taken or taken[around[0]].branch != around[1])

    def _is_possible(self, start: Facts, group: tuple[_Option, ...]) -> bool:
        return len({option.number for option in group}) == len(group) and self._needed(start, group) is not None

    def _needed(self, start: Facts, group: tuple[_Option, ...]) -> Facts | None:
        """What must be so for some branches, and for those around them; None if that cannot be."""
        facts: Facts | None = start
        for option in group:
            for needed in (option, *self._branches_around(option.number)):
                facts = None if facts is None else _joined(facts, needed.facts)
        return facts

    def _branches_around(self, number: int) -> Iterator[_Option]:
        around = self._around[number]
        while around is not None:
            yield self._options[around[0]][around[1]]
            around = self._around[around[0]]

    def way(self, taken: Taken) -> Way:
        """The way that a row is."""
        shown, hidden = set[Span](), list[Span]()
        for number, condition in enumerate(self._conditions):
            here = taken[number].branch if number in taken else -1
            shown.update(span for branch, span in enumerate(condition.branches) if branch == here)
            hidden += (span for branch, span in enumerate(condition.branches) if branch != here)
        said = (fact for option in taken.values() for fact in option.facts if fact[0] not in _LOOP)
        return Way(hidden, frozenset(shown), tuple(dict.fromkeys(t if value else _negated(t) for t, value in said)))


def _enclosing(conditions: Sequence[Condition]) -> Iterator[tuple[int, int] | None]:
    """The condition, and its branch, that each condition stands in."""
    opened: list[int] = []
    for number, each in enumerate(conditions):
        while opened and conditions[opened[-1]].end <= each.tag.start:
            opened.pop()
        branches = conditions[opened[-1]].branches if opened else ()
        inside = [branch for branch, span in enumerate(branches) if span.start <= each.tag.start < span.end]
        yield (opened[-1], inside[0]) if inside else None
        opened.append(number)


def _count(option: _Option, taken: Taken, wanted: dict[tuple[_Option, ...], None]) -> int:
    """How many of the wanted groups a branch completes."""
    others = taken.values() if len(taken) <= _MAX_PAIRED else ()
    return ((option,) in wanted) + sum((other, option) in wanted for other in others)


def _choices(condition: Condition) -> int:
    """How many ways a condition has: without `else`, one more than it has branches."""
    return len(condition.branches) + (len(condition.tests) >= len(condition.branches))


def _facts(condition: Condition, branch: int) -> tuple[tuple[str, bool], ...]:
    """What must be so that a branch is taken: its own test, and none before."""
    facts = [_fact(test, False) for test in condition.tests[:branch]]
    if branch < len(condition.tests):
        facts.append(_fact(condition.tests[branch], True))
    return tuple(facts)


def _fact(test: str, value: bool) -> tuple[str, bool]:
    bare = re.fullmatch(r"not\s+(?:\((?P<inner>[^()]*)\)|(?P<plain>(?:(?!\b(?:and|or|if)\b).)+))", test)
    return (test, value) if bare is None else (bare["inner"] or bare["plain"], not value)


def _negated(text: str) -> str:
    return f"not {text}" if re.fullmatch(r"[\w.]+(?:\([^()]*\))?", text) else f"not ({text})"


def _joined(facts: Facts, more: Sequence[tuple[str, bool]]) -> Facts | None:
    """Facts together; None if they contradict each other."""
    found = dict(facts)
    pending = list(more)
    while pending:
        text, value = pending.pop()
        if found.get(text, value) != value:
            return None
        found[text] = value
        word, parts = _compound(text)
        if parts and value == (word == "and"):
            pending += [_fact(part, value) for part in parts]
    return None if any(_is_refuted(found, text, value) for text, value in found.items()) else found


def _is_refuted(facts: Facts, text: str, value: bool) -> bool:
    """Whether all parts of a compound say the opposite of it: `x and y` is not so, but x is, and y is."""
    word, parts = _compound(text)
    if not parts or value == (word == "and"):
        return False
    return all(facts.get(each) is (said == (word == "and")) for each, said in (_fact(part, True) for part in parts))


def _compound(text: str) -> tuple[str, list[str]]:
    """The parts of `x and y`, `x or y`; none of anything that is not as simple."""
    for word, other in (("and", "or"), ("or", "and")):
        parts = re.split(rf"\s+{word}\s+", text)
        if len(parts) > 1 and not re.search(rf"\b(?:{other}|if)\b|[()'\"]", text):
            return word, parts
    return "", []
