"""The parts of the field work by themselves: plain PySpark jobs, without Headwater."""

from __future__ import annotations

from pathlib import Path

import pytest

from field.connect import Connect
from field.hadoop import CONF, Hadoop
from field.hosts import Finished, Mount, Network, wait_until
from field.product import ended
from field.report import Report
from field.s3 import S3, Key, allow, deny, s3a_jars
from field.standalone import PYTHON, QUICK_JAVA, SPARK_HOME, Standalone, plain_python, spark_environment, write_defaults

_JOB = Path("/opt/field/job")
_QUICK = {
    "spark.driver.memory": "600m",
    "spark.executor.memory": "600m",
    "spark.driver.extraJavaOptions": QUICK_JAVA,
    "spark.executor.extraJavaOptions": QUICK_JAVA,
    "spark.ui.enabled": "false",
    "spark.sql.shuffle.partitions": "2",
    "spark.ui.showConsoleProgress": "false",
}
_PROGRAM = """
import socket, sys
import pyarrow
from pyspark.sql import SparkSession

spark = SparkSession.builder{remote}.getOrCreate()

def where(batches):
    import importlib.util, os, time
    time.sleep(1)
    for _ in batches:
        pass
    seen = [name for name in {hidden!r} if os.path.exists(name)]
    found = importlib.util.find_spec("headwater") is not None
    yield pyarrow.RecordBatch.from_pydict({{"host": [socket.gethostname()], "seen": [repr(seen)], "has": [str(found)]}})

rows = spark.range(0, 8, 1, 8).mapInArrow(where, "host string, seen string, has string").distinct().collect()
print("HOSTS", sorted(tuple(row) for row in rows))
spark.range(0, 1000, 1, 4).selectExpr("id", "id % 7 AS k").write.mode("overwrite").parquet(sys.argv[1])
print("ROWS", spark.read.parquet(sys.argv[1]).count(), "ON", socket.gethostname())
"""


_SLOW = """
import time
from pyspark.sql import SparkSession

spark = SparkSession.builder.getOrCreate()

def slowly(batches):
    for batch in batches:
        time.sleep(2)
        yield batch

rows = spark.range(0, 120, 1, 40).mapInArrow(slowly, "id long")
groups = rows.selectExpr("id % 30 AS k").groupBy("k").count().toPandas()
print(f"{groups['count'].sum()} rows, {len(groups)} groups")
"""


def _program(folder: Path, settings: dict[str, str], remote: str = "") -> Mount:
    """A folder with the job and Spark's settings, as a mount of the host that starts it."""
    hidden = [str(Path(__file__).resolve().parent), str(folder)]
    text = _PROGRAM.format(remote=f".remote({remote!r})" if remote else "", hidden=hidden)
    (folder / "job.py").write_text(text)
    write_defaults(folder / "conf", _QUICK | settings)
    return Mount(folder, _JOB)


def _workers(*names: str) -> str:
    """The line that the job prints if tasks ran on these hosts, which neither see the driver's files nor have Headwater."""
    return f"HOSTS {[(name, '[]', 'False') for name in names]}"


def _run(network: Network, mount: Mount, *more: Mount, target: str, name: str = "plain") -> Finished:
    host = network.host(name, plain_python(), mount, *more)
    try:
        return host.run([PYTHON, _JOB / "job.py", target], spark_environment(SPARK_CONF_DIR=str(_JOB / "conf")))
    finally:
        network.remove(host)


def test_hosts_see_nothing_of_each_other(network: Network) -> None:
    one, two = network.host("one"), network.host("two")
    (one.disk / "mine").write_text("private")
    assert one.run(["hostname"]).out == "one\n"
    assert one.run(["cat", "/tmp/mine"]).out == "private"
    assert two.run(["ls", "/tmp"]).out == ""
    assert two.run(["ls", str(Path(__file__).parent)]).code != 0
    ping = ["sh", "-c", "timeout 5 bash -c 'echo > /dev/tcp/one/9' 2>&1"]
    assert "refused" in two.run(ping).out, "one answers"
    one.cut_off()
    assert "refused" not in two.run(ping).out, "one is silent"
    one.plug_in()
    assert "refused" in two.run(ping).out, "one answers again"
    for host in (one, two):
        network.remove(host)


