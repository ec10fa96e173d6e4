"""The API's description is what the API does: every operation is asked what the description allows and what it forbids.

What answers is checked against the description: no status and no shape that it does not name, and never an error of the server.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.python import asgi
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance

from headwater.server.app import application
from headwater.server.openapi import document
from headwater.server.settings import Settings
from servers import LINES, ONE_AT_A_TIME, ROOT
from stores import make_store

WEB = ROOT / "web"
GENERATOR = WEB / "node_modules" / ".bin" / "openapi-typescript"
HELD = [not_a_server_error, status_code_conformance, response_schema_conformance]


@pytest.fixture(scope="module")
def described(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """The description, and a client of what it describes."""
    store = make_store(tmp_path_factory.mktemp("described") / "shop", LINES)
    app = application(store.path, Settings(allowed_hosts=("testserver",), playground=ONE_AT_A_TIME))
    schema = schemathesis.openapi.from_asgi("/api/v1/openapi.json", app)
    with asgi.get_client(app) as client:  # one for all: the server begins and ends with its client
        yield schema, client


OPERATIONS = [
    pytest.param(path, method, id=operation["operationId"])
    for path, methods in application().openapi()["paths"].items()
    for method, operation in methods.items()
]


def test_there_are_operations() -> None:
    assert {"about", "analyze", "analyze_export", "search", "neighbourhood", "impact", "diff"} <= {
        each.id for each in OPERATIONS
    }


@pytest.mark.slow
@pytest.mark.parametrize("mode", list(GenerationMode))
@pytest.mark.parametrize(("path", "method"), OPERATIONS)
def test_an_operation_keeps_to_its_description(path: str, method: str, mode: GenerationMode, described: Any) -> None:
    schema, client = described

    @settings(max_examples=25, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
    @given(case=schema[path][method.upper()].as_strategy(generation_mode=mode))
    def holds(case: Any) -> None:
        case.call_and_validate(checks=HELD, session=client)

    with suppress(Unsatisfiable):  # what has no parameters cannot be asked wrongly
        holds()


@pytest.mark.slow
def test_the_description_is_the_same_each_time() -> None:
    other = subprocess.run(
        [sys.executable, "-m", "headwater.server.openapi"],
        env={"PYTHONPATH": str(ROOT / "src"), "PYTHONHASHSEED": "7"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert other.stdout == document()


@pytest.mark.slow
@pytest.mark.skipif(not GENERATOR.is_file(), reason="the page's packages are not installed: make page")
def test_the_types_of_the_page_are_made_of_the_description(tmp_path: Path) -> None:
    (tmp_path / "openapi.json").write_text(document())
    made = tmp_path / "schema.d.ts"
    subprocess.run([GENERATOR, tmp_path / "openapi.json", "-o", made], cwd=WEB, check=True, capture_output=True)
    assert made.read_text() == (WEB / "src" / "api" / "schema.d.ts").read_text(), "run `make client`"
