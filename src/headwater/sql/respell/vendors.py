"""Small respellings of single vendors, each for one phrase."""

from __future__ import annotations

from sqlglot.tokenizer_core import Token, TokenType

from headwater.sql.dialect import dialect_names
from headwater.sql.respell.rule import (
    Edit,
    Tokens,
    closing,
    following,
    made,
    opening,
    reads,
    respells,
    respells_phrase,
    word,
)

_PROPERTIES = (
    "ENFORCED",
    "VALIDATE",
    "NOVALIDATE",
    "RELY",
    "NORELY",
    "DEFERRABLE",
    "INITIALLY",
    "DEFERRED",
    "IMMEDIATE",
)
_END_OF_CONSTRAINT = frozenset({*_PROPERTIES, "NOT", "ENABLE", "DISABLE"})


def property_of_constraint(tokens: Tokens, i: int) -> Tokens:
    """`ADD CONSTRAINT c PRIMARY KEY (a) NOT ENFORCED RELY`: whether anybody checks it."""
    last = all(word(tokens, n) in _END_OF_CONSTRAINT for n in range(i, len(tokens)))
    start = i
    while word(tokens, start - 1) in _END_OF_CONSTRAINT:
        start -= 1
    return tokens[:start] if last and word(tokens, start - 1) == ")" else tokens


for _property in (*_PROPERTIES, "ENABLE", "DISABLE"):
    respells(_property, "snowflake", "oracle", first="ALTER")(property_of_constraint)


@respells("DYNAMIC", "snowflake", first="ALTER DROP")
@respells("HYBRID", "snowflake", first="ALTER DROP")
@respells("EVENT", "snowflake", first="ALTER DROP")
@respells("EXTERNAL", "snowflake", "redshift", "tsql", "postgres", "bigquery", first="DROP")
@respells("SNAPSHOT", "bigquery", first="DROP")
def kind_of_table(tokens: Tokens, i: int) -> Tokens:
    """`ALTER DYNAMIC TABLE t RENAME TO u`, `DROP EXTERNAL TABLE t`, Greenplum's `DROP EXTERNAL WEB TABLE t`."""
    behind = 3 if word(tokens, 2) == "WEB" else 2
    return [tokens[0], *tokens[behind:]] if i == 1 and word(tokens, behind) == "TABLE" else tokens


@respells("LABEL", "mysql", first="INSERT")
def load_label(tokens: Tokens, i: int) -> Tokens:
    """Doris' and StarRocks' `INSERT INTO t WITH LABEL l (a) SELECT …`: the name of the load."""
    is_label = word(tokens, i - 1) == "WITH" and word(tokens, i + 1) not in ("AS", "(")
    return tokens[: i - 1] + tokens[i + 2 :] if is_label else tokens


@respells("UPDATE", "sqlite", first="UPDATE")
def update_or(tokens: Tokens, i: int) -> Tokens:
    """`UPDATE OR IGNORE t`: what happens to rows in conflict."""
    return tokens[: i + 1] + tokens[i + 3 :] if reads(tokens, i + 1, "OR") else tokens


@respells("SET", "teradata", "oracle", "db2", first="UPDATE UPD")
def set_is_no_alias(tokens: Tokens, i: int) -> Tokens:
    """`UPDATE t FROM s SET`, `UPDATE (SELECT …) SET`: the grammar would take SET for an alias, so there is one before it."""
    if i < 2 or following(tokens, 0, lambda n: n == i) != i:
        return tokens
    before = tokens[i - 1]
    if before.token_type is TokenType.R_PAREN:
        name = made("changed", TokenType.VAR, before)
    elif word(tokens, i - 2) in ("FROM", ",") or (word(tokens, i - 2) == "." and word(tokens, i - 4) in ("FROM", ",")):
        name = before
    else:
        return tokens
    return [*tokens[:i], made("AS", TokenType.ALIAS, before), name, *tokens[i:]]


@respells("EDITIONABLE", "oracle", first="CREATE")
@respells("NONEDITIONABLE", "oracle", first="CREATE")
@respells("PRIVATE", "oracle", first="CREATE")
def edition(tokens: Tokens, i: int) -> Tokens:
    """`CREATE OR REPLACE EDITIONABLE VIEW`, `CREATE PRIVATE TEMPORARY TABLE`."""
    return tokens[:i] + tokens[i + 1 :] if i < 5 else tokens


