"""Builds that are killed: the store is the old one or the new one, never anything else, and the next build cleans up.

`HEADWATER_KILLS=10` kills at ten random moments; the suite makes do with fewer. The moment in which the snapshots are switched, which
chance would hardly find, is always among them.
"""

from __future__ import annotations

import os
import random
import shutil
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

import headwater
from build_process import built, digest, ended, kill, start, tree, wait_for, write_scripts
from headwater.store import Store

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("builds")]

_KILLS = int(os.environ.get("HEADWATER_KILLS", "2"))
_OLD = {
    "sql/stage.sql": "CREATE TABLE stage AS SELECT id, upper(name) AS name FROM source;\nINSERT INTO log SELECT id FROM stage",
    "sql/mart.sql": "CREATE VIEW mart AS SELECT * FROM stage WHERE id > 0;\nSELECT name FROM mart",
    "sql/report.sql": "INSERT INTO report SELECT count(*) AS n FROM mart",
}
_NEW = {
    "sql/stage.sql": "CREATE TABLE stage AS SELECT id, lower(name) AS name, price FROM source",
    "sql/later.sql": "CREATE TABLE later AS SELECT price * 2 AS twice FROM mart",
}


class Change(NamedTuple):
    """A store, a corpus that has changed since, and what a build makes of it."""

    folder: Path
    store: Path
    old: str
    new: str
    seconds: float


@pytest.fixture(scope="module")
def change(tmp_path_factory: pytest.TempPathFactory) -> Change:
    folder = write_scripts(tmp_path_factory.mktemp("change"), _OLD)
    built(folder, "sql", "-o", "before")
    write_scripts(folder, _NEW)
    (folder / "sql" / "report.sql").unlink()
    shutil.copytree(folder / "before", folder / "whole")
    started = time.monotonic()
    built(folder, "sql", "-o", "whole")
    seconds = time.monotonic() - started
    return Change(folder, folder / "before", digest(folder / "before"), digest(folder / "whole"), seconds)


def _moments(seconds: float) -> Iterator[float]:
    """Random moments, one in each of as many equal parts of a build."""
    chance = random.Random(20261115)
    part = seconds / _KILLS
    return (part * (number + chance.random()) for number in range(_KILLS))


def _after(seconds: float) -> Callable[[subprocess.Popen[str]], None]:
    def wait(process: subprocess.Popen[str]) -> None:
        deadline = time.monotonic() + seconds
        while process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.005)

    return wait


def _at_the_switch(snapshots: Path) -> Callable[[subprocess.Popen[str]], None]:
    """When the manifest of the new snapshot is there, or just so."""
    count = len([*snapshots.iterdir()])

    def wait(process: subprocess.Popen[str]) -> None:
        wait_for(lambda: process.poll() is not None or len(os.listdir(snapshots)) > count, "the switch", 300, 0)

    return wait


def _killed(folder: Path, name: str, when: Callable[[subprocess.Popen[str]], None]) -> None:
    process = start(folder, "sql", "-o", name)
    when(process)
    if process.poll() is None:
        kill(process)
    else:
        assert ended(process).code == 0


def test_a_store_is_the_old_one_or_the_new_one_whenever_its_builds_are_killed(change: Change) -> None:
    assert change.old != change.new
    store = change.folder / "killed"
    shutil.copytree(change.store, store)
    for number, when in enumerate([*map(_after, _moments(change.seconds)), _at_the_switch(store / "snapshots")]):
        _killed(change.folder, store.name, when)
        assert digest(store) in (change.old, change.new), number
        assert headwater.open(store).search("mart").tables, number
        if digest(store) == change.new and number < _KILLS:
            shutil.rmtree(store)
            shutil.copytree(change.store, store)
    _two_at_once(change, store)


def _two_at_once(change: Change, store: Path) -> None:
    """Two builds into a store that dead builds have left things in: one is published, and the other one names it.

    Nothing is left but whole snapshots.
    """
    both = [start(change.folder, "sql", "-o", store.name) for _ in range(2)]
    first, second = sorted((ended(process) for process in both), key=lambda result: result.code)
    assert (first.code, first.err) == (0, "")
    names = Store(store).names()
    assert (second.code, names[-1] in second.err, "run it again" in second.err) in [(2, True, True), (0, False, False)]
    assert digest(store) == change.new
    assert {path.name for path in store.iterdir()} <= {"store.json", "current.json", "snapshots", "data", "cache"}
    assert len(names) >= 2
    assert {Store(store).snapshot(name).digest() for name in names} <= {change.old, change.new}
    listed = {key for n in names for files in Store(store).snapshot(n).manifest.tables.values() for key, _ in files}
    assert {path.relative_to(store).as_posix() for path in store.glob("data/**/*") if path.is_file()} <= listed


def test_a_build_whose_java_dies_says_so_and_leaves_nothing(change: Change) -> None:
    store = change.folder / "orphaned"
    shutil.copytree(change.store, store)
    process = start(change.folder, "sql", "-o", store.name)
    wait_for(lambda: process.poll() is not None or [*store.glob("work/*/split")], "statements are there")
    java = [pid for pid, name in tree(process.pid).items() if name == "java"]
    os.kill(java[0], signal.SIGKILL)
    result = ended(process)
    assert (result.code, result.err) == (2, "Error: Spark's Java process has died; the store is as it was\n")
    assert digest(store) == change.old
    assert not (store / "work").exists()
