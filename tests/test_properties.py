"""What holds for every query: the same lineage however it is written, nothing lost, nothing that raises.

The queries are random trees (`sql_generator`). Each property writes a tree down in two ways that mean the same, or looks at one
result. `make soak` runs thousands of examples of each.
"""

from __future__ import annotations

import random
import re
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from types import FrameType
from typing import Any

import duckdb
import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st

import headwater
from headwater.export.json_format import to_json
from headwater.lineage.lineage import StatementLineage
from headwater.model.diagnostic import Code
from headwater.model.entity import PSEUDO_ROWS, EntityKind
from headwater.sql.dialect import dialect as dialect_of
from headwater.sql.dialect import dialect_names
from sql_generator import (
    ALIAS,
    CREATE_TABLE,
    CREATE_VIEW,
    INT,
    PLAIN,
    SCHEMA,
    SELECT,
    TEXT,
    Name,
    Schema,
    Statement,
    Style,
    output_names,
    statements,
    text,
    tokens,
)
from validator import violations

pytestmark = [
    pytest.mark.slow,
    pytest.mark.no_cover,  # counting takes as long as running, and the cases have counted it
]

DIALECTS = ("spark", "postgres", "duckdb", "snowflake", "bigquery")

Edges = frozenset[tuple[Any, ...]]
Written = tuple[Statement, str]
"""A statement and the dialect it is written in."""


more = settings(max_examples=4 * settings().max_examples)
"""For properties that cost little, or that say something about few of the examples."""


def written(dialect: str | None = None, **options: Any) -> st.SearchStrategy[Written]:
    """Statements, each with a dialect that understands it."""
    dialects = st.sampled_from(DIALECTS) if dialect is None else st.just(dialect)
    return dialects.flatmap(lambda d: st.tuples(statements(dialect=d, **options), st.just(d)))


def spelled(statement: Statement, dialect: str, style: Style = PLAIN) -> str:
    return text(statement, replace(style, distinct=dialect == "bigquery"))


def analysed(sql: str, dialect: str, schema: Schema | None = SCHEMA) -> headwater.Lineage:
    return headwater.analyze(sql, dialect, schema=schema)


def persistent(lineage: headwater.Lineage, names: Mapping[str, str] | None = None) -> Edges:
    """The edges between columns that outlive the statement; outputs under other names, if these are given."""
    return frozenset(
        (e.source, e.target.table, (names or {}).get(e.target.column, e.target.column), *e[2:7])
        for e in lineage.column_edges()
    )


def same_lineage(statement: Statement, dialect: str, style: Style, schema: Schema | None = SCHEMA) -> None:
    """A statement's edges do not depend on the style, nor on what is known of the tables."""
    fold = dialect_of(dialect).spelled_column
    usual, other = spelled(statement, dialect), spelled(statement, dialect, style)
    if usual == other and schema is SCHEMA:
        return
    names = zip(output_names(statement, style), output_names(statement), strict=True)
    expected = persistent(analysed(usual, dialect))
    found = persistent(analysed(other, dialect, schema), {fold(new): fold(old) for new, old in names})
    assert found == expected, f"{dialect}\n{usual}\n{other}"


# 1. Names


def chosen_names(dialect: str, seed: int) -> Callable[[Name], str]:
    """A spelling under which all names differ: some are those of tables, some need quotes."""
    choose = random.Random(seed)
    mark = "`" if dialect in ("spark", "bigquery") else '"'
    tables = [*SCHEMA]
    odd = ["Order Total", "select", "from", "Ünï", "1st", "A-b", *(["a.b"] if dialect != "bigquery" else [])]
    known: dict[Name, str] = {}

    def spell(name: Name) -> str:
        if name not in known:
            chance = choose.random()
            if name.kind == ALIAS and tables and chance < 0.5:
                known[name] = tables.pop(choose.randrange(len(tables)))
            elif odd and chance > 0.7:
                known[name] = f"{mark}{odd.pop(choose.randrange(len(odd)))}{mark}"
            else:
                known[name] = f"{choose.choice(('n', 'Yy_', 'zz'))}{len(known)}"
        return known[name]

    return spell


@given(written(), st.integers(0, 2**16))
def test_inner_names_do_not_matter(given_: Written, seed: int) -> None:
    statement, dialect = given_
    same_lineage(statement, dialect, Style(spell=chosen_names(dialect, seed)))


@given(written())
def test_qualifiers_do_not_matter(given_: Written) -> None:
    same_lineage(*given_, Style(qualify=True))


@more
@given(written())
def test_the_way_to_name_a_key_does_not_matter(given_: Written) -> None:
    for keys in ("ordinal", "alias"):
        same_lineage(*given_, Style(keys=keys))


# 2. Nesting


