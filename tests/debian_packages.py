"""What the tests need of Debian's packages: a Chromium, and a MariaDB server. `make test` installs what is missing by running this file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

_CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
NO_CHROMIUM = "there is no Chromium; install one (Debian: `apt-get install chromium`), or name it in HEADWATER_CHROMIUM"
NO_MARIADB = "there is no MariaDB; install one (Debian: `apt-get install mariadb-server`)"


def chromium() -> str | None:
    """The path of a Chromium, or None."""
    named = os.environ.get("HEADWATER_CHROMIUM")
    return next(filter(None, map(shutil.which, [named] if named else _CHROMIUM)), None)


def mariadb() -> str | None:
    """The path of MariaDB's server, or None; Debian has it where only root looks."""
    return shutil.which("mariadbd", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def _install(*packages: str) -> None:
    """Ask Debian's package manager for packages, if we may."""
    may = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if shutil.which("apt-get") is None or (may and shutil.which("sudo") is None):
        return
    apt = [*may, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    for command in ([*apt, "update"], [*apt, "install", "-y", "--no-install-recommends", *packages]):
        subprocess.run(command, check=False)


def main() -> str | None:
    """Install what is missing; what to do if there is still no Chromium. Tests that need MariaDB are skipped without it."""
    wanted = [] if chromium() else ["chromium", "fonts-dejavu-core"]
    wanted += [] if mariadb() else ["mariadb-server"]
    if wanted:
        _install(*wanted)
    return None if chromium() else f"Error: {NO_CHROMIUM}."


if __name__ == "__main__":
    sys.exit(main())
