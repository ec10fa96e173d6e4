"""Strongly connected components: sets of nodes that all lead to each other (Tarjan's algorithm, without recursion)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence


def circles(after: Mapping[int, Sequence[int]]) -> list[frozenset[int]]:
    """The components of a graph that is given by what comes after each node; a node on no circle is a component of its own.

    >>> sorted(map(sorted, circles({1: [2], 2: [1, 3], 3: []})))
    [[1, 2], [3]]
    """
    search = _Search(after)
    for node in after:
        if node not in search.number:
            search.visit(node)
    return search.found


class _Search:
    def __init__(self, after: Mapping[int, Sequence[int]]) -> None:
        self._after = after
        self.number: dict[int, int] = {}
        self._lowest: dict[int, int] = {}
        self._open: list[int] = []
        self._is_open: set[int] = set()
        self.found: list[frozenset[int]] = []

    def visit(self, first: int) -> None:
        """Go through all that can be reached from a node."""
        way: list[tuple[int, Iterator[int]]] = [self._enter(first)]
        while way:
            node, remaining = way[-1]
            following = next(remaining, None)
            if following is None:
                way.pop()
                self._leave(node, way[-1][0] if way else None)
            elif following not in self.number:
                way.append(self._enter(following))
            elif following in self._is_open:
                self._lowest[node] = min(self._lowest[node], self.number[following])

    def _enter(self, node: int) -> tuple[int, Iterator[int]]:
        self.number[node] = self._lowest[node] = len(self.number)
        self._open.append(node)
        self._is_open.add(node)
        return node, iter(self._after[node])

    def _leave(self, node: int, before: int | None) -> None:
        if before is not None:
            self._lowest[before] = min(self._lowest[before], self._lowest[node])
        if self._lowest[node] == self.number[node]:
            self.found.append(frozenset(self._closed(node)))

    def _closed(self, first: int) -> Iterator[int]:
        """The nodes that are still open, from the last one back to the first of their component."""
        while True:
            node = self._open.pop()
            self._is_open.remove(node)
            yield node
            if node == first:
                return
