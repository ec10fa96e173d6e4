"""A program, followed step by step: branches are joined, loops run until nothing new is found, handlers may take over at any point.

What comes out are the resolutions of its statements, each with what its variables held and what decided over it. A statement is
resolved once, when it is first met; only what is held is worked out again.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import reduce

from headwater.model.entity import PSEUDO_ROWS, EntityKind, TableName
from headwater.model.kind import IDENTITY
from headwater.model.resolution import Resolution, SqlFunction, Turn, Variable
from headwater.model.span import Span
from headwater.model.work import TooLarge, check_time
from headwater.procedural.around import Around
from headwater.procedural.branch_definitions import BranchDefinitions
from headwater.procedural.declared import declare
from headwater.procedural.defect import failed
from headwater.procedural.escape import escapes
from headwater.procedural.executed import ExecutedTexts, executed_at, know_texts, reader
from headwater.procedural.implicit import add_implicit, counts_rows, session_variables
from headwater.procedural.origin import Key, Origin, State
from headwater.procedural.private_table import PrivateTables
from headwater.procedural.step import StepResolution
from headwater.procedural.summary import Summary
from headwater.procedural.trigger import trigger_rows
from headwater.procedural.way import Controls, Way, meeting
from headwater.resolve import Session, resolve
from headwater.resolve.last_result import forget_result
from headwater.resolve.named_type import fields_of_type
from headwater.resolve.variable import Variables, found
from headwater.sql.dialect import Dialect
from headwater.sql.form import Routine
from headwater.sql.procedural.executed import sees_no_variables
from headwater.sql.procedural.form import Call, Dynamic, Fetch, IntoVariables
from headwater.sql.procedural.text import texts_of
from headwater.sql.procedural.tree import (
    Choice,
    Do,
    Group,
    Handler,
    Inner,
    Leave,
    Let,
    Program,
    Repeat,
    Step,
)
from headwater.sql.statement import Statement

_RETURNS_NEXT = re.compile(r"\breturn\s+next\s*;")
_MOST_EXECUTED = 5
"""How deep texts that execute texts are followed: one that executes itself would never end."""
_MOST_ROUNDS = 12
"""Rounds after which a loop is left as it is; each round but the last has found something new."""
_MOST_TEXT_ROUNDS = 3
"""Rounds after which nothing is known of texts that still grow."""


class Run:
    """A run through one program."""

    def __init__(
        self,
        session: Session,
        dialect: Dialect,
        procedure: str,
        variables: Variables,
        around: Around,
        text: str,
    ) -> None:
        """*text* is the program's, in lower case: what it does not name, nobody asks for."""
        self.session = session
        self.procedure = procedure
        self.variables = variables
        self.dialect = dialect
        self._made: dict[int, StepResolution] = {}
        self._order: list[StepResolution] = []
        self.inner: list[tuple[Program, Variables]] = []
        self._ends: list[State] = []
        """What was held wherever the program ended."""
        self._parameters: list[Variable] = []
        self._of_session: list[Variable] = []
        """Variables of the session that a routine names: whoever calls it reads and sets the same."""
        self._finished: list[tuple[Statement, Resolution]] = []
        self._executed = ExecutedTexts()
        self._place: Span | None = None
        """Where the text is executed whose statements are being followed."""
        self.returned = variables.returned()
        self._text = text
        self._counts = counts_rows(text)
        self._left: dict[str, list[State]] = {}
        """What was held wherever a block or loop was left by its label."""
        self._loops: list[list[State]] = []
        """What was held wherever a round of a loop ended early: of the loops under way, the innermost last."""
        self._private = PrivateTables(procedure)
        self._tables_given: dict[TableName, int] = {}
        """Parameters that are tables, with their positions."""
        self._around = around
        self._looped: dict[int, tuple[State, Controls, Way]] = {}
        """What each loop was entered with the last time, and where that led."""
        self._depth = 0
        """Executed texts inside of each other."""
        self._labels: list[str] = []
        """The labels of the loops around the step at hand."""
        self._turns: tuple[Turn, ...] = ()
        """The choices and loops around the step at hand."""
        self._definitions = BranchDefinitions()
        self._leaving: set[Key] = set()
        """Conditions under which a loop is left for good."""
        self._resuming: list[Handler] = []
        """Handlers in force behind which the way goes on."""

    def program(self, program: Program) -> None:
        """Follow a program from its beginning."""
        state = self._around.at_beginning(self.variables)
        if program.trigger is not None and program.trigger.tables:
            self.session = replace(
                self.session, changed=dict.fromkeys(map(self._folded, program.trigger.tables), program.trigger.table)
            )
        add_implicit(program, self.variables, self._text)
        if program.name is not None:
            self._of_session = session_variables(self.variables, self._text, program.place)
        for variable in self._of_session:
            origin = Origin(EntityKind.VARIABLE, None, variable.name, number=variable.number)
            state.set((variable.number, variable.name), {(origin, IDENTITY): None})
        for declared in program.parameters:
            variable = declare(declared, self.variables, self._around, self.session)
            self._parameters.append(variable)
            if self._private.know_typed(declared, self.session, self.dialect):
                self._tables_given[self._folded(declared.name),] = len(self._parameters) - 1
            if declared.mode == "out":
                continue
            for column in (variable.name,) if variable.kind == "scalar" else ("*", PSEUDO_ROWS):
                origin = Origin(EntityKind.VARIABLE, None, column, number=variable.number)
                state.set((variable.number, column), {(origin, IDENTITY): None})
        self.variables.out_columns = tuple(self._given_back(program))
        controls = trigger_rows(program, self.variables, self.session, state)
        self._private.know_returned(program, self.session, self.dialect)
        end = self._steps(program.steps, Way(state, controls, state), self.variables)
        if end.state is not None:
            self._ends.append(end.state)
        assigned = {number for step in self._order for number in step.assigns}
        self._around.ended(end.seen, reduce(State.with_, self._ends) if self._ends else None, assigned, self.variables)
        self._private.forget(self.session)

    def _given_back(self, program: Program) -> Iterator[Variable]:
        """The variables that a function gives back as a row: OUT parameters; columns of RETURNS TABLE, where RETURN NEXT is said."""
        if program.kind != "function" or self.dialect.family != "postgres":
            return
        for variable, declared in zip(self._parameters, program.parameters, strict=True):
            if declared.mode in ("out", "inout"):
                yield variable
        if program.columns and _RETURNS_NEXT.search(self._text):
            for name in program.columns:
                yield self.variables.add(name, "scalar", program.place)

    def _folded(self, name: str) -> str:
        return self.dialect.fold_column(name, False)

    def resolutions(self) -> list[tuple[Statement, Resolution]]:
        """The resolutions of the statements that were met, in the order of their places."""
        if not self._finished:
            self._finished = [self._finish(step) for step in self._ordered()]
            self._private.mark(resolution for _, resolution in self._finished)
        return list(self._finished)

    def _finish(self, step: StepResolution) -> tuple[Statement, Resolution]:
        try:
            return step.statement, step.finished(self.procedure)
        except (Exception, TooLarge) as error:  # noqa: BLE001 - as above
            return step.statement, failed(step.statement, error, self.session)

    def _ordered(self) -> list[StepResolution]:
        return sorted(self._order, key=lambda step: step.place.start)

    def function(self, program: Program, name: TableName) -> SqlFunction:
        """What a call of the program means."""
        outs = self.variables.out_columns
        taken = [
            (variable, declared)
            for variable, declared in zip(self._parameters, program.parameters, strict=True)
            if declared.mode != "out" or variable not in outs
        ]
        summary = Summary([variable for variable, _ in taken], self._of_session, self._tables_given, self._private.own)
        rows_in = program.rows_in
        for step, (_, resolution) in zip(self._ordered(), self.resolutions(), strict=True):
            summary.step(step, resolution, rows_in)
        end = reduce(State.with_, self._ends) if self._ends else State()
        modes = tuple(declared.mode or "in" for _, declared in taken)
        for variable, declared in taken:
            if declared.mode in ("out", "inout"):
                summary.out(variable, end)
        assigned = {number for step in self._order for number in step.assigns}
        for variable in self._of_session:
            if variable.number in assigned:
                summary.of_session(variable, end)
        shape = self.variables.shapes.get(self.returned.number, (self.returned.name,))
        fold = self.dialect.fold_column
        listed = tuple(fold(column, False) for column in program.columns)
        listed = listed or fields_of_type(self.session, self.dialect, program.returned_type)
        named = dict(zip(shape, listed, strict=False))
        summary.returned((*shape, PSEUDO_ROWS), self.returned, end, named)
        if self.returned.number not in self.variables.shapes:
            for variable in outs:
                summary.column(fold(variable.name, False), variable, end)
        parameters = tuple((fold(d.name, False), d.default or None) for _, d in taken)
        columns = listed or tuple(summary.columns)
        return SqlFunction(
            *(name, parameters, None, columns, False, summary.effects, modes),
            procedure=program.kind in ("procedure", "macro"),
        )

    # -- steps --------------------------------------------------------------------------------------------------------------

    def _steps(self, steps: Sequence[Step], way: Way, variables: Variables) -> Way:
        for step in steps:
            if way.state is None:
                # Nobody gets here; what stands here is looked at all the same, as if somebody did.
                way = Way(way.seen, way.controls, way.seen)
            way = self._step(step, way, variables)
        return way

    def _step(self, step: Step, way: Way, variables: Variables) -> Way:
        if isinstance(step, Do):
            return self._do(step.statement, way, variables)
        if isinstance(step, Let):
            declare(step.declared, variables, self._around, self.session)
            self._private.know_typed(step.declared, self.session, self.dialect)
            return way
        if isinstance(step, Choice):
            return self._choice(step, way, variables)
        if isinstance(step, Repeat):
            return self._repeat(step, way, variables)
        if isinstance(step, Group):
            return self._group(step, way, variables)
        if isinstance(step, Leave):
            return self._leave(step, way, variables)
        if isinstance(step, Inner):
            self.inner.append((step.program, variables))
        return way

    def _do(self, statement: Statement, way: Way, variables: Variables) -> Way:
        """One statement; a defect costs what it does, and the way goes on behind it."""
        check_time()
        at_hand = self._place, self._depth, self._resuming
        try:
            return self._followed(statement, way, variables)
        except (RecursionError, MemoryError):
            raise
        except (Exception, TooLarge) as error:  # noqa: BLE001 - the statement boundary: it costs its statement, not the program
            self._place, self._depth, self._resuming = at_hand
            self._give_up(statement, error)
            return way

    def _give_up(self, statement: Statement, error: Exception | TooLarge) -> None:
        """Put a statement that says what went wrong in the place of one that cannot be followed."""
        before = self._made.get(id(statement))
        made = StepResolution(statement, failed(statement, error, self.session), self._place or statement.span)
        self._made[id(statement)] = made
        self._order = [step for step in self._order if step is not before] + [made]

    def _followed(self, statement: Statement, way: Way, variables: Variables) -> Way:
        if isinstance(statement.tree, Dynamic):
            return self._execute(statement, statement.tree, way, variables)
        if isinstance(statement.tree, Routine) and statement.tree.program is not None:
            if statement.tree.program.name is not None:
                self.inner.append((statement.tree.program, variables.of_session()))
                return self._run(statement, way, variables)
            return self._steps(statement.tree.program.steps, way, Variables(self.dialect, self.procedure, variables))
        return self._run(statement, way, variables)

    def _run(self, statement: Statement, way: Way, variables: Variables) -> Way:
        assert way.state is not None
        made = self._resolved(statement, variables)
        state = made.run(way.state, way.controls)
        if self._counts and made.resolution.written:
            state = state.copy()
            for counted in self._counted(variables):
                state.set(counted, made.counted(way.state))
        if isinstance(statement.tree, Call):
            state = self._around.after_call(state, variables)
        if state is not way.state:
            know_texts(statement, made.resolution, way.state, state, variables)
        seen = way.seen
        if isinstance(statement.tree, Call):
            seen = seen.with_(state)
        elif state is not way.state:
            seen = seen.with_changes(state, (*made.changes, *self._counted(variables)))
        way = Way(state, way.controls, seen)
        return self._resumed(statement, way, variables) if self._resuming else way

    def _counted(self, variables: Variables) -> list[Key]:
        """What tells how many rows the last change met, where somebody asks."""
        told = (variables.counted(), found(variables)) if self._counts else ()
        return [(variable.number, variable.name) for variable in told if variable is not None]

    def _resumed(self, statement: Statement, way: Way, variables: Variables) -> Way:
        """Behind a statement that handlers may have taken over from; they are not in force inside of themselves."""
        handlers, self._resuming = self._resuming, []
        ends = [way]
        for handler in handlers:
            if not handler.not_found or isinstance(statement.tree, (Fetch, IntoVariables)):
                ends.append(self._steps(handler.steps, way, variables))
        self._resuming = handlers
        return meeting(ends, way.controls) if len(ends) > 1 else way

    def _execute(self, statement: Statement, form: Dynamic, way: Way, variables: Variables) -> Way:
        """A text is executed: each that it may be is one of several ways; one that is not known is said to be so."""
        assert way.state is not None
        ends = []
        lookup = reader(way.state, variables)
        for text in sorted(texts_of(form.text, lookup), key=repr):
            inner = self._executed.steps(statement, form, text, lookup) if self._depth < _MOST_EXECUTED else None
            if inner is None:
                ends.append(self._run(self._executed.unread(statement, form), way, variables))
                continue
            around, self._place = self._place, self._place or statement.span
            self._depth += 1
            inside = Variables(self.dialect, self.procedure, variables)
            reached = self._steps(inner.before, way, inside)
            inside.closed = sees_no_variables(form, self.dialect)
            reached = self._steps(inner.inside, reached, inside)
            inside.closed = False
            ends.append(self._steps(inner.behind, reached, inside))
            self._depth -= 1
            self._place = around
        return meeting(ends, way.controls)

    def _resolved(self, statement: Statement, variables: Variables) -> StepResolution:
        made = self._made.get(id(statement))
        if made is None:
            resolution = resolve(statement, replace(self.session, variables=variables))
            if self._place is not None:
                resolution = executed_at(resolution, self._place)
            forget_result(variables, statement.tree)
            resolution = resolution._replace(turns=self._turns)
            self._private.keep(resolution, self.session)
            self._definitions.note(resolution, self.session)
            self.session = self.session.after(resolution)
            made = self._made[id(statement)] = StepResolution(statement, resolution, self._place or statement.span)
            self._order.append(made)
        return made

    def _decided(self, statement: Statement, way: Way, variables: Variables) -> tuple[Way, Controls]:
        """Behind a condition; and what it decides."""
        way = self._do(statement, way, variables)
        decided: Controls = {}
        for each in (statement, *self._executed.followed(statement)):
            made = self._made.get(id(each))
            decided |= made.decides if made is not None else {}
        return way, decided

    def _choice(self, choice: Choice, way: Way, variables: Variables) -> Way:
        conditions: Controls = {}
        ends: list[Way] = []
        left = False
        around, outside = self._turns, choice.branches[-1].condition is not None
        first = choice.branches[0].condition
        place = (len(around), "choice", self._offset(first.span if first is not None else None))
        ways = len(choice.branches) + outside
        with self._definitions.choice(self.session, outside) as definitions:
            for i, branch in enumerate(choice.branches):
                if branch.condition is not None:
                    self._turns = (*around, Turn(place, -1, ways)) if i else around
                    way, decided = self._decided(branch.condition, way, variables)
                    conditions = {**conditions, **decided}
                guarded = Way(way.state, {**way.controls, **conditions}, way.seen)
                self._turns = (*around, Turn(place, i, ways))
                with definitions.branch():
                    end = self._steps(branch.steps, guarded, variables)
                left = left or end.state is None or len(end.controls) > len(guarded.controls)
                ends.append(end)
        self._turns = around
        if outside:
            ends.append(way)
        controls = dict(way.controls)
        if left:
            controls.update(conditions)
            for end in ends:
                controls.update(end.controls)
        return meeting(ends, controls)

    def _offset(self, span: Span | None) -> int:
        """Where something begins in the script: what stands in an executed text begins where that is executed."""
        return (self._place or span or Span(0, 0)).start

    def _repeat(self, loop: Repeat, way: Way, variables: Variables) -> Way:
        """A loop: its body is entered with what it left behind, until that is nothing new.

        A loop inside of others is come to again and again: once nothing new is brought there, what it gave before stands; and where more is
        brought than before, it goes on from there.
        """
        assert way.state is not None
        before = self._looped.get(id(loop))
        if before is not None and before[0].covers(way.state) and way.controls.keys() <= before[1].keys():
            return Way(before[2].state, before[2].controls, way.seen.with_(before[2].seen))
        reached = way.state
        if before is not None and before[2].state is not None and way.state.covers(before[0]):
            reached = way.state.with_(before[2].state)
        self._labels.append(loop.label)
        around = self._turns
        place = (len(around), "loop", self._offset(_first_span(loop)))
        self._turns = (*around, Turn(place, 0, 0))
        end = self._rounds(loop, way, reached, variables)
        self._turns = around
        self._labels.pop()
        self._looped[id(loop)] = (way.state, way.controls, end)
        return end

    def _rounds(self, loop: Repeat, way: Way, reached: State, variables: Variables) -> Way:
        """The rounds of a loop that is entered with what is *reached*."""
        entered = Way(reached, way.controls, reached)
        inside: Controls = {}
        for number in range(_MOST_ROUNDS):
            begun = Way(entered.state, {**entered.controls, **inside}, entered.seen)
            decided: Controls = {}
            if loop.head is not None and not loop.tests_last:
                begun, decided = self._decided(loop.head, begun, variables)
            body = Way(begun.state, {**begun.controls, **decided}, begun.seen)
            self._loops.append([])
            end = self._steps(loop.steps, body, variables)
            left = [*self._loops.pop(), *self._left.pop(loop.label, ())]
            if loop.head is not None and loop.tests_last:
                tested = end if end.state is not None else Way(end.seen, end.controls, end.seen)
                end, decided = self._decided(loop.head, tested, variables)
            leaving = self._leaving | decided.keys()
            exits = {k: v for k, v in {**end.controls, **decided}.items() if k not in entered.controls and k in leaving}
            assert entered.state is not None
            again = reduce(State.with_, left, entered.state if end.state is None else entered.state.with_(end.state))
            grown = len(exits) > len(inside)
            inside = {**inside, **exits}
            if number >= _MOST_TEXT_ROUNDS:
                again = again.without_new_texts(entered.state)
            covered = entered.state.covers_columns if number >= _MOST_TEXT_ROUNDS else entered.state.covers
            if covered(again) and not grown:
                entered = Way(again, entered.controls, entered.seen)
                break
            entered = Way(again, entered.controls, entered.seen.with_(end.seen))
        controls = {**entered.controls, **inside} if escapes(loop.steps, loop.label, True) else entered.controls
        return Way(entered.state, controls, way.seen.with_(entered.seen))

    def _group(self, group: Group, way: Way, variables: Variables) -> Way:
        inner = Variables(self.dialect, self.procedure, variables) if self.dialect.blocks_scope_variables else variables
        if group.label:
            inner.labels.add(self.dialect.fold_column(group.label, False))
        assert way.state is not None
        begun = Way(way.state, way.controls, way.state)
        around = self._resuming
        self._resuming = [*around, *group.resuming]
        end = self._steps(group.steps, begun, inner)
        self._resuming = around
        ends = [end]
        around_handlers, count = self._turns, len(group.handlers) + 1
        for i, handler in enumerate(group.handlers):
            first = next((step.statement.span for step in handler if isinstance(step, Do)), None)
            place = (len(around_handlers), "handler", self._offset(first))
            self._turns = (*around_handlers, Turn(place, i, count))
            ends.append(self._steps(handler, Way(end.seen, way.controls, end.seen), inner))
        self._turns = around_handlers
        if group.label:
            ends += [Way(state, {}, state) for state in self._left.pop(group.label, ())]
        escaped = not group.label or escapes(group.steps, group.label)
        joined = meeting(ends, end.controls if escaped else way.controls)
        return Way(joined.state, joined.controls, way.seen.with_(joined.seen))

    def _leave(self, leave: Leave, way: Way, variables: Variables) -> Way:
        controls = dict(way.controls)
        if way.state is not None and leave.label:
            self._left.setdefault(leave.label, []).append(way.state)
        elif way.state is not None and leave.out_of in ("loop", "round") and self._loops:
            self._loops[-1].append(way.state)
        if leave.condition is not None:
            way, decided = self._decided(leave.condition, way, variables)
            self._note_left(leave, {**controls, **decided})
            return Way(way.state, {**controls, **decided}, way.seen)
        self._note_left(leave, controls)
        way = self._do(leave.statement, way, variables)
        if leave.out_of == "routine" and way.state is not None:
            self._ends.append(way.state)
        return Way(None, controls, way.seen)

    def _note_left(self, leave: Leave, controls: Controls) -> None:
        """Remember what decides that a loop is left; CONTINUE only ends the round of its own loop."""
        innermost = self._labels[-1] if self._labels else ""
        if leave.out_of != "round" or (leave.label and leave.label != innermost):
            self._leaving.update(controls)


def _first_span(loop: Repeat) -> Span | None:
    """Where a loop begins, as far as a statement says so."""
    if loop.head is not None:
        return loop.head.span
    return next((step.statement.span for step in loop.steps if isinstance(step, Do)), None)
