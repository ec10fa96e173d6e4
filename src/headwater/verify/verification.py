"""`verify`: whether data disproves the lineage of a script's statements."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from sqlglot import exp
from sqlglot.errors import SqlglotError

from headwater.analysis import Schema, dialects_of, first_session
from headwater.budget import Budget, resolved
from headwater.lineage.lineage import StatementLineage
from headwater.model.diagnostic import SEVERITY, Severity
from headwater.model.entity import PSEUDO_ROWS, ColumnRef, TableName
from headwater.model.string_enum import StrEnum
from headwater.resolve import Session
from headwater.sql.dialect import dialect as dialect_named
from headwater.sql.script import Script
from headwater.verify.adapt import adapted, shaken, shortened
from headwater.verify.database import Database, quoted
from headwater.verify.differences import calls_column, difference_in_duckdb, unfit_for_spark
from headwater.verify.experiment import Experiment, Findings, Trial, ref
from headwater.verify.hints import hints_of
from headwater.verify.in_duckdb import DuckDB
from headwater.verify.judge import Judge, Observation, Pair
from headwater.verify.meetings import meetings_of
from headwater.verify.one_row import has_one_row
from headwater.verify.tables import Table, UnmadeTable, needed_tables, unlisted

_NAMES = {"duckdb": "DuckDB", "spark": "Spark"}
ENGINES = (*_NAMES, "either")
"""Where statements run."""
_SPARKS = ("spark", "databricks")


class Verdict(StrEnum):
    """What data says of a statement's lineage."""

    HOLDS = "holds"
    REFUTED = "refuted"
    EMPTY = "empty"
    """Every result was empty: nothing was proved."""
    UNSTABLE = "unstable"
    """Most results hung on the order of rows: they cannot be compared."""
    NOT_RUN = "not-run"


@dataclass(frozen=True, slots=True)
class CounterExample:
    """A change of a source that changed outputs which the lineage does not relate to it."""

    targets: list[ColumnRef]
    observation: Observation

    @property
    def source(self) -> ColumnRef:
        """What was changed."""
        return self.observation.source


@dataclass(frozen=True, slots=True)
class Claim:
    """What a lineage says that data could disprove."""

    outputs: list[ColumnRef] = field(default_factory=list)
    pairs: frozenset[Pair] = frozenset()
    one_row: bool = False
    """Whether the result has one row, whatever the data."""

    def judge(self, tables: list[Table]) -> Judge:
        """The one who judges by it what happens when the tables' columns change."""
        filled = [table for table in tables if table.filled]
        sources = [ref(table.name, name) for table in filled for name in (*table.columns, PSEUDO_ROWS)]
        return Judge(self.outputs, self.pairs, sources, self.one_row)

    def without(self, pair: Pair) -> Claim:
        """The same without a pair."""
        return replace(self, pairs=self.pairs - {pair})


