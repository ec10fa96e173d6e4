"""Experiments with one statement: run it on made-up data, change one source at a time, and run it again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from sqlglot import exp

from headwater.model.entity import PSEUDO_ROWS, ColumnRef, TableName
from headwater.verify.database import CannotRun, Data, Database, Row, bag
from headwater.verify.hints import Hints
from headwater.verify.judge import Judge, Observation
from headwater.verify.meetings import Meetings
from headwater.verify.tables import Table
from headwater.verify.values import Maker, NoValues
from headwater.verify.worlds import Worlds

_SLOW = 3
"""Runs that may take too long."""
_SETTINGS = (
    ("int", "words"),
    ("int", "numbers"),
    ("text", "words"),
    ("int", "days"),
    ("date", "days"),
    ("text", "numbers"),
)
"""What columns are of which nothing tells the type, and what texts are like; tried in turn until the statement runs."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A statement as it is run: its text, its tables, and how its result is seen."""

    sql: str
    short: str | None
    """The statement with smaller limits, if it has limits."""
    shaken: dict[str, str]
    """Of a text that has windows with ties: the same with the ties broken by chance."""
    tables: list[Table]
    hints: Hints
    meetings: Meetings
    joined: int
    """How often tables are named."""
    shown: str | None
    """The query that shows what the statement has written; None for a query."""
    target: TableName | None
    place: TableName | None
    """Where unqualified tables are."""


@dataclass(slots=True)
class Findings:
    """What experiments gave."""

    observations: list[Observation] = field(default_factory=list)
    """Changes of a source that changed the result."""
    runs: int = 0
    empty: int = 0
    """Data sets whose result was empty."""
    stable: int = 0
    unstable: int = 0
    """Data sets whose result hung on the order of rows."""
    refused: str = ""
    """Why it did not run."""


class TooSlow(Exception):
    """So many runs took too long that no other is tried."""


