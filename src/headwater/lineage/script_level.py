"""Edges of a whole script: hops over temporary tables, or over everything the script itself writes, joined into one.

Statements are taken in order, so a table that is defined twice hands on what it held at the time it was read. In a program, branches are
united and loops gone through until nothing new is held.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from math import inf
from typing import NamedTuple

from headwater.lineage.column_level import Edge
from headwater.model.entity import PSEUDO_ROWS, ColumnRef
from headwater.model.kind import FOREIGN_KEY, IDENTITY, compose
from headwater.model.resolution import Turn
from headwater.model.work import check_time

Held = dict[ColumnRef, dict[tuple[ColumnRef, int, bool], None]]
"""What a collapsed column currently holds: its sources, with kind and whether they are literals."""


class Fate(NamedTuple):
    """What a statement does to what tables held before: it is gone in `replaced`, and mixed with the new in an UPDATE or MERGE."""

    replaced: frozenset[str]
    changes: bool
    computed: frozenset[ColumnRef] = frozenset()
    """Columns whose edges say how they are made, now and whenever the others of their table are written."""
    wildcards: frozenset[str] = frozenset()
    """Names that stand for many tables: the statement reads what it says that they hold."""
    turns: tuple[Turn, ...] = ()
    """The choices and loops around the statement."""


Computed = dict[ColumnRef, list[Edge]]
"""The edges into computed columns, by the column."""


def collapse(
    statements: Sequence[tuple[list[Edge], Fate]], collapsed: Callable[[str], bool], most: float = inf
) -> tuple[list[list[Edge]], list[int]]:
    """The statements' edges with the tables that *collapsed* names replaced by what they hold.

    Each statement comes with what it does to former content. Edges into collapsed tables are kept in the result; who does not
    want them leaves them out. Statements that would bring all together above *most*
    joined edges keep their own; their numbers come last.
    """
    collapsing = _Collapsing(statements, collapsed, most)
    collapsing.run()
    return collapsing.results, sorted(collapsing.unjoined)


_MOST_ROUNDS = 4
"""Rounds after which a loop is left as it is."""


Step = Iterator["Step"]
"""A part of the work, which gives the parts that are to be done before it goes on: programs are nested more deeply than calls may be."""


class _Collapsing:
    """What collapsed tables hold, carried through the statements: united behind branches, and in loops until nothing new is held."""

    def __init__(
        self, statements: Sequence[tuple[list[Edge], Fate]], collapsed: Callable[[str], bool], most: float
    ) -> None:
        self._most = most
        self.unjoined: set[int] = set()
        """Statements whose joined edges are too many."""
        self._statements = statements
        self._collapsed = collapsed
        self._held: Held = {}
        self._computed: Computed = {}
        self.results: list[list[Edge]] = [[] for _ in statements]

    def run(self) -> None:
        """Go through all statements."""
        under_way = [self._follow(range(len(self._statements)), 0)]
        while under_way:
            inner = next(under_way[-1], None)
            if inner is None:
                under_way.pop()
            else:
                under_way.append(inner)

    def _follow(self, numbers: Sequence[int], depth: int) -> Step:
        """Go through statements that stand in as many choices and loops."""
        at = 0
        while at < len(numbers):
            turns = self._statements[numbers[at]][1].turns
            if len(turns) <= depth:
                self._statement(numbers[at])
                at += 1
                continue
            end = at
            while end < len(numbers) and self._place(numbers[end], depth) == turns[depth].place:
                end += 1
            yield (self._choice if turns[depth].branches else self._loop)(numbers[at:end], depth)
            at = end

    def _place(self, number: int, depth: int) -> object:
        turns = self._statements[number][1].turns
        return turns[depth].place if len(turns) > depth else None

    def _choice(self, numbers: Sequence[int], depth: int) -> Step:
        """Each branch begins with what was held before; behind them, whatever any of them left is held."""
        branches: dict[int, list[int]] = {}
        for number in numbers:
            branches.setdefault(self._statements[number][1].turns[depth].branch, []).append(number)
        yield self._follow(branches.pop(-1, []), depth + 1)
        tables = self._written(numbers)
        before = self._of(tables)
        ends = []
        for inside in branches.values():
            yield self._follow(inside, depth + 1)
            ends.append(self._of(tables))
            self._put(tables, before)
        ways = self._statements[numbers[0]][1].turns[depth].branches
        if len(ends) < ways:
            ends.append(before)
        self._put(tables, _united(ends))

    def _loop(self, numbers: Sequence[int], depth: int) -> Step:
        """A loop is gone through again with what it left, until that is nothing new."""
        tables = self._written(numbers)
        for _ in range(_MOST_ROUNDS):
            before = self._of(tables)
            yield self._follow(numbers, depth + 1)
            after = _united([before, self._of(tables)])
            self._put(tables, after)
            if all(ref in before and after[ref].keys() <= before[ref].keys() for ref in after):
                break

    def _written(self, numbers: Sequence[int]) -> set[str]:
        """The tables that statements write or empty."""
        found: set[str] = set()
        for number in numbers:
            edges, fate = self._statements[number]
            found.update(fate.replaced, fate.wildcards, (e.target.table for e in edges if e.target.table is not None))
        return found

    def _of(self, tables: set[str]) -> Held:
        return {ref: dict(sources) for ref, sources in self._held.items() if ref.table in tables}

    def _put(self, tables: set[str], held: Held) -> None:
        for ref in [each for each in self._held if each.table in tables]:
            del self._held[ref]
        self._held.update((ref, dict(sources)) for ref, sources in held.items())

    def _has_room(self, edges: list[Edge]) -> bool:
        """Whether a statement's edges, joined, are not too many; if so, they count."""
        count = sum(len(self._held.get(edge.source, _ONE)) for edge in edges)
        if count > self._most:
            return False
        self._most -= count
        return True

    def _statement(self, number: int) -> None:
        """One statement: its edges through what is held, and what is held behind it."""
        (edges, fate), held, computed, collapsed = self._statements[number], self._held, self._computed, self._collapsed
        check_time()
        if self._most < inf and not self._has_room(edges):
            self.unjoined.add(number)
            self._put({edge.target.table for edge in edges if edge.target.table is not None}, {})
            collapsed = _nothing
        for ref in [r for r in held if r.table in fate.wildcards] if fate.wildcards else ():
            del held[ref]
        for edge in edges:
            if _is_place(edge, fate) and (edge.source in held or fate.wildcards):
                for j in _through(edge, held, computed, collapsed):
                    held.setdefault(edge.target, {})[j.source, j.kind, j.literal] = None
        written = [edge for edge in edges if edge.target not in fate.computed] if fate.computed else edges
        joined = _once(j for edge in written for j in _through(edge, held, computed, collapsed))
        for ref in [r for r in held if r.table in fate.replaced]:
            del held[ref]
        made = [edge for edge in edges if edge.target in fate.computed] if fate.computed else []
        for edge in made:
            if edge.kind != FOREIGN_KEY:
                computed.setdefault(edge.target, []).append(edge)
        for edge in joined:
            if edge.target in computed or _is_place(edge, fate):
                continue
            if edge.target.table is not None and edge.kind != FOREIGN_KEY and collapsed(edge.target.table):
                if fate.changes and edge.target not in held:
                    held[edge.target] = {(edge.target, IDENTITY, False): None}
                held.setdefault(edge.target, {})[edge.source, edge.kind, edge.literal] = None
        joined += _once(j for edge in made for j in _through(edge, held, computed, collapsed))
        self.results[number] = joined


