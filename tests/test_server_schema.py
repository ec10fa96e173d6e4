"""The API's description is what the API does: every operation is asked what the description allows and what it forbids.

What answers is checked against the description: no status and no shape that it does not name, and never an error of the server.
"""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from fastapi.routing import APIRoute
from hypothesis import HealthCheck, settings
from schemathesis.checks import CHECKS

from headwater.server.api import api
from headwater.server.app import application
from headwater.server.openapi import document
from headwater.server.settings import Settings
from servers import LINES, ONE_AT_A_TIME, ROOT
from stores import make_store

WEB = ROOT / "web"
GENERATOR = WEB / "node_modules" / ".bin" / "openapi-typescript"
HELD = CHECKS.get_by_names(["not_a_server_error", "status_code_conformance", "response_schema_conformance"])


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    store = make_store(tmp_path_factory.mktemp("described") / "shop", LINES)
    app = application(store.path, Settings(allowed_hosts=("testserver",), playground=ONE_AT_A_TIME))
    yield schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)
    asyncio.run(app.state.analysts.stop())


schema = schemathesis.pytest.from_fixture("described")


@pytest.mark.slow
@schema.parametrize()
@settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_every_operation_keeps_to_its_description(case: Any) -> None:
    if _unfinished(case.operation.label):
        return
    case.call_and_validate(checks=HELD)


def _unfinished(label: str) -> bool:
    return label in UNFINISHED


UNFINISHED = {
    f"{method} {route.path}"
    for route in api().routes
    if isinstance(route, APIRoute) and "NotImplementedError" in route.endpoint.__code__.co_names
    for method in route.methods
}


def test_the_description_is_the_same_each_time() -> None:
    other = subprocess.run(
        [sys.executable, "-m", "headwater.server.openapi"],
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert other.stdout == document()


@pytest.mark.skipif(not GENERATOR.is_file(), reason="the page's packages are not installed: make page")
def test_the_types_of_the_page_are_made_of_the_description(tmp_path: Path) -> None:
    (tmp_path / "openapi.json").write_text(document())
    made = tmp_path / "schema.d.ts"
    subprocess.run([GENERATOR, tmp_path / "openapi.json", "-o", made], cwd=WEB, check=True, capture_output=True)
    assert made.read_text() == (WEB / "src" / "api" / "schema.d.ts").read_text(), "run `make client`"
