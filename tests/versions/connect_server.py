"""A Spark Connect server in a process of its own, whose Python has no headwater on its path.

PySpark 3.5 comes without the server: Spark fetches it from Maven Central.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

_SECONDS = 120


@contextmanager
def connect_server(folder: Path, more: Mapping[str, object] | None = None) -> Iterator[str]:
    """The address of a server, which ends with the block; *more* are settings of Spark."""
    port = _free_port()
    server = _started(folder, port, more or {})
    try:
        _wait(port, server, folder)
        yield f"sc://127.0.0.1:{port}"
    finally:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()


def _started(folder: Path, port: int, more: Mapping[str, object]) -> subprocess.Popen[bytes]:
    import pyspark

    from headwater.runtime.java import java_home

    home = Path(pyspark.__file__).parent
    settings = {
        "spark.connect.grpc.binding.port": port,
        "spark.sql.warehouse.dir": folder / "warehouse",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.shuffle.partitions": 2,
        **more,
    }
    listed = [word for key, value in settings.items() for word in ("--conf", f"{key}={value}")]
    command = [home / "bin" / "spark-submit", "--master", "local[2,4]", *listed]
    if not any((home / "jars").glob("spark-connect_*.jar")):
        command += ["--packages", f"org.apache.spark:spark-connect_2.12:{pyspark.__version__}"]
    command += ["--class", "org.apache.spark.sql.connect.service.SparkConnectServer", "spark-internal"]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    environment |= {"JAVA_HOME": str(java_home()), "SPARK_HOME": str(home), "PYSPARK_PYTHON": sys.executable}
    with (folder / "server.log").open("wb") as said:
        return subprocess.Popen(
            list(map(str, command)), cwd=folder, env=environment, stdout=said, stderr=said, start_new_session=True
        )


def _wait(port: int, server: subprocess.Popen[bytes], folder: Path) -> None:
    deadline = time.monotonic() + _SECONDS
    while time.monotonic() < deadline and server.poll() is None:
        with socket.socket() as tried:
            if tried.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise SystemExit(f"the server does not start: {(folder / 'server.log').read_text()[-2000:]}")


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port: int = free.getsockname()[1]
        return port