_ONE = {(ColumnRef(None, ""), IDENTITY, False): None}
"""In the place of what a column holds that is not collapsed."""


def _nothing(table: str) -> bool:
    """Collapses no table."""
    return False


def _united(ends: Sequence[Held]) -> Held:
    """What is held behind several ways."""
    found: Held = {}
    for ref in dict.fromkeys(ref for end in ends for ref in end):
        found[ref] = {each: None for end in ends for each in end.get(ref, ())}
    return found


def _is_place(edge: Edge, fate: Fate) -> bool:
    """Whether an edge says that a place below a stage holds a part of what the stage holds, which the same statement reads there.

    The same holds for a wildcard, and what its tables hold.
    """
    if edge.target.table in fate.wildcards:
        return True
    stage, place = edge.source.table or "", edge.target.table or ""
    return stage.startswith("@") and place.startswith(f"{stage}/")


def _through(edge: Edge, held: Held, computed: Computed, collapsed: Callable[[str], bool]) -> list[Edge]:
    """An edge from a computed column comes from what makes that column."""
    made = computed.get(edge.source)
    if made is None:
        return _joined(edge, held, collapsed)
    hops = (edge._replace(source=m.source, kind=compose(m.kind, edge.kind), literal=m.literal) for m in made)
    return [j for hop in hops for j in _joined(hop, held, collapsed)]


