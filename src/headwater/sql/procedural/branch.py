"""IF and CASE: one of several ways is taken."""

from __future__ import annotations

from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError

from headwater.sql.procedural.body import Body, between_commas, steps
from headwater.sql.procedural.form import Condition
from headwater.sql.procedural.tree import Branch, Choice

_ELSE = ("ELSEIF", "ELSIF", "ELSE", "END")


@steps("IF")
def if_(body: Body) -> Any:
    """`IF c THEN … ELSIF c THEN … ELSE … END IF;`."""
    if body.dialect.guards_one_statement:
        return None
    branches = []
    while True:
        start = body.at
        body.token()
        tokens = body.up_to("THEN")
        condition = body.condition("If", tokens, start)
        branches.append(Branch(condition, body.steps(*_ELSE)))
        if body.word() not in ("ELSEIF", "ELSIF"):
            break
    if body.take("ELSE"):
        branches.append(Branch(None, body.steps("END")))
    body.close("END", "IF")
    return Choice(tuple(branches))


@steps("CASE")
def case(body: Body) -> Any:
    """`CASE WHEN c THEN … ELSE … END CASE;`, and `CASE x WHEN 1 THEN …`."""
    body.token()
    selector = None
    if body.word() != "WHEN":
        found = body.find_word("WHEN")
        if found < 0:
            raise ParseError("WHEN is missing")
        selector = body.value(body.tokens[body.at : found])
        body.at = found
    branches = []
    while body.word() == "WHEN":
        start = body.at
        body.token()
        tokens = body.up_to("THEN")
        if selector is None:
            condition = body.condition("Case", tokens, start)
        else:
            values = [body.value(part) for part in between_commas(tokens)]
            compared = exp.In(this=selector.copy(), expressions=values)
            condition = body.made(body.tokens[start : body.at], Condition("Case", compared))
        branches.append(Branch(condition, body.steps("WHEN", "ELSE", "END")))
    if body.take("ELSE"):
        branches.append(Branch(None, body.steps("END")))
    if not body.take("END", "CASE"):
        body.close("END")
    body.take(";")
    return Choice(tuple(branches))