@more
@given(written())
def test_a_cte_is_a_derived_table(given_: Written) -> None:
    same_lineage(*given_, Style(inline=True))


@given(written())
def test_a_query_around_it_passes_everything_on(given_: Written) -> None:
    same_lineage(*given_, Style(wrap=True))


@given(written().filter(lambda w: w[1] != "bigquery"), st.booleans())
def test_column_lists_do_not_matter(given_: Written, inline: bool) -> None:
    same_lineage(*given_, Style(lists=True, inline=inline))


# 3. Layout

_BLANKS = (" ", "  ", "\n", "\t", "\r\n")
_GAPS = (*_BLANKS, " /* a; 'b */ ", " -- it's; c\n", " /* -- */ ")
_TIGHT = frozenset("(),.")


def laid_out(words: list[str], seed: int, cases: bool) -> str:
    """The same words with other gaps and comments between them; keywords, and names where they may, in other case."""
    choose = random.Random(seed)
    parts: list[str] = []
    for before, word in zip(["", *words], words, strict=False):
        tight = not before or before in _TIGHT or word in _TIGHT
        # BUG: a comment between GROUP, ORDER or PARTITION and its BY is a syntax error. Once fixed: always _GAPS.
        gaps = _BLANKS if word == "BY" else _GAPS
        parts.append("" if tight and choose.random() < 0.5 else choose.choice(gaps))
        change = word.isupper() or (cases and word[0] not in "'\"`")
        parts.append(choose.choice((word, word.lower(), word.upper(), word.title())) if change else word)
    return "".join(parts) + choose.choice(("", ";", " ;\n", "\n-- end"))


@given(written(), st.integers(0, 2**16))
def test_layout_does_not_matter(given_: Written, seed: int) -> None:
    statement, dialect = given_
    usual = spelled(statement, dialect)
    other = laid_out(usual.split(" "), seed, cases=dialect != "bigquery")
    lineage = analysed(other, dialect)
    assert len(lineage.statements) == 1
    assert persistent(lineage) == persistent(analysed(usual, dialect)), f"{dialect}\n{usual}\n{other}"


# 4. Scripts


@st.composite
def scripts(draw: st.DrawFn) -> tuple[Statement, Statement, Schema, str]:
    """A statement that makes a table, one that may read it, the schema with that table, and a dialect."""
    dialect = draw(st.sampled_from(DIALECTS))
    first = draw(statements(kinds=(CREATE_TABLE, CREATE_VIEW), dialect=dialect, depth=1))
    made = dict(zip(output_names(first), (type for _, type in first.query.columns), strict=True))
    schema = {"made": made, **SCHEMA}
    second = draw(statements(dialect=dialect, depth=1, schema=schema, target="final", first_number=1000))
    return first, second, schema, dialect


def located(lineage: headwater.Lineage, offset: int) -> Iterator[tuple[Any, ...]]:
    """Edges with everything that is known of them; places counted from an offset."""
    for edge in lineage.column_edges(literals=True):
        place = None if edge.span is None else (edge.span.start + offset, edge.span.end + offset)
        yield *edge[:8], edge.process, edge.process.span.start + offset, place


@given(scripts(), st.sampled_from((";", ";\n\n", " ;-- next; one\n", ";;")))
def test_a_script_is_its_statements(script: tuple[Statement, Statement, Schema, str], separator: str) -> None:
    first, second, schema, dialect = script
    one, other = spelled(first, dialect), spelled(second, dialect)
    whole = analysed(one + separator + other, dialect)
    pieces = [*located(analysed(one, dialect), 0)]
    pieces += located(analysed(other, dialect, schema), len(one + separator))
    assert [*located(whole, 0)] == pieces, f"{dialect}\n{one}\n{other}"


# 5. Results


def made_by_function(statement: StatementLineage, output: str) -> bool:
    """Whether an output goes back to a function call: one over rows or values that have no source has no edge."""
    model = statement.model
    sources: dict[int, list[int]] = {}
    for relation in model.relations:
        sources.setdefault(relation.target, []).extend(s.column for s in relation.sources)
    pending = [c.id for c in model.columns if c.name == output and c.id in sources]
    seen: set[int] = set()
    while pending:
        column = pending.pop()
        if model.entities[model.columns[column].entity].kind is EntityKind.FUNCTION:
            return True
        seen.add(column)
        pending.extend(s for s in sources.get(column, ()) if s not in seen)
    return False


