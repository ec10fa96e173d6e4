"""`headwater build` as a process of its own: what the tests that break builds share."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from command import Result
from headwater.store import Store

ROOT = Path(__file__).resolve().parent.parent
QUICK_JAVA = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -Xss8m"
_NOT_OURS = ("JAVA_HOME", "SPARK_HOME", "SPARK_CONF_DIR", "PYSPARK_PYTHON", "PYTHONSTARTUP", "COVERAGE_PROCESS_START")


def environment(*ahead: Path, **more: str) -> dict[str, str]:
    """The environment of a build: this source, behind the folders that come *ahead* of it."""
    kept = {name: value for name, value in os.environ.items() if name not in _NOT_OURS}
    return kept | {"PYTHONPATH": os.pathsep.join([*map(str, ahead), str(ROOT / "src")])} | more


def start(
    folder: Path, *arguments: str | Path, env: Mapping[str, str] | None = None, wrapped: Sequence[str] = ()
) -> subprocess.Popen[str]:
    """A build that runs in a folder, in a session of its own; *wrapped* is a command that runs it."""
    return subprocess.Popen(
        [*wrapped, sys.executable, "-m", "headwater", "build", *map(str, arguments)],
        cwd=folder,
        env=dict(environment() if env is None else env),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )


def ended(process: subprocess.Popen[str], timeout: float = 300) -> Result:
    """How a build ended; one that takes too long is killed, and the test fails."""
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        kill(process)
        raise
    return Result(process.returncode, out, err)


def build(
    folder: Path,
    *arguments: str | Path,
    env: Mapping[str, str] | None = None,
    wrapped: Sequence[str] = (),
    timeout: float = 300,
) -> Result:
    """Run a build to its end."""
    return ended(start(folder, *arguments, env=env, wrapped=wrapped), timeout)


def built(folder: Path, *arguments: str | Path, env: Mapping[str, str] | None = None, code: int = 0) -> str:
    """Run a build that publishes a snapshot; what it printed. The *code* is 1 if it loses scripts or statements."""
    result = build(folder, *arguments, env=env)
    assert result.code == code, result.err
    return result.out


def kill(process: subprocess.Popen[str]) -> None:
    """Kill a build at once: the driver and its Java."""
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()


def tree(root: int) -> dict[int, str]:
    """A process and all that it has started, and those have: their names by their ids."""
    listed = subprocess.run(["ps", "-eo", "pid=,ppid=,comm="], capture_output=True, text=True, check=True).stdout
    rows = [
        (int(pid), int(parent), name) for pid, parent, name in (line.split(None, 2) for line in listed.splitlines())
    ]
    found = {pid: name for pid, _, name in rows if pid == root}
    waiting = [root]
    for each in waiting:
        below = {pid: name for pid, parent, name in rows if parent == each}
        found |= below
        waiting += below
    return found


def wait_for(until: Callable[[], object], what: str, timeout: float = 120, pause: float = 0.01) -> None:
    """Wait for something to happen; fails if it does not."""
    deadline = time.monotonic() + timeout
    while not until():
        assert time.monotonic() < deadline, f"in vain: {what}"
        time.sleep(pause)


def refusal(result: Result) -> str:
    """The one line that a build which could not run says."""
    assert result.code == 2, result
    assert not result.out
    lines = result.err.splitlines()
    assert len(lines) == 1, result.err
    return re.sub(r"^(Error|headwater): ", "", lines[0])


def digest(store: Path) -> str:
    """The digest of a store's current snapshot."""
    return Store(store).snapshot().digest()


def write_scripts(folder: Path, scripts: Mapping[str, str | bytes]) -> Path:
    """A folder with scripts."""
    for path, text in scripts.items():
        file = folder / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text.encode() if isinstance(text, str) else text)
    return folder
