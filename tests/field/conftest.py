"""The parts of the field as fixtures, and the report at the end of `make field`.

Parts that need much memory live as long as one module; the network and S3 live as long as the run.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from build_process import build
from field import cache
from field.connect import Connect
from field.corpus import EXIT_CODE, inputs, write_corpus
from field.digests import describe
from field.hadoop import Hadoop
from field.hosts import Network, why_not
from field.product import Described
from field.report import Report
from field.s3 import S3, s3a_jars
from field.standalone import Standalone

_REPORT = pytest.StashKey[Report]()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_REPORT] = Report()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    for line in config.stash[_REPORT].lines():
        terminalreporter.write_line(line)
    skipped = terminalreporter.stats.get("skipped", [])
    terminalreporter.write_line("")
    terminalreporter.write_line(f"Skipped: {len(skipped)}")
    for each in skipped:
        reason = each.longrepr[2] if isinstance(each.longrepr, tuple) else str(each.longrepr)
        terminalreporter.write_line(f"  {each.nodeid}: {reason.removeprefix('Skipped: ')}")


@pytest.fixture(scope="session")
def report(request: pytest.FixtureRequest) -> Report:
    """What the run prints at its end."""
    return request.config.stash[_REPORT]


@pytest.fixture(scope="session")
def network() -> Iterator[Network]:
    """The bridge that all hosts are on."""
    reason = why_not()
    if reason:
        pytest.skip(reason)
    if not shutil.which("java"):
        pytest.skip("no Java on this machine")
    with Network() as made:
        yield made


@pytest.fixture(scope="session")
def maven() -> None:
    """Maven, for jars that are not in the cache yet."""
    if not shutil.which("mvn") and not any(cache.CACHE.glob("jars/*/ready")):
        pytest.skip("no Maven on this machine (mvn), and no jars in the cache")


@pytest.fixture(scope="session")
def s3(network: Network, maven: None) -> S3:
    """S3 that anyone may use."""
    return S3(network)


@pytest.fixture(scope="module")
def standalone(network: Network, maven: None) -> Iterator[Standalone]:
    """A master and two workers, with the jars of S3A."""
    made = Standalone(network, s3a_jars())
    yield made
    made.close()


@pytest.fixture(scope="module")
def hadoop(network: Network, maven: None, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hadoop]:
    """HDFS and YARN on two nodes."""
    made = Hadoop(network, tmp_path_factory.mktemp("hadoop"))
    yield made
    made.close()


@pytest.fixture(scope="module")
def connect(network: Network, s3: S3) -> Iterator[Connect]:
    """A Connect server that knows S3."""
    made = Connect(network, s3a_jars(), settings=s3.spark_settings())
    yield made
    made.close()


@pytest.fixture(scope="session")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """20,000 statements on the machine's disk."""
    return write_corpus(tmp_path_factory.mktemp("corpus"))


@pytest.fixture(scope="session")
def expected(corpus: Path, report: Report) -> Described:
    """The local build of the corpus: the answer that all others must give."""
    with report.timed("local build, 20,000 statements"):
        done = build(corpus, *inputs(""), "-o", "expected", timeout=600)
    assert (done.code, done.err) == (EXIT_CODE, "")
    found = Described(**describe(corpus / "expected"))
    assert found.statements == 20_000
    return found


@pytest.fixture(scope="session")
def corpus_on_s3(corpus: Path, s3: S3) -> str:
    """The corpus in a bucket."""
    s3.make_bucket("corpus")
    for folder in ("sql", "logs"):
        s3.upload(corpus / folder, "corpus", folder)
    return "s3a://corpus/"
