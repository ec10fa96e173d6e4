"""`make programs`: captured programs on several versions of PySpark, in Spark's driver and under Spark Connect.

    python tests/programs/run.py [--folder FOLDER] [VERSION ...]

Prints for each version, place and file how many programs were right, had a gap that a diagnostic names, were wrong, or lost something
silently. Ends with 1 if any was wrong or silent. Environments are those of `make versions`; jars come from Maven Central by `mvn`, and a
format that has no jar for a version is said.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
sys.path[:0] = [str(HERE), str(HERE.parent), str(HERE.parent / "versions")]

from run_versions import VERSIONS, made  # noqa: E402
from sessions import FORMATS  # noqa: E402

DEFAULT = ("3.5", "4.0", "4.1", "4.3")
FILES = ("frames", "statements", "streams", "breaks", "databases", "delta", "iceberg")
_OUTCOMES = ("right", "gap", "wrong", "silent")
_SECONDS = 1800


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="*", choices=[*VERSIONS, []], metavar="VERSION")
    parser.add_argument("--folder", type=Path, default=ROOT / ".cache" / "versions")
    told = parser.parse_args()
    total: Counter[str] = Counter()
    for version in told.versions or DEFAULT:
        python = made(version, told.folder.absolute())
        for place in ("driver", "connect"):
            for file in FILES:
                if file in FORMATS and version not in FORMATS[file].artifacts:
                    print(
                        f"{version} {place:8} {file:12} skipped: there is no jar of {file} for Spark {version}",
                        flush=True,
                    )
                    continue
                results = outcomes(python, place, file)
                found = Counter(result["outcome"] for result in results)
                total += found
                print(
                    f"{version} {place:8} {file:12} " + ", ".join(f"{found[each]} {each}" for each in _OUTCOMES),
                    flush=True,
                )
                for result in results:
                    for line in result["difference"]:
                        print(f"    {result['title']}: {line}", flush=True)
    print(", ".join(f"{total[each]} {each}" for each in _OUTCOMES))
    return 1 if total["wrong"] + total["silent"] else 0


def outcomes(python: Path, place: str, file: str) -> list[dict[str, object]]:
    """How the programs of a file ended."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))}
    environment["PYTHONPATH"] = str(ROOT / "src")
    command = [str(python), str(HERE / "here.py"), file, *(["--connect"] if place == "connect" else [])]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=_SECONDS, check=False)
    found = [json.loads(line) for line in ran.stdout.splitlines() if line.startswith("{")]
    if not found:
        found = [{"title": file, "outcome": "wrong", "difference": ran.stderr.splitlines()[-3:]}]
    return found


if __name__ == "__main__":
    sys.exit(main())
