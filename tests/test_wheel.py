"""What is shipped: the wheel has the page and its licenses, the source distribution what a wheel is made of."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tarfile
import time
import zipfile
from pathlib import Path

import pytest

from hatch_build import PageFailed, make_page

ROOT = Path(__file__).resolve().parent.parent
PAGE = "headwater/server/page"
pytestmark = pytest.mark.slow


def shipped(kind: str, folder: Path) -> Path:
    """A distribution of this tree. A page that is new enough is taken as it is."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", kind, "--directory", str(folder)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    [file] = folder.iterdir()
    return file


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shipped("wheel", tmp_path_factory.mktemp("wheel"))


def test_a_wheel_has_the_page(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = set(file.namelist())
        page = file.read(f"{PAGE}/index.html").decode()
    asked = re.findall(r'(?:src|href)="/([^"]+)"', page)
    assert any(name.endswith(".js") for name in asked)
    assert {f"{PAGE}/{name}" for name in asked} <= names
    assert [name for name in names if "node_modules" in name or name.endswith((".ts", ".tsx"))] == []


def test_a_wheel_has_the_licenses_of_what_is_in_the_page(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        said = "".join(file.read(name).decode() for name in names if re.match(rf"{PAGE}/licenses[^/]*\.md", name))
    assert re.search(r"^## elkjs - [\d.]+ \(.*EPL-2\.0.*\)\n\n# Eclipse Public License - v 2\.0$", said, re.MULTILINE)
    assert {Path(name).name for name in names if "/licenses/" in name} == {"LICENSE", "NOTICE"}


def test_what_is_in_a_wheel_can_be_imported(wheel: Path, tmp_path: Path) -> None:
    with zipfile.ZipFile(wheel) as file:
        file.extractall(tmp_path)
    program = "import headwater.server.app as app; app.application(); print(app.__file__)"
    environment = {**os.environ, "PYTHONPATH": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=60
    )
    assert (done.stdout.strip(), done.stderr) == (str(tmp_path / "headwater" / "server" / "app.py"), "")


@pytest.mark.parametrize("version", ["standard", "editable"])
def test_an_installed_wheel_captures_programs(version: str, tmp_path: Path) -> None:
    """Python runs the wheel's `.pth` file at its start: without the variable it imports nothing, with it the hook."""
    python = installed(tmp_path, version)
    program = "import sys; print([name for name in sys.modules if 'headwater' in name], sys.meta_path[0])"
    for variables, loaded in (({}, False), ({"HEADWATER_CAPTURE": "x"}, True), ({"HEADWATER_CAPTURE": ""}, False)):
        environment = {name: value for name, value in os.environ.items() if name not in ("PYTHONPATH", *variables)}
        done = subprocess.run(
            [python, "-c", program], env={**environment, **variables}, cwd=tmp_path, capture_output=True, text=True
        )
        assert (done.stderr, "headwater_autostart.import_hook" in done.stdout) == ("", loaded)
        assert ("headwater" in done.stdout) == loaded
        assert "'headwater'" not in done.stdout


def installed(folder: Path, version: str) -> Path:
    """The Python of a new environment that has a wheel of this tree, and nothing else."""
    (folder / "wheel").mkdir()
    wheel = shipped(f"wheel:{version}", folder / "wheel")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "env"], check=True, timeout=120)
    [packages] = folder.glob("env/lib/python*/site-packages")
    with zipfile.ZipFile(wheel) as file:
        file.extractall(packages)
    return folder / "env" / "bin" / "python"


def test_a_source_distribution_has_what_a_wheel_is_made_of(tmp_path: Path) -> None:
    with tarfile.open(shipped("sdist", tmp_path)) as file:
        names = {name.partition("/")[2] for name in file.getnames()}
    sources = {
        path.relative_to(ROOT).as_posix()
        for top in (ROOT / "web").iterdir()
        if top.name not in ("node_modules", "openapi.json")
        for path in ([top] if top.is_file() else top.rglob("*"))
        if path.is_file()
    }
    assert {"web/package.json", "web/package-lock.json", "web/.npmrc", "web/index.html"} <= sources
    assert {name for name in names if name.startswith("web/")} == sources
    assert {"hatch_build.py", "NOTICE", "LICENSE", "pyproject.toml", "src/headwater/__init__.py"} <= names


def test_no_registry_is_named() -> None:
    """Where packages come from is the machine's business."""
    assert "resolved" not in (ROOT / "web" / "package-lock.json").read_text(encoding="utf-8")


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A page in a tree of its own, newer than its sources, which no Node could read."""
    web, page = tmp_path / "web", tmp_path / "src" / "headwater" / "server" / "page"
    (web / "src").mkdir(parents=True)
    page.mkdir(parents=True)
    (web / "package.json").write_text('{"scripts": {"build": "node -e \'process.exit(3)\'"}}')
    (web / "package-lock.json").write_text('{"packages": {"": {}}}')
    (web / "src" / "gone.ts").write_text("")
    (web / "node_modules").mkdir()
    (web / "node_modules" / ".package-lock.json").write_text('{"packages": {}}')
    (page / "index.html").write_text("the old page")
    return touched(tmp_path, -10)


def touched(folder: Path, seconds: float) -> Path:
    """A tree that was written so many seconds from now; its page is a little newer than the rest."""
    for path in folder.rglob("*"):
        at = time.time() + seconds + (path.name == "index.html")
        os.utime(path, (at, at))
    return folder


def test_a_page_that_is_newer_than_its_sources_stays(tree: Path) -> None:
    make_page(tree)


def test_a_page_whose_build_fails_is_said_to_and_the_old_one_stays(tree: Path) -> None:
    (tree / "web" / "src" / "gone.ts").unlink()
    with pytest.raises(PageFailed, match="`npm run build` failed"):
        make_page(tree)
    page = tree / "src" / "headwater" / "server" / "page"
    assert (page / "index.html").read_text() == "the old page"
    assert [*page.parent.iterdir()] == [page]


def test_packages_that_are_not_installed_are_asked_for(tree: Path) -> None:
    web = tree / "web"
    dependencies = {"dependencies": {"absent": "file:absent.tgz"}}
    package = {"version": "1.0.0", "resolved": "file:absent.tgz"}
    lock = {"lockfileVersion": 3, "packages": {"": dependencies, "node_modules/absent": package}}
    (web / "package.json").write_text(json.dumps(dependencies))
    (web / "package-lock.json").write_text(json.dumps(lock))
    with pytest.raises(PageFailed, match=r"`npm ci` failed .* is the npm registry reachable"):
        make_page(tree)


def test_a_wheel_has_the_stand_ins(wheel: Path) -> None:
    folder = "headwater/project/dbt/stand_ins"
    own = {path.relative_to(ROOT / "src").as_posix() for path in (ROOT / "src" / folder).rglob("*.sql")}
    with zipfile.ZipFile(wheel) as file:
        assert {name for name in file.namelist() if name.startswith(folder) and name.endswith(".sql")} == own != set()