@respells("EXCHANGE", "oracle", first="CREATE")
def made_for_exchange(tokens: Tokens, i: int) -> Tokens:
    """`CREATE TABLE t … FOR EXCHANGE WITH TABLE u` is `CREATE TABLE t LIKE u`."""
    if not reads(tokens, i - 1, "FOR", "EXCHANGE", "WITH", "TABLE"):
        return tokens
    end = next((n for n in range(i) if word(tokens, n) == "TABLE"), 0) + 2
    while word(tokens, end) == ".":
        end += 2
    return [*tokens[:end], made("LIKE", TokenType.LIKE, tokens[i]), *tokens[i + 3 :]]


@respells("CURRENT", *dialect_names(), first="UPDATE DELETE")
def row_of_cursor(tokens: Tokens, i: int) -> Tokens:
    """`WHERE CURRENT OF c`: a name that asks about the cursor, as in programs."""
    if word(tokens, i + 1) != "OF" or i + 2 >= len(tokens):
        return tokens
    last = i + 2 + (word(tokens, i + 2) in ("GLOBAL", "@"))
    name = "".join(token.text for token in tokens[i + 2 : last + 1]).removeprefix("GLOBAL")
    return [*tokens[:i], made(f"{name}%CURRENT", TokenType.VAR, tokens[i]), *tokens[last + 1 :]]


@respells_phrase(":", "oracle", "db2")
def numbered_bind(tokens: Tokens, i: int) -> Edit | None:
    """`:1` is a bind variable."""
    if (
        i + 1 < len(tokens)
        and tokens[i + 1].token_type is TokenType.NUMBER
        and tokens[i].end + 1 == tokens[i + 1].start
    ):
        return Edit(i, i + 2, [made("?", TokenType.PLACEHOLDER, tokens[i])])
    return None


@respells_phrase("?", "sqlite", "duckdb")
def numbered_parameter(tokens: Tokens, i: int) -> Edit | None:
    """`?2` is the second parameter."""
    if (
        i + 1 < len(tokens)
        and tokens[i + 1].token_type is TokenType.NUMBER
        and tokens[i].end + 1 == tokens[i + 1].start
    ):
        return Edit(i, i + 2, [made("?", TokenType.PLACEHOLDER, tokens[i])])
    return None


@respells("CURRENT_SCHEMA", "oracle", first="ALTER")
@respells("SEARCH_PATH", "postgres", "redshift", first="SET")
@respells("SCHEMA", "db2", "postgres", first="SET")
def use_schema(tokens: Tokens, i: int) -> Tokens:
    """`ALTER SESSION SET CURRENT_SCHEMA = s`, `SET search_path TO s`, `SET CURRENT SCHEMA s`: USE by another name."""
    before = [word(tokens, n) for n in range(i)]
    settings = (["SET"], ["SET", "CURRENT"], ["SET", "SESSION"], ["ALTER", "SESSION", "SET"])
    value = i + 2 if word(tokens, i + 1) in ("=", "TO") else i + 1
    if before not in settings or value != len(tokens) - 1 or word(tokens, value) in ("DEFAULT", "USER"):
        return tokens
    name = tokens[value]
    if name.token_type is TokenType.STRING:
        name = made(name.text, TokenType.IDENTIFIER, name)
    return [made("USE", TokenType.USE, tokens[0]), name]


@respells("REMOVE", "redshift", first="MERGE")
def remove_duplicates(tokens: Tokens, i: int) -> Tokens:
    """`MERGE … REMOVE DUPLICATES`: the source's rows take the place of those that match, and the others are added."""
    if not reads(tokens, i + 1, "DUPLICATES"):
        return tokens
    return tokens[:i] + _words("WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *", tokens[i])


_KINDS = {
    "WHEN": TokenType.WHEN,
    "THEN": TokenType.THEN,
    "UPDATE": TokenType.UPDATE,
    "SET": TokenType.SET,
    "NOT": TokenType.NOT,
    "INSERT": TokenType.INSERT,
    "*": TokenType.STAR,
}


def _words(text: str, at: Token) -> Tokens:
    return [made(each, _KINDS.get(each, TokenType.VAR), at) for each in text.split()]


@respells("LOCAL", "ansi", "redshift", "snowflake", "postgres", first="CREATE")
@respells("GLOBAL", "ansi", "redshift", "snowflake", "postgres", first="CREATE")
def local_temporary(tokens: Tokens, i: int) -> Tokens:
    """`CREATE LOCAL TEMPORARY TABLE`."""
    return tokens[:i] + tokens[i + 1 :] if word(tokens, i + 1) in ("TEMP", "TEMPORARY") else tokens


