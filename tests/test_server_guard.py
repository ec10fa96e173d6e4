"""Who may ask, and how much."""

from __future__ import annotations

import asyncio
import logging
import socket
import threading
from collections.abc import Coroutine, Iterator

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send

from headwater.server import hasty
from headwater.server.app import application
from headwater.server.guard.crowd import CrowdLimit
from headwater.server.guard.time_limit import TimeLimit
from headwater.server.run import listening, running
from headwater.server.settings import Settings
from servers import ADDRESS, ONE_AT_A_TIME, asked

TOKEN = "open sesame & more"
ABOUT = "/api/v1/about"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    with asked() as client:
        yield client


@pytest.fixture(scope="module")
def closed() -> Iterator[TestClient]:
    """A server that others can reach."""
    settings = Settings("0.0.0.0", ("lineage.example.com",), TOKEN, playground=ONE_AT_A_TIME)
    with asked(settings=settings) as client:
        yield client


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost:8765", "LOCALHOST", "[::1]:8765", "localhost.:80"])
def test_our_own_names(client: TestClient, host: str) -> None:
    assert client.get(ABOUT, headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "host",
    ["evil.example", "127.0.0.1.evil.example", "localhost@evil.example", "10.0.0.1", "", "[::1", "evil:127.0.0.1"],
)
def test_other_names(client: TestClient, host: str) -> None:
    answer = client.get(ABOUT, headers={"Host": host})
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong-host")
    assert client.get("/", headers={"Host": host}).status_code == 403


def test_two_hosts_are_none(client: TestClient) -> None:
    answer = client.get(ABOUT, headers=[("Host", "127.0.0.1"), ("Host", "evil.example")])
    assert answer.status_code == 403


def test_a_name_that_was_allowed_and_any_address(closed: TestClient) -> None:
    known = {"Authorization": f"Bearer {TOKEN}"}
    for host in ("lineage.example.com", "192.168.1.7:8765", "127.0.0.1"):
        assert closed.get(ABOUT, headers={**known, "Host": host}).status_code == 200
    assert closed.get(ABOUT, headers={**known, "Host": "evil.example"}).status_code == 403


@pytest.mark.slow
def test_our_own_page_may_ask(client: TestClient) -> None:
    ours = {"Origin": ADDRESS, "Sec-Fetch-Site": "same-origin"}
    assert client.get(ABOUT, headers=ours).status_code == 200
    assert client.post("/api/v1/analyze", json={"sql": "SELECT 1"}, headers=ours).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "http://127.0.0.1:9999", "null", "http://127.0.0.1:8765.evil.example", "http://["]
)
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS"])
def test_no_other_page_may_ask(client: TestClient, method: str, origin: str) -> None:
    answer = client.request(method, ABOUT, headers={"Origin": origin})
    assert (answer.status_code, answer.json()["code"]) == (403, "wrong-origin")
    assert "access-control-allow-origin" not in answer.headers


def test_a_request_that_another_site_made_without_an_origin(client: TestClient) -> None:
    for site in ("cross-site", "same-site"):
        assert client.get(ABOUT, headers={"Sec-Fetch-Site": site}).status_code == 403
        assert client.get("/metrics", headers={"Sec-Fetch-Site": site}).status_code == 403
    assert client.get("/table", headers={"Sec-Fetch-Site": "cross-site"}).status_code != 403  # a link that is followed


def test_without_the_token(closed: TestClient) -> None:
    for path in (ABOUT, "/api/v1/openapi.json", "/metrics", "/api/v1/nothing"):
        answer = closed.get(path)
        assert (answer.status_code, answer.json()["code"]) == (401, "no-token")
        assert answer.headers["www-authenticate"] == "Bearer"
    assert closed.get("/healthz").status_code == 200


@pytest.mark.parametrize("given", ["Bearer wrong", "Bearer ", "Basic open", TOKEN, "Bearer \u00e4"])
def test_with_another_token(closed: TestClient, given: str) -> None:
    assert closed.get(ABOUT, headers={"Authorization": given.encode("latin-1")}).status_code == 401


def test_the_token_in_the_address_of_a_question_is_none(closed: TestClient) -> None:
    assert closed.get(ABOUT, params={"token": TOKEN}).status_code == 401


def test_the_token_in_the_address_of_the_page_becomes_a_cookie(closed: TestClient) -> None:
    answer = closed.get("/table", params={"of": "a b.c", "token": TOKEN})
    assert answer.status_code == 303
    assert answer.headers["location"] == "/table?of=a+b.c"
    cookie = answer.headers["set-cookie"]
    assert {"HttpOnly", "Path=/", "SameSite=strict"} <= set(cookie.split("; "))
    assert "sesame" not in cookie
    value = cookie.partition(";")[0]
    assert closed.get(ABOUT, headers={"Cookie": f"other=1; {value}"}).status_code == 200
    closed.cookies.clear()
    assert closed.get(ABOUT, headers={"Cookie": value[:-1] + "x"}).status_code == 401


