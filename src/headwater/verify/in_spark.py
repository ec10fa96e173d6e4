"""A Spark session of our own in which statements of Spark's dialects run: tables are views of values, or files that go away again.

Nothing of the user's is read or written: the catalog is private and in memory, files cannot be asked for by path, and statements that name
a place, a script or a Java method are not run (`differences`).
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from threading import Timer
from typing import Any

from sqlglot import exp

from headwater.model.entity import TableName
from headwater.runtime.private_session import private_session, quietly
from headwater.runtime.session import spark_session
from headwater.runtime.versions import frame_of_java
from headwater.verify.database import MOST, SECONDS, CannotRun, Database, Effort, Row, plain, quoted, scalar

_SETTINGS = {
    "spark.sql.ansi.enabled": "false",
    "spark.sql.storeAssignmentPolicy": "LEGACY",
    "spark.sql.runSQLOnFiles": "false",
    "spark.sql.shuffle.partitions": "1",
    "spark.sql.adaptive.enabled": "false",
    "spark.sql.codegen.wholeStage": "false",
    "spark.sql.codegen.factoryMode": "NO_CODEGEN",  # to compile would take longer than to run on a few rows
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.crossJoin.enabled": "true",
}
_GROUP = "headwater verify"


class Spark(Database):
    """A Spark session with tables in it."""

    effort = Effort(data_sets=2, tries=10, patience=1, changes=3, looks=4, stumbles=2, shakes=5)

    def __init__(self) -> None:
        super().__init__()
        self._spark, self._session = _private()
        self._columns: dict[TableName, Mapping[str, exp.DataType]] = {}
        self._made: list[str] = []
        self.run("USE default")

    def create(self, name: TableName, columns: Mapping[str, exp.DataType], filled: bool) -> None:
        """Make an empty table: a view, if it is only read."""
        self.make_place(name)
        self._columns[name] = columns
        if filled:
            self._made.append(f"VIEW {_quoted(name)}")
            self.replace(name, [])
        else:
            listed = ", ".join(f"{_quoted((column,))} {kind.sql('spark')}" for column, kind in columns.items())
            self._made.append(f"TABLE {_quoted(name)}")
            self.run(f"CREATE TABLE {_quoted(name)} ({listed}) USING parquet")

    def make_place(self, name: TableName) -> None:
        """Make the schema in which a table is to be."""
        if len(name) > 1:
            self.run(f"CREATE SCHEMA IF NOT EXISTS {_quoted(name[-2:-1])}")

    def use(self, place: TableName) -> None:
        """Look for unqualified tables in a schema."""
        self.make_place((*place, ""))
        self.run(f"USE {_quoted(place[-1:])}")

    def replace(self, name: TableName, rows: Sequence[Sequence[Any]]) -> None:
        """Put rows in the place of those that are there."""
        columns = self._columns[name]
        if f"VIEW {_quoted(name)}" not in self._made:
            return  # what is only written is empty
        values = ", ".join(f"({', '.join(map(_literal, row))})" for row in rows or [[None] * len(columns)])
        typed = ", ".join(
            f"CAST(col{n} AS {kind.sql('spark')}) AS {_quoted((column,))}"
            for n, (column, kind) in enumerate(columns.items(), 1)
        )
        end = "" if rows else " WHERE false"
        self.run(f"CREATE OR REPLACE VIEW {_quoted(name)} AS SELECT {typed} FROM VALUES {values}{end}")

    def written(self, sql: str, shown: str, target: TableName) -> list[Row]:
        """What is shown after a statement that writes, which is undone."""
        name = _quoted(target)
        listed = f"TABLE {name}" in self._made
        try:
            self.run(sql)
            return self.run(shown)
        finally:
            for undo in (
                [f"TRUNCATE TABLE {name}"]
                if listed
                else [f"DROP TABLE IF EXISTS {name}", f"DROP VIEW IF EXISTS {name}"]
            ):
                with suppress(CannotRun):
                    self.run(undo)

    def run(self, sql: str) -> list[Row]:
        """Run something, not for too long."""
        context = self._spark.sparkContext
        context.setJobGroup(_GROUP, _GROUP, True)
        timer = Timer(SECONDS, context.cancelJobGroup, [_GROUP])
        timer.start()
        try:
            with _refusals():
                frame = self._session.sql(sql)
                if not frame.columns():
                    return []
                rows = frame_of_java(frame.limit(MOST + 1), self._spark).collect()
        finally:
            timer.cancel()
        if len(rows) > MOST:
            raise CannotRun(f"its result has more than {MOST:,} rows")
        return [tuple(map(plain, row)) for row in rows]

    def close(self) -> None:
        """Forget everything."""
        for made in self._made:
            with suppress(CannotRun):
                self.run(f"DROP {made}")
        self._made.clear()


@contextmanager
def _refusals() -> Iterator[None]:
    from py4j.protocol import Py4JError
    from pyspark.errors import AnalysisException, ParseException, PySparkException

    try:
        with quietly():
            yield
    except (PySparkException, Py4JError) as error:
        hopeless = isinstance(error, (AnalysisException, ParseException))
        raise CannotRun((str(error).strip().splitlines() or [type(error).__name__])[0], not hopeless) from None


_RUNNING: list[tuple[Any, Any]] = []


def _private() -> tuple[Any, Any]:
    """The Spark that runs, else one that is started now and stopped with the program; and a session of our own in it."""
    if _RUNNING and _RUNNING[-1][0].sparkContext._jsc is not None:
        return _RUNNING[-1]
    stack = ExitStack()
    folder = tempfile.mkdtemp(prefix="headwater-")
    stack.callback(shutil.rmtree, folder, ignore_errors=True)
    spark = stack.enter_context(spark_session("local[1]", isolated=True))
    atexit.register(stack.close)
    _RUNNING.append((spark, private_session(spark, folder, _SETTINGS, "to verify in Spark")))
    return _RUNNING[-1]


def _quoted(name: Sequence[str]) -> str:
    return quoted(name, "spark")


def _literal(value: Any) -> str:
    if isinstance(value, str):
        return "'" + value.replace("\\", "\\\\").replace("'", "\\'") + "'"
    if isinstance(value, list):
        return f"array({', '.join(map(_literal, value))})"
    if isinstance(value, dict):
        inner = ", ".join(f"{_literal(name)}, {_literal(each)}" for name, each in value.items())
        return f"named_struct({inner})"
    if isinstance(value, tuple):
        return f"map({', '.join(f'{_literal(key)}, {_literal(each)}' for key, each in value)})"
    return scalar(value)
