"""`headwater spark pack`, in a real environment, which is then unpacked elsewhere and run."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tarfile
from importlib.util import find_spec
from pathlib import Path

import pytest

from headwater import __version__

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with headwater, what its command needs, and a PySpark that is to be left out."""
    pytest.importorskip("venv_pack", reason="venv-pack is not installed: pip install 'headwater[cluster]'")
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(folder)], check=True)
    [packages] = (folder / "lib").glob("python*/site-packages")
    for name in ("headwater", "headwater_autostart", "sqlglot", "click", "pathspec", "venv_pack"):
        found = find_spec(name)
        assert found is not None
        assert found.submodule_search_locations
        shutil.copytree(
            found.submodule_search_locations[0], packages / name, ignore=shutil.ignore_patterns("*.so", "page")
        )
    (packages / "pyspark").mkdir()
    (packages / "pyspark" / "__init__.py").write_text("")
    return folder


def _run(folder: Path, environment: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(environment / "bin" / "python"), "-m", "headwater", "spark", "pack", *arguments]
    kept = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(command, cwd=folder, env=kept, capture_output=True, text=True, check=False)


def test_the_archive_is_an_environment_of_its_own(environment: Path, tmp_path: Path) -> None:
    ran = _run(tmp_path, environment, "-o", "environment.tar.gz")
    assert ran.returncode == 0, ran.stderr
    assert "--spark spark.archives=environment.tar.gz#environment" in ran.stdout
    assert "PYSPARK_PYTHON=./environment/bin/python" in ran.stdout
    with tarfile.open(tmp_path / "environment.tar.gz") as archive:
        names = archive.getnames()
        archive.extractall(tmp_path / "environment", filter="fully_trusted")
    assert not [name for name in names if "/pyspark/" in name]
    code = "import headwater, sys; print(headwater.__version__, headwater.__file__)"
    out = subprocess.run(
        ["./environment/bin/python", "-c", code], cwd=tmp_path, env={}, capture_output=True, text=True, check=True
    ).stdout
    version, place = out.split()
    assert version == __version__
    assert place.startswith(str(tmp_path / "environment"))


def test_an_archive_is_not_replaced_unasked(environment: Path, tmp_path: Path) -> None:
    (tmp_path / "environment.zip").write_text("mine")
    ran = _run(tmp_path, environment, "-o", "environment.zip")
    assert (ran.returncode, ran.stderr.count("\n")) == (2, 1)
    assert "is there already" in ran.stderr
    assert (tmp_path / "environment.zip").read_text() == "mine"


def test_what_spark_does_not_unpack_is_refused(environment: Path, tmp_path: Path) -> None:
    ran = _run(tmp_path, environment, "-o", "environment.rar")
    assert ran.returncode == 2
    assert "Spark unpacks .tar.gz" in ran.stderr
