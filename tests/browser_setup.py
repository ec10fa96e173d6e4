"""A Chromium for the tests: the one that is there, or Debian's, which `make test` installs by running this file."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

_NAMES = ("chromium", "chromium-browser", "google-chrome")
_PACKAGES = ("chromium", "fonts-dejavu-core")
WHAT_TO_DO = "there is no Chromium; install one (Debian: `apt-get install chromium`), or name it in HEADWATER_CHROMIUM"


def chromium() -> str | None:
    """The path of a Chromium, or None."""
    named = os.environ.get("HEADWATER_CHROMIUM")
    return next(filter(None, map(shutil.which, [named] if named else _NAMES)), None)


def _install() -> bool:
    """Ask Debian's package manager for one, if we may."""
    may = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if shutil.which("apt-get") is None or (may and shutil.which("sudo") is None):
        return False
    apt = [*may, "env", "DEBIAN_FRONTEND=noninteractive", "apt-get", "-qq"]
    install = [*apt, "install", "-y", "--no-install-recommends", *_PACKAGES]
    return all(subprocess.run(command, check=False).returncode == 0 for command in ([*apt, "update"], install))


if __name__ == "__main__" and chromium() is None and not (_install() and chromium()):
    sys.exit(f"Error: {WHAT_TO_DO}.")