@given(written())
def test_every_result_is_valid_and_complete(given_: Written) -> None:
    statement, dialect = given_
    sql = spelled(statement, dialect)
    lineage = analysed(sql, dialect)
    assert lineage.diagnostics == [], f"{dialect}\n{sql}"
    (result,) = lineage.statements
    assert violations(result) == [], f"{dialect}\n{sql}"
    fold = dialect_of(dialect).spelled_column
    outputs = [ref.column for ref in result.outputs]
    assert outputs == [fold(name) for name in output_names(statement)], f"{dialect}\n{sql}"
    reached = {e.target.column for e in lineage.column_edges(literals=True)}
    silent = [o for o in outputs if o not in reached and not made_by_function(result, o)]
    assert silent == [], f"{dialect}\n{sql}"


def _reads_columns_of_unknown_tables(statement: Statement) -> bool:
    """Whether a query without a schema is another query: what a star, NATURAL or USING means depends on the tables' columns."""
    words = tokens(statement)
    return "NATURAL" in words or "USING" in words or any(w == "*" and words[i - 1] != "(" for i, w in enumerate(words))


@given(written())
def test_what_is_qualified_needs_no_schema(given_: Written) -> None:
    statement, dialect = given_
    assume(not _reads_columns_of_unknown_tables(statement))
    same_lineage(statement, dialect, Style(qualify=True), schema=None)


# The same queries, run by DuckDB

_VALUES: dict[str, tuple[Any, ...]] = {INT: (None, 0, 1, 2, 3, 7), TEXT: (None, "x", "y", "Y")}
_DUCKDB_TYPES = {INT: "INT", TEXT: "VARCHAR"}
_FAULTS = (duckdb.InternalException, duckdb.FatalException)
"""DuckDB's own; after one it has to be started anew."""
_LIMITATIONS = (duckdb.NotImplementedException, duckdb.ConversionException, duckdb.OutOfRangeException)


class Database:
    """The schema's tables with a few rows; and the same once more for each column, with other values in just that column."""

    def __init__(self) -> None:
        self._start()

    def _start(self) -> None:
        self._connection = duckdb.connect()
        self._connection.execute("SET threads = 1")
        choose = random.Random(1)
        rows = {
            table: [[choose.choice(_VALUES[type]) for type in columns.values()] for _ in range(5)]
            for table, columns in SCHEMA.items()
        }
        self._fill("plain", rows)
        for table, columns in SCHEMA.items():
            for i, (column, type) in enumerate(columns.items()):
                changed = [
                    [choose.choice(_VALUES[type]) if j == i else v for j, v in enumerate(r)] for r in rows[table]
                ]
                self._fill(f"{table}_{column}", {**rows, table: changed})

    def _fill(self, schema: str, rows: Mapping[str, list[list[Any]]]) -> None:
        self._connection.execute(f"CREATE SCHEMA {schema}")
        for table, columns in SCHEMA.items():
            definitions = ", ".join(f"{name} {_DUCKDB_TYPES[type]}" for name, type in columns.items())
            self._connection.execute(f"CREATE TABLE {schema}.{table} ({definitions})")
            self._connection.executemany(
                f"INSERT INTO {schema}.{table} VALUES ({', '.join('?' * len(columns))})", rows[table]
            )

    def run(self, sql: str, schema: str = "plain") -> tuple[list[str], list[tuple[Any, ...]]]:
        """Names and rows of a query; what DuckDB itself cannot do is no example."""
        try:
            self._connection.execute(f"SET schema = '{schema}'")
            self._connection.execute(sql)
        except _LIMITATIONS:
            assume(False)
        except _FAULTS:
            self._start()
            assume(False)
        except duckdb.ParserException as error:
            assume("ORDER BY in a recursive query" not in str(error))
            raise
        return [column[0] for column in self._connection.description or ()], self._connection.fetchall()


@pytest.fixture(scope="module")
def database() -> Database:
    return Database()


@given(statement=statements(kinds=(SELECT,), dialect="duckdb"))
def test_an_engine_accepts_the_queries_and_gives_the_same_outputs(database: Database, statement: Statement) -> None:
    """Which says something about the generator, and about the names and the order of outputs."""
    sql = text(statement)
    names, _ = database.run(sql)
    (result,) = analysed(sql, "duckdb").statements
    assert [ref.column for ref in result.outputs] == names, sql


@more
@given(statement=st.integers(0, 2).flatmap(lambda n: statements((SELECT,), "duckdb", depth=n, repeatable=True)))
def test_what_has_no_edge_has_no_effect(database: Database, statement: Statement) -> None:
    """Other values in a column change no output that has no edge from it, unless they decide over the rows."""
    sql = text(statement)
    names, rows = database.run(sql)
    edges = {(str(e.source), e.target.column) for e in analysed(sql, "duckdb").column_edges()}
    for table, columns in SCHEMA.items():
        for column in columns:
            source = f"{table}.{column}"
            free = [i for i, name in enumerate(names) if (source, name) not in edges]
            if free and (source, PSEUDO_ROWS) not in edges:
                _, others = database.run(sql, f"{table}_{column}")
                unchanged = Counter(tuple(row[i] for i in free) for row in rows)
                assert Counter(tuple(row[i] for i in free) for row in others) == unchanged, f"{source}\n{sql}"