@dataclass(frozen=True)
class Verification:
    """A statement, and what data says of its lineage."""

    statement: StatementLineage
    findings: Findings
    claim: Claim = field(default_factory=Claim)
    trial: Trial | None = None
    """How it was run, if it could be."""
    seed: int = 0
    engine: str = "duckdb"

    @property
    def sql(self) -> str:
        """The statement as it was run."""
        return self.trial.sql if self.trial else ""

    @property
    def tables(self) -> list[Table]:
        """The tables that were filled."""
        return self.trial.tables if self.trial else []

    @property
    def outputs(self) -> list[ColumnRef]:
        """The columns of the result, in order."""
        return self.claim.outputs

    @cached_property
    def _judge(self) -> Judge:
        return self.claim.judge(self.tables)

    def without(self, pair: Pair) -> Verification:
        """The same judged anew, as if the lineage did not have a pair: on what was run already."""
        return replace(self, claim=self.claim.without(pair))

    def again_without(self, pair: Pair) -> Verification:
        """The same run anew with a lineage that does not have a pair: what is tried hangs on what the lineage says."""
        assert self.trial is not None
        return _run(self.statement, self.trial, self.claim.without(pair), self.seed, self.engine)

    @cached_property
    def counter_examples(self) -> list[CounterExample]:
        """What the lineage does not admit; one for each source and its targets."""
        found: dict[tuple[ColumnRef, tuple[ColumnRef, ...]], CounterExample] = {}
        for seen in self.findings.observations:
            targets = self._judge.unadmitted(seen)
            if targets:
                found.setdefault((seen.source, tuple(targets)), CounterExample(targets, seen))
        return list(found.values())

    @property
    def needed(self) -> frozenset[Pair]:
        """The pairs that nothing else admits."""
        return self._judge.needed

    @cached_property
    def proved(self) -> frozenset[Pair]:
        """Those of the needed pairs whose absence the data would have shown."""
        return self._judge.proved(self.findings.observations)

    @property
    def verdict(self) -> Verdict:
        """What is to be said in a word."""
        if self.findings.refused:
            return Verdict.NOT_RUN
        if self.findings.unstable > self.findings.stable:
            return Verdict.UNSTABLE
        if self.counter_examples:
            return Verdict.REFUTED
        return Verdict.HOLDS if self.findings.observations else Verdict.EMPTY


def verify(
    sql: str,
    dialect: str | Sequence[str] = "spark",
    schema: Schema = None,
    default_schema: str | None = None,
    *,
    ambiguous: str = "candidates",
    seed: int = 0,
    on: str = "duckdb",
) -> Iterator[Verification]:
    """Check the lineage of each statement of a script by data; the same seed gives the same data.

    Statements run *on* `duckdb`, those of Spark's dialects on `spark`, or on `either`: in Spark what DuckDB cannot run.
    """
    if on not in ENGINES:
        raise ValueError(f"statements run on {', '.join(ENGINES)}, not on {on}")
    dialects = dialects_of(dialect)
    session = first_session(schema, default_schema, dialects, "static", ambiguous)
    for statement in Script(sql, dialects, postpone=True).statements():
        tree = statement.tree.copy() if isinstance(statement.tree, exp.Expression) else None
        found = list(resolved(statement, dialects, session, Budget()))
        for each in found:
            yield _on(on, StatementLineage(*each), tree if len(found) == 1 else None, session, seed)
            session = session.after(each.resolution)


def _on(
    engine: str, statement: StatementLineage, tree: exp.Expression | None, session: Session, seed: int
) -> Verification:
    in_spark = statement.dialect in _SPARKS
    if engine == "spark" and in_spark:
        return _verified(statement, tree, session, seed, "spark")
    copy = tree.copy() if tree is not None and engine == "either" else None
    found = _verified(statement, tree, session, seed, "duckdb")
    if engine == "either" and in_spark and copy is not None and found.verdict is Verdict.NOT_RUN:
        other = _verified(statement, copy, session, seed, "spark")
        return found if other.verdict is Verdict.NOT_RUN else other
    return found


def _verified(
    statement: StatementLineage, tree: exp.Expression | None, session: Session, seed: int, engine: str
) -> Verification:
    try:
        trial, outputs = _trial(statement, tree, session, engine)
    except (_NotRun, UnmadeTable) as error:
        return Verification(statement, Findings(refused=str(error)))
    columns = {ref(table.name, name) for table in trial.tables for name in table.columns}
    pairs = frozenset(
        (edge.source if edge.source in columns else _whole(edge.source), edge.target) for edge in statement.plain_edges
    )
    claim = Claim(outputs, pairs, tree is not None and has_one_row(tree))
    return _run(statement, trial, claim, seed, engine)


def _run(statement: StatementLineage, trial: Trial, claim: Claim, seed: int, engine: str) -> Verification:
    database = DuckDB if engine == "duckdb" else _spark()
    findings = Experiment(trial, claim.judge(trial.tables), seed, database).run()
    return Verification(statement, findings, claim, trial, seed, engine)


