"""HDFS and YARN on test hosts: Hadoop's own daemons, from Maven, in the version of PySpark's Hadoop client.

`namenode` runs the name node and the resource manager; each of two nodes runs a data node and a node manager.
"""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from xml.sax.saxutils import escape

from field import cache
from field.hosts import Finished, Host, Mount, Network, wait_until
from field.standalone import QUICK_JAVA, SPARK_HOME, java, java_home, plain_python

_ARTIFACTS = (
    "hadoop-common",
    "hadoop-hdfs",
    "hadoop-hdfs-client",
    "hadoop-yarn-client",
    "hadoop-yarn-server-nodemanager",
    "hadoop-yarn-server-resourcemanager",
    "hadoop-yarn-server-timelineservice",
)
_JARS = Path("/opt/field/hadoop/jars")
CONF = Path("/opt/field/hadoop/conf")
"""`HADOOP_CONF_DIR` on hosts with the mounts of `Hadoop.mounts`."""
_MEGABYTES_OF_A_NODE = 4096
_PACKAGE = "org.apache.hadoop"
_DAEMONS = {
    "namenode": f"{_PACKAGE}.hdfs.server.namenode.NameNode",
    "datanode": f"{_PACKAGE}.hdfs.server.datanode.DataNode",
    "resourcemanager": f"{_PACKAGE}.yarn.server.resourcemanager.ResourceManager",
    "nodemanager": f"{_PACKAGE}.yarn.server.nodemanager.NodeManager",
}
_OPENED = [f"--add-opens=java.base/{name}=ALL-UNNAMED" for name in ("java.lang", "java.util", "java.io", "java.net")]
_LOGGING = """log4j.rootLogger=INFO,console
log4j.appender.console=org.apache.log4j.ConsoleAppender
log4j.appender.console.target=System.err
log4j.appender.console.layout=org.apache.log4j.PatternLayout
log4j.appender.console.layout.ConversionPattern=%d{HH:mm:ss} %p %c{1}: %m%n
"""
_SITES: Mapping[str, Mapping[str, str]] = {
    "core-site.xml": {
        "fs.defaultFS": "hdfs://namenode:8020",
        "hadoop.tmp.dir": "/tmp/hadoop",
    },
    "hdfs-site.xml": {
        "dfs.replication": "2",
        "dfs.namenode.rpc-bind-host": "0.0.0.0",
        "dfs.namenode.name.dir": "/tmp/hadoop/name",
        "dfs.datanode.data.dir": "/tmp/hadoop/data",
        "dfs.datanode.du.reserved": "0",
        "dfs.namenode.safemode.extension": "0",
    },
    "yarn-site.xml": {
        "yarn.resourcemanager.hostname": "namenode",
        "yarn.nodemanager.resource.memory-mb": str(_MEGABYTES_OF_A_NODE),
        "yarn.nodemanager.resource.cpu-vcores": "4",
        "yarn.nodemanager.vmem-check-enabled": "false",
        "yarn.nodemanager.disk-health-checker.max-disk-utilization-per-disk-percentage": "99",
        "yarn.nodemanager.local-dirs": "/tmp/hadoop/local",
        "yarn.nodemanager.log-dirs": "/tmp/hadoop/containers",
        "yarn.nodemanager.delete.debug-delay-sec": "600",
        "yarn.scheduler.minimum-allocation-mb": "256",
        "yarn.resourcemanager.am.max-attempts": "1",
    },
    "capacity-scheduler.xml": {
        "yarn.scheduler.capacity.root.queues": "default",
        "yarn.scheduler.capacity.root.default.capacity": "100",
        "yarn.scheduler.capacity.maximum-am-resource-percent": "1.0",
    },
}


