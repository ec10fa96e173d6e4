"""The browser that the end-to-end tests use: what makes such a test fail."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import debian_packages
from browser import Complaints, ours

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("browser")]

PAGES = {
    "/good": "<p style='color: red'>good</p>",
    "/says": "<script>console.error('so it says'); console.warn('a warning is none')</script>",
    "/throws": "<script>null.nothing</script>",
    "/forbidden": "<script src='/good'></script>",
    "/elsewhere": "<img src='http://elsewhere.invalid/picture.png'>",
    "/socket": "<script>new WebSocket('ws://127.0.0.1:1/')</script>",
}


class Pages(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        text = PAGES.get(self.path, "").encode()
        self.send_response(200 if text else 404)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(text)))
        if self.path == "/forbidden":
            self.send_header("Content-Security-Policy", "script-src 'none'")
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture(scope="module")
def address() -> Iterator[str]:
    server = HTTPServer(("127.0.0.1", 0), Pages)
    address = f"http://127.0.0.1:{server.server_port}"
    threading.Thread(target=server.serve_forever, daemon=True).start()
    with ours(address):
        yield address
    server.shutdown()
    server.server_close()


def test_a_good_page_has_nothing_to_complain_of(page: Page, address: str, complaints: Complaints) -> None:
    complaints.expect("favicon.ico|404")
    page.goto(f"{address}/good")
    assert page.inner_text("p") == "good"


@pytest.mark.parametrize(
    ("path", "complaint"),
    [
        ("/says", "console: so it says"),
        ("/throws", "exception: .*null"),
        ("/forbidden", "Content Security Policy"),
        ("/elsewhere", r"request to elsewhere: http://elsewhere\.invalid/picture\.png"),
        ("/socket", "request to elsewhere: ws://127.0.0.1:1/"),
    ],
)
def test_a_bad_page_makes_its_test_fail(
    page: Page, address: str, complaints: Complaints, path: str, complaint: str
) -> None:
    complaints.expect("favicon.ico|404|ERR_|WebSocket connection")
    page.goto(address + path, wait_until="networkidle")
    assert len(complaints.unexpected()) == 1
    complaints.expect(complaint)
    assert complaints.unexpected() == []


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder with a short name: Chromium makes sockets in it, whose paths the system limits."""
    with tempfile.TemporaryDirectory(prefix="hw-") as folder:
        yield Path(folder)


def test_a_failing_test_names_a_picture(short: Path) -> None:
    inner = short / "test_inner.py"
    inner.write_text(
        "def test_complains(page):\n    page.set_content('<p>here</p>')\n    page.evaluate('console.error(\"oh\")')\n"
    )
    tests = Path(__file__).parent
    command = [sys.executable, "-m", "pytest", "-q", "-p", "browser", "-p", "no:cacheprovider", f"--rootdir={short}"]
    done = subprocess.run(
        [*command, "-o", f"pythonpath={tests}", "-c", "/dev/null", str(inner)],
        capture_output=True,
        text=True,
        timeout=120,
        env={**os.environ, "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "TMPDIR": str(short), "PYTHONPATH": str(tests)},
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "console: oh" in done.stdout
    [picture] = short.glob("headwater-test-complains-*/page-0.png")
    assert str(picture) in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_browser_is_found_by_its_name(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "google-chrome"
    other.write_text("#!/bin/sh\n")
    other.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    assert debian_packages.chromium() == str(other)
    monkeypatch.setenv("HEADWATER_CHROMIUM", str(tmp_path / "absent"))
    assert debian_packages.chromium() is None


def test_without_a_browser_and_a_way_to_get_one_it_says_what_to_do(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, debian_packages.__file__], env={"PATH": str(tmp_path)}, capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "apt-get install chromium" in done.stderr
