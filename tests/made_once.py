"""What is made once for all workers that run the tests, by the one that needs it first."""

from __future__ import annotations

import fcntl
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from build_process import environment


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[Path], None]) -> Path:
    """A folder that *make* fills, if no other worker has; whoever comes meanwhile waits."""
    base = factory.getbasetemp()
    shared = base.parent if base.name.startswith("popen-") else base
    folder = shared / f"{name}-made-once"
    with (shared / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not folder.exists():
            begun = factory.mktemp(name)
            make(begun)
            begun.rename(folder)
    return folder


def run_demo(folder: Path) -> None:
    """Run the installed command's demo: its store is `lineage-demo`, what it printed is in `said`."""
    command = [str(Path(sys.executable).parent / "headwater"), "demo"]
    done = subprocess.run(
        command, cwd=folder, env=environment(), capture_output=True, text=True, timeout=300, check=False
    )
    assert (done.returncode, "Traceback" in done.stderr) == (0, False), done.stderr
    (folder / "said").write_text(done.stdout, encoding="utf-8")