@respells("SECURITY", "clickhouse", first="CREATE")
@respells("DEFINER", "clickhouse", first="CREATE")
def rights_of_view(tokens: Tokens, i: int) -> Tokens:
    """`CREATE VIEW v DEFINER = u SQL SECURITY DEFINER AS …`: whose rights the query has."""
    if reads(tokens, i - 1, "SQL", "SECURITY"):
        return tokens[: i - 1] + tokens[i + 2 :]
    return tokens[:i] + tokens[i + 3 :] if word(tokens, i + 1) == "=" else tokens


@respells_phrase("OUTER", "clickhouse")
def strict_outer(tokens: Tokens, i: int) -> Edit | None:
    """`LEFT ANY OUTER JOIN` is `LEFT ANY JOIN`."""
    return Edit(i, i + 1) if word(tokens, i - 1) in ("ANY", "ALL", "ASOF", "SEMI", "ANTI") else None


@respells_phrase("RETURNING RETURN", "oracle", sign="RETURN")
def returned_into_binds(tokens: Tokens, i: int) -> Edit | None:
    """`RETURNING a, b INTO :x, :y`: to the client."""
    into = following(tokens, i, lambda n: word(tokens, n) in ("INTO", "BULK COLLECT INTO"))
    if word(tokens, 0) not in ("INSERT", "UPDATE", "DELETE", "MERGE") or word(tokens, into + 1) not in (":", "?"):
        return None
    return Edit(into, len(tokens))


@respells("COMMIT", "ansi", first="CREATE")
def on_commit(tokens: Tokens, i: int) -> Tokens:
    """`CREATE … ON COMMIT PRESERVE ROWS`: how long the rows live."""
    is_clause = word(tokens, i - 1) == "ON" and word(tokens, i + 2) == "ROWS"
    return tokens[: i - 1] + tokens[i + 3 :] if is_clause else tokens


@respells_phrase("WINDOW", "spark", "databricks")
def time_window(tokens: Tokens, i: int) -> Edit | None:
    """`GROUP BY window(at, '1 day')`, `window.start`: a function and its column, not the clause WINDOW."""
    if word(tokens, i + 1) not in ("(", "."):
        return None
    return Edit(i, i + 1, [made(tokens[i].text, TokenType.VAR, tokens[i])])


@respells_phrase("WITH", "spark", "databricks")
def options_of_table(tokens: Tokens, i: int) -> Edit | None:
    """`FROM t WITH ('split-size' = '5')`, `INSERT WITH SCHEMA EVOLUTION INTO t`: how a table is read or written."""
    if i and word(tokens, i + 1) == "(":
        return Edit(i, closing(tokens, i + 1) + 1)
    return Edit(i, i + 3) if i and reads(tokens, i + 1, "SCHEMA", "EVOLUTION") else None


@respells_phrase("@", "bigquery")
def hint(tokens: Tokens, i: int) -> Edit | None:
    """GoogleSQL's `JOIN@{FORCE_JOIN_ORDER=TRUE}`: how the rows are found."""
    if word(tokens, i + 1) != "{":
        return None
    end = next((n for n in range(i, len(tokens)) if tokens[n].token_type is TokenType.R_BRACE), i)
    if reads(tokens, i - 1, "GROUP") and reads(tokens, end + 1, "BY"):
        return Edit(i - 1, end + 2, [made("GROUP BY", TokenType.GROUP_BY, tokens[i - 1])])
    return Edit(i, end + 1)


@respells_phrase("VALUES", "spark", "databricks")
def values_with_alias(tokens: Tokens, i: int) -> Edit | None:
    """`(VALUES (1) AS v(a))` is `(SELECT * FROM VALUES (1) AS v(a))`: the grammar takes no alias inside of brackets."""
    if word(tokens, i - 1) != "(" or i < 2:
        return None
    end = following(tokens, i + 1, lambda n: tokens[n].token_type is TokenType.R_PAREN)
    last = opening(tokens, end - 1) if word(tokens, end - 1) == ")" else end
    named = last - 1 > i and tokens[last - 1].token_type in _NAMES and word(tokens, last - 2) in (")", "AS")
    if not named:
        return None
    kinds = (("SELECT", TokenType.SELECT), ("*", TokenType.STAR), ("FROM", TokenType.FROM))
    return Edit(i, i, [made(text, kind, tokens[i]) for text, kind in kinds])


