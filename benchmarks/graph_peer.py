"""The graph against sql-glider's, on the same graph: `python benchmarks/graph_peer.py --relations 3000`.

Both are given the data flow of a generated store (`graph.py`), open it, and are asked what lies upstream of the same columns; sql-glider
in its own environment (`peers.py`). It spells out every path to every column it finds, so each question has a limit of time.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import tempfile
import time
from pathlib import Path
from random import Random

import peers
from graph import generate
from headwater.graph.graph import open_graph
from headwater.store import Snapshot

_THEIRS = """
import json, signal, sys, time
from pathlib import Path
from sqlglider.graph.query import GraphQuerier
start = time.perf_counter()
graph = GraphQuerier.from_file(Path(sys.argv[1])) if hasattr(GraphQuerier, "from_file") else None
opened = time.perf_counter() - start
class Late(Exception): pass
def late(*_): raise Late
signal.signal(signal.SIGALRM, late)
found = []
for column in json.load(open(sys.argv[2])):
    start = time.perf_counter()
    signal.alarm(int(sys.argv[3]))
    try:
        count = len(graph.find_upstream(column))
        signal.alarm(0)
    except Late:
        count = None
    found.append((time.perf_counter() - start, count))
print(json.dumps([opened, found]))
"""


def exported(snapshot: Snapshot, path: Path) -> list[str]:
    """The data flow of a snapshot as sql-glider keeps it; gives the names of the columns that something makes."""
    tables = {r["entity_id"]: r["name"] for r in snapshot.table("entities").to_pylist()}
    names = {r["column_id"]: f"{tables[r['entity_id']]}.{r['name']}" for r in snapshot.table("columns").to_pylist()}
    flows = [r for r in snapshot.table("relations").to_pylist() if r["type"] == "fdd"]
    place = {"file_path": "a.sql", "query_index": 0}
    pairs = sorted({(names[r["source_id"]], names[r["target_id"]]) for r in flows})
    nodes = [{"identifier": name, **place} for name in sorted({name for pair in pairs for name in pair})]
    edges = [{"source_node": source, "target_node": target, **place} for source, target in pairs]
    path.write_text(json.dumps({"metadata": {}, "nodes": nodes, "edges": edges}))
    return sorted({target for _, target in pairs})


def main() -> None:
    """Ask both, and compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--relations", type=int, default=3000)
    parser.add_argument("--questions", type=int, default=40)
    parser.add_argument("--limit", type=int, default=10, help="seconds for a question to sql-glider")
    parser.add_argument("--cache", type=Path, default=peers.default_cache())
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        store = generate(Path(folder) / "store", options.relations)
        exchange, asked = Path(folder) / "graph.json", Path(folder) / "asked.json"
        columns = Random(1).sample(exported(store.snapshot(), exchange), options.questions)
        asked.write_text(json.dumps(columns))
        start = time.perf_counter()
        graph = open_graph(store.place)
        opened = time.perf_counter() - start
        ours = []
        for column in columns:
            start = time.perf_counter()
            trace = graph.upstream(column)
            ours.append((time.perf_counter() - start, len(trace.columns())))
        python = peers.interpreter("sql-glider", options.cache)
        command = [str(python), "-c", _THEIRS, str(exchange), str(asked), str(options.limit)]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        their_open, theirs = json.loads(done.stdout)
    late = sum(count is None for _, count in theirs)
    other = [(a[1], b[1]) for a, b in zip(ours, theirs, strict=True) if b[1] is not None and a[1] != b[1]]
    middle, their_middle = (statistics.median(seconds for seconds, _ in each) for each in (ours, theirs))
    print(f"{options.relations} relations: open {opened * 1e3:.1f} ms, sql-glider {their_open * 1e3:.1f} ms")
    print(f"upstream, median of {len(columns)}: {middle * 1e3:.2f} ms, sql-glider {their_middle * 1e3:.2f} ms")
    print(
        f"{their_middle / middle:.0f} x; {late} of its answers were not there after {options.limit} s; {len(other)} differ in size"
    )


if __name__ == "__main__":
    main()
