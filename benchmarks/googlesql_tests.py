"""GoogleSQL's own analyzer tests: the static engine against GoogleSQL's analyzer, statement by statement.

`python benchmarks/googlesql_tests.py FOLDER --out verdicts.jsonl` takes `googlesql/analyzer/testdata` of a copy of google/googlesql, which
is not part of this repository. The exit status is 1 if more than `--most` of the edges differ, if there is an internal error, or a syntax
error where GoogleSQL's parser has none and BigQuery has such a form.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from google_tests.test_file import TestFile, test_files
from google_tests.verdict import PARSER, TESTS_AN_ERROR, Comparison, Verdict

MOST = 0.005
"""The share of data-flow edges that may differ."""
UNNAMED = "a form of BigQuery's, as far as is known"


def main() -> None:
    """Compare, and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, help="a file of one JSON object per statement")
    parser.add_argument("--only", default="", help="files whose name begins with one of these, between commas")
    parser.add_argument("--most", type=float, default=MOST, help="the share of edges that may differ")
    options = parser.parse_args()
    only = tuple(options.only.split(","))
    files = [file for file in test_files(options.folder) if file.name.startswith(only)]
    out = options.out.open("w", encoding="utf-8") if options.out else None
    verdicts = []
    for verdict in _compared(files):
        verdicts.append(verdict)
        if out is not None:
            print(json.dumps(verdict.record()), file=out, flush=True)
    sys.exit(_report(verdicts, options.most))


def _compared(files: list[TestFile]) -> Iterator[Verdict]:
    """The verdicts; a statement that stands in several tests is compared once."""
    seen: set[tuple[str, str]] = set()
    for file in files:
        start = time.monotonic()
        comparison = Comparison(file)
        for test in file.tests:
            database = f"{file.name} {test.uses or test.prepares}" if test.uses or test.prepares else ""
            if (test.sql, database) not in seen:
                seen.add((test.sql, database))
                yield comparison.verdict(test)
        spent = time.monotonic() - start
        print(f"{file.name}: {len(file.tests)} statements, {spent:.0f} s", file=sys.stderr, flush=True)


def _report(verdicts: list[Verdict], most: float) -> int:
    """Print the counts; the exit status."""
    outcomes = Counter(each.outcome for each in verdicts)
    compared = [v for v in verdicts if not v.form]
    edges = sum(each.edges for each in compared)
    extra, missing = sum(len(v.extra) for v in compared), sum(len(v.missing) for v in compared)
    lost = sum(each.edges for each in verdicts if each.form)
    syntax = [v for v in verdicts if v.syntax and v.outcome != PARSER]
    internal = [v for v in verdicts if v.internal]
    share = (extra + missing) / edges if edges else 0.0
    print(f"{len(verdicts)} statements")
    for outcome, count in outcomes.most_common():
        print(f"    {count:6} {outcome}")
    print(
        f"{edges} data-flow edges, {extra + missing} differ ({share:.2%}): {extra} ours alone, {missing} GoogleSQL's alone"
    )
    print(f"{lost} more edges in statements that are not read, and not BigQuery's")
    forms = Counter(TESTS_AN_ERROR if v.outcome == TESTS_AN_ERROR else v.form or UNNAMED for v in syntax)
    print(f"{len(syntax)} syntax errors where GoogleSQL's parser has none")
    for form, count in forms.most_common():
        print(f"    {count:6} {form}")
    print(f"{len(internal)} internal errors")
    print(f"{sum(bool(v.influence) for v in verdicts)} statements with another difference: influence, kinds")
    return int(share > most or bool(forms[UNNAMED]) or bool(internal))


if __name__ == "__main__":
    main()
