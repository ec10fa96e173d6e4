"""A Spark in which a file's statements that define something are really run: tables, views, functions, variables, settings.

There are two sessions. The first has the tables and views as the file makes them; it is the judge of what Spark takes. The second
is the Catalyst engine's own: tables are declared there by the first one's columns, functions and variables are made there too.
Queries and changes of data are analysed only.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from headwater.analyzers.answer import Refused
from headwater.analyzers.catalyst import Catalyst
from headwater.analyzers.catalyst.catalogs import names_in
from headwater.analyzers.catalyst.jvm import refusals
from headwater.analyzers.catalyst.plan import everywhere

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

Schema = dict[str, dict[str, str]]

_NUMBERS = ("unique1", "unique2", "two", "four", "ten", "twenty", "hundred", "thousand", "twothousand", "fivethous")
_WIDE = {
    **dict.fromkeys((*_NUMBERS, "tenthous", "odd", "even"), "int"),
    "stringu1": "string",
    "stringu2": "string",
    "string4": "string",
}
TEST_TABLES: Schema = {
    "testdata": {"key": "int", "value": "string"},
    "arraydata": {"arraycol": "array<int>", "nestedarraycol": "array<array<int>>"},
    "mapdata": {"mapcol": "map<int,string>"},
    "aggtest": {"a": "int", "b": "float"},
    "onek": _WIDE,
    "tenk1": _WIDE,
}
"""The tables that Spark's test suite makes before each file."""

_DEFINES = re.compile(
    r"(CREATE|DROP|ALTER|SET|RESET|USE|DECLARE|REPLACE|CACHE|UNCACHE|BEGIN|EXECUTE|MSCK|COMMENT)\b", re.IGNORECASE
)
_FOR_BOTH = re.compile(
    r"(CREATE\s+(OR\s+REPLACE\s+)?(TEMP(ORARY)?\s+)?FUNCTION|DROP\s+(TEMP(ORARY)?\s+)?(FUNCTION|VARIABLE)|"
    r"DECLARE|SET|RESET)\b",
    re.IGNORECASE,
)
_OURS = re.compile(r"(SET|RESET)\s+spark\.sql\.(ansi\.enabled|storeAssignmentPolicy|runSQLOnFiles)\b", re.IGNORECASE)
"""Settings on which the Catalyst engine relies."""
_DANGEROUS = re.compile(r"(BEGIN|EXECUTE)\b", re.IGNORECASE)
_COMMENTS = re.compile(r"\A(\s+|--[^\n]*\n|/\*.*?\*/)+", re.DOTALL)


class Scratch:
    """The two sessions of one file."""

    def __init__(self, spark: SparkSession, settings: Mapping[str, str], udf: bool) -> None:
        self.spark = spark.newSession()
        self._clear()
        for name, columns in TEST_TABLES.items():
            listed = ", ".join(f"{column} {kind}" for column, kind in columns.items())
            self.spark.sql(f"CREATE TABLE {name} ({listed}) USING parquet")
        self.engine = Catalyst(self.spark)
        self._theirs: Any = self.engine._session
        if udf:
            self._register()
        for key, value in settings.items():
            self._configure(key, value)

    def _configure(self, key: str, value: str) -> None:
        self._tried(f"SET {key}={value}", [self.spark])
        if not _OURS.match(f"SET {key}"):
            self._tried(f"SET {key}={value}", [self._theirs])

    def _register(self) -> None:
        """The function `udf` of Spark's test suite: it gives back its argument."""
        from pyspark.sql.udf import UserDefinedFunction

        made: Any = UserDefinedFunction(lambda value: value, name="udf")
        mine: Any = self.spark
        for session in (mine._jsparkSession, self._theirs):
            session.udf().registerPython("udf", made._judf)

    def _clear(self) -> None:
        """Drop what earlier files left behind."""
        for (name,) in self.spark.sql("SHOW DATABASES").collect():
            if name != "default":
                self.spark.sql(f"DROP DATABASE `{name}` CASCADE")
        for row in self.spark.sql("SHOW TABLES IN default").collect():
            kind = "VIEW" if self.spark.catalog.getTable(f"`{row.tableName}`").tableType == "VIEW" else "TABLE"
            self.spark.sql(f"DROP {kind} IF EXISTS default.`{row.tableName}`")
        for each in self.spark.sql("SHOW USER FUNCTIONS").collect():
            self.spark.sql(f"DROP FUNCTION IF EXISTS {each.function}")

    def tables(self, sql: str) -> Schema:
        """The columns of the tables that a statement names."""
        node = self.engine.read(self.engine.parse(sql))
        return {".".join(parts): columns for parts in names_in(node) if (columns := self._columns(parts))}

    def _columns(self, parts: Iterable[str]) -> dict[str, str]:
        name = ".".join("`" + part.replace("`", "``") + "`" for part in parts)
        try:
            with refusals():
                return {f.name: f.dataType.simpleString() for f in self.spark.table(name).schema.fields}
        except Refused:
            return {}

    def is_taken(self, sql: str) -> str:
        """Why the first session's analyzer does not take a statement; empty if it does, or would run it."""
        if _DANGEROUS.match(_COMMENTS.sub("", sql)):
            return ""
        mine: Any = self.spark
        state = mine._jsparkSession.sessionState()
        try:
            with refusals():
                plan = state.sqlParser().parsePlan(sql)
                if any(each.name.startswith("ExecuteImm") for each in everywhere(self.engine.read(plan))):
                    return ""
                state.executePlan(plan, self.engine._skip).analyzed()
        except Refused as refusal:
            return str(refusal)
        return ""

    def run(self, sql: str) -> str:
        """Run a statement that defines something; why Spark did not, or nothing."""
        begin = _COMMENTS.sub("", sql)
        if not _DEFINES.match(begin):
            return ""
        if _FOR_BOTH.match(begin) and not _OURS.match(begin):
            self._declare(sql)
            self._tried(sql, [self._theirs])
        return self._tried(sql, [self.spark])

    def _declare(self, sql: str) -> None:
        """Let the engine know the tables that a function reads."""
        for name, columns in self.tables(sql).items():
            *schema, table = name.lower().split(".")
            self.engine.declare(schema[-1] if schema else self.engine.database, table, columns)

    def _tried(self, sql: str, sessions: list[Any]) -> str:
        try:
            with refusals():
                for session in sessions:
                    session.sql(sql)
        except Refused as refusal:
            return str(refusal)
        return ""
