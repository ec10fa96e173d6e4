"""The static engine against another one, statement by statement: verdicts, and the command that prints them.

`spark_sql_tests.py` and `googlesql_tests.py` compare on the test files of Spark and of GoogleSQL.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import headwater
from headwater.model.diagnostic import Code
from headwater.model.entity import PSEUDO_ROWS

EQUAL, DIFFERENT = "equal", "different"
NO_TABLE = "reads no table"
NOT_COMPARED = "not compared"
MOST = 0.005
"""The share of data-flow edges that may differ."""


@dataclass(slots=True)
class Verdict:
    """A statement, and what became of the comparison."""

    file: str
    number: int
    sql: str
    outcome: str = EQUAL
    why: str = ""
    edges: int = 0
    """Data-flow edges that either engine has."""
    extra: list[str] = field(default_factory=list)
    """Ours alone."""
    missing: list[str] = field(default_factory=list)
    """The other engine's alone."""
    influence: list[str] = field(default_factory=list)
    """Influence of one engine alone, and data flow of another kind: "-" ours, "+" the other engine's."""
    syntax: str = ""
    """Our syntax error."""
    form: str = ""
    """What a statement with a syntax error of ours has that our dialect lacks."""
    internal: list[str] = field(default_factory=list)
    """Our internal errors, and answers of the other engine that were not understood."""
    diagnostics: list[str] = field(default_factory=list)

    def record(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)

    def take_diagnostics(self, static: headwater.Lineage, start: int) -> None:
        """Note the diagnostics of the static engine, from a place in the text on."""
        told = [d for d in static.diagnostics if d.span is None or d.span[0] >= start]
        self.diagnostics = [f"{d.code.value} {d.subject}: {d.message}" for d in told]
        self.syntax = next((d.message for d in told if d.code is Code.SYNTAX_ERROR), "")
        self.internal = [d.message for d in told if d.code is Code.INTERNAL_ERROR]

    def take_edges(self, static: headwater.Lineage, start: int, other: headwater.Lineage, other_start: int) -> None:
        """Compare the edges of both engines, each from a place in its text on."""
        ours, theirs = flows(static, start), flows(other, other_start)
        self.edges = len(ours | theirs)
        self.extra, self.missing = sorted(ours - theirs), sorted(theirs - ours)
        mine, its = _lines(static, start), _lines(other, other_start)
        self.influence = sorted([*(f"- {x}" for x in mine - its), *(f"+ {x}" for x in its - mine)])
        self.outcome = DIFFERENT if ours != theirs else EQUAL if mine or its else NO_TABLE


def flows(lineage: headwater.Lineage, start: int) -> set[str]:
    """The data flow between columns, from a place in the text on."""
    edges = lineage.column_edges(rows="none")
    return {f"{edge.target} <- {edge.source}" for edge in edges if edge.type == "fdd" and edge.process.span[0] >= start}


def _lines(lineage: headwater.Lineage, start: int) -> set[str]:
    """All edges with their kinds, but for those between row sets, from a place in the text on."""
    return {
        f"{edge.target} {edge.type} {edge.source} {edge.subtype} {edge.clause}"
        for edge in lineage.column_edges()
        if not (edge.source.column == PSEUDO_ROWS and edge.target.column == PSEUDO_ROWS)
        and edge.process.span[0] >= start
    }


def run(
    description: str | None,
    compared: Callable[[Path, tuple[str, ...]], Iterator[Verdict]],
    report: Callable[[list[Verdict], float], int],
) -> None:
    """The command: compares the files of a folder, writes the verdicts, prints a report, and ends with its exit status."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--out", type=Path, help="a file of one JSON object per statement")
    parser.add_argument("--only", default="", help="files whose name begins with one of these, between commas")
    parser.add_argument("--most", type=float, default=MOST, help="the share of edges that may differ")
    options = parser.parse_args()
    out = options.out.resolve().open("w", encoding="utf-8") if options.out else None
    verdicts = []
    for verdict in compared(options.folder.resolve(), tuple(options.only.split(","))):
        verdicts.append(verdict)
        if out is not None:
            print(json.dumps(verdict.record()), file=out, flush=True)
    sys.exit(report(verdicts, options.most))


def print_counts(verdicts: list[Verdict], engine: str) -> float:
    """Print how many statements were compared, and how many edges differ; gives the share of these."""
    edges = sum(each.edges for each in verdicts if not each.form)
    extra = sum(len(v.extra) for v in verdicts if not v.form)
    missing = sum(len(v.missing) for v in verdicts if not v.form)
    share = (extra + missing) / edges if edges else 0.0
    print(f"{len(verdicts)} statements")
    for outcome, count in Counter(each.outcome for each in verdicts).most_common():
        print(f"    {count:6} {outcome}")
    differ = f"{extra + missing} differ ({share:.2%}): {extra} ours alone, {missing} {engine}'s alone"
    print(f"{edges} data-flow edges, {differ}")
    print(f"{sum(bool(v.internal) for v in verdicts)} internal errors")
    print(f"{sum(bool(v.influence) for v in verdicts)} statements with another difference: influence, kinds")
    return share
