"""Headwater on a test host: the host of a user, with Headwater's wheel installed. No other host has it."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from field import cache
from field.hosts import Finished, Mount, Network, kill_tree
from field.standalone import PYTHON, QUICK_JAVA, java, java_home, plain_python, write_defaults

SPARK_CONF = Path("/opt/field/conf")
SETTINGS = {
    "spark.driver.memory": "2g",
    "spark.executor.memory": "1g",
    "spark.driver.extraJavaOptions": QUICK_JAVA,
    "spark.executor.extraJavaOptions": QUICK_JAVA,
    "spark.sql.shuffle.partitions": "4",
    "spark.ui.enabled": "false",
}


class Described(NamedTuple):
    """What the current snapshot of a store holds; see `digests.py`."""

    snapshots: int
    name: str
    digest: str
    statements: int


class User:
    """A host with Headwater; its commands run in `/tmp/work`, which is `folder` on the machine."""

    def __init__(self, network: Network, name: str, settings: Mapping[str, str], *mounts: Mount) -> None:
        self._network = network
        self._conf = write_defaults(network.folder / f"conf-{name}", SETTINGS | dict(settings))
        self._home = cache.user_environment()
        seen = (Mount.same(self._home), Mount.same(Path(__file__).parent), Mount(self._conf, SPARK_CONF))
        self.python = str(self._home / "bin" / "python")
        """For builds without a cluster: `PYSPARK_PYTHON` of their tasks."""
        self.host = network.host(name, *seen, plain_python(), *java(), *mounts)
        self.folder = self.host.disk / "work"
        self.folder.mkdir()

    def configure(self, settings: Mapping[str, str]) -> None:
        """Replace what `spark-defaults.conf` says beside the settings of all builds."""
        write_defaults(self._conf, SETTINGS | dict(settings))

    def environment(self, more: Mapping[str, str] | None = None) -> dict[str, str]:
        """The environment variables of Headwater's commands; workers use their own Python."""
        return {
            "PATH": f"{self._home / 'bin'}:/usr/bin:/bin",
            "JAVA_HOME": str(java_home()),
            "PYSPARK_PYTHON": str(PYTHON),
            "SPARK_CONF_DIR": str(SPARK_CONF),
            "NO_COLOR": "1",
        } | dict(more or {})

    def start(self, *arguments: str, env: Mapping[str, str] | None = None) -> subprocess.Popen[str]:
        """Start `headwater` with arguments."""
        command = [str(self._home / "bin" / "headwater"), *arguments]
        return self.host.open(command, self.environment(env), "/tmp/work")

    def run(self, *arguments: str, env: Mapping[str, str] | None = None, timeout: float = 900) -> Finished:
        """Run `headwater` with arguments to its end."""
        return ended(self.start(*arguments, env=env), timeout)

    def describe(self, store: str, env: Mapping[str, str] | None = None) -> Described | None:
        """What a store holds, read on this host by Headwater; None if nothing is published there."""
        command = [self.python, str(Path(__file__).with_name("digests.py")), store]
        done = self.host.run(command, self.environment(env), cwd="/tmp/work")
        assert done.code == 0, done.err[-3000:]
        found: dict[str, Any] = json.loads(done.out)
        return None if "nothing" in found else Described(**found)

    def close(self) -> None:
        """Turn the host off."""
        self._network.remove(self.host)


def ended(process: subprocess.Popen[str], timeout: float = 900) -> Finished:
    """How a command ended; one that takes too long is killed, and the test fails."""
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        kill_tree(process)
        raise
    return Finished(process.returncode, out, _OF_AMAZONS_SDK.sub("", err))


_OF_AMAZONS_SDK = re.compile(r"^SLF4J: .*\n", re.MULTILINE)
"""Lines that Amazon's SDK for Java prints in every program: it carries its own copy of SLF4J, without a logger."""