def _spark() -> type[Database]:
    from headwater.verify.in_spark import Spark

    return Spark


class _NotRun(Exception):
    """A statement that cannot be run, and why."""


def _trial(
    statement: StatementLineage, tree: exp.Expression | None, session: Session, engine: str
) -> tuple[Trial, list[ColumnRef]]:
    resolution, spoken = statement.resolution, dialect_named(statement.dialect)
    lost = [d for d in resolution.diagnostics if SEVERITY[d.code] is Severity.ERROR]
    if lost:
        raise _NotRun(f"its lineage is not known: {lost[0].message}")
    foreign = next(unlisted(resolution), None)
    if foreign:
        raise _NotRun(f"it reads {foreign}, which is no table")
    if tree is None:
        raise _NotRun("there is no tree of it")
    unfit = difference_in_duckdb(tree, spoken) if engine == "duckdb" else unfit_for_spark(tree)
    if unfit:
        raise _NotRun(unfit)
    hints, meetings = hints_of(tree), meetings_of(tree)
    verbatim = spoken.name == "duckdb" if engine == "duckdb" else isinstance(tree, exp.Query)
    sql = statement.sql if verbatim else _written(tree, engine)
    tables = needed_tables(resolution, session, spoken)
    if not verbatim and calls_column(tree, {name.lower() for table in tables for name in table.columns}):
        raise _NotRun("it calls a function that has the name of a column")
    target, outputs = _outputs(statement, tables)
    columns = ", ".join(quoted((out.column,), engine) for out in outputs)
    shown = f"SELECT {columns} FROM {quoted(target, engine)}" if target else None
    small = shortened(tree)
    short = _written(small, engine) if small is not None else None
    texts = {sql: tree} | ({short: small} if short and small is not None else {})
    by_chance = {text: _written(other, engine) for text, each in texts.items() if (other := shaken(each)) is not None}
    joined = len([*tree.find_all(exp.Table)])
    return Trial(sql, short, by_chance, tables, hints, meetings, joined, shown, target, session.default_schema), outputs


def _written(tree: exp.Expression, engine: str) -> str:
    """The statement as the database would have it."""
    name = _NAMES[engine]
    if isinstance(tree, exp.Command) or any(
        type(node).__module__.partition(".")[0] != "sqlglot" for node in tree.walk()
    ):
        raise _NotRun(f"it is not in the grammar of {name}")
    try:
        return adapted(tree).sql(dialect=engine)
    except (SqlglotError, RecursionError, ValueError, TypeError, AttributeError, LookupError) as error:
        raise _NotRun(f"it cannot be written for {name}: {str(error).partition(chr(10))[0]}") from error


def _outputs(statement: StatementLineage, tables: list[Table]) -> tuple[TableName | None, list[ColumnRef]]:
    """The table that the statement writes, None for a query; and the columns of its result, in order."""
    resolution = statement.resolution
    written = [resolution.entities[number] for number in dict.fromkeys(resolution.written)]
    if not written:
        shown = [out for out in statement.outputs if out.table is None]
        if not shown:
            raise _NotRun("it neither shows nor writes columns")
        return None, shown
    target = written[0].table
    if len(written) > 1 or target is None:
        raise _NotRun("it writes several tables, or files")
    known = {d.table: d.columns for d in resolution.defines} | {t.name: t.columns for t in tables}
    columns = known.get(target)
    if not columns:
        raise _NotRun("the columns of what it writes are not known")
    return target, [ref(target, name) for name in columns if name != PSEUDO_ROWS]


def _whole(source: ColumnRef) -> ColumnRef:
    """The column that a field is part of; of a column that has a dot in its name, this must not be asked."""
    return ColumnRef(source.table, source.column.partition(".")[0])
