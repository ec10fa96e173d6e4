"""The application as a whole: problems, health, measures, the page, and what it says of itself."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from fastapi.testclient import TestClient

from build_process import tree
from command import Run
from headwater.budget.process import Failed
from headwater.export.format import ExportError
from headwater.graph import UnknownName
from headwater.model.diagnostic import Code
from headwater.server import built_page
from headwater.server.playground.analysts import Busy
from headwater.server.served import Served
from servers import ENVIRONMENT, LINES, asked, running
from stores import make_store

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def folder_of_store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_store(tmp_path_factory.mktemp("served") / "shop", LINES).path


@pytest.fixture(scope="module")
def client(folder_of_store: Path) -> Iterator[TestClient]:
    with asked(folder_of_store) as client:
        yield client


@pytest.fixture(scope="module")
def playground() -> Iterator[TestClient]:
    with asked() as client:
        yield client


def test_what_is_served_is_counted(client: TestClient) -> None:
    store = client.get("/api/v1/about").json()["store"]
    assert store["name"] == "shop"
    assert (store["scripts"], store["tables"], store["columns"], store["relations"]) == (1, 2, 4, 2)
    assert store["kinds"] == {"table": 1, "view": 1}
    assert [(each["name"], each["current"]) for each in store["snapshots"]] == [(store["snapshot"], True)]


def test_a_new_snapshot_is_seen_without_a_restart(tmp_path: Path) -> None:
    make_store(tmp_path / "s", "a.t.x -> a.u.y")
    with asked(tmp_path / "s") as client:
        before = client.get("/api/v1/about").json()["store"]
        make_store(tmp_path / "s", "a.t.x -> a.u.y\na.t.z -> a.u.z")
        after = client.get("/api/v1/about").json()["store"]
    assert (before["relations"], after["relations"]) == (1, 2)
    assert [each["name"] for each in after["snapshots"]] == [after["snapshot"], before["snapshot"]]


def test_formats_and_dialects_are_told(playground: TestClient) -> None:
    about = playground.get("/api/v1/about").json()
    assert about["store"] is None
    assert {"spark", "bigquery", "tsql"} <= set(about["dialects"])
    binary = {each["name"]: each["binary"] for each in about["formats"]}
    assert binary["png"] is True
    assert binary["mermaid"] is False
    assert "rdbms" not in binary  # goes to a database only


def test_a_question_about_no_store(playground: TestClient) -> None:
    answer = playground.get("/api/v1/tables")
    assert (answer.status_code, answer.json()["code"]) == (404, "no-store")
    assert "headwater serve STORE" in answer.json()["hint"]


def test_an_unknown_snapshot(client: TestClient) -> None:
    answer = client.get("/api/v1/tables", params={"snapshot": "1999-01-01"})
    assert (answer.status_code, answer.json()["code"]) == (404, "no-snapshot")


def test_a_store_that_is_damaged_is_said_without_its_path(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = make_store(tmp_path / "s", "a.t.x -> a.u.y")
    with asked(tmp_path / "s") as client:
        (store.path / "store.json").write_text("{")
        answer, health = client.get("/api/v1/tables"), client.get("/healthz")
    assert (answer.status_code, answer.json()["code"]) == (503, "store")
    assert str(tmp_path) not in answer.text
    assert str(tmp_path) in caplog.text
    assert (health.status_code, health.json()) == (503, {"status": "failing", "store": "unreadable"})


def test_a_parameter_that_is_not_as_it_has_to_be(client: TestClient) -> None:
    answer = client.get("/api/v1/tables", params={"limit": 0})
    assert (answer.status_code, answer.json()["code"]) == (422, "bad-parameter")
    assert answer.json()["message"] == "limit: should be greater than or equal to 1"


def test_an_address_where_nothing_is(client: TestClient) -> None:
    for method, path, status, code in (
        ("GET", "/api/v1/nothing", 404, "not-found"),
        ("GET", "/api", 404, "not-found"),
        ("DELETE", "/api/v1/about", 405, "wrong-method"),
    ):
        answer = client.request(method, path)
        assert (answer.status_code, answer.json()["code"]) == (status, code)


@pytest.mark.parametrize(
    ("raised", "status", "code"),
    [
        (UnknownName("there is no table ordrs; did you mean orders?"), 404, "unknown-name"),
        (ExportError("csv has the level column, not table"), 400, "bad-request"),
        (Failed(Code.TIMEOUT), 503, "out-of-time"),
        (Failed(Code.OUT_OF_MEMORY), 503, "out-of-memory"),
        (Failed(Code.CRASHED), 503, "crashed"),
        (Busy(), 503, "busy"),
    ],
)
def test_what_a_question_may_end_in(
    client: TestClient, monkeypatch: pytest.MonkeyPatch, raised: Exception, status: int, code: str
) -> None:
    def ended(self: Served, snapshot: str | None = None) -> None:
        raise raised

    monkeypatch.setattr(Served, "graph", ended)
    monkeypatch.setattr(Served, "open_graph", lambda self, snapshot=None: None)
    answer = client.get("/api/v1/tables")
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    if isinstance(raised, UnknownName):
        assert answer.json()["message"] == "there is no table ordrs; did you mean orders?"
    assert ("retry-after" in answer.headers) == (code == "busy")


def test_a_defect_says_nothing_of_itself(
    folder_of_store: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(self: Served) -> None:
        raise RuntimeError("the secret of the house")

    monkeypatch.setattr(Served, "facts", broken)
    with asked(folder_of_store) as client:
        answer = client.get("/api/v1/about")
    assert (answer.status_code, answer.json()["code"]) == (500, "internal")
    assert "secret" not in answer.text
    assert "the secret of the house" in caplog.text
    assert answer.headers["x-content-type-options"] == "nosniff"


def test_health_reveals_nothing_else(client: TestClient, playground: TestClient) -> None:
    assert client.get("/healthz").json() == {"status": "ok", "store": "ok"}
    assert playground.get("/healthz").json() == {"status": "ok", "store": "none"}


def test_requests_are_measured_by_route_not_by_address(client: TestClient) -> None:
    client.get("/api/v1/about", params={"a": "very secret"})
    client.get("/some/page")
    text = client.get("/metrics").text
    assert 'headwater_requests_total{method="GET",route="/about",status="200"}' in text
    assert 'headwater_store{what="columns"} 4.0' in text
    assert "headwater_playground_waiting 0.0" in text
    assert "secret" not in text
    assert "some/page" not in text


def test_answers_are_compressed(client: TestClient) -> None:
    answer = client.get("/api/v1/about", headers={"Accept-Encoding": "gzip"})
    assert answer.headers["content-encoding"] == "gzip"
    assert answer.json()["version"]


@pytest.fixture
def page_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "page"
    (folder / "assets").mkdir(parents=True)
    (folder / "index.html").write_text('<meta name="csp-nonce" content="{{nonce}}">')
    (folder / "assets" / "index-abc123.js").write_text("export {}")
    (folder / "favicon.svg").write_text("<svg/>")
    (tmp_path / "outside.txt").write_text("nobody's business")
    monkeypatch.setattr(built_page, "FOLDER", folder)
    return folder


def test_every_address_is_the_page_with_a_nonce_of_its_own(page_folder: Path) -> None:
    with asked() as client:
        answers = [client.get(path) for path in ("/", "/table?of=a.b", "/playground", "/index.html")]
    nonces = set()
    for answer in answers:
        assert answer.headers["content-type"] == "text/html; charset=utf-8"
        assert answer.headers["cache-control"] == "no-store"
        nonce = answer.text.removeprefix('<meta name="csp-nonce" content="').removesuffix('">')
        assert f"'nonce-{nonce}'" in answer.headers["content-security-policy"]
        nonces.add(nonce)
    assert len(nonces) == len(answers)


def test_files_of_the_page_are_kept_by_browsers(page_folder: Path) -> None:
    with asked() as client:
        script, icon = client.get("/assets/index-abc123.js"), client.get("/favicon.svg")
        again = client.get("/favicon.svg", headers={"If-None-Match": icon.headers["etag"]})
    assert (script.text, script.headers["content-type"]) == ("export {}", "text/javascript; charset=utf-8")
    assert script.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert (icon.headers["content-type"], icon.headers["cache-control"]) == ("image/svg+xml", "no-cache")
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize(
    "path",
    [
        "/assets/missing.js",
        "/missing.css",
        "/../outside.txt",
        "/%2e%2e/outside.txt",
        "/assets/..%2f..%2foutside.txt",
        "/assets/%00.js",
        "//etc/passwd.txt",
    ],
)
def test_no_file_outside_of_the_page_is_given(page_folder: Path, path: str) -> None:
    with asked() as client:
        answer = client.get(path)
    assert answer.status_code == 404
    assert "nobody's business" not in answer.text


def test_without_the_page_the_api_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built_page, "FOLDER", tmp_path / "nothing")
    with asked() as client:
        page, about = client.get("/"), client.get("/api/v1/about")
    assert page.status_code == 503
    assert "make page" in page.text
    assert about.status_code == 200


def test_the_command_serves_a_store_and_leaves_nothing_behind(folder_of_store: Path) -> None:
    with running(folder_of_store) as server:
        assert server.said == f"Serving {folder_of_store} at {server.address} (Ctrl-C stops)\n"
        answer = httpx.post(f"{server.address}api/v1/analyze", json={"sql": "SELECT a FROM t"}, timeout=60)
        assert answer.status_code == 200
        started = tree(server.process.pid)
        assert len(started) >= 2
        server.process.terminate()
        _, complaint = server.process.communicate(timeout=60)
    assert server.process.returncode == 143
    assert complaint == "headwater: ended by SIGTERM\n"
    assert [id for id in started if Path(f"/proc/{id}").exists()] == []


def test_without_a_store_the_usual_one_or_the_playground(folder_of_store: Path, tmp_path: Path) -> None:
    with running(folder=tmp_path) as server:
        assert server.said.startswith("Serving the playground at ")
    (tmp_path / "lineage").symlink_to(folder_of_store)
    with running(folder=tmp_path) as server:
        assert server.said.startswith("Serving lineage at ")
        about = httpx.get(f"{server.address}api/v1/about", timeout=60).json()
    assert about["store"]["tables"] == 2


def test_a_port_that_is_taken(run: Run, folder_of_store: Path) -> None:
    with running() as server:
        port = server.address.rstrip("/").rpartition(":")[2]
        refused = run("serve", folder_of_store, "--port", port)
    assert refused.code == 2
    assert f"port {port} is taken" in refused.err
    assert "--port" in refused.err


def test_what_cannot_be_served(run: Run, tmp_path: Path) -> None:
    missing = run("serve", tmp_path / "nothing")
    assert missing.code == 2
    assert "headwater build" in missing.err
    nowhere = run("serve", "--host", "no.such.host.invalid")
    assert nowhere.code == 2
    assert "--host" in nowhere.err


@pytest.mark.parametrize("missing", ["fastapi", "uvicorn", "pyarrow"])
def test_without_its_packages_it_says_what_to_install(missing: str) -> None:
    code = f"import sys; sys.modules[{missing!r}] = None; sys.argv = ['headwater', 'serve']; import headwater.__main__"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=ENVIRONMENT)
    assert done.returncode == 2
    assert done.stderr == f"Error: this needs {missing}: pip install 'headwater[server]'\n"


def test_elsewhere_a_token_is_made_and_shown_once(tmp_path: Path) -> None:
    with running("--host", "0.0.0.0", folder=tmp_path) as server:
        link = server.said.split()[-3]
        token = link.partition("?token=")[2]
        assert len(token) >= 30
        refused = httpx.get(f"{server.address}api/v1/about", timeout=60)
        let_in = httpx.get(f"{server.address}api/v1/about", headers={"Authorization": f"Bearer {token}"}, timeout=60)
    assert (refused.status_code, let_in.status_code) == (401, 200)


def test_a_token_that_was_given_is_not_shown_and_not_logged(tmp_path: Path) -> None:
    with running("-vv", "--host", "0.0.0.0", folder=tmp_path, HEADWATER_TOKEN="hunter2") as server:
        moved = httpx.get(f"{server.address}?token=hunter2", timeout=60)
        wrong = httpx.get(f"{server.address}?token=hunter3", timeout=60)
        assert (moved.status_code, wrong.status_code) == (303, 401)
        server.process.terminate()
        said, logged = server.process.communicate(timeout=60)
    assert "GET /: 303" in logged
    assert "hunter" not in server.said + said + logged


def test_the_document_describes_problems_as_they_are(playground: TestClient) -> None:
    document = playground.get("/api/v1/openapi.json").json()
    assert "HTTPValidationError" not in json.dumps(document)
    operations = [operation for path in document["paths"].values() for operation in path.values()]
    assert len({each["operationId"] for each in operations}) == len(operations)
    for each in operations:
        schema = each["responses"]["422"]["content"]["application/json"]["schema"]
        assert schema == {"$ref": "#/components/schemas/Problem"}
