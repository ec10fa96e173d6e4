"""Hive's and Spark's variables, which are texts: `SET day = 2024-01-01`, `SET hivevar:t = db.sales`, read as `${day}`, `${hivevar:t}`.

What a statement says with them in place is known once they are set; a statement with one that is not is read as it stands.
"""

from __future__ import annotations

import re
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import TokenType

from headwater.sql.procedural.body import Body, steps
from headwater.sql.procedural.form import Assign, Dynamic, Target
from headwater.sql.procedural.tree import Declared, Do, Let
from headwater.sql.split import span_of

SUBSTITUTES = frozenset({"hive", "spark", "databricks"})
_PREFIX = r"(?:(?:hivevar|hiveconf|system|env)\s*:\s*)?"
_MARK = re.compile(rf"\$\{{\s*{_PREFIX}([\w.]+)\s*\}}", re.IGNORECASE)
_SET = re.compile(rf"set\s+{_PREFIX}([\w.]+)\s*=\s*(.*)\Z", re.IGNORECASE | re.DOTALL)


def set_text(body: Body) -> Any:
    """`SET x = some text`: all of it, as written; None for any other SET."""
    tokens = body.take_statement()
    span = span_of(tokens)
    found = _SET.match(body.sql, span.start, span.end)
    if found is None:
        return None
    name = _spelled(found[1])
    declared = Declared(name, "scalar", span_of(tokens[1:2]))
    value = _text(body, found[2].strip())
    body.known.declared[name.upper()] = declared
    target = Target((exp.Identifier(this=name, quoted=False),), declared.place)
    return [Let(declared), Do(body.made(tokens, Assign((target,), value)))]


@steps()
def substituted(body: Body) -> Any:
    """A statement with variables in it, all of which are set."""
    if body.dialect.family not in SUBSTITUTES:
        return None
    tokens = body.tokens[body.at : body.end_of_statement(body.at)]
    if not any("${" in token.text for token in tokens) or tokens[0].token_type is TokenType.SET:
        return None
    span = span_of(tokens)
    text = body.sql[span.start : span.end]
    if any(body.known.find(_spelled(name)) is None for name in _MARK.findall(text)):
        return None
    body.take_statement()
    return Do(body.made(tokens, Dynamic(_text(body, text))))


def _spelled(name: str) -> str:
    return f"${{{name.lower()}}}"


def _text(body: Body, text: str) -> Any:
    """A text with its variables, as an expression."""
    parts: list[Any] = []
    at = 0
    for mark in _MARK.finditer(text):
        parts.append(exp.Literal.string(text[at : mark.start()]))
        parts.append(exp.column(exp.Identifier(this=_spelled(mark[1]), quoted=False)))
        at = mark.end()
    rest = exp.Literal.string(text[at:])
    return exp.Concat(expressions=[*parts, rest]) if parts else rest
