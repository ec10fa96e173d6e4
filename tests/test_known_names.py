"""A name that the grammar knows never costs a statement or an argument: every function name, called with any number of arguments."""

from __future__ import annotations

import pytest
from sqlglot import exp
from sqlglot.parser import Parser

from headwater.sql.dialect import Dialect, dialect, dialect_names
from headwater.sql.grammar import parse_statement
from headwater.sql.lost_arguments import texts_of

pytestmark = pytest.mark.slow

_RESERVED = frozenset({"AND", "CASE", "GLOB", "IF", "ILIKE", "LIKE", "MATCH", "OR", "REGEXP", "RLIKE", "XOR"})
"""Operators and statements that the grammar lists as functions: no database calls them with any list of arguments."""
_NO_CALLS = frozenset({"TABLE"})
"""Words before the brackets of a table function."""
_MOST_ARGUMENTS = 8


def names(spoken: Dialect) -> dict[str, bool]:
    """The function names that a dialect's grammar reads in its own way, and whether it alone does."""
    parser = spoken.grammar.parser_class
    tables = ("FUNCTIONS", "FUNCTION_PARSERS", "NO_PAREN_FUNCTION_PARSERS")
    return {
        name: getattr(Parser, table).get(name) is not reader or parser is Parser
        for table in tables
        for name, reader in getattr(parser, table).items()
        if name not in _RESERVED
    }


def calls(name: str, own: bool) -> list[str]:
    """Calls with every number of arguments; of what all dialects share, the fewest and the most."""
    counts = range(_MOST_ARGUMENTS + 1) if own else (0, _MOST_ARGUMENTS)
    return [f"{name}({', '.join(f'c{i}' for i in range(count))})" for count in counts]


def is_marked(tree: exp.Expr) -> bool:
    """Whether a made-up name is left in a tree."""
    return any("\ue000" in str(call.this) for call in tree.find_all(exp.Anonymous))


@pytest.mark.parametrize("name", dialect_names())
def test_every_call_is_read(name: str) -> None:
    spoken = dialect(name)
    lost = []
    for function, own in names(spoken).items():
        items = calls(function, own)
        sql = f"SELECT {', '.join(f'{call} AS x{i}' for i, call in enumerate(items))} FROM t"
        tree = parse_statement(spoken.grammar.tokenize(sql), sql, spoken)
        if not isinstance(tree, exp.Select) or len(tree.expressions) != len(items) or is_marked(tree):
            lost.append(function)
    assert lost == [], lost


@pytest.mark.parametrize("name", dialect_names())
def test_no_call_loses_an_argument(name: str) -> None:
    spoken = dialect(name)
    lost = []
    for function, own in names(spoken).items():
        for count in range(2, _MOST_ARGUMENTS + 1) if own else (2, 3, _MOST_ARGUMENTS):
            columns = [f"qz{i}qz" for i in range(count)]
            sql = f"SELECT {function}({', '.join(columns)}) AS x FROM t"
            texts = texts_of(parse_statement(spoken.grammar.tokenize(sql), sql, spoken))
            if function not in _NO_CALLS and not texts.issuperset(columns):
                lost.append((function, count))
    assert lost == [], lost


def test_an_argument_that_is_no_name_may_be_dropped() -> None:
    spoken = dialect("spark")
    sql = "SELECT first(a, true) AS x FROM t"
    tree = parse_statement(spoken.grammar.tokenize(sql), sql, spoken)
    assert isinstance(tree.expressions[0].this, (exp.First, exp.IgnoreNulls))


def test_a_deep_nest_of_refused_calls_takes_linear_time() -> None:
    spoken = dialect("bigquery")
    depth = 60
    sql = f"SELECT {'decode(' * depth}a{')' * depth} AS x FROM t"
    tree = parse_statement(spoken.grammar.tokenize(sql), sql, spoken)
    assert len(list(tree.find_all(exp.Anonymous))) == depth
