"""What both engines say about a statement, and whether it is the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

from agreement import NOT_COMPARED, Verdict
from google_tests.forms import form
from google_tests.sample_tables import tables
from google_tests.test_file import Test, TestFile
from headwater.analysis import first_session, script_lineage
from headwater.analyzers.answer import Refused
from headwater.analyzers.zetasql import GoogleSql, analysed
from headwater.analyzers.zetasql.declaration import Function
from headwater.analyzers.zetasql.engine import Tell
from headwater.budget import Budget, Resolved, resolved
from headwater.model.diagnostic import Code
from headwater.resolve import Session
from headwater.sql.dialect import Dialect, dialect
from headwater.sql.statement import Statement

PARSER = "refused by GoogleSQL's parser"
TESTS_AN_ERROR = "refused by GoogleSQL's analyzer: the test expects an error"
NO_STATEMENT = "not a statement"
_BUDGET = Budget(60, 2048)
_BIGQUERY = [dialect("bigquery")]
_NO_TYPE = re.compile(r"Type not found: (\w+) \[at (\d+):(\d+)\]")
_ALIKE = {"INT32": "INT64", "UINT32": "INT64", "UINT64": "INT64", "FLOAT": "FLOAT64", "DOUBLE": "FLOAT64"}
"""Types that BigQuery lacks, and those that stand for them."""
_TRIES = 20
"""Types of one statement that may be spelled anew."""
_UNDECLARED = (
    ("Table not found", "a table that cannot be declared"),
    ("Table-valued function not found", "a table function of the sample catalog"),
    ("Function not found", "a function of the sample catalog"),
    ("Type not found", "a type of the sample catalog: proto, enum, alias"),
    ("Property graph", "a graph"),
    ("Model not found", "a model"),
    ("Constant not found", "a constant of the sample catalog"),
    ("Unrecognized name", "a name of the sample catalog"),
    ("does not exist in STRUCT", "a field of a proto"),
    ("Sequence not found", "a sequence"),
    ("Connection not found", "a connection"),
    ("Procedure not found", "a procedure"),
)
"""What GoogleSQL says where the schema lacks something, and what that is."""


class Asked(GoogleSql):
    """The analyzer, which remembers what it refused."""

    def __init__(self) -> None:
        super().__init__(_BUDGET)
        self.refusals: dict[str, str] = {}

    def analyse(self, sql: str, functions: tuple[Function, ...], tell: Tell) -> Any:
        """The resolved tree of a statement."""
        try:
            return super().analyse(sql, functions, tell)
        except Refused as refusal:
            self.refusals[sql] = str(refusal)
            raise


class Comparison:
    """The statements of one file, in order."""

    def __init__(self, file: TestFile) -> None:
        self._file = file
        self._databases: dict[str, str] = {}
        """The statements that make a database which later tests use."""

    def verdict(self, test: Test) -> Verdict:
        """Compare a statement."""
        found = Verdict(self._file.name, test.number, test.sql)
        if test.mode != "statement":
            found.outcome, found.why = NO_STATEMENT, test.mode
            return found
        before = self._databases.get(test.uses, "")
        if test.prepares:
            before = self._databases.get(test.prepares, "")
            self._databases[test.prepares] = f"{before}{test.sql.rstrip(';')};\n"
        for _ in range(_TRIES):
            self._compare(found, test, before)
            spelled = _spelled(found)
            if spelled is None:
                break
            test = test._replace(sql=spelled)
            found = Verdict(self._file.name, test.number, spelled)
        return found

    def _compare(self, found: Verdict, test: Test, before: str) -> None:
        session = first_session(tables(before + test.sql), None, _BIGQUERY, "static", "candidates")
        engine = Asked()

        def resolve(statement: Statement, dialects: list[Dialect], known: Session) -> Iterable[Resolved]:
            return analysed(statement, known, resolved(statement, dialects, known, _BUDGET), engine)

        start = len(before)
        static, _ = script_lineage(before + test.sql, _BIGQUERY, session, None)
        found.take_diagnostics(static, start)
        found.form = form(test.sql) if found.syntax else ""
        session = first_session(tables(before + test.sql), None, _BIGQUERY, "static", "candidates")
        theirs, _ = script_lineage(before + test.sql, _BIGQUERY, session, None, resolve)
        fallback = [
            d.message for d in theirs.diagnostics if d.code is Code.ENGINE_FALLBACK and d.span and d.span[0] >= start
        ]
        found.internal += [message for message in fallback if "was not understood" in message]
        refusals = [message for sql, message in engine.refusals.items() if sql not in before]
        if refusals:
            found.outcome, found.why = _refused(refusals[0], test), refusals[0]
        elif fallback:
            found.outcome, found.why = NOT_COMPARED, fallback[0]
        else:
            found.take_edges(static, start, theirs, start)


def _spelled(found: Verdict) -> str | None:
    """The statement with a type of BigQuery's where GoogleSQL refused one."""
    refused = _NO_TYPE.search(found.why)
    alike = _ALIKE.get(refused[1].upper()) if refused else None
    if refused is None or alike is None:
        return None
    lines = found.sql.split("\n")
    line, column = int(refused[2]) - 1, int(refused[3]) - 1
    if line >= len(lines) or not lines[line].startswith(refused[1], column):
        return None
    lines[line] = lines[line][:column] + alike + lines[line][column + len(refused[1]) :]
    return "\n".join(lines)


def _refused(message: str, test: Test) -> str:
    """Why GoogleSQL refuses a statement."""
    if "Syntax error" in message:
        return PARSER
    if test.expects_error:
        return TESTS_AN_ERROR
    reason = next((reason for said, reason in _UNDECLARED if said in message), "types, options, features")
    return f"refused by GoogleSQL's analyzer: {reason}"
