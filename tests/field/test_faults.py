"""Builds that meet faults: nothing is published that is not whole, the exit code is 2, and one line says why.

The messages are collected and printed at the end of the run.
"""

from __future__ import annotations

import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from field.corpus import inputs, write_small
from field.hosts import Finished, Network, wait_until
from field.product import Described, User, ended
from field.report import Fault, Report
from field.s3 import S3, Key, allow, deny, s3a_jars
from field.standalone import Standalone

_LATER = "CREATE TABLE later AS SELECT name FROM mart"
_MAX_SECONDS_TO_GIVE_UP = 400


class Place(NamedTuple):
    """S3 that checks credentials, with a store of the small corpus in it, and the user who made that."""

    s3: S3
    user: User
    key: Key
    standalone: Standalone
    old: Described

    @property
    def env(self) -> dict[str, str]:
        return self.s3.reader_environment(self.key)


@pytest.fixture(scope="module")
def place(network: Network, maven: None, standalone: Standalone, corpus: Path) -> Iterator[Place]:
    s3 = S3(network, "s3checked")
    for bucket in ("input", "secret", "stores", "closed"):
        s3.make_bucket(bucket)
    user = User(network, "faulty", {}, s3a_jars())
    small = write_small(network.folder / "small")
    s3.upload(small, "input", "small")
    s3.upload(small, "secret", "small")
    s3.upload(write_small(network.folder / "small-later", _LATER), "input", "later")
    for folder in ("sql", "logs"):
        s3.upload(corpus / folder, "input", f"large/{folder}")
    s3.require_credentials()
    key = s3.user("builder", *_POLICY)
    user.configure(s3.spark_settings(key) | {"spark.master": standalone.url})
    env = s3.reader_environment(key)
    done = user.run("build", "s3a://input/small/sql", "-o", "s3a://stores/store", env=env)
    assert (done.code, done.err) == (0, "")
    old = user.describe("s3a://stores/store", env)
    assert old is not None
    yield Place(s3, user, key, standalone, old)
    user.close()
    s3.close()


_POLICY = (
    allow("s3:*"),
    deny("s3:*", on="arn:aws:s3:::secret*"),
    deny("s3:PutObject", on="arn:aws:s3:::closed*"),
)


def _refused(report: Report, case: str, done: Finished, published: bool) -> None:
    """Note a build that could not run, and check that it said so in one line."""
    lines = done.err.strip().splitlines()
    report.faults.append(Fault(case, done.code, "yes" if published else "no", lines[0] if lines else ""))
    assert not published
    assert done.code == 2, done
    assert len(lines) == 1, done.err
    assert "Traceback" not in done.err


_UNREADABLE = {
    "input in a bucket that does not exist": "s3a://nowhere/sql",
    "input in a folder that does not exist": "s3a://input/nowhere/sql",
    "input that may not be read": "s3a://secret/small/sql",
    "input on a disk that neither the driver nor the workers have": "file:///tmp/nowhere/sql",
}


@pytest.mark.parametrize("case", _UNREADABLE)
def test_input_that_cannot_be_read(place: Place, report: Report, case: str) -> None:
    done = place.user.run("build", _UNREADABLE[case], "-o", "s3a://stores/store", env=place.env)
    now = place.user.describe("s3a://stores/store", place.env)
    _refused(report, case, done, now != place.old)


def test_the_driver_sends_what_only_its_own_disk_has(place: Place) -> None:
    write_small(place.user.folder)
    done = place.user.run("build", "file:///tmp/work/sql", "-o", "s3a://stores/from-disk", env=place.env)
    assert (done.code, done.err) == (0, "")
    found = place.user.describe("s3a://stores/from-disk", place.env)
    assert found is not None
    assert found.statements == place.old.statements


_UNWRITABLE = {
    "store in a bucket that does not exist": "s3a://nowhere/store",
    "store that may not be written": "s3a://closed/store",
    "store on a disk that is read only": "/usr/store",
}


