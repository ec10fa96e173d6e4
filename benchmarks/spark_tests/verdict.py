"""What both engines say about a statement, and whether it is the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from typing import Any

import headwater
from headwater.analysis import script_lineage
from headwater.analyzers.answer import Refused
from headwater.analyzers.catalyst import analysed
from headwater.budget import Budget, Resolved, resolved
from headwater.model.diagnostic import Code
from headwater.model.entity import PSEUDO_ROWS, TableName
from headwater.model.resolution import Definition
from headwater.resolve import Session
from headwater.sql.dialect import Dialect, dialect
from headwater.sql.statement import Statement
from spark_tests.input_file import InputFile
from spark_tests.scratch import TEST_TABLES, Schema, Scratch

EQUAL, DIFFERENT = "equal", "different"
PARSER, ANALYZER = "refused by Spark's parser", "refused by Spark's analyzer"
NOT_COMPARED = "not compared"
NO_TABLE = "reads no table"
_MAY_READ = re.compile(r"\b(FROM|JOIN|TABLE|INTO|UPDATE|USING|VIEW|IDENTIFIER|BEGIN|EXECUTE)\b", re.IGNORECASE)
_VARIABLES = re.compile(
    r"(DECLARE|SET\s+VAR|DROP\s+(TEMP(ORARY)?\s+)?VAR|EXECUTE.*\bINTO\b)", re.IGNORECASE | re.DOTALL
)
_BY_PARSER = ("[PARSE_", "[INVALID_SQL_SYNTAX")
"""How Spark's parser begins, which is asked again for texts inside a statement: EXECUTE IMMEDIATE, IDENTIFIER."""
_BUDGET = Budget(60, 2048)


@dataclass(slots=True)
class Verdict:
    """A statement, and what became of the comparison."""

    file: str
    number: int
    sql: str
    outcome: str = EQUAL
    why: str = ""
    edges: int = 0
    """Data-flow edges that either engine has."""
    extra: list[str] = field(default_factory=list)
    """Ours alone."""
    missing: list[str] = field(default_factory=list)
    """Catalyst's alone."""
    influence: list[str] = field(default_factory=list)
    """Influence of one engine alone, and data flow of another kind: "-" ours, "+" Catalyst's."""
    syntax: str = ""
    """Our syntax error."""
    internal: list[str] = field(default_factory=list)
    """Our internal errors, and plans that were not understood."""
    diagnostics: list[str] = field(default_factory=list)

    def record(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


class Comparison:
    """The statements of one file, in order."""

    def __init__(self, file: InputFile, scratch: Scratch) -> None:
        self._file = file
        self._scratch = scratch
        self._session = Session(headwater.Catalog(TEST_TABLES))
        """What the static engine knows: what the file's statements before defined, by its own reading."""
        self._variables = ""
        """The statements that declared and set the session's variables: their values are known only inside a script."""

    def verdict(self, number: int, sql: str) -> Verdict:
        """Compare a statement, then let both engines know what it defines."""
        found = Verdict(self._file.name, number, sql)
        static, after = script_lineage(self._variables + sql, [dialect("spark")], self._copy(), None)
        start = len(self._variables)
        told = [d for d in static.diagnostics if d.span is None or d.span[0] >= start]
        found.diagnostics = [f"{d.code.value} {d.subject}: {d.message}" for d in told]
        found.syntax = next((d.message for d in told if d.code is Code.SYNTAX_ERROR), "")
        found.internal = [d.message for d in told if d.code is Code.INTERNAL_ERROR]
        try:
            self._compare(found, sql, static)
        except Refused as refusal:
            found.outcome, found.why = PARSER, str(refusal)
            return found
        refusal = self._scratch.run(sql)
        if not refusal:
            self._session = after
            if _VARIABLES.match(sql):
                self._variables += f"{sql};\n"
        elif found.syntax and refusal.startswith(_BY_PARSER):
            found.outcome, found.why = PARSER, refusal
        return found

    def _copy(self) -> Session:
        """The session for one try: a statement that Spark refuses defines nothing."""
        session = self._session
        functions = {name: dict(each) for name, each in session.functions.items()}
        return replace(session, defined=dict(session.defined), functions=functions, programs=dict(session.programs))

    def _compare(self, found: Verdict, sql: str, static: headwater.Lineage) -> None:
        engine = self._scratch.engine

        def resolve(statement: Statement, dialects: list[Dialect], session: Session) -> Iterable[Resolved]:
            return analysed(statement, session, resolved(statement, dialects, session, _BUDGET), engine)

        engine.parse(sql)
        if not _MAY_READ.search(sql) and not _flows(static, len(self._variables)):
            found.outcome = NO_TABLE
            return
        tables = self._scratch.tables(sql)
        known = replace(self._copy(), catalog=headwater.Catalog(tables), defined=self._temporary(tables))
        catalyst, _ = script_lineage(sql, [dialect("spark")], known, None, resolve)
        fallback = [d.message for d in catalyst.diagnostics if d.code is Code.ENGINE_FALLBACK]
        found.internal += [message for message in fallback if "was not understood" in message]
        if fallback:
            refusal = self._scratch.is_taken(sql)
            by_whom = PARSER if refusal.startswith(_BY_PARSER) else ANALYZER
            found.outcome, found.why = (by_whom, refusal) if refusal else (NOT_COMPARED, fallback[0])
            return
        self._differ(found, static, catalyst)

    def _temporary(self, tables: Schema) -> dict[TableName, Definition]:
        """The temporary views among tables, by Spark's columns: their names have no schema."""
        made = {}
        for name, columns in tables.items():
            definition = self._session.defined.get((name.lower(),))
            if definition is not None and definition.temporary:
                made[definition.table] = definition._replace(columns={c.lower(): t for c, t in columns.items()})
        return made

    def _differ(self, found: Verdict, static: headwater.Lineage, catalyst: headwater.Lineage) -> None:
        ours, theirs = _flows(static, len(self._variables)), _flows(catalyst)
        found.edges = len(ours | theirs)
        found.extra, found.missing = sorted(ours - theirs), sorted(theirs - ours)
        mine, spark = _lines(static, len(self._variables)), _lines(catalyst)
        found.influence = sorted([*(f"- {x}" for x in mine - spark), *(f"+ {x}" for x in spark - mine)])
        found.outcome = DIFFERENT if found.extra or found.missing else EQUAL


def _flows(lineage: headwater.Lineage, start: int = 0) -> set[str]:
    """The data flow between columns, from a place in the text on."""
    edges = lineage.column_edges(rows="none")
    return {f"{edge.target} <- {edge.source}" for edge in edges if edge.type == "fdd" and edge.process.span[0] >= start}


def _lines(lineage: headwater.Lineage, start: int = 0) -> set[str]:
    """All edges with their kinds, but for those between row sets, from a place in the text on."""
    return {
        f"{edge.target} {edge.type} {edge.source} {edge.subtype} {edge.clause}"
        for edge in lineage.column_edges()
        if not (edge.source.column == PSEUDO_ROWS and edge.target.column == PSEUDO_ROWS)
        and edge.process.span[0] >= start
    }
