"""CREATE … AS query, CREATE … CLONE and the like, with clauses that the grammar does not know: they are left out and the rest is parsed.

Vendors put clauses between the name and the query (`REFRESH FAST`, `TBLPROPERTIES (…)`), behind the query (`DISTRIBUTED BY`)
and into the list of columns (`MASK f`, `CONSTRAINT c EXPECT (…)`). Nothing has to be known of a clause to find the query: it is what stands
behind AS outside of brackets, and it ends where the grammar cannot go on. What is left out and not known to be about storage, refreshing or
access gives the diagnostic `skipped-clause`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlglot import exp
from sqlglot.errors import ParseError
from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.grammar import parse_statement
from headwater.sql.reading.location import file_format, option
from headwater.sql.reading.reading import Reading, is_string, reads, word
from headwater.sql.reading.skipped_clause import note_skipped
from headwater.sql.reading.table_elements import table_elements

_KINDS = frozenset({"TABLE", "VIEW"})
_KEPT = frozenset({"TEMP", "TEMPORARY", "VOLATILE", "GLOBAL", "MATERIALIZED"})
"""Words before TABLE or VIEW that mean something to us."""
_OTHERS = frozenset({"AS", "(", "FUNCTION", "PROCEDURE", "TRIGGER", "TASK", "PIPE", "RULE", "FLOW", "SEMANTIC"})
"""Words before TABLE or VIEW that begin something else."""
_QUERY = frozenset({"SELECT", "WITH", "VALUES", "FROM", "TABLE", "SEL", "LOCKING", "("})
_OF_QUERY = frozenset({"SELECT", "FROM", "WHERE", "JOIN", "UNION", "GROUP BY", "HAVING", "QUALIFY"})
"""Words of a query: behind them the grammar stopped at a mistake, not at a clause."""
_COPIES = frozenset({"CLONE", "LIKE", "COPY"})
_STATES = {"VERSION": "VERSION", "TIMESTAMP": "TIMESTAMP", "FOR": "TIMESTAMP", "AT": "TIMESTAMP", "BEFORE": "TIMESTAMP"}
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
    ("DISTRIBUTED", "BY"),
    ("DISTRIBUTED", "RANDOMLY"),
    ("DISTRIBUTED", "REPLICATED"),
    ("SEGMENTED", "BY"),
    ("UNSEGMENTED",),
    ("WITH", "("),
    ("COMMENT",),
)
"""What may follow the query of a CREATE."""


@reads("CREATE", "ALTER", "REPLACE")
def create_as(reading: Reading) -> Any:
    """`CREATE MATERIALIZED VIEW v BUILD IMMEDIATE REFRESH FAST AS SELECT …`, `CREATE SNAPSHOT TABLE s CLONE t FOR …`."""
    head = _head(reading)
    if head is None or reading.find("AS", "AT") >= 0 or reading.find("OPTION", "(", "FOR", "TIMESTAMP") >= 0:
        return None  # the reader of such states takes it
    if reading.sees("AS", "CLONE", "OF"):  # Fabric
        reading.token()
    if reading.take_any("SHALLOW", "DEEP") or reading.word() in _COPIES:
        return _copy(reading, head)
    columns: Sequence[Token] = ()
    if reading.at_bracket() and reading.word(1) not in ("SELECT", "WITH"):
        columns = reading.brackets()
    if reading.find("AS", "REPLICA", "OF") >= 0:
        return _replica(reading, head)
    return filled_by_query(reading, head, columns)


def _replica(reading: Reading, head: list[Token]) -> Any:
    """BigQuery's `CREATE MATERIALIZED VIEW v AS REPLICA OF t`: the rows of t, as a query of all of them."""
    reading.skip_to("AS", "REPLICA", "OF")
    as_ = reading.token()
    reading.at += 2
    start = reading.at
    reading.name()
    kinds = ((TokenType.SELECT, "SELECT"), (TokenType.STAR, "*"), (TokenType.FROM, "FROM"))
    made = [_made(kind, text, as_) for kind, text in kinds]
    return _parsed(reading, head, (), [*made, *reading.tokens[start : reading.at]])


