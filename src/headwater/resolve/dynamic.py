"""SQL that is put together and executed: where what it says is not known, that is said at its place."""

from __future__ import annotations

from sqlglot import exp

from headwater.model.diagnostic import Code
from headwater.model.work import MAX_TEXT, MAX_TEXTS
from headwater.resolve.builder import Builder
from headwater.resolve.scope import Environment
from headwater.resolve.statement import Outcome, resolves
from headwater.sql.procedural.form import Dynamic

_NOT_KNOWN = (
    "what is executed here is put together at run time, from parts that are not known",
    "give the parts as literals, or analyse what was executed, from the query log",
)
_TOO_LONG = (
    f"what is executed here is too long: {MAX_TEXT:,} characters are the limit of a text that a script puts together, "
    f"{MAX_TEXTS:,} of all of them",
    "analyse what was executed, from the query log",
)


@resolves(Dynamic)
def dynamic(builder: Builder, form: Dynamic, environment: Environment) -> Outcome:
    """`EXECUTE IMMEDIATE v_sql`, of which nobody knows what it holds."""
    message, hint = _TOO_LONG if form.too_long else _NOT_KNOWN
    builder.say(Code.DYNAMIC_SQL, message, form.text, "dynamic SQL", hint)
    if form.table is not None:
        builder.writes(builder.table(form.table.this if isinstance(form.table, exp.Schema) else form.table))
    return Outcome("Execute")