def test_two_hosts_read_and_write_s3(network: Network, s3: S3, standalone: Standalone, tmp_path: Path) -> None:
    s3.make_bucket("parts")
    mount = _program(tmp_path, s3.spark_settings() | {"spark.master": standalone.url})
    done = _run(network, mount, s3a_jars(), target="s3a://parts/table")
    assert done.code == 0, done.err[-3000:]
    assert _workers("worker1", "worker2") in done.out
    assert "ROWS 1000" in done.out
    assert "table/_SUCCESS" in s3.keys("parts")


def test_a_job_survives_that_a_worker_host_is_cut_off(
    network: Network, standalone: Standalone, tmp_path: Path, report: Report
) -> None:
    (tmp_path / "job.py").write_text(_SLOW)
    write_defaults(tmp_path / "conf", _QUICK | {"spark.master": standalone.url})
    host, lost = network.host("plain", plain_python(), Mount(tmp_path, _JOB)), standalone.workers[-1]
    with report.timed("plain job of 40 s, one of two hosts cut off"):
        process = host.open([PYTHON, _JOB / "job.py"], spark_environment(SPARK_CONF_DIR=str(_JOB / "conf")))
        wait_until(lambda: any("pyspark.daemon" in line for line in lost.processes().values()), "tasks run there")
        lost.cut_off()
        done = ended(process, 400)
        lost.plug_in()
    network.remove(host)
    assert (done.code, done.out) == (0, "120 rows, 30 groups\n"), done.err[-3000:]


def test_s3_checks_credentials(network: Network, maven: None) -> None:
    s3 = S3(network, "checked")
    s3.make_bucket("parts")
    s3.require_credentials()
    builder = s3.user("builder", allow("s3:*"))
    admin, s3.admin = s3.admin, builder
    assert s3.keys("parts") == []
    s3.admin = Key(builder.id, "wrong")
    with pytest.raises(RuntimeError, match="SignatureDoesNotMatch"):
        s3.keys("parts")
    s3.admin = admin
    s3.policy("builder", allow("s3:*"), deny("s3:ListBucket"))
    s3.admin = builder
    with pytest.raises(RuntimeError, match="AccessDenied"):
        s3.keys("parts")
    s3.close()


def test_yarn_runs_a_job_in_cluster_mode_on_hdfs(network: Network, hadoop: Hadoop, tmp_path: Path) -> None:
    mount = _program(tmp_path, hadoop.spark_settings() | {"spark.executor.instances": "2"})
    edge = network.host("plain", plain_python(), mount, *hadoop.mounts)
    submit = [str(SPARK_HOME / "bin" / "spark-submit"), "--master", "yarn", "--deploy-mode", "cluster"]
    known = spark_environment(SPARK_CONF_DIR=str(_JOB / "conf"), HADOOP_CONF_DIR=str(CONF))
    done = edge.run([*submit, _JOB / "job.py", "/table"], known)
    network.remove(edge)
    assert done.code == 0, done.err[-3000:]
    assert _workers("node1", "node2") in hadoop.container_output()
    assert "ROWS 1000 ON node" in hadoop.container_output()
    assert "/table/_SUCCESS" in hadoop.files("/table")


def test_a_connect_server_runs_tasks_on_its_own_host(
    network: Network, s3: S3, connect: Connect, tmp_path: Path
) -> None:
    s3.make_bucket("connect")
    done = _run(network, _program(tmp_path, {}, connect.remote), target="s3a://connect/table")
    assert done.code == 0, done.err[-3000:]
    assert _workers("connect") in done.out
    assert "ROWS 1000 ON plain" in done.out