@respells_phrase("TIMEDIFF", "spark", "databricks")
def time_difference(tokens: Tokens, i: int) -> Edit | None:
    """`timediff(HOUR, a, b)` is `timestampdiff`: HOUR is a unit, not a column."""
    if word(tokens, i + 1) != "(" or word(tokens, i + 3) != ",":
        return None
    return Edit(i, i + 1, [made("TIMESTAMPDIFF", TokenType.VAR, tokens[i])])


_BEFORE_TABLE_QUERY = frozenset(
    {"AS", ")", "UNION", "ALL", "DISTINCT", "EXCEPT", "MINUS", "INTERSECT", "EXPLAIN", "QUERY", "THEN"}
)
_NAMES = (TokenType.VAR, TokenType.IDENTIFIER)


@respells_phrase("TABLE", "spark", "databricks", "athena", "exasol")
def table_query(tokens: Tokens, i: int) -> Edit | None:
    """`TABLE t` in the place of a query is `SELECT * FROM t`; as an argument of a function, `f(TABLE t)`, it is `TABLE(t)`."""
    if i + 1 >= len(tokens) or tokens[i + 1].token_type not in _NAMES:
        return None
    before = word(tokens, i - 1)
    called = before in ("(", ",") and _is_argument(tokens, i)
    if called or before == "=>":
        return _in_brackets(tokens, i + 1)
    if i > 0 and before != "(" and before not in _BEFORE_TABLE_QUERY:
        return None
    if _is_piped(tokens, i + 1):
        return Edit(i, i + 1, [made("FROM", TokenType.FROM, tokens[i])])
    kinds = (("SELECT", TokenType.SELECT), ("*", TokenType.STAR), ("FROM", TokenType.FROM))
    return Edit(i, i + 1, [made(text, kind, tokens[i]) for text, kind in kinds])


def _is_argument(tokens: Tokens, i: int) -> bool:
    """Whether a token stands between the brackets of a call, in no brackets of their own."""
    n = i - 1
    while n > 0 and tokens[n].token_type is not TokenType.L_PAREN:
        n = (opening(tokens, n) if tokens[n].token_type is TokenType.R_PAREN else n) - 1
    return n > 0 and tokens[n - 1].token_type in _NAMES


def _is_piped(tokens: Tokens, start: int) -> bool:
    """Whether a pipe follows the name that begins there: `TABLE t |> …` keeps t visible, as FROM does."""
    end = start + 1
    while word(tokens, end) == "." and end + 1 < len(tokens):
        end += 2
    return word(tokens, end) in ("|>", "|")


def _in_brackets(tokens: Tokens, start: int) -> Edit:
    """The name that begins there, in brackets."""
    end = start + 1
    while word(tokens, end) == "." and end + 1 < len(tokens):
        end += 2
    left, right = made("(", TokenType.L_PAREN, tokens[start]), made(")", TokenType.R_PAREN, tokens[end - 1])
    return Edit(start, end, [left, *tokens[start:end], right])


@respells_phrase("DICTIONARY", "clickhouse")
def dictionary_function(tokens: Tokens, i: int) -> Edit | None:
    """`FROM dictionary('d')`: a function; elsewhere it is the keyword."""
    if word(tokens, i + 1) != "(" or word(tokens, i - 1) not in ("FROM", "JOIN", ","):
        return None
    return Edit(i, i + 1, [made(tokens[i].text, TokenType.VAR, tokens[i])])


@respells("HIERARCHICAL", "clickhouse", first="CREATE REPLACE ATTACH")
@respells("BIDIRECTIONAL", "clickhouse", first="CREATE REPLACE ATTACH")
@respells("INJECTIVE", "clickhouse", first="CREATE REPLACE ATTACH")
@respells("IS_OBJECT_ID", "clickhouse", first="CREATE REPLACE ATTACH")
def dictionary_attribute(tokens: Tokens, i: int) -> Tokens:
    """`parent UInt64 HIERARCHICAL`: how the dictionary keeps the column."""
    ends = word(tokens, i + 1) in (",", ")", "INJECTIVE", "BIDIRECTIONAL", "IS_OBJECT_ID")
    return tokens[:i] + tokens[i + 1 :] if ends and "DICTIONARY" in map(str.upper, _texts(tokens[:4])) else tokens


