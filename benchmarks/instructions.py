"""What the analysis of TPC-DS costs, in instructions: `python benchmarks/instructions.py`; see README.md for what is counted.

Valgrind's callgrind counts. The same code gives the same figure within 0.1 %, however busy the machine is, so differences of one per
cent can be seen. Each subject runs in a process of its own, which switches counting on when imports, the catalog and one query are done.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import importlib
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from corpus import CORPORA, Corpus
from peers import default_cache
from worker import load_adapter

ANALYSIS, PARSER = "headwater_analyze:Analyze", "sqlglot_parse:Parse"
SWITCH = """
#include <valgrind/callgrind.h>
void begin(void) { CALLGRIND_START_INSTRUMENTATION; }
void toggle(void) { CALLGRIND_TOGGLE_COLLECT; }
"""
"""Counting is toggled by functions of a library that is compiled here: Python cannot make valgrind's requests itself."""
MILLION = 1_000_000


class Uncountable(Exception):
    """A program that is needed is not here, or failed."""


def main() -> int:
    """Count what was asked for; with `--limit`, the exit status is 1 if the analysis costs more."""
    options = _options()
    if options.subject:
        _run(options.subject, Corpus.load(options.corpus), ctypes.PyDLL(str(options.switch)))
        return 0
    try:
        return _report(options)
    except Uncountable as problem:
        print(problem, file=sys.stderr)
        return 2


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--every", type=int, default=1, help="only each n-th query, for a quick look")
    parser.add_argument("--witness", action="store_true", help="also the witness's share of the analysis")
    parser.add_argument(
        "--within",
        action="append",
        default=[],
        metavar="MODULE:NAME",
        help="also what runs inside of calls by this name",
    )
    parser.add_argument("--functions", type=int, default=0, metavar="N", help="also the most expensive C functions")
    parser.add_argument("--limit", type=float, help="millions of instructions that the analysis may cost")
    parser.add_argument("--cache", type=Path, default=default_cache(), help="where DuckDB's environment is, if needed")
    for inner in ("--subject", "--corpus", "--switch"):  # of the process that is counted
        parser.add_argument(inner, type=None if inner == "--subject" else Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def _report(options: argparse.Namespace) -> int:
    corpus = CORPORA["tpcds"](options.cache).every(options.every)
    with tempfile.TemporaryDirectory() as name:
        counter = Counter(corpus, Path(name))
        print(f"Texts: {corpus.origin}; {len(corpus.queries) - 1} queries behind a first one")
        parser = counter.count(PARSER)
        _print("parser", parser, parser, "x parser")
        analysis = counter.count(ANALYSIS)
        _print("analysis", analysis, parser, "x parser")
        if options.functions:
            print(counter.functions(options.functions))
        if options.witness:
            _print("witness", counter.count("witness"), analysis, "of the analysis")
        for place in options.within:
            _print(place, counter.count(place), analysis, "of the analysis")
    return int(options.limit is not None and analysis > options.limit * MILLION)


def _print(what: str, count: int, whole: int, words: str) -> None:
    print(f"{what:<50} {count / MILLION:8.1f} M instructions  {count / whole:6.3f} {words}", flush=True)


class Counter:
    """Runs subjects under callgrind, over one corpus."""

    def __init__(self, corpus: Corpus, folder: Path) -> None:
        self._corpus, self._switch, self._out = folder / "corpus.json", folder / "switch.so", folder / "callgrind.out"
        corpus.dump(self._corpus)
        source = folder / "switch.c"
        source.write_text(SWITCH, encoding="utf-8")
        _checked([_program("cc", "gcc"), "-shared", "-fPIC", "-O1", "-o", str(self._switch), str(source)])

    def count(self, subject: str) -> int:
        """The instructions of a subject."""
        inner = ["--subject", subject, "--corpus", str(self._corpus), "--switch", str(self._switch)]
        valgrind = [_program("valgrind", "valgrind"), "--tool=callgrind", "--instr-atstart=no", "--collect-atstart=no"]
        _checked([*valgrind, f"--callgrind-out-file={self._out}", sys.executable, "-W", "ignore", __file__, *inner])
        total = re.search(r"^(?:summary|totals): (\d+)", self._out.read_text(encoding="utf-8"), re.MULTILINE)
        if total is None:
            raise Uncountable("callgrind wrote no total")
        return int(total[1])

    def functions(self, number: int) -> str:
        """The C functions that cost most of the last subject; those of Python code are the interpreter's."""
        program = _program("callgrind_annotate", "valgrind")
        text = _checked([program, "--threshold=100", "--show-percs=yes", str(self._out)])
        lines = [
            line.strip() for line in text.splitlines() if re.match(r"\s*[\d,]+ \(", line) and "PROGRAM" not in line
        ]
        return "\n".join(re.sub(r"\?{3}:|/\S*/", "", line) for line in lines[:number])


def _program(name: str, package: str) -> str:
    found = shutil.which(name)
    if found is None:
        raise Uncountable(f"{name} is not installed; on Debian and Ubuntu: apt install {package}")
    return found


def _checked(command: Sequence[str]) -> str:
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "PYTHONHASHSEED": "0"})
    if done.returncode:
        raise Uncountable(f"{Path(command[0]).name} failed:\n{done.stderr[-2000:]}")
    return done.stdout


def _run(subject: str, corpus: Corpus, switch: ctypes.PyDLL) -> None:
    """Run a subject over the corpus; all of it is counted, or what is inside of some calls."""
    adapter = load_adapter(PARSER if subject == PARSER else ANALYSIS, corpus)
    first, *others = corpus.queries
    adapter.run(first)
    if subject not in (PARSER, ANALYSIS):
        for place in _WITNESS if subject == "witness" else (subject,):
            _toggle_around(place, switch.toggle)
    gc.collect()
    switch.begin()
    if subject in (PARSER, ANALYSIS):
        switch.toggle()
    for query in others:
        adapter.run(query)
    if subject in (PARSER, ANALYSIS):
        switch.toggle()


_WITNESS = ("headwater.sql.parse:tables_due", "headwater.budget.run:witnessed", "headwater.witness.witness:resolutions")
"""What is counted for the witness, by two toggles each: the last is the resolver, which it calls, and which thus is not counted."""


def _toggle_around(place: str, toggle: Callable[[], Any]) -> None:
    """Have the switch toggled before and after each outermost call by a name of a module."""
    module, _, name = place.partition(":")
    owner: Any = importlib.import_module(module)
    *path, last = name.split(".")
    for each in path:
        owner = getattr(owner, each)
    inner, depth = getattr(owner, last), 0

    def counted(*arguments: Any, **options: Any) -> Any:
        nonlocal depth
        depth += 1
        if depth == 1:
            toggle()
        try:
            found = inner(*arguments, **options)
            return list(found) if hasattr(found, "__next__") else found
        finally:
            if depth == 1:
                toggle()
            depth -= 1

    setattr(owner, last, counted)


if __name__ == "__main__":
    sys.exit(main())
