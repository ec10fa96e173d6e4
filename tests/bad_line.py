"""A line to a database that goes bad: a proxy on loopback that is cut, or falls silent, in the middle of a conversation."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Event, Thread

CUT, SILENT = "cut", "silent"


class BadLine:
    """Passes bytes between a client on 127.0.0.1 and a server's socket, until the client has spoken so many times."""

    def __init__(self, server: Path, how: str, after: int) -> None:
        self._server = server
        self._how = how
        self._after = after
        self._spoken = 0
        self._over = Event()
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        Thread(target=self._accept, daemon=True).start()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.socket(socket.AF_UNIX)
                server.connect(str(self._server))
                for source, sink, counts in ((client, server, True), (server, client, False)):
                    Thread(target=self._pass, args=(source, sink, counts), daemon=True).start()

    def _pass(self, source: socket.socket, sink: socket.socket, counts: bool) -> None:
        with suppress(OSError):
            while chunk := source.recv(65536):
                self._spoken += counts
                if self._spoken > self._after:
                    if self._how == SILENT:
                        self._over.wait()
                    break
                sink.sendall(chunk)
        for end in (source, sink):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)
            end.close()

    def close(self) -> None:
        """End all of it."""
        self._over.set()
        self._listening.close()


@contextmanager
def bad_line(server: Path, how: str, after: int) -> Iterator[int]:
    """The port of such a line."""
    line = BadLine(server, how, after)
    try:
        yield line.port
    finally:
        line.close()
