"""Names of files that are not UTF-8, too long for a neighbour, or that would steer a terminal: read like any other."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from command import Run
from headwater.files import shown_name
from headwater.store import Store
from servers import asked

SCRIPT = b"INSERT INTO o SELECT a FROM t;\n"
NAMES = {
    b"plain.sql": "plain.sql",
    b"caf\xe9.sql": "caf\\xe9.sql",
    b"new\nline.sql": "new\nline.sql",
    b"bell\x07.sql": "bell\x07.sql",
    b"esc\x1b[31m.sql": "esc\x1b[31m.sql",
    "rtl\u202elqs.sql".encode(): "rtl\u202elqs.sql",
    b"x" * 251 + b".sql": "x" * 251 + ".sql",
    b"folder\xff/in.sql": "folder\\xff/in.sql",
}
"""What a file is called, and how its path is stored."""
STEERS = ("\x07", "\x1b", "\u202e")

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="names are bytes on Linux only")


@pytest.fixture
def odd(folder: Path) -> Path:
    """A folder with scripts of all these names."""
    for name in NAMES:
        path = os.path.join(os.fsencode(folder), b"sql", name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(SCRIPT)
    return folder


def test_a_name_that_is_not_text_is_shown_byte_by_byte() -> None:
    assert shown_name("a/caf\udce9.sql") == "a/caf\\xe9.sql"
    assert shown_name("a/café.sql") == "a/café.sql"


@pytest.mark.parametrize("command", ["analyze", "check"])
def test_scripts_of_odd_names_are_read_and_steer_no_terminal(run: Run, odd: Path, command: str) -> None:
    done = run(command, "sql")
    assert done.code == 0, done.err
    assert not any(each in done.out + done.err for each in STEERS)
    assert command == "check" or done.out.count("Insert o") == len(NAMES)


def test_json_has_the_names_as_they_are_stored(run: Run, odd: Path) -> None:
    found = {each["file"] for each in json.loads(run("analyze", "sql", "-f", "json").out)}
    assert found == {f"sql/{name}" for name in NAMES.values()}


@pytest.mark.parametrize("format", ["json", "html", "openlineage", "csv"])
def test_scripts_of_odd_names_are_exported(run: Run, odd: Path, format: str) -> None:
    done = run("export", "sql", "-f", format)
    assert (done.code, bool(done.out)) == (0, True), done.err


def test_a_column_name_does_not_steer_the_terminal(run: Run, folder: Path) -> None:
    Path("a.sql").write_text("INSERT INTO o SELECT `a\x1b[2J` AS `b\u202e`, '\x1b[31m' AS c FROM t")
    done = run("analyze", "a.sql")
    assert done.code == 0
    assert not any(each in done.out + done.err for each in STEERS)


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
@pytest.mark.usefixtures("spark")
def test_scripts_of_odd_names_are_built_and_served(run: Run, odd: Path) -> None:
    done = run("build", "sql")
    assert done.code == 0, done.err
    stored = Store("lineage").snapshot().table("scripts", ["path"]).column(0).to_pylist()
    assert sorted(stored) == sorted(f"sql/{name}" for name in NAMES.values())
    again = run("build", "sql")
    assert (again.code, f"{len(NAMES)} scripts" in again.out) == (0, True)
    shown = run("upstream", "o.a")
    assert shown.code == 0
    assert not any(each in shown.out for each in STEERS)
    assert run("report", "-o", "report.html").code == 0
    with asked(Path("lineage")) as client:
        assert client.get("/api/v1/search", params={"q": "o"}).status_code == 200


@pytest.mark.slow
@pytest.mark.xdist_group("spark")
@pytest.mark.usefixtures("spark")
def test_many_scripts_of_odd_names_are_read_by_workers(run: Run, odd: Path) -> None:
    for number in range(60):
        Path("sql", f"more{number}.sql").write_bytes(SCRIPT)
    assert run("build", "sql").code == 0
    stored = Store("lineage").snapshot().table("scripts", ["path"]).column(0).to_pylist()
    assert {f"sql/{name}" for name in NAMES.values()} <= set(stored)
