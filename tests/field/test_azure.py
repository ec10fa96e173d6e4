"""A store in Azure's blob store, for readers: what was built on disk and copied there answers the same."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from field.azure import Azure, why_not
from field.corpus import write_small
from field.hosts import Network
from field.product import User


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
