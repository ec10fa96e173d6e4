"""The column level: persistent column to persistent column, everything between eliminated.

For each column the provenance is computed once: a bit mask of source columns per kind, composed along the edges. Masks
make the union of thousands of sources one integer operation.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from headwater.model.entity import PERSISTENT, PSEUDO_ROWS, ColumnRef, EntityKind
from headwater.model.kind import FDD, IDENTITY, JOIN, KINDS, as_of, compose
from headwater.model.relation import ColumnEdge, Process
from headwater.model.resolution import LITERALS, Resolution
from headwater.model.span import Span
from headwater.model.work import check_time

Provenance = dict[int, int]
"""Kind code to bit mask of sources."""


_ENDS = PERSISTENT | {EntityKind.LITERAL}

_OF_BRANCHES = frozenset({"union"})
"""Types of result sets whose columns stand in the select lists of others."""

_MANY = 16
"""From here on bits are set and read together: one by one, each would copy the whole mask."""


def _mask(bits: list[int]) -> int:
    """The integer with these bits set."""
    content = bytearray((max(bits) >> 3) + 1)
    for bit in bits:
        content[bit >> 3] |= 1 << (bit & 7)
    return int.from_bytes(content, "little")


class Edge(NamedTuple):
    """A column-level edge before it is shown: its ends, its kind code, and the expression with its place."""

    source: ColumnRef
    target: ColumnRef
    kind: int
    expression: str
    literal: bool = False
    span: Span | None = None


NumberedSource = tuple[int, int, tuple[str, Span | None]]
"""A source column, the kind, and the expression that makes the target of it, with its place."""

_NO_EXPRESSION: tuple[str, Span | None] = ("", None)


class Eliminator:
    """Computes the column-level edges of one resolution, with or without those from literals."""

    def __init__(self, resolution: Resolution, literals: bool = True, variables: bool = False) -> None:
        """With *variables* the way ends at these; else at what they held."""
        self._resolution = resolution
        self._literals = literals
        self._by_text: dict[str, int] = {}
        self._sources: dict[int, list[tuple[int, int]]] = {}
        edges = [*resolution.edges, *resolution.values] if resolution.values else resolution.edges
        for target, source, kind, _ in edges:
            if kind != JOIN:
                self._sources.setdefault(target, []).append((source, kind))
        self._terminal = [row.kind in _ENDS or (variables and row.variable is not None) for row in resolution.entities]
        self._mark_states()
        self._bits: dict[int, int] = {}
        self._columns: list[int] = []
        self._known: dict[int, Provenance] = {}
        self._made: dict[int, tuple[str, Span | None]] = {}
        self._refs: dict[int, ColumnRef] = {}

    def _mark_states(self) -> None:
        """Mark the edges from tables that are not read in their current state."""
        states = {number: row.as_of for number, row in enumerate(self._resolution.entities) if row.as_of}
        columns = self._resolution.columns
        for sources in self._sources.values() if states else ():
            sources[:] = [(s, as_of(k, states[columns[s][0]]) if columns[s][0] in states else k) for s, k in sources]

    def edges(self) -> Iterator[Edge]:
        """All edges, by target in the order in which the statement names them, data flow first."""
        for target in self._targets():
            check_time()
            yield from self._edges_into(target)

    def numbered(self) -> Iterator[tuple[int, list[NumberedSource]]]:
        """Each target column with its sources, all by their numbers: for whoever has names of its own for them."""
        for target in self._targets():
            check_time()
            yield target, self._sources_into(target)

    def counts(self) -> Iterator[int]:
        """For each target column how many relations lead into it, at most, without making them."""
        for target in self._targets():
            check_time()
            yield sum(mask.bit_count() for _, found in self._pieces(target) for mask in found.values())

    def targets(self) -> list[int]:
        """The columns that the statement writes or shows."""
        return self._targets()

    def sources_of(self, column: int) -> Iterator[tuple[int, int]]:
        """The columns that a column is made of at the ends of all ways, with their kinds."""
        made = self._composed(self._sources_known(column))
        for kind, mask in made.items():
            for source in self._columns_of(mask):
                yield source, kind

    def origins_of_data(self, column: int) -> set[int]:
        """The columns at which the data flow into a column begins: sources, literals, calls, and what has no known source."""
        found: set[int] = set()
        pending, seen = [column], {column}
        while pending:
            current = pending.pop()
            below = [s for s, kind in self._sources.get(current, ()) if KINDS[kind].type == FDD]
            if not below:
                found.add(current)
            pending += (s for s in below if s not in seen)
            seen.update(below)
        return found - {column}

    def _sources_known(self, column: int) -> list[tuple[int, int]]:
        sources = self._sources.get(column, [])
        for source, _ in sources:
            if not self._is_terminal(source):
                self.provenance(source)
        return sources

    def _targets(self) -> list[int]:
        resolution = self._resolution
        shown = [*resolution.outputs, resolution.output_rows] if resolution.output_rows >= 0 else []
        if not resolution.written:
            return shown
        written = set(resolution.written)
        columns = [c for c in self._sources if resolution.columns[c][0] in written]
        return sorted(columns, key=lambda c: (resolution.columns[c][1] == PSEUDO_ROWS, c)) + shown

    def _found(self, target: int) -> Iterable[tuple[int, int, int]]:
        """A target's sources: the column, the kind, and the column whose expression makes it. A column may both flow and decide."""
        found: dict[tuple[int, int, int], None] = {}
        for maker, provenance in self._pieces(target):
            for kind, mask in provenance.items():
                for column in self._columns_of(mask):
                    found[column, kind, maker] = None
        return found

    def _sources_into(self, target: int) -> list[NumberedSource]:
        if self._resolution.columns[target][1] == PSEUDO_ROWS:
            return [(column, kind, _NO_EXPRESSION) for column, kind, _ in self._found(target)]
        found: dict[tuple[int, int, str], NumberedSource] = {}
        for column, kind, maker in self._found(target):
            made = self._expression(maker)
            found.setdefault((column, kind, made[0]), (column, kind, made))
        return list(found.values())

    def _edges_into(self, target: int) -> Iterator[Edge]:
        edges = [self._edge(column, target, kind, maker) for column, kind, maker in self._found(target)]
        edges.sort(key=_order)
        yield from {edge[:4]: edge for edge in reversed(edges)}.values().__reversed__()

    def _edge(self, source: int, target: int, kind: int, maker: int) -> Edge:
        literal = self._resolution.columns[source][0] == LITERALS
        ref = self._ref(target)
        if ref.column == PSEUDO_ROWS:
            return Edge(self._ref(source), ref, kind, "", literal)
        expression, span = self._expression(maker)
        return Edge(self._ref(source), ref, kind, expression, literal, span)

    def _pieces(self, target: int) -> Iterator[tuple[int, Provenance]]:
        """What makes a target, split by the columns whose expressions do: the outermost projections, of a union one for each branch.

        A column without an expression of its own, behind a star, is followed to where it has one. What an outer projection passes on
        from a subquery or CTE (`s.p`) is told by its own text; the complete level has the inner one. The last piece is what reaches the
        target otherwise, such as an UPDATE's conditions.
        """
        pending, seen = [target], {target}
        rest: list[tuple[int, int]] = []
        maker = target
        while pending:
            column = pending.pop()
            sources = self._sources.get(column, [])
            passed = [s for s, k in sources if k == IDENTITY and self._is_output(s)]
            if column == target and not self._is_output(target):
                rest = [(s, k) for s, k in sources if not (k == IDENTITY and self._is_output(s))]
            elif len(passed) != len(sources) or self._is_projection(column):
                maker = column if maker == target else maker
                yield column, self.provenance(column)
                continue
            pending.extend(s for s in reversed(passed) if s not in seen)
            seen.update(passed)
        for source, _ in rest:
            if not self._is_terminal(source):
                self.provenance(source)
        yield maker, self._composed(rest)

    def _is_projection(self, column: int) -> bool:
        """Whether a column has its own place in a select list: not behind a star, and not that of a union, which takes its branches'."""
        entity = self._resolution.entities[self._resolution.columns[column][0]]
        return entity.type not in _OF_BRANCHES and self._says_something(column)

    def _says_something(self, column: int) -> bool:
        """Whether a column has an expression of its own that is not just a star."""
        expression, _ = self._expression(column)
        return bool(expression) and not expression.endswith("*")

    def _is_output(self, column: int) -> bool:
        entity = self._resolution.columns[column][0]
        return self._resolution.entities[entity].kind is EntityKind.RESULT_SET

    def _expression(self, column: int) -> tuple[str, Span | None]:
        """The text that makes a column, and where it stands."""
        found = self._made.get(column)
        if found is None:
            _, name, place = self._resolution.columns[column]
            found = ("", None) if name == PSEUDO_ROWS else self._resolution.expression(place)
            if not found[0]:
                found = ("", None)  # a place that is the column's name, and makes nothing
            self._made[column] = found
        return found

    def provenance(self, column: int) -> Provenance:
        """The sources of a column that is not itself a source, by kind."""
        known = self._known.get(column)
        if known is not None:
            return known
        order, cyclic = self._post_order(column)
        for each in order:
            self._known[each] = self._composed(self._sources.get(each, ()))
        while cyclic:
            cyclic = False
            for each in order:
                again = self._composed(self._sources.get(each, ()))
                if again != self._known[each]:
                    self._known[each] = again
                    cyclic = True
        return self._known[column]

    def _post_order(self, column: int) -> tuple[list[int], bool]:
        """Columns below *column* that are not known yet, sources first; and whether they go round in a circle."""
        order: list[int] = []
        cyclic = False
        state: dict[int, bool] = {}
        stack = [column]
        while stack:
            current = stack[-1]
            if current not in state:
                state[current] = True
                for source, _ in self._sources.get(current, ()):
                    if not self._is_terminal(source) and source not in self._known:
                        if source not in state:
                            stack.append(source)
                        elif state[source]:
                            cyclic = True
            else:
                stack.pop()
                if state[current]:
                    state[current] = False
                    order.append(current)
        return order, cyclic

    def _is_terminal(self, column: int) -> bool:
        return self._terminal[self._resolution.columns[column][0]]

    def _composed(self, sources: list[tuple[int, int]] | tuple[()]) -> Provenance:
        result: Provenance = {}
        many: dict[int, list[int]] | None = {} if len(sources) > _MANY else None
        for source, kind in sources:
            if self._is_terminal(source):
                bit = self._bit(source)
                if bit < 0:
                    continue
                if many is None:
                    result[kind] = result.get(kind, 0) | (1 << bit)
                else:
                    result.setdefault(kind, 0)
                    many.setdefault(kind, []).append(bit)
            else:
                for inner, mask in self._known.get(source, {}).items():
                    whole = compose(inner, kind)
                    result[whole] = result.get(whole, 0) | mask
        for kind, bits in (many or {}).items():
            result[kind] |= _mask(bits)
        return result

    def _bit(self, column: int) -> int:
        """The number of a source among all sources; -1 for a literal that nobody asks for. Literals of one text are one."""
        bit = self._bits.get(column)
        if bit is None:
            if self._resolution.columns[column][0] == LITERALS:
                bit = self._literal_bit(column)
            else:
                bit = self._next_bit(column)
            self._bits[column] = bit
        return bit

    def _literal_bit(self, column: int) -> int:
        if not self._literals:
            return -1
        text = self._ref(column).column
        bit = self._by_text.get(text)
        if bit is None:
            bit = self._by_text[text] = self._next_bit(column)
        return bit

    def _next_bit(self, column: int) -> int:
        self._columns.append(column)
        return len(self._columns) - 1

    def _columns_of(self, mask: int) -> Iterator[int]:
        if mask.bit_count() > _MANY:
            digits = bin(mask)[:1:-1]
            at = digits.find("1")
            while at >= 0:
                yield self._columns[at]
                at = digits.find("1", at + 1)
            return
        while mask:
            low = mask & -mask
            yield self._columns[low.bit_length() - 1]
            mask ^= low

    def _ref(self, column: int) -> ColumnRef:
        found = self._refs.get(column)
        if found is None:
            found = self._refs[column] = self._made_ref(column)
        return found

    def _made_ref(self, column: int) -> ColumnRef:
        entity, name, place = self._resolution.columns[column]
        if entity == LITERALS:
            return ColumnRef(None, f"literal({name or self._resolution.expression(place)[0]})")
        table = self._resolution.entities[entity].table
        return ColumnRef(".".join(table) if table else None, name)


def _order(edge: Edge) -> tuple[str, str, str, str, str]:
    kind = KINDS[edge.kind]
    return kind.type, edge.source.table or "", edge.source.column, kind.subtype or "", edge.expression


def shown(edge: Edge, process: Process, condition: str = "") -> ColumnEdge:
    """An edge as the public record."""
    kind = KINDS[edge.kind]
    return ColumnEdge(
        edge.source,
        edge.target,
        kind.type,
        kind.subtype,
        kind.clause,
        kind.masking,
        kind.candidate,
        edge.expression,
        process,
        edge.span,
        kind.as_of,
        condition,
    )
