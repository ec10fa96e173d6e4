"""The installed command, end to end: scripts in, a store, questions about it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]

COMMAND = Path(sys.executable).parent / "headwater"
FIRST = """
INSERT INTO db.output_table_1
SELECT concat(a.address_one, ', ', a.city) AS full_address FROM db.input_a a
UNION
SELECT concat(b.street, ' ', b.house_no, ', ', b.town) FROM db.input_b b;
"""
SECOND = "INSERT INTO db.output_table_2 SELECT o.full_address AS address FROM db.output_table_1 o;\n"
SOURCES = {"input_a.address_one", "input_a.city", "input_b.street", "input_b.house_no", "input_b.town"}


def run(folder: Path, *arguments: str, code: int = 0) -> str:
    done = subprocess.run([COMMAND, *arguments], cwd=folder, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout if code == 0 else done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the chain's scripts, built."""
    folder = tmp_path_factory.mktemp("chain")
    (folder / "sql").mkdir()
    (folder / "sql" / "b_first.sql").write_text(FIRST)
    (folder / "sql" / "a_second.sql").write_text(SECOND)
    said = run(folder, "build", "sql/", "-o", "lineage/")
    assert "2 scripts, 2 statements, 2 distinct" in said
    return folder


def hops(folder: Path, *arguments: str) -> list[tuple[str, int]]:
    document = json.loads(run(folder, *arguments, "--format", "json"))
    return [(f"{c['table']}.{c['column']}", c["distance"]) for c in document["columns"] if c["distance"]]


def test_downstream_reaches_both_tables(folder: Path) -> None:
    found = hops(folder, "downstream", "db.input_a.address_one")
    assert found == [("db.output_table_1.full_address", 1), ("db.output_table_2.address", 2)]


def test_upstream_reaches_all_five_columns(folder: Path) -> None:
    found = dict(hops(folder, "upstream", "db.output_table_2.address"))
    assert found.pop("db.output_table_1.full_address") == 1
    assert found == {f"db.{name}": 2 for name in SOURCES}


def test_the_answer_has_expressions_and_places(folder: Path) -> None:
    text = run(folder, "upstream", "output_table_2.address")
    assert "concat(a.address_one, ', ', a.city)" in text
    assert "sql/b_first.sql:3" in text
    assert "sql/a_second.sql:1" in text


def test_a_wrong_name_is_told(folder: Path) -> None:
    assert "did you mean address?" in run(folder, "upstream", "db.output_table_2.adress", code=2)
    assert "headwater build" in run(folder, "upstream", "a.b.c", "--store", "elsewhere", code=2)


def test_standard_input_and_json(folder: Path) -> None:
    done = subprocess.run(
        [COMMAND, "build", "-", "-o", "other", "--format", "json", "--dialect", "postgres"],
        input='CREATE VIEW v AS SELECT "A" FROM t',
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=300,
        check=True,
    )
    summary = json.loads(done.stdout)
    assert (summary["scripts"], summary["relations"], summary["failed"]) == (1, 2, {})


def test_the_demo(tmp_path: Path) -> None:
    said = run(tmp_path, "demo")
    assert "34 scripts, 64 statements" in said
    assert "raw.refunds.amount" in said
    assert "The explorer answers at http://127.0.0.1:" in said
    assert "headwater serve lineage-demo" in said
