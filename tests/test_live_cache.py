"""The cache of live catalogs: how long it answers, who may use it at once, what becomes of one that is damaged."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path
from time import time

import pytest

from command import Run
from headwater.catalog.cache import Cache
from headwater.catalog.description import TableDescription
from headwater.catalog.known import VERSION, Known, KnownTable
from headwater.catalog.live import LiveDatabase
from live_databases import execute, names, pulled, statements_sent

SQL = "SELECT * FROM v; SELECT * FROM t"


@pytest.fixture
def database(tmp_path: Path) -> str:
    url = f"sqlite:///{tmp_path / 'shop.db'}"
    execute(url, "CREATE TABLE t (a int)", "CREATE TABLE u (b int)", "CREATE VIEW v AS SELECT b FROM u")
    return url


@pytest.fixture
def cache(tmp_path: Path) -> Path:
    return tmp_path / "cache"


def file_of(cache: Path) -> Path:
    (found,) = cache.glob("*.json")
    return found


def aged(cache: Path, seconds: float) -> None:
    """Make everything in a cache so much older."""
    file = file_of(cache)
    told = json.loads(file.read_text())
    for part in (told["schemas"], *told["listings"], *told["tables"]):
        part["time"] -= seconds
    file.write_text(json.dumps(told))


def test_for_an_hour_nobody_is_asked(database: str, cache: Path) -> None:
    before = pulled(database, SQL, cache)
    assert before.asked
    aged(cache, 3000)
    with statements_sent() as sent:
        again = pulled(database, SQL, cache)
    assert sent == []
    assert (again.tables, again.path, again.asked) == (before.tables, before.path, False)


def test_after_an_hour_the_database_is_asked(database: str, cache: Path) -> None:
    pulled(database, SQL, cache)
    execute(database, "ALTER TABLE t ADD c text")
    assert [c.name for c in pulled(database, SQL, cache).tables[0].columns] == ["a"]
    aged(cache, 3700)
    assert [c.name for c in pulled(database, SQL, cache).tables[0].columns] == ["a", "c"]


def test_the_time_can_be_chosen(database: str, cache: Path) -> None:
    pulled(database, SQL, cache)
    aged(cache, 100)
    assert not pulled(database, SQL, cache, ttl=200).asked
    assert pulled(database, SQL, cache, ttl=50).asked


def test_what_is_not_known_yet_is_asked_for_alone(database: str, cache: Path) -> None:
    pulled(database, "SELECT * FROM t", cache)
    with statements_sent() as sent:
        assert names(pulled(database, SQL, cache)) == ["main.t", "main.u", "main.v"]
    assert sent
    assert not any('"t"' in each for each in sent)


def test_offline_takes_what_there_is(database: str, cache: Path) -> None:
    before = pulled(database, SQL, cache)
    aged(cache, 10**6)
    with statements_sent() as sent:
        again = pulled(database, SQL, cache, offline=True)
    assert sent == []
    assert (again.tables, again.remarks) == (before.tables, ())


def test_offline_without_anything_is_said(database: str, cache: Path) -> None:
    found = pulled(database, SQL, cache, offline=True)
    assert found.tables == ()
    assert [r.code.value for r in found.remarks] == ["catalog-unavailable"]
    assert "ask once without --offline" in found.remarks[0].hint


def test_a_database_that_is_gone_is_answered_for(database: str, cache: Path, tmp_path: Path) -> None:
    before = pulled(database, SQL, cache)
    (tmp_path / "shop.db").unlink()
    aged(cache, 10**6)
    found = pulled(database, SQL, cache)
    assert found.tables == before.tables
    (remark,) = found.remarks
    assert "there is no such file" in remark.message
    assert "what the cache has of " in remark.hint
    assert not (tmp_path / "shop.db").exists(), "asking must not make a database"


def test_a_database_that_goes_away_in_the_middle(database: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from headwater.catalog.inspected import InspectedDatabase

    def gone(*arguments: object) -> None:
        raise ConnectionResetError("the server has gone away")

    before = pulled(database, SQL, cache)
    aged(cache, 10**6)
    monkeypatch.setattr(InspectedDatabase, "stamps", gone)
    found = pulled(database, SQL, cache)
    assert found.tables == before.tables
    assert "the server has gone away" in found.problem


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"\xff\xfe\x00", b"[]", b'"x"', b'{"version": 1}', b'{"version": 1, "place": "x", "schemas": 5}'],
)
def test_a_damaged_file_is_taken_for_none(database: str, cache: Path, content: bytes) -> None:
    before = pulled(database, SQL, cache)
    file_of(cache).write_bytes(content)
    assert pulled(database, SQL, cache).tables == before.tables
    with statements_sent() as sent:
        pulled(database, SQL, cache)
    assert sent == [], "it was written anew"


def test_another_version_is_taken_for_none(database: str, cache: Path) -> None:
    pulled(database, SQL, cache)
    told = json.loads(file_of(cache).read_text())
    file_of(cache).write_text(json.dumps(told | {"version": VERSION + 1}))
    assert pulled(database, SQL, cache).asked


def test_a_folder_that_cannot_be_written_is_said(database: str, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    found = pulled(database, SQL, blocked / "cache")
    assert names(found) == ["main.t", "main.u", "main.v"]
    assert found.unkept.startswith(f"the catalog cache in {blocked / 'cache'} cannot be written: ")


def test_a_read_only_folder_is_read(database: str, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = pulled(database, SQL, cache)
    kept = file_of(cache).read_bytes()

    def refuse(*arguments: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(os, "replace", refuse)
    found = pulled(database, SQL, cache, ttl=0)
    assert found.tables == before.tables
    assert found.unkept.endswith("cannot be written: Read-only file system")
    assert not list(cache.glob("*.aside"))
    assert file_of(cache).read_bytes() == kept


_WRITER = """
import sys
from pathlib import Path
from time import time
from headwater.catalog.cache import Cache
from headwater.catalog.description import TableDescription
from headwater.catalog.known import Known, KnownTable