class Experiment:
    """The experiments with one statement."""

    def __init__(self, trial: Trial, judge: Judge, seed: int, database: Callable[[], Database]) -> None:
        """The *judge* knows what is proved already, and what is said to have no influence."""
        self._new = database
        self._trial = trial
        self._judge = judge
        self._seed = seed
        self._found = Findings()
        self._slow = 0
        self._database = database()
        self._effort = self._database.effort
        self._sql = trial.sql

    def run(self) -> Findings:
        """Run all experiments."""
        try:
            self._run()
        except (CannotRun, NoValues) as error:
            self._found.refused = str(error)
        except TooSlow as error:
            self._found.refused = "" if self._found.observations else str(error)
        finally:
            self._database.close()
        return self._found

    def _run(self) -> None:
        """Change everything on some data sets, then what is not proved yet, as long as there are new proofs.

        What is said to have no influence is looked at on every data set, and on some more: no proof could tell when to stop.
        """
        self._arrange()
        done = vain = looked = 0
        unproved = self._judge.needed
        for number in range(self._effort.tries):
            seeking = done < self._effort.data_sets or (unproved and vain < self._effort.patience)
            if not seeking and (not self._judge.idle or looked >= self._effort.looks):
                break
            self._sql = (number % 2 and self._trial.short) or self._trial.sql
            maker = self._maker(f"{self._seed} {number}")
            data = self._data(maker)
            rows = self._baseline(data, counts=bool(seeking))
            if rows is None:
                continue
            wanted = None if done < self._effort.data_sets else {source for source, _ in unproved if seeking}
            seen = self._changes(data, rows, maker, wanted)
            self._observe_idle(data, rows, looked % self._effort.changes, maker)
            looked += 1
            proofs = self._judge.proved(seen) & unproved
            unproved -= proofs
            done += bool(seen)
            vain = 0 if proofs else vain + 1

    def _changes(self, data: Data, rows: list[Row], maker: Maker, only: set[ColumnRef] | None) -> list[Observation]:
        """What changes of sources do on a data set: of all, or only of some."""
        before = len(self._found.observations)
        for table, number in self._sources():
            if only is None or _source(table, number) in only:
                for way in range(self._effort.changes):
                    self._observe((table, number), data, rows, way, maker)
        return self._found.observations[before:]

    def _maker(self, seed: str) -> Maker:
        return Maker(Random(seed), self._flavour, self._trial.hints.days)

    def _arrange(self) -> None:
        """Find types with which the statement runs."""
        first: CannotRun | None = None
        for default, flavour in _SETTINGS:
            self._flavour = flavour
            self._types = {table.name: self._typed(table, exp.DataType.build(default)) for table in self._trial.tables}
            self._database.close()
            self._database = self._new()
            try:
                self._prepare()
                self._run_once()
                return
            except CannotRun as error:
                first = first or error
        assert first is not None
        raise first

    def _run_once(self) -> None:
        """Run the statement on the first data set that it does not stumble over."""
        for number in range(self._effort.stumbles):
            try:
                self._result(self._data(self._maker(f"{self._seed} {number}")))
                return
            except CannotRun as error:
                if number == self._effort.stumbles - 1 or not error.by_data:
                    raise

    def _prepare(self) -> None:
        filled = {table.name: table.filled for table in self._trial.tables}
        for name, columns in self._types.items():
            self._database.create(name, columns, filled[name])
        if self._trial.target:
            self._database.make_place(self._trial.target)
        if self._trial.place:
            self._database.use(self._trial.place)
        self._database.shut()

    def _typed(self, table: Table, default: exp.DataType) -> dict[str, exp.DataType]:
        hinted = self._trial.hints.types
        return {name: kind or hinted.get(name.lower(), default) for name, kind in table.columns.items()}

    def _data(self, maker: Maker) -> Data:
        worlds = Worlds(maker, self._trial.hints, self._trial.meetings, self._trial.joined)
        return {t.name: worlds.rows(self._types[t.name]) if t.filled else [] for t in self._trial.tables}

    def _baseline(self, data: Data, counts: bool) -> list[Row] | None:
        """The result on a data set, if it is fit for comparison; *counts*: whether that tells of the statement."""
        try:
            rows = self._result(data)
            by_chance = bool(rows) and self._by_chance(data, rows)
        except CannotRun:
            rows = []
        if not rows:
            self._found.empty += counts
            return None
        if by_chance:
            self._found.unstable += counts and self._sql == self._trial.sql
            return None
        self._found.stable += counts
        for name, content in data.items():
            self._database.fill(name, content)
        return rows

    def _result(self, data: Data, sql: str = "") -> list[Row]:
        """The result of the statement, or of another text of it, on a data set."""
        for name, content in data.items():
            self._database.fill(name, content)
        self._found.runs += 1
        try:
            rows = self._database.result(sql or self._sql, self._trial.shown, self._trial.target)
        except CannotRun as error:
            self._slow += error.slow
            if self._slow == _SLOW:
                raise TooSlow(str(error)) from error
            raise
        if rows and len(rows[0]) != self._judge.width:
            raise CannotRun("its result has other columns than the lineage", by_data=False)
        return rows

    def _by_chance(self, data: Data, rows: list[Row]) -> bool:
        """Whether the same data could give other rows: in another order, or with ties broken otherwise.

        The order of rows alone does not show every tie: a database may sort them by a hash of another column first.
        """
        if not _same(rows, self._result(_backwards(data))):
            return True
        shaken = self._trial.shaken.get(self._sql)
        return shaken is not None and any(
            not _same(rows, self._result(data, shaken)) for _ in range(self._effort.shakes)
        )

    def _sources(self) -> Iterator[tuple[Table, int]]:
        """The columns to change, as tables and the numbers of columns; -1 for the rows themselves."""
        for table in self._trial.tables:
            if table.filled:
                yield table, -1
                for number, name in enumerate(table.columns):
                    if ref(table.name, name) not in self._judge.idle:
                        yield table, number

    def _observe(self, source: tuple[Table, int], data: Data, rows: list[Row], way: int, maker: Maker) -> None:
        table, number = source
        content = data[table.name]
        if number < 0:
            other = _other_rows(content, way, maker.random)
        else:
            other = self._changed(table, number, content, way, maker)
        changed = {table.name: other}
        after = self._after(changed, data, rows) if other != content else None
        if after is not None:
            seen = Observation(_source(table, number), rows, after, data, changed, self._sql)
            self._found.observations.append(seen)

    def _after(self, changed: Data, data: Data, rows: list[Row]) -> list[Row] | None:
        """The result with some tables changed; None if it is the same, a matter of chance, or there is none."""
        try:
            after = self._result(changed)
            unsure = self._found.unstable or self._sql != self._trial.sql
            chance = unsure and self._by_chance(changed, after)
        except CannotRun:
            return None
        finally:
            for name in changed:
                self._database.fill(name, data[name])
        return None if chance or _same(rows, after) else after

    def _changed(self, table: Table, number: int, content: list[list[Any]], way: int, maker: Maker) -> list[list[Any]]:
        """A table with one of its columns changed: everywhere, in one row, nothing left, shuffled, or in some rows."""
        name = [*table.columns][number]
        kind, hints = self._types[table.name][name], self._trial.hints.values.get(name.lower(), ())
        chosen = maker.random.randrange(len(content)) if content else 0
        values = [row[number] for row in content]
        if way == 0:
            values = [maker.other(kind, hints, value) for value in values]
        elif way == 1 and values:
            values[chosen] = maker.other(kind, hints, values[chosen])
        elif way == 2:
            values = [None] * len(values)
        elif way == 3:
            maker.random.shuffle(values)
        else:
            values = [maker.other(kind, hints, v) if maker.random.random() < 0.4 else v for v in values]
        return [[*row[:number], value, *row[number + 1 :]] for row, value in zip(content, values, strict=True)]

    def _observe_idle(self, data: Data, rows: list[Row], way: int, maker: Maker) -> None:
        """Change everything that is said to have no influence at once; if that has one, one after the other."""
        idle = [
            (table, number)
            for table in self._trial.tables
            for number, name in enumerate(table.columns)
            if table.filled and ref(table.name, name) in self._judge.idle
        ]
        changed: Data = {}
        for table, number in idle:
            content = changed.get(table.name, data[table.name])
            changed[table.name] = self._changed(table, number, content, way, maker)
        if not changed or self._after(changed, data, rows) is None:
            return
        for source in idle:
            for each in range(self._effort.changes):
                self._observe(source, data, rows, each, maker)


def ref(table: TableName, column: str) -> ColumnRef:
    """A column of a table."""
    return ColumnRef(".".join(table), column)


def _source(table: Table, number: int) -> ColumnRef:
    """A column by its number; the rows for -1."""
    return ref(table.name, PSEUDO_ROWS if number < 0 else [*table.columns][number])


def _other_rows(content: list[list[Any]], way: int, random: Random) -> list[list[Any]]:
    """Rows of which one is gone, one is twice there, half are gone, or none are left."""
    chosen = random.randrange(len(content)) if content else 0
    if way in (0, 4):
        return content[:chosen] + content[chosen + 1 :]
    if way == 1:
        return [*content, *content[chosen : chosen + 1]]
    return content[: len(content) // 2] if way == 2 else []


def _backwards(data: Data) -> Data:
    """The same rows in another order."""
    return {name: content[::-1] for name, content in data.items()}


def _same(one: Sequence[Row], other: Sequence[Row]) -> bool:
    columns = range(len(one[0])) if one else range(len(other[0]) if other else 0)
    return len(one) == len(other) and bag(one, columns) == bag(other, columns)
