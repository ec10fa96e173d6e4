"""The same corpus gives the same store: on a real standalone cluster that loses a worker, and in local mode however it is cut up.

It is small, and would be stitched in one task: a `sitecustomize` on the way of every interpreter of these builds says that it is not.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

sys.path.append(str(Path(__file__).resolve().parent.parent / "benchmarks"))
from build_process import QUICK_JAVA, digest, ended, environment, kill, start, wait_for
from headwater.store import Store
from pipeline.warehouse import generate, write
from standalone_cluster import Cluster, kill_tree, standalone_cluster

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("builds")]

_WHAT = ["sql", "logs/*.parquet"]
_LOG = {"sql": "query_text", "user": "user_name", "time": "started_at", "default_schema": "database"}
_LOCAL = """
import json, sys
from headwater.pipeline.corpus import Corpus, build
from headwater.runtime.session import spark_session
from headwater.pipeline.read.logs import LogColumns

what, log, partitions = json.loads(sys.argv[1])
with spark_session("local[2]", {"spark.sql.adaptive.enabled": "false"}) as spark:
    for number in partitions:
        spark.conf.set("spark.sql.shuffle.partitions", number)
        build(Corpus(what, log=LogColumns(**log)), f"local-{number}")
"""


_MUCH = "from headwater.pipeline import build\nbuild._MAX_BYTES_IN_ONE_TASK = -1\n"


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("warehouse")
    write(generate(statements=300, distinct=200, seed=4), folder)
    return folder


@pytest.fixture(scope="module")
def local(corpus: Path) -> dict[int, str]:
    """The digests of local builds, by their number of shuffle partitions; one session does them all."""
    partitions = [1, 2, 64]
    told = json.dumps([_WHAT, _LOG, partitions])
    subprocess.run([sys.executable, "-c", _LOCAL, told], cwd=corpus, env=_environment(corpus), check=True, timeout=300)
    return {number: digest(corpus / f"local-{number}") for number in partitions}


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """A master and two workers of one core each, from the installed PySpark."""
    with standalone_cluster(tmp_path, ["one", "two"]) as made:
        yield made


def _environment(folder: Path) -> dict[str, str]:
    """The environment of a build for which nothing is little."""
    ahead = folder / "ahead"
    ahead.mkdir(exist_ok=True)
    (ahead / "sitecustomize.py").write_text(_MUCH)
    return environment(ahead, PYSPARK_PYTHON=sys.executable)


def test_a_cluster_that_loses_a_worker_builds_the_same_store(
    corpus: Path, local: dict[int, str], cluster: Cluster
) -> None:
    quick = [f"spark.{who}.extraJavaOptions={QUICK_JAVA}" for who in ("driver", "executor")]
    settings = [argument for each in (*quick, "spark.sql.shuffle.partitions=4") for argument in ("--spark", each)]
    log = ",".join(f"{name}={column}" for name, column in _LOG.items())
    process = start(
        corpus, *_WHAT, "--log", log, "--master", cluster.master, "-o", "cluster", *settings, env=_environment(corpus)
    )
    store, (lost, kept) = corpus / "cluster", cluster.workers
    try:
        wait_for(lambda: process.poll() is not None or [*store.glob("data/*/records/*")], "statements are analysed")
    except BaseException:
        kill(process)
        raise
    assert process.poll() is None, ended(process)
    executors = [[*worker.folder.glob("app-*/*")] for worker in (lost, kept)]
    kill_tree(lost.process)
    result = ended(process)
    assert (result.code, result.err) == (0, "")
    assert all(executors), "both workers had their share"
    assert digest(store) == local[2]
    assert Store(store).snapshot().run["statements"] == 300


def test_the_number_of_partitions_does_not_matter(local: dict[int, str]) -> None:
    assert set(local) == {1, 2, 64}
    assert len(set(local.values())) == 1
