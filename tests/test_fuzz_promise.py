"""What the fuzzer takes for a broken promise of time or memory."""

from __future__ import annotations

import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parent.parent / "benchmarks"))

from fuzzing.promise import Limits, Meter, Spent

LIMITS = Limits(timeout=2, memory=500)


def kinds(spent: Spent) -> list[str]:
    return [kind for kind, _ in spent.broken(LIMITS)]


def test_limits_are_drawn_from_the_text_alone() -> None:
    assert Limits.of("SELECT 1") == Limits.of("SELECT 1")
    assert len({Limits.of(f"SELECT {i}") for i in range(200)}) == 12


def test_an_overrun_is_more_than_one_and_a_half_times_the_limit_and_a_second() -> None:
    assert kinds(Spent(clock=3.9, processor=3.9, megabytes=1, load=1)) == []
    assert kinds(Spent(clock=4.1, processor=0.1, megabytes=1, load=0.5)) == ["overrun"]


def test_waiting_for_a_processor_is_no_overrun() -> None:
    """Four processes want each processor: eight seconds by the clock are two of work."""
    assert kinds(Spent(clock=8, processor=2, megabytes=1, load=4)) == []
    assert kinds(Spent(clock=8, processor=5, megabytes=1, load=4)) == ["overrun"]


def test_memory() -> None:
    assert kinds(Spent(clock=1, processor=1, megabytes=500, load=1)) == []
    assert kinds(Spent(clock=1, processor=1, megabytes=700, load=1)) == ["memory"]


def test_a_meter_sees_what_is_done_inside() -> None:
    with Meter() as meter:
        held = bytearray(50_000_000)
        end = time.process_time() + 0.3
        while time.process_time() < end:
            held[0] ^= 1
    assert meter.spent.processor >= 0.25
    assert meter.spent.clock >= 0.3
    assert not sys.platform.startswith("linux") or meter.spent.megabytes > 30
