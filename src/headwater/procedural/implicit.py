"""Variables that nobody declares: every program of a dialect has them."""

from __future__ import annotations

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
    told = found(variables)
    for name in status:
        if told is not None:
            variables.know(variables.dialect.fold_column(name, False), told)


def counts_rows(text: str) -> bool:
    """Whether a text, in lower case, asks how many rows were changed."""
    return any(name.removeprefix("sql%") in text for name in ROW_COUNTS)