@pytest.mark.parametrize("case", _UNWRITABLE)
def test_store_that_cannot_be_written(place: Place, report: Report, case: str) -> None:
    done = place.user.run("build", "s3a://input/small/sql", "-o", _UNWRITABLE[case], env=place.env)
    _refused(report, case, done, bool(place.s3.keys("closed")))


def test_a_disk_that_workers_do_not_see_can_hold_the_store(place: Place) -> None:
    """Or the build says in one line that it cannot; either way nothing half is left."""
    done = place.user.run("build", "s3a://input/small/sql", "-o", "/tmp/work/on-disk", env=place.env)
    if done.code:
        assert (done.code, len(done.err.splitlines())) == (2, 1), done
        assert not [*place.user.folder.glob("on-disk/snapshots/*")]
    else:
        found = place.user.describe("/tmp/work/on-disk", place.env)
        assert found is not None
        assert found.digest == place.old.digest


def test_credentials_are_lost_in_the_middle(place: Place, report: Report) -> None:
    process = place.user.start("build", *inputs("s3a://input/large/"), "-o", "s3a://stores/store", env=place.env)
    _wait_for_tasks(place, process)
    place.s3.policy("builder", deny("s3:*"))
    try:
        done = ended(process, _MAX_SECONDS_TO_GIVE_UP)
    finally:
        place.s3.policy("builder", *_POLICY)
    now = place.user.describe("s3a://stores/store", place.env)
    _refused(report, "credentials lost in the middle", done, now != place.old)


def test_the_object_store_goes_silent_in_the_middle(place: Place, report: Report) -> None:
    process = place.user.start("build", *inputs("s3a://input/large/"), "-o", "s3a://stores/store", env=place.env)
    _wait_for_tasks(place, process)
    place.s3.host.cut_off()
    try:
        done = ended(process, _MAX_SECONDS_TO_GIVE_UP)
    finally:
        place.s3.host.plug_in()
    now = place.user.describe("s3a://stores/store", place.env)
    _refused(report, "object store silent in the middle", done, now != place.old)


def _wait_for_tasks(place: Place, process: subprocess.Popen[str]) -> None:
    """Wait until Python tasks have run for some seconds on a worker host."""
    workers = place.standalone.workers
    wait_until(
        lambda: any("pyspark.daemon" in line for host in workers for line in host.processes().values()),
        "tasks run on the workers",
        300,
    )
    time.sleep(10)
    assert process.poll() is None, ended(process)


@pytest.mark.parametrize("where", ["S3", "disk"])
def test_two_builds_at_once(place: Place, report: Report, where: str) -> None:
    """One publishes; the other says who was faster, or publishes after it. No snapshot is lost, and each is whole."""
    store = "s3a://stores/at-once" if where == "S3" else "/tmp/work/at-once"
    options = [] if where == "S3" else ["--master", "local[1]"]
    env = place.env if where == "S3" else place.env | {"PYSPARK_PYTHON": place.user.python}
    sources = ["s3a://input/small/sql", "s3a://input/later/sql"]
    if where == "disk":
        write_small(place.user.folder / "small")
        write_small(place.user.folder / "later", _LATER)
        sources = ["small/sql", "later/sql"]
    alone = []
    for number, source in enumerate(sources):
        done = place.user.run("build", source, "-o", f"{store}-{number}", *options, env=env)
        assert (done.code, done.err) == (0, "")
        found = place.user.describe(f"{store}-{number}", place.env)
        assert found is not None
        alone.append(found.digest)
    one_core = ["--spark", "spark.cores.max=1"]
    both = [place.user.start("build", source, "-o", store, *options, *one_core, env=env) for source in sources]
    results = [ended(process) for process in both]
    found = place.user.describe(store, place.env)
    assert found is not None
    for done in results:
        message = done.err.strip() or done.out.strip().splitlines()[-1]
        whole = "yes" if done.code == 0 else "no"
        report.faults.append(Fault(f"two builds at once on {where}", done.code, whole, message))
        assert done.code in (0, 2)
        assert len(done.err.splitlines()) == (1 if done.code else 0), done.err
    published = sum(done.code == 0 for done in results)
    assert published >= 1
    assert found.snapshots == published
    assert found.digest in alone
