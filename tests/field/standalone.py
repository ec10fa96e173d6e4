"""Spark's standalone master and workers on test hosts that share no folder.

Workers have a plain Python environment: PySpark and what it needs, without Headwater.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

from field import cache
from field.hosts import Host, Mount, Network, wait_until

PYTHON_FOLDER = Path("/opt/field/python")
PYTHON = PYTHON_FOLDER / "bin" / "python"
SPARK_HOME = PYTHON_FOLDER / f"lib/python{sys.version_info[0]}.{sys.version_info[1]}/site-packages/pyspark"
QUICK_JAVA = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1"
_PORT = 7077
_SECONDS_UNTIL_A_SILENT_WORKER_IS_LOST = 20


_NO_LOGGING = """rootLogger.level = off
rootLogger.appenderRef.console.ref = console
logger.shell.name = org.apache.spark.api.python.PythonGatewayServer
logger.shell.level = off
appender.console.type = Console
appender.console.name = console
appender.console.target = SYSTEM_ERR
appender.console.layout.type = PatternLayout
appender.console.layout.pattern = %m%n
"""


def java_home() -> Path:
    """The machine's own Java."""
    java = shutil.which("java")
    assert java, "no Java on this machine"
    return Path(java).resolve().parent.parent


def plain_python() -> Mount:
    """The Python environment of workers, as a mount."""
    return Mount(cache.python_environment(cache.spark_packages()), PYTHON_FOLDER)


def java() -> tuple[Mount, ...]:
    """Java as a mount, where it does not lie in `/usr`."""
    home = java_home()
    return () if home.is_relative_to("/usr") else (Mount.same(home),)


def spark_environment(**more: str) -> dict[str, str]:
    """The environment variables of Spark's processes on hosts."""
    return {
        "JAVA_HOME": str(java_home()),
        "SPARK_HOME": str(SPARK_HOME),
        "SPARK_DAEMON_JAVA_OPTS": QUICK_JAVA,
        "SPARK_DAEMON_MEMORY": "256m",
        "PYSPARK_PYTHON": str(PYTHON),
        **more,
    }


class Standalone:
    """A master and its workers, one host each."""

    def __init__(self, network: Network, *mounts: Mount, workers: int = 2, memory: str = "2g") -> None:
        self._mounts = (plain_python(), *java(), *mounts)
        self._network = network
        self._memory = memory
        self.master = network.host("master", *self._mounts)
        self.url = f"spark://master:{_PORT}"
        self._start_master()
        self.workers = [self._worker(f"worker{number}") for number in range(1, workers + 1)]
        wait_until(lambda: self.registered() == workers, f"{workers} workers are registered")

    def _start_master(self) -> None:
        lost = f"-Dspark.worker.timeout={_SECONDS_UNTIL_A_SILENT_WORKER_IS_LOST}"
        command = [str(SPARK_HOME / "bin" / "spark-class"), "org.apache.spark.deploy.master.Master"]
        self.master.start(
            [*command, "--host", "master", "--port", str(_PORT), "--webui-port", "8080"],
            spark_environment(SPARK_MASTER_OPTS=lost),
        )
        wait_until(lambda: "I have been elected leader" in self.log(self.master), "the master is up")

    def _worker(self, name: str) -> Host:
        host = self._network.host(name, *self._mounts)
        command = [str(SPARK_HOME / "bin" / "spark-class"), "org.apache.spark.deploy.worker.Worker"]
        host.start(
            [*command, "--host", name, "--cores", "1", "--memory", self._memory, self.url],
            spark_environment(SPARK_WORKER_DIR="/tmp/work"),
        )
        return host

    def registered(self) -> int:
        """How many workers have registered with the master."""
        return self.log(self.master).count("Registering worker")

    def executors(self, worker: Host) -> list[Path]:
        """The folders of executors that a worker has started."""
        return [path for path in (worker.disk / "work").glob("app-*/*") if path.name.isdigit()]

    @staticmethod
    def log(host: Host) -> str:
        """What a host's service has printed."""
        return (host.logs / "service").read_text(errors="replace")

    def close(self) -> None:
        """Turn the master and the workers off."""
        for host in (*self.workers, self.master):
            self._network.remove(host)


def write_defaults(folder: Path, settings: Mapping[str, str]) -> Path:
    """A folder for `SPARK_CONF_DIR` with these settings in `spark-defaults.conf`; Spark itself logs nothing."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "log4j2.properties").write_text(_NO_LOGGING)
    (folder / "spark-defaults.conf").write_text("".join(f"{name} {value}\n" for name, value in settings.items()))
    return folder