first, cache = int(sys.argv[1]), Cache(Path(sys.argv[2]))
for i in range(first, first + 30):
    name = ("s", f"t{i}")
    assert not cache.add("k", Known("place", tables={name: KnownTable(time(), "", TableDescription(name))}))
    assert cache.read("k") is not None, "half a file"
"""


@pytest.mark.slow
def test_several_processes_write_at_once(cache: Path) -> None:
    writers = [
        subprocess.Popen([sys.executable, "-c", _WRITER, str(first), str(cache)], stderr=subprocess.PIPE, text=True)
        for first in (0, 100)
    ]
    assert [(w.communicate()[1], w.returncode) for w in writers] == [("", 0), ("", 0)]
    known = Cache(cache).read("k")
    assert known is not None
    assert {name[1] for name in known.tables} == {f"t{i}" for first in (0, 100) for i in range(first, first + 30)}
    assert not list(cache.glob("*.aside"))


def test_what_is_later_wins(cache: Path) -> None:
    def known(time: float, comment: str) -> Known:
        return Known("p", tables={("t",): KnownTable(time, "", TableDescription(("t",), comment=comment))})

    now = time()
    for each in (known(now, "new"), known(now - 5, "old")):
        Cache(cache).add("k", each)
    kept = Cache(cache).read("k")
    assert kept is not None
    assert kept.tables["t",].description.comment == "new"


def test_users_have_caches_of_their_own_and_passwords_do_not() -> None:
    def key(url: str) -> str:
        return LiveDatabase.at(url).key

    base = key("postgresql://u:one@h/d")
    assert key("postgresql://u:two@h/d") == base
    assert key("postgresql://u@h/d?sslpassword=x") == base
    assert len({base, key("postgresql://v@h/d"), key("postgresql://u@h/e"), key("postgresql://u@h/d?options=-cx")}) == 4


def test_git_leaves_it_out(database: str, cache: Path) -> None:
    pulled(database, SQL, cache)
    assert (cache / ".gitignore").read_text() == "*\n"


def test_it_is_shown_and_cleared(folder: Path, run: Run, database: str) -> None:
    assert run("cache", "show").out == f"there is nothing in {Path('.headwater') / 'catalog'}\n"
    assert run("catalog", "pull", database, "-q").code == 0
    shown = json.loads(run("cache", "show", "--format", "json").out)
    assert [(each["place"], each["tables"]) for each in shown] == [(database, 3)]
    assert run("cache", "show").out.startswith(f"{database}  3 tables, ")
    cleared = run("cache", "clear")
    assert (cleared.code, cleared.err) == (0, f"1 database thrown out of {Path('.headwater') / 'catalog'}\n")
    assert json.loads(run("cache", "show", "--format", "json").out) == []


def test_it_is_beside_the_configuration_file(
    folder: Path, run: Run, database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    (folder / "headwater.toml").write_text(f'catalog = "{database}"\n')
    (folder / "sql").mkdir()
    (folder / "sql" / "a.sql").write_text("SELECT * FROM t")
    monkeypatch.chdir(folder / "sql")
    assert run("analyze", "a.sql").code == 0
    assert list((folder / ".headwater" / "catalog").glob("*.json"))
    assert not (folder / "sql" / ".headwater").exists()
