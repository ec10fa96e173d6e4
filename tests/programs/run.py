"""`make programs`: captured programs on several versions of PySpark, in Spark's driver and under Spark Connect; and both engines
on statements over tables of Delta Lake and Iceberg (`engines`).

    python tests/programs/run.py [--folder FOLDER] [VERSION ...]

Prints for each version, place and file how many programs were right, differed as their file explains, had a gap that a diagnostic names,
were wrong, or lost something silently. Ends with 1 if any was wrong or silent. Environments are those of `make versions`; jars come from
Maven Central by `mvn`, and a format that has no jar for a version is said.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "versions")]

from run_versions import VERSIONS, made  # noqa: E402
from sessions import FORMATS  # noqa: E402

DEFAULT = ("3.5", "4.0", "4.1", "4.3")
FILES = ("frames", "statements", "streams", "breaks", "databases", "delta", "iceberg")
_OUTCOMES = ("right", "explained", "gap", "wrong", "silent")
_SECONDS = 1800


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="*", choices=[*VERSIONS, []], metavar="VERSION")
    parser.add_argument("--folder", type=Path, default=ROOT / ".cache" / "versions")
    told = parser.parse_args()
    total: Counter[str] = Counter()
    for version in told.versions or DEFAULT:
        python = made(version, told.folder.absolute())
        for label, format, command in runs():
            if format in FORMATS and version not in FORMATS[format].artifacts:
                print(f"{version} {label} skipped: there is no jar of {format} for Spark {version}", flush=True)
            else:
                total += _shown(f"{version} {label}", outcomes(python, command))
    print(", ".join(f"{total[each]} {each}" for each in _OUTCOMES))
    return 1 if total["wrong"] + total["silent"] else 0


def runs() -> Iterator[tuple[str, str, list[str]]]:
    """What is run on each version: its name, the format that it needs, and the script with its arguments."""
    for place in ("driver", "connect"):
        for file in FILES:
            yield f"{place:8} {file:12}", file, ["here.py", file, *(["--connect"] if place == "connect" else [])]
    for format in FORMATS:
        yield f"{'engines':8} {format:12}", format, ["row_level.py", format]


def _shown(label: str, results: list[dict[str, Any]]) -> Counter[str]:
    """Print how a file's programs ended, and what differs."""
    found = Counter(str(result["outcome"]) for result in results)
    print(f"{label} " + ", ".join(f"{found[each]} {each}" for each in _OUTCOMES), flush=True)
    for result in results:
        for line in result["difference"]:
            print(f"    {result['title']}: {line}", flush=True)
    return found


def outcomes(python: Path, command: list[str]) -> list[dict[str, Any]]:
    """How the programs of a file ended."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))}
    environment["PYTHONPATH"] = str(ROOT / "src")
    script = [str(python), str(HERE / command[0]), *command[1:]]
    ran = subprocess.run(script, env=environment, capture_output=True, text=True, timeout=_SECONDS, check=False)
    found = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    if ran.returncode and not any(each["outcome"] in ("wrong", "silent") for each in found):
        found.append({"title": command[1], "outcome": "wrong", "difference": ran.stderr.splitlines()[-3:]})
    return found


if __name__ == "__main__":
    sys.exit(main())
