"""Exports of generated stores: seconds and memory by format and size, which must not grow with the store.

    python benchmarks/export.py                                     10^5 and 10^6 pairs in all formats, 10^7 in the CSVs and as tables
    python benchmarks/export.py --relations 100000 --format csv     one size, one format

Stores are generated as in `graph.py`; each export runs in a process of its own and writes to a file that is thrown away. Memory is what the
process has of its own at most; beside it what it had in all, in which pages of mapped files count that the system may take back.
Formats for people refuse a store that is too large to look at: their row has what it took to find that out, and one more row the lineage
of one column of the same store.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from threading import Event, Thread
from typing import Any

if not __package__:
    sys.path.insert(0, str(Path(__file__).resolve().parent))

from graph import generate
from headwater.export import MODULES, format_named
from headwater.export.feed import Feed, Scope
from headwater.export.focus import Focus
from headwater.export.format import Choices, ExportError, Output
from headwater.feeds import StoreFeed, store_focus
from headwater.graph import open_graph
from headwater.lakehouse.lake import publish
from headwater.lakehouse.opening import open_lake

SIZES = (10**5, 10**6)
LARGEST = 10**7
LARGEST_FORMATS = ("csv", "sqlflow-csv", "delta", "iceberg")
PICTURES = ("mermaid", "html", "svg", "png")
"""Formats for people, who see no more than some thousand columns: they refuse a large store, and draw the lineage of one column."""
FOCUS = Focus("domain0.table_999.column_3", "upstream", depth=3)
"""A column of the last layer of a domain, in stores of every size; three hops of it have some thirty tables."""
_SAID = 45
"""Characters of a refusal that a row repeats."""


class Memory:
    """Watches how much memory the process has of its own."""

    def __init__(self) -> None:
        self.most = 0.0
        self._over = Event()
        Thread(target=self._watch, daemon=True).start()

    def _watch(self) -> None:
        while not self._over.wait(0.05):
            self.most = max(self.most, _status("RssAnon"))

    def close(self) -> float:
        """The most that there was, in megabytes."""
        self._over.set()
        return max(self.most, _status("RssAnon"))


def _status(field: str) -> float:
    """Megabytes that the system says of this process."""
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith(field)) / 1024


def measure(store: Path, name: str, output: Path, focused: bool) -> dict[str, float | str]:
    """Export a store, or the lineage of one column of it; a refusal is measured until it is said."""
    format = format_named(name)
    graph = open_graph(store)
    memory = Memory()
    began = time.perf_counter()
    level = "column" if "column" in format.levels else format.level
    feed: Feed = StoreFeed(graph, Scope(level))
    refused = ""
    try:
        if focused:
            feed = store_focus(StoreFeed(graph, Scope(level)), FOCUS)
        if format.is_lakehouse:
            publish(graph.snapshot, open_lake(name, str(output)), lambda table: None)
        elif format.write is None:
            assert format.send
            format.send(feed, f"sqlite:///{output}", Choices())
        else:
            with output.open("wb") as stream:
                format.write(feed, Output(stream), Choices())
    except ExportError as error:
        refused = str(error)
    seconds = time.perf_counter() - began
    whole = _status("VmHWM")
    megabytes = sum(file.stat().st_size for file in [output, *output.rglob("*")] if file.is_file()) / 1e6
    own = memory.close()
    return {"seconds": seconds, "megabytes": megabytes, "own_memory": own, "all_memory": whole, "refused": refused}


def one_size(relations: int, formats: list[str]) -> None:
    """Generate a store and export it in each format, and as pictures the lineage of one column too."""
    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "lineage"
        generate(store, relations)
        open_graph(store)
        for name in formats:
            for focused in (False, True) if name in PICTURES else (False,):
                command = [sys.executable, __file__, "--store", str(store), "--format", name]
                command += ["--output", f"{folder}/out", *["--focused"] * focused]
                done = subprocess.run(command, check=True, capture_output=True, text=True)
                _remove(Path(folder, "out"))
                print(_row(f"{name}{' (focus)' * focused}", relations, json.loads(done.stdout)), flush=True)


def _remove(output: Path) -> None:
    if output.is_dir():
        shutil.rmtree(output)
    else:
        output.unlink()


def _row(name: str, relations: int, figures: dict[str, Any]) -> str:
    written = f"{figures['megabytes']:>9.2f} MB written"
    if figures["refused"]:
        written = f"  refused: {figures['refused'][:_SAID]}…"
    return (
        f"{name:<16}{relations:>12,} pairs {figures['seconds']:>8.1f} s {figures['own_memory']:>8.0f} MB of its own"
        f" {figures['all_memory']:>8.0f} MB in all {written}"
    )


def main() -> None:
    """Measure what was asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--relations", type=int, action="append", help="a size; may be given several times")
    parser.add_argument("--format", action="append", choices=list(MODULES), help="a format; may be given several times")
    parser.add_argument("--store", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--output", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--focused", action="store_true", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.store:
        print(json.dumps(measure(arguments.store, arguments.format[0], arguments.output, arguments.focused)))
        return
    formats = arguments.format or list(MODULES)
    for size in arguments.relations or SIZES:
        one_size(size, formats)
    if not arguments.relations:
        one_size(LARGEST, [name for name in LARGEST_FORMATS if name in formats])


if __name__ == "__main__":
    main()
