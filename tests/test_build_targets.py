"""A build of folders that name tables: settings, manifests and schema files reach the workers, and the next build knows them."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("builds")]

EXAMPLE = Path(__file__).parent.parent / "examples" / "folders"
MART, RAW = "shop-prod.mart", "shop-prod.raw"


def run(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "headwater", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example, built."""
    folder = tmp_path_factory.mktemp("targets") / "folders"
    shutil.copytree(EXAMPLE, folder)
    assert "3 scripts, 4 statements" in run(folder, "build", "sql", "-o", "lineage")
    return folder


def upstream(folder: Path, column: str) -> dict[str, int]:
    document = json.loads(run(folder, "upstream", column, "--store", "lineage", "--format", "json"))
    return {f"{c['table']}.{c['column']}": c["distance"] for c in document["columns"] if c["distance"]}


def test_queries_are_connected_through_their_tables(folder: Path) -> None:
    assert upstream(folder, f"{MART}.report.revenue") == {
        f"{MART}.customer_value.revenue": 1,
        f"{MART}.orders_daily.revenue": 2,
        f"{RAW}.orders.items.price": 3,
        f"{RAW}.orders.items": 4,  # the column that the field is a part of
    }


def test_columns_of_schema_files_are_known(folder: Path) -> None:
    assert upstream(folder, f"{MART}.report.country") == {
        f"{MART}.customer_value.country": 1,
        f"{RAW}.customers.country": 2,
    }


def test_the_next_build_takes_what_it_has_and_sees_a_changed_setting(folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    shutil.copytree(folder, again)
    assert "3 as before" in run(again, "build", "sql", "-o", "lineage")
    setting = 'dialect = "bigquery"\n[[targets]]\npreset = "bigquery-etl"\ntable = "{dataset}.{table}"\n'
    (again / "headwater.toml").write_text(setting)
    run(again, "build", "sql", "-o", "lineage")
    assert upstream(again, "mart.orders_daily.revenue") == {f"{RAW}.orders.items.price": 1, f"{RAW}.orders.items": 2}


def test_a_manifest_names_targets(tmp_path: Path) -> None:
    (tmp_path / "q.sql").write_text("SELECT a AS b FROM raw")
    (tmp_path / "m.csv").write_text("path,target\nq.sql,mart.t\n")
    run(tmp_path, "build", "--manifest", "m.csv", "-o", "lineage")
    assert upstream(tmp_path, "mart.t.b") == {"raw.a": 1}
