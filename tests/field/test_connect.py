"""A build through Spark Connect: the server's host has neither Headwater nor the client's files."""

from __future__ import annotations

from field.connect import Connect
from field.corpus import EXIT_CODE, inputs
from field.hosts import Network
from field.product import Described, User
from field.report import Report
from field.s3 import S3


def test_a_build_through_connect(
    network: Network, s3: S3, connect: Connect, corpus_on_s3: str, expected: Described, report: Report
) -> None:
    s3.make_bucket("connected")
    user = User(network, "client", {})
    store, env = "s3a://connected/store", s3.reader_environment() | {"SPARK_REMOTE": connect.remote}
    with report.timed("Spark Connect, S3, 20,000 statements"):
        done = user.run("build", *inputs(corpus_on_s3), "-o", store, env=env)
    assert (done.code, done.err) == (EXIT_CODE, "")
    found = user.describe(store, s3.reader_environment())
    assert found is not None
    assert found.digest == expected.digest
    user.close()
