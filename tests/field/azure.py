"""Azure's blob store by azurite on a host of its own, for readers of stores."""

from __future__ import annotations

import base64
import json
import shutil
import socket
import subprocess
from pathlib import Path
from typing import Any

from field import cache
from field.hosts import Mount, Network, wait_until

_PORT = 10000
_PACKAGE = Path("/opt/field/azurite")
_ACCOUNT = "field"
_KEY = base64.b64encode(b"the key of a server that lives for one test run").decode()


def why_not() -> str | None:
    """Why azurite cannot run here; None if it can."""
    missing = [tool for tool in ("node", "npm") if not (shutil.which(tool) or "").startswith("/usr/")]
    return f"azurite needs {' and '.join(missing)} in /usr" if missing else None


class Azure:
    """The server; `client` does one thing with it from the machine."""

    def __init__(self, network: Network) -> None:
        self._network = network
        self._python = cache.python_environment(cache.OBSTORE)
        self.host = network.host("azure", Mount(cache.node_package(cache.AZURITE), _PACKAGE))
        self.endpoint = f"http://{self.host.address}:{_PORT}/{_ACCOUNT}"
        program = str(_PACKAGE / "node_modules" / "azurite" / "dist" / "src" / "blob" / "main.js")
        options = ["--blobHost", "0.0.0.0", "--blobPort", str(_PORT), "--location", "/tmp/azurite"]
        loose = ["--skipApiVersionCheck", "--disableTelemetry", "--loose"]
        self.host.start(["node", program, *options, *loose], {"AZURITE_ACCOUNTS": f"{_ACCOUNT}:{_KEY}"})
        wait_until(self._listens, f"azurite listens; see {self.host.logs}", 60)

    def _listens(self) -> bool:
        with socket.socket() as tried:
            tried.settimeout(2)
            return tried.connect_ex((self.host.address, _PORT)) == 0

    def client(self, *arguments: str) -> Any:
        """Run `azure_client.py`, which uses obstore, in an environment of its own."""
        script = Path(__file__).with_name("azure_client.py")
        command = [str(self._python / "bin" / "python"), str(script), *arguments]
        done = subprocess.run(
            command, env=self.reader_environment(), capture_output=True, text=True, check=False, timeout=300
        )
        if done.returncode:
            raise RuntimeError(f"azure_client {' '.join(arguments[:2])}: {done.stderr.strip()[-1500:]}")
        return json.loads(done.stdout)

    def reader_environment(self) -> dict[str, str]:
        """The environment variables with which libraries find the server."""
        return {
            "AZURE_STORAGE_ACCOUNT_NAME": _ACCOUNT,
            "AZURE_STORAGE_ACCOUNT_KEY": _KEY,
            "AZURE_STORAGE_ENDPOINT": self.endpoint,
            "AZURE_ENDPOINT": self.endpoint,
            "AZURE_ALLOW_HTTP": "true",
        }

    def close(self) -> None:
        """Turn the host off."""
        self._network.remove(self.host)