@pytest.mark.parametrize("path", ["//evil.example/x", "/\\evil.example", "///evil.example"])
def test_the_way_back_leads_nowhere_else(closed: TestClient, path: str) -> None:
    scope_path = f"{ADDRESS}{path}?token=open+sesame+%26+more"
    answer = closed.get(scope_path)
    assert answer.status_code == 303
    assert answer.headers["location"].startswith("/evil.example")


def test_a_body_that_says_that_it_is_too_large(client: TestClient) -> None:
    answer = client.post("/api/v1/analyze", content=b"{}", headers={"Content-Length": "8000001"})
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


def test_a_body_that_turns_out_to_be_too_large() -> None:
    def parts() -> Iterator[bytes]:
        yield b'{"sql": "'
        for _ in range(20):
            yield b"a" * 1000
        yield b'"}'

    with asked(settings=Settings(body=10_000, playground=ONE_AT_A_TIME)) as client:
        answer = client.post("/api/v1/analyze", content=parts(), headers={"Content-Type": "application/json"})
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


def test_an_address_that_is_too_long(client: TestClient) -> None:
    answer = client.get("/api/v1/search", params={"q": "x" * 60_001})
    assert (answer.status_code, answer.json()["code"]) == (413, "too-large")


def test_what_takes_too_long_is_answered_all_the_same() -> None:
    app = FastAPI()
    left = asyncio.Event()

    @app.get("/")
    async def forever() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            left.set()

    app.add_middleware(TimeLimit, seconds=0.05)
    with TestClient(app) as client:
        answer = client.get("/")
        assert (answer.status_code, answer.json()["code"]) == (503, "out-of-time")
        client.portal.call(left.wait)  # type: ignore[union-attr]  # what was begun is given up


def test_what_takes_too_long_in_a_thread_is_answered_too() -> None:
    app = FastAPI()
    released = threading.Event()

    @app.get("/")
    def forever() -> bool:
        return released.wait(60)

    app.add_middleware(TimeLimit, seconds=0.05)
    with TestClient(app) as client:
        answer = client.get("/")
        assert not released.is_set()
        released.set()
    assert (answer.status_code, answer.json()["code"]) == (503, "out-of-time")


def test_more_questions_than_can_be_answered_soon_are_refused() -> None:
    asyncio.run(_crowded())


async def _crowded() -> None:
    """While one question is unanswered, a second is told to come again; what is no question of the store is let in."""
    answered = asyncio.Event()
    begun: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        begun.append(scope["path"])
        if scope["path"] == "/api/v1/tables":
            await answered.wait()

    limit = CrowdLimit(app, most=1)
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request"}

    async def send(message: Message) -> None:
        sent.append(message)

    def ask(path: str) -> Coroutine[None, None, None]:
        return limit({"type": "http", "path": path}, receive, send)

    first = asyncio.create_task(ask("/api/v1/tables"))
    while not begun:
        await asyncio.sleep(0)
    await ask("/api/v1/table")
    assert sent[0]["status"] == 503
    assert (b"retry-after", b"1") in sent[0]["headers"]
    await ask("/api/v1/analyze")
    await ask("/healthz")
    answered.set()
    await first
    await ask("/api/v1/table")
    assert begun == ["/api/v1/tables", "/api/v1/analyze", "/healthz", "/api/v1/table"]


def test_who_never_ends_the_head_of_a_request_holds_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither a new connection, whether something was sent or nothing, nor one over which something was answered before."""
    whole = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    monkeypatch.setattr(hasty, "PATIENCE", 0.2)
    with listening("127.0.0.1", 0) as listener, running(application(), listener):
        for sent in (b"", whole[:-2], whole + whole[:-2]):
            with socket.create_connection(listener.getsockname(), 4) as connection:  # sooner than idle ones are closed
                connection.sendall(sent)
                answer = connection.makefile("rb").read()
            assert answer.startswith(b"HTTP/1.1 200") == (whole in sent)


def test_every_answer_binds_the_browser(client: TestClient) -> None:
    for path, host in (("/", None), (ABOUT, None), ("/api/nothing", None), (ABOUT, "evil.example"), ("/healthz", None)):
        answer = client.get(path, headers={"Host": host} if host else {})
        policy = dict(part.split(" ", 1) for part in answer.headers["content-security-policy"].split("; "))
        assert policy["default-src"] == "'none'"
        assert policy["script-src"] == "'self'"
        assert policy["connect-src"] == "'self'"
        assert policy["frame-ancestors"] == "'none'"
        assert "unsafe" not in answer.headers["content-security-policy"]
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert answer.headers["cross-origin-opener-policy"] == "same-origin"
        assert answer.headers["cross-origin-resource-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"


def test_a_log_line_cannot_be_forged_and_has_no_query(client: TestClient, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "headwater.server.guard.access")
    client.get("/a%0Ab", params={"token": "hunter2"})
    assert [record.getMessage().partition(":")[0] for record in caplog.records] == ["GET /a%0Ab"]


def test_a_server_that_others_reach_needs_a_token() -> None:
    with pytest.raises(ValueError, match="a token is needed"):
        Settings("0.0.0.0")
    with pytest.raises(ValueError, match="empty"):
        Settings(token=" ")
