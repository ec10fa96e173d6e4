"""What both engines say about a statement, and whether it is the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace

import headwater
from agreement import NO_TABLE, NOT_COMPARED, Verdict, flows
from headwater.analysis import script_lineage
from headwater.analyzers.answer import Refused
from headwater.analyzers.catalyst import analysed
from headwater.budget import Budget, Resolved, resolved
from headwater.model.diagnostic import Code
from headwater.model.entity import TableName
from headwater.model.resolution import Definition
from headwater.resolve import Session
from headwater.sql.dialect import Dialect, dialect
from headwater.sql.statement import Statement
from spark_tests.input_file import InputFile
from spark_tests.scratch import TEST_TABLES, Schema, Scratch

PARSER, ANALYZER = "refused by Spark's parser", "refused by Spark's analyzer"
_MAY_READ = re.compile(r"\b(FROM|JOIN|TABLE|INTO|UPDATE|USING|VIEW|IDENTIFIER|BEGIN|EXECUTE)\b", re.IGNORECASE)
_VARIABLES = re.compile(
    r"(DECLARE|SET\s+VAR|DROP\s+(TEMP(ORARY)?\s+)?VAR|EXECUTE.*\bINTO\b)", re.IGNORECASE | re.DOTALL
)
_BY_PARSER = ("[PARSE_", "[INVALID_SQL_SYNTAX")
"""How Spark's parser begins, which is asked again for texts inside a statement: EXECUTE IMMEDIATE, IDENTIFIER."""
_BUDGET = Budget(60, 2048)


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
        found.take_diagnostics(static, start)
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
        if not _MAY_READ.search(sql) and not flows(static, len(self._variables)):
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
        found.take_edges(static, len(self._variables), catalyst, 0)

    def _temporary(self, tables: Schema) -> dict[TableName, Definition]:
        """The temporary views among tables, by Spark's columns: their names have no schema."""
        made = {}
        for name, columns in tables.items():
            definition = self._session.defined.get((name.lower(),))
            if definition is not None and definition.temporary:
                made[definition.table] = definition._replace(columns={c.lower(): t for c, t in columns.items()})
        return made