def _joined(edge: Edge, held: Held, collapsed: Callable[[str], bool]) -> list[Edge]:
    table = edge.source.table
    if table is None or edge.kind == FOREIGN_KEY or not collapsed(table):
        return [edge]
    sources = held.get(edge.source)
    if sources is None:
        sources = _behind_struct(edge.source, held)
    if sources is None and edge.source.column == "*":
        sources = _all_of(table, held)
    if sources is None:
        return [edge]
    return [
        edge._replace(source=source, kind=compose(kind, edge.kind), literal=literal)
        for source, kind, literal in sources
    ]


def _all_of(table: str, held: Held) -> dict[tuple[ColumnRef, int, bool], None] | None:
    """A `*` of a table that was filled column by column: whatever these hold."""
    columns = [sources for ref, sources in held.items() if ref.table == table and ref.column != PSEUDO_ROWS]
    return {each: None for sources in columns for each in sources} or None


def _behind_struct(ref: ColumnRef, held: Held) -> dict[tuple[ColumnRef, int, bool], None] | None:
    """A field of a column that was written as a whole: the same field of a column passed on, else all that made it."""
    name, dot, field = ref.column.rpartition(".")
    while dot:
        whole = held.get(ColumnRef(ref.table, name))
        if whole is not None:
            return {
                (
                    ColumnRef(source.table, f"{source.column}.{field}") if kind == IDENTITY else source,
                    kind,
                    literal,
                ): None
                for source, kind, literal in whole
            }
        name, dot, last = name.rpartition(".")
        field = f"{last}.{field}"
    return None


def _once(edges: Iterable[Edge]) -> list[Edge]:
    """One edge per record."""
    return list({edge[:4]: edge for edge in edges}.values())


def _is_read_whole(ref: ColumnRef, read: set[ColumnRef]) -> bool:
    """Whether a later statement reads all columns of the table, whatever they are called."""
    return ref.column != PSEUDO_ROWS and ColumnRef(ref.table, "*") in read


def ends_only(statements: Sequence[tuple[list[Edge], Fate]]) -> list[list[Edge]]:
    """Leave out edges into columns that a later statement of the script reads: they are not where the way ends."""
    made: dict[ColumnRef, set[ColumnRef]] = {}
    for edges, fate in statements:
        for edge in edges if fate.computed else ():
            if edge.target in fate.computed:
                made.setdefault(edge.target, set()).add(edge.source)
    results: list[list[Edge]] = []
    read: set[ColumnRef] = set()
    for edges, fate in reversed(statements):
        results.append(
            [e for e in edges if not (e.target in read or _is_read_whole(e.target, read) or _is_place(e, fate))]
        )
        sources = {e.source for e in edges if e.source != e.target}
        read.update(sources, *(made[source] for source in sources if source in made))
    return results[::-1]
