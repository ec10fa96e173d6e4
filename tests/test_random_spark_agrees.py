"""Random Spark statements: the static engine and Spark's own analyzer find the same edges.

Some in an ordinary run; `python tests/test_random_spark_agrees.py --first 1000 --count 5000` takes others, prints each difference
with the smallest statement that shows it, and how many Spark refused.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from typing import TYPE_CHECKING

import pytest

import headwater
from engine_differences import difference, refusals
from spark_grammar import SCHEMA, Choices, shrunk, statement

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]

COUNT = 200
PROGRESS = 250
"""After so many statements there is a line."""
MOST_REFUSED = 0.15
"""The share of statements that Spark may refuse: a grammar of invalid statements would show nothing."""
CATALOG = headwater.Catalog(SCHEMA)


def _differs(sql: str) -> list[str] | None:
    """The differences of a statement; None if Spark refuses it."""
    catalyst = headwater.analyze(sql, schema=CATALOG, engine="catalyst")
    return None if refusals(catalyst) else difference(headwater.analyze(sql, schema=CATALOG), catalyst)


def _smallest(choices: Choices) -> str:
    """The smallest statement with a difference, and the difference."""
    sql = shrunk(choices.drawn, lambda text: bool(_differs(text)))
    return "\n".join([sql, *(_differs(sql) or ())])


def test_random_statements_have_the_same_edges(spark: SparkSession) -> None:
    refused = 0
    for number in range(COUNT):
        choices = Choices(seed=number)
        found = _differs(statement(choices))
        refused += found is None
        assert not found, _smallest(choices)
    assert refused < MOST_REFUSED * COUNT


def test_the_same_seed_gives_the_same_statement() -> None:
    drawn = Choices(seed=5)
    sql = statement(drawn)
    assert sql == statement(Choices(seed=5)) == statement(Choices(drawn.drawn))


def test_a_statement_is_shrunk() -> None:
    choices = Choices(seed="join")
    while " FULL JOIN " not in statement(choices):
        choices = Choices(seed=f"join {choices.drawn}")
    small = shrunk(choices.drawn, lambda text: " FULL JOIN " in text)
    assert " FULL JOIN " in small
    assert len(small) < 120


def main() -> None:
    """Compare many statements."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--first", type=int, default=COUNT, help="the first seed")
    parser.add_argument("--count", type=int, default=5000)
    options = parser.parse_args()
    refused: Counter[str] = Counter()
    differing = 0
    for done in range(1, options.count + 1):
        number = options.first + done - 1
        choices = Choices(seed=number)
        sql = statement(choices)
        found = _differs(sql)
        if found is None:
            refused[refusals(headwater.analyze(sql, schema=CATALOG, engine="catalyst"))[0][:110]] += 1
        elif found:
            differing += 1
            print(f"seed {number}: {_smallest(choices)}\n", flush=True)
        if done % PROGRESS == 0 or done == options.count:
            print(f"{done} statements, {refused.total()} refused by Spark, {differing} differ", flush=True)
    for words, count in refused.most_common(12):
        print(f"    {count:4} {words}")
    sys.exit(1 if differing else 0)


if __name__ == "__main__":
    main()
