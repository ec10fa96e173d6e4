"""What `analyze` gives: the lineage of a script, statement by statement, at every level."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf
from typing import TYPE_CHECKING, TypeVar

from headwater.export import render
from headwater.lineage.branch_conditions import BranchConditions
from headwater.lineage.column_level import Edge, Eliminator, shown
from headwater.lineage.complete import CompleteModel, complete
from headwater.lineage.level_limit import excess_with_literals
from headwater.lineage.private_tables import PrivateTables
from headwater.lineage.script_level import Fate, collapse, ends_only
from headwater.model.diagnostic import Code, Diagnostic
from headwater.model.entity import ORPHAN_TABLE, PSEUDO_ROWS, ColumnRef, EntityKind
from headwater.model.kind import FDD, FOREIGN_KEY, JOIN
from headwater.model.relation import ColumnEdge, Process, Relation, TableEdge
from headwater.model.resolution import Resolution
from headwater.model.span import LineIndex, Position, Span
from headwater.model.work import OutOfTime, Work, WorkLimits

if TYPE_CHECKING:
    from headwater.export.feed import Level

Made = TypeVar("Made")

ROWS = ("node", "expanded", "none")
_SECONDS_FOR_LEVELS = 0.5
"""What making levels may take in any case."""
_WESTERN = {"latin-1": "Latin-1", "cp1252": "Windows-1252"}


@dataclass(frozen=True)
class StatementLineage:
    """The lineage of one statement: its resolution, its redacted text, and the dialect that understood it."""

    resolution: Resolution
    sql: str
    dialect: str

    @cached_property
    def model(self) -> CompleteModel:
        """The complete model."""
        return complete(self.resolution)

    def in_time(self, make: Callable[[], list[Made]]) -> list[Made]:
        """What is made of the statement; nothing, and a diagnostic, if the time is up before."""
        try:
            return make()
        except OutOfTime:
            message = "the time of the script was up before all relations of the statement were made: they are left out (--timeout)"
            place = self.resolution.process.span
            late = Diagnostic(Code.TIMEOUT, message, place, hint="allow more with --timeout, or take the script apart")
            if late not in self.resolution.diagnostics:
                self.resolution.diagnostics.append(late)
            return []

    @cached_property
    def edges(self) -> list[Edge]:
        """Column-level edges, literals and row sets included."""
        return self.in_time(lambda: list(Eliminator(self.resolution).edges()))

    @cached_property
    def plain_edges(self) -> list[Edge]:
        """Column-level edges from columns and row sets, without those from literals, which can be many more."""
        return self.in_time(lambda: list(Eliminator(self.resolution, literals=False).edges()))

    @cached_property
    def constants(self) -> dict[ColumnRef, list[str]]:
        """The literals that each column is made of."""
        found: dict[ColumnRef, list[str]] = {}
        for edge in self.edges:
            if edge.literal:
                found.setdefault(edge.target, []).append(edge.source.column)
        return found

    @cached_property
    def _makers(self) -> dict[int, list[int]]:
        """For each column of the complete model the columns that flow into it."""
        return {r.target: [s.column for s in r.sources] for r in self.model.relations if r.type == FDD}

    @cached_property
    def _namesakes(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for column in self.model.columns:
            if column.id in self._makers:
                found.setdefault(column.name, []).append(column.id)
        return found

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """What went wrong; what has no place of its own is said of the whole statement."""
        whole = self.resolution.process.span
        return [d if d.span is not None else replace(d, span=whole) for d in self.resolution.diagnostics]

    def functions_behind(self, target: ColumnRef) -> list[str]:
        """The functions that a column is made by, for one that no column makes."""
        model, sources = self.model, self._makers
        pending = list(self._namesakes.get(target.column, ()))
        names: dict[str, None] = {}
        seen: set[int] = set()
        while pending:
            column = pending.pop()
            if column not in seen:
                seen.add(column)
                if model.entities[model.columns[column].entity].kind is EntityKind.FUNCTION:
                    names[model.columns[column].name] = None
                pending.extend(sources.get(column, ()))
        return list(names)

    @cached_property
    def outputs(self) -> list[ColumnRef]:
        """The written columns, then those of the query that is shown or of RETURNING, in order."""
        resolution = self.resolution
        shown = [ColumnRef(None, resolution.columns[c][1]) for c in resolution.outputs]
        written = set(resolution.written)
        targets = dict.fromkeys(
            t
            for t, _, kind, _ in resolution.edges
            if kind != JOIN and resolution.columns[t][0] in written and resolution.columns[t][1] != PSEUDO_ROWS
        )
        return [
            ColumnRef(".".join(resolution.entities[resolution.columns[t][0]].table or ()), resolution.columns[t][1])
            for t in targets
        ] + shown


class Lineage:
    """The lineage of a script."""

    def __init__(
        self,
        statements: Sequence[StatementLineage],
        text: str,
        path: str | None = None,
        redacted: Callable[[int, int], str] | None = None,
        limits: WorkLimits | None = None,
        seconds: float = inf,
    ) -> None:
        """*redacted* gives the text between two offsets without its secrets; without it no text is shown.

        The *limits* of a statement hold for all levels; *seconds* are left of the script's time.
        """
        self.statements = list(statements)
        self.path = path
        self._text = text
        self._redacted = redacted
        self._limits = limits or WorkLimits()
        self._seconds = max(seconds, _SECONDS_FOR_LEVELS)
        self._remarks: list[Diagnostic] = []
        self._hidden: Collection[Code] = ()

    def note_encoding(self, encoding: str) -> None:
        """Remark that the script was not written in a Unicode encoding, so that its names may be misread."""
        if encoding in _WESTERN:
            message = f"the file is not UTF-8 and was read as {_WESTERN[encoding]}; names with accents may be wrong"
            self.remark(Diagnostic(Code.ENCODING, message, hint="save it as UTF-8"))

    def note_zeros(self) -> None:
        """Remark that the script holds NUL characters, which are read as spaces."""
        if "\0" in self._text:
            place = self._text.index("\0")
            message = "the script holds NUL characters; they are read as spaces"
            self.remark(Diagnostic(Code.ENCODING, message, Span(place, place + 1), hint="save it as UTF-8"))

    def remark(self, diagnostic: Diagnostic) -> None:
        """Say something of the script as a whole."""
        self._remarks.append(diagnostic)

    @contextmanager
    def within_time(self) -> Iterator[None]:
        """Make levels inside of this in the script's time; a statement whose level is not made by then says so, and has nothing there."""
        with Work(self._limits, self._seconds) as work:
            yield
        self._seconds = work.left

    def hide(self, codes: Collection[Code]) -> None:
        """Leave diagnostics of these codes out, here and in every format."""
        self._hidden = codes

    @cached_property
    def _lines(self) -> LineIndex:
        return LineIndex(self._text)

    def position(self, span: Span | None) -> Position | None:
        """Line and column where a span begins."""
        return None if span is None else self._lines.position(span.start)

    def positions(self, span: Span) -> tuple[Position, Position]:
        """Lines and columns where a span begins, and just after its end."""
        return self._lines.position(span.start), self._lines.position(span.end)

    def line(self, number: int) -> Span:
        """The stretch of a line of the script, counted from 1."""
        return self._lines.line(number)

    def excerpt(self, start: int, end: int) -> str:
        """The script's text between two offsets, without its secrets."""
        return self._redacted(start, end) if self._redacted and start < end else ""

    @property
    def diagnostics(self) -> list[Diagnostic]:
        """The diagnostics of the script as a whole, then those of its statements, in order; what is said of a place is said once."""
        said: dict[Diagnostic | int, Diagnostic] = {}
        for diagnostic in (*self._remarks, *(d for s in self.statements for d in s.diagnostics)):
            if diagnostic.code not in self._hidden:
                said[diagnostic if diagnostic.span is not None else len(said)] = diagnostic
        return list(said.values())

    @property
    def relations(self) -> list[Relation]:
        """The relations of the complete models, statement by statement; column ids are those of each statement's model."""
        return [r for s in self.statements for r in s.model.relations]

    @property
    def sources(self) -> list[str]:
        """Tables that the script reads, sorted."""
        return sorted({name for s in self.statements for name in _read(s.resolution)})

    @property
    def targets(self) -> list[str]:
        """Tables that the script writes, sorted."""
        return sorted({name for s in self.statements for name in _names(s.resolution, s.resolution.written)})

    def column_edges(
        self,
        rows: str = "node",
        literals: bool = False,
        collapse_temp: bool = False,
        end_to_end: bool = False,
    ) -> list[ColumnEdge]:
        """Column-level edges of all statements, each record once.

        `rows` says what becomes of row sets: `node` shows them as `PseudoRows`, `expanded` gives their influence to every
        column of the target, `none` leaves them out. `collapse_temp` joins the hops over temporary tables, `end_to_end` all
        hops inside the script.
        """
        if rows not in ROWS:
            raise ValueError(f"rows must be one of {', '.join(ROWS)}, not {rows!r}")
        found: dict[tuple[object, ...], tuple[Edge, Process]] = {}
        ways = BranchConditions((_key(s.resolution), s.resolution.conditions) for s in self.statements)
        for statement, edges in zip(self.statements, self._edges(collapse_temp, end_to_end, literals), strict=True):
            process, key = statement.resolution.process, _key(statement.resolution)
            kept = self._with_rows(edges, rows, statement)
            ways.note(key, statement.resolution.conditions, (edge[:4] for edge in kept))
            for edge in kept:
                found.setdefault((*edge[:4], *key), (edge, process))
        return [
            shown(edge, process, ways.of((process.procedure, process.query_hash), edge[:4]))
            for edge, process in found.values()
        ]

    def _edges(self, collapse_temp: bool, end_to_end: bool, literals: bool) -> list[list[Edge]]:
        plain = [self._with_literals(s) if literals else s.plain_edges for s in self.statements]
        if not (collapse_temp or end_to_end):
            return plain
        private = PrivateTables([s.resolution for s in self.statements])
        if not private:
            return self._joined(plain, collapse_temp, end_to_end, private)
        apart = [private.apart(s.resolution, edges) for s, edges in zip(self.statements, plain, strict=True)]
        joined = self._joined(apart, collapse_temp, end_to_end, private)
        return [private.together(edges) for edges in joined]

    def _joined(
        self, plain: list[list[Edge]], collapse_temp: bool, end_to_end: bool, private: PrivateTables
    ) -> list[list[Edge]]:
        fates = [
            Fate(
                frozenset(private.name(s.resolution, ".".join(table)) for table in s.resolution.replaced),
                s.resolution.process.type in ("Update", "Merge"),
                frozenset(
                    ColumnRef(private.name(s.resolution, ".".join(d.table)), c)
                    for d in s.resolution.defines
                    for c in d.computed
                ),
                frozenset(
                    ".".join(s.resolution.entities[w.entity].table or ())
                    for w in s.resolution.wildcards
                    if not w.is_place
                ),
                s.resolution.turns,
            )
            for s in self.statements
        ]
        temporary = {private.name(s.resolution, n) for s in self.statements for n in _temporary(s.resolution)}
        if end_to_end:
            written = {*self.targets, *private}
            joined = self._collapsed(plain, fates, written)
            joined = _ends(list(zip(plain, fates, strict=True)), joined)
            if not collapse_temp:
                return joined
            return [[e for e in edges if e.target.table not in temporary] for edges in joined]
        joined = self._collapsed(plain, fates, temporary)
        return [[e for e in edges if e.target.table not in temporary] for edges in joined]

    def _collapsed(self, plain: list[list[Edge]], fates: list[Fate], tables: set[str]) -> list[list[Edge]]:
        """The statements' edges without the hops over these tables; a statement for which they are too many says so."""
        most = inf if self._limits.relations is None else self._limits.relations
        try:
            joined, unjoined = collapse(list(zip(plain, fates, strict=True)), tables.__contains__, most)
        except OutOfTime:
            self._say_left_out(Code.TIMEOUT, "hops are not joined: the time of the script is up", "--timeout", None)
            return plain
        for number in unjoined:
            place = self.statements[number].resolution.process.span
            message = (
                f"the hops into the statement are not joined: with them the script has more than {most:,} relations"
            )
            self._say_left_out(Code.TOO_LARGE, message, self._limits.option, place)
        return joined

    def _say_left_out(self, code: Code, message: str, option: str, place: Span | None) -> None:
        said = Diagnostic(code, f"{message} ({option})", place, hint=f"allow more with {option}")
        if said not in self._remarks:
            self.remark(said)

    def _with_literals(self, statement: StatementLineage) -> list[Edge]:
        """A statement's edges with those from literals; where these are too many, they are left out, which is said."""
        excess = excess_with_literals(statement.resolution, self._limits)
        if excess is None:
            return statement.edges
        message = f"literals are left out: {excess.message.removesuffix(f' ({self._limits.option})')}"
        self._say_left_out(Code.TOO_LARGE, message, self._limits.option, statement.resolution.process.span)
        return statement.plain_edges

    def _with_rows(self, edges: list[Edge], rows: str, statement: StatementLineage) -> list[Edge]:
        """Edges with row sets as they are wanted; where they are too many on every column, they are left out, which is said."""
        if rows == "expanded":
            deciding = sum(e.target.column == PSEUDO_ROWS for e in edges)
            targets = {*statement.outputs, *(e.target for e in edges)} if deciding else ()
            excess = self._limits.excess(len(edges) + deciding * len(targets), " with row sets on every column")
            if excess is not None:
                message = f"row sets are left out: {excess.message.removesuffix(f' ({self._limits.option})')}"
                self._say_left_out(Code.TOO_LARGE, message, self._limits.option, statement.resolution.process.span)
                rows = "none"
        return _with_rows(edges, rows, statement)

    def table_edges(self, collapse_temp: bool = False) -> list[TableEdge]:
        """Table-level edges: what each process reads and writes."""
        found: dict[TableEdge, None] = {}
        for statement, edges in zip(self.statements, self._edges(collapse_temp, False, False), strict=True):
            for edge in edges:
                if edge.source.table is not None and edge.source.table != ORPHAN_TABLE and edge.kind != FOREIGN_KEY:
                    found[TableEdge(edge.source.table, edge.target.table, statement.resolution.process)] = None
        return list(found)

    def to(self, format: str, level: Level | None = None) -> str:
        """The lineage in an exchange format that is text: `json`, `csv`, `sqlflow-xml`, `mermaid`, … (docs/export.md)."""
        return render(self, format, level)