@respells("EXPRESSION", "clickhouse", first="CREATE REPLACE ATTACH")
def dictionary_expression(tokens: Tokens, i: int) -> Tokens:
    """`name String DEFAULT '' EXPRESSION upper(n)`: the column is computed, as by MATERIALIZED; its default does not matter."""
    if "DICTIONARY" not in map(str.upper, _texts(tokens[:4])):
        return tokens
    start = i - 2 if word(tokens, i - 2) == "DEFAULT" else i
    return [*tokens[:start], made("MATERIALIZED", TokenType.VAR, tokens[i]), *tokens[i + 1 :]]


@respells("REPLICA", "clickhouse", first="CREATE REPLACE ATTACH")
def dictionary_replica(tokens: Tokens, i: int) -> Tokens:
    """`SOURCE(MYSQL(replica(host 'h' priority 1) …))`: the settings of a replica are settings of the source."""
    if word(tokens, i + 1) != "(" or "DICTIONARY" not in map(str.upper, _texts(tokens[:4])):
        return tokens
    end = closing(tokens, i + 1)
    return [*tokens[:i], *tokens[i + 2 : end], *tokens[end + 1 :]]


def _texts(tokens: Tokens) -> list[str]:
    return [token.text for token in tokens]


@respells_phrase("ASOF", "spark", "databricks", sign="MATCH_CONDITION")
def asof_join(tokens: Tokens, i: int) -> Edit | None:
    """`t [LEFT] ASOF JOIN q MATCH_CONDITION (…)`: a kind of join, no alias."""
    if not reads(tokens, i + 1, "JOIN"):
        return None
    start = i - 1 if word(tokens, i - 1) in ("LEFT", "INNER") else i
    return Edit(start, i + 1, [made("ASOF", TokenType.ASOF, tokens[i])])


@respells_phrase("MATCH_CONDITION", "spark", "databricks")
def match_condition(tokens: Tokens, i: int) -> Edit | None:
    """What an ASOF join compares: no alias of the table before it."""
    if word(tokens, i + 1) != "(" or not any(word(tokens, before) == "ASOF" for before in range(i)):
        return None
    return Edit(i, i + 1, [made("MATCH_CONDITION", TokenType.MATCH_CONDITION, tokens[i])])


@respells("ROLE", *dialect_names(), first="USE")
@respells("WAREHOUSE", *dialect_names(), first="USE")
@respells("SCHEMA", *dialect_names(), first="USE")
@respells("DATABASE", *dialect_names(), first="USE")
@respells("CATALOG", *dialect_names(), first="USE")
def used_name(tokens: Tokens, i: int) -> Tokens:
    """`USE warehouse`: a database of that name; the grammar waits for the name of a warehouse."""
    return [tokens[0], made(tokens[1].text, TokenType.IDENTIFIER, tokens[1])] if i == 1 == len(tokens) - 1 else tokens


@respells_phrase("SUBSET", "oracle", "snowflake", "trino", "presto", "athena", "ansi", sign="MATCH_RECOGNIZE")
def pattern_subset(tokens: Tokens, i: int) -> Edit | None:
    """`PATTERN (a b+) SUBSET u = (a, b)`: u is one more variable of the pattern, so it goes between the brackets of PATTERN."""
    end = i
    while word(tokens, end) in ("SUBSET", ",") and reads(tokens, end + 2, "=", "("):
        end = closing(tokens, end + 3) + 1
    if end == i or word(tokens, i - 1) != ")":
        return None
    return Edit(i - 1, end, [*tokens[i:end], tokens[i - 1]])


@respells_phrase(
    "COLUMNS PASSING", "postgres", "oracle", "trino", "presto", "athena", "db2", "mysql", "ansi", sign="JSON_TABLE"
)
def named_path(tokens: Tokens, i: int) -> Edit | None:
    """`JSON_TABLE(doc, '$.a' AS p PASSING b AS x COLUMNS (…))`: the name of a path, which only PLAN asks for."""
    if i < 3 or word(tokens, i - 2) != "AS" or tokens[i - 3].token_type is not TokenType.STRING:
        return None
    return Edit(i - 2, i)


@respells_phrase("PIVOT UNPIVOT", "duckdb")
def pivot_statement(tokens: Tokens, i: int) -> Edit | None:
    """`CREATE TABLE t AS PIVOT u ON …`, `INSERT INTO t UNPIVOT u ON …`: a query that the grammar takes in brackets.

    So does one that is sorted: `PIVOT u ON … ORDER BY a LIMIT 1`.
    """
    created = word(tokens, 0) == "CREATE" and word(tokens, i - 1) == "AS"
    inserted = word(tokens, 0) == "INSERT" and not any(word(tokens, n) in _QUERY_WORDS for n in range(i))
    tail = following(tokens, i, lambda n: word(tokens, n) in ("ORDER BY", "LIMIT", "OFFSET"))
    if not created and not inserted and (i > 0 or tail == len(tokens)):
        return None
    kinds = (("SELECT", TokenType.SELECT), ("*", TokenType.STAR), ("FROM", TokenType.FROM), ("(", TokenType.L_PAREN))
    before = [made(text, kind, tokens[i]) for text, kind in kinds]
    return Edit(
        i, len(tokens), [*before, *tokens[i:tail], made(")", TokenType.R_PAREN, tokens[tail - 1]), *tokens[tail:]]
    )


