"""Packages for workers that do not have them: pure Python in a zip file, which Spark puts on the path of every worker.

Compiled parts do not work from a zip file and are left out: sqlglot then parses more slowly, MarkupSafe and PyYAML use their own Python.
What is compiled through and through (NumPy, PyArrow) cannot be shipped like this: `headwater spark pack` makes an environment of all.
"""

from __future__ import annotations

import atexit
import os
import shutil
import sys
import tempfile
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from hashlib import blake2b
from importlib.metadata import PackageNotFoundError, distribution
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from headwater.runtime.versions import is_connect

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SHIPPED = ("headwater", "sqlglot", "pathspec", "jinja2", "markupsafe", "yaml")
"""Packages that tasks import and that work from a zip file."""
_COMPILED = (".so", ".pyd", ".dylib", ".pyc")
_LEFT_OUT = ("server/page/", "sample/")
"""Folders of headwater that no task needs."""
_FIRST_TIME = (1980, 1, 1, 0, 0, 0)


def installed_here(name: str) -> bool:
    """Whether a package is there to be shipped."""
    return package_folder(name) is not None


def package_folder(name: str) -> Path | None:
    """The folder of a package on this machine."""
    spec = find_spec(name)
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    return Path(places[0]) if places and os.path.isdir(places[0]) else None


def ship(spark: SparkSession, packages: Iterable[str]) -> None:
    """Put packages on the path of a session's workers, from the next task on."""
    archive = str(zipped(tuple(sorted(packages))))
    if is_connect(spark):
        spark.addArtifacts(archive, pyfile=True)
        return
    before = list(sys.path)
    spark.sparkContext.addPyFile(archive)
    sys.path[:] = before  # Spark puts the file on this program's path too, before what is installed


@cache
def zipped(packages: tuple[str, ...]) -> Path:
    """A zip file of packages, made once; its name says what is in it, because Spark refuses another file of the same name."""
    folder = Path(tempfile.mkdtemp(prefix="headwater-ship-"))
    _remove_at_exit(folder)
    draft = folder / "draft.zip"
    with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name in packages:
            for path, inside in _files(name):
                archive.writestr(zipfile.ZipInfo(inside, _FIRST_TIME), path.read_bytes(), zipfile.ZIP_DEFLATED)
    digest = blake2b(draft.read_bytes(), digest_size=6).hexdigest()
    return draft.rename(folder / f"headwater-packages-{digest}.zip")


def _files(package: str) -> Iterator[tuple[Path, str]]:
    """The files of a package to ship, with their names in the zip file; its metadata says which version it is."""
    folder = package_folder(package)
    if folder is None:
        return
    for path in sorted(folder.rglob("*")):
        inside = path.relative_to(folder).as_posix()
        if path.is_file() and not inside.endswith(_COMPILED) and not inside.startswith(_LEFT_OUT):
            yield path, f"{package}/{inside}"
    with suppress(PackageNotFoundError):
        described = distribution("pyyaml" if package == "yaml" else package)
        for file in described.files or ():
            if file.name == "METADATA" and file.parent.name.endswith(".dist-info"):
                yield Path(str(described.locate_file(file))), f"{file.parent.name}/METADATA"


def _remove_at_exit(folder: Path) -> None:
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
