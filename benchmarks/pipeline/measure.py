"""The pipeline on a generated corpus: `python benchmarks/pipeline/measure.py --statements 200000 --distinct 20000`.

Generates the corpus unless it is there, builds it, compares every edge with the truth, changes ten statements and builds again. Printed
are the steps' seconds, the peak memory of the driver, and the distinct statements per second and core, beside those of plain loops
(`plain_loop.py`), one on each core; and how much of the cores' time Python and Java took (`cpu.py`). `--smaller FOLDER` names the folder of
a run on a smaller corpus: printed is how each step has grown since, as an exponent of the number of distinct statements.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from headwater.pipeline.build import Built
from headwater.pipeline.corpus import Corpus, build
from headwater.pipeline.read.logs import LogColumns
from headwater.store import Snapshot
from pipeline import plain_loop, warehouse
from pipeline.compare import compare
from pipeline.cpu import CpuSeconds, cpu_of_children
from pipeline.edge import QUERY, Edge
from pipeline.tables import TEMPORARY

LOG = LogColumns(sql="query_text", user="user_name", time="started_at", default_schema="database")


def store_edges(snapshot: Snapshot) -> Iterator[Edge]:
    """The edges of a snapshot in the words of the truth: queries by their hashes, temporary views with the path of their script."""
    hashes: dict[int, set[str]] = {}
    for process, query in _pairs(snapshot, "statements", "process_id", "query_hash"):
        hashes.setdefault(process, set()).add(query)
    paths = dict(_pairs(snapshot, "scripts", "script_id", "path"))
    names: dict[int, list[str]] = {}
    for row in snapshot.table("entities").to_pylist():
        if row["kind"] == "resultset":
            names[row["entity_id"]] = [QUERY + query for query in hashes[row["scope_id"]]]
        elif row["temporary"]:
            names[row["entity_id"]] = [f"{paths[row['scope_id']]}{TEMPORARY}{row['parts'][-1]}"]
        else:
            names[row["entity_id"]] = [row["name"]]
    columns = {r["column_id"]: (names[r["entity_id"]], r["name"]) for r in snapshot.table("columns").to_pylist()}
    for row in snapshot.table("relations", ["source_id", "target_id", "type", "subtype"]).to_pylist():
        (targets, target), ((source, *_), column) = columns[row["target_id"]], columns[row["source_id"]]
        for each in targets:
            yield Edge(each, target, source, column, row["type"], row["subtype"] or "")


def _pairs(snapshot: Snapshot, table: str, *columns: str) -> Iterator[tuple[int, str]]:
    content = snapshot.table(table, list(columns))
    return zip(content.column(0).to_pylist(), content.column(1).to_pylist(), strict=True)


def built(folder: Path, output: Path) -> tuple[Built, dict[str, CpuSeconds]]:
    """A build of a corpus, and the cpu time of Spark's processes in each of its steps."""
    os.chdir(folder)
    begun: dict[str, CpuSeconds] = {}
    spent: dict[str, CpuSeconds] = {}

    def tell(step: str, done: float) -> None:
        if done not in (0.0, 1.0):
            return
        print(f"  {time.strftime('%H:%M:%S')} {step} {done:.0%}", file=sys.stderr)
        now = cpu_of_children()
        if done == 0.0:
            begun[step] = now
        else:
            spent[step] = now.since(begun[step])

    return build(Corpus(["sql", "logs/*.parquet"], log=LOG), output, tell=tell), spent


def changed(folder: Path, count: int = 10) -> None:
    """Change some statements: one in each of the first scripts of the staging layer, each time to something new."""
    for number, path in enumerate(sorted((folder / "sql" / "staging").glob("*.sql"))[:count]):
        text = path.read_text(encoding="utf-8").rstrip().rstrip(";")
        path.write_text(f"{text}\n;\nSELECT 1 AS changed_{time.time_ns()}_{number};\n", encoding="utf-8")


