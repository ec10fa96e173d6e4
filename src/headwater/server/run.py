"""A server that runs: the socket it listens on, and its beginning and end."""

from __future__ import annotations

import errno
import socket
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import uvicorn
from fastapi import FastAPI

from headwater.server.hasty import HastyProtocol
from headwater.server.memory import share_one_arena

_BACKLOG = 512
_LONGEST_HEAD = 128 * 1024
"""Bytes of a request's first line and headers."""
_PARTING = 3
"""Seconds that requests have left when the server stops."""


class CannotListen(Exception):
    """Why the server cannot listen there, and what to do."""


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens; port 0 is any that is free."""
    try:
        family, type, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
    except (OSError, UnicodeError) as error:
        raise CannotListen(f"there is no address for {host}: name one of this machine's with --host") from error
    listener = socket.socket(family, type, protocol)
    try:
        if sys.platform != "win32":
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(_BACKLOG)
    except OSError as error:
        listener.close()
        raise CannotListen(_reason(error, host, port)) from error
    return listener


def _reason(error: OSError, host: str, port: int) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is taken: stop what listens there, or use another with --port N (0 is any that is free)"
    if error.errno == errno.EACCES:
        return f"port {port} may not be used by you: use one above 1023 with --port N"
    if error.errno == errno.EADDRNOTAVAIL:
        return f"{host} is no address of this machine: name one with --host"
    return f"cannot listen on {host}, port {port}: {error.strerror or error}"


def address_of(host: str, listener: socket.socket) -> str:
    """The address to open: a server that listens on all addresses is here, too."""
    port = listener.getsockname()[1]
    name = {"0.0.0.0": "127.0.0.1", "::": "::1", "": "127.0.0.1"}.get(host, host)
    return f"http://[{name}]:{port}/" if ":" in name else f"http://{name}:{port}/"


def run(app: FastAPI, listener: socket.socket, started: Callable[[], None] | None = None) -> None:
    """Serve until a signal ends the process, which arrives again then; all its own processes are gone by that time."""
    share_one_arena()
    server = _server(app)
    if started is not None:
        threading.Thread(target=started, daemon=True).start()
    server.run([listener])


@contextmanager
def running(app: FastAPI, listener: socket.socket) -> Iterator[None]:
    """Serve beside what is inside, in a thread."""
    server = _server(app)
    thread = threading.Thread(target=server.run, args=([listener],), daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.should_exit = True
        thread.join()


def _server(app: FastAPI) -> uvicorn.Server:
    return uvicorn.Server(
        uvicorn.Config(
            app,
            http=HastyProtocol,
            ws="none",
            lifespan="on",
            log_config=None,
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_graceful_shutdown=_PARTING,
            h11_max_incomplete_event_size=_LONGEST_HEAD,
        )
    )
