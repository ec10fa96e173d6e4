"""A standalone Spark cluster from the installed PySpark: a master and workers, each a process of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

from build_process import QUICK_JAVA, environment, tree, wait_for


class Node(NamedTuple):
    """A process of the cluster, and the folder that its executors run in."""

    process: subprocess.Popen[bytes]
    folder: Path


class Cluster(NamedTuple):
    """A master's address, and its workers."""

    master: str
    workers: list[Node]


@contextmanager
def standalone_cluster(folder: Path, workers: Sequence[str], without: Sequence[str] = ()) -> Iterator[Cluster]:
    """A master and workers of one core each; *without* are variables of the environment that they do not have."""
    port = _free_port()
    master = f"spark://127.0.0.1:{port}"
    nodes = [_node(folder / "master", without, "master.Master", "--port", str(port))]
    try:
        wait_for(lambda: _answers(port), "the master answers")
        for name in workers:
            nodes.append(_node(folder / name, without, "worker.Worker", "--cores", "1", "--memory", "1g", master))
        yield Cluster(master, nodes[1:])
    finally:
        for node in nodes:
            kill_tree(node.process)


def _node(folder: Path, without: Sequence[str], main: str, *arguments: str) -> Node:
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
    known = {name: value for name, value in environment(**settings).items() if name not in without}
    with (folder / "said").open("wb") as said:
        process = subprocess.Popen(
            [*command, "--host", "127.0.0.1", "--webui-port", "0", *arguments],
            env=known,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said,
            start_new_session=True,
        )
    return Node(process, folder)


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port


def _answers(port: int) -> bool:
    with socket.socket() as tried:
        return tried.connect_ex(("127.0.0.1", port)) == 0


def kill_tree(process: subprocess.Popen[bytes]) -> None:
    """Kill a process and all that it has started, and those have."""
    for each in tree(process.pid):
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)
    process.wait()
