"""Servers for tests: asked in this process, or running as a process of their own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from fastapi.testclient import TestClient

from headwater.server.app import application
from headwater.server.playground.limits import Limits
from headwater.server.settings import Settings

ROOT = Path(__file__).resolve().parent.parent
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(ROOT / "src")}
ADDRESS = "http://127.0.0.1:8765"
ONE_AT_A_TIME = Limits(workers=1)

LINES = """
    raw.orders.amount -> mart.sales.revenue AGGREGATION = sum(amount) @ sales.sql:3 Insert
    raw.orders.status -> mart.sales.rows FILTER @ sales.sql:3 Insert
    view mart.sales
    column raw.orders.id int
"""
"""A store with two tables, four columns and a row set."""


@contextmanager
def asked(store: Path | None = None, settings: Settings | None = None) -> Iterator[TestClient]:
    """A client of an application in this process, which has begun and will end."""
    app = application(store, settings or Settings(playground=ONE_AT_A_TIME))
    with TestClient(app, base_url=ADDRESS, follow_redirects=False) as client:
        yield client


class Running(NamedTuple):
    """A server that runs as a process of its own."""

    process: subprocess.Popen[str]
    said: str
    address: str


@contextmanager
def running(*arguments: str | Path, folder: Path | None = None, **environment: str) -> Iterator[Running]:
    """`headwater serve`, on a port that is free."""
    process = subprocess.Popen(
        [sys.executable, "-m", "headwater", "serve", *map(str, arguments), "--port", "0"],
        cwd=folder,
        env={**ENVIRONMENT, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stdout is not None
        said = process.stdout.readline()
        found = re.search(r"http://\S+?/(?=\s|\?)", said)
        assert found, said or process.communicate()
        yield Running(process, said, found[0])
    finally:
        process.terminate()
        process.communicate(timeout=60)


def analysed(client: TestClient, sql: str, **more: Any) -> dict[str, Any]:
    """The playground's answer to a script."""
    answer = client.post("/api/v1/analyze", json={"sql": sql, **more})
    assert answer.status_code == 200, answer.text
    found: dict[str, Any] = answer.json()
    return found
