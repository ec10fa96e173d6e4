"""Headwater against its peers, in one run: `python benchmarks/run.py`; see README.md for what the numbers mean."""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import peers
from contenders import HEADWATER, PEER_NAMES, PEERS, UNIT, Contender
from corpus import CORPORA, Corpus

WORKER = Path(__file__).with_name("worker.py")
HEADER = ("contender", "cpu ms", "x parse", "peak MB", "start MB", "answered", "empty", "failed", "passes")
MEGABYTE = 1_000_000

ENVIRONMENT = {
    "PYTHONHASHSEED": "0",
    "DATAHUB_TELEMETRY_ENABLED": "false",
    "DATAHUB_SQL_PARSE_CACHE_SIZE": "1",  # no text comes twice, so a larger cache would only cost DataHub time
}

QUICK_STEP = 7
"""Shares no factor with the cycle of ten in which the ETL corpus repeats its kinds of statement."""


@dataclass(frozen=True, slots=True)
class Settings:
    """How long each contender may run, and where the environments live."""

    cache: Path
    passes: int
    budget: float
    limit: float


@dataclass(frozen=True, slots=True)
class Row:
    """A contender's measurement as the worker wrote it, or the reason why there is none."""

    contender: Contender
    measurement: dict[str, Any] | None
    problem: str = ""

    @property
    def best(self) -> float | None:
        """The seconds of the best pass."""
        return min(self.measurement["passes"]) if self.measurement else None


@dataclass(frozen=True, slots=True)
class Report:
    """One corpus: the contenders' rows, and the unit's rows around them, one more than there are contenders."""

    corpus: Corpus
    rows: list[Row]
    units: list[Row]

    @property
    def best_unit(self) -> Row:
        """The fastest of the unit's runs."""
        return min(self.units, key=_seconds)

    def ratios(self) -> Iterator[tuple[Row, float]]:
        """The rows of the table, each with the seconds of its unit: the better of the two runs beside it."""
        yield self.best_unit, _seconds(self.best_unit)
        for row, before, after in zip(self.rows, self.units[:-1], self.units[1:], strict=True):
            yield row, min(_seconds(before), _seconds(after))


def _seconds(unit: Row) -> float:
    """The unit's best pass; without a unit there is no table."""
    if unit.best is None:
        raise SystemExit(f"the parser, which is the unit of the table, did not run: {unit.problem}")
    return unit.best


def measure(contender: Contender, corpus_file: Path, settings: Settings) -> Row:
    """Run one contender in a process of its own."""
    output = corpus_file.with_name("measurement.json")
    output.unlink(missing_ok=True)
    try:
        python = peers.interpreter(contender.environment, settings.cache)
        command = [str(python), "-W", "ignore", str(WORKER), contender.adapter, str(corpus_file), str(output)]
        command += ["--passes", str(settings.passes), "--budget", str(settings.budget)]
        _run(command, _environment(contender), settings.limit, corpus_file.with_name("stderr.txt"))
        return Row(contender, json.loads(output.read_text(encoding="utf-8")))
    except subprocess.TimeoutExpired:
        return Row(contender, None, f"stopped after {settings.limit:.0f} s")
    except (subprocess.CalledProcessError, RuntimeError) as error:
        return Row(contender, None, str(error))


def _run(command: list[str], environment: dict[str, str], limit: float, errors: Path) -> None:
    """Run to the end; what a contender prints is neither shown nor mixed with the result."""
    with errors.open("w", encoding="utf-8") as stderr:
        quiet = subprocess.DEVNULL
        done = subprocess.run(command, env=environment, timeout=limit, check=False, stdout=quiet, stderr=stderr)
    if done.returncode:
        said = errors.read_text(encoding="utf-8", errors="replace").strip().splitlines()
        raise RuntimeError(said[-1] if said else f"exit status {done.returncode}")


def _environment(contender: Contender) -> dict[str, str]:
    """The same settings for all; only headwater's own interpreter sees PYTHONPATH."""
    environment = {**os.environ, **ENVIRONMENT}
    if contender.environment != peers.HERE:
        environment.pop("PYTHONPATH", None)
    return environment


def compare(corpus: Corpus, contenders: Sequence[Contender], settings: Settings) -> Report:
    """Measure every contender, with the unit before, between and after them."""
    print(f"{corpus.name}: {len(corpus.queries)} statements", file=sys.stderr)
    with tempfile.TemporaryDirectory() as folder:
        corpus_file = Path(folder) / "corpus.json"
        corpus.dump(corpus_file)
        report = Report(corpus, [], [measure(UNIT, corpus_file, settings)])
        for contender in contenders:
            print(f"  {contender.label} …", file=sys.stderr, flush=True)
            report.rows.append(measure(contender, corpus_file, settings))
            report.units.append(measure(UNIT, corpus_file, settings))
        return report


