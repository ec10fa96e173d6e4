"""Fetched parts of the field, kept between runs: Python environments and jars, each pinned.

`HEADWATER_FIELD_CACHE` names the folder; the default is `.cache/field` in the repository.
"""

from __future__ import annotations

import functools
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from hashlib import blake2b
from importlib.metadata import version
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
CACHE = Path(os.environ.get("HEADWATER_FIELD_CACHE") or ROOT / ".cache" / "field").absolute()

MOTO = ("moto[server]==5.2.5", "boto3==1.44.0")
AZURITE = "azurite@3.35.0"
OBSTORE = ("obstore==0.12.1",)
_USER_EXTRAS = ("spark", "cluster", "object-stores")
_SPARK_PACKAGES = (
    "pyspark",
    "pyarrow",
    "numpy",
    "pandas",
    "grpcio",
    "grpcio-status",
    "googleapis-common-protos",
    "zstandard",
)

_POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>field</groupId><artifactId>field</artifactId><version>1</version>
  <dependencies>{dependencies}</dependencies>
</project>
"""
_DEPENDENCY = (
    "<dependency><groupId>{}</groupId><artifactId>{}</artifactId><version>{}</version>"
    "<exclusions>{}</exclusions></dependency>"
)
_EXCLUSION = "<exclusion><groupId>{}</groupId><artifactId>{}</artifactId></exclusion>"


def spark_packages() -> tuple[str, ...]:
    """The packages that workers have: PySpark and what it needs, in the versions of this environment, and no Headwater."""
    return tuple(f"{name}=={version(name)}" for name in _SPARK_PACKAGES)


def python_environment(packages: Iterable[str]) -> Path:
    """A virtual environment with exactly these packages."""
    wanted = "\n".join(packages)
    folder = CACHE / "python" / _key(sys.base_prefix, wanted)
    ready = folder / "ready"
    if not ready.exists():
        shutil.rmtree(folder, ignore_errors=True)
        _run([sys.executable, "-m", "venv", str(folder)])
        _run([str(folder / "bin" / "python"), "-m", "pip", "install", "--quiet", *wanted.splitlines()])
        ready.write_text(wanted)
    return folder


def python_folder(package: str) -> Path:
    """A folder with a Python package (`name==version`), and nothing that it needs."""
    folder = CACHE / "packages" / _key(package)
    ready = folder / "ready"
    if not ready.exists():
        shutil.rmtree(folder, ignore_errors=True)
        _run([sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder), package])
        ready.write_text(package)
    return folder


@functools.cache
def user_environment() -> Path:
    """The environment of a user: the wheel of this source, with the extras of builds on clusters and object stores."""
    import tomllib  # Python 3.10, which Spark 3.5 needs, has none

    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    extras = [name for name in _USER_EXTRAS if name in project["optional-dependencies"]]
    needed = [*project["dependencies"], *(each for name in extras for each in _needed(project, name))]
    folder = python_environment([*spark_packages(), *sorted({*needed})])
    with tempfile.TemporaryDirectory() as made:
        _run([sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", made])
        (wheel,) = Path(made).iterdir()
        install = ["install", "--quiet", "--no-deps", "--force-reinstall", str(wheel)]
        _run([str(folder / "bin" / "python"), "-m", "pip", *install])
    return folder


def _needed(project: dict[str, Any], extra: str) -> list[str]:
    """The packages of an extra, with those of the extras that it names."""
    found = []
    for each in project["optional-dependencies"][extra]:
        inner = re.fullmatch(r"headwater\[(.+)\]", each)
        found += [one for name in inner[1].split(",") for one in _needed(project, name)] if inner else [each]
    return found


def jars(*artifacts: str, without: Iterable[str] = ()) -> Path:
    """A folder with Maven artifacts (`group:name:version`) and all that they need at run time."""
    without = tuple(without)
    folder = CACHE / "jars" / _key(*artifacts, *without)
    ready = folder / "ready"
    if not ready.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        exclusions = "".join(_EXCLUSION.format(*each.split(":")) for each in without)
        dependencies = "".join(_DEPENDENCY.format(*each.split(":"), exclusions) for each in artifacts)
        (folder / "pom.xml").write_text(_POM.format(dependencies=dependencies))
        goal = ["dependency:copy-dependencies", "-DincludeScope=runtime", f"-DoutputDirectory={folder}"]
        _run(["mvn", "-q", "-B", "-f", str(folder / "pom.xml"), *goal])
        ready.write_text("\n".join(artifacts))
    return folder


def node_package(package: str) -> Path:
    """A folder with an npm package (`name@version`) and what it needs."""
    folder = CACHE / "node" / _key(package)
    ready = folder / "ready"
    if not ready.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        _run(["npm", "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(folder), package])
        ready.write_text(package)
    return folder


def hadoop_version() -> str:
    """The version of Hadoop that the installed PySpark has."""
    return spark_jar("hadoop-client-api-*.jar").stem.rpartition("-")[2]


def spark_home() -> Path:
    """The folder of the installed PySpark."""
    import pyspark

    return Path(pyspark.__file__).parent


def spark_jar(pattern: str) -> Path:
    """The one jar of the installed PySpark with such a name."""
    (jar,) = (spark_home() / "jars").glob(pattern)
    return jar


def _key(*parts: str) -> str:
    return blake2b("\n".join(parts).encode(), digest_size=6).hexdigest()


def _run(command: list[str]) -> None:
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{' '.join(command[:4])} …: {(done.stdout + done.stderr).strip()[-2000:]}")
