"""CREATE … AS query, CREATE … CLONE and the like, with options that the grammar does not know: they are left out and the rest is parsed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token

from headwater.sql.grammar import parse_statement
from headwater.sql.reading.reading import Reading, reads, word

_KINDS = frozenset({"TABLE", "VIEW"})
_KEPT = frozenset({"OR", "REPLACE", "TEMP", "TEMPORARY", "VOLATILE", "GLOBAL", "LOCAL", "MATERIALIZED"})
"""Words before TABLE or VIEW that mean something to us."""
_QUERY = frozenset({"SELECT", "WITH", "VALUES", "FROM", "TABLE", "SEL", "LOCKING", "("})
_COPIES = frozenset({"CLONE", "LIKE", "COPY"})
_STATES = {"VERSION": "VERSION", "TIMESTAMP": "TIMESTAMP", "FOR": "TIMESTAMP"}
_TAILS = (
    ("WITH", "NO", "DATA"),
    ("WITH", "DATA"),
    ("WITH", "CHECK", "OPTION"),
    ("WITH", "CASCADED", "CHECK", "OPTION"),
    ("WITH", "LOCAL", "CHECK", "OPTION"),
    ("WITH", "READ", "ONLY"),
    ("WITH", "NO", "SCHEMA", "BINDING"),
    ("WITH", "RESTRICT", "ON", "DROP"),
    ("DATA", "INITIALLY"),
    ("REFRESH", "DEFERRED"),
    ("COMMENT",),
)
"""What may follow the query of a CREATE."""


@reads("CREATE", "ALTER", "REPLACE")
def create_as(reading: Reading) -> Any:
    """`CREATE MATERIALIZED VIEW v BUILD IMMEDIATE REFRESH FAST AS SELECT …`, `CREATE SNAPSHOT TABLE s CLONE t FOR …`."""
    head = _head(reading)
    if head is None:
        return None
    if reading.take_any("SHALLOW", "DEEP") or reading.word() in _COPIES:
        return _copy(reading, head)
    columns: Sequence[Token] = ()
    if reading.at_bracket():
        start = reading.at
        reading.brackets()
        columns = reading.tokens[start : reading.at]
    while reading.skip_to("AS"):
        as_ = reading.token()
        if reading.word() in _QUERY:
            return _parsed(reading, [*head, *columns, as_])
    return None


def _head(reading: Reading) -> list[Token] | None:
    """`CREATE [OR REPLACE] [TEMPORARY] TABLE name`, without the other words; moves behind the name."""
    head = [reading.token()]
    while reading and reading.word() not in _KINDS:
        token = reading.token()
        if word(token) in ("AS", "(", "FUNCTION", "PROCEDURE", "TRIGGER", "TASK", "PIPE"):
            return None
        if word(token) in _KEPT:
            head.append(token)
    if not reading:
        return None
    start = reading.at
    reading.token()
    reading.take("IF", "NOT", "EXISTS")
    reading.name()
    return [*head, *reading.tokens[start : reading.at]]


def _copy(reading: Reading, head: list[Token]) -> Any:
    """The whole without what follows the name, but for the state that is copied: `CLONE t VERSION AS OF 3`."""
    start = reading.at
    reading.token()
    reading.name()
    tree = parse_statement([*head, *reading.tokens[start : reading.at]], reading.sql, reading.dialect)
    copied = tree.args.get("clone") if tree is not None else None
    if copied is not None and reading.word() in _STATES:
        copied.this.set("version", exp.Version(this=_STATES[reading.word()], kind="AS OF"))
    return tree


def _parsed(reading: Reading, head: list[Token]) -> Any:
    """The whole without what follows the query."""
    start = reading.at
    ends = [i for i in (reading.find(*tail) for tail in _TAILS) if i > start]
    for end in [len(reading.tokens), *sorted(ends, reverse=True)]:
        try:
            tree = parse_statement([*head, *reading.tokens[start:end]], reading.sql, reading.dialect)
        except ParseError:
            continue
        if tree is not None and tree.key in ("create", "alter"):
            return tree
    return None
