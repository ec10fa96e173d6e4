"""Variables that nobody declares: every program of a dialect has them."""

from __future__ import annotations

from headwater.sql.dialect import Dialect
from headwater.sql.procedural.form import NOT_FOUND
from headwater.sql.procedural.tree import Program

_PLPGSQL = ("found", "sqlstate", "sqlerrm")
_NAMES = {
    "postgres": _PLPGSQL,
    "redshift": _PLPGSQL,
    "snowflake": ("sqlfound", "sqlnotfound", "sqlcode", "sqlerrm", "sqlstate", "sqlid"),
}
_OF_TRIGGER = (
    *("tg_op", "tg_name", "tg_when", "tg_level", "tg_relid", "tg_relname"),
    *("tg_table_name", "tg_table_schema", "tg_nargs", "tg_argv"),
)


def implicit_names(program: Program, dialect: Dialect) -> tuple[str, ...]:
    """The names of scalars that are there without being declared: FOUND, SQLERRM; in a trigger's function TG_OP."""
    found = _NAMES.get(dialect.name, (NOT_FOUND,))
    return (*found, *_OF_TRIGGER) if program.returns == "TRIGGER" else found
