"""On which Spark headwater runs, and with which settings: the rules of `runtime.session`, in their order."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from build_process import environment
from headwater.runtime.launch import LOCAL, Launch
from headwater.runtime.session import SparkUnavailable, spark_session
from headwater.runtime.spark_defaults import configured

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("spark")]

_JOB = """
import json, sys
from headwater.runtime.build_session import build_session
from headwater.runtime.session import spark_session

with spark_session(*sys.argv[1:]) as spark, build_session(spark) as building:
    context = spark.sparkContext
    keys = ["spark.master", "spark.app.name", "spark.driver.memory", "spark.driver.host", "spark.ui.enabled", "spark.test.own"]
    said = {key: context.getConf().get(key) for key in keys}
    said["zones"] = [each.conf.get("spark.sql.session.timeZone") for each in (spark, building)]
    said["partitions"] = spark.conf.get("spark.sql.shuffle.partitions")
    print("SAID", json.dumps(said), flush=True)
"""
_MASTERS = ("yarn", "k8s://https://host:6443", "spark://host:7077", "local-cluster[2,1,1024]")


def _said(ran: subprocess.CompletedProcess[str]) -> dict[str, Any]:
    assert ran.returncode == 0, ran.stderr[-3000:]
    [line] = [line for line in ran.stdout.splitlines() if line.startswith("SAID ")]
    found: dict[str, Any] = json.loads(line.removeprefix("SAID "))
    return found


def _job(folder: Path) -> Path:
    path = folder / "job.py"
    path.write_text(_JOB)
    return path


def test_an_active_session_is_used_as_it_is(spark: SparkSession) -> None:
    with spark_session("local[7]", {"spark.test.own": "x"}) as found:
        assert found is spark
    assert spark.sparkContext._jsc is not None, "it was not stopped"
    assert spark.conf.get("spark.test.own", None) is None


def test_inside_of_spark_submit_its_master_and_settings_apply(tmp_path: Path) -> None:
    import pyspark

    from headwater.runtime.java import java_home

    conf = tmp_path / "conf"
    conf.mkdir()
    (conf / "spark-defaults.conf").write_text("spark.test.own  from-defaults\nspark.sql.session.timeZone Asia/Tokyo\n")
    home = Path(pyspark.__file__).parent
    command = [home / "bin" / "spark-submit", "--master", "local[3]", "--conf", "spark.sql.shuffle.partitions=7"]
    ran = subprocess.run(
        [*map(str, command), "--conf", "spark.driver.memory=777m", str(_job(tmp_path)), "local[1]"],
        env=environment(SPARK_CONF_DIR=str(conf), JAVA_HOME=str(java_home()), PYSPARK_PYTHON=sys.executable),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    said = _said(ran)
    assert said["spark.master"] == "local[3]", "the master of spark-submit, not the one that was named"
    assert (said["spark.driver.memory"], said["partitions"], said["spark.test.own"]) == ("777m", "7", "from-defaults")
    assert said["spark.app.name"] == "job.py"
    assert said["spark.ui.enabled"] is None, "no setting of ours"
    assert said["zones"] == ["Asia/Tokyo", "UTC"], "the build has a session of its own"


def test_the_master_of_the_users_configuration(tmp_path: Path) -> None:
    conf = tmp_path / "conf"
    conf.mkdir()
    (conf / "spark-defaults.conf").write_text(
        "# mine\nspark.master = local[3]\nspark.driver.memory 777m\nspark.test.own=1\n"
    )
    ran = subprocess.run(
        [sys.executable, str(_job(tmp_path))],
        env=environment(SPARK_CONF_DIR=str(conf)),
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    said = _said(ran)
    assert (said["spark.master"], said["spark.driver.memory"], said["spark.test.own"]) == ("local[3,4]", "777m", "1")
    assert said["spark.driver.host"] == "127.0.0.1"
    assert ran.stderr == "", "Spark is quiet"


@pytest.mark.parametrize("master", _MASTERS)
def test_a_cluster_gets_no_settings_for_one_machine(master: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SPARK_LOCAL_IP", "SPARK_CONF_DIR", "PYSPARK_PYTHON"):
        monkeypatch.delenv(name, raising=False)
    launch = Launch(master, {"spark.pyspark.python": "/opt/python"}, {})
    assert launch.master == master
    assert not {key for key in launch.settings() if key.startswith(("spark.driver.", "spark.ui.enabled"))}
    with launch.environment():
        assert "SPARK_LOCAL_IP" not in os.environ
        assert "SPARK_CONF_DIR" not in os.environ
        assert os.environ["PYSPARK_PYTHON"] == "/opt/python"
    assert "PYSPARK_PYTHON" not in os.environ
    with Launch(master, {}, {}).environment():
        assert "PYSPARK_PYTHON" not in os.environ, "the workers' own Python"


def test_a_local_spark_is_for_this_machine_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("SPARK_LOCAL_IP", "PYSPARK_PYTHON"):
        monkeypatch.delenv(name, raising=False)
    launch = Launch(LOCAL, {"spark.sql.shuffle.partitions": "3"}, {"spark.driver.memory": "9g"})
    assert launch.settings()["spark.sql.shuffle.partitions"] == "3"
    assert "spark.driver.memory" not in launch.settings(), "the user has configured it"
    with launch.environment():
        assert (os.environ["SPARK_LOCAL_IP"], os.environ["PYSPARK_PYTHON"]) == ("127.0.0.1", sys.executable)
    assert Launch("local", {}, {}).master == "local[1,4]"
    assert Launch("local[2,9]", {}, {}).master == "local[2,9]"


def test_what_the_user_has_configured_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "conf").mkdir()
    (tmp_path / "conf" / "spark-defaults.conf").write_text("spark.master yarn\nspark.a 1\n")
    monkeypatch.delenv("SPARK_CONF_DIR", raising=False)
    monkeypatch.setenv("SPARK_HOME", str(tmp_path))
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--conf spark.a=2 pyspark-shell")
    assert configured() == {"spark.master": "yarn", "spark.a": "2"}
    monkeypatch.setenv("SPARK_CONF_DIR", str(tmp_path / "nowhere"))
    monkeypatch.setenv("PYSPARK_SUBMIT_ARGS", "--master local[1] pyspark-shell")
    assert configured() == {"spark.master": "local[1]"}


@pytest.mark.parametrize(
    ("master", "remote", "said"),
    [
        (
            "sc://127.0.0.1:1/;token=secret",
            "",
            "there is no Spark Connect server at sc://127.0.0.1:1: Connection refused",
        ),
        (None, "sc://127.0.0.1:1", "there is no Spark Connect server at sc://127.0.0.1:1: Connection refused"),
        (
            "spark://127.0.0.1:1",
            "sc://127.0.0.1:2",
            "there is no Spark master at spark://127.0.0.1:1: Connection refused",
        ),
    ],
)
def test_a_server_that_is_not_there_is_refused_at_once(
    master: str | None, remote: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    from headwater.runtime import session

    monkeypatch.setattr(session, "active_session", lambda: None)
    monkeypatch.setenv("SPARK_REMOTE", remote)
    with pytest.raises(SparkUnavailable) as refused, spark_session(master):
        pass
    assert str(refused.value) == said
