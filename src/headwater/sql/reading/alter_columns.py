"""ALTER TABLE actions on columns in the spellings that the grammar does not take, as the grammar's own nodes.

`CHANGE COLUMN a b STRING AFTER c` (Hive), `ADD COLUMN IF NOT EXISTS a INT64, DROP COLUMN b` (BigQuery), `ADD (c NUMBER, …)` and
`DROP (a, b)` (Oracle).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.form import NoLineage
from headwater.sql.grammar import parse_statement
from headwater.sql.reading.listed import comma_separated
from headwater.sql.reading.reading import Reading, identifier, reads, word
from headwater.sql.reading.table_elements import table_elements

_NO_COLUMN = frozenset(
    {"CONSTRAINT", "PARTITION", "INDEX", "KEY", "PRIMARY", "FOREIGN", "UNIQUE", "CHECK", "PROJECTION", "STATISTICS"}
)

_CHANGED = frozenset({"SET", "UNSET", "RESET", "DROP", "TYPE", "MASKING", "ADD"})
"""What may be done to a column that keeps its name."""


@reads("ALTER")
def alter_columns(reading: Reading) -> Any:
    """`ALTER TABLE t action, action`, each action by the grammar or else by us; None if one stays unclear."""
    reading.take("ALTER")
    reading.take_any("EXTERNAL", "FOREIGN", "ICEBERG")
    if not reading.take("TABLE"):
        return None
    reading.take("IF", "EXISTS")
    reading.take("ONLY")
    table = reading.name()
    if reading.sees("ADD", "FILES", "("):
        return None
    verb: Sequence[Token] = ()
    actions: list[Any] = []
    for part in _actions(reading):
        if word(part[0]) in ("ADD", "DROP", "CHANGE", "MODIFY", "ALTER", "RENAME"):
            verb = part[:1]
        else:
            part = [*verb, *part]
        found = _action(part, reading)
        if found is None:
            return None
        actions += found
    if not actions and verb:
        return NoLineage("Alter Table")
    return exp.Alter(this=table, kind="TABLE", actions=actions) if actions else None


def _actions(reading: Reading) -> list[Sequence[Token]]:
    """The actions of an ALTER TABLE; in Db2 nothing stands between them."""
    parts = comma_separated(reading.rest())
    if reading.dialect.family != "db2":
        return parts
    actions: list[Sequence[Token]] = []
    for part in parts:
        inner = Reading(part, reading.sql, reading.dialect)
        start = 0
        while inner:
            if inner.at > start and _begins_action(inner):
                actions.append(inner.tokens[start : inner.at])
                start = inner.at
            if inner.at_bracket():
                inner.brackets()
            else:
                inner.token()
        actions.append(inner.tokens[start:])
    return actions


def _begins_action(inner: Reading) -> bool:
    """`ADD`, or `DROP COLUMN`: the DROP of `ALTER COLUMN c DROP NOT NULL` begins nothing."""
    if inner.word() == "ADD":
        return True
    return inner.word() in ("DROP", "ALTER", "RENAME") and inner.word(1) in _NO_COLUMN | {"COLUMN"}


def _action(part: Sequence[Token], reading: Reading) -> list[Any] | None:
    inner = Reading(part, reading.sql, reading.dialect)
    verb = inner.token().text.upper()
    inner.take_any("COLUMN", "COLUMNS")
    inner.take("IF", "NOT", "EXISTS")
    inner.take("IF", "EXISTS")
    if inner.sees("WATERMARK", "FOR") or inner.sees("PERIOD", "FOR"):
        return []
    if verb == "ALTER" and inner.word(1) in ("ADD", "DROP") and inner.word(2) == "MASKED":
        return [exp.AlterColumn(this=identifier(inner.token()))]  # T-SQL's mask is for readers: the values stay
    if verb == "ALTER" and inner.word(1) == "SET" and inner.word(2) == "ENCODING":
        return [exp.AlterColumn(this=identifier(inner.token()))]
    if inner.word() in _NO_COLUMN:
        return _by_grammar(part, reading)
    if verb == "ADD":
        return _added(inner, reading)
    if verb == "DROP":
        names = inner.names() if inner.at_bracket() else [identifier(inner.token())]
        return [exp.Drop(kind="COLUMN", tables=[exp.Column(this=name) for name in names])]
    if verb == "CHANGE" or (verb in ("ALTER", "MODIFY") and _renames(inner, reading)):
        old = identifier(inner.token())
        new = inner.tokens[inner.at] if inner else None
        if new is None:
            return None
        renamed = exp.AlterColumn(this=old, rename_to=identifier(new))
        renamed.set("position", _position(inner.rest()))
        return [renamed]
    if verb == "MODIFY":
        return _by_grammar(part, reading) or _modified(inner, reading)
    return _by_grammar(part, reading) if verb != "SET" else None


def _renames(inner: Reading, reading: Reading) -> bool:
    """Dremio's `ALTER COLUMN a b BIGINT` is CHANGE COLUMN, with another word."""
    return reading.dialect.family == "dremio" and len(inner.rest()) > 2 and inner.word(1) not in _CHANGED


def _modified(inner: Reading, reading: Reading) -> list[Any] | None:
    """Oracle's `MODIFY (a NUMBER(9), b NOT NULL)`, ClickHouse's `MODIFY COLUMN a Int64 DEFAULT 0`: a type where there is one."""
    elements = table_elements(inner.brackets() if inner.at_bracket() else inner.rest(), reading)
    columns = [e for e in elements if isinstance(e, exp.ColumnDef)]
    if not columns or len(columns) < len(elements):
        return None
    return [
        exp.ModifyColumn(this=each) if each.kind is not None else exp.AlterColumn(this=each.this) for each in columns
    ]


def _added(inner: Reading, reading: Reading) -> list[Any]:
    if not inner.at_bracket():
        return _placed(inner.rest(), reading)
    elements = [e for part in comma_separated(inner.brackets()) for e in _placed(part, reading)]
    return [e if isinstance(e, exp.ColumnDef) else exp.AddConstraint(expressions=[e]) for e in elements]


def _placed(rest: Sequence[Token], reading: Reading) -> list[Any]:
    """A column, with the place among the others that it is given, or a constraint."""
    position = _position(rest)
    if position is not None:
        rest = rest[: -1 if position.args["position"] == "FIRST" else -2]
    elements = table_elements(rest, reading)
    for each in elements:
        if position is not None and isinstance(each, exp.ColumnDef):
            each.set("position", position)
    return elements


def _position(tokens: Sequence[Token]) -> Any:
    """`FIRST`, or `AFTER c`, at the end."""
    if tokens and word(tokens[-1]) == "FIRST":
        return exp.ColumnPosition(position="FIRST")
    if len(tokens) > 1 and word(tokens[-2]) == "AFTER":
        return exp.ColumnPosition(this=exp.Column(this=identifier(tokens[-1])), position="AFTER")
    return None


def _by_grammar(part: Sequence[Token], reading: Reading) -> list[Any] | None:
    at = part[0]
    made = [(TokenType.ALTER, "ALTER"), (TokenType.TABLE, "TABLE"), (TokenType.VAR, "x")]
    head = [Token(kind, text, at.line, at.col, at.start, at.start) for kind, text in made]
    try:
        tree = parse_statement([*head, *part], reading.sql, reading.dialect)
    except ParseError:
        return None
    return list(tree.args.get("actions") or []) if isinstance(tree, exp.Alter) else None
