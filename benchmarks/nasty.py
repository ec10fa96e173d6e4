"""Texts that cost more than their length, against the promises of time: `python benchmarks/nasty.py --count 500 --seed 1`.

`analyze(timeout=T)` never raises. It and the column level behind it never take longer than 1.5 T + 1 seconds. The texts are those of
`tests/nasty_sql.py`. The exit status is 1 if a promise was broken; `--only N` tries one text again.
"""

from __future__ import annotations

import argparse
import sys
import time
import traceback
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "tests"))

import headwater
from fuzzing.promise import Limits, Meter
from headwater.model.diagnostic import Code
from nasty_sql import SCHEMA, Nasty, nasty

MEMORY = 2048
DEFECTS = {Code.INTERNAL_ERROR, Code.CRASHED}


def main() -> int:
    """Try the texts, and print those that break a promise."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=1.0)
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--only", type=int)
    parser.add_argument("--kind", default="", help="only texts whose name has this in it")
    options = parser.parse_args()
    numbers = range(options.count) if options.only is None else [options.only]
    broken, tried, longest = 0, 0, 0.0
    codes: Counter[str] = Counter()
    ends = time.monotonic() + 60 * options.minutes
    for number in numbers:
        if time.monotonic() > ends:
            break
        made = nasty(options.seed, number)
        if options.kind not in made.name:
            continue
        seconds, problem = tried_once(made, options.timeout, codes)
        tried, longest = tried + 1, max(longest, seconds)
        if problem:
            broken += 1
            print(f"{number}: {made.name} in {made.dialect}: {seconds:.2f} s: {problem}", flush=True)
    print(f"{tried} texts, {broken} broken promises, longest {longest:.2f} s; {dict(codes.most_common())}")
    return int(broken > 0)


def tried_once(made: Nasty, timeout: float, codes: Counter[str]) -> tuple[float, str]:
    """How long a text took, and which promise it broke."""
    limits, meter = Limits(timeout, MEMORY), Meter()
    try:
        with meter:
            lineage = headwater.analyze(made.sql, made.dialect, SCHEMA, timeout=timeout, memory=MEMORY)
            with lineage.within_time():
                lineage.column_edges(literals=True, end_to_end=True)
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt):
            raise
        return meter.spent.seconds, traceback.format_exc(limit=-3)
    found = {d.code for d in lineage.diagnostics}
    codes.update(code.value for code in found)
    if found & DEFECTS:
        return meter.spent.seconds, next(
            f"{d.code.value}: {d.message}" for d in lineage.diagnostics if d.code in DEFECTS
        )
    return meter.spent.seconds, "; ".join(f"{kind}: {words}" for kind, words in meter.spent.broken(limits))


if __name__ == "__main__":
    sys.exit(main())
