"""The explorer's page: the files that were built for it, and for every other address the page itself, which reads the address.

A path is looked up among the files that there are; none is made of what somebody asks for.
"""

from __future__ import annotations

import hashlib
import mimetypes
from pathlib import Path
from typing import NamedTuple

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse
from starlette.exceptions import HTTPException

from headwater.server.api import ROOT
from headwater.server.guard.headers import nonce_of

FOLDER = Path(__file__).parent / "page"
_INDEX = "index.html"
_ASSETS = "assets/"
"""Files whose names have a hash of what they hold."""
_NONCE = "{{nonce}}"
_FOR_EVER = "public, max-age=31536000, immutable"
_TYPES = {".js": "text/javascript", ".mjs": "text/javascript", ".svg": "image/svg+xml", ".md": "text/plain"}
_NOT_BUILT = "The explorer's page was not built: run `make page`. The API answers under /api/v1.\n"


class BuiltFile(NamedTuple):
    """A file of the page."""

    content: bytes
    type: str
    etag: str


def built_files(folder: Path) -> dict[str, BuiltFile]:
    """The files of the page by their paths; none if it was not built."""
    if not (folder / _INDEX).is_file():
        return {}
    paths = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {path.relative_to(folder).as_posix(): _read(path) for path in paths}


def _read(path: Path) -> BuiltFile:
    content = path.read_bytes()
    type = _TYPES.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
    return BuiltFile(content, type, f'"{hashlib.sha256(content).hexdigest()[:32]}"')


def page() -> APIRouter:
    """The page and its files."""
    router = APIRouter(include_in_schema=False)
    files = built_files(FOLDER)

    @router.api_route("/{path:path}", methods=["GET", "HEAD"])
    async def page(request: Request, path: str) -> Response:
        if f"/{path}/".startswith(f"{ROOT}/"):
            raise HTTPException(404)
        if not files:
            return PlainTextResponse(_NOT_BUILT, 503)
        found = files.get(path)
        if found is not None and path != _INDEX:
            return _file(request, path, found)
        if path.startswith(_ASSETS) or ("." in path.rpartition("/")[2] and path != _INDEX):
            raise HTTPException(404)
        text = files[_INDEX].content.decode().replace(_NONCE, nonce_of(request.scope))
        return HTMLResponse(text, headers={"Cache-Control": "no-store"})

    return router


def _file(request: Request, path: str, file: BuiltFile) -> Response:
    headers = {"ETag": file.etag, "Cache-Control": _FOR_EVER if path.startswith(_ASSETS) else "no-cache"}
    if file.etag in request.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    return Response(file.content, media_type=file.type, headers=headers)
