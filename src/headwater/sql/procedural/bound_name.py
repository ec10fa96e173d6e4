"""Names that are bound to an executed text: `EXECUTE IMMEDIATE 'SELECT a FROM IDENTIFIER(:t)' USING v AS t`.

A name is no value: it becomes part of the text, as if the text had been put together with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import Any

from sqlglot import exp
from sqlglot.errors import TokenError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import Dialect
from headwater.sql.identifier_clause import Clause, clauses
from headwater.sql.procedural.form import Dynamic
from headwater.sql.tokens import plain_tokens


def with_names(form: Dynamic, dialect: Dialect) -> Dynamic:
    """The text with what is bound to `IDENTIFIER(:p)` or `IDENTIFIER(?)` in the place of these."""
    if not dialect.identifier_clause or not form.using or not isinstance(form.text, exp.Literal):
        return form
    text = str(form.text.this)
    try:
        tokens = plain_tokens(text, dialect)
    except TokenError:
        return form
    parts: list[Any] = []
    unnamed: set[int] = set()
    at = 0
    for clause in clauses(tokens, dialect):
        number = _bound_to(clause, tokens, form)
        if number is not None:
            parts += [exp.Literal.string(text[at : tokens[clause.start].start]), form.using[number].copy()]
            at = tokens[clause.end - 1].end + 1
            if not _name(form, number):
                unnamed.add(number)
    whole = exp.Concat(expressions=[*parts, exp.Literal.string(text[at:])])
    return _without(replace(form, text=whole), unnamed) if parts else form


def _bound_to(clause: Clause, tokens: Sequence[Token], form: Dynamic) -> int | None:
    """The number of the value that is bound to the parameter in a clause; None if it is no parameter, or nothing is bound to it."""
    if not isinstance(clause.value, exp.Placeholder):
        return None
    name = clause.value.name.lower()
    for number in range(len(form.using)):
        if name and _name(form, number).lower() == name:
            return number
    before = sum(token.token_type is TokenType.PLACEHOLDER for token in tokens[: clause.start])
    unnamed = [number for number in range(len(form.using)) if not _name(form, number)]
    return unnamed[before] if before < len(unnamed) else None


def _name(form: Dynamic, number: int) -> str:
    return form.names[number] if number < len(form.names) else ""


def _without(form: Dynamic, numbers: set[int]) -> Dynamic:
    """The form without values that are part of its text: others that have no name are bound by their order."""
    pairs = zip_longest(form.using, form.names, fillvalue="")
    left = [pair for number, pair in enumerate(pairs) if number not in numbers]
    return replace(form, using=tuple(value for value, _ in left), names=tuple(name for _, name in left))