@reads("CREATE")
def rule_of_view(reading: Reading) -> Any:
    """PostgreSQL's `CREATE RULE r AS ON SELECT TO v DO INSTEAD SELECT …`: how views were made once."""
    create = reading.token()
    reading.take("OR", "REPLACE")
    if not reading.take("RULE") or not reading.skip_to("ON", "SELECT", "TO"):
        return None
    reading.take("ON", "SELECT", "TO")
    start = reading.at
    reading.name()
    at = reading.tokens[start]
    view = Token(TokenType.VIEW, "VIEW", at.line, at.col, at.start, at.start)
    head = [create, view, *reading.tokens[start : reading.at]]
    reading.take("DO")
    reading.take("INSTEAD")
    return filled_by_query(reading, head, ())


@reads("ATTACH")
def attached(reading: Reading) -> Any:
    """ClickHouse's `ATTACH VIEW v UUID '…' AS SELECT …`, with a definition, is a CREATE; `ATTACH TABLE t` has none."""
    if reading.dialect.family != "clickhouse" or (reading.find("AS") < 0 and reading.find("(") < 0):
        return None
    first = reading.token()
    create = Token(TokenType.CREATE, "CREATE", first.line, first.col, first.start, first.end)
    tokens = reading.tokens
    ids = [i for i, token in enumerate(tokens[:-1]) if word(token) == "UUID" and is_string(tokens[i + 1])]
    named = {i + n for i in ids for n in (0, 1)} | {i - n for i in ids if _is_inner(tokens, i) for n in (1, 2)}
    return reading.statement([create, *(token for i, token in enumerate(tokens[1:], 1) if i not in named)])


def _is_inner(tokens: Sequence[Token], i: int) -> bool:
    """Whether a table's id is that of the table behind a view: `TO INNER UUID '…'`."""
    return i > 1 and [word(token) for token in tokens[i - 2 : i]] == ["TO", "INNER"]


def filled_by_query(reading: Reading, head: list[Token], columns: Sequence[Token]) -> Any:
    """The CREATE of *head* by the query that stands somewhere behind it, with the *columns* of its list."""
    behind = reading.at
    for start in _queries(reading):
        if any(word(token) in _OF_QUERY for token in reading.tokens[behind:start]):
            return None  # what stands before is a query with a mistake, not a clause
        for end in _ends(reading, start):
            tree = _parsed(reading, head, columns, reading.tokens[start:end])
            if tree is not None:
                before = start - (word(reading.tokens[start - 1]) == "AS")
                _note_clauses(reading, tree, behind, before)
                note_skipped(reading, reading.tokens[end:])
                return tree
    return None


def _note_clauses(reading: Reading, tree: Any, start: int, end: int) -> None:
    """Look at the clauses between the name and the query: ClickHouse's `TO t` says which table is filled."""
    reading.at = start
    to = reading.find("TO") if reading.dialect.family == "clickhouse" else -1
    if 0 <= to < end and isinstance(tree, exp.Create):
        note_skipped(reading, reading.tokens[start:to])
        reading.at = to + 1
        properties = tree.args.get("properties") or exp.Properties(expressions=[])
        properties.append("expressions", exp.ToTableProperty(this=reading.name()))
        tree.set("properties", properties)
        if reading.at_bracket():
            reading.brackets()
        start = reading.at
    note_skipped(reading, reading.tokens[start:end])


def _made(kind: TokenType, text: str, at: Token) -> Token:
    """A token that nobody wrote, at the place of another."""
    return Token(kind, text, at.line, at.col, at.start, at.end)


def _head(reading: Reading) -> list[Token] | None:
    """`CREATE [OR REPLACE] [TEMPORARY] TABLE name`, without the other words; moves behind the name."""
    head = [reading.token()]
    if word(head[0]) == "REPLACE":
        head = [_made(TokenType.CREATE, "CREATE", head[0]), _made(TokenType.OR, "OR", head[0]), *head]
    while reading and reading.word() not in _KINDS:
        if reading.sees("OR", "REPLACE"):
            head += [reading.token(), reading.token()]
            continue
        token = reading.token()
        if word(token) in _OTHERS:
            return None
        if word(token) in _KEPT:
            head.append(token)
    if not reading:
        return None
    start = reading.at
    materialized = any(word(token) == "MATERIALIZED" for token in head)
    if word(head[0]) == "ALTER" and (reading.word() == "VIEW" or materialized):
        head[0] = _made(TokenType.CREATE, "CREATE", head[0])
    reading.token()
    reading.take("IF", "NOT", "EXISTS")
    reading.name()
    return [*head, *reading.tokens[start : reading.at]]