def plain_rate(corpus: Path, cores: int) -> float:
    """Statements per cpu second in a plain loop, where every core has one: they share caches and memory, as a build's workers do."""
    command = [sys.executable, plain_loop.__file__, str(corpus), "--speed"]
    loops = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(cores)]
    said = [loop.communicate()[0].split() for loop in loops]
    return sum(float(words[words.index("per") - 1]) for words in said) / cores


def where_the_time_went(build: Built, spent: dict[str, CpuSeconds], cores: int, plain: float) -> Iterator[str]:
    """For the large steps, how much of the cores' time Python and Java took, and how much was idle."""
    for step in ("split", "extract", "write"):
        available = build.summary.seconds[step] * cores
        java, python = spent[step]
        shares = (
            f"Python {python / available:.0%}, Java {java / available:.0%}, idle {1 - (java + python) / available:.0%}"
        )
        yield f"{step:8} {available:.0f} core seconds: {shares}"
    loops = build.summary.distinct / plain
    yield f"Python's part of extract takes {spent['extract'].python / loops:.2f} times the cpu of plain loops"


def peak_memory() -> str:
    """The peak memory of this process, the driver's Python; and of its Java, which is driver and executor in one."""
    peaks = {"Python": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}
    for child in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
        status = Path(f"/proc/{child}/status").read_text()
        if found := re.search(r"^Name:\s*java\n(?:.*\n)*?VmHWM:\s*(\d+)", status, re.MULTILINE):
            peaks["Java"] = int(found[1]) / 1024
    return ", ".join(f"{name} {megabytes:.0f} MB" for name, megabytes in peaks.items())


def growth(smaller: dict[str, dict[str, float]], larger: dict[str, dict[str, float]]) -> Iterator[str]:
    """For each step of both builds, the exponent of its growth."""
    factor = larger["full"]["distinct"] / smaller["full"]["distinct"]
    for name, steps in larger.items():
        for step, seconds in steps.items():
            before = smaller[name].get(step, 0)
            if step != "distinct" and before and seconds:
                exponent = math.log(seconds / before, factor)
                yield f"{name:12} {step:8} {before:8.2f} s {seconds:8.2f} s   exponent {exponent:.2f}"


def main() -> None:
    """Generate, build, compare, change, build again."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--statements", type=int, default=warehouse.STATEMENTS)
    parser.add_argument("--distinct", type=int, default=warehouse.DISTINCT)
    parser.add_argument("--folder", type=Path, required=True, help="where the corpus and the store go")
    parser.add_argument("--smaller", type=Path, metavar="FOLDER", help="the folder of a run on a smaller corpus")
    options = parser.parse_args()
    folder = options.folder.absolute()
    corpus, store = folder / "corpus", folder / "store"
    if not corpus.is_dir():
        warehouse.write(warehouse.generate(options.statements, options.distinct), corpus)
    shutil.rmtree(store, ignore_errors=True)
    start = time.perf_counter()
    first, spent = built(corpus, store)
    print(f"full build {time.perf_counter() - start:.1f} s with Spark's start", first.summary)
    print(f"peak memory: {peak_memory()}")
    report = compare(store_edges(first.snapshot), corpus / "truth")
    print(report)
    cores = os.cpu_count() or 1
    rate = first.summary.distinct / first.summary.seconds["extract"] / cores
    plain = plain_rate(corpus, cores)
    print(
        f"distinct statements per second and core: {rate:.0f} in the build's extract step, {plain:.0f} in plain loops:"
        f" {rate / plain:.0%}"
    )
    print(*where_the_time_went(first, spent, cores, plain), sep="\n")
    changed(corpus)
    start = time.perf_counter()
    again, _ = built(corpus, store)
    print(f"incremental build {time.perf_counter() - start:.1f} s", again.summary)
    steps = {"full": first.summary, "incremental": again.summary}
    result = {name: {"distinct": each.distinct, **each.seconds} for name, each in steps.items()}
    (folder / "steps.json").write_text(json.dumps(result, indent=1) + "\n")
    if options.smaller:
        print(*growth(json.loads((options.smaller / "steps.json").read_text()), result), sep="\n")
    sys.exit(0 if report.exact else 1)


if __name__ == "__main__":
    main()
