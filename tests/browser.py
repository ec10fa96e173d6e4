"""Real Chromium on a real server: what the end-to-end tests share. The tests' conftest makes a plugin of this.

A test that asks for `page` fails if the page complains: an error on its console, an exception that nobody caught, something that its
content policy forbids, or a request to anywhere but its own server. What a test means to provoke it names with `complaints.expect`.
A failing test leaves a picture, whose path its report tells.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

import pytest

from build_process import environment
from debian_packages import NO_CHROMIUM, chromium

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
]
WIDE = {"width": 1440, "height": 900}
NARROW = {"width": 390, "height": 844}


class Complaints:
    """What a page has complained of, and what it was expected to."""

    def __init__(self) -> None:
        self.found: list[str] = []
        self._expected: list[str] = []

    def watch(self, context: BrowserContext) -> None:
        """Listen to all pages of a context."""
        context.on("console", lambda said: self._say(f"console: {said.text}") if said.type == "error" else None)
        context.on("weberror", lambda error: self._say(f"exception: {error.error}"))
        context.on("request", lambda request: self._asked(request.url))
        context.on("page", lambda page: page.on("websocket", lambda socket: self._asked(socket.url)))

    def expect(self, pattern: str) -> None:
        """Complaints that match are meant."""
        self._expected.append(pattern)

    def unexpected(self) -> list[str]:
        """What nobody expected."""
        return [each for each in self.found if not any(re.search(pattern, each) for pattern in self._expected)]

    def _say(self, complaint: str) -> None:
        self.found.append(complaint)

    def _asked(self, url: str) -> None:
        if urlsplit(url).scheme not in ("data", "blob", "about") and urlsplit(url).netloc not in _OURS:
            self._say(f"request to elsewhere: {url}")


_OURS: set[str] = set()
"""Hosts and ports of the servers that the tests have started."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """One Chromium for a file's tests.

    Not for the whole session: while Playwright is there, no other test could run an event loop of its own.
    """
    from playwright.sync_api import sync_playwright

    path = chromium()
    if path is None:
        pytest.fail(NO_CHROMIUM)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def complaints() -> Complaints:
    """What the test's page complains of."""
    return Complaints()


@pytest.fixture
def context(browser: Browser, complaints: Complaints) -> Iterator[BrowserContext]:
    """A fresh profile: no cookies, nothing stored; what moves is shown where it ends."""
    context = browser.new_context(viewport=WIDE, reduced_motion="reduce", accept_downloads=True)  # type: ignore[arg-type]
    complaints.watch(context)
    yield context
    context.close()


@pytest.fixture
def page(context: BrowserContext) -> Page:
    """A page in a fresh profile."""
    return context.new_page()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None]:
    """A test that has passed, and whose page has complained, has failed."""
    yield
    complaints = getattr(item, "funcargs", {}).get("complaints")
    if complaints is not None and complaints.unexpected():
        pytest.fail("\n".join(["the page complained:", *complaints.unexpected()]), pytrace=False)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A failing test's report names pictures of its pages, and tells what these complained of."""
    report = yield
    asked = getattr(item, "funcargs", {})
    if report.when == "call" and report.failed and "context" in asked:
        report.sections.append(("pictures of the pages", "\n".join(_pictures(asked["context"], item.name))))
        report.sections.append(("complaints of the pages", "\n".join(asked["complaints"].found)))
    return report


def _pictures(context: BrowserContext, name: str) -> Iterator[str]:
    folder = Path(tempfile.mkdtemp(prefix=f"headwater-{re.sub(r'[^A-Za-z0-9]+', '-', name)[:60]}-"))
    for number, page in enumerate(context.pages):
        path = folder / f"page-{number}.png"
        page.screenshot(path=path)
        yield f"{path} of {page.url}"


@contextmanager
def serving(*arguments: str | Path, folder: Path) -> Iterator[str]:
    """The address of a `headwater serve` on a free port, without its last slash."""
    command = [sys.executable, "-m", "headwater", "serve", *map(str, arguments), "--port", "0", "--no-open"]
    with (folder / "said").open("w+") as said:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
        )
        assert process.stdout is not None
        address = re.search(r"http://[\w.]+:\d+", process.stdout.readline())
        try:
            assert address is not None, (folder / "said").read_text()
            with ours(address.group()):
                yield address.group()
        finally:
            process.terminate()
            process.communicate(timeout=60)


@contextmanager
def ours(address: str) -> Iterator[None]:
    """Pages may ask this server."""
    _OURS.add(urlsplit(address).netloc)
    yield
    _OURS.discard(urlsplit(address).netloc)


@pytest.fixture(scope="session")
def served(sample_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the sample warehouse's explorer."""
    with serving(sample_store, folder=tmp_path_factory.mktemp("served")) as address:
        yield address


@pytest.fixture(scope="session")
def playground(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of a server without a store."""
    with serving(folder=tmp_path_factory.mktemp("playground")) as address:
        yield address
