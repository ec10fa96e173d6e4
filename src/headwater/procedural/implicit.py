"""Variables that nobody declares: every program of a dialect has them."""

from __future__ import annotations

import re
from typing import Any

from headwater.model.resolution import Variable
from headwater.resolve.last_result import LAST_QUERY
from headwater.resolve.variable import ROW_COUNTS, Variables, found
from headwater.sql.dialect import Dialect
from headwater.sql.procedural.form import NOT_FOUND
from headwater.sql.procedural.tree import Program

_PLPGSQL = ("found", "sqlstate", "sqlerrm")
_NAMES = {
    "postgres": _PLPGSQL,
    "redshift": _PLPGSQL,
    "oracle": ("sqlcode", "sqlerrm", "sql%bulk_exceptions"),
    "snowflake": ("sqlfound", "sqlnotfound", "sqlcode", "sqlerrm", "sqlstate", "sqlid"),
}
_STATUS = {"teradata": ("sqlstate", "sqlcode"), "db2": ("sqlstate", "sqlcode")}
"""Names that tell whether a row was found, among other things."""
_HANDLED = "handler"
"""Who is told that nothing was found."""
_EVENTS = ("inserting", "updating", "deleting")
_OF_TRIGGER = (
    *("tg_op", "tg_name", "tg_when", "tg_level", "tg_relid", "tg_relname"),
    *("tg_table_name", "tg_table_schema", "tg_nargs", "tg_argv"),
)


def _names(program: Program, dialect: Dialect) -> tuple[str, ...]:
    """The names of scalars that are there without being declared: FOUND, SQLERRM; in a trigger's function TG_OP."""
    names = _NAMES.get(dialect.family, (NOT_FOUND,))
    events = _EVENTS if program.trigger is not None else ()
    own = ("self",) if program.kind == "type" else ()
    return (*names, *own, *events, *(_OF_TRIGGER if program.returns == "TRIGGER" else ()))


def add_implicit(program: Program, variables: Variables, text: str) -> None:
    """Let a program know the variables that nobody declares, as far as its *text*, in lower case, has to do with them.

    The text of a trigger is not that of the function which it calls.
    """
    elsewhere = program.trigger is not None and program.trigger.calls is not None
    status = [name for name in _STATUS.get(variables.dialect.family, ()) if name in text]
    for name in _names(program, variables.dialect):
        if elsewhere or name in text or (name == NOT_FOUND and (status or _HANDLED in text)):
            variables.add(name, "scalar", program.place)
    if variables.dialect.family == "snowflake" and "result_scan" in text:
        variables.know(LAST_QUERY, variables.add(LAST_QUERY, "cursor", program.place))
    told = found(variables)
    for name in status:
        if told is not None:
            variables.know(variables.dialect.fold_column(name, False), told)


def session_variables(variables: Variables, text: str, place: Any) -> list[Variable]:
    """Let a routine know the variables of the session that its *text*, in lower case, names and that nobody around it has."""
    mark = variables.dialect.session_marks
    if not mark or mark not in text:
        return []
    names = dict.fromkeys(re.findall(rf"(?<![\w{re.escape(mark)}]){re.escape(mark)}([a-z_][\w.]*)", text))
    fold = variables.dialect.fold_column
    unknown = [f"{mark}{name}" for name in names if variables.find(fold(f"{mark}{name}", False)) is None]
    return [variables.add(name, "scalar", place) for name in unknown]


def counts_rows(text: str) -> bool:
    """Whether a text, in lower case, asks how many rows were changed."""
    return any(name.removeprefix("sql%") in text for name in ROW_COUNTS)
