"""Builds on two worker hosts that share no folder with the driver or with each other; input and store are on S3."""

from __future__ import annotations

import time
from collections.abc import Iterator

import pytest

from field.corpus import EXIT_CODE, inputs
from field.hosts import Network
from field.product import Described, User, ended
from field.report import Report
from field.s3 import S3, s3a_jars
from field.standalone import Standalone

_WHOLE = "two hosts, S3, 20,000 statements"


@pytest.fixture(scope="module")
def user(network: Network, s3: S3, standalone: Standalone) -> Iterator[User]:
    made = User(network, "user", s3.spark_settings() | {"spark.master": standalone.url}, s3a_jars())
    s3.make_bucket("stores")
    yield made
    made.close()


def test_two_hosts_without_a_shared_folder(
    user: User, s3: S3, standalone: Standalone, corpus_on_s3: str, expected: Described, report: Report
) -> None:
    store = "s3a://stores/whole"
    with report.timed(_WHOLE):
        done = user.run("build", *inputs(corpus_on_s3), "-o", store, env=s3.reader_environment())
    assert (done.code, done.err) == (EXIT_CODE, "")
    assert all(map(standalone.executors, standalone.workers)), "both hosts had their share"
    found = user.describe(store, s3.reader_environment())
    assert found is not None
    assert found.digest == expected.digest


def test_a_worker_host_is_cut_off_in_the_middle(
    user: User, s3: S3, standalone: Standalone, corpus_on_s3: str, expected: Described, report: Report
) -> None:
    store, lost = "s3a://stores/cut", standalone.workers[-1]
    earlier = len(standalone.executors(lost))
    with report.timed("two hosts, one cut off in the middle"):
        process = user.start("build", *inputs(corpus_on_s3), "-o", store, env=s3.reader_environment())
        time.sleep(report.seconds.get(_WHOLE, 60) / 2)
        assert process.poll() is None, ended(process)
        assert len(standalone.executors(lost)) > earlier, "the lost host had its share"
        lost.cut_off()
        try:
            done = ended(process)
        finally:
            lost.plug_in()
    assert (done.code, done.err) == (EXIT_CODE, "")
    found = user.describe(store, s3.reader_environment())
    assert found is not None
    assert found.digest == expected.digest
