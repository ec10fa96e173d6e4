"""`headwater whole`: what it prints, what it writes, and how it ends."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow.parquet as pq
import pytest

from command import Run
from stores import make_store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

slow = pytest.mark.slow
on_spark = pytest.mark.xdist_group("spark")
LINES = """
db.a.x -> db.b.x
db.b.x -> dm.c.x
db.b.x -> dm.c.rows FILTER
column dm.c.constant
"""
COMMANDS = ("closure", "components", "degree")


@pytest.fixture
def store(spark: SparkSession, folder: Path) -> Path:
    """A store in the usual place, and a Spark that runs."""
    return make_store(folder / "lineage", LINES).path


def rows(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


# On the terminal


@slow
@on_spark
@slow
@on_spark
def test_degree_shows_hubs(run: Run, store: Path) -> None:
    found = json.loads(run("whole", "degree", "--top", "1", "--format", "json").out)
    assert [(row["table_name"], row["column_name"], row["neighbours"]) for row in found] == [("db.b", "x", 3)]
    assert isinstance(found[0]["column_id"], str)
    assert "db.b" in run("whole", "degree", "--table", "--top", "1").out


@slow
@on_spark
def test_components_shows_sizes(run: Run, store: Path) -> None:
    found = rows(run("whole", "components", "--format", "csv").out)
    assert [row["size"] for row in found] == ["3", "1"]
    assert [row["size"] for row in rows(run("whole", "components", "--impact", "--format", "csv").out)] == ["5"]
    assert [row["size"] for row in rows(run("whole", "components", "--table", "--format", "csv").out)] == ["3"]


@slow
@on_spark
def test_closure_shows_how_many_pairs_there_are(run: Run, store: Path) -> None:
    code, out, err = run("whole", "closure")
    assert (code, err) == (0, "")
    assert [line.split() for line in out.splitlines()] == [["hops", "pairs"], ["1", "2"], ["2", "1"]]
    assert run("whole", "closure", "--depth", "1").out.split() == ["hops", "pairs", "1", "2"]


# To files


def read(path: Path) -> list[dict[str, Any]]:
    if path.suffix == ".json":
        return [json.loads(line) for line in path.read_text().splitlines()]
    return rows(path.read_text()) if path.suffix == ".csv" else pq.read_table(path).to_pylist()


@slow
@on_spark
@pytest.mark.parametrize("kind", ["parquet", "csv", "json"])
def test_pairs_in_one_file(run: Run, store: Path, kind: str) -> None:
    file = Path(f"pairs.{kind}")
    file.write_text("an older one")
    code, out, _ = run("whole", "closure", "--names", "-o", file)
    assert (code, out) == (0, f"3 rows in {file}\n")
    found = read(file)
    assert {(r["source_table"], r["target_table"], int(r["hops"])) for r in found} == {
        ("db.a", "db.b", 1),
        ("db.b", "dm.c", 1),
        ("db.a", "dm.c", 2),
    }
    assert isinstance(found[0]["source_id"], int if kind == "parquet" else str)
    assert sorted(path.name for path in Path().iterdir()) == ["lineage", file.name]


@slow
@on_spark
def test_a_folder_of_parquet(run: Run, store: Path) -> None:
    assert run("whole", "components", "-o", "components/", "-q").out == ""
    assert pq.read_table("components").num_rows == 4
    assert {path.suffix for path in Path("components").iterdir()} == {".parquet"}
    assert sorted(path.name for path in Path().iterdir()) == ["components", "lineage"]


@slow
@on_spark
# What is refused


@slow
@on_spark
def test_too_many_pairs_are_one_line_and_2(run: Run, store: Path) -> None:
    code, out, err = run("whole", "closure", "--limit-pairs", "2", "-o", "pairs.csv")
    assert (code, out) == (2, "")
    assert err == "Error: there are 3 pairs or more, and the limit is 2; raise the limit, or limit the depth\n"
    assert not Path("pairs.csv").exists()


@pytest.mark.parametrize("command", COMMANDS)
def test_without_a_store_it_is_one_line_and_2(run: Run, folder: Path, command: str) -> None:
    code, out, err = run("whole", command)
    assert (code, out) == (2, "")
    assert len(err.splitlines()) == 1
    assert "headwater build" in err


@pytest.mark.parametrize(
    ("output", "words"),
    [
        ("pairs.xlsx", "ends with none of .parquet, .csv, .json"),
        ("pairs", "nor with / as a folder does"),
        ("nowhere/pairs.csv", "there is no folder nowhere"),
        ("here/", "exists"),
        ("here.csv", "is a folder"),
    ],
)
def test_an_output_that_cannot_be_is_refused_at_once(run: Run, folder: Path, output: str, words: str) -> None:
    Path("here").mkdir()
    Path("here.csv").mkdir()
    code, _, err = run("whole", "degree", "-o", output)
    assert code == 2
    assert words in err


def test_a_setting_without_a_value_is_refused(run: Run, folder: Path) -> None:
    code, _, err = run("whole", "degree", "--spark", "spark.driver.memory")
    assert code == 2
    assert "is not KEY=VALUE" in err


@pytest.mark.parametrize("command", COMMANDS)
def test_help_has_examples(run: Run, command: str) -> None:
    assert f"headwater whole {command}" in run("whole", command, "--help").out.partition("Examples:")[2]
