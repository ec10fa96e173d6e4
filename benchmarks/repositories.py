"""What `headwater build` makes of other people's repositories: `python benchmarks/repositories.py FOLDER… [--sample 40]`.

Each folder is built into a store of its own, and one row of a table is printed for it: scripts and statements, how many of them were lost,
errors and warnings per 1,000 statements, written columns and how many of them are explained, as the store counts them, and the seconds
of the build, the start of Spark included. `--sample` also prints diagnostics and tables, chosen at random, to be judged by hand.
`--keep DIR` keeps the stores. Arguments behind `--` go to every build.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random

from headwater.graph.graph import Graph, open_graph

HEADER = "| repository | scripts | lost | statements | lost | errors per 1,000 | warnings per 1,000 | columns | explained | seconds |"


@dataclass(frozen=True, slots=True)
class Row:
    """One repository's figures."""

    name: str
    scripts: int
    lost_scripts: int
    statements: int
    lost_statements: int
    codes: Counter[tuple[str, str]]
    written: int
    share: float
    seconds: float

    def __str__(self) -> str:
        errors, warnings = (self._per_thousand(severity) for severity in ("error", "warning"))
        counts = (self.scripts, self.lost_scripts, self.statements, self.lost_statements)
        cells = [self.name, *(f"{count:,}" for count in counts), f"{errors:.1f}", f"{warnings:.1f}"]
        return f"| {' | '.join([*cells, f'{self.written:,}', f'{self.share:.1%}', f'{self.seconds:.0f}'])} |"

    def _per_thousand(self, severity: str) -> float:
        found = sum(count for (own, _), count in self.codes.items() if own == severity)
        return 1000 * found / max(1, self.statements)


def main(arguments: Sequence[str] | None = None) -> int:
    """Build each folder, and print the table."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    own, extra = (given[: given.index("--")], given[given.index("--") + 1 :]) if "--" in given else (given, [])
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folders", nargs="+", type=Path)
    parser.add_argument("--sample", type=int, default=0, help="how many diagnostics to print of each repository")
    parser.add_argument("--tables", type=int, default=0, help="how many tables to print of each repository")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--keep", type=Path, help="a folder that keeps the stores")
    options = parser.parse_args(own)
    print(HEADER + "\n|" + "---|" * HEADER.count(" | ") + "---|")
    failed = False
    with tempfile.TemporaryDirectory() as scratch:
        for folder in options.folders:
            store = (options.keep or Path(scratch)).resolve() / folder.resolve().name
            seconds = _build(folder, store, extra)
            if seconds is None:
                failed = True
                continue
            graph = open_graph(store)
            print(_row(folder.name, graph, seconds), flush=True)
            _print_samples(graph, Random(options.seed), options.sample, options.tables)
    return int(failed)


def _build(folder: Path, store: Path, extra: Sequence[str]) -> float | None:
    """How long a build took, in seconds; None if it could not run."""
    start = time.monotonic()
    command = [sys.executable, "-m", "headwater", "build", ".", "-o", str(store), "--quiet", *extra]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode > 1:
        print(f"{folder}: exit code {done.returncode}\n{done.stderr[-2000:]}", file=sys.stderr)
        return None
    return time.monotonic() - start


def _row(name: str, graph: Graph, seconds: float) -> Row:
    found, losses = graph.coverage, graph.coverage.losses
    remarks = graph.snapshot.table("diagnostics", ["severity", "code"]).to_pylist()
    codes = Counter((each["severity"], each["code"]) for each in remarks)
    counts = (losses.scripts, losses.lost_scripts, losses.statements, losses.lost_statements)
    return Row(name, *counts, codes, found.written, found.share, seconds)


def _print_samples(graph: Graph, random: Random, diagnostics: int, tables: int) -> None:
    remarks = graph.snapshot.table("diagnostics").to_pylist() if diagnostics else []
    scripts = {each["script_id"]: each for each in graph.snapshot.table("scripts").to_pylist()}
    for severity, code in sorted({(each["severity"], each["code"]) for each in remarks}):
        print(f"    {severity} {code}: {sum(each['code'] == code for each in remarks)}")
    shown = [each for each in remarks if each["severity"] != "info"]
    for each in random.sample(shown, min(diagnostics, len(shown))):
        script = scripts.get(each["script_id"], {})
        print(f"    {script.get('path')}:{each['line']}:{each['column']}: {each['code']}: {each['message']}")
        line = (script.get("text") or "").splitlines()[each["line"] - 1 : each["line"]]
        print(f"        {''.join(line).strip()[:200]}")
    written = [entity for entity in graph.snapshot.table("entities").to_pylist() if entity["kind"] in ("table", "view")]
    for entity in random.sample(written, min(tables, len(written))):
        print(f"    table {entity['name']}")


if __name__ == "__main__":
    sys.exit(main())
