"""Under which conditions of a template an edge is there: what all ways of its statement have in common that give it.

A template's statement is resolved in several ways, each with the conditions for it. An edge of all of them has no condition.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Iterable, Sequence

Edge = tuple[Hashable, ...]


class BranchConditions:
    """The ways of statements that have several, and the edges that each of them gives."""

    def __init__(self, statements: Iterable[tuple[Hashable, tuple[str, ...]]]) -> None:
        """*statements* has a key for each, equal for the ways of one, and its conditions."""
        self._ways: dict[Hashable, list[tuple[str, ...]]] = defaultdict(list)
        for key, conditions in statements:
            self._ways[key].append(conditions)
        self._ways = {key: ways for key, ways in self._ways.items() if any(ways)}
        self._found: dict[tuple[Hashable, Edge], dict[tuple[str, ...], None]] = defaultdict(dict)

    def note(self, key: Hashable, conditions: tuple[str, ...], edges: Iterable[Edge]) -> None:
        """Note the edges of a way."""
        if key in self._ways:
            for edge in edges:
                self._found[key, edge][conditions] = None

    def of(self, key: Hashable, edge: Edge) -> str:
        """The condition for an edge, in words; empty if there is none, or none that all ways with the edge share."""
        ways = self._ways.get(key)
        if ways is None:
            return ""
        found = self._found[key, edge]
        return "" if len(found) >= len(dict.fromkeys(ways)) else " and ".join(_shared(list(found), ways))


def _shared(found: Sequence[tuple[str, ...]], ways: Sequence[tuple[str, ...]]) -> list[str]:
    """The conditions of all ways that were found, but for those of all ways there are."""
    return [each for each in found[0] if all(each in way for way in found) and not all(each in way for way in ways)]
