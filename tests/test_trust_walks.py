"""Walks through folders: as deep as a disk has them, and no further than what was named."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from command import Run, write
from headwater.budget.process import Unavailable
from headwater.files import Roots, files_in, reading_below
from headwater.project.read import read_project
from headwater.source import find_files

DEEP = 1_500


@pytest.fixture
def deep(folder: Path) -> Iterator[Path]:
    """A folder with a file 1,500 folders below it."""
    write("deep/a.sql", "INSERT INTO o SELECT a FROM t")
    os.chdir("deep")
    for _ in range(DEEP):
        os.mkdir("d")
        os.chdir("d")
    write("b.sql", "INSERT INTO p SELECT a FROM o")
    os.chdir(folder)
    yield folder / "deep"
    path = folder / "deep" / "/".join("d" * DEEP)
    os.remove(path / "b.sql")
    for _ in range(DEEP):
        os.rmdir(path)
        path = path.parent


def test_files_are_found_however_deep(deep: Path) -> None:
    assert [os.path.basename(path) for path in find_files([str(deep)])] == ["a.sql", "b.sql"]
    assert [path.rpartition("/")[2] for path in files_in(deep)] == ["a.sql", "b.sql"]


@pytest.mark.slow
@pytest.mark.usefixtures("deep")
@pytest.mark.parametrize("command", ["analyze", "check"])
def test_commands_read_a_folder_however_deep(run: Run, command: str) -> None:
    done = run(command, "deep")
    assert done.code in (0, 1)
    assert "Traceback" not in done.out + done.err


@pytest.mark.slow
def test_a_project_is_read_however_deep(deep: Path) -> None:
    write("deep/dbt_project.yml", "name: shop\nprofile: shop\nmodel-paths: [d]\n")
    assert [model.name.rpartition(".")[2] for model in read_project(deep, {}).models] == ["b"]


def test_files_come_in_the_order_of_their_paths(folder: Path) -> None:
    for path in ("b/c.sql", "b.sql", "a/z/y.sql", "a-b/x.sql", "a/b.sql"):
        write(path, "")
    Path("link").symlink_to("a")
    assert list(files_in(folder)) == ["a/b.sql", "a/z/y.sql", "a-b/x.sql", "b/c.sql", "b.sql"]
    assert list(files_in(folder, lambda path: path != "a")) == ["a-b/x.sql", "b/c.sql", "b.sql"]
    assert list(files_in("nowhere")) == []


@pytest.mark.usefixtures("folder")
def test_an_ignore_file_that_leads_out_is_named_and_not_read(run: Run) -> None:
    write("vault/rules", "*.sql\n")
    write("sql/a.sql", "INSERT INTO o SELECT a FROM t")
    Path("sql/.headwaterignore").symlink_to("../vault/rules")
    done = run("analyze", "sql")
    assert done.code == 0
    assert "o.a" in done.out
    assert "sql/.headwaterignore" in done.err


@pytest.mark.skipif(os.geteuid() == 0, reason="root may list any folder")
@pytest.mark.usefixtures("folder")
def test_a_folder_that_cannot_be_listed_is_named(run: Run) -> None:
    write("sql/a.sql", "INSERT INTO o SELECT a FROM t")
    write("sql/closed/b.sql", "INSERT INTO p SELECT a FROM t")
    os.chmod("sql/closed", 0)
    try:
        done = run("analyze", "sql")
    finally:
        os.chmod("sql/closed", 0o755)
    assert done.code == 0
    assert "not read, the system refuses it: sql/closed" in done.err


@pytest.mark.usefixtures("folder")
def test_what_the_system_refuses_is_named(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    write("sql/a.sql", "INSERT INTO o SELECT a FROM t")
    write("sql/closed/b.sql", "INSERT INTO p SELECT a FROM t")
    scandir = os.scandir

    def refusing(path: str) -> object:
        if str(path).endswith("closed"):
            raise PermissionError(13, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refusing)
    done = run("analyze", "sql")
    assert done.code == 0
    assert "not read, the system refuses it: sql/closed" in done.err


def _no_process(*arguments: object, **options: object) -> None:
    raise Unavailable


@pytest.mark.parametrize("kind", ["model", "seed", "snapshot", "analysis", "macro"])
@pytest.mark.parametrize("named", [True, False], ids=["roots", "no roots"])
def test_paths_of_a_dbt_project_stay_inside(
    folder: Path, kind: str, named: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What leads out is one diagnostic for the setting, and no folder there is listed: shown in this process, which can be watched."""
    monkeypatch.setattr("headwater.project.dbt.apart.run", _no_process)
    for name in ("m.sql", "m.yml", "m.csv"):
        write(f"vault/{name}", "select 1 as a")
    write("repo/shop/dbt_project.yml", f"name: shop\nprofile: shop\n{kind}-paths: [own, ../../vault]\n")
    write("repo/shop/own/a.txt", "")
    listed: list[str] = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: listed.append(os.path.realpath(path)) or scandir(path))
    if named:
        with reading_below(Roots.of(["repo"])):
            read = read_project(Path("repo/shop"), {})
    else:
        read = read_project(Path("repo/shop"), {})
    found = [remark.message for remark, _ in read.remarks if "vault" in remark.message]
    assert found == [f"{kind}-paths ../../vault leads out of the folders that were named: it is not read"]
    assert str(folder / "vault") not in listed
    assert str(folder / "repo/shop/own") in listed


def test_packages_of_a_dbt_project_stay_inside(folder: Path) -> None:
    write("vault/tools/dbt_project.yml", "name: tools\n")
    write("vault/tools/models/m.sql", "select 1 as a")
    write("repo/shop/dbt_project.yml", "name: shop\nprofile: shop\npackages-install-path: ../../vault\n")
    write("repo/shop/packages.yml", "packages:\n  - local: ../../vault/tools\n")
    with reading_below(Roots.of(["repo"])):
        read = read_project(Path("repo/shop"), {})
    assert read.models == ()
    found = [remark.message.partition(" leads")[0] for remark, _ in read.remarks if "leads out" in remark.message]
    assert found == ["packages-install-path ../../vault", "the package ../../vault/tools"]


def test_includes_of_visivo_stay_inside(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write("vault/deep/more.visivo.yml", "name: x\n")
    write("repo/project.visivo.yml", "name: shop\nincludes:\n  - path: ../vault\n  - path: own\n")
    write("repo/own/a.visivo.yml", "models: []\n")
    listed: list[str] = []
    scandir = os.scandir
    monkeypatch.setattr(os, "scandir", lambda path: listed.append(os.path.realpath(path)) or scandir(path))
    with reading_below(Roots.of(["repo"])):
        read = read_project(Path("repo/project.visivo.yml"), {})
    found = [remark.message for remark, _ in read.remarks if "vault" in remark.message]
    assert found == ["the include ../vault leads out of the folders that were named: it is not read"]
    assert str(folder / "vault") not in listed
