"""How `headwater build` ends, and what it refuses to publish; inputs at URIs; and where the files of a store are."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from command import Run, write
from headwater.pipeline.read.files import Reading, read_local, read_remote
from headwater.pipeline.read.inputs import InputFile, remote_files
from headwater.store import Store

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark"), pytest.mark.usefixtures("spark")]


def test_lost_statements_make_the_exit_code_1(run: Run, folder: Path) -> None:
    write("sql/a.sql", "CREATE VIEW v AS SELECT a FROM t;\nSELECT FROM WHERE;\nSELECT nope FROM v")
    done = run("build", "sql", "-o", "lineage")
    assert (done.code, done.err) == (1, "")
    assert "50.0% of the 2 written columns are explained; 1 of 3 statements was lost" in done.out
    assert "1 error: headwater diagnostics --severity error --store lineage lists them" in done.out
    assert Store("lineage").exists
    assert run("build", "sql", "--fail-on", "never").code == 0
    write("sql/a.sql", "CREATE VIEW v AS SELECT a FROM t;\nSELECT nope FROM v")
    assert run("build", "sql").code == 0
    assert run("build", "sql", "--fail-on", "warning").code == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read every file")
def test_files_without_permission_are_not_read(run: Run, folder: Path) -> None:
    write("sql/a.sql", "SELECT a FROM t").chmod(0)
    assert run("build", "sql").code == 2


def test_inputs_of_which_nothing_can_be_read_make_no_snapshot(run: Run, folder: Path) -> None:
    write("sql/a.sql", "CREATE VIEW v AS SELECT a FROM t")
    assert run("build", "sql").code == 0
    before = Store("lineage").names()
    Path("sql/a.sql").unlink()
    Path("sql/a.sql").symlink_to("not-there.sql")
    done = run("build", "sql")
    assert done.code == 2
    assert done.err.startswith("Error: none of the 1 scripts can be read, nothing was built: sql/a.sql: ")
    assert Store("lineage").names() == before


@pytest.mark.parametrize("place", ["file:///no/such/folder", "file:///no/such/file.sql"])
def test_a_uri_where_nothing_is_makes_no_snapshot(run: Run, folder: Path, place: str) -> None:
    done = run("build", place, "-o", "lineage")
    assert (done.code, done.err) == (2, f"Error: there is nothing at {place}\n")
    assert not Store("lineage").exists


def test_spark_reads_files_at_uris_as_the_driver_reads_its_own(folder: Path, spark: SparkSession) -> None:
    write("sql/a b.sql", "CREATE VIEW v AS SELECT a FROM t")
    write("sql/deep/ä[1].sql", "INSERT INTO o SELECT a FROM v")
    write("sql/.hidden/c.sql", "SELECT 1")
    listed = remote_files(spark, [f"file://{folder}/sql"], ["*.sql"], [], f"file://{folder}")
    assert sorted(file.shown for file in listed) == ["sql/a b.sql", "sql/deep/ä[1].sql"]
    reading = Reading("spark", "")
    remote = read_remote(spark, listed, reading).orderBy("path").collect()
    local = [InputFile(str(folder / file.shown), file.shown) for file in listed]
    assert remote == read_local(spark, local, reading, False, 2).orderBy("path").collect()


def test_scripts_at_a_uri_are_those_of_the_folder(run: Run, folder: Path) -> None:
    write("sql/a.sql", "CREATE VIEW v AS SELECT a FROM t")
    write("sql/deep/b.sql", "INSERT INTO o SELECT a FROM v")
    write("sql/.hidden/c.sql", "SELECT 1")
    assert run("build", "sql", "-o", "one").code == 0
    assert run("build", f"file://{folder}/sql", "--root", f"file://{folder}", "-o", "other").code == 0
    one, other = Store("one").snapshot(), Store("other").snapshot()
    assert sorted(other.table("scripts", ["path"]).column(0).to_pylist()) == ["sql/a.sql", "sql/deep/b.sql"]
    assert one.digest() == other.digest()
    assert run("build", f"file://{folder}/sql", "--root", f"file://{folder}", "-o", "other").code == 0
    assert Store("other").snapshot().digest() == one.digest()


def test_the_files_of_a_table_are_listed(run: Run, folder: Path, spark: SparkSession) -> None:
    write("sql/a.sql", "CREATE VIEW v AS SELECT a FROM t")
    assert run("build", "sql").code == 0
    listed = json.loads(run("store", "files", "relations", "--format", "json").out)
    assert run("store", "files", "relations").out.splitlines() == listed
    assert spark.read.parquet(*(f"file://{path}" for path in listed)).count() == 2
    quoted = ", ".join(f"'{path}'" for path in listed)
    assert run("store", "files", "relations", "--format", "sql").out == f"[{quoted}]\n"
    assert run("store", "files", "nothing").code == 2
