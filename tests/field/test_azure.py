"""A store in Azure's blob store, for readers: what was built on disk and copied there answers the same."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from build_process import environment
from field.azure import Azure, why_not
from field.corpus import write_small
from field.hosts import Network
from field.product import User
from stores import make_store


@pytest.fixture(scope="module")
def azure(network: Network) -> Iterator[Azure]:
    reason = why_not()
    if reason:
        pytest.skip(reason)
    made = Azure(network)
    made.client("container", "stores")
    yield made
    made.close()


def test_azure_has_conditional_writes(azure: Azure) -> None:
    assert azure.client("twice", "stores", "x") == ["written", "AlreadyExistsError", "written", "PreconditionError"]


def test_a_store_is_read_from_azure(network: Network, azure: Azure) -> None:
    user = User(network, "reader", {})
    write_small(user.folder)
    done = user.run("build", "sql", "-o", "store", env={"PYSPARK_PYTHON": user.python})
    assert (done.code, done.err) == (0, "")
    azure.client("upload", str(user.folder / "store"), "stores", "store")
    found = user.describe("az://stores/store", azure.reader_environment())
    assert found == user.describe("store")
    user.close()


def test_iceberg_tables_are_written_to_azure(azure: Azure, tmp_path: Path) -> None:
    """Not Delta tables: azurite ignores where a listing should start, and delta-rs then refuses the second commit."""
    command = [sys.executable, "-m", "headwater", "export", "lineage", "--format", "iceberg", "-o", "az://stores/lake"]
    told = []
    for lines in ("t.a -> u.b", "t.a -> u.b\nt.c -> u.d"):
        make_store(tmp_path / "lineage", lines)
        for _ in range(2):
            env = environment(**azure.reader_environment())
            done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
            told.append((done.returncode, done.stderr.rpartition(": ")[2].partition(" columns")[0].strip()))
    once, again = (0, "1 relations, 2"), (0, "2 relations, 4")
    nothing = (0, "nothing was written")
    assert told == [once, nothing, again, nothing]
