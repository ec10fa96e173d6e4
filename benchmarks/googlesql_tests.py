"""GoogleSQL's own analyzer tests: the static engine against GoogleSQL's analyzer, statement by statement.

`python benchmarks/googlesql_tests.py FOLDER --out verdicts.jsonl` takes `googlesql/analyzer/testdata` of a copy of google/googlesql, which
is not part of this repository. The exit status is 1 if more than `--most` of the edges differ, if there is an internal error, or a syntax
error where GoogleSQL's parser has none and BigQuery has such a form.
"""

from __future__ import annotations

import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from agreement import Verdict, print_counts, run
from google_tests.test_file import test_files
from google_tests.verdict import PARSER, TESTS_AN_ERROR, Comparison

UNNAMED = "a form of BigQuery's, as far as is known"


def _compared(folder: Path, only: tuple[str, ...]) -> Iterator[Verdict]:
    """The verdicts; a statement that stands in several tests is compared once."""
    seen: set[tuple[str, str]] = set()
    for file in (each for each in test_files(folder) if each.name.startswith(only)):
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
    share = print_counts(verdicts, "GoogleSQL")
    lost = sum(each.edges for each in verdicts if each.form)
    print(f"{lost} more edges in statements that are not read, and not BigQuery's")
    syntax = [v for v in verdicts if v.syntax and v.outcome != PARSER]
    forms = Counter(TESTS_AN_ERROR if v.outcome == TESTS_AN_ERROR else v.form or UNNAMED for v in syntax)
    print(f"{len(syntax)} syntax errors where GoogleSQL's parser has none")
    for form, count in forms.most_common():
        print(f"    {count:6} {form}")
    return int(share > most or bool(forms[UNNAMED]) or any(v.internal for v in verdicts))


if __name__ == "__main__":
    run(__doc__, _compared, _report)