_QUERY_WORDS = frozenset({"SELECT", "FROM", "VALUES", "WITH", "TABLE"})


@respells("EXECUTE", "postgres", first="CREATE")
def rows_of_prepared(tokens: Tokens, i: int) -> Tokens:
    """`CREATE TABLE t AS EXECUTE p (1)` is `CREATE TABLE t AS SELECT * FROM p()`: the statement that was prepared is known by that name."""
    if word(tokens, i - 1) != "AS" or i + 1 >= len(tokens):
        return tokens
    kinds = (("SELECT", TokenType.SELECT), ("*", TokenType.STAR), ("FROM", TokenType.FROM))
    start = [made(text, kind, tokens[i]) for text, kind in kinds]
    brackets = [made("(", TokenType.L_PAREN, tokens[i + 1]), made(")", TokenType.R_PAREN, tokens[i + 1])]
    end = closing(tokens, i + 2) + 1 if word(tokens, i + 2) == "(" else i + 2
    return [*tokens[:i], *start, tokens[i + 1], *brackets, *tokens[end:]]


@respells_phrase("USING", "athena", sign="FUNCTION")
def external_functions(tokens: Tokens, i: int) -> Edit | None:
    """Athena's `USING EXTERNAL FUNCTION f(x INT) RETURNS INT LAMBDA 'l' SELECT f(a) …`: nobody knows what f does."""
    if not (reads(tokens, i, "USING", "EXTERNAL", "FUNCTION") or reads(tokens, i, "USING", "FUNCTION")):
        return None
    query = following(
        tokens,
        i + 1,
        lambda n: word(tokens, n) == "SELECT" or (word(tokens, n) == "WITH" and word(tokens, n + 1) != "("),
    )
    return Edit(i, query) if query < len(tokens) else None


@respells_phrase("XMLSERIALIZE", "oracle", "postgres", "db2", "ansi", "teradata")
def serialized(tokens: Tokens, i: int) -> Edit | None:
    """`XMLSERIALIZE(CONTENT x AS CLOB INDENT)` is a call of x: the type and the layout change nothing that flows."""
    if word(tokens, i + 1) != "(":
        return None
    end = closing(tokens, i + 1)
    start = i + 2 + (word(tokens, i + 2) in ("CONTENT", "DOCUMENT"))
    as_ = following(tokens, start, lambda n: word(tokens, n) == "AS" or n >= end)
    return Edit(i, end, [*tokens[i : i + 2], *tokens[start : min(as_, end)]])


@respells_phrase("XMLQUERY XMLEXISTS", "oracle", "postgres", "db2", "ansi", "teradata")
def passed_document(tokens: Tokens, i: int) -> Edit | None:
    """`XMLQUERY('/x' PASSING doc AS "d" RETURNING CONTENT)` is a call of the path and the document."""
    end = closing(tokens, i + 1) if word(tokens, i + 1) == "(" else 0
    passing = following(tokens, i + 2, lambda n: word(tokens, n) == "PASSING" or n >= end)
    if passing >= end:
        return None
    first = passing + (3 if word(tokens, passing + 1) == "BY" else 1)
    last = following(tokens, first, lambda n: word(tokens, n) in ("RETURNING", "EMPTY", "NULL") or n >= end)
    given = [token for n, token in enumerate(tokens[first:last], first) if not _names_argument(tokens, n)]
    comma = made(",", TokenType.COMMA, tokens[passing])
    return Edit(i, end, [*tokens[i:passing], comma, *given])


def _names_argument(tokens: Tokens, i: int) -> bool:
    """Whether a token belongs to `AS "d"`, outside of brackets or not: a cast has no name in quotes."""
    quoted = (TokenType.IDENTIFIER,)
    if word(tokens, i) == "AS":
        return i + 1 < len(tokens) and tokens[i + 1].token_type in quoted
    return tokens[i].token_type in quoted and word(tokens, i - 1) == "AS"
