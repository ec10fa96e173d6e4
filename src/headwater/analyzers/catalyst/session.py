"""The Spark that analyses: the running one, or one of our own; and the tables that it knows.

Tables are declared without data in a catalog that nobody else sees: a session with a shared state of its own, in memory. The user's own
session is only asked for tables that no schema of ours describes, temporary views included; statements over tables that have an analysis
of their own (see `user_tables`) are analysed in a copy of it. Nothing is ever run: plans are parsed, and analysed with commands skipped,
and only those of statements that `statement` knows to be safe.
"""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from headwater.analyzers.answer import Refused
from headwater.analyzers.catalyst.jvm import Jvm, refusals
from headwater.analyzers.catalyst.user_tables import UserTable, is_path, may_exist
from headwater.runtime.private_session import private_session, quietly
from headwater.runtime.session import active_session, spark_session
from headwater.runtime.versions import refuse_older

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Columns = Mapping[str, str]
"""Names and types of a table's columns."""

_READABLE = {
    "spark.sql.readSideCharPadding": "false",  # no function around CHAR columns
    "spark.sql.alwaysInlineCommonExpr": "true",  # JSON does not tell shared parts of expressions apart
    "spark.sql.maxMetadataStringLength": "100000",
}
_SETTINGS = {
    **_READABLE,
    "spark.sql.ansi.enabled": "false",
    "spark.sql.storeAssignmentPolicy": "LEGACY",
    "spark.sql.runSQLOnFiles": "false",  # to find out a file's columns would be a job
}
_PLANS = "org.apache.spark.sql.catalyst.plans"
_DEFAULT = "default"
_UNKNOWN_TYPE = "string"
"""The type of a column that no schema gives one: Spark casts it to whatever is needed."""


