"""Proof by data in bulk: `python benchmarks/verify.py tpch tpcds cases` prints what data says of the lineage of every statement.

`tpch` and `tpcds` are Spark's texts beside the repository, else DuckDB's own; `cases` are the literate cases without diagnostics. A
*needed* pair is a source and a target that nothing else in the lineage admits; it is *proved* if the data would have shown its absence.
The share of the proved is taken over statements that were proved at all, and beside it over all that ran; empty results are counted
apart. `--mutations 3` takes three needed pairs of every statement that holds, drops each from the lineage and verifies anew: that is
what finds a mistake or does not, while *proved* only judges anew what was run. `--part 2/5` takes every fifth statement; `--on either`
runs in Spark what DuckDB cannot run. The exit status is 1 if there is a counter-example.
"""

from __future__ import annotations

import argparse
import json
import logging
import sys
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import duckdb

from headwater.verify import ENGINES, Verdict, Verification, verify

REPOSITORY = Path(__file__).resolve().parent.parent
SHARED = REPOSITORY.parent / "shared" / "corpora"
Text = tuple[str, str, str, Any, str | None]
"""Name, SQL, dialect, schema, default schema."""


@dataclass(slots=True)
class Score:
    """What was found in a corpus."""

    verdicts: Counter[str] = field(default_factory=Counter)
    reasons: Counter[str] = field(default_factory=Counter)
    needed: int = 0
    proved: int = 0
    empty: int = 0
    """Needed pairs of statements that proved nothing."""
    runs: int = 0
    dropped: int = 0
    """Pairs that were dropped before verifying anew."""
    found: int = 0
    """Those of them whose absence was noticed."""

    def mutate(self, found: Verification, count: int, random: Random) -> None:
        """Drop some needed pairs, one at a time, and see whether that is noticed."""
        if found.verdict is Verdict.HOLDS:
            pairs = sorted(found.needed)
            for pair in random.sample(pairs, min(count, len(pairs))):
                self.dropped += 1
                self.found += found.again_without(pair).verdict is Verdict.REFUTED

    def add(self, found: Verification) -> None:
        """Count one statement."""
        self.verdicts[found.verdict.value] += 1
        self.runs += found.findings.runs
        if found.verdict is Verdict.NOT_RUN:
            self.reasons[found.findings.refused[:70]] += 1
        elif found.verdict is Verdict.HOLDS:
            self.needed += len(found.needed)
            self.proved += len(found.proved)
        else:
            self.empty += len(found.needed)


def _texts(corpus: str) -> Iterator[Text]:
    if corpus == "cases":
        yield from _cases()
    elif (SHARED / corpus).is_dir():
        schema = json.loads((SHARED / f"{corpus}.schema.json").read_text(encoding="utf-8"))
        for path in sorted((SHARED / corpus).glob("*.sql")):
            yield path.stem, path.read_text(encoding="utf-8"), "spark", schema, None
    else:
        yield from _from_package(corpus)


def _from_package(corpus: str) -> Iterator[Text]:
    module = __import__(f"duckdb_extension_{corpus}")
    connection = duckdb.connect(config={"allow_unsigned_extensions": "true"})
    connection.execute(f"LOAD '{next(Path(module.__file__).parent.rglob('*.duckdb_extension'))}'")
    connection.execute(f"CALL {'dsdgen' if corpus == 'tpcds' else 'dbgen'}(sf=0)")
    schema: dict[str, dict[str, str]] = {}
    columns = "SELECT table_name, column_name, data_type FROM information_schema.columns ORDER BY ordinal_position"
    for table, column, kind in connection.execute(columns).fetchall():
        schema.setdefault(table, {})[column] = kind
    for number, sql in connection.execute(f"FROM {corpus}_queries()").fetchall():
        yield f"q{number}", sql, "duckdb", schema, None


def _cases() -> Iterator[Text]:
    sys.path.insert(0, str(REPOSITORY / "tests"))
    from case_file import all_cases

    for case in all_cases():
        if not {"notimpl", "diagnostics"} & case.blocks.keys():
            attributes = case.blocks["sql"].attributes
            yield case.id, case.sql, attributes["dialect"], case.schema, attributes.get("default_schema")


def measure(corpus: str, part: int, of: int, seed: int, on: str, mutations: int) -> Score:
    """Verify every statement of a corpus, or every so many-th."""
    score, random = Score(), Random(seed)
    for number, (name, sql, dialect, schema, default) in enumerate(_texts(corpus)):
        if number % of != part:
            continue
        for found in verify(sql, dialect, schema, default, seed=seed, on=on):
            score.add(found)
            score.mutate(found, mutations, random)
            for example in found.counter_examples:
                print(f"{corpus} {name}: {example.source} -> {', '.join(map(str, example.targets))}", flush=True)
            if found.verdict in (Verdict.EMPTY, Verdict.UNSTABLE):
                print(f"{corpus} {name}: {found.verdict.value}", flush=True)
    return score


def main() -> None:
    """Verify the corpora that were asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", nargs="*", default=["tpch", "tpcds", "cases"])
    parser.add_argument("--part", default="0/1", help="which part of how many, from 0")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--on", choices=ENGINES, default="duckdb")
    parser.add_argument("--mutations", type=int, default=0, help="needed pairs to drop from each statement's lineage")
    options = parser.parse_args()
    part, of = map(int, options.part.split("/"))
    logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
    refuted = 0
    for corpus in options.corpus:
        start = time.perf_counter()
        score = measure(corpus, part, of, options.seed, options.on, options.mutations)
        refuted += score.verdicts["refuted"]
        rate = score.proved / max(score.needed, 1)
        over_all = score.proved / max(score.needed + score.empty, 1)
        print(
            f"{corpus}: {dict(score.verdicts)}; {score.proved} of {score.needed} needed pairs proved ({rate:.1%}), ",
            end="",
        )
        print(f"{over_all:.1%} with those of empty results; {score.runs} runs, {time.perf_counter() - start:.0f} s")
        if score.dropped:
            print(f"    {score.found} of {score.dropped} dropped pairs found ({score.found / score.dropped:.1%})")
        for reason, count in score.reasons.most_common(12):
            print(f"    {count:4} not run: {reason}")
    sys.exit(1 if refuted else 0)


if __name__ == "__main__":
    main()