def _key(resolution: Resolution) -> tuple[str, str]:
    """What the ways of one statement share."""
    return resolution.process.procedure, resolution.process.query_hash


def _ends(statements: list[tuple[list[Edge], Fate]], joined: list[list[Edge]]) -> list[list[Edge]]:
    """Edges of *joined* into columns that no later statement reads, as the statements' own edges have it."""
    kept = ends_only(statements)
    targets = [{e.target for e in edges} for edges in kept]
    return [[e for e in edges if e.target in ends] for edges, ends in zip(joined, targets, strict=True)]


def _names(resolution: Resolution, entities: Iterable[int]) -> Iterator[str]:
    for entity in entities:
        table = resolution.entities[entity].table
        if table is not None:
            yield ".".join(table)


def _read(resolution: Resolution) -> Iterator[str]:
    yield from _names(resolution, resolution.read)
    written = set(resolution.written)
    used = {resolution.columns[source][0] for _, source, _, _ in resolution.edges}
    yield from _names(resolution, sorted(used & written))


def _temporary(resolution: Resolution) -> Iterator[str]:
    return _names(resolution, (i for i, row in enumerate(resolution.entities) if row.temporary))


def _with_rows(edges: list[Edge], rows: str, statement: StatementLineage) -> list[Edge]:
    if rows == "node":
        return edges
    plain = [e for e in edges if PSEUDO_ROWS not in (e.source.column, e.target.column)]
    if rows == "none":
        return plain
    others = [e for e in edges if e.target.column != PSEUDO_ROWS]
    targets = dict.fromkeys([*statement.outputs, *(e.target for e in others)])
    present = {(e.source, e.target) for e in others}
    expanded = [
        Edge(e.source, target, e.kind, "", e.literal)
        for e in edges
        if e.target.column == PSEUDO_ROWS
        for target in targets
        if target.table == e.target.table and (e.source, target) not in present
    ]
    return others + expanded
