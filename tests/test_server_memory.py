"""The server gives memory back that it does not need, and its caches are bounded."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from pathlib import Path

import pytest

from headwater.server.kept import Kept
from headwater.server.memory import Trimming, give_back


def test_memory_is_given_back_only_after_requests() -> None:
    answered, given_back = [0], []
    trimming = Trimming(lambda: answered[0], lambda: given_back.append(answered[0]))
    for now in (0, 3, 3, 5):
        answered[0] = now
        trimming.look()
    assert given_back == [3, 5]


GLIBC = pytest.mark.skipif(platform.libc_ver()[0] != "glibc", reason="other C libraries cannot be asked")

ARENAS = """
import ctypes, threading
from headwater.server.memory import share_one_arena
{call}
barrier = threading.Barrier(8)
def allocate():
    piece = bytearray(100_000)
    barrier.wait()
threads = [threading.Thread(target=allocate) for _ in range(8)]
for each in threads: each.start()
for each in threads: each.join()
ctypes.CDLL(None).malloc_stats()
"""
"""Eight threads allocate at the same time; glibc then prints a line for each arena."""


def arenas_after(call: str) -> int:
    """How many arenas a process has."""
    environment = {name: value for name, value in os.environ.items() if name != "MALLOC_ARENA_MAX"}
    done = subprocess.run(
        [sys.executable, "-c", ARENAS.format(call=call)], env=environment, capture_output=True, text=True, check=True
    )
    return len(re.findall(r"^Arena \d+:", done.stderr, re.MULTILINE))


@pytest.mark.slow
@GLIBC
def test_threads_of_the_server_have_no_arenas_of_their_own() -> None:
    assert arenas_after("") > 2
    assert arenas_after("share_one_arena()") <= 2  # a library may have started a thread when it was imported


@GLIBC
def test_memory_between_what_is_still_needed_is_given_back() -> None:
    pieces = [bytes(5000) for _ in range(20_000)]  # 100 MB
    needed = pieces[::1000]
    del pieces
    before = own_megabytes()
    give_back()
    assert len(needed) == 20
    assert own_megabytes() < before - 50


def own_megabytes() -> int:
    """What this process holds for itself."""
    found = re.search(r"RssAnon:\s*(\d+) kB", Path("/proc/self/status").read_text())
    assert found
    return int(found[1]) // 1024


def test_results_are_kept_of_the_last_few_only() -> None:
    made: list[int] = []

    def square(number: int) -> int:
        made.append(number)
        return number * number

    kept = Kept(square, most=2)
    assert [kept(number) for number in (1, 2, 1, 3, 1, 2)] == [1, 4, 1, 9, 1, 4]
    assert made == [1, 2, 3, 2]  # 2 was the oldest when 3 came
    assert len(kept._entries) == 2