def _copy(reading: Reading, head: list[Token]) -> Any:
    """The whole without what follows the name, but for the state that is copied: `CLONE t VERSION AS OF 3`."""
    copies = reading.token()
    reading.take("OF")
    start = reading.at
    reading.name()
    if reading.at_string():  # Impala's `LIKE PARQUET '/x'`: a file says what the columns are
        return parse_statement(head, reading.sql, reading.dialect)
    tree = parse_statement([*head, copies, *reading.tokens[start : reading.at]], reading.sql, reading.dialect)
    if isinstance(tree, exp.Create):
        _add_location(reading, tree)
    copied = tree.args.get("clone") if tree is not None else None
    if copied is not None and reading.word() in _STATES:
        copied.this.set("version", exp.Version(this=_STATES[reading.word()], kind="AS OF"))
    return tree


def _add_location(reading: Reading, tree: exp.Create) -> None:
    """Keep where the rows of an external table are, and in which format: `LIKE t STORED AS PARQUET LOCATION '/x'`."""
    found = option(reading.rest(), "LOCATION")
    if not found:
        return
    properties = tree.args.get("properties") or exp.Properties(expressions=[])
    properties.append("expressions", exp.FileFormatProperty(this=exp.Var(this=file_format(reading.rest()))))
    properties.append("expressions", exp.LocationProperty(this=exp.Literal.string(found[0].text)))
    tree.set("properties", properties)


def _queries(reading: Reading) -> Iterator[int]:
    """Where the query may begin: behind an AS outside of brackets; at a SELECT, for MySQL's `IGNORE SELECT …` and `REPLACE (SELECT …)`."""
    behind = reading.at
    while reading.skip_to("AS"):
        reading.token()
        if reading.word() in _QUERY:
            yield reading.at
    reading.at = behind
    yield from sorted(
        {i for i in (reading.find("SELECT"), reading.find("(", "SELECT"), reading.find("(", "WITH")) if i >= 0}
    )


def _ends(reading: Reading, start: int) -> Iterator[int]:
    """Where the query may end: with the statement, before a clause that may follow it, where the grammar cannot go on."""
    yield len(reading.tokens)
    reading.at = start
    yield from sorted({i for i in (reading.find(*tail) for tail in _TAILS) if i > start}, reverse=True)
    stop = _stop(reading, start)
    if stop > start and not any(word(token) in _OF_QUERY for token in reading.tokens[stop:]):
        ends = (stop - 1, stop) if _begins_clause(reading, start, stop - 1) else (stop, stop - 1)
        yield from (end for end in ends if end > start)


def _stop(reading: Reading, start: int) -> int:
    """The token outside of brackets at which the grammar gives up on a query; -1 for none."""
    try:
        reading.parsed(reading.tokens[start:])
    except ParseError as error:
        report = error.errors[0] if error.errors else {}
        place = report.get("line"), report.get("col")
        depth = 0
        for i in range(start, len(reading.tokens)):
            token = reading.tokens[i]
            if (token.line, token.col) == place:
                return i if depth == 0 else -1
            depth += (token.token_type is TokenType.L_PAREN) - (token.token_type is TokenType.R_PAREN)
    return -1


def _begins_clause(reading: Reading, start: int, i: int) -> bool:
    """Whether the word before the one that stops the grammar is its clause's first, which was taken for an alias: none asks for it."""
    tokens = reading.tokens
    name = tokens[i].text.upper()
    if (
        tokens[i].token_type is not TokenType.VAR
        or word(tokens[i - 1]) in ("AS", "FROM", "JOIN", ",", ".")
        or i <= start + 1
    ):
        return False
    return not any(tokens[n].text.upper() == name and tokens[n + 1].text == "." for n in range(start, i))


def _parsed(reading: Reading, head: list[Token], columns: Sequence[Token], query: Sequence[Token]) -> Any:
    """The tree of a CREATE or ALTER with that query; None if the grammar does not take the query."""
    as_ = Token(TokenType.ALIAS, "AS", query[0].line, query[0].col, query[0].start, query[0].start)
    try:
        tree = reading.parsed([*head, as_, *query])
    except ParseError:
        return None
    if not isinstance(tree, (exp.Create, exp.Alter)):
        return None
    elements = table_elements(columns, reading) if columns else []
    if elements and isinstance(tree, exp.Create):
        tree.set("this", exp.Schema(this=tree.this, expressions=elements))
    return tree