# 7. Anything at all


class _TookTooLong(BaseException):
    """Not an `Exception`: the analyser must not take it for a fault of its own."""


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Fail if the block does not end in time."""

    def stop(number: int, frame: FrameType | None) -> None:
        raise _TookTooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    except _TookTooLong:
        pytest.fail(f"did not end within {seconds} seconds")
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def survives(sql: str, dialect: str) -> None:
    """Analyse a text and ask for everything there is to ask."""
    with within(10):
        lineage = analysed(sql, dialect)
        lineage.to("json")
        lineage.to("csv")
        lineage.column_edges(rows="expanded", literals=True, end_to_end=True)
        lineage.column_edges(collapse_temp=True)
        lineage.table_edges(collapse_temp=True)
        to_json(lineage, "complete")
    assert [d.message for d in lineage.diagnostics if d.code is Code.INTERNAL_ERROR] == [], f"{dialect}\n{sql}"


_SOUP = re.findall(
    r"\S+",
    """
    SELECT FROM WHERE GROUP BY ORDER HAVING QUALIFY LIMIT OFFSET UNION ALL EXCEPT INTERSECT WITH RECURSIVE AS JOIN LEFT FULL CROSS
    LATERAL NATURAL USING ON INSERT INTO OVERWRITE VALUES UPDATE SET DELETE MERGE WHEN MATCHED NOT THEN CREATE TABLE VIEW TEMPORARY
    DROP ALTER USE CASE ELSE END IN EXISTS ANY BETWEEN AND OR IS NULL OVER PARTITION WINDOW ROWS PIVOT UNPIVOT FOR UNNEST EXPLODE
    DISTINCT CAST INTERVAL DATE STRUCT ARRAY GO BEGIN DECLARE CALL
    t u v q id a b s k c w d made t.a u.* x.y.z count sum row_number coalesce
    ( ) ( ) ( ) , , . ; * = < || - + / :: -> [ ] { } @p $1 ? ' " ` 'x' 0 1 -- /* */ #t
    """,
)


@more
@given(st.text(), st.sampled_from(dialect_names()))
@example("'", "spark")
@example("/*", "postgres")
@example("\x00", "duckdb")
def test_any_text_is_survived(sql: str, dialect: str) -> None:
    survives(sql, dialect)


@more
@given(st.lists(st.sampled_from(_SOUP), max_size=40), st.sampled_from(dialect_names()))
def test_any_words_are_survived(words: list[str], dialect: str) -> None:
    survives(" ".join(words), dialect)


@more
@given(written(depth=1), st.data())
def test_a_damaged_query_is_survived(given_: Written, data: st.DataObject) -> None:
    """A few words of a valid query are lost, doubled or replaced: much of it still parses."""
    statement, dialect = given_
    words = spelled(statement, dialect).split(" ")
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(words) - 1))
        instead = data.draw(st.sampled_from(([], [words[place]] * 2, [data.draw(st.sampled_from(_SOUP))])))
        words[place : place + 1] = instead or [""]
    survives(" ".join(words), dialect)


@pytest.mark.parametrize("depth", [100, pytest.param(1000, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("opening", "middle", "closing"),
    [
        ("(", "", ""),
        ("SELECT ", "a", ""),
        ("NOT ", "a", ""),
        ("(", "SELECT a FROM t", ")"),
        ("(", "SELECT a FROM t", " UNION ALL SELECT b FROM t)"),
        ("SELECT * FROM (", "SELECT * FROM t", ") AS x"),
        ("SELECT (", "SELECT a FROM t", ") AS x"),
        ("SELECT a FROM t WHERE EXISTS (", "SELECT a FROM t", ")"),
        ("WITH q AS (", "SELECT a FROM t", ") SELECT a FROM q"),
        ("CASE WHEN a THEN ", "a", " END"),
        ("abs(", "a", ")"),
        ("a + ", "a", ""),
        ("a.", "a", ""),
        ("'", "", ""),
        ("/*", "", ""),
        ("SELECT a FROM t UNION ALL ", "SELECT a FROM t", ""),
        ("SELECT a FROM t;", "", ""),
    ],
)
def test_any_depth_is_survived(opening: str, middle: str, closing: str, depth: int) -> None:
    """BUG: 20,000 derived tables inside each other end the process (the parser's own stack). Once fixed: that depth as well."""
    inner = opening * depth + middle + closing * depth
    survives(inner, "spark")
    survives(f"SELECT {inner} AS x FROM t", "postgres")
