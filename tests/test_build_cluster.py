"""The same corpus gives the same store: on a real standalone cluster that loses a worker, and in local mode however it is cut up.

It is small, and would be stitched in one task: a `sitecustomize` on the way of every interpreter of these builds says that it is not.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import pytest

sys.path.append(str(Path(__file__).resolve().parent.parent / "benchmarks"))
from build_process import QUICK_JAVA, digest, ended, environment, start, tree, wait_for
from headwater.store import Store
from pipeline.warehouse import generate, write

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


class Node(NamedTuple):
    """A process of the cluster, and the folder that its executors run in."""

    process: subprocess.Popen[bytes]
    folder: Path


class Cluster(NamedTuple):
    """A master's address, and its workers."""

    master: str
    workers: list[Node]


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
    port = _free_port()
    master = f"spark://127.0.0.1:{port}"
    nodes = [_node(tmp_path / "master", "master.Master", "--port", str(port))]
    try:
        wait_for(lambda: _answers(port), "the master answers")
        for name in ("one", "two"):
            nodes.append(_node(tmp_path / name, "worker.Worker", "--cores", "1", "--memory", "1g", master))
        yield Cluster(master, nodes[1:])
    finally:
        for node in nodes:
            _kill_tree(node.process)


def _node(folder: Path, main: str, *arguments: str) -> Node:
    import pyspark

    from headwater.runtime.java import java_home

    folder.mkdir()
    home = Path(pyspark.__file__).parent
    settings = {
        "JAVA_HOME": str(java_home()),
        "SPARK_HOME": str(home),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_WORKER_DIR": str(folder),
        "SPARK_DAEMON_JAVA_OPTS": QUICK_JAVA,
        "PYSPARK_PYTHON": sys.executable,
    }
    command = [str(home / "bin" / "spark-class"), f"org.apache.spark.deploy.{main}"]
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--webui-port", "0", *arguments],
            env=environment(**settings),
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    return Node(process, folder)


def _environment(folder: Path) -> dict[str, str]:
    """The environment of a build for which nothing is little."""
    ahead = folder / "ahead"
    ahead.mkdir(exist_ok=True)
    (ahead / "sitecustomize.py").write_text(_MUCH)
    return environment(ahead)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _answers(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def _kill_tree(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it has started, and those have."""
    for each in tree(process.pid):
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)
    process.wait()


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
    wait_for(lambda: process.poll() is not None or [*store.glob("work/*/round-0")], "the first statements are analysed")
    assert process.poll() is None, ended(process)
    executors = [[*worker.folder.glob("app-*/*")] for worker in (lost, kept)]
    _kill_tree(lost.process)
    result = ended(process)
    assert (result.code, result.err) == (0, "")
    assert all(executors), "both workers had their share"
    assert digest(store) == local[2]
    assert Store(store).snapshot().run["statements"] == 300


def test_the_number_of_partitions_does_not_matter(local: dict[int, str]) -> None:
    assert set(local) == {1, 2, 64}
    assert len(set(local.values())) == 1
