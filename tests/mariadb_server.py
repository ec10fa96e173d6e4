"""A MariaDB server of Debian's package, in a folder of its own and on a socket there: no network, nothing left behind."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

import debian_packages

_SECONDS_TO_START = 60


class MariaDBServer:
    """A server that can be stopped, killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.socket = folder / "s"
        own = ["--user=root"] if os.geteuid() == 0 else []
        install = [shutil.which("mariadb-install-db") or "", *own, f"--datadir={folder}/data", "--skip-test-db"]
        subprocess.run(install, capture_output=True, check=True)
        self._command = [
            *(debian_packages.mariadb() or "", *own, f"--datadir={folder}/data", f"--socket={self.socket}"),
            *("--skip-networking", "--innodb-flush-log-at-trx-commit=0", f"--pid-file={folder}/pid"),
        ]
        self.client = [shutil.which("mariadb") or "mariadb", f"--socket={self.socket}", "--batch", "--silent", "--raw"]
        self.process = self.start()

    def start(self) -> subprocess.Popen[bytes]:
        """Start it, and wait until it answers."""
        self.process = subprocess.Popen(self._command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + _SECONDS_TO_START
        while not self.answers():
            assert self.process.poll() is None, "MariaDB does not start"
            assert time.monotonic() < deadline, "MariaDB does not answer"
            time.sleep(0.1)
        return self.process

    def answers(self) -> bool:
        """Whether it answers."""
        return not subprocess.run([*self.client, "-e", "SELECT 1"], capture_output=True, check=False).returncode

    def execute(self, *statements: str) -> None:
        """Run statements as its administrator."""
        subprocess.run(self.client, input=";\n".join(statements), text=True, check=True, capture_output=True)

    def kill(self) -> None:
        """End it at once, as a crash would."""
        self.process.kill()
        self.process.wait(60)

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(60)


@contextmanager
def mariadb_server() -> Iterator[MariaDBServer]:
    """A server; the test is skipped where there is none."""
    if debian_packages.mariadb() is None or shutil.which("mariadb-install-db") is None:
        pytest.skip(debian_packages.NO_MARIADB)
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None  # thousands of tables are thousands of files
    with tempfile.TemporaryDirectory(prefix="headwater-mariadb-", dir=memory) as folder:
        server = MariaDBServer(Path(folder))
        try:
            yield server
        finally:
            server.stop()
