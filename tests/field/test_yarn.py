"""A build on YARN in cluster mode, with input and store on HDFS: the driver runs on a node, too, and nodes have no Headwater."""

from __future__ import annotations

from pathlib import Path

from field.corpus import inputs
from field.digests import describe
from field.hadoop import CONF, Hadoop
from field.hosts import Network
from field.product import Described, User
from field.report import Report
from field.standalone import SPARK_HOME

_MAIN = "from headwater.cli.main import main\n\nmain()\n"
_SETTINGS = {"spark.executor.instances": "2", "spark.driver.memory": "1g", "spark.executor.memory": "1g"}


def test_a_build_in_cluster_mode(
    network: Network, hadoop: Hadoop, corpus: Path, expected: Described, report: Report, tmp_path: Path
) -> None:
    for folder in ("sql", "logs"):
        hadoop.upload(corpus / folder, f"/{folder}")
    user = User(network, "edge", hadoop.spark_settings() | _SETTINGS, *hadoop.mounts)
    env = {"HADOOP_CONF_DIR": str(CONF), "SPARK_HOME": str(SPARK_HOME)}
    (user.folder / "main.py").write_text(_MAIN)
    with report.timed("headwater spark pack"):
        packed = user.run("spark", "pack", "-o", "environment.tar.gz", env=env)
    assert (packed.code, packed.err) == (0, "")
    python = "./environment/bin/python"
    submit = [
        *(str(SPARK_HOME / "bin" / "spark-submit"), "--master", "yarn", "--deploy-mode", "cluster"),
        *("--archives", "environment.tar.gz#environment"),
        *(
            "--conf",
            f"spark.yarn.appMasterEnv.PYSPARK_PYTHON={python}",
            "--conf",
            f"spark.executorEnv.PYSPARK_PYTHON={python}",
        ),
        *(
            "main.py",
            "build",
            *inputs("hdfs://namenode:8020/"),
            "-o",
            "hdfs://namenode:8020/store",
            "--fail-on",
            "never",
        ),
    ]
    with report.timed("YARN in cluster mode, HDFS, 20,000 statements"):
        done = user.host.run(submit, user.environment(env | {"PYSPARK_PYTHON": python}), 900, "/tmp/work")
    assert done.code == 0, hadoop.container_output() + hadoop.container_output("stderr")[-3000:]
    found = Described(**describe(hadoop.download("/store", tmp_path / "store")))
    assert found.digest == expected.digest
    read = user.describe("hdfs://namenode:8020/store", env)
    assert read is not None
    assert read.digest == expected.digest, "a reader reaches HDFS without Spark"
    user.close()