class Catalyst(Jvm):
    """A Spark session of our own in somebody's Spark."""

    def __init__(self, spark: SparkSession, own: bool = False) -> None:
        """*own* is a Spark that was started for this: nobody else has tables there."""
        self.spark = spark
        self._own = own
        self._folder = tempfile.mkdtemp(prefix="headwater-")
        atexit.register(shutil.rmtree, self._folder, ignore_errors=True)
        Path(self._folder, "tables").mkdir()
        self._session = private_session(spark, self._folder, _SETTINGS, "the catalyst engine")
        super().__init__(spark.sparkContext._gateway)
        self._state = self._analysing = self._session.sessionState()
        mode = getattr(self._jvm, "org.apache.spark.sql.execution.CommandExecutionMode")
        self._skip = mode.SKIP()
        self._declared: dict[tuple[str, str], tuple[tuple[str, str], ...]] = {}
        self._databases = {_DEFAULT}
        self._types: dict[str, str] = {}
        self.database = _DEFAULT

    @property
    def running(self) -> bool:
        """Whether its Spark is still there."""
        return self.spark.sparkContext._jsc is not None

    def parse(self, sql: str) -> Any:
        """The plan of a statement as Spark's parser gives it."""
        with refusals():
            return self._state.sqlParser().parsePlan(sql)

    def analyse(self, plan: Any) -> Any:
        """A parsed plan with every name resolved. Danger: Spark runs BEGIN … END and EXECUTE IMMEDIATE even so."""
        with refusals():
            return self._analysing.executePlan(plan, self._skip).analyzed()

    def with_child(self, plan: Any, child: Any) -> Any:
        """A plan with another child in the place of its only one."""
        return plan.withNewChildren(self._jvm.PythonUtils.toSeq([child]))

    def filtered(self, plan: Any, condition: Any) -> Any:
        """A plan under a condition."""
        return self._logical("Filter")(condition, plan)

    def joined(self, left: Any, right: Any, condition: Any) -> Any:
        """Two plans under a condition."""
        inner, no_hint = self._object("Inner"), self._logical("JoinHint").NONE()
        return self._logical("Join")(left, right, inner, self._jvm.scala.Some(condition), no_hint)

    def aliased(self, plan: Any, name: str) -> Any:
        """A plan under a name."""
        return self._object("logical.SubqueryAlias").apply(name, plan)

    def _logical(self, name: str) -> Any:
        return getattr(self._jvm, f"{_PLANS}.logical.{name}")

    def _object(self, name: str) -> Any:
        return getattr(getattr(self._jvm, f"{_PLANS}.{name}$"), "MODULE$")

    def use_session(self, namespace: tuple[str, ...]) -> None:
        """Analyse in a copy of the user's session, with its tables, settings and functions, until `use` is called."""
        mine: Any = self.spark
        with refusals():
            self._analysing = mine._jsparkSession.cloneSession().sessionState()
            for key, value in _READABLE.items():
                self._analysing.conf().setConfString(key, value)
            if len(namespace) > 1:
                self._analysing.catalogManager().setCurrentCatalog(namespace[0])
            if namespace:
                self._analysing.catalogManager().setCurrentNamespace(self._strings(namespace[-1:]))

    def _strings(self, values: tuple[str, ...]) -> Any:
        array = self.gateway.new_array(self._jvm.java.lang.String, len(values))
        for i, value in enumerate(values):
            array[i] = value
        return array

    def use(self, database: str) -> None:
        """Analyse with declared tables; make a database the one of unqualified names."""
        self._analysing = self._state
        if database != self.database:
            self._database(database)
            self._state.catalog().setCurrentDatabase(database)
            self.database = database

    def declare(self, database: str, table: str, columns: Columns | None) -> None:
        """Make Spark know a table by these columns, or no table of that name if there are none; each is told once."""
        key = (database, table)
        wanted = tuple((name, self._type(kind)) for name, kind in (columns or {}).items())
        known = self._declared.get(key, ())
        if known == wanted:
            return
        self._database(database)
        if known:
            self._run(f"DROP TABLE {_quoted(database)}.{_quoted(table)}")
            del self._declared[key]
        if wanted:
            listed = ", ".join(f"{_quoted(name)} {kind}" for name, kind in wanted)
            place = f"{self._folder}/tables"
            self._run(f"CREATE TABLE {_quoted(database)}.{_quoted(table)} ({listed}) USING parquet LOCATION '{place}'")
            self._declared[key] = wanted

    def of_user(self, parts: tuple[str, ...]) -> UserTable | None:
        """A table or temporary view of the user's own session."""
        from py4j.protocol import Py4JError
        from pyspark.errors import PySparkException

        if self._own or not may_exist(parts):
            return None
        name = ".".join(map(_quoted, parts))
        with quietly(), suppress(PySparkException, Py4JError):
            is_odd = len(parts) > 2 or is_path(parts)  # of branches, Spark 3.5 says that they do not exist
            if is_odd or self.spark.catalog.tableExists(name):
                frame: Any = self.spark.table(name)
                columns = {f.name: f.dataType.simpleString() for f in frame.schema.fields}
                return UserTable.of(self, columns, frame._jdf.queryExecution().analyzed())
        return None

    def _database(self, name: str) -> None:
        if name not in self._databases:
            self._run(f"CREATE DATABASE IF NOT EXISTS {_quoted(name)} LOCATION '{self._folder}/databases'")
            self._databases.add(name)

    def _run(self, command: str) -> None:
        """Run a declaration of ours, never anything of the user's."""
        with refusals():
            self._session.sql(command)

    def _type(self, kind: str) -> str:
        """A type that Spark knows."""
        found = self._types.get(kind)
        if found is None:
            found = self._types[kind] = self._known_type(kind)
        return found

    def _known_type(self, kind: str) -> str:
        if not kind:
            return _UNKNOWN_TYPE
        try:
            with refusals():
                parsed = self._state.sqlParser().parseDataType(kind).simpleString()
        except Refused:
            return _UNKNOWN_TYPE
        return _UNKNOWN_TYPE if parsed == "void" else kind


def _quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


_RUNNING: list[Catalyst] = []


def catalyst() -> Catalyst:
    """The engine: in the running Spark, else in one that is started now and stopped with the program."""
    if _RUNNING and _RUNNING[-1].running:
        return _RUNNING[-1]
    stack = ExitStack()
    refuse_older()
    own = active_session() is None
    made = Catalyst(stack.enter_context(spark_session("local[1]", isolated=True)), own)
    atexit.register(stack.close)
    _RUNNING.append(made)
    return made
