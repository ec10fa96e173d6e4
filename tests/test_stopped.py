"""Commands that a signal ends: one line, 130 for Ctrl-C and 143 for SIGTERM, and no process left."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from build_process import environment, kill, tree, wait_for
from command import write
from headwater.store import Store

ENDS = [(signal.SIGINT, 130, "headwater: interrupted\n"), (signal.SIGTERM, 143, "headwater: ended by SIGTERM\n")]
HEAVY = "INSERT INTO o{n} SELECT a + {n} AS x FROM t WHERE b > {n};\n"

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(sys.platform == "win32", reason="signals"),
    pytest.mark.xdist_group("builds"),
]


@contextmanager
def started(folder: Path, *arguments: str) -> Iterator[subprocess.Popen[str]]:
    """A command that runs, in a session of its own."""
    process = subprocess.Popen(
        [sys.executable, "-m", "headwater", *arguments],
        cwd=folder,
        env=environment(),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # shells have jobs in the background ignore it
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            kill(process)


def ends(process: subprocess.Popen[str], number: int, code: int, line: str) -> None:
    """Send a signal, as a terminal does for Ctrl-C: to all processes of the command."""
    below = tree(process.pid)
    if number == signal.SIGINT:
        os.killpg(process.pid, number)
    else:
        process.send_signal(number)
    _, complaint = process.communicate(timeout=60)
    assert (process.returncode, complaint) == (code, line)
    wait_for(lambda: not [each for each in below if alive(each)], "all processes end", timeout=20)


def alive(process: int) -> bool:
    """Whether a process runs; one that has ended and that nobody has asked about does not."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def handles_signals(process: subprocess.Popen[str]) -> bool:
    """Whether the command has its own handler of SIGTERM by now."""
    status = Path(f"/proc/{process.pid}/status").read_text()
    caught = int(next(line.split()[1] for line in status.splitlines() if line.startswith("SigCgt")), 16)
    return bool(caught & 1 << (signal.SIGTERM - 1))


@pytest.mark.parametrize(("number", "code", "line"), ENDS)
@pytest.mark.parametrize("command", [("analyze",), ("check",), ("export", "-f", "json")])
def test_a_command_over_scripts(tmp_path: Path, command: tuple[str, ...], number: int, code: int, line: str) -> None:
    for script in range(4):
        write(str(tmp_path / f"sql/{script}.sql"), "".join(HEAVY.format(n=n) for n in range(30_000)))
    with started(tmp_path, *command, "sql") as process:
        wait_for(lambda: handles_signals(process), "the command begins")
        time.sleep(1)
        ends(process, number, code, line)


@pytest.mark.parametrize(("number", "code", "line"), ENDS)
def test_a_server(tmp_path: Path, number: int, code: int, line: str) -> None:
    with started(tmp_path, "serve", "--port", "0") as process:
        assert process.stdout is not None
        assert "Serving" in process.stdout.readline()
        time.sleep(1)
        ends(process, number, code, line)


@pytest.mark.parametrize(("number", "code", "line"), ENDS)
@pytest.mark.parametrize("java", ["starts", "works"])
def test_a_build(tmp_path: Path, java: str, number: int, code: int, line: str) -> None:
    for script in range(200):
        write(str(tmp_path / f"sql/{script}.sql"), "".join(HEAVY.format(n=n + 100 * script) for n in range(100)))
    wanted = "java" if java == "starts" else "python"
    with started(tmp_path, "build", "sql") as process:
        wait_for(lambda: wanted in {n[:6] for i, n in tree(process.pid).items() if i != process.pid}, f"{java} Java")
        time.sleep(0.5)
        ends(process, number, code, line)
    assert not Store(tmp_path / "lineage").exists
