"""SQL that is built as a text and then executed: EXECUTE IMMEDIATE, EXEC(@sql), sp_executesql, PREPARE and EXECUTE."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.tokenizer_core import Token

from headwater.sql.form import NoLineage
from headwater.sql.procedural.body import Body, between_commas, steps
from headwater.sql.procedural.bound_name import with_names
from headwater.sql.procedural.executed_rows import using_clause
from headwater.sql.procedural.form import Dynamic, Passed, Target
from headwater.sql.procedural.tree import Do
from headwater.sql.script_program import inserts_executed
from headwater.sql.words import is_string, word

_BULK = "BULK COLLECT INTO"
"""Three words, and one token."""


@steps("EXECUTE", "EXEC")
def execute(body: Body) -> Any:
    """`EXECUTE IMMEDIATE e [INTO v] [USING a, b]`, PL/pgSQL's `EXECUTE e INTO v USING a`, T-SQL's `EXEC (@s)`."""
    tokens = body.take_statement()
    inner = body.inside(tokens)
    inner.token()
    immediate = inner.take("IMMEDIATE")
    if body.dialect.marks_variables:
        return _of_tsql(body, inner, tokens)
    name = inner.word()
    if not immediate and name in body.prepared:
        inner.token()
        return Do(body.made(tokens, Dynamic(body.prepared[name].copy(), (), using_clause(inner)[0])))
    if not immediate and body.dialect.family not in ("postgres", "redshift"):
        return None
    text = inner.until_any("INTO", "USING", "RETURNING", "BULK", _BULK)
    into: tuple[Target, ...] = ()
    using: tuple[Any, ...] = ()
    names: tuple[str, ...] = ()
    outs: tuple[Target | None, ...] = ()
    while inner:
        inner.take("RETURNING")
        if inner.take("INTO") or inner.take(_BULK) or inner.take("BULK", "COLLECT", "INTO"):
            inner.take("STRICT")
            into = inner.targets()
        elif inner.word() == "USING":
            using, names, outs = using_clause(inner)
        else:
            break
    return Do(body.made(tokens, with_names(Dynamic(body.value(text), into, using, names, outs), body.dialect)))


@steps("INSERT")
def insert_executed(body: Body) -> Any:
    """T-SQL's `INSERT INTO t (a) EXEC (@sql)`, `… EXEC sp_executesql @sql`."""
    if not body.dialect.marks_variables or not inserts_executed(body.tokens, body.at, len(body.tokens)):
        return None
    tokens = body.take_statement()
    inner = body.inside(tokens)
    inner.token()
    inner.take("INTO")
    table = inner.name()
    if inner.take("WITH"):  # how the table is locked
        inner.brackets()
    if inner.at_bracket():
        table = exp.Schema(this=table, expressions=inner.names())
    inner.token()
    return _of_tsql(body, inner, tokens, table)


def _of_tsql(body: Body, inner: Body, tokens: Sequence[Token], table: Any = None) -> Any:
    if inner.at_bracket():
        return Do(body.made(tokens, Dynamic(body.value(inner.brackets()), table=table)))
    name = inner.name()
    if name.name.lower() != "sp_executesql":
        return None
    parts = between_commas(inner.rest())
    text = _unnamed(parts[0]) if parts else ()
    declared = _parameter_names(_unnamed(parts[1])) if len(parts) > 1 else []
    passed = tuple(_passed(body, part, declared[i] if i < len(declared) else "") for i, part in enumerate(parts[2:]))
    return Do(body.made(tokens, Dynamic(body.value(text), passed=passed, table=table)))


def _parameter_names(tokens: Sequence[Token]) -> list[str]:
    """The names in `N'@a int, @b date OUTPUT'`, which declares the parameters of a text."""
    declared = "".join(token.text for token in tokens if is_string(token))
    return re.findall(r"(?:^|,)\s*(@\w+)", declared)


def _passed(body: Body, part: Sequence[Token], declared: str) -> Passed:
    """`@c = @cnt OUTPUT`, or by position `@cnt OUTPUT`: a parameter and what it is given."""
    out = word(part[-1]) in ("OUTPUT", "OUT")
    value = _unnamed(part[:-1] if out else part)
    name = f"@{part[1].text}" if len(value) < len(part) - out else declared
    return Passed(name, body.value(value), body.inside(value).target() if out else None)


def _unnamed(tokens: Sequence[Token]) -> Sequence[Token]:
    """An argument without its name: of `@stmt = @sql` the second."""
    return tokens[3:] if len(tokens) > 3 and word(tokens[0]) == "@" and tokens[2].text == "=" else tokens


@steps("PREPARE")
def prepare(body: Body) -> Any:
    """MySQL's `PREPARE s FROM @sql;`: it is executed later, by its name."""
    tokens = body.take_statement()
    inner = body.inside(tokens)
    inner.token()
    name = inner.token()
    if inner.take("FROM"):
        value = inner.value(inner.rest())
        body.prepared[name.text.upper()] = value if isinstance(value, exp.Expr) else exp.Null()
    return Do(body.made(tokens, NoLineage("Prepare")))