def lines(report: Report) -> Iterator[str]:
    """The printed form of a report."""
    corpus = report.corpus
    yield f"## {corpus.name}: {len(corpus.queries)} statements, {corpus.characters:,} characters, {corpus.dialect}"
    yield f"Texts: {corpus.origin}."
    yield ""
    yield from table([HEADER, *(cells(row, unit) for row, unit in report.ratios())])
    yield ""
    yield from (f"{row.contender.label}: {row.problem}" for row in report.rows if row.problem)
    units = sorted(_seconds(unit) for unit in report.units)
    yield f"The unit took {milliseconds(units[0])} to {milliseconds(units[-1])} ms in its {len(units)} runs."
    yield "Versions: " + "; ".join(versions(report))


def cells(row: Row, unit: float) -> tuple[str, ...]:
    """A row of the table."""
    found, best = row.measurement, row.best
    if found is None or best is None:
        return (row.contender.label, *["-"] * (len(HEADER) - 1))
    sizes = (f"{found[key] / MEGABYTE:.0f}" for key in ("peak_bytes", "start_bytes"))
    counts = (found["answered"], len(found["empty"]), len(found["failed"]), len(found["passes"]))
    return (row.contender.label, milliseconds(best), f"{best / unit:.2f}", *sizes, *map(str, counts))


def milliseconds(seconds: float | None) -> str:
    """A time for people, "-" where there is none."""
    return "-" if seconds is None else f"{seconds * 1000:,.0f}"


def table(rows: Sequence[tuple[str, ...]]) -> Iterator[str]:
    """Markdown with aligned columns, the first to the left and the others to the right."""
    first, *others = (max(map(len, column)) for column in zip(*rows, strict=True))
    rule = ("-" * first, *("-" * (width - 1) + ":" for width in others))
    for label, *values in (rows[0], rule, *rows[1:]):
        aligned = (value.rjust(width) for value, width in zip(values, others, strict=True))
        yield f"| {' | '.join((label.ljust(first), *aligned))} |"


def versions(report: Report) -> list[str]:
    """For each environment that took part, the versions in it."""
    rows = (report.best_unit, *report.rows)
    found = {row.contender.environment: row.measurement["versions"] for row in rows if row.measurement}
    return [", ".join(f"{name} {version}" for name, version in packages.items()) for packages in found.values()]


def machine() -> str:
    """Where the numbers come from."""
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return f"Python {platform.python_version()}, {platform.system()} {platform.machine()}, {os.cpu_count()} cores{load}"


def selected(names: str | None) -> list[Contender]:
    """Headwater, and the contenders of the named peers (all without a name, none for "none")."""
    wanted = set(PEER_NAMES) if names is None else set(names.split(",")) - {"none"}
    if unknown := wanted - set(PEER_NAMES):
        raise SystemExit(f"unknown peer {', '.join(sorted(unknown))}; known: {', '.join(PEER_NAMES)}, none")
    return [*HEADWATER, *(contender for contender in PEERS if contender.peer in wanted)]


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help=f"every {QUICK_STEP}th statement, two passes")
    parser.add_argument("--peers", metavar="A,B", help=f"of {', '.join(PEER_NAMES)}, or none; default: all")
    parser.add_argument("--corpus", choices=(*CORPORA, "all"), default="all")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write every measurement here")
    parser.add_argument(
        "--cache", type=Path, default=peers.default_cache(), metavar="DIR", help="the peers' environments"
    )
    parser.add_argument("--passes", type=int, default=5, help="timed passes over a corpus; the best counts")
    parser.add_argument("--budget", type=float, default=30.0, help="seconds after which no further pass is begun")
    parser.add_argument("--limit", type=float, default=900.0, help="seconds after which a contender is stopped")
    return parser.parse_args()


def main() -> int:
    """Measure, print, and write JSON if asked; 1 if a contender could not be measured."""
    options = arguments()
    passes = min(options.passes, 2) if options.quick else options.passes
    settings = Settings(options.cache, passes, options.budget, options.limit)
    contenders = selected(options.peers)
    print(machine())
    reports = []
    for name in CORPORA if options.corpus == "all" else (options.corpus,):
        corpus = CORPORA[name](options.cache)
        reports.append(compare(corpus.every(QUICK_STEP) if options.quick else corpus, contenders, settings))
        print("", *lines(reports[-1]), sep="\n", flush=True)
    if options.json:
        options.json.write_text(json.dumps([as_json(report) for report in reports], indent=1), encoding="utf-8")
    return int(any(row.problem for report in reports for row in report.rows))


def as_json(report: Report) -> dict[str, Any]:
    """Everything measured about one corpus, without its texts."""
    return {
        "corpus": report.corpus.name,
        "origin": report.corpus.origin,
        "statements": len(report.corpus.queries),
        "machine": machine(),
        "rows": [asdict(row) | {"unit_seconds": unit} for row, unit in report.ratios()],
        "units": [asdict(unit) for unit in report.units],
    }


if __name__ == "__main__":
    sys.exit(main())
