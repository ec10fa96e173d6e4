"""A Spark Connect server on a host of its own, which shares no disk with its clients."""

from __future__ import annotations

import socket
from collections.abc import Mapping

from field.hosts import Mount, Network, wait_until
from field.standalone import QUICK_JAVA, SPARK_HOME, java, plain_python, spark_environment

_PORT = 15002
_MAIN = "org.apache.spark.sql.connect.service.SparkConnectServer"


class Connect:
    """The server; `remote` is its address for clients on hosts."""

    def __init__(self, network: Network, *mounts: Mount, settings: Mapping[str, str] | None = None) -> None:
        self._network = network
        self.host = network.host("connect", plain_python(), *java(), *mounts)
        self.remote = f"sc://connect:{_PORT}"
        known = {
            "spark.master": "local[2]",
            "spark.driver.memory": "2g",
            "spark.driver.extraJavaOptions": QUICK_JAVA,
            "spark.ui.enabled": "false",
            "spark.sql.shuffle.partitions": "4",
        } | dict(settings or {})
        options = [part for name, value in known.items() for part in ("--conf", f"{name}={value}")]
        submit = [str(SPARK_HOME / "bin" / "spark-submit"), "--class", _MAIN, *options, "spark-internal"]
        self.process = self.host.start(submit, spark_environment(SPARK_DAEMON_MEMORY=known["spark.driver.memory"]))
        wait_until(self._listens, f"the Connect server listens; see {self.host.logs}", 180)

    def _listens(self) -> bool:
        if self.process.poll() is not None:
            raise RuntimeError(f"the Connect server ended: {self.log()[-3000:]}")
        with socket.socket() as tried:
            tried.settimeout(2)
            return tried.connect_ex((self.host.address, _PORT)) == 0

    def log(self) -> str:
        """What the server has printed."""
        return (self.host.logs / "service").read_text(errors="replace")

    def close(self) -> None:
        """Turn the server off."""
        self._network.remove(self.host)
