"""The arguments of a macro that nobody has, as SQL: tables, names and expressions; whatever else it is given is a text.

    {{ acme.latest(ref('base'), 'id', ['a', 'b'], ('x', 'y')) }}    (select * from base), id, a, b, 'x', 'y'

In FROM there are no columns that an argument could mean: there every text is a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from jinja2.runtime import Macro

from headwater.project.dbt.context.column import Column
from headwater.project.dbt.context.relation import Relation
from headwater.resolve.expression import NotAnExpression, bare_names
from headwater.source.jinja_unknown import has_mark
from headwater.sql.dialect import Dialect

_NAME = re.compile(r'[^\W\d][\w$]*(?:\.[\w$]+)*|"[^"]*"|`[^`]*`')
_EXPRESSION = re.compile(r"[-+*/|=<>()\[\],]")
_QUERY = re.compile(r"\s*(?:select|with)\b", re.IGNORECASE)
_MOST = 50
"""Arguments that are written."""
_NO_COLUMNS = frozenset(
    {
        *("second", "seconds", "minute", "minutes", "hour", "hours", "day", "days", "week", "weeks", "month", "months"),
        *(
            "quarter",
            "quarters",
            "year",
            "years",
            "asc",
            "desc",
            "utc",
            "true",
            "false",
            "none",
            "null",
            "int",
            "integer",
        ),
        *("bigint", "string", "varchar", "text", "numeric", "float", "boolean"),
        *("left", "right", "inner", "full", "outer", "cross"),
    }
)
"""Words that macros are given for something else than a column."""


class Argument(NamedTuple):
    """What a macro is given."""

    kind: str
    """`table`; `name`, a text that may be a name or expression; `text`, any other; `number`; `sql`, a block of SQL."""
    text: str


def arguments_of(given: Iterable[Any], named: Mapping[str, Any]) -> tuple[Argument, ...]:
    """The arguments of a call; the body of a `{% call %}` block is the first of them."""
    block = named.get("caller")
    body = [Argument("sql", str(block()).strip())] if isinstance(block, Macro) else []
    others = [value for name, value in named.items() if name != "caller"]
    found = [*body, *_arguments((*given, *others), "name")]
    return tuple(each for each in found if each.text)[:_MOST]


def _arguments(values: Iterable[Any], kind: str) -> Iterator[Argument]:
    for value in values:
        if isinstance(value, Relation):
            yield Argument("table", str(value))
        elif isinstance(value, Column):
            yield Argument("name", value.name)
        elif isinstance(value, (list, tuple, set)):
            yield from _arguments(list(value)[:_MOST], "name" if isinstance(value, list) else "text")
        elif isinstance(value, Mapping):
            yield from _arguments(list(value.values())[:_MOST], kind)
        elif isinstance(value, (int, float)) and not isinstance(value, bool):
            yield Argument("number", str(value))
        elif isinstance(value, str):
            yield Argument(kind, value.strip())


def written(argument: Argument, in_from: bool, dialect: Dialect) -> str:
    """An argument as SQL; nothing if it is none."""
    kind, text = argument
    if kind == "table":
        return f"(select * from {text})"
    if kind == "number":
        return text
    if kind == "sql":
        return _block(text, in_from, dialect)
    is_value = kind == "name" and not in_from and _is_value(text, dialect)
    return text if is_value else _literal(text)


def _block(text: str, in_from: bool, dialect: Dialect) -> str:
    if _QUERY.match(text):
        return f"({text})"
    return text if not in_from and _is_expression(text, dialect) else ""


def _is_value(text: str, dialect: Dialect) -> bool:
    """Whether a text is a name or an expression."""
    if text.lower() in _NO_COLUMNS:
        return False
    is_plain = _NAME.fullmatch(text) is not None
    return (is_plain or _EXPRESSION.search(text) is not None) and _is_expression(text, dialect)


def _is_expression(text: str, dialect: Dialect) -> bool:
    """Whether a text can stand among the arguments of a function."""
    if has_mark(text):
        return False
    try:
        bare_names(f"f({text})", dialect)
    except NotAnExpression:
        return False
    return True


def _literal(text: str) -> str:
    return "'" + text.replace("\\", "").replace("'", "''") + "'"
