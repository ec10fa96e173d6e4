"""Texts whose rows a variable takes, and what is bound to a text: `res := (EXECUTE IMMEDIATE e USING (a))`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot.tokenizer_core import Token

from headwater.sql.procedural.body import Body, between_commas
from headwater.sql.procedural.bound_name import with_names
from headwater.sql.procedural.form import Dynamic, Target
from headwater.sql.respell.rule import closing
from headwater.sql.words import word

_BULK = "BULK COLLECT INTO"
"""Three words, and one token."""


def executed_rows(body: Body, value: Sequence[Token], cursor: Target) -> Dynamic | None:
    """`res := (EXECUTE IMMEDIATE e USING (a))`: a cursor gets the rows of a text; None for any other value."""
    while len(value) > 2 and word(value[0]) == "(" and closing(value, 0) == len(value) - 1:
        value = value[1:-1]
    inner = body.inside(value)
    if not inner.take("EXECUTE", "IMMEDIATE"):
        return None
    text = body.value(inner.until_any("USING"))
    using, names, outs = using_clause(inner)
    return with_names(Dynamic(text, (), using, names, outs, cursor=cursor), body.dialect)


def using_clause(inner: Body) -> tuple[tuple[Any, ...], tuple[str, ...], tuple[Target | None, ...]]:
    """`USING a, IN b, OUT d, c AS p`: values, the names that some of them have, and what takes a value back."""
    if not inner.take("USING"):
        return (), (), ()
    values, names, outs = [], [], []
    given = inner.until_any("INTO", "RETURNING", _BULK)
    if len(given) > 2 and word(given[0]) == "(" and closing(given, 0) == len(given) - 1:
        given = given[1:-1]
    for part in between_commas(given):
        mode = ""
        while word(part[0]) in ("IN", "OUT", "IN OUT") and len(part) > 1:
            mode, part = word(part[0]), part[1:]
        outs.append(inner.inside(part).target() if mode.endswith("OUT") else None)
        named = len(part) > 2 and word(part[-2]) == "AS"
        names.append(part[-1].text if named else "")
        values.append(inner.value(part[:-2] if named else part))
    return tuple(values), tuple(names), tuple(outs)
