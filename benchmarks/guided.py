"""Fuzzing that is guided by coverage: `python benchmarks/guided.py [TARGET…] --minutes 60 [--keep]`.

Each target of `tests/fuzz_targets.py` is searched by atheris, libFuzzer for Python, in a process of its own, one after the other.
The search begins with the inputs in `tests/fuzz_inputs` and the target's own seeds. `--keep` writes the shortest inputs there that
reached new code. An input that breaks a promise is printed, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "tests")]

from fuzz_corpus import kept_inputs, write_inputs  # noqa: E402 - found by the path above
from fuzz_targets import TARGETS  # noqa: E402

LONGEST_INPUT = 2_000
SECONDS_PER_INPUT = 30
"""After which libFuzzer takes an input for one that hangs."""
MEGABYTES = 3_000
LONGEST_KEPT_INPUT = 400
MOST_KEPT_INPUTS = 150
_STATUS = re.compile(r"^#(\d+)\s+\S+.*?cov: (\d+) ft: (\d+) corp: (\d+)", re.MULTILINE)


def main() -> int:
    """Search each target, print its figures and findings."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    parser.add_argument("targets", nargs="*", metavar="TARGET", help=f"one of {', '.join(TARGETS)}; default: all")
    parser.add_argument("--minutes", type=float, default=60, help="for each target")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--keep", action="store_true", help="put inputs that reach new code into the corpus of the tests"
    )
    options = parser.parse_args()
    unknown = set(options.targets) - set(TARGETS)
    if unknown:
        parser.error(f"unknown target {', '.join(sorted(unknown))}; there are {', '.join(TARGETS)}")
    print("| target | executions | branches | corpus | findings |\n|---|---|---|---|---|")
    found = 0
    for name in options.targets or TARGETS:
        with tempfile.TemporaryDirectory(prefix=f"headwater-fuzz-{name}-") as folder:
            found += _search(name, Path(folder), 60 * options.minutes, options.seed)
            if options.keep:
                _keep(name, Path(folder))
    return int(found > 0)


def _search(name: str, folder: Path, seconds: float, seed: int) -> int:
    """Search one target; the number of its findings. A process that hangs or dies is started again for the time that is left."""
    corpus = folder / "corpus"
    corpus.mkdir()
    for number, content in enumerate(kept_inputs(name)):
        (corpus / f"kept-{number}").write_bytes(content)
    ends = time.monotonic() + seconds
    executions, branches, inputs, deaths = 0, 0, 0, 0
    while (left := ends - time.monotonic()) > 1:
        log = _run(name, corpus, f"-max_total_time={left:.0f}", f"-seed={seed + deaths}")
        statuses = _STATUS.findall(log)
        if statuses:
            executions += int(statuses[-1][0])
            branches, inputs = int(statuses[-1][1]), int(statuses[-1][3])
        if ends - time.monotonic() > 1:
            deaths += 1
            if not statuses:
                print(log[-3_000:], file=sys.stderr)
                return 1
    findings = _findings(folder)
    print(f"| {name} | {executions:,} | {branches:,} | {inputs:,} | {len(findings)} |", flush=True)
    for finding in findings:
        print(
            f"    {finding['error']}\n        at {finding['places']}\n        {base64.b64decode(finding['input'])!r}",
            flush=True,
        )
    return len(findings)


def _run(name: str, corpus: Path, *options: str) -> str:
    """What libFuzzer prints until it ends."""
    bounds = (f"-max_len={LONGEST_INPUT}", f"-timeout={SECONDS_PER_INPUT}", f"-rss_limit_mb={MEGABYTES}")
    command = [sys.executable, "-W", "ignore", "-m", "fuzzing.guided", name, str(corpus), *bounds, *options]
    folders = [ROOT / "src", ROOT / "tests", ROOT / "benchmarks"]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*map(str, folders), os.environ.get("PYTHONPATH", "")])}
    artifacts = [f"-artifact_prefix={corpus.parent}/", "-reload=0", "-print_final_stats=1"]
    done = subprocess.run(
        [*command, *artifacts], env=environment, capture_output=True, text=True, errors="replace", check=False
    )
    return done.stdout + done.stderr


def _findings(folder: Path) -> list[dict[str, str]]:
    """Broken promises, and the inputs that made the process hang, die or need too much memory."""
    lines = folder / "findings.jsonl"
    texts = lines.read_text(encoding="utf-8").splitlines() if lines.exists() else []
    found = list({each["places"]: each for each in map(json.loads, texts)}.values())
    for path in sorted([*folder.glob("crash-*"), *folder.glob("timeout-*"), *folder.glob("oom-*")]):
        content = base64.b64encode(path.read_bytes()).decode()
        found.append({"error": path.name.partition("-")[0], "places": "", "input": content})
    return found


def _keep(name: str, folder: Path) -> None:
    """Keep the shortest of the inputs that reached new code, beside the seeds, which the target makes itself."""
    files = [*(folder / "corpus").iterdir()]
    seeds = {path.read_bytes() for path in files if path.name.startswith("seed-")}
    found = {path.read_bytes() for path in files if path.stat().st_size <= LONGEST_KEPT_INPUT} - seeds
    write_inputs(name, sorted(found, key=lambda each: (len(each), each))[:MOST_KEPT_INPUTS])


if __name__ == "__main__":
    sys.exit(main())
