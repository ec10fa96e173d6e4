"""`Schedule`: scripts resolved so that definitions are known before they are used, in whatever files they stand.

Scripts are finished in the order of their paths. Before a statement is resolved, the scripts that define what it mentions go on as far as
that definition (`in_force`). Where such a script waits itself, the defining statement is resolved ahead of its turn, for its definition
alone. Statements that need each other in a cycle go without the definition that would close it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from headwater.budget import Budget
from headwater.lineage.lineage import Lineage
from headwater.model.entity import TableName, is_private
from headwater.model.relation import OUTSIDE
from headwater.model.resolution import Definition, Resolution, SqlFunction
from headwater.model.work import OutOfTime, Work
from headwater.order.cut import Cut, cut
from headwater.order.in_force import InForce, Place
from headwater.order.script_run import Resolver, ScriptRun
from headwater.resolve import Session
from headwater.sql.dialect import Dialect
from headwater.sql.script import Script
from headwater.sql.source import Source

_END = 2**62
"""An ordinal behind all statements."""


class Scheduled(NamedTuple):
    """A script to resolve, and the state in which it begins; definitions of other scripts come from the schedule."""

    text: str
    dialects: Sequence[Dialect]
    session: Session
    path: str | None


class Known(dict[TableName, Definition]):
    """The definitions that a script made itself, and those that others made, as far as it asked for them."""

    def __init__(self, elsewhere: Callable[[TableName], Definition | None]) -> None:
        super().__init__()
        self._elsewhere = elsewhere
        self._lent: set[TableName] = set()

    def lend(self, table: TableName, definition: Definition) -> None:
        """Make another script's definition known, unless the script has one of its own."""
        if table not in self or table in self._lent:
            self._lent.add(table)
            self[table] = definition

    def update(self, made: Iterable[tuple[TableName, Definition]]) -> None:  # type: ignore[override]
        """Add definitions of the script's own."""
        own = dict(made)
        self._lent.difference_update(own)
        super().update(own)

    def get(self, table: TableName, default: Definition | None = None) -> Definition | None:  # type: ignore[override]
        """What is known of a table."""
        found = super().get(table)
        return found or self._elsewhere(table) or default


class _Goal(NamedTuple):
    """What is to be reached: a script has resolved a statement, or this statement is resolved ahead of its turn."""

    place: Place
    ahead: bool = False