class Hadoop:
    """The cluster; `fs` runs a command of `hadoop fs`."""

    def __init__(self, network: Network, folder: Path, *mounts: Mount, nodes: int = 2) -> None:
        version = cache.hadoop_version()
        found = cache.jars(*(f"{_PACKAGE}:{name}:{version}" for name in _ARTIFACTS))
        self._network = network
        self.mounts = (*java(), Mount(found, _JARS), Mount(_write_sites(folder), CONF))
        """What a host needs to use the cluster."""
        self.namenode = network.host("namenode", *self.mounts)
        done = self._run(self.namenode, _DAEMONS["namenode"], "-format", "-nonInteractive")
        assert done.code == 0, done.err[-2000:]
        self._start(self.namenode, "namenode")
        self._start(self.namenode, "resourcemanager")
        self.nodes = [
            network.host(f"node{number}", plain_python(), *mounts, *self.mounts) for number in range(1, nodes + 1)
        ]
        for node in self.nodes:
            self._start(node, "datanode")
            self._start(node, "nodemanager")
        self._wait_for(nodes, "namenode", "registerDatanode")
        self._wait_for(nodes, "resourcemanager", "registered with capability")
        wait_until(lambda: self.fs("-mkdir", "-p", "/tmp").code == 0, "HDFS can be written", 60, 1)

    def fs(self, *arguments: str) -> Finished:
        """Run a command of `hadoop fs` on the name node."""
        return self._run(self.namenode, f"{_PACKAGE}.fs.FsShell", *arguments)

    def upload(self, folder: Path, target: str) -> None:
        """Put a folder of the machine into HDFS."""
        staged = self.namenode.disk / "upload"
        shutil.copytree(folder, staged)
        done = self.fs("-put", "/tmp/upload", target)
        shutil.rmtree(staged)
        assert done.code == 0, done.err[-2000:]

    def download(self, path: str, folder: Path) -> Path:
        """Fetch a folder of HDFS."""
        done = self.fs("-get", path, "/tmp/download")
        assert done.code == 0, done.err[-2000:]
        shutil.move(self.namenode.disk / "download", folder)
        return folder

    def files(self, path: str) -> list[str]:
        """The paths of all files below a folder."""
        lines = self.fs("-ls", "-R", path).out.splitlines()
        return [line.split(None, 7)[-1] for line in lines if line.startswith("-")]

    def container_output(self, name: str = "stdout") -> str:
        """What the containers of all applications have printed."""
        files = [path for node in self.nodes for path in (node.disk / "hadoop/containers").glob(f"*/*/{name}")]
        return "\n".join(path.read_text(errors="replace") for path in sorted(files))

    def spark_settings(self) -> dict[str, str]:
        """The settings of Spark: its jars lie on every node, so that nothing is uploaded."""
        return {
            "spark.yarn.jars": f"local:{SPARK_HOME}/jars/*",
            "spark.yarn.am.memory": "512m",
            "spark.yarn.submit.waitAppCompletion": "true",
        }

    def close(self) -> None:
        """Turn the cluster off."""
        for host in (*self.nodes, self.namenode):
            self._network.remove(host)

    def _start(self, host: Host, daemon: str) -> None:
        host.start(self._java(_DAEMONS[daemon]), _ENVIRONMENT | {"JAVA_HOME": str(java_home())}, daemon)

    def _run(self, host: Host, main: str, *arguments: str) -> Finished:
        return host.run([*self._java(main), *arguments], _ENVIRONMENT | {"JAVA_HOME": str(java_home())})

    @staticmethod
    def _java(main: str) -> list[str]:
        options = [*QUICK_JAVA.split(), "-Xmx384m", *_OPENED, "-Djava.net.preferIPv4Stack=true"]
        return [str(java_home() / "bin" / "java"), *options, "-cp", f"{CONF}:{_JARS}/*", main]

    def _wait_for(self, times: int, daemon: str, line: str) -> None:
        log = self.namenode.logs / daemon

        def done() -> bool:
            text = log.read_text(errors="replace")
            if "SHUTDOWN_MSG" in text:
                raise RuntimeError(f"the {daemon} ended: {text[-3000:]}")
            return text.count(line) >= times

        wait_until(done, f"{times} × {line!r} in the log of the {daemon}", 180)


_ENVIRONMENT = {"HADOOP_CONF_DIR": str(CONF), "HADOOP_USER_NAME": "root", "HADOOP_HOME": "/tmp"}


def _write_sites(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    for page in ("hdfs", "datanode", "static"):
        (folder / "webapps" / page).mkdir(parents=True, exist_ok=True)  # Maven's jars lack the daemons' web pages
    (folder / "log4j.properties").write_text(_LOGGING)
    for name, properties in _SITES.items():
        lines = (f"<property><name>{k}</name><value>{escape(v)}</value></property>\n" for k, v in properties.items())
        (folder / name).write_text(f"<configuration>\n{''.join(lines)}</configuration>\n")
    return folder
