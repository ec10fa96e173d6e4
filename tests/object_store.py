"""An S3 of the tests' own: moto's server, on this machine, in this process."""

from __future__ import annotations

import urllib.request
from collections.abc import Iterator

import pytest

_KEYS = {"AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": "us-east-1"}


@pytest.fixture(scope="session")
def s3_server() -> Iterator[str]:
    """The address of the server."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    yield f"http://{host}:{port}"
    server.stop()


@pytest.fixture
def bucket(s3_server: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> str:
    """A bucket of the test's own, as a URI; the environment says how it is reached."""
    for name, value in {**_KEYS, "AWS_ENDPOINT_URL": s3_server}.items():
        monkeypatch.setenv(name, value)
    name = f"bucket-{abs(hash(request.node.nodeid)):x}"
    urllib.request.urlopen(urllib.request.Request(f"{s3_server}/{name}", method="PUT"), timeout=10).close()
    return f"s3://{name}"