class Schedule:
    """Scripts under way."""

    def __init__(self, scripts: Sequence[Scheduled], resolver: Resolver, budget: Budget | None = None) -> None:
        self._budget = budget or Budget()
        self._scripts = scripts
        self._resolver = resolver
        self._cuts = [_cuts(each, self._budget) for each in scripts]
        self._starts = [[each.span.start for each in cuts] for cuts in self._cuts]
        self._in_force = InForce([[each.mentions for each in cuts] for cuts in self._cuts])
        self._runs: dict[int, ScriptRun] = {}
        self._needs: dict[Place, list[Place]] = {}
        self._settled: set[Place] = set()
        """Statements that nobody waits for any more."""
        self._made: dict[Place, dict[TableName, Definition]] = {}
        self._functions: dict[Place, list[SqlFunction]] = {}
        self._lasting: dict[TableName, Definition] = {}
        self._lasting_functions: dict[tuple[TableName, int], SqlFunction] = {}

    def lineages(self) -> Iterator[Lineage]:
        """The lineage of each script, in order."""
        for number in range(len(self._scripts)):
            self._reach(_Goal(Place(number, _END)))
            yield self._runs.pop(number).lineage()

    def _reach(self, goal: _Goal) -> None:
        stack = [goal]
        active = {goal.place.script}
        ahead: set[Place] = set()
        while stack:
            place, is_ahead = stack[-1]
            at = place if is_ahead else self._next(place.script)
            if at is None or (not is_ahead and at.ordinal > place.ordinal):
                stack.pop()
                active.discard(place.script)
                continue
            needed = self._missing(at)
            if needed is None:
                if is_ahead:
                    self._resolve_ahead(place)
                    stack.pop()
                    ahead.discard(place)
                else:
                    self._step(at)
            elif needed.script not in active:
                active.add(needed.script)
                stack.append(_Goal(needed))
            elif needed in ahead:
                self._settled.add(needed)
            else:
                ahead.add(needed)
                stack.append(_Goal(needed, ahead=True))

    def _next(self, script: int) -> Place | None:
        """The place that a script has reached; None behind its last statement."""
        run = self._runs.get(script)
        if run is None:
            run = self._runs[script] = self._begun(script)
        if run.offset is None:
            return None
        return Place(script, max(bisect_right(self._starts[script], run.offset) - 1, 0))

    def _begun(self, number: int) -> ScriptRun:
        script = self._scripts[number]
        session = self._session(number, script.session)
        return ScriptRun(script.text, script.dialects, session, script.path, self._resolver, self._budget)

    def _session(self, number: int, first: Session, ordinal: int | None = None) -> Session:
        """The state in which a script begins, or in which one of its statements is resolved ahead of its turn."""

        def elsewhere(table: TableName) -> Definition | None:
            place = Place(number, ordinal) if ordinal is not None else self._next_of(number)
            definer = self._in_force.definer(table, place)
            found = self._made.get(definer, {}).get(table) if definer is not None else None
            return found or self._lasting.get(table)

        session = replace(first, defined=Known(elsewhere), functions={})
        session.define_functions(self._lasting_functions.values())
        return session

    def _next_of(self, number: int) -> Place:
        found = self._next(number) if number in self._runs else None
        return found or Place(number, _END)

    def _missing(self, place: Place) -> Place | None:
        """A statement that is to be resolved before the one at a place; None if there is none any more."""
        if not self._cuts[place.script]:
            return None
        pending = self._needs.get(place)
        if pending is None:
            pending = self._needs[place] = list(self._in_force.needs(place))
        while pending and (pending[-1] in self._settled or self._is_own_past(pending[-1], place)):
            pending.pop()
        return pending[-1] if pending else None

    def _is_own_past(self, needed: Place, place: Place) -> bool:
        """Whether what is needed is of the statement's own script, which resolves its statements in order."""
        run_is_there = needed.script == place.script and needed.ordinal < place.ordinal
        return run_is_there and self._next_of(place.script).ordinal > needed.ordinal

    def _step(self, place: Place) -> None:
        run = self._runs[place.script]
        self._lend(run.session, place)
        made = run.step()
        self._keep(place, made)
        after = self._next(place.script)
        if after is None or after.ordinal > place.ordinal:
            self._settled.add(place)

    def _lend(self, session: Session, place: Place) -> None:
        """Make known to a session what a statement needs of other scripts."""
        known = session.defined
        if not self._cuts[place.script] or not isinstance(known, Known):
            return
        for definer, tables in self._in_force.needs(place).items():
            for table in tables:
                if table in self._made.get(definer, ()):
                    known.lend(table, self._made[definer][table])
            session.define_functions(self._functions.get(definer, ()))

    def _resolve_ahead(self, place: Place) -> None:
        """Resolve a statement for its definitions; its script resolves it again when its turn comes."""
        script, piece = self._scripts[place.script], self._cuts[place.script][place.ordinal]
        first = replace(script.session, default_schema=piece.default_schema)
        session = self._session(place.script, first, place.ordinal)
        self._lend(session, place)
        text = piece.raw if piece.readable is None else Source(piece.raw, piece.readable)
        for statement in Script(text, script.dialects, postpone=True).statements():
            for each in self._resolver(statement, script.dialects, session):
                session = session.after(each.resolution)
                self._keep(place, [each.resolution])
        self._settled.add(place)

    def _keep(self, place: Place, made: Iterable[Resolution]) -> None:
        """Keep what statements define for other scripts."""
        for resolution in made:
            inside = resolution.process.procedure != OUTSIDE
            for each in resolution.defines:
                if not each.dropped and not each.temporary and not (inside and is_private(each.table)):
                    self._made.setdefault(place, {})[each.table] = each
                    self._lasting[each.table] = each
            functions = [each for each in resolution.functions if not each.temporary]
            if functions:
                self._functions.setdefault(place, []).extend(functions)
                self._lasting_functions.update({(each.name, len(each.parameters)): each for each in functions})


def _cuts(script: Scheduled, budget: Budget) -> tuple[Cut, ...]:
    """A script's cuts; none of a script that cannot be cut, about which its own analysis says why."""
    default = ".".join(script.session.default_schema or ())
    if budget.excess_of(len(script.text)) is not None:
        return ()
    try:
        with Work(budget.limits, budget.script_seconds):
            return cut(script.text, [each.name for each in script.dialects], default).cuts
    except OutOfTime:
        return ()
    except Exception:  # noqa: BLE001 - the script boundary: its analysis meets the same defect, and records it
        return ()
