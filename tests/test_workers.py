"""Workers that lack headwater, on a real cluster: what can be sent is sent, what cannot is said in one line.

Their Python sees no installed packages but those in a folder that the test makes of links.
"""

from __future__ import annotations

import subprocess
import sys
import zipfile
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from build_process import QUICK_JAVA, build, digest, environment, refusal, write_scripts
from headwater import __version__
from headwater.runtime import workers
from headwater.runtime.shipping import SHIPPED, zipped
from headwater.runtime.worker_report import here
from standalone_cluster import Cluster, standalone_cluster

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("builds")]

_COMPILED = (
    "numpy",
    "numpy.libs",
    "pyarrow",
    "pyarrow.libs",
    "pandas",
    "pandas.libs",
    "dateutil",
    "pytz",
    "tzdata",
    "six.py",
)
_SCRIPTS: dict[str, str | bytes] = {
    "sql/stage.sql": "CREATE TABLE stage AS SELECT id, upper(name) AS name FROM source;\nINSERT INTO log SELECT id FROM stage",
    "sql/mart.sql": "CREATE VIEW mart AS SELECT * FROM stage WHERE id > 0;\nSELECT name FROM mart",
}
_QUICK = [f"--spark=spark.{who}.extraJavaOptions={QUICK_JAVA}" for who in ("driver", "executor")]
_JOB = """
import sys
from pyspark.sql import SparkSession
spark = SparkSession.builder.master(sys.argv[1]).config("spark.ui.enabled", "false").getOrCreate()
from headwater.spark import lineage_of, register
frame = spark.createDataFrame([("INSERT INTO o SELECT a + b AS x FROM t",)], "sql string")
print("EDGES", sorted(r.source_column for r in lineage_of(frame).collect() if r.type == "fdd"))
register(spark)
frame.createOrReplaceTempView("log")
rows = spark.sql("SELECT l.* FROM log, LATERAL column_lineage(log.sql) l").collect()
print("EDGES", sorted(r.source_column for r in rows if r.type == "fdd"))
rows = spark.read.format("headwater").load(sys.argv[2]).where("type = 'fdd' and target_table = 'stage'").collect()
print("EDGES", sorted(r.source_column for r in rows))
"""


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    with standalone_cluster(tmp_path_factory.mktemp("cluster"), ["one"], without=["PYTHONPATH"]) as made:
        yield made


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return write_scripts(tmp_path, _SCRIPTS)


def _python(folder: Path, packages: tuple[str, ...]) -> str:
    """A Python that has nothing installed but some packages."""
    installed = Path(str(find_spec("numpy").origin)).parent.parent  # type: ignore[union-attr]
    links = folder / "packages"
    links.mkdir()
    for name in packages:
        if (installed / name).exists():
            (links / name).symlink_to(installed / name)
    for described in (d for name in packages for d in installed.glob(f"{name}-*.dist-info")):
        (links / described.name).symlink_to(described)
    program = folder / "python"
    program.write_text(f'#!/bin/sh\nPYTHONPATH="$PYTHONPATH:{links}" exec "{sys.executable}" -S "$@"\n')
    program.chmod(0o755)
    return str(program)


def test_workers_without_headwater_get_it(cluster: Cluster, folder: Path) -> None:
    python = _python(folder, _COMPILED)
    result = build(
        folder, "sql", "-v", "--master", cluster.master, "-o", "there", *_QUICK, env=environment(PYSPARK_PYTHON=python)
    )
    assert result.code == 0, result.err
    assert "package: headwater, sqlglot" in result.err
    assert "sent to" in result.err
    assert "input: workers on" in result.err
    here = build(folder, "sql", "--master", "local[2]", "-o", "here")
    assert here.code == 0, here.err
    assert digest(folder / "there") == digest(folder / "here")


def test_a_plain_program_traces_lineage_on_workers_without_headwater(cluster: Cluster, folder: Path) -> None:
    from headwater.runtime.java import java_home

    (folder / "job.py").write_text(_JOB)
    ran = subprocess.run(
        [sys.executable, str(folder / "job.py"), cluster.master, str(folder / "sql")],
        env=environment(PYSPARK_PYTHON=_python(folder, _COMPILED), JAVA_HOME=str(java_home())),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    said = [line for line in ran.stdout.splitlines() if line.startswith("EDGES")]
    assert said == ["EDGES ['a', 'b']", "EDGES ['a', 'b']", "EDGES ['id', 'name']"]


def test_workers_without_arrow_are_refused_in_one_line(cluster: Cluster, folder: Path) -> None:
    python = _python(folder, ("numpy", "numpy.libs"))
    result = build(folder, "sql", "--master", cluster.master, *_QUICK, env=environment(PYSPARK_PYTHON=python))
    said = refusal(result)
    assert "pyarrow is not installed" in said
    assert "headwater spark pack" in said
    assert not (folder / "lineage").exists() or not [*(folder / "lineage").glob("snapshots/*")]


def test_workers_without_python_are_refused_in_one_line(cluster: Cluster, folder: Path) -> None:
    env = environment(PYSPARK_PYTHON="/nowhere/python")
    said = refusal(build(folder, "sql", "--master", cluster.master, *_QUICK, env=env))
    assert "has no /nowhere/python: set PYSPARK_PYTHON" in said


def test_another_python_is_explained() -> None:
    own = ".".join(map(str, sys.version_info[:2]))
    for text in (
        "Lost task 0.0 in stage 0.0 (TID 0) (10.0.0.7 executor 1): [PYTHON_VERSION_MISMATCH] Python in worker has different version: 3.9",
        "(TID 0) (10.0.0.7 executor 1): RuntimeError: Python in worker has different version (3, 9) than that in driver 3.11",
    ):
        said = workers._explained(text, "")
        assert said.startswith(f"the worker on 10.0.0.7 runs Python 3.9, and this is Python {own}")


def test_what_is_sent_is_python_and_works_from_a_zip_file(tmp_path: Path) -> None:
    archive = zipped(SHIPPED)
    names = zipfile.ZipFile(archive).namelist()
    assert "headwater/__init__.py" in names
    assert not [name for name in names if name.endswith((".so", ".pyc"))]
    assert not [name for name in names if name.startswith("headwater/server/page/")]
    code = (
        "import headwater.pipeline.extract.task, headwater.pipeline.split.split, headwater.spark.edges as e, sqlglot, sys\n"
        "rows = list(e.edge_rows('INSERT INTO o SELECT a FROM t', 'spark', None))\n"
        "print(headwater.__version__, headwater.__file__, sqlglot.__file__, rows[0][5])"
    )
    python = _python(tmp_path, _COMPILED)
    pyspark = Path(str(find_spec("pyspark").origin)).parent.parent  # type: ignore[union-attr]
    (tmp_path / "spark").mkdir()
    for name in ("pyspark", "py4j"):
        (tmp_path / "spark" / name).symlink_to(pyspark / name)
    ran = subprocess.run(
        [python, "-c", code],
        env={"PYTHONPATH": f"{archive}:{tmp_path / 'spark'}"},
        capture_output=True,
        text=True,
        check=True,
    )
    version, ours, parser, column = ran.stdout.split()
    assert (version, column) == (__version__, "a")
    assert ours.startswith(str(archive))
    assert parser.startswith(str(archive))


def test_this_program_knows_its_own_packages() -> None:
    own = here((*SHIPPED, "numpy"))
    assert own.packages["headwater"] == __version__
    assert own.packages["numpy"]
    assert "nothing_like_this" not in here(["nothing_like_this"]).packages
